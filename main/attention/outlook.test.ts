import { expect, it } from "vitest";
import type { ThreadRow } from "../../preload/contract/app";
import { outlookOf } from "./outlook";

function row(threadId: string, change: Partial<ThreadRow> = {}): ThreadRow {
  return {
    threadId,
    workspaceId: "w",
    title: `Thread ${threadId}`,
    state: "idle",
    archived: false,
    unread: false,
    updatedAtMs: 0,
    parentThreadId: null,
    agent: null,
    source: "app",
    hasDraft: false,
    ...change,
  };
}

it("has what waits, the longest first, and what runs at the top, the newest first", () => {
  const link = {
    kind: "link" as const,
    server: "tracker",
    message: "Log in.",
    url: "https://x",
    decisions: [],
    agentName: null,
    turnId: null,
    itemId: null,
  };
  const outlook = outlookOf(
    [
      { ...link, key: "late", threadId: "a", askedAtMs: 9, answering: false },
      { ...link, key: "answered", threadId: "a", askedAtMs: 1, answering: true },
      { ...link, key: "unlisted", threadId: "x", agentName: "scout", askedAtMs: 2, answering: false },
    ],
    [
      {
        questionId: "q",
        runId: "r",
        scriptName: "Review",
        workspaceId: "w",
        question: "Go\non?",
        options: [],
        askedAtMs: 5,
      },
    ],
    [
      row("a"),
      row("b", { state: "running", updatedAtMs: 1 }),
      row("c", { state: "running", updatedAtMs: 2 }),
      row("d", { state: "running", parentThreadId: "c" }),
    ],
  );
  expect(outlook.needsYou.map(({ label }) => label)).toEqual([
    "scout: tracker asks: Log in.",
    "Review: Asks: Go on?",
    "Thread a: tracker asks: Log in.",
  ]);
  expect(outlook.needsYou.map(({ place }) => place.kind)).toEqual(["app", "run", "thread"]);
  expect(outlook.running.map(({ label }) => label)).toEqual(["Thread c", "Thread b"]);
});
