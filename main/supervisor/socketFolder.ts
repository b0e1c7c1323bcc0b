// Where the sockets of app-servers are: a folder that only this user can enter. A socket's path must be short (about 100
// bytes), so a deep home gets its sockets in the system's folder for temporary files instead, checked for its owner.

import { createHash } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
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

/**
 * codex makes the socket's path a link to a socket in a private folder of its own, with a lock file beside it. It removes
 * the socket when it ends in order, and nothing when it is killed: so what a handle's path leads to is learned while it
 * lives, and removed once its process is gone.
 */
export function socketTarget(path: string): string | null {
  try {
    return lstatSync(path).isSymbolicLink() ? resolve(dirname(path), readlinkSync(path)) : null;
  } catch {
    // Not there (yet, or any more): it leads nowhere.
    return null;
  }
}

/** Of a handle whose process is gone. Only what is in codex's folder for sockets is touched besides the path itself. */
export function removeSocket(path: string, target: string | null): void {
  const leadsTo = target ?? socketTarget(path);
  rmSync(path, { force: true });
  if (leadsTo === null || !/^codex-daemon-/.test(basename(dirname(leadsTo)))) return;
  rmSync(leadsTo, { force: true });
  rmSync(`${leadsTo}.lock`, { force: true });
}
