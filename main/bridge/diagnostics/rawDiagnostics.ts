// What is gathered about this Holdfast, before it is put into words. It may hold anything: only the words, which
// sections.ts makes of it, leave main.

import type { AppState, CleanupView, CodexView } from "../../../preload/contract/app";
import type { EnvironmentView } from "../../../preload/contract/environments";
import type { Settings } from "../../../preload/contract/settings";
import type { TerminalRow } from "../../../preload/contract/terminals";
import type { HandleRecord } from "../../ledger/handlesLedger";
import type { BinaryFile } from "../codexLocator";

/** A part that could not be found out does not take the others with it. */
export type Part<Value> = { value: Value } | { failed: string };

export interface SessionFacts {
  workspace: string;
  state: string;
  fault: string | null;
  process: {
    handleId: string;
    pid: number;
    startedAtMs: number;
    codexVersion: string;
    codexHome: string;
    endsWithApp: boolean;
    /** Null: not known here. */
    residentBytes: number | null;
    socket: { path: string; mode: number | null } | null;
    logPath: string | null;
  } | null;
  /** What codex counts of itself. Null: it was not asked, or did not say. */
  gauges: { name: string; value: number }[] | null;
}

export interface HandleFacts
  extends Pick<
    HandleRecord,
    "handleId" | "profileId" | "state" | "logPath" | "startedAtMs" | "intendedAtMs"
  > {
  workspaceId: string;
  pid: number | null;
  command: string;
  alive: boolean | null;
  residentBytes: number | null;
}

export interface ThreadFacts {
  threadId: string;
  workspaceId: string;
  state: string;
  residency: string;
  subscribers: number;
  turns: number;
}

export interface WindowFacts {
  id: string;
  state: string;
  page: string;
  workspaceId: string | null;
}

export interface LogProblem {
  at: string;
  level: "warn" | "error";
  text: string;
}

export interface FolderSize {
  name: string;
  path: string;
  bytes: number;
  files: number;
  /** There was more than is counted, or some of it could not be looked at. */
  incomplete: boolean;
}

export interface RawDiagnostics {
  takenAtMs: number;
  versions: Record<string, string | undefined>;
  main: {
    pid: number;
    startedAtMs: number;
    residentBytes: number;
    home: string;
    startedFromTerminal: boolean;
    variables: Record<string, string>;
  };
  codex: CodexView;
  binary: Part<{ found: BinaryFile | null; now: BinaryFile | null }>;
  login: {
    kind: "login" | "own" | "failed" | "unknown";
    shell: string | null;
    tookMs: number | null;
    why: string | null;
    failures: string[];
    path: string | null;
    names: number;
  };
  account: AppState["account"];
  sessions: Part<SessionFacts[]>;
  handles: Part<HandleFacts[]>;
  cleanups: CleanupView[];
  threads: Part<ThreadFacts[]>;
  environments: EnvironmentView[];
  terminals: TerminalRow[];
  ledger: Part<{
    path: string;
    bytes: number;
    walBytes: number;
    version: number;
    tables: { name: string; rows: number }[];
  }>;
  ledgerCheck: { atMs: number; tookMs: number; problems: string[] } | null;
  windows: WindowFacts[];
  resources: Part<{
    openFiles: number | null;
    active: Record<string, number>;
    subscribers: number;
    allowed: { name: string; value: string }[];
  }>;
  limits: { name: string; value: string }[];
  settings: Settings;
  log: Part<{ path: string; bytes: number; problems: LogProblem[]; more: number }>;
  folders: { atMs: number; sizes: FolderSize[] } | null;
}
