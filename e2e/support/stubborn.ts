// Makes the closing of a handle fail, for a real cause: processes that carry the handle's marker, and when one is ended, another
// takes its place at once. What starts them carries no marker, so no handle owns it. Shells do it, one for each, since they
// are there again sooner than anybody can look; there are many, so that on a busy machine one of them is.

import { spawn } from "node:child_process";
import { expect } from "@playwright/test";
import { processesOfHandle } from "./processes";

export interface StubbornTree {
  /** Nothing takes the place of what is ended any more. What runs now goes on until somebody ends it. */
  giveIn(): Promise<void>;
}

export async function growStubbornTree(handleId: string, count = 16): Promise<StubbornTree> {
  const again = `while :; do HOLDFAST_HANDLE=${handleId} sleep 86400; done`;
  const shells = Array.from({ length: count }, () => spawn("sh", ["-c", again], { stdio: "ignore" }));
  await expect
    .poll(() => processesOfHandle({ handleId, pid: null }).length, "stubborn processes")
    .toBeGreaterThanOrEqual(count);
  return {
    async giveIn() {
      await Promise.all(
        shells.map((shell) => {
          const gone = new Promise((resolve) => shell.once("exit", resolve));
          shell.kill("SIGKILL");
          return gone;
        }),
      );
    },
  };
}
