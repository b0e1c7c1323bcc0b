// For tests: all that runs scripts, over a ledger of its own, with threads that the test plays and verbs that do what it says.

import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, vi } from "vitest";
import type { AppState } from "../../preload/contract/app";
import type { CellLimitSettings, RunChange, RunRow, RunSnapshot } from "../../preload/contract/cells";
import type { Clock, ManualClock, Timer } from "../clock";
import { Fault } from "../fault";
import type { Ledger } from "../ledger/ledger";
import { makeTestLedger } from "../ledger/testLedger";
import { silentLog } from "../log";
import { Cleanups } from "../supervisor/cleanups";
import { TestRunMarks } from "../threads/testRunMarks";
import { Threads } from "../threads/threads";
import { Workspaces } from "../workspaces/workspaces";
import { Cells, type CellsOptions } from "./cells";
import type { Verbs } from "./runs/workspaceCells";
import { settled, TestThread } from "./runtime/testCells";
import type { FromWorker } from "./runtime/workerMessages";
import type { ToolName } from "./tools/tools";

type Shown = Pick<AppState, "scripts" | "runs" | "cellQuestions">;

/** A tool call, or the end of a run: it waits until the test ends it, unless `answers` says how. */
export interface Asked {
  kind: "call" | "close";
  runId: string;
  name: string;
  args: unknown;
  signal: AbortSignal;
  resolve(value?: unknown): void;
  reject(error: Error): void;
}

export interface CellsBench {
  /** Nothing happens by itself any more. */
  die(): void;
  readonly ledger: Ledger;
  readonly clock: ManualClock;
  readonly cells: Cells;
  readonly cleanups: Cleanups;
  readonly workspaceId: string;
  readonly workspaces: Workspaces;
  /** The threads of cells, in the order in which they were started. */
  readonly threads: TestThread[];
  readonly shown: Shown;
  readonly notices: { title: string; text: string; runId: string }[];
  /** What is being asked. */
  readonly asked: Asked[];
  /** Set: it ends each thing that is asked as it comes. */
  answers: ((asked: Asked) => void) | null;
  limits: CellLimitSettings;
  run(source?: string): Promise<string>;
  row(runId: string): RunRow;
  /** How a window would show it now. */
  look(runId: string): RunSnapshot;
  /** Holdfast is gone without an end, and is started again over the same ledger. */
  restart(options?: Partial<CellsOptions>): void;
  addWorkspace(): string;
  removeFolder(workspaceId: string): void;
  /** The end of this run that is being told. */
  closing(runId: string): Asked;
  /** The disk is full for these writes of runs, until it is mended. */
  failLedger(...writes: ("start" | "addOutput" | "end" | "putCall")[]): void;
  mendLedger(): void;
  remove(): void;
}

export function makeCellsBench(options: Partial<CellsOptions> = {}): CellsBench {
  const test = makeTestLedger();
  const folders: string[] = [];
  const addWorkspace = () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-cells-")));
    folders.push(folder);
    return test.ledger.workspaces.add({ path: folder, name: "engine", parentId: null }).id;
  };
  const bench = {
    clock: test.clock,
    workspaceId: addWorkspace(),
    limits: { memoryMiB: 64, runTimeSeconds: 30, outputMiB: 8, pendingCalls: 64, cells: 8 },
    answers: closesAll,
    addWorkspace,
    removeFolder: (workspaceId) => rmSync(test.ledger.workspaces.get(workspaceId).path, { recursive: true }),
    closing(runId) {
      const closing = bench.asked.find((asked) => asked.kind === "close" && asked.runId === runId);
      if (!closing) throw new Error(`The end of ${runId} is not being told.`);
      return closing;
    },
    failLedger(...writes) {
      for (const write of writes) {
        vi.spyOn(bench.ledger.cellRuns, write).mockImplementation(() => {
          throw new Fault("ledger_full", "The disk is full.");
        });
      }
    },
    mendLedger: () => vi.restoreAllMocks(),
    async run(source = "script") {
      const { workspaceId } = bench;
      return bench.cells.run({ workspaceId, scriptId: null, name: "Count", source });
    },
    row(runId) {
      const row = bench.shown.runs.find((one) => one.runId === runId);
      if (!row) throw new Error(`The run ${runId} is not shown.`);
      return row;
    },
    look(runId) {
      const { snapshot, close } = bench.cells.open(runId, () => {});
      close();
      return snapshot;
    },
    restart(changed = {}) {
      bench.die();
      Object.assign(bench, start(bench, test.reopen(), { ...options, ...changed }));
    },
    remove() {
      vi.restoreAllMocks();
      test.remove();
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  } as Omit<CellsBench, keyof Life> as CellsBench;
  return Object.assign(bench, start(bench, test.ledger, options));
}

/** What belongs to a run ends as soon as it is told to; what it asks for waits. */
function closesAll(asked: Asked): void {
  if (asked.kind === "close") asked.resolve();
}

/** Whatever the test has left: all of it ends, within the time that Holdfast's own end takes. */
export async function endBench(bench: CellsBench): Promise<void> {
  bench.mendLedger();
  bench.answers = (asked) => asked.resolve();
  for (const asked of [...bench.asked]) asked.resolve();
  const down = bench.cells.shutDown();
  await settled();
  bench.clock.advance(1_000);
  await down;
  await settled();
  for (const { id } of bench.ledger.workspaces.list()) expect(bench.cells.isAtWork(id)).toBe(false);
  expect(bench.clock.pendingCount).toBe(0);
  expect(bench.cells.running).toEqual([]);
  bench.remove();
}

/** A run whose thread has been started. */
export async function begun(bench: CellsBench, source?: string) {
  const before = bench.threads.length;
  const runId = await bench.run(source);
  await settled();
  const thread = bench.threads[before];
  if (!thread) throw new Error("No thread was started.");
  return { runId, thread };
}

export function text(...texts: string[]) {
  return { type: "output", items: texts.map((one) => ({ type: "text" as const, text: one })) } as const;
}

export function call(id: number, name: ToolName, args: unknown): FromWorker {
  return { type: "call", id, name, args: JSON.stringify(args) };
}

export function done(stored: Record<string, string> = {}) {
  return { type: "done", error: null, stored: new Map(Object.entries(stored)) } as const;
}

/** A clock that stands still for good with the life that it belongs to. */
function mortal(clock: ManualClock): { clock: Clock; die(): void } {
  const timers = new Set<Timer>();
  let isOver = false;
  const after: Clock["after"] = (delayMs, task) => {
    if (isOver) return { cancel: () => {} };
    const timer = clock.after(delayMs, () => {
      timers.delete(timer);
      task();
    });
    timers.add(timer);
    return {
      cancel: () => {
        timers.delete(timer);
        timer.cancel();
      },
    };
  };
  const die = () => {
    isOver = true;
    for (const timer of timers) timer.cancel();
  };
  return { clock: { nowMs: () => clock.nowMs(), after }, die };
}

type Life = ReturnType<typeof start>;

/** One life of Holdfast. */
function start(bench: CellsBench, ledger: Ledger, options: Partial<CellsOptions>) {
  const { clock, die } = mortal(bench.clock);
  const shown: Shown = { scripts: [], runs: [], cellQuestions: [] };
  const threads: TestThread[] = [];
  const notices: CellsBench["notices"] = [];
  const asked: Asked[] = [];
  const log = silentLog;
  const cleanups = new Cleanups({
    ledger: ledger.cleanups,
    clock,
    log,
    random: () => 0.5,
    changed: () => cells.cleanupsChanged(),
  });
  const workspaces = new Workspaces({ ledger: ledger.workspaces, log, demoPath: "/none", changed: () => {} });
  const noCodex = async () => {
    throw new Fault("no_codex", "There is no codex here.");
  };
  const ask = (order: Pick<Asked, "kind" | "runId" | "name" | "args" | "signal">) =>
    new Promise<unknown>((resolve, reject) => {
      const leave = () => asked.splice(asked.indexOf(one), 1);
      const one: Asked = {
        ...order,
        resolve(value) {
          leave();
          resolve(value);
        },
        reject(error) {
          leave();
          reject(error);
        },
      };
      asked.push(one);
      bench.answers?.(one);
    });
  const verbs: Verbs = {
    call: (runId, name, args, signal) => ask({ kind: "call", runId, name, args, signal }),
    usesSession: () => false,
    async closed(runId) {
      await ask({ kind: "close", runId, name: "", args: null, signal: new AbortController().signal });
    },
  };
  const cells = new Cells({
    clock,
    log,
    ledger,
    workspaces,
    threads: new Threads({
      clock,
      log,
      ledger,
      runMarks: new TestRunMarks(),
      connect: noCodex,
      connection: () => null,
      presentFolder: (id) => workspaces.presentFolder(id),
      workspace: (id) => ({ path: workspaces.get(id).path, demo: false, profileId: "user" }),
      environments: {
        list: () => [],
        name: () => null,
        session: () => null,
        attend: () => {},
        locate: () => Promise.reject(new Fault("environment_unknown", "None.")),
      },
      newThreadSettings: () => ({ model: null, effort: null, sandbox: null, approvalPolicy: null }),
      configFault: () => null,
      publish: () => {},
      waitingChanged: () => {},
      listingChanged: () => {},
      turnEnded: () => {},
      cameBack: () => {},
      endedAway: () => {},
    }),
    worktrees: { create: noCodex },
    cleanups,
    connect: noCodex,
    cannotSend: () => null,
    limits: () => bench.limits,
    workerScript: "none",
    changed: (change) => Object.assign(shown, change),
    notify: (notice) => notices.push(notice),
    verbs: () => verbs,
    loadWorkers: async () => (order, events) => {
      const thread = new TestThread(order, events);
      threads.push(thread);
      return thread;
    },
    ...options,
  });
  return { die, ledger, cells, cleanups, workspaces, threads, shown, notices, asked };
}

/** What a window is told of a run, beginning with what it is shown first. */
export function watch(
  cells: Cells,
  runId: string,
): { snapshot: RunSnapshot; changes: RunChange[]; close(): void } {
  const changes: RunChange[] = [];
  return { changes, ...cells.open(runId, (more) => changes.push(...more)) };
}
