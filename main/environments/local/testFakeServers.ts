// For tests: exec-servers that live and die as a test says, and one run of Holdfast that supervises them, on a ledger that
// outlives it. Whatever takes time (a launch, a handshake, a close) is an operation that the test finishes.

import { ManualClock } from "../../clock";
import { Fault } from "../../fault";
import type { Database } from "../../ledger/database";
import type { HandleRecord } from "../../ledger/handlesLedger";
import { Ledger } from "../../ledger/ledger";
import type { Log } from "../../log";
import { Cleanups } from "../../supervisor/cleanups";
import type { Connection } from "../../supervisor/connection";
import { processStartTime } from "../../supervisor/processTree";
import type { ConnectionEvents } from "../../supervisor/supervisedSession";
import type { ExecutorTarget } from "../client/executorTarget";
import type { ExecServerContext, ExecServerFacts, LocalServer } from "./execServer";
import { execServerProfileId } from "./execServerLaunch";
import { LocalServers } from "./localServers";

/** A process tree as the operating system has it. */
export interface FakeTree {
  handleId: string;
  environmentId: string;
  /** Something of it is left. */
  alive: boolean;
  /** Its leader runs. */
  leads: boolean;
  /** Closing it fails. */
  stubborn: boolean;
  closesBegun: number;
  closesFailed: number;
  answered: boolean;
}

export interface FakeOperation {
  kind: "launch" | "connect" | "close";
  handleId: string;
  environmentId: string;
  end(well: boolean): void;
}

const refused = new Fault("refused", "It was refused.");
const killed = new Fault("codex_exited", "codex exec-server was killed (SIGKILL).", { retryable: true });

/** What outlives Holdfast. */
export class FakeMachine {
  readonly trees = new Map<string, FakeTree>();
  #last = 0;

  newHandleId(): string {
    this.#last += 1;
    return `h${this.#last}`;
  }

  grow(handleId: string, environmentId: string): FakeTree {
    const tree: FakeTree = {
      handleId,
      environmentId,
      alive: true,
      leads: true,
      stubborn: false,
      closesBegun: 0,
      closesFailed: 0,
      answered: false,
    };
    this.trees.set(handleId, tree);
    return tree;
  }

  get alive(): FakeTree[] {
    return [...this.trees.values()].filter((tree) => tree.alive);
  }
}

class FakeServer implements LocalServer {
  readonly facts: ExecServerFacts;
  readonly exited: Promise<Fault>;
  target: ExecutorTarget | null = null;
  readonly #run: FakeRun;
  readonly #context: ExecServerContext;
  readonly #isChild: boolean;
  readonly #lines = new Set<ConnectionEvents>();
  #tellExit: (fault: Fault) => void = () => {};
  #closing: Promise<Fault | null> | null = null;
  #isGone = false;

  constructor(run: FakeRun, context: ExecServerContext, facts: ExecServerFacts, isChild: boolean) {
    this.#run = run;
    this.#context = context;
    this.facts = facts;
    this.#isChild = isChild;
    this.exited = new Promise((resolve) => {
      this.#tellExit = resolve;
    });
  }

  get handleId(): string {
    return this.facts.handleId;
  }

  async connect(events: ConnectionEvents) {
    const { handleId, startedAtMs } = this.facts;
    const died = this.exited.then((fault) => Promise.reject(fault));
    await Promise.race([this.#run.operation("connect", this.facts), died]);
    const tree = this.#tree;
    if (!tree?.leads) {
      this.noticeDeath();
      throw refused;
    }
    tree.answered = true;
    this.target = {
      url: "ws://127.0.0.1:1",
      identity: handleId,
      registration: handleId,
      credential: { kind: "none" },
    };
    this.#lines.add(events);
    const facts = { handleId, pid: 1, codexVersion: "0", codexHome: "", startedAtMs, endsWithApp: false };
    const connection: Connection = { handleId, client: {} as Connection["client"], facts };
    return { connection, close: () => this.cut() };
  }

  /** Its connections are lost, whether it lives or not. */
  cut(): void {
    const lines = [...this.#lines];
    this.#lines.clear();
    for (const line of lines) line.closed(new Fault("connection_lost", "The connection was lost."));
    this.noticeDeath();
  }

  /** The system tells the death of a child. */
  heardOfDeath(): void {
    if (this.#isChild) this.#tellExit(killed);
  }

  noticeDeath(): void {
    if (!this.#isChild && !this.#tree?.leads) this.#tellExit(killed);
  }

  close(): Promise<Fault | null> {
    if (this.#isGone) return Promise.resolve(null);
    this.#closing ??= this.#end().finally(() => {
      this.#closing = null;
    });
    return this.#closing;
  }

  get #tree(): FakeTree | undefined {
    return this.#run.machine.trees.get(this.handleId);
  }

  async #end(): Promise<Fault | null> {
    const { handleId } = this;
    const { handles } = this.#run.ledger;
    const tree = this.#tree;
    if (handles.get(handleId)?.state !== "retired") handles.closing(handleId);
    if (tree) tree.closesBegun += 1;
    const hasFailed = await this.#run.operation("close", this.facts).then(
      () => tree?.stubborn ?? false,
      () => true,
    );
    if (hasFailed) {
      if (tree) tree.closesFailed += 1;
      handles.retired(handleId);
      return new Fault("process_not_ended", "It did not end.");
    }
    if (tree) {
      tree.alive = false;
      tree.leads = false;
    }
    handles.gone(handleId, null);
    this.#isGone = true;
    this.#context.onGone(handleId);
    this.#tellExit(killed);
    return null;
  }
}

/** One run of Holdfast. */
export class FakeRun {
  readonly machine: FakeMachine;
  readonly ledger: Ledger;
  readonly clock: ManualClock;
  readonly cleanups: Cleanups;
  readonly servers: LocalServers;
  readonly operations: FakeOperation[] = [];
  /** What must not happen at all. */
  readonly defects: string[] = [];
  readonly watched = new Set<string>();
  launches = 0;
  onLaunch: (environmentId: string) => void = () => {};
  readonly #made = new Map<string, FakeServer>();

  constructor(
    machine: FakeMachine,
    database: Database,
    names: ReadonlySet<string>,
    clock = new ManualClock(),
  ) {
    this.machine = machine;
    this.clock = clock;
    this.ledger = new Ledger(database, clock);
    const { ledger } = this;
    const log: Log = {
      info() {},
      warn() {},
      error: (message, details) => this.defects.push(`${message} ${JSON.stringify(details)}`),
    };
    this.cleanups = new Cleanups({ ledger: ledger.cleanups, clock, log, random: () => 0.5, changed() {} });
    this.servers = new LocalServers({
      clock,
      log,
      ledger,
      cleanups: this.cleanups,
      context: {
        owner: "/home",
        handles: ledger.handles,
        clock,
        log,
        onStarted: ({ handleId }) => this.watched.add(handleId),
        onGone: (handleId) => this.watched.delete(handleId),
      },
      launch: (environmentId, context) => this.#launch(environmentId, context),
      recorded: (context, record) => this.#recorded(context, record),
      ready: Promise.resolve().then(() => {
        this.servers.recover();
        this.cleanups.begin();
      }),
      name: (environmentId) => (names.has(environmentId) ? environmentId : null),
    });
  }

  operation(
    kind: FakeOperation["kind"],
    { handleId, environmentId }: { handleId: string; environmentId: string },
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const operation: FakeOperation = {
        kind,
        handleId,
        environmentId,
        end: (well) => {
          this.operations.splice(this.operations.indexOf(operation), 1);
          if (well) resolve();
          else reject(refused);
        },
      };
      this.operations.push(operation);
    });
  }

  /** Its leader dies; what it has started may go on. `first`: what is noticed first. */
  die(tree: FakeTree, first: "exit" | "cut"): void {
    tree.leads = false;
    const server = this.#made.get(tree.handleId);
    if (first === "exit") server?.heardOfDeath();
    server?.cut();
    server?.heardOfDeath();
  }

  cut({ handleId }: FakeTree): void {
    this.#made.get(handleId)?.cut();
  }

  async #launch(environmentId: string, context: ExecServerContext): Promise<LocalServer> {
    const handleId = this.machine.newHandleId();
    this.launches += 1;
    this.onLaunch(environmentId);
    const { handles } = this.ledger;
    handles.intend({
      handleId,
      sessionId: environmentId,
      workspaceId: "",
      profileId: execServerProfileId,
      marker: handleId,
      command: { file: "codex", args: [], workingDirectory: "/" },
      channel: { kind: "loopback", tokenFile: "/none" },
      teardown: null,
      logPath: `/logs/${handleId}`,
    });
    try {
      await this.operation("launch", { handleId, environmentId });
    } catch (error) {
      handles.gone(handleId, null);
      throw error;
    }
    this.machine.grow(handleId, environmentId);
    // A pid that is there at every start: whether it is used then is said by its answer.
    const startTime = processStartTime(process.pid) ?? "";
    handles.started(handleId, { pid: process.pid, startTime, processGroup: process.pid });
    const server = this.#make(context, handleId, environmentId, true);
    context.onStarted(server);
    return server;
  }

  #recorded(context: ExecServerContext, { handleId, sessionId }: HandleRecord): LocalServer {
    return this.#made.get(handleId) ?? this.#make(context, handleId, sessionId, false);
  }

  #make(context: ExecServerContext, handleId: string, environmentId: string, isChild: boolean): FakeServer {
    const facts: ExecServerFacts = {
      handleId,
      environmentId,
      leader: { pid: process.pid, startTime: "" },
      startedAtMs: this.clock.nowMs(),
      logPath: `/logs/${handleId}`,
      channel: { kind: "loopback", token: "", tokenFile: "/none" },
      child: null,
    };
    const server = new FakeServer(this, context, facts, isChild);
    this.#made.set(handleId, server);
    return server;
  }
}
