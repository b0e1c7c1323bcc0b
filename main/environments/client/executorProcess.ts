// One process that runs in an environment, for whoever has started it. It belongs to the session in which it was started and to
// no other: when that has ended, whatever is asked of it fails.

import { randomUUID } from "node:crypto";
import { Fault } from "../../fault";
import { answers, checkedAnswer, maxPayloadBytes } from "./executorProtocol";
import type { SessionCalls } from "./sessionCalls";

export interface ProcessSpec {
  argv: [string, ...string[]];
  /** A file URI: see fileUri.ts. */
  cwd: string;
  /** Added to what the process inherits, or all that it gets. */
  env: Record<string, string>;
  /** What it inherits of the executor's own environment. Names that look like secrets are left out, unless nothing is. */
  inherits: "all" | "core" | "none";
  /** A terminal of 80 columns and 24 rows. An exec-server cannot change its size. */
  terminal: boolean;
  /** Whether it can be written to; a terminal always can. There is no way to end its input. */
  input: boolean;
}

export function startParams(processId: string, spec: ProcessSpec): object {
  const { argv, cwd, env, inherits, terminal, input } = spec;
  const envPolicy = {
    inherit: inherits,
    ignoreDefaultExcludes: false,
    exclude: [],
    set: {},
    includeOnly: [],
  };
  return { processId, argv, cwd, env, envPolicy, tty: terminal, pipeStdin: input, arg0: null };
}

export class ExecutorProcess {
  readonly id: string;
  readonly #calls: SessionCalls;

  constructor(id: string, calls: SessionCalls) {
    this.id = id;
    this.#calls = calls;
  }

  /**
   * Resolves when the executor has taken it. Sent once: rejects with a DisconnectedFault when that is not known. Rejects with
   * Fault `process_gone`, `input_closed` or `too_long`.
   */
  async write(bytes: Uint8Array): Promise<void> {
    if (bytes.length > maxPayloadBytes) {
      throw new Fault("too_long", `At most ${maxPayloadBytes / 1024 / 1024} MiB can be written at once.`);
    }
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
    const params = { processId: this.id, chunk, writeId: randomUUID() };
    const answer = await this.#calls.call("process/write", params);
    const { status } = checkedAnswer("process/write", answers.write, answer);
    switch (status) {
      case "accepted":
        return;
      case "unknownProcess":
        throw new Fault("process_gone", "The process has ended, and the executor does not know it any more.");
      case "stdinClosed":
        throw new Fault("input_closed", "The process takes no input.");
      case "starting":
        throw new Fault("process_starting", "The process is still being started.", { retryable: true });
      default:
        status satisfies never;
    }
  }

  /** As Ctrl-C does. */
  async interrupt(): Promise<void> {
    await this.#calls.call("process/signal", { processId: this.id, signal: "interrupt" });
  }

  /** Ends it with all that it has started. False: it had ended before. */
  async terminate(): Promise<boolean> {
    const answer = await this.#calls.call("process/terminate", { processId: this.id });
    return checkedAnswer("process/terminate", answers.terminate, answer).running;
  }
}
