// Linux: a mark that a process cannot lose. A command may give up all that ties it to what has started it: its environment
// (`env -i`), its process session (`setsid`), its parent, its terminal, its open files. What it keeps is its limits: they are
// inherited by everything that it starts, and nobody but root can raise one that was lowered. One of them, the number of file
// locks, means nothing to the kernel any more (since 2.4.25), takes 64 bits, and can be read of every process. So that number,
// made from the id of a handle or a terminal, is the mark. The program `prlimit` (of util-linux, which nearly every Linux has)
// sets it; without it there is no such mark, and what gives up everything is not found.
//
// Races settled here:
// - A process within a marked one is to get a mark of its own (a terminal within codex, a Holdfast that was started in a terminal
//   of another): a limit can only be lowered. So each id has several numbers, each far below the one before, and gets the first
//   that is low enough.
// - A process starts another before it is marked: that one is found by its other ties only. Where it may happen at once, as in a
//   shell, the command marks itself before it begins.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { execa } from "execa";
import type { Log } from "../../log";

/** How often an id's number can be made smaller, and still be nobody else's. */
const steps = 4;
const bitsEach = 8n;
const setDeadlineMs = 2_000;

/** What is found of a process (`limitIn`) that carries the mark of this id. */
export function limitMarks(id: string): string[] {
  const random = BigInt(`0x${createHash("sha256").update(id).digest("hex").slice(0, 15)}`);
  const first = (1n << 60n) | random;
  return Array.from({ length: steps }, (_, step) => `${first >> (bitsEach * BigInt(step))}`);
}

/** The limit that may be a mark, out of /proc/PID/limits; null: there is none. */
export function limitIn(limits: string): string | null {
  return /^Max file locks\s+\S+\s+(\d+)/m.exec(limits)?.[1] ?? null;
}

/** Marks a process that has just been started. Never rejects; not on Linux, or without `prlimit`, it stays without. */
export async function setLimitMark(pid: number, id: string, log: Log): Promise<void> {
  const mark = markFor(pid, id);
  if (mark === null) return;
  const { failed, shortMessage } = await execa("prlimit", ["--pid", `${pid}`, `--locks=${mark}:${mark}`], {
    stdin: "ignore",
    timeout: setDeadlineMs,
    killSignal: "SIGKILL",
    windowsHide: true,
    reject: false,
  });
  if (failed) log.info("a process could not be marked by a limit", { pid, error: shortMessage });
}

/** The same command, which marks itself first; it will be started by the process `parent`. It still is one process, with one pid. */
export function markedByLimit(command: readonly string[], parent: number, id: string): string[] {
  const mark = markFor(parent, id);
  if (mark === null) return [...command];
  const script = 'prlimit --pid $$ --locks="$0" >/dev/null 2>&1; exec "$@"';
  return ["/bin/sh", "-c", script, `${mark}:${mark}`, ...command];
}

function markFor(pid: number, id: string): string | null {
  if (process.platform !== "linux") return null;
  let limits: string;
  try {
    limits = readFileSync(`/proc/${pid}/limits`, "latin1");
  } catch {
    // It has ended.
    return null;
  }
  const limit = limitIn(limits);
  return limitMarks(id).find((mark) => limit === null || BigInt(mark) < BigInt(limit)) ?? null;
}
