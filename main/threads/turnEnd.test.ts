import { expect, it } from "vitest";
import type { Turn } from "../codex/protocol/v2/Turn";
import { codexTurn } from "./testCodexData";
import { Transcript } from "./transcript";
import { turnEndOf } from "./turnEnd";

function end(turn: object, turnId: string | null = "t") {
  const transcript = new Transcript();
  transcript.turnStarted(codexTurn("t", "inProgress") as Turn);
  transcript.itemCompleted("t", { type: "agentMessage", id: "a", text: "First I look." }, 1);
  transcript.itemCompleted("t", { type: "agentMessage", id: "b", text: "It is done." }, 2);
  transcript.turnCompleted({ ...codexTurn("t", "completed"), ...turn } as Turn, 3);
  return turnEndOf("p", turnId, { transcript, watched: false });
}

it("a completed turn ends with the last thing that the agent said", () => {
  expect(end({})).toMatchObject({ turnId: "t", outcome: "completed", words: "It is done." });
  expect(end({}, null)).toMatchObject({ turnId: "t", outcome: "completed" });
});

it("a failed one with why, a stopped one with nothing", () => {
  const error = { message: "The model is away.", codexErrorInfo: null, additionalDetails: null };
  expect(end({ status: "failed", error })).toMatchObject({ outcome: "failed", words: "The model is away." });
  expect(end({ status: "interrupted" })).toMatchObject({ outcome: "stopped", words: null });
});

it("one that nobody has the record of has ended all the same", () => {
  expect(end({}, "unknown")).toEqual({
    threadId: "p",
    turnId: "unknown",
    isWatched: false,
    outcome: "completed",
    words: null,
  });
});
