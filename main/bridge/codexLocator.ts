// Which codex is used, and with what environment. Searched once and remembered; searched again when a person asks or
// chooses another. What was tried is shown when nothing works.
//
// Races settled here:
// - A search under way when the setting changes: its result is dropped, and everybody waits for the newer search.
// - Many ask at once, at the start: one search for all. Its failure is the answer for a moment, so that one missing codex
//   is not looked for once for each session; after that the next need looks again, quietly, since it may be there now.

import type { CodexView, TriedPlace } from "../../preload/contract/app";
import type { Clock } from "../clock";
import type { CodexAttempt, CodexBinary, CodexFinder, CodexOrigin } from "../codex/findCodex";
import type { LoginEnvironmentReader } from "../codex/loginEnvironment";
import { toFaultView } from "../faultView";

/** How long a failed search is the answer to everybody who asks. */
const failureHoldsMs = 3_000;

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
    return (await this.#environment.read()).variables;
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

  #begin(again: boolean): Promise<CodexBinary> {
    this.#failedAtMs = 0;
    const search = this.#find(again, () => this.#search === search);
    this.#search = search;
    return search;
  }

  async #find(again: boolean, isCurrent: () => boolean): Promise<CodexBinary> {
    // What was missing stays on screen as missing while it is looked for again.
    if (again || this.#tried.length === 0) this.#changed({ state: "searching" });
    const { variables } = await this.#environment.read({ again });
    const result = await this.#finder.find({ setting: this.#setting(), env: variables });
    if (!isCurrent()) return this.#search ?? this.#begin(false);
    const tried = result.tried.map(triedView);
    this.#tried = tried;
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
