// A command that prints where the environment is, as JSON. It runs at every lookup, has to end by itself within its deadline,
// and nothing that it leaves in its process group stays.

import type { Clock } from "../../clock";
import { runBounded } from "../../codex/boundedProcess";
import { Fault } from "../../fault";
import { redactText } from "../../redact";
import { type ExecutorTarget, readTarget } from "../client/executorTarget";
import { answerText } from "./answerText";
import { defaultLookupMs, type Registry, type RegistryConfig } from "./registry";

const maxOutputBytes = 64 * 1024;
const maxShownCharacters = 500;

export interface CommandRegistryOptions {
  clock: Clock;
  /** What the command gets to see: the person's login environment. */
  env(): Promise<Record<string, string | undefined>>;
}

export class CommandRegistry implements Registry {
  readonly deadlineMs: number;
  readonly #config: Extract<RegistryConfig, { kind: "command" }>;
  readonly #options: CommandRegistryOptions;

  constructor(config: Extract<RegistryConfig, { kind: "command" }>, options: CommandRegistryOptions) {
    this.#config = config;
    this.#options = options;
    this.deadlineMs = config.deadlineMs ?? defaultLookupMs;
  }

  async lookUp(signal: AbortSignal): Promise<ExecutorTarget> {
    const { command, args } = this.#config;
    const { clock } = this.#options;
    const { deadlineMs } = this;
    const env = await this.#options.env();
    signal.throwIfAborted();
    const outcome = await runBounded({ command, args, env, deadlineMs, maxOutputBytes, clock, signal });
    switch (outcome.kind) {
      case "notStarted":
        throw this.#failed(`cannot be started: ${notStartedWords(outcome.error)}`, "");
      case "timedOut":
        throw this.#failed(`did not end within ${deadlineMs / 1000} s`, outcome.stderrEnd);
      case "tooMuchOutput":
        throw this.#failed(`printed more than ${maxOutputBytes / 1024} KiB`, "");
      case "exited": {
        const { code, signal: killedBy, stdout, stderrEnd } = outcome;
        if (code !== 0) {
          throw this.#failed(
            `ended ${killedBy === null ? `with code ${code}` : `by ${killedBy}`}`,
            stderrEnd,
          );
        }
        return readTarget(answerText(stdout), `What "${command}" printed`);
      }
      case "complete":
        // Only with `isComplete`, which is not given above.
        return readTarget(answerText(outcome.stdout), `What "${command}" printed`);
      default:
        return outcome satisfies never;
    }
  }

  /** What it said on its error output may be shown: its output, with the credential, never is. */
  #failed(problem: string, said: string): Fault {
    return new Fault(
      "registry_command_failed",
      `The command "${redactText(this.#config.command)}", which says where the environment is, ${problem}.`,
      {
        hint: "Run it in a terminal to see what is wrong with it.",
        detail: [redactText(this.#config.command), endOf(said)].join("\n").trim(),
        retryable: true,
      },
    );
  }
}

function notStartedWords({ code, message }: NodeJS.ErrnoException): string {
  if (code === "ENOENT") return "there is no such program";
  return code === "EACCES" ? "it may not be run as a program" : message;
}

/** Cut between words and only after it was looked through: the rest of a secret does not look like one. */
function endOf(said: string): string {
  const safe = redactText(said);
  return safe.length <= maxShownCharacters
    ? safe
    : safe.slice(-maxShownCharacters).replace(/^\S*/, "").trim();
}
