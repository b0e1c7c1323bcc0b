// codex's lock around opening and closing threads for writing, held by another program.

import { spawn } from "node:child_process";
import path from "node:path";

export interface HeldLock {
  release(): Promise<void>;
}

/** codex makes the file when it first opens a thread. */
export async function holdCoordinationLock(codexHome: string): Promise<HeldLock> {
  const file = path.join(codexHome, "thread-writer-locks", ".coordination.lock");
  // It goes with the end of its input, so it cannot outlive the test.
  const holder = spawn("flock", ["--exclusive", file, "sh", "-c", "echo held; read -r line"], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const gone = new Promise<void>((resolve) => holder.once("exit", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    holder.stdout.once("data", () => resolve());
    holder.once("exit", () => reject(new Error("the lock could not be held")));
  });
  return {
    async release() {
      holder.stdin.end();
      await gone;
    },
  };
}
