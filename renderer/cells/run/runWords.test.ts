import { describe, expect, it } from "vitest";
import { runCall } from "../../state/testRuns";
import { agoWords, callName, errorWords, tookWords, toolName, waitingFor } from "./runWords";

describe("what a run waits for", () => {
  it("is counted by kind, the most first", () => {
    const calls = [
      runCall(1, { tool: "ask" }),
      runCall(2),
      runCall(3),
      runCall(4, { state: "done" }),
      runCall(5, { tool: "listThreads" }),
      runCall(6, { tool: "toString" }),
      runCall(7, { tool: "startThread" }),
    ];
    expect(waitingFor(calls)).toBe("2 turns, 2 calls, 1 answer, 1 thread to start");
  });

  it("is nothing once all is answered", () => {
    expect(waitingFor([runCall(1, { state: "done" }), runCall(2, { state: "cut off" })])).toBeNull();
  });
});

it("names tools as people say them, and others by their own name", () => {
  expect(toolName("startThread")).toBe("Start a thread");
  expect(toolName("constructor")).toBe("constructor");
});

it("says all of a call to those who do not see it", () => {
  expect(callName(runCall(1))).toBe("Wait for a turn: Fix login, pending");
  expect(callName(runCall(1, { state: "failed", summary: "", error: "It was stopped." }))).toBe(
    "Wait for a turn, failed, It was stopped.",
  );
});

it("says how long it took once it has ended", () => {
  expect(tookWords({ startedAtMs: 1_000, endedAtMs: null })).toBeNull();
  expect(tookWords({ startedAtMs: 1_000, endedAtMs: 15_000 })).toBe("took 14 s");
});

it("says how long ago it was, in the words of the list", () => {
  expect(["now", "9m", "2h", "Tue", "12 Mar"].map(agoWords)).toEqual([
    "just now",
    "9m ago",
    "2h ago",
    "Tue",
    "12 Mar",
  ]);
});

describe("an error", () => {
  const source = "const a = 1;\n  a.b.c();\n";
  const text = "TypeError: cannot read property 'c' of undefined\n    at <anonymous> (script.js:2:7)\n";

  it("is its message, with its trace apart and the line that it points at", () => {
    expect(errorWords({ text, at: { line: 2, column: 7 }, isLimit: false }, source)).toEqual({
      text: "TypeError: cannot read property 'c' of undefined",
      trace: "    at <anonymous> (script.js:2:7)",
      line: { number: 2, column: 7, source: "a.b.c();" },
    });
  });

  it("without a trace or a place is only its text", () => {
    expect(errorWords({ text: "It took too long.", at: null, isLimit: true }, source)).toEqual({
      text: "It took too long.",
      trace: null,
      line: null,
    });
  });
});
