// For tests: processes that live and die as a test says, one run of Holdfast that supervises them, and a ledger that
// outlives it. Whatever takes time (a launch, a handshake, a check, a close) is an operation that the test finishes.

import { ManualClock } from "../clock";
import { Fault } from "../fault";
import { Database } from "../ledger/database";
import type { HandleRecord } from "../ledger/handlesLedger";
import { Ledger } from "../ledger/ledger";
import { migrate } from "../ledger/migrations";
import type { Log } from "../log";
import { Cleanups } from "./cleanups";
import type { Connection } from "./connection";
import { type ConnectionEvents, type SessionProcess, SupervisedSession } from "./supervisedSession";

export const killed = new Fault("codex_exited", "codex was killed (SIGKILL).");
export const stubborn = new Fault("process_not_ended", "It did not end.");
export const refused = new Fault("refused", "codex refused.");
export const cut = new Fault("connection_lost", "The connection was lost.");

/** Everything that is waiting in the microtask queue, and what comes of it. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 40; turn += 1) await Promise.resolve();
}

/** A real ledger in memory. Opened again, it is the same. */
export function memoryDatabase(): Database {
  const database = new Database(":memory:", { busyTimeoutMs: 0 });
  migrate(database);
  return database;
}

export type OperationKind = "launch" | "connect" | "verify" | "close";

export interface Operation {
  kind: OperationKind;
  handleId: string;
  succeed(): void;
  fail(fault?: Fault): void;
}

/** A process tree, as the operating system has it: it outlives Holdfast. */
export interface Tree {
  handleId: string;
  alive: boolean;
  /** Closing it fails. */
  stubborn: boolean;
  closesBegun: number;
  closesFailed: number;
  /** It has shaken hands and proved that it can do its work: it may be used. */
  answered: boolean;
}

export interface Said {
  handleId: string;
  say(method: string): void;
  cut(): void;
  isOpen: boolean;
  /** Once the handshake is over. */
  connection: Connection | null;
  /** What was said and not heard yet. */
  unheard: string[];
}

/** What outlives Holdfast. */
export class TestMachine {
  readonly trees = new Map<string, Tree>();
  /** In the order in which they became fit to be used. */
  readonly answered: string[] = [];
  #lastHandle = 0;

  newHandleId(): string {
    this.#lastHandle += 1;
    return `h${this.#lastHandle}`;
  }

  grow(handleId: string): Tree {
    const tree = {
      handleId,
      alive: true,
      stubborn: false,
      closesBegun: 0,
      closesFailed: 0,
      answered: false,
    };
    this.trees.set(handleId, tree);
    return tree;
  }

  get alive(): Tree[] {
    return [...this.trees.values()].filter((tree) => tree.alive);
  }
}

class TestProcess implements SessionProcess {
  readonly handleId: string;
  readonly exited: Promise<Fault>;
  tellExit: (fault: Fault) => void = () => {};
  readonly #run: TestHoldfast;
  #closing: Promise<Fault | null> | null = null;
  #isGone = false;

  constructor(run: TestHoldfast, handleId: string) {
    this.#run = run;
    this.handleId = handleId;
    this.exited = new Promise((resolve) => {
      this.tellExit = resolve;
    });
  }

  async connect(events: ConnectionEvents) {
    const { handleId } = this;
    const run = this.#run;
    const tree = run.machine.trees.get(handleId);
    const line: Said = {
      handleId,
      isOpen: true,
      connection: null,
      unheard: [],
      say: (method) => {
        if (!line.isOpen) return;
        line.unheard.push(method);
        events.notification(method, {});
      },
      cut: () => {
        if (!line.isOpen) return;
        line.isOpen = false;
        events.closed(cut);
      },
    };
    // What it says may come before the answer to the handshake is known.
    run.lines.push(line);
    await Promise.race([
      run.operation("connect", handleId),
      this.exited.then((fault) => Promise.reject(fault)),
    ]).catch((error: unknown) => {
      line.isOpen = false;
      throw error;
    });
    const facts = {
      handleId,
      pid: 1,
      codexVersion: "0",
      codexHome: "/c",
      startedAtMs: run.clock.nowMs(),
      endsWithApp: false,
    };
    const connection: Connection = { handleId, client: {} as Connection["client"], facts };
    line.connection = connection;
    if (tree && line.isOpen && !run.needsVerifying && !run.signal?.aborted) run.answered(tree);
    return { connection, close: () => line.cut() };
  }

  close(): Promise<Fault | null> {
    if (this.#isGone) return Promise.resolve(null);
    this.#closing ??= this.#end().finally(() => {
      this.#closing = null;
    });
    return this.#closing;
  }

  async #end(): Promise<Fault | null> {
    const { handles } = this.#run.ledger;
    const tree = this.#run.machine.trees.get(this.handleId);
    if (handles.get(this.handleId)?.state !== "retired") handles.closing(this.handleId);
    if (tree) tree.closesBegun += 1;
    const hasFailed = await this.#run.operation("close", this.handleId).then(
      () => tree?.stubborn ?? false,
      () => true,
    );
    if (hasFailed) {
      if (tree) tree.closesFailed += 1;
      handles.retired(this.handleId);
      return stubborn;
    }
    if (tree) tree.alive = false;
    handles.gone(this.handleId, null);
    this.#isGone = true;
    this.tellExit(killed);
    return null;
  }
}

/** One run of Holdfast, with one session. */
export class TestHoldfast {
  readonly machine: TestMachine;
  readonly ledger: Ledger;
  readonly clock: ManualClock;
  readonly cleanups: Cleanups;
  readonly session: SupervisedSession;
  readonly operations: Operation[] = [];
  readonly lines: Said[] = [];
  readonly processes = new Map<string, TestProcess>();
  /** What was told, in order. */
  readonly heard: string[] = [];
  /** What must not happen at all. */
  readonly defects: string[] = [];
  launches = 0;
  shown = true;
  /** Of the launch that is under way. */
  signal: AbortSignal | null = null;
  needsVerifying = false;
  #announced: Connection | null = null;
  onLaunch: () => void = () => {};
  onAnnounced: (connection: Connection) => void = () => {};

  constructor(
    machine: TestMachine,
    database: Database | Ledger,
    clock = new ManualClock(),
    adoptsFirst = true,
  ) {
    this.machine = machine;
    this.clock = clock;
    this.ledger = database instanceof Ledger ? database : new Ledger(database, clock);
    const log: Log = {
      info() {},
      warn() {},
      error: (message, details) => this.defects.push(`${message} ${JSON.stringify(details)}`),
    };
    this.cleanups = new Cleanups({
      ledger: this.ledger.cleanups,
      clock,
      log,
      random: () => 0.5,
      changed() {},
    });
    const left = this.ledger.handles.listNotGone();
    const adoptable = left.find((record) => record.state === "running" && this.#isAlive(record));
    const retired = left
      .filter((record) => record !== adoptable)
      .map(({ handleId }) => ({ process: this.#process(handleId), fault: stubborn }));
    this.session = new SupervisedSession(
      {
        clock,
        log,
        launch: (signal) => this.#launch(signal),
        verify: (connection) => this.#verify(connection),
        close: (process) => this.#close(process),
        isShown: () => this.shown,
        onState: (state) => this.heard.push(state.phase),
        onConnected: (connection) => {
          this.heard.push("connected");
          this.#announced = connection;
          this.onAnnounced(connection);
        },
        onConnectionLost: () => this.heard.push("connection lost"),
        onProcessGone: (handleId) => this.heard.push(`gone ${handleId}`),
        onNotification: (connection, method) => this.#hear(connection, method),
        onRequest: (connection, request) => this.#hear(connection, request.method),
      },
      retired,
    );
    this.cleanups.register("handle", async ({ subject }) => {
      const { handleId } = subject as { handleId: string };
      const owned = this.session.owns(handleId);
      return owned ? this.session.clean(handleId) : this.#close(this.#process(handleId));
    });
    const adopt = () => {
      // Whether it can be used is for the test to see.
      if (adoptable) this.session.adopt(this.#process(adoptable.handleId)).catch(() => undefined);
    };
    if (adoptsFirst) adopt();
    for (const { process } of retired) void this.session.clean(process.handleId);
    if (!adoptsFirst) adopt();
    this.cleanups.begin();
  }

  operation(kind: OperationKind, handleId: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = (finish: () => void) => () => {
        this.operations.splice(this.operations.indexOf(operation), 1);
        finish();
      };
      const operation: Operation = {
        kind,
        handleId,
        succeed: done(resolve),
        fail: (fault = refused) => done(() => reject(fault))(),
      };
      this.operations.push(operation);
    });
  }

  /** The connection in use has been told. */
  get isAnnounced(): boolean {
    return this.#announced === this.session.connection;
  }

  find(kind: OperationKind): Operation {
    const operation = this.operations.find((one) => one.kind === kind);
    if (!operation) throw new Error(`nothing is being done of the kind ${kind}`);
    return operation;
  }

  /** Finishes this operation well, and takes in what comes of it. */
  async succeed(...kinds: OperationKind[]): Promise<void> {
    for (const kind of kinds) {
      this.find(kind).succeed();
      await settled();
    }
  }

  async fail(kind: OperationKind, fault?: Fault): Promise<void> {
    this.find(kind).fail(fault);
    await settled();
  }

  /** The process dies. Its connection is cut when the test says so. */
  die(handleId: string): void {
    const tree = this.machine.trees.get(handleId);
    if (tree) tree.alive = false;
    this.processes.get(handleId)?.tellExit(killed);
  }

  tree(handleId: string): Tree {
    const tree = this.machine.trees.get(handleId);
    if (!tree) throw new Error(`there is no process of the handle ${handleId}`);
    return tree;
  }

  answered(tree: Tree): void {
    if (tree.answered) return;
    tree.answered = true;
    this.machine.answered.push(tree.handleId);
  }

  async #launch(signal: AbortSignal): Promise<SessionProcess> {
    const handleId = this.machine.newHandleId();
    this.launches += 1;
    this.signal = signal;
    this.needsVerifying = this.session.connection !== null;
    this.onLaunch();
    this.ledger.handles.intend({
      handleId,
      sessionId: "s",
      workspaceId: "w",
      profileId: "p",
      marker: handleId,
      command: { file: "codex", args: [], workingDirectory: "/" },
      channel: { kind: "stdio" },
      teardown: null,
      logPath: null,
    });
    try {
      await this.operation("launch", handleId);
    } catch (error) {
      this.ledger.handles.gone(handleId, null);
      throw error;
    }
    this.machine.grow(handleId);
    this.ledger.handles.started(handleId, { pid: 1, startTime: handleId, processGroup: 1 });
    return this.#process(handleId);
  }

  async #verify({ handleId }: Connection): Promise<void> {
    const { signal } = this;
    await this.operation("verify", handleId);
    if (!signal?.aborted) this.answered(this.tree(handleId));
  }

  #close(process: SessionProcess): Promise<Fault | null> {
    const { handleId } = process;
    const cleanup = { id: `handle:${handleId}`, kind: "handle", subject: { handleId }, reason: "closed" };
    return this.cleanups.perform(cleanup, () => process.close());
  }

  #process(handleId: string): TestProcess {
    const process = this.processes.get(handleId) ?? new TestProcess(this, handleId);
    this.processes.set(handleId, process);
    return process;
  }

  #isAlive({ handleId }: HandleRecord): boolean {
    return this.machine.trees.get(handleId)?.alive ?? false;
  }

  #hear(connection: Connection, method: string): void {
    this.heard.push(method);
    const line = this.lines.find((one) => one.connection === connection);
    if (line?.unheard.shift() !== method) this.defects.push(`${method} was heard twice, or too early`);
    if (this.session.connection !== connection) {
      this.defects.push(`${connection.handleId} was heard while it was not in use: ${method}`);
    }
  }
}
