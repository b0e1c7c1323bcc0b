// Starts a process that shares nothing with this one but what it is given.
//
// On Linux a child inherits every open file that is not marked to be closed, and Chromium does not mark its own: the sockets
// between its processes, its storage. A child that outlives the app would keep them open, so that Chromium's processes never
// learn that the app has gone; and agents' commands could use them. So each of them is replaced in the child, by nothing.
// macOS and Windows hand over only what is named.
//
// Races, and what settles each:
// - The spawn itself opens files, and takes the lowest numbers that are free: only numbers in use are replaced.
// - Another thread opens a file between the look and the spawn: the child gets that one. It is one of hundreds, rarely.

import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { closeSync, fstatSync, openSync, readdirSync } from "node:fs";
import { devNull } from "node:os";

export interface SealedSpawnOptions extends Omit<SpawnOptions, "stdio"> {
  stdio: [input: "ignore" | "pipe", output: "ignore" | "pipe" | number, errors: "ignore" | "pipe" | number];
}

/** A process may usually have 1,024 files open, and the child needs some of its own. */
const highestNumber = 768;

export function sealedSpawn(
  file: string,
  args: readonly string[],
  options: SealedSpawnOptions,
): ChildProcess {
  if (process.platform !== "linux") return spawn(file, args, options);
  const open = openFiles();
  const nothing = openSync(devNull, "r");
  try {
    const numbers = Array.from({ length: Math.max(0, Math.max(...open) - 2) }, (_, index) => index + 3);
    const rest = numbers.map((number) => (open.has(number) ? nothing : ("ignore" as const)));
    return spawn(file, args, { ...options, stdio: [...options.stdio, ...rest] });
  } finally {
    closeSync(nothing);
  }
}

function openFiles(): Set<number> {
  const numbers = readdirSync("/proc/self/fd").map(Number);
  return new Set([2, ...numbers.filter((number) => number <= highestNumber && isOpen(number))]);
}

/** The folder was open itself while it was read. */
function isOpen(number: number): boolean {
  try {
    fstatSync(number);
    return true;
  } catch {
    return false;
  }
}
