import { expect, test } from "vitest";
import { TestTimers } from "../../composer/testMain";
import { ScriptBook } from "./scriptBook";
import { TestScripts } from "./testScripts";

async function book() {
  const main = new TestScripts();
  const timers = new TestTimers();
  const copied: string[][] = [];
  const scripts = new ScriptBook(main, timers, (from, to) => copied.push([from, to]));
  return { main, timers, copied, scripts };
}

test("a script is the same for as long as somebody shows it or it is not saved", async () => {
  const { main, timers, scripts } = await book();
  const script = scripts.of("s");
  const letGo = scripts.hold(script);
  await main.answerRead();
  script.edit("mine");
  letGo();
  expect(main.saves).toHaveLength(1);
  expect(scripts.of("s")).toBe(script);
  await main.fail("save");
  expect(scripts.of("s")).toBe(script);
  timers.advance(500);
  await main.keep(2);
  expect(scripts.size).toBe(0);
});

test("typing into one that came with Holdfast makes one copy, with all that is typed until it is there", async () => {
  const { main, timers, copied, scripts } = await book();
  const original = scripts.of("shipped");
  scripts.hold(original);
  await main.answerRead({ origin: "shipped", source: "a" });
  original.edit("ab");
  original.edit("abc");
  expect(main.copies).toEqual([{ fromScriptId: "shipped", source: "ab" }]);
  await main.answerCopy("copy");
  original.edit("abcd");
  await main.answerRead({ source: "ab" });
  expect(copied).toEqual([["shipped", "copy"]]);
  expect(original.view).toMatchObject({ source: "a", saving: { state: "saved" } });
  const copy = scripts.of("copy");
  expect(copy.view).toMatchObject({ source: "abcd" });
  // The original itself is never saved.
  timers.advance(5_000);
  expect(main.saves).toMatchObject([{ scriptId: "copy", source: "abcd" }]);
});

test("a copy that is shown nowhere yet is held for whoever is about to show it", async () => {
  const { main, timers, scripts } = await book();
  scripts.hold(scripts.of("shipped"));
  await main.answerRead({ origin: "shipped", source: "a" });
  const copying = scripts.copy("shipped");
  await Promise.resolve();
  await main.answerCopy("copy");
  await main.answerRead({ source: "a" });
  expect(await copying).toBe("copy");
  const copy = scripts.of("copy");
  expect(copy.view.phase).toBe("ready");
  scripts.hold(copy);
  timers.advance(10_000);
  expect(scripts.of("copy")).toBe(copy);
});

test("a copy that cannot be made leaves the words where they are, and typing on tries again", async () => {
  const { main, scripts } = await book();
  const original = scripts.of("shipped");
  scripts.hold(original);
  await main.answerRead({ origin: "shipped", source: "a" });
  original.edit("ab");
  await main.fail("copy");
  expect(original.view).toMatchObject({ source: "ab", saving: { state: "failing" } });
  original.edit("abc");
  expect(main.copies).toHaveLength(2);
  await main.fail("copy");
  original.retry();
  expect(main.copies).toHaveLength(3);
});
