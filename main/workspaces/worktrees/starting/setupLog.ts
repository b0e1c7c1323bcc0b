// What the last set-up of a worktree has printed, on disk: it is asked for when the thread has begun, or after a restart.
//
// Races, and what settles each:
// - Holdfast dies while the script runs: what was printed is written as it comes, up to the bound. Of more than that the end
//   is kept, once there is one.
// - The disk is full, or the folder of logs has gone: the set-up goes on, and its output is shown for as long as it is in view.

import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SetupEndingView } from "../../../../preload/contract/worktrees";
import { asFault } from "../../../fault";
import type { Log } from "../../../log";
import { readLogTail } from "../../../supervisor/logTail";
import { mostPrinted } from "./printed";

/** One for each worktree: of its last set-up. `workspaceId`: what the worktree is. */
export function setupLogPath(logs: string, workspaceId: string): string {
  return join(logs, `worktree-setup-${workspaceId}.log`);
}

/** As much as is kept of it; empty when there is nothing. */
export function readSetupLog(logs: string, workspaceId: string): string {
  return readLogTail(setupLogPath(logs, workspaceId), mostPrinted);
}

export class SetupLog {
  readonly path: string;
  readonly #log: Log;
  #written: Promise<void>;
  #units = 0;
  #isFailing = false;

  /** What an earlier set-up has printed makes way. */
  constructor(path: string, log: Log) {
    this.path = path;
    this.#log = log;
    this.#written = this.#try(async () => {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeFile(path, "", { mode: 0o600 });
    });
  }

  add(text: string): void {
    this.#units += text.length;
    if (this.#units <= mostPrinted) this.#then(() => appendFile(this.path, text));
  }

  /** `text`: all that is kept of it. Resolves when it is on disk, or cannot be. */
  end(text: string, ending: SetupEndingView): Promise<void> {
    const last = `${text === "" || text.endsWith("\n") ? "" : "\n"}[${endWords(ending)}]\n`;
    if (this.#units <= mostPrinted) this.#then(() => appendFile(this.path, last));
    else this.#then(() => writeFile(this.path, text + last, { mode: 0o600 }));
    return this.#written;
  }

  #then(write: () => Promise<void>): void {
    this.#written = this.#written.then(() => this.#try(write));
  }

  async #try(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (this.#isFailing) return;
      this.#isFailing = true;
      this.#log.warn("the output of a worktree set-up cannot be written down", {
        error: asFault(error).message,
      });
    }
  }
}

function endWords({ how, exitCode, signal, fault }: SetupEndingView): string {
  switch (how) {
    case "done":
    case "failed":
      if (exitCode !== null) return `ended with exit code ${exitCode}`;
      return signal === null ? "done" : `ended by ${signal}`;
    case "stopped":
    case "cut off":
      return how;
    case "folder gone":
      return "stopped, as its folder has gone";
    case "not started":
      return `not started: ${fault?.message ?? "why is not known"}`;
    default:
      return how satisfies never;
  }
}
