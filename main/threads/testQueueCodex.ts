// For tests of random histories: codex, as far as messages go. One thread, its turns and its queue.

import { codexThread, codexTurn, listed, resumed, userItem } from "./testCodexData";
import type { TestPlaces } from "./testPlaces";
import type { Asked, TestThreads } from "./testThreads";

export const T = "thread-1";

/** What becomes of the next request that would have an effect. */
export type Fate = "done" | "refused" | "lost before" | "lost after" | "mute";

interface Message {
  clientId: string;
  text: string;
}

interface KeptTurn {
  id: string;
  status: string;
  messages: Message[];
  isKept: boolean;
}

/** codex, as far as messages go: one thread, its turns and its queue. */
export class QueueCodex {
  readonly bench: TestThreads;
  /** Null: no thread has an environment. */
  readonly places: TestPlaces | null;
  fate: Fate = "done";
  /** Every time that codex took a message, whatever became of it. */
  readonly taken: string[] = [];
  #turns: KeptTurn[] = [];
  #queue: Message[] = [];
  /** Steered, and not yet looked at by the model. */
  #pending: Message[] = [];
  #count = 0;
  #isHeld = false;
  /** It has said that its turn has failed, and has not ended it yet. */
  #isFailing = false;

  constructor(bench: TestThreads, { hasQueue = true, places = null as TestPlaces | null } = {}) {
    this.bench = bench;
    this.places = places;
    if (places) places.meet = (asked, work) => this.#meet(asked, work);
    const { bench: at } = this;
    at.rule("thread/resume", () => {
      const active = this.#running !== null;
      const thread = places ? { environments: places.load() } : {};
      return resumed(T, this.#record(), { status: active ? "active" : "idle", thread });
    });
    at.rule("thread/turns/list", () => listed(this.#record()));
    at.rule("thread/read", () => ({
      thread: codexThread(T, {
        status: this.#running ? { type: "active", activeFlags: [] } : { type: "idle" },
      }),
    }));
    at.rule("thread/unsubscribe", () => ({}));
    at.rule("turn/start", (asked) =>
      this.#meet(asked, () => {
        if (places && !places.isLoaded) return new Error(`thread not found: ${T}`);
        const refusal = this.#running ? null : (places?.select(asked.params.environments) ?? null);
        if (refusal) return refusal;
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
    at.rule("turn/interrupt", (asked) => {
      if (this.#running?.id !== asked.params.turnId) return new Error("no active turn to interrupt");
      return this.#meet(asked, () => {
        this.end("interrupted");
        return {};
      });
    });
    // A review, as far as a place goes: a turn that nobody says where to begin.
    at.rule("review/start", (asked) =>
      this.#meet(asked, () => {
        if (this.#running) return new Error("a turn is running");
        return { turn: codexTurn(this.#begin([])), reviewThreadId: T };
      }),
    );
    if (hasQueue) this.#ruleQueue();
    else {
      const none = ({ method }: Asked) => new Error(`Invalid request: unknown variant \`${method}\``);
      for (const name of ["list", "add", "update", "delete", "reorder", "start"])
        at.rule(`thread/queue/${name}`, none);
    }
  }

  #ruleQueue(): void {
    const { bench: at } = this;
    const changed = () => this.#say("thread/queue/changed", { threadId: T });
    const entryOf = ({ params }: Asked) =>
      this.#queue.find(({ clientId }) => clientId === params.queuedSubmissionId);
    at.rule("thread/queue/list", () =>
      // A list is newest first, and a queue is not.
      listed(this.#queue.map(queued).reverse()),
    );
    at.rule("thread/queue/add", (asked) =>
      this.#meet(asked, () => {
        this.taken.push(messageIn(asked).clientId);
        this.#queue.push(messageIn(asked));
        changed();
        const queuedSubmission = queued(messageIn(asked));
        this.#drain();
        return { queuedSubmission };
      }),
    );
    at.rule("thread/queue/update", (asked) => {
      const entry = entryOf(asked);
      if (!entry) return new Error(`queued submission not found: ${asked.params.queuedSubmissionId}`);
      return this.#meet(asked, () => {
        entry.text = messageIn(asked).text;
        changed();
        return { queuedSubmission: queued(entry) };
      });
    });
    at.rule("thread/queue/delete", (asked) =>
      this.#meet(asked, () => {
        const entry = entryOf(asked);
        this.#queue = this.#queue.filter((one) => one !== entry);
        if (entry) changed();
        return { deleted: entry !== undefined };
      }),
    );
    at.rule("thread/queue/reorder", (asked) => {
      const ids = asked.params.queuedSubmissionIds as string[];
      if ([...ids].sort().join() !== this.queued.sort().join())
        return new Error("queue reorder must include every queued submission exactly once");
      return this.#meet(asked, () => {
        this.#queue.sort((a, b) => ids.indexOf(a.clientId) - ids.indexOf(b.clientId));
        changed();
        return {};
      });
    });
    at.rule("thread/queue/start", (asked) => {
      if (this.#running) return new Error("thread already has an active or pending turn");
      const entry = asked.params.queuedSubmissionId ? entryOf(asked) : this.#queue[0];
      if (!entry) return new Error("queue is empty");
      return this.#meet(asked, () => {
        this.#takeFromQueue(entry);
        return { turn: codexTurn(this.#running?.id ?? "") };
      });
    });
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
    this.places?.work(turn.id);
    this.#keepTurn(turn);
  }

  #keepTurn(turn: KeptTurn): void {
    turn.isKept = true;
    for (const message of this.#pending.splice(0)) this.#show(turn.id, turn.messages, message);
  }

  /** The turn has failed; `failed` ends it, if nobody interrupts it before. */
  failing(): void {
    const turn = this.#running;
    if (!turn) return;
    this.#isFailing = true;
    this.#say("thread/status/changed", { threadId: T, status: { type: "systemError" } });
    this.#say("error", { threadId: T, turnId: turn.id, willRetry: false, error: { message: "No." } });
  }

  failed(): void {
    if (this.#isFailing) this.end("failed");
  }

  end(how: "completed" | "interrupted" | "failed"): void {
    const turn = this.#running;
    if (!turn) return;
    this.#isFailing = false;
    if (how === "completed") this.takeUp();
    else this.#keepTurn(turn);
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
      this.#isHeld = false;
    }
    this.#isFailing = false;
    this.#pending = [];
    this.places?.die();
  }

  /** codex says that it has unloaded the idle thread. */
  unload(): void {
    if (this.#running || this.places === null) return;
    this.places.unload();
    this.#say("thread/status/changed", { threadId: T, status: { type: "notLoaded" } });
    this.#say("thread/closed", { threadId: T });
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

  #begin(messages: Message[]): string {
    const turn = { id: `t${++this.#count}`, status: "inProgress", messages: [] as Message[], isKept: false };
    this.#turns.push(turn);
    this.places?.begun(turn.id);
    this.#isHeld = false;
    this.#say("thread/status/changed", { threadId: T, status: { type: "active", activeFlags: [] } });
    this.#say("turn/started", { threadId: T, turn: codexTurn(turn.id) });
    for (const message of messages) {
      this.taken.push(message.clientId);
      this.#show(turn.id, turn.messages, message);
    }
    return turn.id;
  }

  #steered(asked: Asked): void {
    this.taken.push(messageIn(asked).clientId);
    this.#pending.push(messageIn(asked));
  }

  #drain(): void {
    if (this.#running || this.#isHeld || this.places?.isLoaded === false) return;
    const [next] = this.#queue;
    if (next) this.#takeFromQueue(next);
  }

  #takeFromQueue(entry: Message): void {
    this.#queue = this.#queue.filter((one) => one !== entry);
    this.#say("thread/queue/changed", { threadId: T });
    this.#begin([entry]);
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

function queued({ clientId, text }: Message) {
  return { id: clientId, clientUserMessageId: clientId, input: [{ type: "text", text }] };
}

function messageIn({ params }: Asked): Message {
  const input = params.input as { text: string }[];
  return { clientId: String(params.clientUserMessageId), text: input[0]?.text ?? "" };
}
