import { describe, expect, it } from "vitest";
import type { Request } from "../../preload/contract/requests";
import { commandRequest, threadRow } from "../state/testThread";
import { needsOf, sameNeeds } from "./needs";

const rows = new Map(
  [
    threadRow("a"),
    threadRow("b"),
    threadRow("seen", { state: "failed" }),
    threadRow("early", { state: "failed", unread: true, updatedAtMs: 1 }),
    threadRow("late", { state: "failed", unread: true, updatedAtMs: 2 }),
    threadRow("put away", { state: "failed", unread: true, archived: true }),
  ].map((row) => [row.threadId, row]),
);
const question = (threadId: string): Request => {
  const { command: _c, cwd: _d, reason: _r, network: _n, ...base } = commandRequest(threadId, 5);
  return { ...base, kind: "questions", title: "?", questions: [] };
};

describe("what needs the person", () => {
  it("is what waits longest, then what failed unseen, newest first", () => {
    const needs = needsOf([commandRequest("b", 9), question("a")], rows);
    expect(needs.map((need) => [need.threadId, need.why])).toEqual([
      ["a", "answer"],
      ["b", "approve"],
      ["late", "failed"],
      ["early", "failed"],
    ]);
  });

  it("names a thread once, however much waits in it", () => {
    const needs = needsOf([commandRequest("a", 1), commandRequest("a", 2)], new Map([["a", threadRow("a")]]));
    expect(needs).toHaveLength(1);
  });

  it("has a thread that is not listed yet", () => {
    expect(needsOf([commandRequest("new child")], rows)[0]).toMatchObject({
      threadId: "new child",
      workspaceId: null,
      title: "An agent",
    });
  });

  it("leaves out what is being answered", () => {
    const answering = { ...commandRequest("a"), answering: true };
    expect(needsOf([answering], new Map([["a", threadRow("a")]]))).toEqual([]);
  });
});

it("tells lists apart that look different", () => {
  const one = needsOf([commandRequest("a", 1)], rows);
  expect(sameNeeds(one, needsOf([commandRequest("a", 7)], rows))).toBe(true);
  expect(sameNeeds(one, needsOf([question("a")], rows))).toBe(false);
  expect(sameNeeds(one, one.slice(1))).toBe(false);
});
