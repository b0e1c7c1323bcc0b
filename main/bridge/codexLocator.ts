// Which codex is used, and with what environment. Searched once and remembered; searched again when a person asks or
// chooses another. What was tried is shown when nothing works.
//
// Races settled here:
// - A search under way when the setting changes: its result is dropped, and everybody waits for the newer search.
// - Many ask at once, at the start: one search for all. Its failure is the answer for a moment, so that one missing codex
//   is not looked for once for each session; after that the next need looks again, quietly, since it may be there now.

import { stat } from "node:fs/promises";
import type { CodexView, TriedPlace } from "../../preload/contract/app";
import type { Clock } from "../clock";
import type { CodexAttempt, CodexBinary, CodexFinder, CodexOrigin } from "../codex/findCodex";
import type { LoginEnvironment, LoginEnvironmentReader } from "../codex/loginEnvironment";
import { toFaultView } from "../faultView";

/** How long a failed search is the answer to everybody who asks. */
const failureHoldsMs = 3_000;

/** What the file of the binary was when it was found. */
export interface BinaryFile {
  path: string;
  bytes: number;
  modifiedAtMs: number;
  inode: number;
}

const originWords: Record<CodexOrigin, string> = {
  environment: "HOLDFAST_CODEX",
  setting: "Settings",
  loginPath: "PATH of the login shell",
  wellKnownFolder: "a usual folder",
  bundled: "comes with Holdfast",
};

export class CodexLocator {
  readonly #finder: CodexFinder;
  readonly #clock: Clock;
  readonly #environment: LoginEnvironmentReader;
  readonly #setting: () => string | null;
  readonly #changed: (view: CodexView) => void;
  #search: Promise<CodexBinary> | null = null;
  #tried: TriedPlace[] = [];
  #login: LoginEnvironment | null = null;
  #file: BinaryFile | null = null;
  /** 0: the newest search has not failed. */
  #failedAtMs = 0;

  constructor(options: {
    finder: CodexFinder;
    clock: Clock;
    environment: LoginEnvironmentReader;
    setting(): string | null;
    changed(view: CodexView): void;
  }) {
    this.#finder = options.finder;
    this.#clock = options.clock;
    this.#environment = options.environment;
    this.#setting = options.setting;
    this.#changed = options.changed;
  }

  /** Rejects with the Fault that says why there is none. */
  binary(): Promise<CodexBinary> {
    const failedLately = this.#clock.nowMs() - this.#failedAtMs < failureHoldsMs;
    if (this.#search === null || (this.#failedAtMs > 0 && !failedLately)) this.#begin(false);
    return this.#search ?? this.#begin(false);
  }

  /** Null: there is none, or it does not say. */
  async version(): Promise<string | null> {
    try {
      return (await this.binary()).version;
    } catch {
      // Why there is none is shown where codex is asked for.
      return null;
    }
  }

  async variables(): Promise<Record<string, string>> {
    return (await this.#read(false)).variables;
  }

  /** As it was read last; null: it was not read yet. */
  get loginEnvironment(): LoginEnvironment | null {
    return this.#login;
  }

  /** The file of the binary as it was when it was found; null: none was, or it could not be looked at. */
  get foundFile(): BinaryFile | null {
    return this.#file;
  }

  /** Whether this is a codex that can be started. Nothing is chosen by it. */
  async check(path: string): Promise<{ usable: boolean; outcome: string; version: string | null }> {
    return this.#finder.check({ path, env: await this.variables() });
  }

  /** Searches anew. Returns what was tried; the outcome is in the view. */
  async recheck(): Promise<TriedPlace[]> {
    // Its failure is told by the view.
    await this.#begin(true).catch(() => undefined);
    return this.#tried;
  }

  async #read(again: boolean): Promise<LoginEnvironment> {
    this.#login = await this.#environment.read({ again });
    return this.#login;
  }

  #begin(again: boolean): Promise<CodexBinary> {
    this.#failedAtMs = 0;
    const search = this.#find(again, () => this.#search === search);
    this.#search = search;
    return search;
  }

  async #find(again: boolean, isCurrent: () => boolean): Promise<CodexBinary> {
    // What was missing stays on screen as missing while it is looked for again.
    if (again || this.#tried.length === 0) this.#changed({ state: "searching" });
    const { variables } = await this.#read(again);
    const result = await this.#finder.find({ setting: this.#setting(), env: variables });
    const file = result.found ? await binaryFile(result.binary) : null;
    if (!isCurrent()) return this.#search ?? this.#begin(false);
    const tried = result.tried.map(triedView);
    this.#tried = tried;
    this.#file = file;
    if (!result.found) {
      this.#failedAtMs = this.#clock.nowMs();
      this.#changed({ state: "missing", fault: toFaultView(result.fault), tried });
      throw result.fault;
    }
    const { binary } = result;
    const origin = originWords[binary.origin];
    this.#changed({ state: "found", path: binary.path, version: binary.version ?? "unknown", origin, tried });
    return binary;
  }
}

function triedView(attempt: CodexAttempt): TriedPlace {
  return { origin: originWords[attempt.origin], place: attempt.place, outcome: attempt.outcome };
}

/** A script that node runs is what changes, not node. */
export async function binaryFile({ path, argsPrefix }: Pick<CodexBinary, "path" | "argsPrefix">) {
  const file = argsPrefix[0] ?? path;
  try {
    const { size, mtimeMs, ino } = await stat(file);
    return { path: file, bytes: size, modifiedAtMs: mtimeMs, inode: ino } satisfies BinaryFile;
  } catch {
    // It has gone, or may not be looked at: nothing is said about it.
    return null;
  }
}
