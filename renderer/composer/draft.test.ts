import { expect, test } from "vitest";
import { Draft, keepAfterMs, keepAtLeastEveryMs } from "./draft";
import { image, mention, settled, TestMain, TestTimers, testIds } from "./testMain";

const empty = { text: "", attachments: [] };

function started() {
  const main = new TestMain();
  const timers = new TestTimers();
  const draft = new Draft("thread", main, timers, testIds());
  return { main, timers, draft };
}

async function ready(kept: { text: string; attachments: unknown[] } = empty) {
  const all = started();
  await all.main.answer("get", kept);
  return all;
}

const puts = (main: TestMain) => main.named("put").map((call) => call.text);

test("the kept text is shown exactly, and showing it keeps nothing", async () => {
  const text = "  line\n\tline \u{1f600}\ud800  \n";
  const { main, draft, timers } = await ready({ text, attachments: [image] });
  expect(draft.view).toMatchObject({ phase: "ready", text, attachments: [image] });
  timers.advance(10_000);
  expect(puts(main)).toEqual([]);
});

test("what is typed is kept once it has been still for a moment", async () => {
  const { main, draft, timers } = await ready();
  draft.edit("a");
  timers.advance(keepAfterMs - 1);
  draft.edit("ab");
  timers.advance(keepAfterMs - 1);
  expect(puts(main)).toEqual([]);
  timers.advance(1);
  expect(puts(main)).toEqual(["ab"]);
});

test("someone who never pauses has their text kept all the same", async () => {
  const { main, draft, timers } = await ready();
  for (let ms = 0; ms <= keepAtLeastEveryMs; ms += 100) {
    draft.edit(`${ms}`);
    timers.advance(100);
  }
  expect(puts(main)).toHaveLength(1);
});

test("typing before the kept text is there loses neither, and puts nothing over it", async () => {
  const { main, draft, timers } = started();
  draft.edit("new");
  draft.flush();
  timers.advance(10_000);
  expect(puts(main)).toEqual([]);
  await main.answer("get", { text: "a page", attachments: [] });
  expect(draft.view.text).toBe("a page\nnew");
  expect(puts(main)).toEqual(["a page\nnew"]);
});

test("two presses in one turn of the event loop send once", async () => {
  const { main, draft } = await ready();
  draft.edit("hello");
  expect(draft.send("turn")).toBe(true);
  expect(draft.send("turn")).toBe(false);
  expect(draft.send("queue")).toBe(false);
  await settled();
  expect(main.named("send")).toMatchObject([
    { threadKey: "thread", clientId: "id 1", text: "hello", mode: "turn" },
  ]);
});

test("the text stays until main has it, and is on disk before it leaves", async () => {
  const { main, draft, timers } = await ready();
  draft.edit("hello");
  draft.attach([image]);
  draft.send("turn");
  expect(main.calls.map((call) => call.name)).toEqual(["get", "put", "send"]);
  expect(draft.view).toMatchObject({ text: "hello", sending: true });
  await main.answer("put");
  await main.answer("send");
  expect(draft.view).toMatchObject({ text: "", attachments: [], sending: false, fault: null });
  timers.advance(10_000);
  expect(puts(main)).toEqual(["hello"]);
});

test("what failed to be sent is still there with what went wrong, and can be sent under a new id", async () => {
  const { main, draft } = await ready();
  draft.edit("hello");
  draft.send("turn");
  await main.fail("send", "No room.");
  expect(draft.view).toMatchObject({
    text: "hello",
    sending: false,
    fault: { what: "send", fault: { message: "No room." } },
  });
  expect(puts(main).at(-1)).toBe("hello");
  draft.send("turn");
  expect(draft.view.fault).toBe(null);
  expect(main.named("send").map((call) => call.clientId)).toEqual(["id 1", "id 2"]);
});

test("what is typed while a message is on its way stays, and only that is kept", async () => {
  const { main, draft, timers } = await ready();
  draft.edit("hello");
  draft.send("turn");
  draft.edit("hello and more");
  timers.advance(10_000);
  expect(puts(main)).toEqual(["hello"]);
  await main.answer("put");
  await main.answer("send");
  expect(draft.view.text).toBe(" and more");
  expect(puts(main)).toEqual(["hello", " and more"]);
});

test("a page that goes away in the middle of sending leaves only the rest as a draft", async () => {
  const { main, draft } = await ready();
  draft.edit("hello");
  draft.send("turn");
  draft.flushAtEnd();
  expect(puts(main)).toEqual(["hello"]);
  draft.edit("hello again");
  draft.flushAtEnd();
  expect(puts(main)).toEqual(["hello", " again"]);
  expect(main.calls.map((call) => call.name)).toEqual(["get", "put", "send", "put"]);
});

test("Send before the kept text is there sends once it is, unless something else stood there", async () => {
  const first = started();
  first.draft.edit("quick");
  first.draft.send("turn");
  expect(first.main.named("send")).toEqual([]);
  await first.main.answer("get", empty);
  expect(first.main.named("send")).toMatchObject([{ text: "quick" }]);

  const second = started();
  second.draft.edit("quick");
  second.draft.send("turn");
  await second.main.answer("get", { text: "a page", attachments: [] });
  expect(second.main.named("send")).toEqual([]);
  expect(second.draft.view.text).toBe("a page\nquick");
});

test("a kept text that cannot be read is never written over; it can be read again or put aside", async () => {
  const { main, draft, timers } = started();
  await main.fail("get", "Bad page.");
  expect(draft.view).toMatchObject({ phase: "unreadable", fault: { what: "load" } });
  draft.edit("typed");
  expect(draft.send("turn")).toBe(false);
  timers.advance(10_000);
  draft.flush();
  expect(puts(main)).toEqual([]);
  expect(draft.isSettled).toBe(false);
  draft.retryLoad();
  await main.answer("get", { text: "found", attachments: [] });
  expect(draft.view).toMatchObject({ phase: "ready", text: "found\ntyped", fault: null });
});

test("putting aside an unreadable draft leaves what was typed meanwhile", async () => {
  const { main, draft } = started();
  await main.fail("get");
  draft.edit("typed");
  const parked = draft.park();
  await main.answer("park", { path: "/home/parked.txt" });
  expect(await parked).toBe("/home/parked.txt");
  expect(draft.view).toMatchObject({ phase: "ready", text: "typed", fault: null });
  expect(puts(main)).toEqual(["typed"]);
});

test("putting aside a draft that is shown starts empty", async () => {
  const { main, draft } = await ready({ text: "a page", attachments: [] });
  draft.edit("a page!");
  const parked = draft.park();
  expect(main.calls.map((call) => call.name)).toEqual(["get", "put", "park"]);
  await main.answer("park", { path: "/home/parked.txt" });
  await parked;
  expect(draft.view.text).toBe("");
});

test("a text that could not be kept says so, and is kept with the next try", async () => {
  const { main, draft } = await ready();
  draft.edit("hello");
  draft.flush();
  await main.fail("put", "No room.");
  expect(draft.view.fault).toMatchObject({ what: "keep", fault: { message: "No room." } });
  expect(draft.isSettled).toBe(false);
  draft.flush();
  await main.answer("put");
  expect(draft.view.fault).toBe(null);
  expect(draft.isSettled).toBe(true);
});

test("nothing is sent while an image is still being attached", async () => {
  const { main, draft } = await ready();
  draft.edit("look");
  let save: (saved: (typeof image)[]) => void = () => {};
  const saving = draft.attachWhenSaved(new Promise((resolve) => (save = resolve)));
  expect(draft.send("turn")).toBe(false);
  save([image]);
  await saving;
  expect(draft.send("turn")).toBe(true);
  expect(main.named("send")).toMatchObject([{ attachments: [image] }]);
});

test("an image alone is a message, blanks alone are none", async () => {
  const { draft } = await ready();
  draft.edit(" \n ");
  expect(draft.send("turn")).toBe(false);
  draft.attach([image]);
  expect(draft.send("turn")).toBe(true);
});

test("a file that is mentioned goes with its mention in the text", async () => {
  const { draft } = await ready();
  draft.edit("see src/a.ts ");
  draft.attach([mention, mention]);
  expect(draft.view.attachments).toEqual([mention]);
  draft.edit("see src/a.ts please");
  expect(draft.view.attachments).toEqual([mention]);
  draft.edit("see please");
  expect(draft.view.attachments).toEqual([]);
});

test("what another window types is shown, and nothing is put for it", async () => {
  const { main, draft, timers } = await ready();
  draft.follow();
  const arrived: string[] = [];
  draft.onArrival((text) => arrived.push(text));
  await main.tell("from there");
  expect(draft.view.text).toBe("from there");
  expect(arrived).toEqual(["from there"]);
  timers.advance(10_000);
  expect(puts(main)).toEqual([]);
  expect(main.named("next").at(-1)?.seen.revision).toBe(main.revision);
});

test("what is typed here stays; the other's change is worked in and the result is put", async () => {
  const { main, draft } = await ready({ text: "one two", attachments: [] });
  draft.follow();
  draft.edit("one two three");
  await main.tell("zero one two");
  expect(draft.view).toMatchObject({ text: "zero one two three", bothKept: false });
  expect(puts(main)).toEqual(["zero one two three"]);
  expect(main.named("put")[0]?.seen.revision).toBe(main.revision);
});

test("what both typed in the same place is both kept, and said", async () => {
  const { main, draft } = await ready();
  draft.follow();
  draft.edit("mine");
  await main.tell("theirs");
  expect(draft.view).toMatchObject({ text: "mine\ntheirs", bothKept: true });
  expect(puts(main)).toEqual(["mine\ntheirs"]);
  draft.dismissBothKept();
  expect(draft.view.bothKept).toBe(false);
});

test("a put that had not seen the other's change ends with both, put anew", async () => {
  const { main, draft } = await ready();
  draft.edit("mine");
  draft.flush();
  await main.refuse("theirs");
  expect(draft.view.text).toBe("mine\ntheirs");
  expect(puts(main)).toEqual(["mine", "mine\ntheirs"]);
  expect(main.named("put").map(({ seen }) => seen.revision)).toEqual([0, 1]);
});

test("a change of another window waits for the answer to a put, and an older one is never shown", async () => {
  const { main, draft } = await ready();
  draft.follow();
  draft.edit("mine");
  draft.flush();
  // It was made before the put and told after: the put's revision is the higher one.
  const [question] = main.open.filter(({ call }) => call.name === "next");
  main.revision = 1;
  question?.resolve({ draft: { revision: 1, text: "older", attachments: [] } });
  await settled();
  expect(draft.view.text).toBe("mine");
  await main.answer("put");
  expect(draft.view.text).toBe("mine");
});

test("letters that are being composed are not disturbed", async () => {
  const { main, draft } = await ready();
  draft.follow();
  draft.setComposing(true);
  await main.tell("from there");
  expect(draft.view.text).toBe("");
  draft.setComposing(false);
  expect(draft.view.text).toBe("from there");
});

test("sent in another window: cleared here too, but for what was typed here meanwhile", async () => {
  const { main, draft } = await ready({ text: "hello", attachments: [] });
  draft.follow();
  await main.tell("");
  expect(draft.view.text).toBe("");
  await main.tell("again");
  draft.edit("again and more");
  await main.tell("");
  expect(draft.view.text).toBe(" and more");
});

test("what main kept of a draft that was sent without having seen it is shown after sending", async () => {
  const { main, draft, timers } = await ready({ text: "hello", attachments: [] });
  draft.send("turn");
  await main.answer("send", { text: "hello there" });
  expect(draft.view).toMatchObject({ text: " there", sending: false });
  expect(puts(main)).toEqual([" there"]);
  timers.advance(10_000);
});

test("a page that goes away puts what may have been refused once more, as its last", async () => {
  const { main, draft } = await ready();
  draft.edit("hello");
  draft.flush();
  draft.flushAtEnd();
  expect(main.named("put").map(({ text, isLast }) => [text, isLast])).toEqual([
    ["hello", false],
    ["hello", true],
  ]);
});

test("not hearing of other windows is tried again, and ends with the thread", async () => {
  const { main, draft, timers } = await ready();
  draft.follow();
  await main.fail("next");
  expect(main.named("next")).toHaveLength(1);
  timers.advance(250);
  await settled();
  expect(main.named("next")).toHaveLength(2);
  draft.unfollow();
  await main.answer("next");
  expect(main.named("next")).toHaveLength(2);
});

test("a message that main took back into the draft is shown", async () => {
  const { main, draft } = await ready({ text: "later", attachments: [] });
  const shown = draft.refresh();
  await main.answer("get", { revision: 1, text: "later\n\nfirst", attachments: [image] });
  await shown;
  expect(draft.view).toMatchObject({ text: "later\n\nfirst", attachments: [image] });
  expect(puts(main)).toEqual([]);
});
