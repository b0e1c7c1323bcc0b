// The test's side of cuttableCodex.mjs.

import { connect } from "node:net";
import path from "node:path";
import { realCodex } from "./realCodex";

/** What Holdfast has to be started with. */
export async function cuttableEnvironment(): Promise<Record<string, string>> {
  return {
    HOLDFAST_CODEX: path.join(import.meta.dirname, "cuttableCodex.mjs"),
    CUTTABLE_REAL_CODEX: await realCodex(),
  };
}

/** Breaks every connection of the codex at this socket, and refuses new ones until it is mended. */
export function cutConnections(socketPath: string): Promise<void> {
  return order(socketPath, "cut");
}

export function mendConnections(socketPath: string): Promise<void> {
  return order(socketPath, "mend");
}

/** The next request for this method is lost with the connection before codex has it, or its answer is. */
export function cutConnectionsAt(
  socketPath: string,
  what: "request" | "answer",
  method: string,
): Promise<void> {
  return order(socketPath, `cut-at-${what} ${method}`);
}

function order(socketPath: string, word: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(`${socketPath}.control`, () => socket.write(`${word}\n`));
    socket.setEncoding("utf8");
    socket.once("data", () => {
      socket.destroy();
      resolve();
    });
    socket.once("error", reject);
  });
}
