// Random histories of a parent and its child agent: windows come and go, turns and requests begin and end, codex unloads what
// nobody needs, the connection drops, time passes. Whatever happens (behaviour: Residency; invariant 6): nothing that is shown,
// at work or waited for is let go, nor anything of its tree; a thread is loaded once at a time; in the end everything is let
// go; and whoever opens a thread then gets it, be codex just unloading it or not.

import fc from "fast-check";
import { expect, it } from "vitest";
import { lingerMs } from "./linger";
import {
  agentItem,
  codexThread,
  codexTurn,
  commandApproval,
  listed,
  resumed,
  userItem,
} from "./testCodexData";
import { type Asked, settle, TestThreads, type TestWindow } from "./testThreads";
import { spawned } from "./testTree";

const parent = "parent";
const child = "child";
const ids = [parent, child] as const;
type Id = (typeof ids)[number];

type Step =
  | { do: "watch" | "unwatch" | "work" | "begin" | "end" | "ask" | "resolve" | "close" | "closed"; id: Id }
  | { do: "spawn" | "cut" | "reconnect" | "hold" | "answer" }
  | { do: "wait"; seconds: number };

/** So long codex may take to load a thread. */
const longestLoadMs = 30_000;

/** codex as far as it matters here, and who looks. */
class History {
  readonly bench = new TestThreads();
  readonly loaded = new Set<Id>();
  readonly subscribed = new Set<Id>();
  readonly closing = new Set<Id>();
  readonly turns = new Map<Id, string>();
  readonly asking = new Map<Id, number>();
  readonly windows = new Map<Id, TestWindow[]>();
  readonly held: (Asked & { sinceMs: number })[] = [];
  /** What Holdfast asked that it must not ask. */
  readonly wrong: string[] = [];
  isHolding = false;
  #count = 0;

  /** Whoever needs a connection makes one: after a cut it may be there again before `reconnect`. */
  get isConnected(): boolean {
    return this.bench.connection !== null;
  }

  async start(): Promise<void> {
    const { bench } = this;
    const past = [codexTurn("t0", "completed", [userItem("u", "Hello"), agentItem("m", "Hi")])];
    bench.rule("thread/resume", (asked) => this.#resume(asked, past));
    bench.rule("thread/unsubscribe", (asked) => this.#unsubscribe(asked));
    bench.rule("thread/read", ({ params }) => ({
      thread: codexThread(params.threadId, { status: this.#status(params.threadId as Id) }),
    }));
    bench.rule("thread/turns/list", () => listed(past));
    bench.rule("thread/queue/list", () => listed([]));
    bench.rule("thread/loaded/list", () => ({ data: [...this.loaded], nextCursor: null }));
    bench.rule("config/read", () => ({ config: {} }));
    bench.ledger.threads.upsert(
      ids.map((threadId) => ({
        threadId,
        workspaceId: bench.workspaceId,
        profileId: "user",
        title: threadId,
        preview: "Hello",
        createdAtMs: 1,
        updatedAtMs: 1,
        archived: false,
        lastKnownState: "idle" as const,
        parentThreadId: threadId === child ? parent : null,
        source: threadId === child ? ("subAgent" as const) : ("app" as const),
      })),
    );
    bench.threads.rows.remember(bench.workspaceId);
    await bench.reconnect();
  }

  async take(step: Step): Promise<void> {
    switch (step.do) {
      case "watch":
        this.windows.set(step.id, [...this.#windowsOf(step.id), this.bench.open(step.id)]);
        break;
      case "unwatch": {
        const [window, ...others] = this.#windowsOf(step.id);
        this.windows.set(step.id, others);
        if (window) this.bench.close(window);
        break;
      }
      case "begin":
        // A turn begins in what is loaded, and somebody is there to hear it.
        if (this.isConnected && this.subscribed.has(step.id) && !this.turns.has(step.id))
          this.#begin(step.id);
        break;
      case "work": {
        // Somebody has it do something, and goes away.
        const { id } = step;
        for (const each of ["watch", "begin", "unwatch"] as const) await this.take({ do: each, id });
        break;
      }
      case "spawn":
        await this.take({ do: "work", id: parent });
        this.#spawn();
        break;
      case "end":
        this.#end(step.id);
        break;
      case "ask":
        this.#ask(step.id);
        break;
      case "resolve":
        this.#resolve(step.id);
        break;
      case "close":
        if (this.loaded.has(step.id) && !this.subscribed.has(step.id) && !this.turns.has(step.id))
          this.closing.add(step.id);
        break;
      case "closed":
        this.#closed(step.id);
        break;
      case "hold":
        this.isHolding = true;
        break;
      case "answer":
        this.#answer();
        break;
      case "cut":
        if (this.isConnected) await this.bench.cut();
        this.subscribed.clear();
        this.held.length = 0;
        break;
      case "reconnect":
        await this.#reconnect();
        break;
      case "wait":
        await this.#wait(step.seconds);
        break;
      default:
        step satisfies never;
    }
    await settle();
    expect(this.wrong).toEqual([]);
  }

  /** Everything ends, nobody looks, and time passes. */
  async comeToRest(): Promise<void> {
    this.#answer();
    await this.#reconnect();
    for (const id of ids) {
      while (this.#windowsOf(id).length > 0) await this.take({ do: "unwatch", id });
      this.#resolve(id);
      this.#end(id);
      this.#closed(id);
    }
    await settle();
    await this.#wait((4 * lingerMs) / 1_000);
    expect(this.wrong).toEqual([]);
    expect([...this.subscribed], "subscribed for nobody").toEqual([]);
  }

  /** Each is opened, codex being about to unload it or not. */
  async openAll(): Promise<void> {
    for (const id of ids) {
      await this.take({ do: "close", id });
      await this.take({ do: "watch", id });
      await this.take({ do: "closed", id });
      await this.#wait(1);
      const [window] = this.#windowsOf(id);
      expect(window?.head, id).toMatchObject({ residency: "loaded", fault: null });
      expect(window?.texts.slice(0, 2)).toEqual(["user completed: Hello", "agent completed: Hi"]);
    }
  }

  #windowsOf(id: Id): TestWindow[] {
    return this.windows.get(id) ?? [];
  }

  #status(id: Id) {
    if (!this.loaded.has(id)) return { type: "notLoaded" };
    return this.turns.has(id) ? { type: "active", activeFlags: [] } : { type: "idle" };
  }

  #say(id: Id, method: string, more: object = {}): void {
    if (this.isConnected) this.bench.codex.say(method, { threadId: id, ...more });
  }

  #resume(asked: Asked, past: ReturnType<typeof codexTurn>[]): unknown {
    const id = asked.params.threadId as Id;
    if (this.held.some(({ params }) => params.threadId === id))
      this.wrong.push(`${id} is loaded twice at once`);
    if (this.closing.has(id))
      return new Error(`thread ${id} is closing; retry thread/resume after the thread is closed`);
    if (this.isHolding) {
      this.held.push({ ...asked, sinceMs: this.bench.clock.nowMs() });
      return undefined;
    }
    return this.#resumed(id, past);
  }

  #resumed(id: Id, past: ReturnType<typeof codexTurn>[]): unknown {
    if (!this.loaded.has(id)) {
      this.loaded.add(id);
      this.#say(id, "thread/status/changed", { status: this.#status(id) });
    }
    this.subscribed.add(id);
    const turnId = this.turns.get(id);
    const turns = turnId === undefined ? past : [...past, codexTurn(turnId)];
    return resumed(id, turns, { status: turnId === undefined ? "idle" : "active" });
  }

  #unsubscribe({ params }: Asked): unknown {
    const id = params.threadId as Id;
    for (const each of ids) {
      if (this.turns.has(each)) this.wrong.push(`${id} is let go while ${each} runs`);
      if (this.asking.has(each)) this.wrong.push(`${id} is let go while ${each} asks`);
      if (this.#windowsOf(each).length > 0) this.wrong.push(`${id} is let go while ${each} is shown`);
    }
    const wasSubscribed = this.subscribed.delete(id);
    if (!this.loaded.has(id)) return { status: "notLoaded" };
    return { status: wasSubscribed ? "unsubscribed" : "notSubscribed" };
  }

  #begin(id: Id): void {
    this.#count += 1;
    const turnId = `t${this.#count}`;
    this.turns.set(id, turnId);
    this.#say(id, "thread/status/changed", { status: this.#status(id) });
    this.#say(id, "turn/started", { turn: codexTurn(turnId) });
  }

  #spawn(): void {
    const turnId = this.turns.get(parent);
    if (!this.isConnected || turnId === undefined || this.turns.has(child) || this.closing.has(child)) return;
    this.#say(parent, "item/completed", { turnId, item: spawned(child), completedAtMs: 1 });
    // codex subscribes whoever is connected.
    this.loaded.add(child);
    this.subscribed.add(child);
    this.#begin(child);
  }

  #end(id: Id): void {
    const turnId = this.turns.get(id);
    if (turnId === undefined) return;
    this.#resolve(id);
    this.turns.delete(id);
    this.#say(id, "thread/status/changed", { status: this.#status(id) });
    if (this.subscribed.has(id)) this.#say(id, "turn/completed", { turn: codexTurn(turnId, "completed") });
  }

  #ask(id: Id): void {
    const turnId = this.turns.get(id);
    if (!this.isConnected || turnId === undefined || this.asking.has(id) || !this.subscribed.has(id)) return;
    this.#count += 1;
    this.asking.set(id, this.#count);
    this.bench.codex.ask(
      this.#count,
      "item/commandExecution/requestApproval",
      commandApproval(id, turnId, { itemId: `call_${this.#count}` }),
    );
  }

  #resolve(id: Id): void {
    const requestId = this.asking.get(id);
    if (requestId === undefined) return;
    this.asking.delete(id);
    this.#say(id, "serverRequest/resolved", { requestId });
  }

  #closed(id: Id): void {
    if (!this.closing.delete(id)) return;
    this.loaded.delete(id);
    this.#say(id, "thread/status/changed", { status: { type: "notLoaded" } });
    this.#say(id, "thread/closed");
  }

  #answer(): void {
    this.isHolding = false;
    for (const asked of this.held.splice(0)) asked.answer(this.#resumed(asked.params.threadId as Id, []));
  }

  async #reconnect(): Promise<void> {
    if (!this.isConnected) await this.bench.reconnect();
  }

  async #wait(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      this.bench.clock.advance(1_000);
      // Answers that come after their deadline, or never, are the business of other tests.
      const oldestMs = this.held[0]?.sinceMs ?? Number.POSITIVE_INFINITY;
      if (this.bench.clock.nowMs() - oldestMs >= longestLoadMs) this.#answer();
      await settle();
    }
  }
}

const ofThread = fc.record({
  do: fc.constantFrom("watch", "unwatch", "work", "begin", "end", "ask", "resolve", "close", "closed"),
  id: fc.constantFrom(...ids),
});
const ofSession = fc.record({ do: fc.constantFrom("cut", "reconnect", "hold", "answer") });
const wait = fc.record({ do: fc.constant("wait"), seconds: fc.constantFrom(1, 31, 62) });
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { arbitrary: ofThread as fc.Arbitrary<Step>, weight: 6 },
    { arbitrary: fc.constant<Step>({ do: "spawn" }), weight: 2 },
    { arbitrary: ofSession as fc.Arbitrary<Step>, weight: 2 },
    { arbitrary: wait as fc.Arbitrary<Step>, weight: 4 },
  ),
  { maxLength: 25 },
);

it("nothing in use is let go, everything else is, and what is opened is there", {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      const world = new History();
      try {
        await world.start();
        for (const step of history) await world.take(step);
        await world.comeToRest();
        await world.openAll();
      } finally {
        await world.bench.end();
      }
    }),
    {
      numRuns: 100,
      // Whatever chance brings, these are always among them.
      examples: [
        [[{ do: "spawn" }, { do: "end", id: parent }, { do: "wait", seconds: 62 }]],
        [[{ do: "spawn" }, { do: "end", id: child }, { do: "wait", seconds: 62 }]],
        [
          [
            { do: "work", id: parent },
            { do: "ask", id: parent },
            { do: "wait", seconds: 62 },
          ],
        ],
      ],
    },
  );
});
