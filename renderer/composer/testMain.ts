// A main for drafts in tests: calls are answered when the test says so; time goes on when the test says so.

import type { Attachment } from "../../preload/contract/items";
import type { DraftMain, DraftTimers, SendMode } from "./draft";

export type Call =
  | { name: "get" | "park"; threadKey: string }
  | { name: "put"; threadKey: string; text: string; attachments: Attachment[] }
  | {
      name: "send";
      threadKey: string;
      clientId: string;
      text: string;
      attachments: Attachment[];
      mode: SendMode;
    };

interface Open {
  call: Call;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export class TestMain implements DraftMain {
  readonly calls: Call[] = [];
  readonly open: Open[] = [];

  get(threadKey: string) {
    return this.#ask<{ text: string; attachments: Attachment[] }>({ name: "get", threadKey });
  }
  put(threadKey: string, text: string, attachments: Attachment[]) {
    return this.#ask<unknown>({ name: "put", threadKey, text, attachments });
  }
  park(threadKey: string) {
    return this.#ask<{ path: string }>({ name: "park", threadKey });
  }
  send(message: Omit<Extract<Call, { name: "send" }>, "name">) {
    return this.#ask<unknown>({ name: "send", ...message });
  }

  named<Name extends Call["name"]>(name: Name): Extract<Call, { name: Name }>[] {
    return this.calls.filter((call): call is Extract<Call, { name: Name }> => call.name === name);
  }

  /** Answers the oldest open call of this name. */
  async answer(name: Call["name"], value: unknown = {}): Promise<void> {
    this.#take(name).resolve(value);
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

export const image: Attachment = { kind: "image", path: "/keep/cat.png", name: "cat.png", bytes: 10 };
export const mention: Attachment = { kind: "mention", path: "/atlas/src/a.ts", name: "src/a.ts" };
