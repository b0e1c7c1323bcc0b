// What an exec-server says of its own accord, read by hand: it runs for every piece of output.

import type { ProcessEvent } from "./processStream";

export interface ProcessNotification {
  processId: string;
  event: Extract<ProcessEvent, { seq: number }>;
}

/** Null: not about a process, or not to be understood. */
export function readNotification(method: string, params: unknown): ProcessNotification | null {
  if (typeof params !== "object" || params === null) return null;
  const { processId, seq, stream, chunk, exitCode, sandboxDenied } = params as Record<string, unknown>;
  if (typeof processId !== "string" || !isSeq(seq)) return null;
  switch (method) {
    case "process/output": {
      if (typeof chunk !== "string") return null;
      const name = stream === "stdout" || stream === "stderr" ? stream : "pty";
      return { processId, event: { type: "output", seq, stream: name, bytes: Buffer.from(chunk, "base64") } };
    }
    case "process/exited": {
      const code = typeof exitCode === "number" ? exitCode : -1;
      return {
        processId,
        event: { type: "exited", seq, exitCode: code, sandboxDenied: sandboxDenied === true },
      };
    }
    case "process/closed":
      return { processId, event: { type: "closed", seq } };
    default:
      return null;
  }
}

function isSeq(seq: unknown): seq is number {
  return Number.isSafeInteger(seq) && (seq as number) > 0;
}
