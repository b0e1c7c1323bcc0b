// The processes that work in a folder: a terminal of the person's, a server that was started there. Deleting the folder under
// them would cut off what they do. Where the system does not say where a process works, none are found.

import { readdir, readFile, readlink } from "node:fs/promises";
import { sep } from "node:path";

export interface ProcessWithin {
  pid: number;
  /** Of the program. Not its arguments: there may be secrets. */
  name: string;
}

export async function processesWithin(folder: string): Promise<ProcessWithin[]> {
  if (process.platform !== "linux") return [];
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      // It has ended meanwhile, or belongs to somebody else.
      const place = await readlink(`/proc/${pid}/cwd`).catch(() => null);
      if (place === null || (place !== folder && !place.startsWith(folder + sep))) return null;
      const name = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => null);
      return name === null ? null : { pid: Number(pid), name: name.trim() };
    }),
  );
  return found.filter((each) => each !== null);
}
