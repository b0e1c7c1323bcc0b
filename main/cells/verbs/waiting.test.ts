// Waiting for a turn: what counts as going on, and how a wait ends.

import { describe, expect, it } from "vitest";
import { Fault } from "../../fault";
import { agentItem, codexThread, codexTurn, listed, resumed, userItem } from "../../threads/testCodexData";
import {
  begin,
  bench,
  codex,
  complete,
  later,
  opened,
  past,
  runtime,
  say,
  status,
  T,
} from "../../threads/testRuntime";
import { settle } from "../../threads/testThreads";
import { agent, ends, goesOn, prepareScript, saysActive, script, shows, wait } from "./testScript";

prepareScript();

describe("a thread in which nothing runs", () => {
  it("is loaded, and its last turn is told at once", async () => {
    const seen = await wait();
    expect(seen.end).toEqual({ turnId: "t1", status: "completed", answer: "Hi", error: null });
    codex().only("thread/resume");
  });

  it("that cannot be loaded: the wait ends with the reason", async () => {
    bench.rule("thread/resume", () => new Error("thread thread-1 already has an active writer"));
    const seen = await wait();
    expect(seen.end).toMatchObject({ code: "open_elsewhere" });
  });

  it("that Holdfast does not know", async () => {
    const key = bench.threads.compose(bench.workspaceId);
    for (const threadId of ["unheard-of", key])
      await expect(script.call("waitForTurn", { threadId })).rejects.toMatchObject({
        code: "thread_unknown",
      });
    expect(codex().all("thread/start")).toEqual([]);
  });

  it("that is archived: what is known of it is told", async () => {
    await opened();
    say("thread/archived");
    bench.rule("thread/resume", () => new Error("session thread-1 is archived"));
    await settle();
    expect((await wait()).end).toMatchObject({ turnId: "t1" });
  });
});

describe("a turn", () => {
  it("is waited for from the moment its message is sent, to its last word", async () => {
    await opened();
    const clientId = crypto.randomUUID();
    bench.threads.send(T, { clientId, text: "Go", attachments: [], mode: "turn" });
    const seen = await wait();
    codex()
      .only("turn/start")
      .answer({ turn: codexTurn("t2") });
    await later(5_000);
    begin("t2");
    shows("t2", "Go", clientId);
    agent("t2", "On the way", "commentary");
    await later(5_000);
    expect(seen.end).toBeNull();
    agent("t2", "All done", "final_answer");
    agent("t2", "By the way", "commentary");
    ends("t2");
    await settle();
    expect(seen.end).toEqual({ turnId: "t2", status: "completed", answer: "All done", error: null });
  });

  it("that is over by its status is not told before it is known how it ended", async () => {
    await opened();
    await goesOn("t2");
    const seen = await wait();
    status("idle");
    await settle();
    expect(seen.end).toBeNull();
    complete("t2", "failed");
    await settle();
    expect(seen.end).toMatchObject({ turnId: "t2", status: "failed" });
  });

  it("whose completion is lost is told from codex's record", async () => {
    await opened();
    const clientId = await goesOn("t2");
    const seen = await wait();
    const turn = codexTurn("t2", "completed", [userItem("u2", "Go", clientId), agentItem("a2", "Recorded")]);
    bench.rule("thread/turns/list", () => listed([past, turn]));
    status("idle");
    await later(3_000);
    expect(seen.end).toMatchObject({ turnId: "t2", status: "completed", answer: "Recorded" });
  });

  it("that codex has not named is told from its record, not the one before it", async () => {
    await opened();
    status("active");
    const seen = await wait();
    const turn = codexTurn("t2", "completed", [agentItem("a2", "Unheard")]);
    status("idle");
    await settle();
    expect(seen.end).toBeNull();
    bench.hold("thread/turns/list");
    await later(3_000);
    expect(seen.end).toBeNull();
    codex()
      .last("thread/turns/list")
      .answer(listed([past, turn]));
    await later(1_000);
    expect(seen.end).toMatchObject({ turnId: "t2", answer: "Unheard" });
  });

  it("of which nothing becomes known is not waited for for ever", async () => {
    await opened();
    await goesOn("t2");
    const seen = await wait();
    bench.rule("thread/turns/list", () => new Error("cannot list"));
    status("idle");
    await later(40_000);
    expect(seen.end).toBeNull();
    await later(40_000);
    expect(seen.end).toMatchObject({
      turnId: "t2",
      status: "interrupted",
      error: expect.stringMatching("not known"),
    });
  });

  it("that waits for the person is waited for", async () => {
    await opened();
    await goesOn("t2");
    saysActive();
    const seen = await wait();
    codex().ask(7, "item/commandExecution/requestApproval", {
      threadId: T,
      turnId: "t2",
      itemId: "c1",
      startedAtMs: 1,
      command: "make",
      cwd: "/home/ada/engine",
    });
    status("active", ["waitingOnApproval"]);
    await later(600_000);
    expect(runtime().state.head.state).toBe("waiting for approval");
    expect(seen.end).toBeNull();
    ends("t2", "interrupted");
    await settle();
    expect(seen.end).toMatchObject({ status: "interrupted" });
  });
});

describe("a wait is given up", () => {
  it("when its time is over", async () => {
    await opened();
    await goesOn("t2");
    const seen = await wait({ timeoutMs: 4_000 });
    await later(3_000);
    expect(seen.end).toBeNull();
    await later(1_000);
    expect(seen.end).toMatchObject({ code: "timeout", message: "The turn has not ended within 4 s." });
    expect(runtime().state.attended).toBe(false);
    expect(runtime().state.running).toBe(true);
  });

  it("also while the thread is being loaded", async () => {
    bench.hold("thread/resume");
    const seen = await wait({ timeoutMs: 2_000 });
    await later(2_000);
    expect(seen.end).toMatchObject({ code: "timeout" });
    codex()
      .only("thread/resume")
      .answer(resumed(T, [past]));
  });

  it("when it is cancelled, with that reason", async () => {
    await opened();
    await goesOn("t2");
    const controller = new AbortController();
    const seen = await wait({}, { signal: controller.signal });
    controller.abort(new Fault("stopped", "The run was stopped."));
    await settle();
    expect(seen.end).toMatchObject({ code: "stopped" });
    expect(runtime().state.attended).toBe(false);
  });

  it("when its run has ended, and no other's", async () => {
    await opened();
    await goesOn("t2");
    const [mine, other] = [await wait({}, { runId: "run-1" }), await wait({}, { runId: "run-2" })];
    await script.verbs.closed("run-1");
    expect(mine.end).toMatchObject({ code: "run_ended" });
    expect(other.end).toBeNull();
    expect(runtime().state.attended).toBe(true);
    await script.verbs.closed("run-1");
    ends("t2");
    await settle();
    expect(other.end).toMatchObject({ turnId: "t2" });
  });
});

describe("what the run itself has sent", () => {
  it("is waited for although its sending was not", async () => {
    bench.hold("thread/resume");
    const sending = script.call("sendMessage", { threadId: T, text: "Go" });
    const seen = await wait();
    codex()
      .last("thread/resume")
      .answer(resumed(T, [past]));
    await later(2_000);
    expect(seen.end).toBeNull();
    codex()
      .only("turn/start")
      .answer({ turn: codexTurn("t2") });
    await sending;
    begin("t2");
    shows("t2", "Go", [...bench.runMarks.messages.keys()][0] ?? null);
    ends("t2");
    await settle();
    expect(seen.end).toMatchObject({ turnId: "t2" });
  });

  it("and codex has lost: the turn before it is not taken for its answer", async () => {
    const sending = script.call("sendMessage", { threadId: T, text: "Go" });
    await settle();
    codex()
      .only("turn/start")
      .answer({ turn: codexTurn("t2") });
    await sending;
    await bench.kill();
    const seen = await wait();
    await later(3_000);
    expect(seen.end).toMatchObject({ code: "message_undelivered" });
    expect(bench.ledger.submissions.listOpen()).toMatchObject([{ text: "Go", state: "undelivered" }]);
  });
});

it("a thread that codex has made and in which nothing was ever sent has no turn", async () => {
  bench.rule("thread/resume", () => ({ ...resumed(T, []), thread: codexThread(T) }));
  bench.rule("thread/turns/list", () => listed([]));
  expect((await wait()).end).toMatchObject({ code: "no_turn" });
});
