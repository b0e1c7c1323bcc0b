// For tests: all threads of one workspace over a real JSON-RPC client and a real ledger. The codex at the other end is the
// test's own: it holds each request until the test answers it, or answers by a rule.

import { expect } from "vitest";
import type { AppChange } from "../../preload/contract/app";
import { appendBounded, heldGaps, type Item } from "../../preload/contract/items";
import type { Request } from "../../preload/contract/requests";
import type { ThreadChange, ThreadSettings, ThreadSnapshot } from "../../preload/contract/thread";
import type { ManualClock } from "../clock";
import { openRpcClient } from "../codex/rpcClient";
import { invalidRequestCode } from "../codex/rpcFault";
import { TestTransport } from "../codex/testTransport";
import { Fault } from "../fault";
import type { Ledger } from "../ledger/ledger";
import { addWorkspace, makeTestLedger, noSettings, type TestLedger } from "../ledger/testLedger";
import { silentLog } from "../log";
import type { Connection } from "../supervisor/connection";
import type { EnvironmentSource } from "./environments/environmentSource";
import { TestRunMarks } from "./testRunMarks";
import { Threads } from "./threads";
import type { TurnEnd } from "./turnEnd";

type Loose = Record<string, unknown>;

/** One request that codex has been sent. */
export interface Asked {
  id: number;
  method: string;
  // Tests look into it as they please.
  params: Loose & { threadId: string };
  answer(result: unknown): void;
  refuse(message: string, code?: number): void;
}

type Rule = (asked: Asked) => unknown;

/** One process of codex as the test plays it, over one connection at a time. */
export class TestCodex {
  readonly handleId: string;
  readonly transport = new TestTransport();
  readonly asked: Asked[] = [];
  readonly #rules: Map<string, Rule>;
  #seen = 0;

  constructor(handleId: string, rules: Map<string, Rule>) {
    this.handleId = handleId;
    this.#rules = rules;
    const send = this.transport.send.bind(this.transport);
    this.transport.send = (text) => {
      const isOpen = send(text);
      if (isOpen) this.#take();
      return isOpen;
    };
  }

  /** Several messages in one chunk: everything is handed over before a promise is heard. */
  say(method: string, params: Loose): void {
    this.transport.say({ method, params });
  }

  ask(id: number | string, method: string, params: Loose): void {
    this.transport.say({ id, method, params });
  }

  /** What has been answered to requests of codex. */
  get answers(): { id?: unknown; result?: unknown; error?: unknown }[] {
    return this.transport.sent.filter((message) => message.method === undefined);
  }

  all(method: string): Asked[] {
    return this.asked.filter((asked) => asked.method === method);
  }

  /** The only request of this method; fails when there is none or more than one. */
  only(method: string): Asked {
    const all = this.all(method);
    expect(all.map((asked) => asked.method)).toEqual([method]);
    return all[0] as Asked;
  }

  last(method: string): Asked {
    const last = this.all(method).at(-1);
    if (!last)
      throw new Error(`codex was not asked ${method}, only ${this.asked.map((asked) => asked.method)}`);
    return last;
  }

  #take(): void {
    for (const message of this.transport.sent.slice(this.#seen)) {
      this.#seen += 1;
      if (message.method === undefined || message.id === undefined) continue;
      const { id, method } = message;
      const asked: Asked = {
        id,
        method,
        params: message.params as Asked["params"],
        answer: (result) => this.transport.say({ id, result }),
        refuse: (words, code = invalidRequestCode) =>
          this.transport.say({ id, error: { code, message: words } }),
      };
      this.asked.push(asked);
      const rule = this.#rules.get(method);
      // Not while it is being sent: codex is another process.
      if (rule) queueMicrotask(() => this.#apply(rule, asked));
    }
  }

  #apply(rule: Rule, asked: Asked): void {
    const result = rule(asked);
    if (result instanceof Error) asked.refuse(result.message);
    else if (result !== undefined) asked.answer(result);
  }
}

/** What a window holds: its copy of a thread, kept by the changes alone. */
export class TestWindow {
  copy: ThreadSnapshot;
  readonly changes: ThreadChange[] = [];
  readonly close: () => void;
  readonly #threads: Threads;
  readonly #key: string;

  constructor(threads: Threads, key: string) {
    this.#threads = threads;
    this.#key = key;
    const early: ThreadChange[] = [];
    let take = (changes: ThreadChange[]) => {
      early.push(...changes);
    };
    const opened = threads.open(key, (changes) => take(changes));
    this.copy = early.reduce(applyChange, structuredClone(opened.snapshot));
    take = (changes) => {
      this.changes.push(...structuredClone(changes));
      this.copy = structuredClone(changes).reduce(applyChange, this.copy);
    };
    this.close = opened.close;
  }

  get head() {
    return this.copy.head;
  }

  /** Kind and text of each item, as a person sees them. */
  get texts(): string[] {
    return this.copy.items.map(textOf);
  }

  statusOf(turnId: string) {
    return this.copy.turns.find(({ id }) => id === turnId)?.status;
  }

  get sending() {
    return this.head.submissions.map(({ text, state }) => `${text}: ${state}`);
  }

  /** What waits in the queue, in its order. */
  get waiting() {
    return this.head.followUps.entries.map(({ text, state }) => `${text}: ${state}`);
  }

  /** The copy is what main holds. */
  check(): void {
    expect(this.copy).toEqual(this.#threads.runtime(this.#key).state.snapshot());
  }
}

export function textOf(item: Item): string {
  const words = (): string => {
    switch (item.kind) {
      case "user":
      case "notice":
        return item.text;
      case "agent":
      case "plan":
        return marked(item.text, item.gaps);
      case "command":
        return `${item.command} > ${marked(item.output.text, heldGaps(item.output, item.gaps))}`;
      case "reasoning":
        return marked(item.summary, item.summaryGaps);
      default:
        return item.id;
    }
  };
  return `${item.kind} ${item.status}: ${words()}`;
}

/** The text with a mark wherever some is missing. */
export function marked(text: string, gaps: readonly number[]): string {
  const starts = [0, ...gaps];
  return starts.map((start, index) => text.slice(start, starts[index + 1])).join("[…]");
}

/** What the contract says a change does, written as plainly as possible. */
export function applyChange(state: ThreadSnapshot, change: ThreadChange): ThreadSnapshot {
  switch (change.type) {
    case "head":
      return { ...state, head: { ...state.head, ...change.value } };
    case "turns":
      return { ...state, turns: change.turns.reduce(upsert, state.turns) };
    case "items":
      return { ...state, items: change.items.reduce(upsert, state.items) };
    case "removeItems":
      return { ...state, items: state.items.filter((item) => !change.ids.includes(item.id)) };
    case "append":
      expect(state.items.map((item) => item.id)).toContain(change.itemId);
      return {
        ...state,
        items: state.items.map((item) => (item.id === change.itemId ? appendTo(item, change) : item)),
      };
    case "reset":
      return { ...state, turns: change.turns, items: change.items };
    case "older":
      return { ...state, turns: [...change.turns, ...state.turns], items: [...change.items, ...state.items] };
  }
}

function upsert<Value extends { id: string }>(list: Value[], next: Value): Value[] {
  const place = list.findIndex((held) => held.id === next.id);
  return place < 0 ? [...list, next] : list.map((held, at) => (at === place ? next : held));
}

function appendTo(item: Item, { field, text }: Extract<ThreadChange, { type: "append" }>): Item {
  if (item.kind === "command" && field === "output")
    return { ...item, output: appendBounded(item.output, text) };
  const held = (item as unknown as Loose)[field];
  expect(typeof held).toBe("string");
  return { ...item, [field]: `${held}${text}` } as Item;
}

/** Everything that is under way gets its turn. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

export class TestThreads {
  readonly test: TestLedger;
  readonly clock: ManualClock;
  readonly startMs: number;
  readonly workspaceId: string;
  readonly folder: string;
  folderFault: Fault | null = null;
  newThreadSettings: ThreadSettings = noSettings;
  environments: EnvironmentSource = {
    list: () => [],
    name: () => null,
    session: () => null,
    attend: () => {},
    locate: () => Promise.reject(new Fault("environment_unknown", "None.")),
  };
  threads: Threads;
  /** The codex that lives, whether it is connected or not. */
  codex: TestCodex;
  connection: Connection | null = null;
  /** What stands in the way of a connection; null: one is made when it is needed. */
  sessionFault: Fault | null = null;
  readonly rows = new Map<string, string>();
  readonly ends: TurnEnd[] = [];
  readonly endedUnseen: string[] = [];
  readonly endedAway: string[] = [];
  readonly cameBack: { threadId: string; clientId: string; code: string }[] = [];
  /** By path, what codex has written of its threads. */
  readonly records = new Map<string, string>();
  waiting: Request[] = [];
  readonly runMarks = new TestRunMarks();
  readonly #rules = new Map<string, Rule>();
  readonly #windows: TestWindow[] = [];
  #handles = 0;
  #connecting: Promise<Connection> | null = null;
  #held: (() => void)[] | null = null;

  constructor(folder = "/home/ada/engine") {
    this.folder = folder;
    this.test = makeTestLedger();
    this.clock = this.test.clock;
    this.startMs = this.clock.nowMs();
    this.workspaceId = addWorkspace(this.ledger, this.folder);
    this.codex = this.#newCodex();
    this.rule("thread/backgroundTerminals/list", () => ({ data: [], nextCursor: null }));
    this.threads = this.#newThreads();
  }

  get ledger(): Ledger {
    return this.test.ledger;
  }

  /** codex answers this method at once from now on. An Error is a refusal, undefined holds the request. */
  rule(method: string, rule: Rule): void {
    this.#rules.set(method, rule);
  }

  hold(method: string): void {
    this.#rules.delete(method);
  }

  open(key: string): TestWindow {
    const window = new TestWindow(this.threads, key);
    this.#windows.push(window);
    return window;
  }

  /** The window is closed: its copy is nobody's business any more. */
  close(window: TestWindow): void {
    window.close();
    this.#windows.splice(this.#windows.indexOf(window), 1);
  }

  async connect(): Promise<Connection> {
    if (this.sessionFault) throw this.sessionFault;
    if (this.connection) return this.connection;
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = null;
    });
    return this.#connecting;
  }

  /** Whoever needs a connection waits until `letConnect`. */
  holdConnections(): void {
    this.#held = [];
  }

  async letConnect(): Promise<void> {
    const held = this.#held ?? [];
    this.#held = null;
    for (const go of held) go();
    await settle();
  }

  /** The connection goes, the process stays. */
  async cut(): Promise<void> {
    this.codex.transport.end();
    this.codex = new TestCodex(this.codex.handleId, this.#rules);
    await settle();
  }

  async reconnect(): Promise<void> {
    await this.connect();
    await settle();
  }

  /** The process goes, and everything with it. */
  async kill(): Promise<void> {
    const { handleId } = this.codex;
    this.codex.transport.end();
    this.threads.processGone(
      this.workspaceId,
      handleId,
      new Fault("process_gone", "codex was killed.", { retryable: true }),
    );
    this.codex = this.#newCodex();
    await settle();
  }

  /** Holdfast itself is killed and started again; codex lives on or not. */
  async restart(options: { codexLives: boolean }): Promise<void> {
    const { handleId } = this.codex;
    for (const window of this.#windows) window.check();
    this.#windows.length = 0;
    const killed = this.threads;
    const old = this.codex.transport;
    this.connection = null;
    this.test.reopen();
    this.codex = options.codexLives ? new TestCodex(handleId, this.#rules) : this.#newCodex();
    this.rows.clear();
    this.waiting = [];
    this.threads = this.#newThreads();
    // Nobody is there any more to whom it matters: the ledger of before is closed, and nothing can be connected.
    old.end();
    await settle();
    killed.dispose();
    this.threads.rows.remember(this.workspaceId);
    this.threads.restore();
    await settle();
  }

  /** Also checks that every window's copy is true and that no timer is left. */
  async end(): Promise<void> {
    await settle();
    for (const window of this.#windows) window.check();
    this.threads.dispose();
    this.codex.transport.end();
    await settle();
    this.threads.dispose();
    this.test.remove();
    expect(this.clock.pendingCount).toBe(0);
  }

  #newCodex(): TestCodex {
    this.#handles += 1;
    const handleId = `handle-${this.#handles}`;
    this.ledger.handles.intend({
      handleId,
      sessionId: "session",
      workspaceId: this.workspaceId,
      profileId: "user",
      marker: `marker-${this.#handles}`,
      command: { file: "codex", args: [], workingDirectory: this.folder },
      channel: { kind: "stdio" },
      teardown: null,
      logPath: null,
    });
    return new TestCodex(handleId, this.#rules);
  }

  async #connect(): Promise<Connection> {
    if (this.#held) await new Promise<void>((resolve) => this.#held?.push(resolve));
    const { codex, threads, workspaceId } = this;
    const facts = {
      handleId: codex.handleId,
      pid: 1,
      codexVersion: "0.171.0",
      codexHome: "/home/ada/.codex",
      startedAtMs: 0,
      endsWithApp: false,
    };
    let connection: Connection | null = null;
    const client = await openRpcClient(
      (handlers) => {
        codex.transport.handlers = handlers;
        return codex.transport;
      },
      {
        clock: this.clock,
        log: silentLog,
        random: () => 0,
        onNotification: (method, params) => threads.notification(workspaceId, method, params),
        onRequest: (request) => {
          if (connection) threads.request(workspaceId, connection, request);
          return true;
        },
        onClosed: () => {
          if (this.connection !== connection) return;
          this.connection = null;
          threads.connectionLost(workspaceId);
        },
      },
    );
    connection = { handleId: codex.handleId, client, facts };
    this.connection = connection;
    threads.connected(workspaceId);
    return connection;
  }

  #newThreads(): Threads {
    const isAlive = () => this.threads === threads;
    const threads: Threads = new Threads({
      readEnd: async (path) => {
        const record = this.records.get(path);
        if (record === undefined) throw new Error("no such file");
        return record;
      },
      clock: this.clock,
      log: silentLog,
      ledger: this.ledger,
      runMarks: this.runMarks,
      connect: () => (isAlive() ? this.connect() : Promise.reject(new Fault("killed", "Killed."))),
      connection: () => (isAlive() ? this.connection : null),
      presentFolder: async () => {
        if (this.folderFault) throw this.folderFault;
        return this.folder;
      },
      workspace: () => ({ path: this.folder, demo: false, profileId: "user" }),
      environments: {
        list: () => this.environments.list(),
        name: (environmentId) => this.environments.name(environmentId),
        session: (environmentId) => this.environments.session(environmentId),
        attend: (environmentId) => this.environments.attend(environmentId),
        locate: (environmentId) => this.environments.locate(environmentId),
      },
      newThreadSettings: () => this.newThreadSettings,
      configFault: () => null,
      publish: (changes) => this.#rowsChanged(changes),
      waitingChanged: (waiting) => {
        this.waiting = waiting;
      },
      listingChanged: () => {},
      turnEnded: (end) => {
        this.ends.push(end);
        if (!end.isWatched) this.endedUnseen.push(end.threadId);
      },
      cameBack: (threadId, clientId, { code }) => this.cameBack.push({ threadId, clientId, code }),
      endedAway: (threadId) => this.endedAway.push(threadId),
    });
    return threads;
  }

  #rowsChanged(changes: AppChange[]): void {
    for (const change of changes) {
      if (change.type !== "threads") continue;
      for (const id of change.remove) this.rows.delete(id);
      for (const row of change.upsert) this.rows.set(row.threadId, `${row.title}: ${row.state}`);
    }
  }
}
