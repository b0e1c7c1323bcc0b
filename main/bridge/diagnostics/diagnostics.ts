// Gathers what Holdfast knows about itself. It looks at every part and changes none; each look that waits for something has a
// deadline, and one that fails or takes too long is said as that, in its place.
//
// Race: two windows ask at once: each gets what it asked for; a measurement of folders that is under way is shared.

import { constants } from "node:fs";
import { lstat, open, realpath, stat } from "node:fs/promises";
import { release, version as systemVersion, totalmem } from "node:os";
import type { DiagnosticSection } from "../../../preload/contract/diagnostics";
import { steadyClock } from "../../clock";
import { asFault } from "../../fault";
import type { HandleRecord } from "../../ledger/handlesLedger";
import type { Connection } from "../../supervisor/connection";
import { keptLogs } from "../../supervisor/oldLogs";
import { processStartTime } from "../../supervisor/processTree";
import type { SessionState } from "../../supervisor/sessionState";
import { mostLive } from "../../terminals/terminals";
import { type BinaryFile, binaryFile } from "../codexLocator";
import type { Core } from "../core";
import type { Redact } from "../sharing";
import { mostServers } from "../supervision";
import { lobbyId } from "../workspaceSessions";
import { folderSizes } from "./folderSizes";
import { logProblems } from "./logProblems";
import { asMarkdown } from "./markdown";
import { allowed, openFiles, residentBytes } from "./proc";
import type { HandleFacts, Part, RawDiagnostics, SessionFacts, WindowFacts } from "./rawDiagnostics";
import { timeWords } from "./section";
import { diagnosticSections } from "./sections";

export interface DiagnosticsOptions {
  core: Core;
  home: { path: string; logs: string; mainLog: string };
  environment: Readonly<Record<string, string | undefined>>;
  startedFromTerminal: boolean;
  windows(): WindowFacts[];
  redact: Redact;
}

const partDeadlineMs = 5_000;
const gaugesDeadlineMs = 2_000;
const measureDeadlineMs = 60_000;
const logTailBytes = 1024 * 1024;

export class Diagnostics {
  readonly #options: DiagnosticsOptions;
  readonly #startedAtMs: number;
  #folders: RawDiagnostics["folders"] = null;
  #measuring: Promise<void> | null = null;
  #ledgerCheck: RawDiagnostics["ledgerCheck"] = null;

  constructor(options: DiagnosticsOptions) {
    this.#options = options;
    this.#startedAtMs = options.core.clock.nowMs();
  }

  async read(): Promise<{ takenAtMs: number; sections: DiagnosticSection[] }> {
    const raw = await this.#gather();
    return { takenAtMs: raw.takenAtMs, sections: diagnosticSections(raw, this.#options.redact) };
  }

  async text(): Promise<string> {
    const { takenAtMs, sections } = await this.read();
    return asMarkdown(sections, timeWords(takenAtMs));
  }

  /** Never rejects: what could not be looked at is said in the sums. */
  measureFolders(): Promise<void> {
    this.#measuring ??= this.#measure().finally(() => {
      this.#measuring = null;
    });
    return this.#measuring;
  }

  /** Throws a Fault when the ledger cannot be read at all. */
  checkLedger(): boolean {
    const { core } = this.#options;
    const beganMs = steadyClock.nowMs();
    const problems = core.ledger.check();
    this.#ledgerCheck = { atMs: core.clock.nowMs(), tookMs: steadyClock.nowMs() - beganMs, problems };
    return problems.length === 0;
  }

  async #measure(): Promise<void> {
    const { core, home } = this.#options;
    const stop = new AbortController();
    const timer = core.clock.after(measureDeadlineMs, () => stop.abort());
    const sizes = await folderSizes(home.path, { signal: stop.signal });
    timer.cancel();
    this.#folders = { atMs: core.clock.nowMs(), sizes };
  }

  async #gather(): Promise<RawDiagnostics> {
    const { core, home, windows } = this.#options;
    const { state } = core.app;
    const [sessions, handles, binary, ledger, resources, log] = await Promise.all([
      this.#part(() => this.#sessions()),
      this.#part(() => this.#handles()),
      this.#part(() => this.#binary()),
      this.#part(() => this.#ledger()),
      this.#part(() => this.#resources()),
      this.#part(() => this.#log()),
    ]);
    const threads = await this.#part(async () => this.#threads());
    return {
      takenAtMs: core.clock.nowMs(),
      versions: {
        Holdfast: state.version,
        Electron: process.versions.electron,
        Chromium: process.versions.chrome,
        "Node.js": process.versions.node,
        System: `${process.platform} ${process.arch}, ${release()}, ${systemVersion()}`,
        "Memory of the machine": `${Math.round(totalmem() / 1e6)} MB`,
      },
      main: {
        pid: process.pid,
        startedAtMs: this.#startedAtMs,
        residentBytes: process.memoryUsage.rss(),
        home: home.path,
        startedFromTerminal: this.#options.startedFromTerminal,
        variables: variablesThatMatter(this.#options.environment),
      },
      codex: state.codex,
      binary,
      login: this.#login(),
      account: state.account,
      sessions,
      handles,
      cleanups: state.cleanups,
      threads,
      environments: state.environments,
      terminals: state.terminals,
      ledger,
      ledgerCheck: this.#ledgerCheck,
      windows: windows(),
      resources,
      limits: this.#limits(),
      settings: state.settings,
      log,
      folders: this.#folders,
    };
  }

  async #part<Value>(find: () => Promise<Value>): Promise<Part<Value>> {
    const { clock } = this.#options.core;
    let late: () => void = () => {};
    const tooLate = new Promise<Part<Value>>((resolve) => {
      late = () => resolve({ failed: `there was no answer within ${partDeadlineMs / 1000} s` });
    });
    const timer = clock.after(partDeadlineMs, () => late());
    try {
      // What comes of it after the deadline is nobody's.
      const found = find().then(
        (value): Part<Value> => ({ value }),
        (error: unknown): Part<Value> => ({ failed: asFault(error).message }),
      );
      return await Promise.race([found, tooLate]);
    } finally {
      timer.cancel();
    }
  }

  async #sessions(): Promise<SessionFacts[]> {
    const { core } = this.#options;
    const places = [
      ...core.workspaces.list().map(({ id, path }) => ({ id, workspace: `${id}  ${path}` })),
      { id: lobbyId, workspace: "no workspace (for the account)" },
    ];
    const handles = new Map(core.ledger.handles.listNotGone().map((handle) => [handle.handleId, handle]));
    const sessions = await Promise.all(
      places.map(async ({ id, workspace }) => {
        const state = core.sessions.state(id);
        if (state === null) return id === lobbyId ? null : never(workspace);
        return this.#session(workspace, state, core.sessions.connection(id), handles);
      }),
    );
    return sessions.filter((session) => session !== null);
  }

  async #session(
    workspace: string,
    state: SessionState,
    connection: Connection | null,
    handles: ReadonlyMap<string, HandleRecord>,
  ): Promise<SessionFacts> {
    const facts = "facts" in state ? state.facts : null;
    const fault = "fault" in state ? state.fault : null;
    const handle = facts ? handles.get(facts.handleId) : undefined;
    const channel = handle?.channel;
    const counted = connection && (await gaugesOf(connection));
    return {
      workspace,
      state: state.phase,
      fault: fault && `${fault.code}: ${fault.message}`,
      process: facts && {
        handleId: facts.handleId,
        pid: facts.pid,
        startedAtMs: facts.startedAtMs,
        codexVersion: facts.codexVersion,
        codexHome: facts.codexHome,
        endsWithApp: facts.endsWithApp,
        residentBytes: (await residentBytes(facts.pid)) ?? counted?.residentBytes ?? null,
        socket: channel?.kind === "socket" ? { path: channel.path, mode: await modeOf(channel.path) } : null,
        logPath: handle?.logPath ?? null,
      },
      gauges: counted?.gauges ?? null,
    };
  }

  async #handles(): Promise<HandleFacts[]> {
    const { handles } = this.#options.core.ledger;
    return Promise.all(
      handles.listNotGone().map(async (handle) => {
        const { handleId, profileId, state, logPath, startedAtMs, intendedAtMs, workspaceId } = handle;
        const { facts, command } = handle;
        return {
          handleId,
          profileId,
          state,
          logPath,
          startedAtMs,
          intendedAtMs,
          workspaceId,
          pid: facts?.pid ?? null,
          command: [command.file, ...command.args].join(" "),
          alive: facts && processStartTime(facts.pid) === facts.startTime,
          residentBytes: facts && (await residentBytes(facts.pid)),
        };
      }),
    );
  }

  #threads() {
    return this.#options.core.threads.all.map(({ key, threadId, workspaceId, state }) => ({
      threadId: threadId ?? key,
      workspaceId,
      state: state.head.state,
      residency: state.facts.residency,
      subscribers: state.watchers,
      turns: state.transcript.turns.length,
    }));
  }

  async #binary(): Promise<{ found: BinaryFile | null; now: BinaryFile | null }> {
    const found = this.#options.core.locator.foundFile;
    return { found, now: found && (await binaryFile({ path: found.path, argsPrefix: [] })) };
  }

  async #ledger() {
    const { ledger } = this.#options.core;
    const [file, log] = await Promise.all([
      stat(ledger.path),
      // It is there while something was written that is not in the file itself yet.
      stat(`${ledger.path}-wal`).catch(() => null),
    ]);
    return { path: ledger.path, bytes: file.size, walBytes: log?.size ?? 0, ...ledger.contents() };
  }

  async #resources() {
    const active: Record<string, number> = {};
    for (const kind of process.getActiveResourcesInfo()) active[kind] = (active[kind] ?? 0) + 1;
    return {
      openFiles: await openFiles(),
      active,
      subscribers: this.#options.core.app.listeners,
      allowed: await allowed(),
    };
  }

  async #log() {
    const { mainLog: path } = this.#options.home;
    const file = await open(path, constants.O_RDONLY);
    try {
      const { size } = await file.stat();
      const length = Math.min(size, logTailBytes);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
      return { path, bytes: size, ...logProblems(buffer.toString("utf8", 0, bytesRead)) };
    } finally {
      await file.close();
    }
  }

  #login(): RawDiagnostics["login"] {
    const known = this.#options.core.locator.loginEnvironment;
    const nothing = { shell: null, tookMs: null, why: null, failures: [], path: null, names: 0 };
    if (known === null) return { ...nothing, kind: "unknown" };
    const said = {
      ...nothing,
      kind: known.kind,
      path: known.variables.PATH ?? known.variables.Path ?? null,
      names: Object.keys(known.variables).length,
    };
    switch (known.kind) {
      case "login":
        return {
          ...said,
          shell: `${known.shell} ${known.flags}`,
          tookMs: known.tookMs,
          failures: known.failures,
        };
      case "failed":
        return { ...said, tookMs: known.tookMs, failures: known.failures };
      case "own":
        return {
          ...said,
          why:
            known.why === "terminal"
              ? "a terminal has given Holdfast its environment"
              : "there is no login shell on Windows",
        };
      default:
        return known satisfies never;
    }
  }

  #limits(): RawDiagnostics["limits"] {
    const { settings } = this.#options.core;
    const minutes = (value: number | null) =>
      value === null ? "as codex is configured" : `${value} minutes`;
    return [
      { name: "Sessions at once", value: String(mostServers) },
      { name: "Terminals that run at once", value: String(mostLive) },
      { name: "Logs of ended processes that are kept", value: String(keptLogs) },
      { name: "A thread that nobody shows is unloaded after", value: minutes(settings.threadUnloadMinutes) },
      { name: "A session that nothing needs is closed after", value: minutes(settings.sessionIdleMinutes) },
      { name: "A codex without Holdfast is ended after", value: minutes(settings.unattendedMinutes) },
    ];
  }
}

function never(workspace: string): SessionFacts {
  return { workspace, state: "not started", fault: null, process: null, gauges: null };
}

/** Null: this codex does not say, or not now. That is no fault of the session. */
async function gaugesOf({ client }: Connection): Promise<{
  gauges: { name: string; value: number }[];
  residentBytes: number | null;
} | null> {
  try {
    const { gauges, process: own } = await client.request(
      "server/diagnostics",
      {},
      { deadlineMs: gaugesDeadlineMs },
    );
    return { gauges, residentBytes: own.residentMemoryBytes };
  } catch {
    return null;
  }
}

/** codex makes a link of its path: what that leads to is what others could open. */
async function modeOf(path: string): Promise<number | null> {
  if (process.platform === "win32") return null;
  try {
    return (await lstat(await realpath(path))).mode & 0o7777;
  } catch {
    // It is not there (yet, or any more).
    return null;
  }
}

const namesThatMatter =
  /^(?:HOLDFAST_|CODEX_|OPENAI_|ELECTRON_|XDG_CONFIG_HOME$|SHELL$|LANG$|TMPDIR$|DISPLAY$|WAYLAND_DISPLAY$|(?:HTTPS?|ALL|NO)_PROXY$)/i;

function variablesThatMatter(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const those = Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && namesThatMatter.test(name) ? [[name, value] as const] : [],
  );
  return Object.fromEntries(those.sort(([a], [b]) => a.localeCompare(b, "en")));
}
