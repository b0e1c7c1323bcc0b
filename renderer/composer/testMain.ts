// A main for drafts in tests: calls are answered when the test says so; time goes on when the test says so.

import type { CallParams, CallResult, KeptDraft } from "../../preload/contract";
import type { Attachment } from "../../preload/contract/items";
import type { DraftIds, DraftMain, DraftTimers } from "./draftMain";

export type Call =
  | { name: "get" | "park"; threadKey: string }
  | ({ name: "put" } & CallParams<"drafts.put">)
  | ({ name: "next" } & CallParams<"drafts.next">)
  | ({ name: "send" } & CallParams<"messages.send">);

interface Open {
  call: Call;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export class TestMain implements DraftMain {
  readonly calls: Call[] = [];
  readonly open: Open[] = [];

  /** The newest revision that was given out. */
  revision = 0;

  get(threadKey: string) {
    return this.#ask<KeptDraft>({ name: "get", threadKey });
  }
  put(change: CallParams<"drafts.put">) {
    return this.#ask<CallResult<"drafts.put">>({ name: "put", ...change });
  }
  next(question: CallParams<"drafts.next">) {
    return this.#ask<CallResult<"drafts.next">>({ name: "next", ...question });
  }
  park(threadKey: string) {
    return this.#ask<CallResult<"drafts.park">>({ name: "park", threadKey });
  }
  send(message: CallParams<"messages.send">) {
    return this.#ask<CallResult<"messages.send">>({ name: "send", ...message });
  }

  named<Name extends Call["name"]>(name: Name): Extract<Call, { name: Name }>[] {
    return this.calls.filter((call): call is Extract<Call, { name: Name }> => call.name === name);
  }

  /** What main does when nobody else changes anything, but for `part`. */
  usual(name: Call["name"], part: object = {}): unknown {
    const draft = () => ({ revision: ++this.revision, text: "", attachments: [], ...part });
    switch (name) {
      case "get":
        return { revision: this.revision, text: "", attachments: [], ...part };
      case "put":
        return { outcome: "kept", revision: ++this.revision };
      case "next":
        return { draft: null, ...part };
      case "park":
        return { path: "/home/parked.txt", draft: draft() };
      case "send":
        return { draft: draft() };
      default: {
        const unknown: never = name;
        throw unknown;
      }
    }
  }

  /** Answers the oldest open call of this name. */
  async answer(name: Call["name"], part: object = {}): Promise<void> {
    this.#take(name).resolve(this.usual(name, part));
    await settled();
  }
  /** Another window has changed the draft: told to who waits for it. */
  async tell(text: string): Promise<void> {
    this.#take("next").resolve({ draft: { revision: ++this.revision, text, attachments: [] } });
    await settled();
  }
  /** The oldest put had not seen another window's change. */
  async refuse(text: string): Promise<void> {
    const draft = { revision: ++this.revision, text, attachments: [] };
    this.#take("put").resolve({ outcome: "behind", draft });
    await settled();
  }
  async fail(name: Call["name"], words = "The disk is full."): Promise<void> {
    this.#take(name).reject(new Error(words));
    await settled();
  }

  #take(name: Call["name"]): Open {
    const index = this.open.findIndex(({ call }) => call.name === name);
    const [taken] = index < 0 ? [] : this.open.splice(index, 1);
    if (!taken) throw new Error(`No ${name} is open`);
    return taken;
  }

  #ask<Value>(call: Call): Promise<Value> {
    this.calls.push(call);
    return new Promise<Value>((resolve, reject) => {
      this.open.push({ call, resolve: (value) => resolve(value as Value), reject });
    });
  }
}

/** Everything that follows from an answer has happened. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

export class TestTimers implements DraftTimers {
  #now = 0;
  #timers: { atMs: number; run: () => void }[] = [];

  nowMs(): number {
    return this.#now;
  }
  after(ms: number, run: () => void): () => void {
    const timer = { atMs: this.#now + ms, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((each) => each !== timer);
    };
  }
  advance(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const next = this.#timers.filter((each) => each.atMs <= until).sort((a, b) => a.atMs - b.atMs)[0];
      if (!next) break;
      this.#now = next.atMs;
      this.#timers = this.#timers.filter((each) => each !== next);
      next.run();
    }
    this.#now = until;
  }
}

export function testIds(): DraftIds {
  let ids = 0;
  return { writer: "this page", newClientId: () => `id ${++ids}` };
}

export const image: Attachment = { kind: "image", path: "/keep/cat.png", name: "cat.png", bytes: 10 };
export const mention: Attachment = { kind: "mention", path: "/atlas/src/a.ts", name: "src/a.ts" };
