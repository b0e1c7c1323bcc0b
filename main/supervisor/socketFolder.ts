// Where the sockets of app-servers are: a folder that only this user can enter. A socket's path must be short (about 100
// bytes), so a deep home gets its sockets in the system's folder for temporary files instead, checked for its owner.

import { createHash } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Fault } from "../fault";

const longestSocketPathBytes = 100;
const longestName = "0123456789abcdef.sock".length;

/** Makes the folder. Throws Fault `sockets_unusable`. */
export function prepareSocketFolder(home: string): string {
  const inHome = join(home, "sockets");
  if (Buffer.byteLength(inHome) + 1 + longestName <= longestSocketPathBytes) return makePrivate(inHome);
  const name = createHash("sha256").update(home).digest("hex").slice(0, 16);
  return makePrivate(join(tmpdir(), `holdfast-${process.getuid?.() ?? 0}-${name}`));
}

function makePrivate(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const facts = lstatSync(folder);
    const owner = process.getuid?.();
    if (!facts.isDirectory() || (owner !== undefined && facts.uid !== owner)) {
      throw new Error(`${folder} is not a folder of this user`);
    }
    if (process.platform !== "win32" && (facts.mode & 0o077) !== 0) chmodSync(folder, 0o700);
    return folder;
  } catch (error) {
    throw new Fault(
      "sockets_unusable",
      `Holdfast cannot use the folder ${folder} for its connections to codex.`,
      {
        hint: "Remove what is in its place, or set HOLDFAST_HOME to a folder that is yours.",
        detail: error instanceof Error ? error.message : String(error),
        cause: error,
      },
    );
  }
}
