// Makes the closing of a handle fail, for a real cause: see stubbornTree.mjs.

import { spawn } from "node:child_process";
import path from "node:path";

export interface StubbornTree {
  /** Nothing takes the place of what is ended any more. What runs now goes on until somebody ends it. */
  giveIn(): Promise<void>;
}

export async function growStubbornTree(handleId: string, count = 6): Promise<StubbornTree> {
  const script = path.join(import.meta.dirname, "stubbornTree.mjs");
  const child = spawn(process.execPath, [script, handleId, String(count)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    child.stdout.once("data", () => resolve());
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the stubborn tree ended with ${code}`)));
  });
  return {
    async giveIn() {
      child.kill("SIGKILL");
      await gone;
    },
  };
}
