// For tests: codex as far as threads go, in small. It has threads with turns, items and requests, a record of them like the
// real one's (what runs is not in it), and a wire to its client on which everything keeps its order, but of which the rest
// is lost when it is cut.

import { recordOf } from "./loose";
import { codexThread, codexTurn, commandApproval, listed, started } from "./testCodexData";
import {
  asCodexItem,
  childId,
  type ModelItem,
  type ModelThread,
  type ModelTurn,
  pageOf,
  parentId,
  pieceOf,
} from "./testCodexRecord";
import { type Asked, settle, type TestThreads } from "./testThreads";

type Loose = Record<string, unknown>;

export class CodexModel {
  readonly threads = new Map<string, ModelThread>();
  /** Answers wait until the test lets them go, behind whatever has been said meanwhile. */
  answersLate = false;
  /** A turn is told of before the answer to its message. */
  eventsOvertake = false;
  readonly #bench: TestThreads;
  #wire: { method: string | null; isEnd: boolean; go(): void }[] = [];
  #late: (() => void)[] = [];
  #answersRead = 0;
  #nextRequest = 0;
  #serial = 0;
  #turnCount = 0;

  constructor(bench: TestThreads) {
    this.#bench = bench;
    this.#add(parentId);
    this.#rule("thread/resume", (thread) => {
      const wasLoaded = thread.isLoaded;
      thread.isLoaded = true;
      thread.isSubscribed = true;
      if (!wasLoaded) this.#statusSaid(thread);
      const facts = { thread: codexThread(thread.id, this.#facts(thread)) };
      const result = { ...started(thread.id), ...facts, initialTurnsPage: pageOf(thread, null) };
      const afterwards = () => {
        this.#askAgain(thread);
        this.#drain(thread);
      };
      return { result, afterwards };
    });
    this.#rule("thread/read", (thread) => ({
      result: { thread: codexThread(thread.id, this.#facts(thread)) },
    }));
    this.#rule("thread/turns/list", (thread, { cursor }) => ({ result: pageOf(thread, cursor) }));
    this.#rule("thread/queue/list", ({ queue }) => ({
      result: listed(queue.map((id) => ({ id, clientUserMessageId: id, input: [] }))),
    }));
    this.#rule("thread/queue/add", (thread, { clientUserMessageId }) => {
      if (!thread.isLoaded) return { error: `thread not found: ${thread.id}` };
      const id = String(clientUserMessageId);
      thread.queue.push(id);
      const queuedSubmission = { id, clientUserMessageId: id, input: [] };
      return { result: { queuedSubmission }, afterwards: () => this.#drain(thread) };
    });
    this.#rule("thread/unsubscribe", (thread) => {
      const status = thread.isLoaded ? "unsubscribed" : "notLoaded";
      thread.isSubscribed = false;
      return { result: { status } };
    });
    this.#rule("turn/start", (thread, params) => {
      if (!thread.isLoaded) return { error: `thread not found: ${thread.id}` };
      const running = this.runningIn(thread);
      const turn = running ?? this.#newTurn(thread);
      const isNew = running === null;
      if (isNew && this.eventsOvertake) this.#turnSaid(thread, turn);
      const afterwards = () => {
        if (isNew && !this.eventsOvertake) this.#turnSaid(thread, turn);
        this.#said(thread, turn, params);
      };
      return { result: { turn: codexTurn(turn.id) }, afterwards };
    });
    this.#rule("turn/steer", (thread, params) => {
      const turn = this.runningIn(thread);
      if (!turn) return { error: "no active turn to steer" };
      if (turn.id !== params.expectedTurnId) {
        return { error: `expected active turn id \`${params.expectedTurnId}\` but found \`${turn.id}\`` };
      }
      return { result: { turnId: turn.id }, afterwards: () => this.#said(thread, turn, params) };
    });
    this.#rule("turn/interrupt", (thread, { turnId }) => {
      const turn = this.runningIn(thread);
      if (!turn) return { error: "no active turn to interrupt" };
      if (turn.id !== turnId) {
        return { error: `expected active turn id \`${turnId}\` but found \`${turn.id}\`` };
      }
      return { result: {}, afterwards: () => this.end(thread, "interrupted") };
    });
    this.#rule("thread/backgroundTerminals/list", (thread) => {
      if (!thread.isLoaded) return { error: `thread not found: ${thread.id}` };
      const items = thread.turns.flatMap((turn) => turn.items);
      const data = items
        .filter(({ kind, state }) => kind === "command" && state === "running")
        .map(({ id, serial }) => ({
          itemId: id,
          processId: `${serial}`,
          command: "make",
          cwd: "/",
          osPid: null,
        }));
      return { result: { data, nextCursor: null } };
    });
    bench.rule("thread/loaded/list", (asked) => {
      const data = [...this.threads.values()].filter(({ isLoaded }) => isLoaded).map(({ id }) => id);
      this.#answer(asked, () => ({ result: { data, nextCursor: null } }));
    });
  }

  thread(id: string): ModelThread {
    const thread = this.threads.get(id);
    if (!thread) throw new Error(`The model has no thread ${id}.`);
    return thread;
  }

  runningIn({ turns }: ModelThread): ModelTurn | null {
    const last = turns.at(-1);
    return last?.status === "inProgress" ? last : null;
  }

  /** Somebody else's message, or one of codex's queue. */
  begin(thread: ModelThread): void {
    if (this.runningIn(thread) || !thread.isLoaded) return;
    const turn = this.#newTurn(thread);
    this.#turnSaid(thread, turn);
    this.#said(thread, turn, null);
  }

  /** `again`: with the id of the item before, as some model servers give it. */
  start(thread: ModelThread, kind: "message" | "command", again: boolean): void {
    const turn = this.runningIn(thread);
    if (!turn) return;
    const before = turn.items.findLast((item) => item.kind === kind && item.state === "done");
    const item = this.#newItem(turn, kind, again ? before?.id : undefined);
    this.#itemSaid("item/started", thread, turn, item);
  }

  piece(thread: ModelThread, which: number): void {
    this.#withRunning(thread, which, (turn, item) => {
      const delta = pieceOf(item.serial, item.pieces++);
      const method =
        item.kind === "message" ? "item/agentMessage/delta" : "item/commandExecution/outputDelta";
      this.#say(thread, method, { turnId: turn.id, itemId: item.id, delta });
    });
  }

  finish(thread: ModelThread, which: number): void {
    this.#withRunning(thread, which, (turn, item) => this.#finish(thread, turn, item));
  }

  compact(thread: ModelThread): void {
    const turn = this.runningIn(thread);
    if (!turn) return;
    const item = this.#newItem(turn, "compaction");
    this.#itemSaid("item/started", thread, turn, item);
    this.#finish(thread, turn, item);
  }

  /** The parent's conversation names the child; from then on it works by itself. */
  spawn(): void {
    const parent = this.thread(parentId);
    const turn = this.runningIn(parent);
    if (!turn || this.threads.has(childId)) return;
    const child = this.#add(childId);
    child.isLoaded = true;
    child.isSubscribed = parent.isSubscribed;
    const item = this.#newItem(turn, "agent");
    this.#itemSaid("item/started", parent, turn, item);
    this.#finish(parent, turn, item);
    this.begin(child);
  }

  ask(thread: ModelThread): void {
    const turn = this.runningIn(thread);
    if (!turn) return;
    const item = this.#newItem(turn, "command");
    this.#itemSaid("item/started", thread, turn, item);
    const id = this.#nextRequest++;
    thread.waiting.set(id, { turn, item });
    this.#statusSaid(thread);
    this.#ask(thread, id);
  }

  end(thread: ModelThread, how: "completed" | "interrupted" | "failed"): void {
    const turn = this.runningIn(thread);
    if (!turn) return;
    for (const [id, { item }] of [...thread.waiting]) {
      this.#resolve(thread, id);
      if (how === "completed") this.#finish(thread, turn, item);
    }
    for (const item of turn.items) {
      if (item.state !== "running") continue;
      if (how !== "completed") item.state = "gone";
      else if (item.kind === "message") this.#finish(thread, turn, item);
    }
    turn.status = how;
    thread.isHeld = how === "interrupted";
    this.#statusSaid(thread);
    const error = how === "failed" ? { message: "At capacity.", codexErrorInfo: "other" } : null;
    if (error) this.#say(thread, "error", { turnId: turn.id, willRetry: false, error });
    this.#say(thread, "turn/completed", { turn: codexTurn(turn.id, how, [], { error }) });
    this.#drain(thread);
  }

  /** Nobody wants them any more, and nothing runs in them. */
  unload(): void {
    for (const thread of this.threads.values()) {
      if (!thread.isLoaded || thread.isSubscribed || this.runningIn(thread)) continue;
      for (const item of thread.turns.flatMap((turn) => turn.items)) if (item.state === "running") return;
      thread.isLoaded = false;
      this.#statusSaid(thread);
      this.#put("thread/closed", { threadId: thread.id });
    }
  }

  /** What the client has answered arrives, or got lost in a cut that comes with it. */
  readAnswers(areLost = false): void {
    const { answers } = this.#bench.codex;
    const news = answers.slice(this.#answersRead);
    this.#answersRead = answers.length;
    if (areLost) return;
    for (const { id } of news) {
      for (const thread of this.threads.values()) {
        if (typeof id === "number" && thread.waiting.has(id)) this.#resolve(thread, id);
      }
    }
  }

  letAnswersGo(): void {
    for (const go of this.#late.splice(0)) go();
  }

  deliver(count: number): void {
    for (const { go } of this.#wire.splice(0, count)) go();
  }

  /** The next words of the end of a turn are never said: its status, its completion, or both. */
  loseEnd(count: number): void {
    for (let left = count; left > 0; left -= 1) {
      const at = this.#wire.findIndex(({ isEnd }) => isEnd);
      if (at >= 0) this.#wire.splice(at, 1);
    }
  }

  repeatLast(): void {
    const last = this.#wire.at(-1);
    // Pieces have no numbers: nobody could tell that one is the same.
    if (last?.method && !last.method.endsWith("elta")) this.#wire.push(last);
  }

  async deliverAll(): Promise<void> {
    this.answersLate = false;
    do {
      this.letAnswersGo();
      this.deliver(this.#wire.length);
      await settle();
      this.readAnswers();
    } while (this.#wire.length > 0 || this.#late.length > 0);
  }

  /** The connection goes: what was on its way is lost, and nobody listens to anything. */
  cut(): void {
    this.#wire = [];
    this.#late = [];
    this.#answersRead = 0;
    for (const thread of this.threads.values()) thread.isSubscribed = false;
  }

  /** The process goes. What was not written down is gone. */
  die(): void {
    this.cut();
    this.#nextRequest = 0;
    for (const thread of this.threads.values()) {
      thread.isLoaded = false;
      thread.waiting.clear();
      for (const turn of thread.turns) {
        for (const item of turn.items) if (item.state === "running") item.state = "gone";
        if (turn.status !== "inProgress") continue;
        turn.status = "interrupted";
        thread.isHeld = false;
        if (turn.items.every((item) => item.kind === "user"))
          for (const item of turn.items) item.state = "gone";
      }
    }
  }

  /** As codex lists it. */
  recordOf(turn: ModelTurn): ModelItem[] {
    return turn.items.filter(({ state }) => state === "done");
  }

  #rule(
    method: string,
    work: (
      thread: ModelThread,
      params: Loose & { threadId: string },
    ) => { result: unknown; afterwards?(): void } | { error: string },
  ): void {
    this.#bench.rule(method, (asked) =>
      this.#answer(asked, () => work(this.thread(asked.params.threadId), asked.params)),
    );
  }

  #answer(asked: Asked, work: () => { result: unknown; afterwards?(): void } | { error: string }): undefined {
    const answer = () => {
      const done = work();
      const go = () => ("error" in done ? asked.refuse(done.error) : asked.answer(done.result));
      this.#wire.push({ method: null, isEnd: false, go });
      if ("afterwards" in done) done.afterwards?.();
    };
    if (this.answersLate) this.#late.push(answer);
    else answer();
  }

  #add(id: string): ModelThread {
    const thread: ModelThread = {
      id,
      turns: [],
      isLoaded: false,
      isSubscribed: false,
      waiting: new Map(),
      queue: [],
      isHeld: false,
    };
    this.threads.set(id, thread);
    return thread;
  }

  #drain(thread: ModelThread): void {
    if (thread.isHeld || !thread.isLoaded || this.runningIn(thread)) return;
    const clientUserMessageId = thread.queue.shift();
    if (clientUserMessageId === undefined) return;
    const turn = this.#newTurn(thread);
    this.#turnSaid(thread, turn);
    this.#said(thread, turn, { clientUserMessageId });
  }

  #newTurn(thread: ModelThread): ModelTurn {
    // In order of time also as words, like codex's own.
    const id = `t${String(++this.#turnCount).padStart(4, "0")}`;
    const turn: ModelTurn = { id, status: "inProgress", items: [] };
    thread.turns.push(turn);
    return turn;
  }

  #turnSaid(thread: ModelThread, turn: ModelTurn): void {
    this.#statusSaid(thread);
    this.#say(thread, "turn/started", { turn: codexTurn(turn.id) });
  }

  #newItem(turn: ModelTurn, kind: ModelItem["kind"], id?: string, clientId: string | null = null): ModelItem {
    const serial = ++this.#serial;
    const item: ModelItem = {
      id: id ?? `${kind}_${serial}`,
      kind,
      serial,
      pieces: 0,
      clientId,
      state: "running",
    };
    turn.items.push(item);
    return item;
  }

  #said(thread: ModelThread, turn: ModelTurn, params: Loose | null): void {
    const clientId = params === null ? null : String(params.clientUserMessageId);
    const item = this.#newItem(turn, "user", undefined, clientId);
    this.#itemSaid("item/started", thread, turn, item);
    this.#finish(thread, turn, item);
  }

  #finish(thread: ModelThread, turn: ModelTurn, item: ModelItem): void {
    if (item.kind === "message" && item.pieces === 0) item.pieces = 1;
    item.state = "done";
    for (const other of turn.items) {
      if (other !== item && other.id === item.id && other.state === "done") other.state = "replaced";
    }
    this.#itemSaid("item/completed", thread, turn, item);
  }

  #withRunning(thread: ModelThread, which: number, then: (turn: ModelTurn, item: ModelItem) => void): void {
    const waiting = new Set([...thread.waiting.values()].map(({ item }) => item));
    const all = thread.turns.flatMap((turn) =>
      turn.items
        .filter((item) => item.state === "running" && !waiting.has(item))
        .map((item) => ({ turn, item })),
    );
    const chosen = all[which % Math.max(1, all.length)];
    if (chosen) then(chosen.turn, chosen.item);
  }

  #resolve(thread: ModelThread, id: number): void {
    thread.waiting.delete(id);
    this.#say(thread, "serverRequest/resolved", { requestId: id });
    if (this.runningIn(thread)) this.#statusSaid(thread);
  }

  #ask(thread: ModelThread, id: number): void {
    const asked = thread.waiting.get(id);
    if (!asked || !thread.isSubscribed) return;
    const { codex } = this.#bench;
    const params = commandApproval(thread.id, asked.turn.id, { itemId: asked.item.id });
    this.#wire.push({
      method: null,
      isEnd: false,
      go: () => codex.ask(id, "item/commandExecution/requestApproval", params),
    });
  }

  #askAgain(thread: ModelThread): void {
    for (const id of thread.waiting.keys()) this.#ask(thread, id);
  }

  #itemSaid(
    method: "item/started" | "item/completed",
    thread: ModelThread,
    turn: ModelTurn,
    item: ModelItem,
  ): void {
    this.#say(thread, method, { turnId: turn.id, item: asCodexItem(item), startedAtMs: 1, completedAtMs: 1 });
  }

  /** A status is told to everybody, everything else to those who have the thread open. */
  #statusSaid(thread: ModelThread): void {
    this.#put("thread/status/changed", { threadId: thread.id, status: this.#status(thread) });
  }

  #say(thread: ModelThread, method: string, params: Loose): void {
    if (thread.isSubscribed) this.#put(method, { threadId: thread.id, ...params });
  }

  #put(method: string, params: Loose): void {
    if (!this.#bench.connection) return;
    const { codex } = this.#bench;
    const sent = structuredClone(params);
    // That a turn has begun is told to who has not loaded its thread by its status alone: that is not lost.
    const isActive = recordOf(sent.status).type === "active";
    const isEnd = method === "turn/completed" || (method === "thread/status/changed" && !isActive);
    this.#wire.push({ method, isEnd, go: () => codex.say(method, sent) });
  }

  #status(thread: ModelThread): Loose {
    if (!thread.isLoaded) return { type: "notLoaded" };
    const last = thread.turns.at(-1);
    if (last?.status === "inProgress") {
      return { type: "active", activeFlags: thread.waiting.size > 0 ? ["waitingOnApproval"] : [] };
    }
    return { type: last?.status === "failed" ? "systemError" : "idle" };
  }

  #facts(thread: ModelThread): Loose {
    return { status: this.#status(thread), parentThreadId: thread.id === childId ? parentId : null };
  }
}
