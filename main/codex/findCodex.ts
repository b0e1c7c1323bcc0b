// Finds the codex binary, and says in words what was tried.
//
// The order: HOLDFAST_CODEX, the person's setting, the login shell's PATH, the folders of known installers, the binary that
// comes with the app. The first two are a person's explicit wish: when they do not work, that is the answer, and no other
// binary is taken in their place. Nothing about the search is remembered, so that a corrected setting or a new install
// counts at once; only versions are, for as long as the file stays the same.

import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import type { Clock } from "../clock";
import { Fault } from "../fault";
import {
  bundledBinary,
  type CommandFile,
  inspectCommand,
  isExecutable,
  isFile,
  nativeBinaryOfShim,
  type Platform,
} from "./codexPackage";
import { VersionChecker } from "./codexVersion";
import { wellKnownFolders } from "./wellKnownFolders";

export type CodexOrigin = "environment" | "setting" | "loginPath" | "wellKnownFolder" | "bundled";

export interface CodexBinary {
  /** What to spawn, with `argsPrefix` before all other arguments. */
  path: string;
  argsPrefix: string[];
  origin: CodexOrigin;
  /** Null when it runs but does not say. */
  version: string | null;
}

export interface CodexAttempt {
  origin: CodexOrigin;
  /** A path, or what stands in for one, such as "PATH". */
  place: string;
  /** In words, to be read after the place. */
  outcome: string;
}

export type CodexSearch =
  | { found: true; binary: CodexBinary; tried: CodexAttempt[] }
  | { found: false; fault: Fault; tried: CodexAttempt[] };

export interface CodexSearchRequest {
  /** The path in the settings; null or blank when none is set. */
  setting: string | null;
  /** The login environment: its PATH is searched, and the binary is asked for its version in it. */
  env: Record<string, string | undefined>;
}

export interface CodexFinderOptions {
  clock: Clock;
  /** HOLDFAST_CODEX as Holdfast was given it. */
  environmentPath: string | undefined;
  homeFolder: string;
  /** The folder whose `node_modules` has the binary that comes with the app; null when none does. */
  bundledRoot: string | null;
  platform?: Platform;
  /** For HOLDFAST_CODEX, which may be relative. */
  workingFolder?: string;
  /** Replaces the folders of known installers. */
  knownFolders?: (request: CodexSearchRequest) => Promise<string[]>;
  versionDeadlineMs?: number;
}

export interface CodexFinder {
  /** Never rejects. Bounded: 5 s for each binary that is asked for its version. */
  find(request: CodexSearchRequest): Promise<CodexSearch>;
  /** Whether this path, given as for the setting, is a codex that can be started, and if not, why. */
  check(request: {
    path: string;
    env: CodexSearchRequest["env"];
  }): Promise<{ usable: boolean; outcome: string; version: string | null }>;
}

export function createCodexFinder(options: CodexFinderOptions): CodexFinder {
  const versions = new VersionChecker(options.clock, options.versionDeadlineMs);
  return {
    find: (request) => new Search(options, request, versions).run(),
    check: ({ path, env }) => new Search(options, { setting: path, env }, versions).check(),
  };
}

type Examined =
  | { usable: true; binary: CodexBinary; outcome: string }
  | { usable: false; missing: boolean; outcome: string };

class Search {
  readonly #options: CodexFinderOptions;
  readonly #request: CodexSearchRequest;
  readonly #versions: VersionChecker;
  readonly #platform: Platform;
  readonly #tried: CodexAttempt[] = [];

  constructor(options: CodexFinderOptions, request: CodexSearchRequest, versions: VersionChecker) {
    this.#options = options;
    this.#request = request;
    this.#versions = versions;
    this.#platform = options.platform ?? process;
  }

  async check(): Promise<{ usable: boolean; outcome: string; version: string | null }> {
    const path = this.#fromSetting();
    if (path === null) return { usable: false, outcome: "is empty", version: null };
    if (!isAbsolute(path)) return { usable: false, outcome: "is not a full path", version: null };
    const examined = await this.#examine("setting", path);
    const version = examined.usable ? examined.binary.version : null;
    return { usable: examined.usable, outcome: examined.outcome, version };
  }

  /** As it is meant: without quotes around it, and with ~ for the home folder. */
  #fromSetting(): string | null {
    const given = this.#request.setting?.trim().replace(/^(["'])(.*)\1$/, "$2");
    return given ? given.replace(/^~(?=$|[\\/])/, () => this.#options.homeFolder) : null;
  }

  async run(): Promise<CodexSearch> {
    const fromEnvironment = this.#options.environmentPath?.trim();
    if (fromEnvironment) {
      const path = resolve(this.#options.workingFolder ?? process.cwd(), fromEnvironment);
      return this.#explicit(
        "environment",
        path,
        "HOLDFAST_CODEX",
        "Correct HOLDFAST_CODEX or start Holdfast without it.",
      );
    }
    const path = this.#fromSetting();
    if (path !== null) {
      const hint = "Correct the path in Settings, or clear it to let Holdfast look for codex itself.";
      return this.#explicit("setting", path, "the path of codex in Settings", hint);
    }
    return (
      (await this.#onPath()) ?? (await this.#inKnownFolders()) ?? (await this.#bundled()) ?? this.#nothing()
    );
  }

  async #explicit(origin: CodexOrigin, path: string, name: string, hint: string): Promise<CodexSearch> {
    const examined: Examined = isAbsolute(path)
      ? await this.#examine(origin, path)
      : { usable: false, missing: false, outcome: "is not a full path" };
    this.#tried.push({ origin, place: path, outcome: examined.outcome });
    if (examined.usable) return { found: true, binary: examined.binary, tried: this.#tried };
    const fault = new Fault(
      "codex_unusable",
      `codex cannot be started: ${name} is ${path}, which ${examined.outcome}.`,
      {
        hint,
        retryable: true,
      },
    );
    return { found: false, fault, tried: this.#tried };
  }

  async #onPath(): Promise<CodexSearch | null> {
    // A relative entry would mean whatever folder we happen to be in.
    const folders = (pathVariable(this.#request.env) ?? "").split(delimiter).filter(isAbsolute);
    if (folders.length === 0) {
      this.#tried.push({ origin: "loginPath", place: "PATH", outcome: "is empty" });
      return null;
    }
    const found = await this.#inFolders("loginPath", folders);
    if (found === null && !this.#tried.some((attempt) => attempt.origin === "loginPath")) {
      this.#tried.push({ origin: "loginPath", place: folders.join(delimiter), outcome: "have no codex" });
    }
    return found;
  }

  async #inKnownFolders(): Promise<CodexSearch | null> {
    const folders = await (this.#options.knownFolders ?? this.#installerFolders)(this.#request);
    const found = await this.#inFolders("wellKnownFolder", folders);
    if (found === null && !this.#tried.some((attempt) => attempt.origin === "wellKnownFolder")) {
      const place = folders.join(delimiter);
      this.#tried.push({ origin: "wellKnownFolder", place, outcome: "have no codex" });
    }
    return found;
  }

  readonly #installerFolders = ({ env }: CodexSearchRequest) =>
    wellKnownFolders({ platform: this.#platform.platform, homeFolder: this.#options.homeFolder, env });

  /** Takes the first one that works; what does not work is recorded and passed over. */
  async #inFolders(origin: CodexOrigin, folders: string[]): Promise<CodexSearch | null> {
    // On Windows the program itself before what starts it; PATHEXT is not asked, since without a shell it means nothing.
    const names = this.#platform.platform === "win32" ? ["codex.exe", "codex.cmd"] : ["codex"];
    for (const folder of new Set(folders)) {
      for (const name of names) {
        const place = join(folder, name);
        if (this.#tried.some((attempt) => attempt.place === place)) continue;
        const examined = await this.#examine(origin, place);
        if (!examined.usable && examined.missing) continue;
        this.#tried.push({ origin, place, outcome: examined.outcome });
        if (examined.usable) return { found: true, binary: examined.binary, tried: this.#tried };
      }
    }
    return null;
  }

  async #bundled(): Promise<CodexSearch | null> {
    const root = this.#options.bundledRoot;
    const path = root === null ? null : await bundledBinary(root, this.#platform);
    if (path === null) {
      const target = `${this.#platform.platform}-${this.#platform.arch}`;
      const outcome = `does not come with a codex for ${target}`;
      this.#tried.push({ origin: "bundled", place: root ?? "this copy of Holdfast", outcome });
      return null;
    }
    const examined = await this.#examine("bundled", path);
    this.#tried.push({ origin: "bundled", place: path, outcome: examined.outcome });
    return examined.usable ? { found: true, binary: examined.binary, tried: this.#tried } : null;
  }

  #nothing(): CodexSearch {
    const fault = new Fault("codex_not_found", "No codex that can be started was found on this computer.", {
      hint: "Install codex (npm install -g @openai/codex), or give its full path in Settings.",
      detail: this.#tried.map(({ place, outcome }) => `${place} ${outcome}`).join("\n"),
      retryable: true,
    });
    return { found: false, fault, tried: this.#tried };
  }

  async #examine(origin: CodexOrigin, path: string): Promise<Examined> {
    if (!(await isFile(path)))
      return { usable: false, missing: true, outcome: "does not exist or is not a file" };
    let file: CommandFile;
    try {
      file = await inspectCommand(path);
    } catch (error) {
      return {
        usable: false,
        missing: false,
        outcome: `cannot be read (${(error as NodeJS.ErrnoException).code})`,
      };
    }
    const command = await this.#commandFor(path, file);
    if ("problem" in command) return { usable: false, missing: false, outcome: command.problem };

    const answer = await this.#versions.ask({ ...command, env: this.#request.env });
    const instead =
      command.path === path ? "" : `, started as ${[command.path, ...command.argsPrefix].join(" ")}`;
    const binary = (version: string | null): CodexBinary => ({ ...command, origin, version });
    switch (answer.kind) {
      case "answered": {
        const outcome =
          answer.version === null
            ? "is used; it does not say which version it is"
            : `is codex ${answer.version}`;
        return { usable: true, binary: binary(answer.version), outcome: `${outcome}${instead}` };
      }
      case "slow":
        // A person's own choice may take its time (a wrapper that first sets something up); nobody else is waited for.
        if (origin === "environment" || origin === "setting") {
          return { usable: true, binary: binary(null), outcome: `is used, but ${answer.why}${instead}` };
        }
        return { usable: false, missing: false, outcome: `${answer.why}${instead}` };
      case "unusable":
        return { usable: false, missing: false, outcome: `${answer.why}${instead}` };
      default:
        return answer satisfies never;
    }
  }

  async #commandFor(
    path: string,
    file: CommandFile,
  ): Promise<{ path: string; argsPrefix: string[] } | { problem: string }> {
    if (file.kind === "npmShim") {
      const native = await nativeBinaryOfShim(file.script, this.#platform);
      if (native !== null) return { path: native, argsPrefix: [] };
    }
    if (file.kind === "npmShim" || file.kind === "nodeScript") {
      const node = await this.#nodeFor(path);
      if (node === null)
        return { problem: "is a script for Node.js, and there is no node beside it or on the PATH" };
      return { path: node, argsPrefix: [file.script] };
    }
    if (this.#platform.platform === "win32" && /\.(cmd|bat|ps1)$/i.test(path)) {
      return {
        problem: `is a batch file that does not belong to codex's npm package; give the path of codex.exe instead`,
      };
    }
    if (!(await isExecutable(path))) return { problem: "may not be executed (its permissions forbid it)" };
    return { path, argsPrefix: [] };
  }

  /** The node beside the script, as nvm and the like install it, else the one on the PATH. */
  async #nodeFor(script: string): Promise<string | null> {
    const name = this.#platform.platform === "win32" ? "node.exe" : "node";
    const onPath = (pathVariable(this.#request.env) ?? "").split(delimiter);
    for (const folder of [dirname(script), ...onPath]) {
      const candidate = join(folder, name);
      if (isAbsolute(candidate) && (await isFile(candidate)) && (await isExecutable(candidate)))
        return candidate;
    }
    return null;
  }
}

/** Windows spells it "Path". */
function pathVariable(env: Record<string, string | undefined>): string | undefined {
  return env.PATH ?? Object.entries(env).find(([name]) => name.toUpperCase() === "PATH")?.[1];
}
