// Random histories of sending: connections are cut before or after a request is worked at, codex and Holdfast die, queues
// and turns go on. In the end each message is with codex exactly once, or with the person, text and all.

import fc from "fast-check";
import { expect, it } from "vitest";
import { codexThread, codexTurn, listed, resumed, userItem } from "./testCodexData";
import { type Asked, settle, TestThreads } from "./testThreads";

const T = "thread-1";

/** What becomes of the next request that would have an effect. */
type Fate = "done" | "refused" | "lost before" | "lost after" | "mute";

type Step =
  | { do: "send"; mode: "turn" | "steer" | "queue" }
  | { do: "fate"; fate: Fate }
  | { do: "end"; how: "completed" | "interrupted" }
  | { do: "wait"; seconds: number }
  | { do: "cut" | "kill" | "restart" | "restart both" | "resend" | "take back" | "take up" };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("send" as const),
      mode: fc.constantFrom("turn" as const, "turn" as const, "steer" as const, "queue" as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("fate" as const),
      fate: fc.constantFrom<Fate>("refused", "lost before", "lost after", "lost after", "mute"),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("end" as const),
      how: fc.constantFrom("completed" as const, "completed" as const, "interrupted" as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("wait" as const), seconds: fc.integer({ min: 1, max: 8 }) }),
  },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom("cut", "kill", "restart", "restart both", "resend", "take back", "take up", "take up")
      .map((name) => ({ do: name }) as Step),
  },
);

interface Message {
  clientId: string;
  text: string;
}

/** codex, as far as messages go: one thread, its turns and its queue. */
class Codex {
  readonly bench: TestThreads;
  fate: Fate = "done";
  /** Every time that codex took a message, whatever became of it. */
  readonly taken: string[] = [];
  #turns: { id: string; status: string; messages: Message[]; isKept: boolean }[] = [];
  #queue: Message[] = [];
  /** Steered, and not yet looked at by the model. */
  #pending: Message[] = [];
  #count = 0;
  #isHeld = false;

  constructor(bench: TestThreads) {
    this.bench = bench;
    const { bench: at } = this;
    at.rule("thread/resume", () => {
      const active = this.#running !== null;
      return resumed(T, this.#record(), { status: active ? "active" : "idle" });
    });
    at.rule("thread/turns/list", () => listed(this.#record()));
    at.rule("thread/read", () => ({
      thread: codexThread(T, {
        status: this.#running ? { type: "active", activeFlags: [] } : { type: "idle" },
      }),
    }));
    at.rule("thread/queue/list", () =>
      listed(this.#queue.map(({ clientId }) => ({ id: clientId, clientUserMessageId: clientId, input: [] }))),
    );
    at.rule("thread/unsubscribe", () => ({}));
    at.rule("turn/start", (asked) =>
      this.#meet(asked, () => {
        if (this.#running) this.#steered(asked);
        else this.#begin([messageIn(asked)]);
        return { turn: codexTurn(this.#running?.id ?? "") };
      }),
    );
    at.rule("turn/steer", (asked) => {
      const { expectedTurnId } = asked.params;
      if (!this.#running) return new Error("no active turn to steer");
      if (this.#running.id !== expectedTurnId)
        return new Error(`expected active turn id \`${expectedTurnId}\` but found \`${this.#running.id}\``);
      return this.#meet(asked, () => {
        this.#steered(asked);
        return { turnId: this.#running?.id };
      });
    });
    at.rule("thread/queue/add", (asked) =>
      this.#meet(asked, () => {
        this.taken.push(messageIn(asked).clientId);
        this.#queue.push(messageIn(asked));
        this.#drain();
        return {};
      }),
    );
  }

  get kept(): string[] {
    return this.#turns.flatMap((turn) => (turn.isKept ? turn.messages.map(({ clientId }) => clientId) : []));
  }

  get queued(): string[] {
    return this.#queue.map(({ clientId }) => clientId);
  }

  /** The model loop comes round: what was steered is seen, and the turn is written down. */
  takeUp(): void {
    const turn = this.#running;
    if (!turn) return;
    turn.isKept = true;
    for (const message of this.#pending.splice(0)) this.#show(turn.id, turn.messages, message);
  }

  end(how: "completed" | "interrupted"): void {
    const turn = this.#running;
    if (!turn) return;
    this.takeUp();
    turn.status = how;
    this.#isHeld = how === "interrupted";
    this.#say("thread/status/changed", { threadId: T, status: { type: "idle" } });
    this.#say("turn/completed", { threadId: T, turn: codexTurn(turn.id, how) });
    this.#drain();
  }

  /** What was not written down is gone. The queue is on disk. */
  die(): void {
    const turn = this.#running;
    if (turn) {
      turn.status = "interrupted";
      if (!turn.isKept) turn.messages = [];
    }
    this.#pending = [];
    this.#isHeld = false;
  }

  /** codex drains its queue by itself once the thread is loaded and idle. */
  resumedNow(): void {
    this.#drain();
  }

  get #running() {
    const last = this.#turns.at(-1);
    return last?.status === "inProgress" ? last : null;
  }

  #meet(asked: Asked, work: () => unknown): unknown {
    const { fate } = this;
    this.fate = "done";
    switch (fate) {
      case "done":
        return work();
      case "refused":
        return new Error("internal error");
      case "lost before":
        void this.bench.cut();
        return undefined;
      case "lost after":
        // Its effects may be heard before the end of the connection, or not: codex says them first.
        work();
        void this.bench.cut();
        return undefined;
      case "mute":
        work();
        return undefined;
      default:
        return (fate satisfies never) ?? asked;
    }
  }

  #begin(messages: Message[]): void {
    const turn = { id: `t${++this.#count}`, status: "inProgress", messages: [] as Message[], isKept: false };
    this.#turns.push(turn);
    this.#isHeld = false;
    this.#say("thread/status/changed", { threadId: T, status: { type: "active", activeFlags: [] } });
    this.#say("turn/started", { threadId: T, turn: codexTurn(turn.id) });
    for (const message of messages) {
      this.taken.push(message.clientId);
      this.#show(turn.id, turn.messages, message);
    }
  }

  #steered(asked: Asked): void {
    this.taken.push(messageIn(asked).clientId);
    this.#pending.push(messageIn(asked));
  }

  #drain(): void {
    if (this.#running || this.#isHeld) return;
    const next = this.#queue.shift();
    if (!next) return;
    this.#begin([next]);
    // It was taken when it was queued.
    this.taken.pop();
  }

  #show(turnId: string, messages: Message[], message: Message): void {
    messages.push(message);
    const item = userItem(`u-${message.clientId}`, message.text, message.clientId);
    this.#say("item/started", { threadId: T, turnId, item, startedAtMs: 1 });
    this.#say("item/completed", { threadId: T, turnId, item, completedAtMs: 1 });
  }

  #record() {
    return this.#turns.map(({ id, status, messages }) =>
      codexTurn(
        id,
        status,
        messages.map(({ clientId, text }) => userItem(`u-${clientId}`, text, clientId)),
      ),
    );
  }

  #say(method: string, params: Record<string, unknown>): void {
    if (this.bench.connection) this.bench.codex.say(method, params);
  }
}

function messageIn({ params }: Asked): Message {
  const input = params.input as { text: string }[];
  return { clientId: String(params.clientUserMessageId), text: input[0]?.text ?? "" };
}

async function play(steps: Step[]): Promise<void> {
  const bench = new TestThreads();
  const codex = new Codex(bench);
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
  await bench.reconnect();
  bench.open(T);
  await settle();
  const sent: string[] = [];
  const takenBack = new Set<string>();
  const undelivered = () =>
    bench.threads.runtime(T).state.facts.submissions.find((one) => one.state === "undelivered");
  const back = async () => {
    await bench.reconnect();
    codex.resumedNow();
    await settle();
  };
  const wait = async (seconds: number) => {
    for (let left = seconds; left > 0; left -= 1) {
      bench.clock.advance(1_000);
      await settle();
    }
  };
  for (const one of steps) {
    switch (one.do) {
      case "send": {
        const clientId = `00000000-0000-4000-8000-${String(sent.length).padStart(12, "0")}`;
        sent.push(clientId);
        bench.threads.send(T, { clientId, text: `Text ${clientId}`, attachments: [], mode: one.mode });
        break;
      }
      case "fate":
        codex.fate = one.fate;
        break;
      case "end":
        codex.end(one.how);
        break;
      case "wait":
        await wait(one.seconds);
        break;
      case "cut":
        await bench.cut();
        break;
      case "kill":
        codex.die();
        await bench.kill();
        await back();
        break;
      case "restart":
      case "restart both":
        if (one.do === "restart both") codex.die();
        await bench.restart({ codexLives: one.do === "restart" });
        await back();
        bench.open(T);
        break;
      case "resend": {
        const clientId = undelivered()?.clientId;
        if (clientId) bench.threads.runtime(T).delivery.resend(clientId);
        break;
      }
      case "take back": {
        const clientId = undelivered()?.clientId;
        if (!clientId) break;
        takenBack.add(clientId);
        bench.threads.runtime(T).delivery.takeBack(clientId);
        expect(bench.ledger.drafts.get(T)?.text).toContain(`Text ${clientId}`);
        break;
      }
      case "take up":
        codex.takeUp();
        break;
      default:
        one satisfies never;
    }
    await settle();
    if (one.do === "cut") await back();
  }
  // Everything comes to rest: the connection stays, turns end, and there is time.
  codex.fate = "done";
  await back();
  // As long as it takes that nothing is on its way: a mute codex holds each message up until its deadline.
  for (let quiet = 0; quiet < 6; ) {
    await wait(12);
    const { running, facts } = bench.threads.runtime(T).state;
    quiet = running || facts.submissions.some((one) => one.state === "sending") ? 0 : quiet + 1;
    codex.end("completed");
    if (bench.clock.nowMs() > bench.startMs + 3_600_000) throw new Error("It does not come to rest.");
  }
  const open = bench.threads.runtime(T).state.facts.submissions;
  for (const clientId of sent) {
    const inCodex = [...codex.kept, ...codex.queued].filter((id) => id === clientId);
    const shown = open.find((one) => one.clientId === clientId);
    const state = bench.ledger.submissions.get(clientId)?.state;
    expect(inCodex.length, `${clientId} is with codex`).toBeLessThanOrEqual(1);
    if (codex.queued.includes(clientId)) {
      // Held in codex's queue after Stop.
      expect(shown).toMatchObject({ state: "sent" });
    } else if (inCodex.length === 1) {
      expect(state).toBe("delivered");
      expect(shown).toBeUndefined();
    } else if (!takenBack.has(clientId)) {
      expect(shown).toMatchObject({ state: "undelivered", text: `Text ${clientId}` });
      expect(state).toBe("undelivered");
    }
  }
  expect(bench.threads.runtime(T).state.running).toBe(false);
  // What was shown as said, was said.
  const said = bench.threads
    .runtime(T)
    .state.transcript.items.flatMap((item) => (item.kind === "user" ? (item.clientId ?? []) : []));
  expect(said.sort()).toEqual(codex.kept.sort());
  await bench.end();
}

it("each message is with codex exactly once, or comes back with its text", { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 30, size: "max" }), (steps) => play(steps)),
    { numRuns: 60 },
  );
});
