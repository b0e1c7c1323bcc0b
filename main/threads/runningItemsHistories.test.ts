// Random histories of one thread: codex writes, Holdfast and codex are killed and started again, connections drop, the thread
// is let go. Whatever happens: what was on the screen and had been there for a moment is still there, once; what codex has
// recorded is shown as recorded; and nothing is shown as running that nobody runs.

import fc from "fast-check";
import { expect, it } from "vitest";
import { lingerMs } from "./linger";
import { agentItem, codexThread, codexTurn, listed, resumed, userItem } from "./testCodexData";
import { settle, TestThreads, type TestWindow } from "./testThreads";

const T = "thread-1";

type Step =
  | { do: "begin" | "say" | "end" | "endTurn" | "stop" }
  | { do: "wait" | "cut" | "reload" | "killCodex" | "killHoldfast" | "killBoth" };

interface Message {
  id: string;
  turnId: string;
  text: string;
  /** What codex has said of it to whoever listened, and the ledger has had time to take. */
  settledText: string;
  state: "running" | "recorded" | "lost";
  wasShown: boolean;
}

/** codex as far as it matters: it records what has ended, and nothing else. */
class History {
  readonly bench = new TestThreads();
  readonly messages: Message[] = [];
  readonly turns = new Map<string, "inProgress" | "completed" | "interrupted">();
  window: TestWindow | null = null;
  #count = 0;

  async start(): Promise<void> {
    const { bench } = this;
    const page = () => [...this.turns].map(([id, status]) => codexTurn(id, status, this.#recorded(id)));
    const isActive = () => [...this.turns.values()].includes("inProgress");
    bench.rule("thread/resume", () => resumed(T, page(), { status: isActive() ? "active" : "idle" }));
    bench.rule("thread/turns/list", () => listed(page()));
    bench.rule("thread/queue/list", () => listed([]));
    bench.rule("thread/loaded/list", () => ({ data: [], nextCursor: null }));
    bench.rule("thread/unsubscribe", () => ({ status: "unsubscribed" }));
    bench.rule("config/read", () => ({ config: {} }));
    bench.rule("thread/read", () => ({
      thread: codexThread(T, {
        status: isActive() ? { type: "active", activeFlags: [] } : { type: "idle" },
      }),
    }));
    bench.ledger.threads.upsert([
      {
        threadId: T,
        workspaceId: bench.workspaceId,
        profileId: "user",
        title: "Title",
        preview: "Hello",
        createdAtMs: 1,
        updatedAtMs: 1,
        archived: false,
        lastKnownState: "idle",
        parentThreadId: null,
        source: "app",
      },
    ]);
    bench.threads.rows.remember(bench.workspaceId);
    await this.#show();
  }

  async take({ do: step }: Step): Promise<void> {
    const { bench } = this;
    switch (step) {
      case "begin":
        return this.#begin();
      case "say":
        return this.#say();
      case "end":
        return this.#end();
      case "endTurn":
        return this.#endTurn("completed");
      case "stop":
        return this.#endTurn("interrupted");
      case "wait":
        return this.#wait(1_000);
      case "cut":
        await bench.cut();
        // Something that nobody hears.
        if (this.#running) this.#running.text += " unheard";
        return this.#show();
      case "reload":
        if (this.window) bench.close(this.window);
        this.window = null;
        await this.#wait(lingerMs);
        return this.#show();
      case "killCodex":
        await bench.kill();
        this.#codexDied();
        return this.#show();
      case "killHoldfast":
        await bench.restart({ codexLives: true });
        this.window = null;
        if (this.#running) this.#running.text += " unheard";
        return this.#show();
      case "killBoth":
        await bench.restart({ codexLives: false });
        this.window = null;
        this.#codexDied();
        return this.#show();
      default:
        return step satisfies never;
    }
  }

  check(): void {
    const items = (this.window as TestWindow).copy.items.flatMap((item) =>
      item.kind === "agent" ? item : [],
    );
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
    for (const message of this.messages) {
      const item = items.find(({ id }) => id === `${message.turnId}/${message.id}`);
      if (message.wasShown) expect(item, `${message.id} is on the screen`).toBeDefined();
      if (!item) continue;
      message.wasShown = true;
      const words = { running: "running", recorded: "completed", lost: "lost" } as const;
      expect(`${message.id} ${item.status}`).toBe(`${message.id} ${words[message.state]}`);
      if (message.state === "recorded") expect(item.text).toBe(message.text);
      else
        expect(item.text.startsWith(message.settledText), `${message.settledText} is in ${item.text}`).toBe(
          true,
        );
    }
    // In the order in which they began.
    const order = this.messages.map(({ turnId, id }) => `${turnId}/${id}`);
    expect(items.map(({ id }) => id)).toEqual(order.filter((id) => items.some((item) => item.id === id)));
  }

  get #running(): Message | undefined {
    return this.messages.find(({ state }) => state === "running");
  }

  get #turnId(): string | undefined {
    return [...this.turns].find(([, status]) => status === "inProgress")?.[0];
  }

  #recorded(turnId: string) {
    const ended = this.messages.filter((one) => one.turnId === turnId && one.state === "recorded");
    return [userItem(`u-${turnId}`, "Do it"), ...ended.map(({ id, text }) => agentItem(id, text))];
  }

  async #begin(): Promise<void> {
    if (this.messages.filter(({ state }) => state === "running").length > 1) return;
    this.#count += 1;
    if (this.#turnId === undefined) {
      const turnId = `t${this.#count}`;
      this.turns.set(turnId, "inProgress");
      this.#codexSays("turn/started", { turn: codexTurn(turnId) });
    }
    const turnId = this.#turnId as string;
    const id = `m${this.#count}`;
    this.messages.push({ id, turnId, text: "", settledText: "", state: "running", wasShown: false });
    this.#codexSays("item/started", { turnId, item: agentItem(id, ""), startedAtMs: this.#count });
  }

  async #say(): Promise<void> {
    const message = this.#running;
    if (!message) return;
    this.#count += 1;
    const delta = ` word${this.#count}`;
    message.text += delta;
    this.#codexSays("item/agentMessage/delta", { turnId: message.turnId, itemId: message.id, delta });
  }

  async #end(): Promise<void> {
    const message = this.#running;
    if (!message) return;
    message.state = "recorded";
    const { turnId, id, text } = message;
    this.#codexSays("item/completed", { turnId, item: agentItem(id, text), completedAtMs: this.#count });
  }

  async #endTurn(status: "completed" | "interrupted"): Promise<void> {
    const turnId = this.#turnId;
    if (turnId === undefined) return;
    this.turns.set(turnId, status);
    for (const message of this.messages) if (message.state === "running") message.state = "lost";
    this.#codexSays("thread/status/changed", { status: { type: "idle" } });
    this.#codexSays("turn/completed", { turn: codexTurn(turnId, status) });
    await settle();
  }

  #codexDied(): void {
    const turnId = this.#turnId;
    if (turnId !== undefined) this.turns.set(turnId, "interrupted");
    for (const message of this.messages) if (message.state === "running") message.state = "lost";
  }

  #codexSays(method: string, more: object): void {
    this.bench.codex.say(method, { threadId: T, ...more });
  }

  async #wait(byMs: number): Promise<void> {
    await settle();
    for (let left = byMs; left > 0; left -= 1_000) {
      this.bench.clock.advance(1_000);
      await settle();
    }
    const items = this.window?.copy.items ?? [];
    for (const message of this.messages) {
      const item = items.find(({ id }) => id === `${message.turnId}/${message.id}`);
      if (item?.kind === "agent" && message.state !== "recorded") message.settledText = item.text;
    }
  }

  async #show(): Promise<void> {
    await this.bench.reconnect();
    this.window ??= this.bench.open(T);
    await settle();
  }
}

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom<Step>({ do: "begin" }, { do: "say" }, { do: "say" }, { do: "end" }),
  },
  { weight: 2, arbitrary: fc.constantFrom<Step>({ do: "wait" }, { do: "endTurn" }, { do: "stop" }) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Step>(
      { do: "cut" },
      { do: "reload" },
      { do: "killCodex" },
      { do: "killHoldfast" },
      { do: "killBoth" },
    ),
  },
);

it("what was on the screen stays there, once, whoever is killed in between", {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 25 }), async (steps) => {
      const history = new History();
      try {
        await history.start();
        for (const one of steps) {
          await history.take(one);
          history.check();
        }
      } finally {
        await history.bench.end();
      }
    }),
    { numRuns: 150 },
  );
});
