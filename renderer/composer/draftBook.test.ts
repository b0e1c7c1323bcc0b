import fc from "fast-check";
import { expect, test } from "vitest";
import { DraftBook } from "./draftBook";
import { settled, TestMain, TestTimers, testIds } from "./testMain";

test("a thread left with a message on its way keeps its draft; the rest of it goes under its own key", async () => {
  const main = new TestMain();
  const book = new DraftBook(main, new TestTimers(), testIds());
  const first = book.of("a");
  const leave = book.hold(first);
  await main.answer("get", { text: "", attachments: [] });
  first.edit("hello");
  first.send("turn");
  first.edit("hello there");
  leave();
  book.hold(book.of("b"));
  await main.answer("get", { text: "", attachments: [] });
  expect(book.of("a")).toBe(first);
  await main.answer("put");
  await main.answer("send");
  expect(main.named("put").map(({ threadKey, text }) => [threadKey, text])).toEqual([
    ["a", "hello"],
    ["a", " there"],
  ]);
  await main.answer("put");
  expect(book.of("a")).not.toBe(first);
});

test("leaving hands over at once what is not kept, and lets go of what is", async () => {
  const main = new TestMain();
  const book = new DraftBook(main, new TestTimers(), testIds());
  const draft = book.of("a");
  const leave = book.hold(draft);
  await main.answer("get", { text: "", attachments: [] });
  draft.edit("hello");
  leave();
  expect(main.named("put")).toMatchObject([{ threadKey: "a", text: "hello" }]);
  expect(book.size).toBe(1);
  await main.answer("put");
  expect(book.size).toBe(0);
});

test("a component that is drawn twice in development holds one draft", async () => {
  const main = new TestMain();
  const book = new DraftBook(main, new TestTimers(), testIds());
  const draft = book.of("a");
  await main.answer("get", { text: "", attachments: [] });
  book.hold(draft)();
  const leave = book.hold(draft);
  expect(book.of("a")).toBe(draft);
  draft.edit("x");
  book.flushAll();
  expect(main.named("put")).toMatchObject([{ threadKey: "a", text: "x" }]);
  leave();
});

test("whatever the order of switching, typing, sending, answers and failures: no text ends up under another thread, and none is lost", async () => {
  const keys = ["a", "b", "c"] as const;
  const step = fc.oneof(
    fc.record({ do: fc.constant("go" as const), key: fc.constantFrom(...keys) }),
    fc.record({ do: fc.constant("type" as const) }),
    fc.record({ do: fc.constant("send" as const) }),
    fc.record({ do: fc.constant("wait" as const), ms: fc.integer({ min: 1, max: 600 }) }),
    fc.record({ do: fc.constant("answer" as const) }),
    fc.record({ do: fc.constant("fail" as const) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const main = new TestMain();
      const timers = new TestTimers();
      const book = new DraftBook(main, timers, testIds());
      // What main has, as the real one does it: in the order in which calls come.
      const disk = new Map<string, string>();
      const sent = new Map<string, string>();
      const handle = async (works: boolean) => {
        const open = main.open.filter((each) => each.call.name !== "next")[0];
        if (!open) return;
        main.open.splice(main.open.indexOf(open), 1);
        const { call } = open;
        if (!works) open.reject(new Error("No."));
        else {
          const kept = disk.get(call.threadKey) ?? "";
          if (call.name === "put") disk.set(call.threadKey, call.text);
          if (call.name === "send") {
            sent.set(call.threadKey, (sent.get(call.threadKey) ?? "") + call.text);
            disk.delete(call.threadKey);
          }
          open.resolve(main.usual(call.name, call.name === "get" ? { text: kept } : {}));
        }
        await settled();
      };
      const typed = new Map<string, string>();
      let shown: string = keys[0];
      let draft = book.of(shown);
      let leave = book.hold(draft);
      let letters = 0;
      for (const each of steps) {
        switch (each.do) {
          case "go":
            leave();
            shown = each.key;
            draft = book.of(shown);
            leave = book.hold(draft);
            break;
          case "type": {
            const mark = `<${shown}${++letters}>`;
            typed.set(shown, (typed.get(shown) ?? "") + mark);
            draft.edit(draft.view.text + mark);
            break;
          }
          case "send":
            draft.send("turn");
            break;
          case "wait":
            timers.advance(each.ms);
            break;
          case "answer":
            await handle(true);
            break;
          case "fail":
            await handle(false);
            break;
          default: {
            const unknown: never = each;
            throw unknown;
          }
        }
      }
      // Main works again, and every thread is looked at once more.
      for (let round = 0; round < 4; round += 1) {
        for (const key of keys) {
          leave();
          draft = book.of(key);
          leave = book.hold(draft);
          draft.retryLoad();
          await settled();
          while (main.open.some(({ call }) => call.name !== "next")) await handle(true);
          draft.flush();
          while (main.open.some(({ call }) => call.name !== "next")) await handle(true);
        }
      }
      leave();
      for (const key of keys) {
        const all = ((sent.get(key) ?? "") + (disk.get(key) ?? "")).replaceAll("\n", "");
        expect(all).toBe(typed.get(key) ?? "");
      }
    }),
    { numRuns: 300 },
  );
});
