import { describe, expect, it } from "vitest";
import type { Request } from "../../preload/contract/requests";
import { cellQuestion } from "../state/testRuns";
import { commandRequest, threadRow } from "../state/testThread";
import { type Need, needsOf, nextNeed, sameNeeds } from "./needs";

const threadOf = (need: Need | null | undefined) => (need && "threadId" in need ? need.threadId : null);

const rows = new Map(
  [
    threadRow("a"),
    threadRow("b", { title: "Fix login" }),
    threadRow("child", { parentThreadId: "b" }),
    threadRow("grandchild", { parentThreadId: "child" }),
    threadRow("seen", { state: "failed" }),
    threadRow("early", { state: "failed", unread: true, updatedAtMs: 1 }),
    threadRow("late", { state: "failed", unread: true, updatedAtMs: 2 }),
    threadRow("put away", { state: "failed", unread: true, archived: true }),
  ].map((row) => [row.threadId, row]),
);
const onlyRow = new Map([["a", threadRow("a")]]);
const question = (threadId: string, askedAtMs = 5): Request => {
  const { command: _c, cwd: _d, reason: _r, network: _n, ...base } = commandRequest(threadId, askedAtMs);
  return { ...base, kind: "questions", title: "?", questions: [] };
};

describe("what needs the person", () => {
  it("is what waits longest, then what failed unseen, newest first", () => {
    const needs = needsOf([commandRequest("b", 9), question("a")], [], rows);
    expect(needs.map((need) => [threadOf(need), need.why, need.what])).toEqual([
      ["a", "answer", "question"],
      ["b", "approve", "command"],
      ["late", "failed", null],
      ["early", "failed", null],
    ]);
    expect(needs[1]?.sinceMs).toBe(9);
  });

  it("has each request of a thread, and a thread that asks is not said to have failed too", () => {
    const failed = new Map([["a", threadRow("a", { state: "failed", unread: true })]]);
    const needs = needsOf([commandRequest("a", 2), commandRequest("a", 1)], [], failed);
    expect(needs.map(({ sinceMs, why }) => [sinceMs, why])).toEqual([
      [1, "approve"],
      [2, "approve"],
    ]);
  });

  it("names the agent that asks and the thread that it works for, however deep it is", () => {
    const [need] = needsOf([{ ...commandRequest("grandchild"), agentName: "tester" }], [], rows);
    expect(need).toMatchObject({ title: "tester", within: "Fix login", threadId: "grandchild" });
  });

  it("has a thread that is not listed yet", () => {
    expect(needsOf([commandRequest("new child")], [], rows)[0]).toMatchObject({
      threadId: "new child",
      workspaceId: null,
      title: "An agent",
      within: null,
    });
  });

  it("has what scripts ask in it, by how long it waits", () => {
    const asked = cellQuestion("q", { askedAtMs: 2, runId: "run", workspaceId: "atlas" });
    const needs = needsOf([commandRequest("a", 1), commandRequest("b", 3)], [asked], onlyRow);
    expect(needs.map(({ of, key }) => [of, key])).toEqual([
      ["request", "request a 1"],
      ["question", "q"],
      ["request", "request b 3"],
    ]);
    expect(needs[1]).toMatchObject({ title: "Review a branch", runId: "run", why: "answer", what: "script" });
    expect(needs.map(({ question }) => question)).toEqual([null, asked.question, null]);
  });

  it("leaves out what is being answered", () => {
    expect(needsOf([{ ...commandRequest("a"), answering: true }], [], onlyRow)).toEqual([]);
  });
});

describe("the next one", () => {
  const needs = needsOf(
    [commandRequest("a", 1), commandRequest("a", 2), commandRequest("b", 3)],
    [],
    onlyRow,
  );
  const at = (index: number) => needs[index]?.key ?? "";

  it("comes after the request that is looked at, and the first after the last", () => {
    expect(nextNeed(needs, { key: at(0), threadId: "a" })?.key).toBe(at(1));
    expect(nextNeed(needs, { key: at(2), threadId: "b" })?.key).toBe(at(0));
  });

  it("is the first one from anywhere else, and the one after a thread that failed", () => {
    expect(nextNeed(needs, { key: null, threadId: "elsewhere" })?.key).toBe(at(0));
    expect(nextNeed(needs, { key: "gone", threadId: null })?.key).toBe(at(0));
    const withFailed = needsOf([commandRequest("a", 1)], [], rows);
    expect(threadOf(nextNeed(withFailed, { key: null, threadId: "late" }))).toBe("early");
  });

  it("goes from a request to a script's question and on", () => {
    const mixed = needsOf(
      [commandRequest("a", 1), commandRequest("b", 3)],
      [cellQuestion("q", { askedAtMs: 2 })],
      rows,
    );
    expect(nextNeed(mixed, { key: "request a 1", threadId: "a" })?.key).toBe("q");
    expect(nextNeed(mixed, { key: "q", threadId: null })?.key).toBe("request b 3");
    expect(nextNeed(mixed, { key: null, threadId: "a" })?.key).toBe("q");
  });

  it("is none when nothing waits", () => {
    expect(nextNeed([], { key: null, threadId: "a" })).toBeNull();
  });
});

it("tells lists apart that look different", () => {
  const one = needsOf([commandRequest("a", 1)], [], rows);
  expect(sameNeeds(one, needsOf([commandRequest("a", 1)], [], rows))).toBe(true);
  expect(sameNeeds(one, needsOf([question("a", 1)], [], rows))).toBe(false);
  expect(sameNeeds(one, needsOf([{ ...commandRequest("a", 1), agentName: "tester" }], [], rows))).toBe(false);
  const ask = (part: Parameters<typeof cellQuestion>[1]) => needsOf([], [cellQuestion("q", part)], onlyRow);
  expect(sameNeeds(ask({}), ask({}))).toBe(true);
  expect(sameNeeds(ask({}), ask({ scriptName: "Other" }))).toBe(false);
  expect(sameNeeds(one, one.slice(1))).toBe(false);
});
