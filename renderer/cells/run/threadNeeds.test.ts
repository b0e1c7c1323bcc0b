import { describe, expect, it } from "vitest";
import { commandRequest, threadRow } from "../../state/testThread";
import { threadNeeds, threadsAtWork } from "./threadNeeds";

const rows = new Map(
  [
    threadRow("a", { state: "waiting for approval" }),
    threadRow("b", { state: "running" }),
    threadRow("child", { parentThreadId: "b", state: "waiting for approval" }),
    threadRow("c", { state: "idle" }),
    threadRow("stranger", { state: "running" }),
  ].map((row) => [row.threadId, row]),
);
const threads = ["a", "b", "c", "gone"].map((threadKey) => ({ threadKey, title: threadKey }));

describe("the threads of a run that wait for the person", () => {
  it("are those that ask, with their agents, each once, the longest first", () => {
    const waiting = [
      commandRequest("a", 9),
      commandRequest("child", 5),
      commandRequest("a", 7),
      commandRequest("stranger", 1),
    ];
    expect(threadNeeds(threads, waiting, rows)).toEqual([commandRequest("child", 5), commandRequest("a", 7)]);
  });

  it("are not those that are being answered", () => {
    expect(threadNeeds(threads, [{ ...commandRequest("a"), answering: true }], rows)).toEqual([]);
  });
});

it("counts the threads of a run whose turns run, waiting or not", () => {
  expect(threadsAtWork(threads, rows)).toBe(2);
});
