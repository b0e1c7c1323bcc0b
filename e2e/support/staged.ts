// The test's side of stagedCodex.mjs.

import { connect } from "node:net";
import path from "node:path";
import { realCodex } from "./realCodex";

/** What Holdfast has to be started with. */
export async function stagedEnvironment(): Promise<Record<string, string>> {
  return {
    HOLDFAST_CODEX: path.join(import.meta.dirname, "stagedCodex.mjs"),
    STAGED_REAL_CODEX: await realCodex(),
  };
}

/** The next thread that Holdfast loads at this socket is one that codex is just unloading. */
export async function stageUnload(socketPath: string): Promise<void> {
  await order(socketPath, "stage");
}

/** How often codex has refused to load a thread because it was unloading it. */
export async function refusals(socketPath: string): Promise<number> {
  return Number(await order(socketPath, "refusals"));
}

function order(socketPath: string, word: "stage" | "refusals"): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(`${socketPath}.control`, () => socket.write(`${word}\n`));
    let answer = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      answer += text;
    });
    socket.once("end", () => resolve(answer));
    socket.once("error", reject);
  });
}
