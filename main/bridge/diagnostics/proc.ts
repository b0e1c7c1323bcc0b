// What the system says of a process, where it says it in files: on Linux. Elsewhere everything here is null, which is shown as
// not known.

import { readdir, readFile } from "node:fs/promises";

/** Bytes in memory, out of /proc/PID/status. Pure. */
export function residentBytesIn(status: string): number | null {
  const kilobytes = /^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}

/** What is allowed, out of /proc/PID/limits: the soft limit of what runs out in practice. Pure. */
export function allowedIn(limits: string): { name: string; value: string }[] {
  return ["Max open files", "Max processes", "Max locked memory", "Max address space"].flatMap((name) => {
    const line = limits.split("\n").find((each) => each.startsWith(name));
    const value = line?.slice(name.length).trim().split(/\s+/)[0];
    return value === undefined ? [] : [{ name, value }];
  });
}

export async function residentBytes(pid: number): Promise<number | null> {
  const status = await readProc(`/proc/${pid}/status`);
  return status === null ? null : residentBytesIn(status);
}

export async function allowed(): Promise<{ name: string; value: string }[]> {
  const limits = await readProc("/proc/self/limits");
  return limits === null ? [] : allowedIn(limits);
}

export async function openFiles(): Promise<number | null> {
  try {
    // The folder itself is open while it is read.
    return (await readdir("/proc/self/fd")).length - 1;
  } catch {
    // This system has no such folder.
    return null;
  }
}

/** Null: there is no such process, or this system has no such file. */
async function readProc(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch {
    return null;
  }
}
