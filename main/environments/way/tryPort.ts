// Whether anything listens at an address, and if not, why not.
//
// Races settled here: the first of connected, refused and too late counts, and the socket is gone after each of them.

import { connect } from "node:net";
import type { Clock } from "../../clock";

export type PortOutcome =
  | { kind: "listens" }
  /** The machine is there and says that nothing listens. */
  | { kind: "nothing listens" }
  | { kind: "no answer" }
  | { kind: "no such machine" }
  | { kind: "no way"; problem: string };

export function tryPort(
  { host, port }: { host: string; port: number },
  { clock, deadlineMs }: { clock: Clock; deadlineMs: number },
): Promise<PortOutcome> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const settle = (outcome: PortOutcome) => {
      timer.cancel();
      socket.destroy();
      resolve(outcome);
    };
    const timer = clock.after(deadlineMs, () => settle({ kind: "no answer" }));
    socket.on("connect", () => settle({ kind: "listens" }));
    socket.on("error", (error: NodeJS.ErrnoException) => settle(outcomeOf(error)));
  });
}

function outcomeOf({ code, message }: NodeJS.ErrnoException): PortOutcome {
  switch (code) {
    case "ECONNREFUSED":
      return { kind: "nothing listens" };
    case "ETIMEDOUT":
      return { kind: "no answer" };
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return { kind: "no such machine" };
    default:
      return { kind: "no way", problem: code ?? message };
  }
}
