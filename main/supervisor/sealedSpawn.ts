// Starts a process that shares nothing with this one but what it is given.
//
// On Linux a child inherits every open file that is not marked to be closed, and Chromium does not mark its own: the sockets
// between its processes, its storage. A child that outlives the app would keep them open, so that Chromium's processes never
// learn that the app has gone; and agents' commands could use them. So each of them is replaced in the child, by nothing.
// macOS and Windows hand over only what is named.
//
// Race: another thread opens a file between the look and the spawn. Some numbers beyond the last one are replaced, too.

import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { closeSync, openSync, readdirSync } from "node:fs";
import { devNull } from "node:os";

export interface SealedSpawnOptions extends Omit<SpawnOptions, "stdio"> {
  stdio: [input: "ignore" | "pipe", output: "pipe" | number, errors: number];
}

/** Numbers of files that may be opened meanwhile. */
const margin = 32;
/** Every number costs the child one open file, of 1,024 that a process usually may have. */
const mostReplaced = 512;

export function sealedSpawn(
  file: string,
  args: readonly string[],
  options: SealedSpawnOptions,
): ChildProcess {
  if (process.platform !== "linux") return spawn(file, args, options);
  const nothing = openSync(devNull, "r");
  try {
    const replaced = Math.min(lastOpenFile() + margin, mostReplaced) - 2;
    return spawn(file, args, { ...options, stdio: [...options.stdio, ...Array(replaced).fill(nothing)] });
  } finally {
    closeSync(nothing);
  }
}

function lastOpenFile(): number {
  return Math.max(2, ...readdirSync("/proc/self/fd").map(Number));
}
