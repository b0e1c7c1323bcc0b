import { expect, test } from "vitest";
import { TestTimers } from "../../composer/testMain";
import { EditedScript, type ReadyScript, saveAfterMs, saveAtLeastEveryMs } from "./editedScript";
import { TestScripts } from "./testScripts";

async function opened(part = {}) {
  const main = new TestScripts();
  const timers = new TestTimers();
  const script = new EditedScript("s", main, timers);
  await main.answerRead(part);
  const view = () => {
    if (script.view.phase !== "ready") throw new Error(`it is ${script.view.phase}`);
    return script.view as ReadyScript;
  };
  return { main, timers, script, view };
}

test("what is typed is saved once it has been still for a moment", async () => {
  const { main, timers, script, view } = await opened();
  script.edit("a");
  timers.advance(saveAfterMs - 1);
  script.edit("ab");
  timers.advance(saveAfterMs - 1);
  expect(main.saves).toEqual([]);
  expect(view().saving.state).toBe("saving");
  timers.advance(1);
  expect(main.saves).toEqual([{ scriptId: "s", name: "Script", source: "ab", revision: 1 }]);
  await main.keep(2);
  expect(view().saving.state).toBe("saved");
  expect(script.isSettled).toBe(true);
});

test("someone who never pauses has their words saved all the same", async () => {
  const { main, timers, script } = await opened();
  for (let ms = 0; ms < saveAtLeastEveryMs; ms += 100) {
    script.edit(`after ${ms}`);
    timers.advance(100);
  }
  expect(main.saves).toHaveLength(1);
});

test("what is typed while a save is on its way goes with the next one, over the revision that it gave", async () => {
  const { main, timers, script, view } = await opened();
  script.edit("a");
  script.flush();
  script.edit("ab");
  timers.advance(saveAfterMs * 5);
  expect(main.saves).toHaveLength(1);
  await main.keep(2);
  expect(view().saving.state).toBe("saving");
  timers.advance(saveAfterMs);
  expect(main.saves[1]).toMatchObject({ source: "ab", revision: 2 });
});

test("leaving while a save is on its way saves the rest as soon as it has ended", async () => {
  const { main, script } = await opened();
  script.edit("a");
  script.flush();
  script.edit("ab");
  script.flush();
  await main.keep(2);
  expect(main.saves[1]).toMatchObject({ source: "ab", revision: 2 });
});

test("typed and taken back: nothing is saved", async () => {
  const { main, timers, script, view } = await opened({ source: "a" });
  script.edit("ab");
  script.edit("a");
  timers.advance(saveAtLeastEveryMs);
  expect(main.saves).toEqual([]);
  expect(view().saving.state).toBe("saved");
});

test("a name is saved at once, and an empty one is none", async () => {
  const { main, script, view } = await opened();
  script.rename("  ");
  expect(main.saves).toEqual([]);
  script.rename(" Other ");
  expect(main.saves).toMatchObject([{ name: "Other", source: "text(1);" }]);
  expect(view().name).toBe("Other");
});

test("what another window saves is taken where nothing is unsaved", async () => {
  const { main, script, view } = await opened();
  script.heard();
  await main.answerRead({ source: "theirs", revision: 2 });
  expect(view()).toMatchObject({ source: "theirs", theirs: null, saving: { state: "saved" } });
  script.edit("mine");
  script.flush();
  expect(main.saves).toMatchObject([{ revision: 2 }]);
});

test("its own save, told to it as a change, is nothing new", async () => {
  const { main, script, view } = await opened();
  script.edit("mine");
  script.flush();
  // Before the answer, and after it.
  script.heard();
  expect(main.open).toEqual(["save"]);
  await main.keep(2);
  await main.answerRead({ source: "mine", revision: 2 });
  script.edit("mine, more");
  script.heard();
  await main.answerRead({ source: "mine", revision: 2 });
  expect(view()).toMatchObject({ source: "mine, more", theirs: null });
});

test("a name from there and a text from here are put together", async () => {
  const { main, timers, script, view } = await opened();
  script.edit("mine");
  script.heard();
  await main.answerRead({ name: "Theirs", revision: 2 });
  expect(view()).toMatchObject({ name: "Theirs", source: "mine", theirs: null });
  timers.advance(saveAfterMs);
  expect(main.saves).toEqual([{ scriptId: "s", name: "Theirs", source: "mine", revision: 2 }]);
});

test("both have changed the text: nothing is saved until the person has chosen", async () => {
  const { main, timers, script, view } = await opened();
  script.edit("mine");
  script.heard();
  await main.answerRead({ source: "theirs", revision: 2 });
  expect(view()).toMatchObject({ source: "mine", theirs: { source: "theirs" } });
  script.edit("mine, more");
  script.flush();
  timers.advance(saveAtLeastEveryMs);
  expect(main.saves).toEqual([]);
  expect(script.isSettled).toBe(false);
  script.keepMine();
  expect(main.saves).toEqual([{ scriptId: "s", name: "Script", source: "mine, more", revision: 2 }]);
  await main.keep(3);
  expect(view()).toMatchObject({ source: "mine, more", theirs: null, saving: { state: "saved" } });
});

test("a save that had not seen theirs is refused, and theirs can be taken", async () => {
  const { main, script, view } = await opened();
  script.edit("mine");
  script.flush();
  await main.refuse({ source: "theirs", revision: 5 });
  expect(view()).toMatchObject({ source: "mine", theirs: { revision: 5 } });
  script.takeTheirs();
  expect(view()).toMatchObject({ source: "theirs", theirs: null, saving: { state: "saved" } });
  script.edit("on");
  script.flush();
  expect(main.saves[1]).toMatchObject({ revision: 5 });
});

test("while there is a choice to make, the newest of theirs counts, and one that is the same as mine ends it", async () => {
  const { main, script, view } = await opened();
  script.edit("mine");
  script.heard();
  await main.answerRead({ source: "theirs", revision: 2 });
  script.heard();
  await main.answerRead({ source: "theirs, more", revision: 3 });
  expect(view().theirs).toMatchObject({ revision: 3 });
  script.heard();
  await main.answerRead({ source: "mine", revision: 4 });
  expect(view()).toMatchObject({ source: "mine", theirs: null, saving: { state: "saved" } });
});

test("what cannot be saved stays, is tried again by itself with longer pauses, and is saved when it can be", async () => {
  const { main, timers, script, view } = await opened();
  script.edit("mine");
  script.flush();
  await main.fail("save");
  expect(view()).toMatchObject({ source: "mine", saving: { state: "failing" } });
  timers.advance(500);
  await main.fail("save");
  timers.advance(999);
  expect(main.saves).toHaveLength(2);
  timers.advance(1);
  expect(main.saves).toHaveLength(3);
  await main.keep(2);
  expect(view().saving.state).toBe("saved");
});

test("main is back: it is tried at once", async () => {
  const { main, script } = await opened();
  script.edit("mine");
  script.flush();
  await main.fail("save");
  script.retry();
  expect(main.saves).toHaveLength(2);
});

test("deleted elsewhere: the words stay, and are saved when it is back in the list", async () => {
  const { main, timers, script, view } = await opened();
  script.edit("mine");
  script.flush();
  await main.fail("save", "script_unknown");
  timers.advance(60_000);
  expect(main.saves).toHaveLength(1);
  script.heard();
  await main.answerRead();
  expect(main.saves).toHaveLength(2);
  await main.keep(2);
  expect(view()).toMatchObject({ source: "mine", saving: { state: "saved" } });
});

test("one that cannot be read says so, and is read again", async () => {
  const main = new TestScripts();
  const script = new EditedScript("s", main, new TestTimers());
  await main.fail("read", "script_unknown");
  expect(script.view).toMatchObject({ phase: "unreadable", fault: { code: "script_unknown" } });
  script.retry();
  await main.answerRead();
  expect(script.view.phase).toBe("ready");
});

test("a reading that fails later takes nothing away", async () => {
  const { main, script, view } = await opened();
  script.heard();
  await main.fail("read");
  expect(view().source).toBe("text(1);");
});

test("the page goes away: what is unsaved is sent as the last word, and nothing else is", async () => {
  const { main, script } = await opened();
  script.flushAtEnd();
  expect(main.saves).toEqual([]);
  script.edit("mine");
  script.flushAtEnd();
  expect(main.saves).toEqual([{ scriptId: "s", name: "Script", source: "mine", revision: 1, orCopy: true }]);
});

test("the page goes away with a save on its way: only what was typed since is sent, after it", async () => {
  const { main, script } = await opened();
  script.edit("a");
  script.flush();
  script.flushAtEnd();
  expect(main.saves).toHaveLength(1);
  script.edit("ab");
  script.flushAtEnd();
  expect(main.saves[1]).toEqual({ scriptId: "s", name: "Script", source: "ab", revision: 2, orCopy: true });
});

test("the page goes away before the person has chosen: main is to keep both", async () => {
  const { main, script } = await opened();
  script.edit("mine");
  script.heard();
  await main.answerRead({ source: "theirs", revision: 2 });
  script.flushAtEnd();
  expect(main.saves).toMatchObject([{ source: "mine", revision: 1, orCopy: true }]);
});
