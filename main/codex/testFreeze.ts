// For tests: a process that hangs, as one does that is stopped from outside. The signal alone is not enough: until the thread
// that gets it is next on a processor, the others go on, and may still answer what is asked after it.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** Resolves when none of its threads runs any more. `SIGCONT` lets it go on. */
export async function freeze(pid: number): Promise<void> {
  process.kill(pid, "SIGSTOP");
  while (threadStates(pid).some((state) => state !== "T")) await new Promise(setImmediate);
}

function threadStates(pid: number): string[] {
  if (process.platform !== "linux") {
    return [execFileSync("ps", ["-o", "state=", "-p", String(pid)], { encoding: "utf8" }).charAt(0)];
  }
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
    try {
      const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8");
      return [stat.charAt(stat.lastIndexOf(")") + 2)];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
}
