// What the first 100 bytes of the file say, read without SQLite, so that nothing is changed by looking.

import { closeSync, openSync, readSync } from "node:fs";

export type Header =
  | { kind: "not a database" }
  | {
      kind: "database";
      applicationId: number;
      /** Of the file alone: its write-ahead log may hold a later one. */
      version: number;
    };

const headerBytes = 100;
const magic = "SQLite format 3\0";
const formatOffsets = [18, 19];
const versionOffset = 60;
const applicationIdOffset = 68;

export function examineHeader(path: string): Header {
  const header = Buffer.alloc(headerBytes);
  const descriptor = openSync(path, "r");
  try {
    const read = readSync(descriptor, header, 0, headerBytes, 0);
    if (read < headerBytes || !isSound(header)) return { kind: "not a database" };
  } finally {
    closeSync(descriptor);
  }
  return {
    kind: "database",
    applicationId: header.readUInt32BE(applicationIdOffset),
    version: header.readInt32BE(versionOffset),
  };
}

/** With a format number that it does not know, SQLite would take the file for one that may only be read. */
function isSound(header: Buffer): boolean {
  if (header.toString("latin1", 0, magic.length) !== magic) return false;
  return formatOffsets.every((offset) => header[offset] === 1 || header[offset] === 2);
}
