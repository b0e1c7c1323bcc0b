// What the fake codex is told to do, and what it tells back: for tests that need a codex that misbehaves.
//
// A fake is a folder of its own: its scenario, its log, its gates and its CODEX_HOME. Several processes of one fake (a restart)
// share them, so its threads are there again, and the log has all of them.

import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { systemClock } from "../../../main/clock";
import type { MessagePhase } from "../../../main/codex/protocol/MessagePhase";
import type { CodexErrorInfo } from "../../../main/codex/protocol/v2/CodexErrorInfo";
import type { FileUpdateChange } from "../../../main/codex/protocol/v2/FileUpdateChange";
import type { TurnPlanStep } from "../../../main/codex/protocol/v2/TurnPlanStep";

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

export interface ErrorText {
  message: string;
  codexErrorInfo?: CodexErrorInfo;
  additionalDetails?: string;
}

/** At any moment. In `params`, "$threadId" and "$turnId" stand for the ids at hand. */
export type FakeAction =
  | { notify: string; params?: JsonObject }
  /** A request to the client; goes on when it is answered, unless `wait` is false. */
  | { request: string; params?: JsonObject; id?: number | string; wait?: boolean }
  /** Sent as it is. */
  | { raw: string }
  | { wait: number }
  /** Goes on when the test calls `openGate`. */
  | { gate: string }
  /** Breaks all connections; the process lives on. */
  | { drop: true }
  | { die: { code?: number; signal?: NodeJS.Signals; stderr?: string } };

/** Inside a turn, which ends as completed after its last action unless one ends it otherwise. */
export type TurnAction =
  | FakeAction
  /** In pieces, by default three; 0 sends it whole. Unfinished: `item/completed` never comes. */
  | { message: string; chunks?: number | string[]; id?: string; phase?: MessagePhase; unfinished?: boolean }
  | { reasoning: string[]; id?: string }
  | { plan: TurnPlanStep[]; explanation?: string }
  | {
      command: string;
      output?: string;
      exitCode?: number;
      deltas?: string[];
      id?: string;
      approval?: { reason?: string; decisions?: Json[]; id?: number | string };
    }
  | {
      fileChange: FileUpdateChange[];
      diff?: string;
      id?: string;
      approval?: { reason?: string; id?: number | string };
    }
  /** Any item, of a known type or not. */
  | { item: JsonObject & { type: string; id: string }; unfinished?: boolean }
  | { usage: number }
  /** An `error` notification that ends nothing. */
  | { trouble: ErrorText & { willRetry?: boolean } }
  /** `graceMs`: how long after it has said so the turn is over; 0: at once, so that no interrupt comes in between. */
  | { fail: ErrorText; graceMs?: number }
  /** "never": the turn goes on until it is interrupted. */
  | { end: "completed" | "interrupted" | "never" };

export interface FakeReply {
  /** Performed before the answer, which so comes late. */
  before?: FakeAction[];
  /** Without it the usual answer; "none" leaves the request open for ever. */
  answer?: "none" | { result: Json } | { error: { code: number; message: string; data?: Json } };
  after?: FakeAction[];
}

export interface FakeThread {
  /** A UUID. */
  id?: string;
  cwd: string;
  name?: string;
  /** In seconds. */
  updatedAt?: number;
  archived?: boolean;
  turns?: {
    prompt: string;
    clientId?: string;
    /** Between the prompt and the answer. */
    items?: (JsonObject & { type: string; id: string })[];
    answer?: string;
    status?: "completed" | "interrupted" | "failed";
  }[];
}

export interface FakeScenario {
  version?: string;
  /** Printed before anything else, like a wrapper's. */
  banner?: { stdout?: string; stderr?: string };
  refuseToStart?: { code?: number; stderr?: string };
  /** Before it listens. */
  atStart?: FakeAction[];
  /** Heeds neither SIGTERM nor the end of input. */
  stubborn?: boolean;
  /** Threads from an earlier life. */
  threads?: FakeThread[];
  /** By method: one for all requests, or a list for the first ones, after which the usual answers come. */
  replies?: { [method: string]: FakeReply | FakeReply[] };
  /** Methods that this version of codex does not have, by the beginning of their names. */
  without?: string[];
  /** Notifications that are never sent: lost events. */
  mute?: string[];
  /** What the first turn does, the second, ...; the last one is repeated. */
  turns?: TurnAction[][];
}

export interface FakeMessage {
  id?: number | string;
  method?: string;
  params?: JsonObject;
  result?: Json;
  error?: { code: number; message: string };
}

/** A line of the log: a message that was received, or what happened to the process. */
export interface FakeLogLine {
  atMs: number;
  pid: number;
  received?: FakeMessage;
  event?: string;
  [fact: string]: unknown;
}

export interface FakeCodex {
  /** For HOLDFAST_CODEX. */
  readonly command: string;
  readonly codexHome: string;
  /** To be added to the environment of whatever starts it. */
  readonly environment: Record<string, string>;
  /** For the next process; one that runs has read its scenario already. */
  setScenario(scenario: FakeScenario): Promise<void>;
  openGate(name: string): Promise<void>;
  log(): Promise<FakeLogLine[]>;
  /** The messages of this method that it received, of all its processes, in order. */
  received(method: string): Promise<FakeMessage[]>;
  /** The first line that fits, when it is there. */
  until(fits: (line: FakeLogLine) => boolean, timeoutMs?: number): Promise<FakeLogLine>;
  /** Errors of the scenario or of the fake itself; a test should end with none. */
  bugs(): Promise<string[]>;
  remove(): Promise<void>;
}

export async function createFakeCodex(scenario: FakeScenario = {}): Promise<FakeCodex> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), "holdfast-fake-")));
  const [codexHome, gates] = [path.join(root, "codex-home"), path.join(root, "gates")];
  const [scenarioFile, logFile] = [path.join(root, "scenario.json"), path.join(root, "log.jsonl")];
  await mkdir(codexHome, { mode: 0o700 });
  await mkdir(gates);
  await writeFile(logFile, "");
  const setScenario = (next: FakeScenario) => writeFile(scenarioFile, JSON.stringify(next));
  await setScenario(scenario);

  async function log(): Promise<FakeLogLine[]> {
    const text = await readFile(logFile, "utf8");
    // The last line may be just being written.
    return text
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as FakeLogLine);
  }

  return {
    command: path.join(import.meta.dirname, "codex.mjs"),
    codexHome,
    environment: {
      CODEX_HOME: codexHome,
      HOLDFAST_FAKE_SCENARIO: scenarioFile,
      HOLDFAST_FAKE_LOG: logFile,
      HOLDFAST_FAKE_GATES: gates,
    },
    setScenario,
    openGate: (name) => writeFile(path.join(gates, name), ""),
    log,
    received: async (method) =>
      (await log()).flatMap(({ received }) => (received?.method === method ? [received] : [])),
    async until(fits, timeoutMs = 15_000) {
      const deadlineMs = systemClock.nowMs() + timeoutMs;
      for (;;) {
        const lines = await log();
        const found = lines.find(fits);
        if (found) return found;
        if (systemClock.nowMs() > deadlineMs) {
          throw new Error(`The fake never logged it. Last: ${JSON.stringify(lines.slice(-5))}`);
        }
        await new Promise<void>((resolve) => systemClock.after(10, resolve));
      }
    },
    bugs: async () => (await log()).flatMap(({ event, error }) => (event === "bug" ? [String(error)] : [])),
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }),
  };
}
