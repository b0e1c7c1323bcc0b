// For tests: diagnostics in which every text is one that a test chooses.

import type { EnvironmentView } from "../../../preload/contract/environments";
import { defaultSettings } from "../../../preload/contract/settings";
import type { TerminalRow } from "../../../preload/contract/terminals";
import type { RawDiagnostics } from "./rawDiagnostics";

/** `text` gives each field its text. What is a name of Holdfast's own (a state, a kind) is none of its business. */
export function diagnosticsOf(text: () => string): RawDiagnostics {
  const fault = () => ({
    code: "codex_error",
    message: text(),
    hint: text(),
    detail: text(),
    retryable: true,
  });
  const environment: EnvironmentView = {
    environmentId: text(),
    name: text(),
    registry: { kind: "command", command: text(), args: [text()] },
    tokens: [],
    connection: { state: "not connected", fault: fault() },
    info: { version: text(), platform: text(), shell: text(), folder: text(), home: text() },
    check: { atMs: 3, latencyMs: null, fault: fault() },
    refreshing: false,
    server: { state: "running", pid: 77, startedAtMs: 1, fault: null, hasLog: true },
  };
  const terminal: TerminalRow = {
    terminalId: text(),
    place: { kind: "environment", environmentId: text() },
    command: text(),
    name: text(),
    title: text(),
    cwd: text(),
    state: "failed",
    exitCode: null,
    ending: false,
    fault: fault(),
    startedAtMs: 1,
    endedAtMs: null,
    columns: 80,
    rows: 24,
    resizable: false,
  };
  return {
    takenAtMs: 1_772_352_000_000,
    versions: { Holdfast: text(), Electron: "39.2.7", Nothing: undefined },
    main: {
      pid: 4711,
      startedAtMs: 1,
      residentBytes: 137_000_000,
      home: text(),
      startedFromTerminal: false,
      variables: { HTTPS_PROXY: text(), OPENAI_API_KEY: text(), HOLDFAST_HOME: text() },
    },
    codex: { state: "missing", fault: fault(), tried: [{ origin: "PATH", place: text(), outcome: text() }] },
    binary: {
      value: { found: { path: text(), bytes: 10, modifiedAtMs: 1, inode: 1 }, now: null },
    },
    login: {
      kind: "failed",
      shell: text(),
      tookMs: 5_000,
      why: text(),
      failures: [text()],
      path: text(),
      names: 40,
    },
    account: { state: "signed out" },
    sessions: {
      value: [
        {
          workspace: text(),
          state: "live",
          fault: text(),
          process: {
            handleId: text(),
            pid: 815,
            startedAtMs: 1,
            codexVersion: text(),
            codexHome: text(),
            endsWithApp: false,
            residentBytes: null,
            socket: { path: text(), mode: 0o600 },
            logPath: text(),
          },
          gauges: [{ name: text(), value: 3 }],
        },
      ],
    },
    handles: {
      value: [
        {
          handleId: text(),
          profileId: "watchdog",
          state: "running",
          logPath: text(),
          startedAtMs: 1,
          intendedAtMs: 1,
          workspaceId: text(),
          pid: 816,
          command: text(),
          alive: true,
          residentBytes: 26_000_000,
        },
      ],
    },
    cleanups: [
      {
        id: text(),
        title: text(),
        reason: text(),
        workspaceId: null,
        sinceMs: 1,
        attempts: 3,
        lastAttemptAtMs: 2,
        fault: fault(),
        nextAttemptAtMs: 3,
        trying: false,
        hasLog: true,
      },
    ],
    threads: {
      value: [
        {
          threadId: text(),
          workspaceId: text(),
          state: "running",
          residency: "loaded",
          subscribers: 2,
          turns: 5,
        },
      ],
    },
    environments: [environment],
    terminals: [terminal],
    ledger: {
      value: {
        path: text(),
        bytes: 100_000,
        walBytes: 0,
        version: 5,
        tables: [{ name: text(), rows: 3 }],
      },
    },
    ledgerCheck: { atMs: 1, tookMs: 2, problems: [text()] },
    windows: [{ id: text(), state: "shown", page: "codex", workspaceId: text() }],
    resources: {
      value: {
        openFiles: 60,
        active: { [text()]: 1 },
        subscribers: 2,
        allowed: [{ name: "Max open files", value: text() }],
      },
    },
    limits: [{ name: "Sessions at once", value: text() }],
    settings: { ...defaultSettings, codexPath: text(), localModel: { provider: "ollama", model: text() } },
    log: {
      value: {
        path: text(),
        bytes: 10,
        problems: [{ at: text(), level: "error", text: text() }],
        more: 3,
      },
    },
    folders: {
      atMs: 1,
      sizes: [{ name: text(), path: text(), bytes: 5_000, files: 2, incomplete: true }],
    },
  };
}
