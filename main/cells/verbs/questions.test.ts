// What scripts ask the person: one answer each, and none that outlives its run.

import { beforeEach, describe, expect, it } from "vitest";
import { Fault } from "../../fault";
import { bench, prepareBench } from "../../threads/testRuntime";
import { settle } from "../../threads/testThreads";
import { TestVerbs } from "./testVerbs";

prepareBench();

let script: TestVerbs;

beforeEach(() => {
  script = TestVerbs.over(bench);
});

const idOf = (question: string) => script.asked.find((each) => each.question === question)?.questionId ?? "";

describe("a question", () => {
  it("is shown with who asks, and answered once", async () => {
    const answer = script.call("ask", { question: "Go on?", options: ["Yes", "No"] });
    expect(script.asked).toEqual([
      {
        questionId: expect.stringMatching(/./),
        runId: "run-1",
        scriptName: "Script of run-1",
        workspaceId: bench.workspaceId,
        question: "Go on?",
        options: ["Yes", "No"],
        askedAtMs: bench.clock.nowMs(),
      },
    ]);
    const id = idOf("Go on?");
    expect(script.questions.answer(id, "Rather not")).toBe("sent");
    expect(script.questions.answer(id, "Yes")).toBe("gone");
    expect(await answer).toEqual({ answer: "Rather not" });
    expect(script.asked).toEqual([]);
  });

  it("is one of several, each with its own answer, the oldest first", async () => {
    const answers = ["One?", "Two?", "Two?"].map((question) => script.call("ask", { question }));
    const ids = script.asked.map(({ questionId }) => questionId);
    expect(new Set(ids).size).toBe(3);
    expect(script.asked.map(({ question }) => question)).toEqual(["One?", "Two?", "Two?"]);
    for (const id of ids.toReversed()) script.questions.answer(id, `to ${ids.indexOf(id)}`);
    expect(await Promise.all(answers)).toEqual([{ answer: "to 0" }, { answer: "to 1" }, { answer: "to 2" }]);
  });

  it("that the script gives up is withdrawn", async () => {
    const controller = new AbortController();
    const asking = script.call("ask", { question: "Go on?" }, { signal: controller.signal });
    const given = expect(asking).rejects.toMatchObject({ code: "stopped" });
    const id = idOf("Go on?");
    controller.abort(new Fault("stopped", "Stopped."));
    expect(script.asked).toEqual([]);
    expect(script.questions.answer(id, "Yes")).toBe("gone");
    await given;
  });

  it("of a run that has ended is withdrawn, and no other run's", async () => {
    const mine = script.call("ask", { question: "Mine?" }, { runId: "run-1" });
    const other = script.call("ask", { question: "Other?" }, { runId: "run-2" });
    const given = expect(mine).rejects.toMatchObject({ code: "run_ended" });
    await Promise.all([script.verbs.closed("run-1"), script.verbs.closed("run-1")]);
    await given;
    expect(script.asked.map(({ question }) => question)).toEqual(["Other?"]);
    script.questions.answer(idOf("Other?"), "Yes");
    expect(await other).toEqual({ answer: "Yes" });
  });

  it("is not asked for a run that is given up already", async () => {
    const signal = AbortSignal.abort(new Fault("stopped", "Stopped."));
    await expect(script.call("ask", { question: "Go on?" }, { signal })).rejects.toMatchObject({
      code: "stopped",
    });
    await settle();
    expect(script.asked).toEqual([]);
  });

  it("that was never asked is gone", () => {
    expect(script.questions.answer("nothing", "Yes")).toBe("gone");
  });
});
