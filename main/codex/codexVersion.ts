// Asks a codex binary for its version, which also proves that it can be started at all.
//
// Race: the file may be replaced while it is asked. The answer is kept under what the file was before it was started, so a
// replaced file is asked again the next time.

import { stat } from "node:fs/promises";
import type { Clock } from "../clock";
import { runBounded } from "./boundedProcess";

export interface VersionQuestion {
  path: string;
  argsPrefix: readonly string[];
  env: Record<string, string | undefined>;
}

export type VersionAnswer =
  /** It runs. `version` is null when what it printed has no version in it. */
  | { kind: "answered"; version: string | null }
  /** It was started and said nothing in time: a wrapper that downloads something first, or a disk that sleeps. */
  | { kind: "slow"; why: string }
  | { kind: "unusable"; why: string };

export class VersionChecker {
  readonly #clock: Clock;
  readonly #deadlineMs: number;
  readonly #known = new Map<string, { stamp: string; answer: VersionAnswer }>();

  constructor(clock: Clock, deadlineMs = 5_000) {
    this.#clock = clock;
    this.#deadlineMs = deadlineMs;
  }

  /** Never rejects. Remembers the answer for as long as the files stay the same; a slow one is asked again. */
  async ask(question: VersionQuestion): Promise<VersionAnswer> {
    const key = [question.path, ...question.argsPrefix].join("\0");
    const stamp = await fileStamp([question.path, ...question.argsPrefix]);
    const known = this.#known.get(key);
    if (known?.stamp === stamp) return known.answer;
    const answer = await this.#run(question);
    if (answer.kind === "answered") this.#known.set(key, { stamp, answer });
    else this.#known.delete(key);
    return answer;
  }

  async #run({ path, argsPrefix, env }: VersionQuestion): Promise<VersionAnswer> {
    const outcome = await runBounded({
      command: path,
      args: [...argsPrefix, "--version"],
      env,
      deadlineMs: this.#deadlineMs,
      maxOutputBytes: 64 * 1024,
      clock: this.#clock,
    });
    switch (outcome.kind) {
      case "notStarted":
        return { kind: "unusable", why: `cannot be started: ${startProblem(outcome.error)}` };
      case "timedOut":
        return { kind: "slow", why: `did not answer --version within ${this.#deadlineMs / 1000} s` };
      case "tooMuchOutput":
        return { kind: "unusable", why: "answers --version with more than 64 KiB, so it is not codex" };
      case "exited": {
        if (outcome.code === 0)
          return { kind: "answered", version: parseVersion(outcome.stdout.toString("utf8")) };
        const how = outcome.signal === null ? `with code ${outcome.code}` : `by ${outcome.signal}`;
        const said = lastWords(outcome.stderrEnd);
        return {
          kind: "unusable",
          why: `ended ${how} when asked for its version${said === "" ? "" : `: ${said}`}`,
        };
      }
      case "complete":
        // Only with `isComplete`, which is not given above.
        return { kind: "answered", version: parseVersion(outcome.stdout.toString("utf8")) };
      default:
        return outcome satisfies never;
    }
  }
}

/** `codex-cli 0.171.0`, wherever it stands among banners, updates on offer and colours. */
export function parseVersion(output: string): string | null {
  const version = String.raw`v?(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)(?!\.?\d)`;
  const named = new RegExp(String.raw`\bcodex(?:-cli)?[ \t]+${version}`, "i").exec(output);
  // A line that is nothing but a version comes before a number inside a sentence, which may be about something else.
  const alone = new RegExp(String.raw`^[ \t]*${version}[ \t]*\r?$`, "m").exec(output);
  const anywhere = new RegExp(String.raw`(?<![\d.])${version}`).exec(output);
  return (named ?? alone ?? anywhere)?.[1] ?? null;
}

function startProblem(error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case "ENOENT":
      return "the program that its first line names does not exist";
    case "EACCES":
      return "permission denied";
    case "ENOEXEC":
    case "UNKNOWN":
      return "it is not a program for this system";
    default:
      return error.message;
  }
}

function lastWords(stderr: string): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  // Node ends its report of an uncaught error with its own version; the error itself is the line that names it.
  const error = lines.find((line) => /^\w*Error\b.*:/.test(line));
  return (error ?? lines.at(-1) ?? "").trim().slice(0, 300);
}

async function fileStamp(paths: string[]): Promise<string> {
  const stamps = await Promise.all(
    paths.map(async (path) => {
      try {
        const { mtimeMs, size, ino } = await stat(path);
        return `${mtimeMs}:${size}:${ino}`;
      } catch {
        // It has gone since it was found; the attempt to start it says so.
        return "gone";
      }
    }),
  );
  return stamps.join(" ");
}
