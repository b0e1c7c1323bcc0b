import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import type { Attachment } from "../../preload/contract/items";
import { type Draft, DraftBook, keepAfterMs } from "./draftBook";

interface Open<Value> {
  threadKey: string;
  draft?: Draft;
  resolve(value: Value): void;
  reject(error: Error): void;
}

/** Main, with every answer held back until the test gives it. */
class Held {
  gets: Open<Draft>[] = [];
  puts: Open<unknown>[] = [];
  disk = new Map<string, Draft>();
  timers: { dueMs: number; task: () => void }[] = [];
  nowMs = 0;

  readonly get = (threadKey: string) =>
    new Promise<Draft>((resolve, reject) => this.gets.push({ threadKey, resolve, reject }));
  readonly put = (threadKey: string, draft: Draft) =>
    new Promise<unknown>((resolve, reject) => this.puts.push({ threadKey, draft, resolve, reject }));
  readonly after = (delayMs: number, task: () => void) => {
    const timer = { dueMs: this.nowMs + delayMs, task };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((each) => each !== timer);
    };
  };
  readonly faultOf = (error: unknown) => ({ code: "x", message: String(error), retryable: true });

  advance(byMs: number) {
    this.nowMs += byMs;
    const due = this.timers.filter((timer) => timer.dueMs <= this.nowMs);
    this.timers = this.timers.filter((timer) => timer.dueMs > this.nowMs);
    for (const timer of due) timer.task();
  }
  async answerGet(draft?: Draft) {
    const open = this.gets.shift();
    if (!open) throw new Error("nothing was asked for");
    open.resolve(draft ?? this.disk.get(open.threadKey) ?? { text: "", attachments: [] });
    await settled();
  }
  async answerPut() {
    const open = this.puts.shift();
    if (!open?.draft) throw new Error("nothing was put");
    this.disk.set(open.threadKey, open.draft);
    open.resolve({ done: true });
    await settled();
  }
}

/** Lets everything that follows from an answer happen; there are no timers in it. */
async function settled() {
  for (let each = 0; each < 8; each++) await Promise.resolve();
}

const image = (path: string): Attachment => ({ kind: "image", path, name: path, bytes: 1 });

let main: Held;
let book: DraftBook;
beforeEach(() => {
  main = new Held();
  book = new DraftBook(main);
});

async function opened(threadKey: string, draft: Draft = { text: "", attachments: [] }) {
  book.open(threadKey);
  await main.answerGet(draft);
}

describe("loading", () => {
  test("what is on disk is shown exactly", async () => {
    const text = "\t tabs\n\n and blanks \n\ud800";
    await opened("a", { text, attachments: [image("/i.png")] });
    expect(book.view("a")).toEqual({ text, attachments: [image("/i.png")], loaded: true, fault: null });
    main.advance(10_000);
    expect(main.puts).toHaveLength(0);
  });

  test("what was written before it came is kept with it", async () => {
    book.open("a");
    book.edit("a", { text: "typed" });
    await main.answerGet({ text: "kept ", attachments: [image("/1")] });
    expect(book.view("a").text).toBe("kept typed");
    main.advance(keepAfterMs);
    expect(main.puts[0]?.draft).toEqual({ text: "kept typed", attachments: [image("/1")] });
  });

  test("a draft that cannot be loaded is never written over", async () => {
    book.open("a");
    book.edit("a", { text: "typed" });
    main.gets.shift()?.reject(new Error("no"));
    await settled();
    expect(book.view("a").fault?.message).toContain("no");
    book.flushAll();
    main.advance(500);
    expect(main.puts).toHaveLength(0);
    main.advance(1_000);
    await main.answerGet({ text: "kept ", attachments: [] });
    expect(book.view("a")).toMatchObject({ text: "kept typed", loaded: true, fault: null });
  });

  test("coming back to a thread looks at the disk again, unless something here is newer", async () => {
    await opened("a", { text: "one", attachments: [] });
    book.open("a");
    await main.answerGet({ text: "from another window", attachments: [] });
    expect(book.view("a").text).toBe("from another window");
    book.edit("a", { text: "mine" });
    book.open("a");
    expect(main.gets).toHaveLength(0);
  });

  test("writing while it is looked at again wins over the older draft", async () => {
    await opened("a", { text: "one", attachments: [] });
    book.open("a");
    book.edit("a", { text: "one two" });
    await main.answerGet({ text: "one", attachments: [] });
    expect(book.view("a").text).toBe("one two");
  });
});

describe("keeping", () => {
  test("a pause in the writing puts the last text once", async () => {
    await opened("a");
    for (const text of ["h", "he", "hey"]) {
      book.edit("a", { text });
      main.advance(keepAfterMs - 50);
    }
    expect(main.puts).toHaveLength(0);
    main.advance(50);
    expect(main.puts.map((put) => put.draft?.text)).toEqual(["hey"]);
  });

  test("one call at a time, and the last text is the last put", async () => {
    await opened("a");
    book.edit("a", { text: "1" });
    main.advance(keepAfterMs);
    book.edit("a", { text: "12" });
    main.advance(keepAfterMs);
    expect(main.puts).toHaveLength(1);
    await main.answerPut();
    expect(main.puts.map((put) => put.draft?.text)).toEqual(["12"]);
    await main.answerPut();
    main.advance(10_000);
    expect(main.puts).toHaveLength(0);
    expect(main.disk.get("a")?.text).toBe("12");
  });

  test("a failure is shown, tried again, and forgotten when it succeeds", async () => {
    await opened("a");
    book.edit("a", { text: "x" });
    book.flush("a");
    main.puts.shift()?.reject(new Error("disk full"));
    await settled();
    expect(book.view("a")).toMatchObject({ text: "x", fault: { message: "Error: disk full" } });
    main.advance(1_000);
    await main.answerPut();
    expect(book.view("a").fault).toBeNull();
    expect(main.timers).toHaveLength(0);
  });

  test("leaving the page puts everything at once", async () => {
    await opened("a");
    await opened("b");
    book.edit("a", { text: "x" });
    book.edit("b", { text: "y" });
    book.flushAll();
    expect(main.puts.map((put) => [put.threadKey, put.draft?.text])).toEqual([
      ["a", "x"],
      ["b", "y"],
    ]);
    expect(main.timers).toHaveLength(0);
  });
});

describe("sending", () => {
  test("takes what was sent out of the draft, and leaves what was written since", async () => {
    await opened("a", { text: "send me", attachments: [image("/1")] });
    const message = { text: "send me", attachments: [image("/1")] };
    book.edit("a", { text: "send me\nnext" });
    book.edit("a", { attachments: [image("/1"), image("/2")] });
    book.sent("a", message);
    expect(book.view("a")).toMatchObject({ text: "next", attachments: [image("/2")] });
    await main.answerPut();
    expect(main.disk.get("a")?.text).toBe("next");
  });

  test("leaves a text alone that was changed altogether meanwhile", async () => {
    await opened("a", { text: "send me", attachments: [] });
    book.edit("a", { text: "something else" });
    book.sent("a", { text: "send me", attachments: [] });
    expect(book.view("a").text).toBe("something else");
  });

  test("the empty draft is put too, after whatever was on its way", async () => {
    await opened("a");
    book.edit("a", { text: "send me" });
    book.flush("a");
    book.sent("a", { text: "send me", attachments: [] });
    await main.answerPut();
    await main.answerPut();
    expect(main.disk.get("a")).toEqual({ text: "", attachments: [] });
  });

  test("text that comes back goes before what has been written since", async () => {
    await opened("a", { text: "new", attachments: [image("/2")] });
    book.giveBack("a", { text: "old", attachments: [image("/1"), image("/2")] });
    expect(book.view("a")).toMatchObject({ text: "old\n\nnew", attachments: [image("/1"), image("/2")] });
    expect(main.puts).toHaveLength(1);
  });
});

test("a parked draft is not put back", async () => {
  await opened("a", { text: "bad", attachments: [] });
  book.edit("a", { text: "bad!" });
  book.forget("a");
  main.advance(10_000);
  book.flushAll();
  expect(main.puts).toHaveLength(0);
  expect(book.view("a").text).toBe("");
});

test("whatever the order of switching, writing, answers and failures, each thread keeps exactly its own text", async () => {
  const keys = ["a", "b", "c"];
  const step = fc.oneof(
    fc.record({ type: fc.constant("open" as const), key: fc.constantFrom(...keys) }),
    fc.record({ type: fc.constant("write" as const), key: fc.constantFrom(...keys) }),
    fc.record({ type: fc.constant("advance" as const), ms: fc.nat(2_000) }),
    fc.record({ type: fc.constant("get" as const), ok: fc.boolean() }),
    fc.record({ type: fc.constant("put" as const), ok: fc.boolean() }),
    fc.record({ type: fc.constant("flush" as const) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      main = new Held();
      book = new DraftBook(main);
      for (const key of keys) main.disk.set(key, { text: `<${key}>`, attachments: [] });
      for (const each of steps) {
        if (each.type === "open") book.open(each.key);
        else if (each.type === "write") book.edit(each.key, { text: `${book.view(each.key).text}${each.key}` });
        else if (each.type === "advance") main.advance(each.ms);
        else if (each.type === "flush") book.flushAll();
        else if (each.type === "get" && main.gets.length > 0) {
          if (each.ok) await main.answerGet();
          else main.gets.shift()?.reject(new Error("x"));
        } else if (each.type === "put" && main.puts.length > 0) {
          if (each.ok) await main.answerPut();
          else main.puts.shift()?.reject(new Error("x"));
        }
        await settled();
      }
      // In the end everything answers, and everything is on disk.
      for (let round = 0; round < 40; round++) {
        while (main.gets.length > 0) await main.answerGet();
        while (main.puts.length > 0) await main.answerPut();
        main.advance(40_000);
      }
      const written = new Set(steps.flatMap((each) => (each.type === "write" ? [each.key] : [])));
      for (const key of keys) {
        const amount = steps.filter((each) => each.type === "write" && each.key === key).length;
        const whole = `<${key}>${key.repeat(amount)}`;
        expect(main.disk.get(key)?.text).toBe(whole);
        if (written.has(key)) expect(book.view(key)).toMatchObject({ text: whole, loaded: true, fault: null });
      }
      expect(main.timers).toHaveLength(0);
    }),
    { numRuns: 150 },
  );
});
