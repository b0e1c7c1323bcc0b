// Which codex is used, and with what environment. Searched once and remembered; searched again when a person asks or
// chooses another. What was tried is shown when nothing works.
//
// Race: a search under way when the setting changes: its result is dropped, and everybody waits for the newer search.

import type { CodexView } from "../../preload/contract/app";
import type { CodexAttempt, CodexBinary, CodexFinder, CodexOrigin } from "../codex/findCodex";
import type { LoginEnvironmentReader } from "../codex/loginEnvironment";
import { toFaultView } from "../faultView";

const originWords: Record<CodexOrigin, string> = {
  environment: "HOLDFAST_CODEX",
  setting: "Settings",
  loginPath: "PATH of the login shell",
  wellKnownFolder: "a usual folder",
  bundled: "comes with Holdfast",
};

export class CodexLocator {
  readonly #finder: CodexFinder;
  readonly #environment: LoginEnvironmentReader;
  readonly #setting: () => string | null;
  readonly #changed: (view: CodexView) => void;
  #search: Promise<CodexBinary> | null = null;

  constructor(options: {
    finder: CodexFinder;
    environment: LoginEnvironmentReader;
    setting(): string | null;
    changed(view: CodexView): void;
  }) {
    this.#finder = options.finder;
    this.#environment = options.environment;
    this.#setting = options.setting;
    this.#changed = options.changed;
  }

  /** Rejects with the Fault that says why there is none. */
  binary(): Promise<CodexBinary> {
    this.#search ??= this.#find(false);
    return this.#search;
  }

  async variables(): Promise<Record<string, string>> {
    return (await this.#environment.read()).variables;
  }

  /** Searches anew. Returns what was tried; the outcome is in the view. */
  async recheck(): Promise<{ origin: string; place: string; outcome: string }[]> {
    const search = this.#find(true);
    this.#search = search;
    await search.catch(() => undefined);
    return this.#tried;
  }

  #tried: { origin: string; place: string; outcome: string }[] = [];

  async #find(again: boolean): Promise<CodexBinary> {
    this.#changed({ state: "searching" });
    const { variables } = await this.#environment.read({ again });
    const result = await this.#finder.find({ setting: this.#setting(), env: variables });
    const tried = result.tried.map(triedView);
    this.#tried = tried;
    if (!result.found) {
      this.#changed({ state: "missing", fault: toFaultView(result.fault), tried });
      // The next need searches again: the person may have installed it meanwhile.
      this.#search = null;
      throw result.fault;
    }
    const { binary } = result;
    const origin = originWords[binary.origin];
    this.#changed({ state: "found", path: binary.path, version: binary.version ?? "unknown", origin, tried });
    return binary;
  }
}

function triedView(attempt: CodexAttempt): { origin: string; place: string; outcome: string } {
  return { origin: originWords[attempt.origin], place: attempt.place, outcome: attempt.outcome };
}
