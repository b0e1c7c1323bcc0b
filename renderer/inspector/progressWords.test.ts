import { expect, test } from "vitest";
import { turn } from "../state/testThread";
import { contextFill, doneOf, needsFold, otherWaits, serverActions, tookMs, turnLook } from "./progressWords";

const run = { stopping: false, retrying: false };

test("steps that are done are counted", () => {
  expect(
    doneOf([
      { step: "a", status: "completed" },
      { step: "b", status: "inProgress" },
      { step: "c", status: "pending" },
    ]),
  ).toBe(1);
  expect(doneOf([])).toBe(0);
});

test("a turn that goes on says what matters most about it", () => {
  expect(turnLook("running", run, "running")?.word).toBe("Running");
  expect(turnLook("running", { ...run, retrying: true }, "running")?.word).toBe("Held up");
  expect(turnLook("waiting for approval", { ...run, retrying: true }, "running")?.word).toBe(
    "Waits for your approval",
  );
  expect(turnLook("waiting for answer", run, "running")?.word).toBe("Waits for your answer");
  expect(turnLook("waiting for approval", { ...run, stopping: true }, "running")?.word).toBe("Stopping");
});

test("without a run it says how the last turn ended, and nothing before the first", () => {
  expect(turnLook("idle", null, "completed")?.word).toBe("Completed");
  expect(turnLook("failed", null, "failed")).toEqual({ tone: "bad", word: "Failed" });
  expect(turnLook("interrupted", null, "interrupted")?.word).toBe("Interrupted");
  expect(turnLook("idle", null, null)).toBeNull();
});

test("what the state says already is not said again as something waited for", () => {
  const waits = ["your approval", "MCP server docs to start"];
  expect(otherWaits("waiting for approval", waits)).toEqual(["MCP server docs to start"]);
  expect(otherWaits("running", waits)).toEqual(waits);
});

test("codex's own duration goes before the time between start and end", () => {
  expect(tookMs({ ...turn("a"), durationMs: 5, startedAtMs: 0, completedAtMs: 9 })).toBe(5);
  expect(tookMs({ ...turn("a"), startedAtMs: 2, completedAtMs: 9 })).toBe(7);
  expect(tookMs(turn("a"))).toBeNull();
});

test("the context is filled by the last request, never by what the thread spent", () => {
  expect(contextFill({ lastTokens: 48_000, totalTokens: 900_000, contextWindow: 258_000 })).toEqual({
    kind: "of window",
    tokens: 48_000,
    window: 258_000,
    percent: 19,
    level: "calm",
  });
});

test("without a known window there is no fill level", () => {
  const usage = { lastTokens: 48_000, totalTokens: 900_000 };
  expect(contextFill({ ...usage, contextWindow: null })).toEqual({ kind: "tokens only", tokens: 48_000 });
  expect(contextFill({ ...usage, contextWindow: 0 })).toEqual({ kind: "tokens only", tokens: 48_000 });
});

test("a context that fills up says so, and is never more than full", () => {
  const fill = (lastTokens: number) => contextFill({ lastTokens, totalTokens: 0, contextWindow: 1000 });
  expect(fill(799)).toMatchObject({ percent: 80, level: "high" });
  expect(fill(790)).toMatchObject({ level: "calm" });
  expect(fill(950)).toMatchObject({ level: "full" });
  expect(fill(1200)).toMatchObject({ percent: 100, level: "full" });
});

test("only a server that does not work offers something, and signing in goes first where that is what is missing", () => {
  expect(serverActions("needs login")).toEqual(["sign in", "reconnect"]);
  expect(serverActions("failed")).toEqual(["reconnect"]);
  expect(serverActions("starting")).toEqual([]);
  expect(serverActions("ready")).toEqual([]);
  expect(serverActions("cancelled")).toEqual([]);
});

test("an error of one short line is shown as it is, a longer one is folded", () => {
  expect(needsFold("No such file or directory\n")).toBe(false);
  expect(needsFold("handshake failed\ncaused by: 401")).toBe(true);
  expect(needsFold("x".repeat(200))).toBe(true);
});
