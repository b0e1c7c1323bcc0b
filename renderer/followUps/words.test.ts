import { describe, expect, test } from "vitest";
import type { FollowUpsView, FollowUpView } from "../../preload/contract/thread";
import { image, mention } from "../composer/testMain";
import { entryName, keeperWords, lineOf, queueWords, sendWords, waitingWords } from "./words";

function entry(text: string, part: Partial<FollowUpView> = {}): FollowUpView {
  return { clientId: text, text, attachments: [], state: "queued", ...part };
}

function followUps(texts: string[], held: FollowUpsView["held"] = null): FollowUpsView {
  return { entries: texts.map((text) => entry(text)), held, keeper: "codex" };
}

describe("a row is called", () => {
  test("by its text and its place", () => {
    expect(entryName(entry("update the changelog"), 1, 3)).toBe("update the changelog, 1 of 3");
  });

  test("by one line, however it was written, and not by a page", () => {
    expect(entryName(entry("one\n\n\ttwo  three\n"), 2, 2)).toBe("one two three, 2 of 2");
    const name = entryName(entry("word ".repeat(500)), 1, 1);
    expect(name).toMatch(/^(word )+word…, 1 of 1$/);
    expect(name.length).toBeLessThan(200);
  });

  test("with what it brings along and what goes on with it", () => {
    const attachments = [image, mention];
    expect(entryName(entry("look", { attachments, state: "changing" }), 1, 1)).toBe(
      "look, 1 of 1, 2 attachments, being changed",
    );
  });

  test("with the script that has queued it", () => {
    const byRun = { runId: "run", scriptName: "Review a branch" };
    expect(entryName(entry("look", { byRun }), 1, 1)).toBe("look, 1 of 1, by the script Review a branch");
    expect(waitingWords({ entries: [entry("look", { byRun })], held: null, keeper: "codex" })).toBe(
      "1 follow-up waits. Next: look, by the script Review a branch",
    );
  });

  test("by its attachments where there is no text", () => {
    expect(lineOf(entry(" \n", { attachments: [image] }))).toBe("cat.png");
    expect(lineOf(entry("", { attachments: [image, mention] }))).toBe("2 attachments");
  });
});

describe("the line above the composer", () => {
  test("says how many wait, and which is next", () => {
    expect(waitingWords(followUps(["a"]))).toBe("1 follow-up waits. Next: a");
    expect(waitingWords(followUps(["a", "b"]))).toBe("2 follow-ups wait. Next: a");
  });

  test("says what holds them", () => {
    expect(waitingWords(followUps(["a", "b"], "stopped"))).toBe(
      "2 follow-ups wait, held: the turn was stopped. First: a",
    );
    expect(waitingWords(followUps(["a"], "failed"))).toContain("the turn failed");
  });
});

describe("the buttons of the composer", () => {
  test("a message that is sent while they are held lets them go on after it, and that is said", () => {
    expect(sendWords(followUps([], "stopped"))).toBe("Send");
    expect(sendWords(followUps(["a"]))).toBe("Send");
    expect(sendWords(followUps(["a"], "stopped"))).toBe("Send now; the held follow-up goes on after it");
    expect(sendWords(followUps(["a", "b"], "failed"))).toBe("Send now; the 2 held follow-ups go on after it");
  });

  test("what is queued comes after what waits already", () => {
    expect(queueWords(followUps([]))).toMatch(/^After this turn ends: /);
    expect(queueWords(followUps(["a", "b"]))).toMatch(/^After this turn ends and 2 follow-ups before it: /);
  });
});

test("who sends them is promised only where nothing holds them and the model stays", () => {
  expect(keeperWords({ keeper: "codex", held: null }, false)).toMatch(/also while Holdfast is closed/);
  expect(keeperWords({ keeper: "holdfast", held: null }, false)).toMatch(/only while it is open/);
  expect(keeperWords({ keeper: "codex", held: "stopped" }, false)).toBeNull();
  expect(keeperWords({ keeper: "codex", held: null }, true)).toBeNull();
});
