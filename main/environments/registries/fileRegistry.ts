// A JSON file that another program rewrites whenever the executor moves.
//
// Races settled here:
// - It is read while the other program writes it, and is empty or cut off: it is read again a few times before it counts as
//   wrong. One that says something else than it should is wrong at once.
// - It is something whose reading never ends (a pipe): only a plain file is read, and no more of it than an answer can have.

import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { Clock } from "../../clock";
import { asFault, Fault } from "../../fault";
import { type ExecutorTarget, readTarget } from "../client/executorTarget";
import { answerText } from "./answerText";
import { defaultLookupMs, type Registry } from "./registry";

const maxBytes = 64 * 1024;
const rereads = 4;
const rereadMs = 50;

export class FileRegistry implements Registry {
  readonly deadlineMs = defaultLookupMs;
  readonly #path: string;
  readonly #clock: Clock;

  constructor(path: string, clock: Clock) {
    this.#path = path;
    this.#clock = clock;
  }

  async lookUp(signal: AbortSignal): Promise<ExecutorTarget> {
    for (let attempt = 0; ; attempt += 1) {
      const text = await this.#read();
      if (attempt === rereads || signal.aborted || isWhole(text)) return readTarget(text, this.#path);
      await this.#pause(signal);
    }
  }

  #pause(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#clock.after(rereadMs, resolve);
      const givenUp = () => {
        timer.cancel();
        resolve();
      };
      signal.addEventListener("abort", givenUp, { once: true });
    });
  }

  async #read(): Promise<string> {
    try {
      const file = await open(this.#path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      try {
        if (!(await file.stat()).isFile()) throw this.#unreadable("it is not a file");
        const { bytesRead, buffer } = await file.read(Buffer.alloc(maxBytes + 1), 0, maxBytes + 1, 0);
        if (bytesRead > maxBytes) throw this.#unreadable(`it has more than ${maxBytes / 1024} KiB`);
        return answerText(buffer.subarray(0, bytesRead));
      } finally {
        await file.close();
      }
    } catch (error) {
      if (error instanceof Fault) throw error;
      const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
      throw this.#unreadable(isMissing ? "there is no such file" : asFault(error).message, error);
    }
  }

  #unreadable(problem: string, cause?: unknown): Fault {
    return new Fault("registry_unreadable", `${this.#path} cannot be read: ${problem}.`, {
      hint: "It is to say where the environment is, and another program has to write it.",
      path: this.#path,
      retryable: true,
      cause,
    });
  }
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
