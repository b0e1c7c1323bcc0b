// What scripts send to threads, and how that shows in a window.

import { describe, expect, it } from "vitest";
import { Fault } from "../../fault";
import { agentItem, codexTurn, resumed, userItem } from "../../threads/testCodexData";
import {
  begin,
  bench,
  codex,
  complete,
  finish,
  opened,
  past,
  runtime,
  status,
  T,
} from "../../threads/testRuntime";
import { settle } from "../../threads/testThreads";
import { byRun, codexWorks, goesOn, newEnds, prepareScript, script, turnStarts } from "./testScript";

prepareScript();

describe("sendMessage", () => {
  it("begins a turn, and is told as the script's", async () => {
    const window = await opened();
    bench.ledger.drafts.put(T, "Half a thought", []);
    const sending = script.call("sendMessage", { threadId: T, text: "Go" });
    await settle();
    expect(window.head.submissions).toMatchObject([{ text: "Go", byRun }]);
    codex()
      .only("turn/start")
      .answer({ turn: codexTurn("t2") });
    expect(await sending).toEqual({ threadId: T });
    begin("t2");
    finish("t2", userItem("u2", "Go", String(turnStarts()[0]?.params.clientUserMessageId)));
    expect(window.copy.items.at(-1)).toMatchObject({ kind: "user", text: "Go", byRun });
    expect(window.head.startedByRun).toBeUndefined();
    expect(bench.threads.drafts.get(T).text).toBe("Half a thought");
    status("idle");
    complete("t2");
  });

  it("goes into the turn that runs, also when that is only known once the thread is loaded", async () => {
    bench.rule("thread/resume", () => resumed(T, [past, codexTurn("t2")], { status: "active" }));
    const sending = script.call("sendMessage", { threadId: T, text: "And this" });
    await settle();
    expect(codex().only("turn/steer").params).toMatchObject({ expectedTurnId: "t2" });
    codex().only("turn/steer").answer({ turnId: "t2" });
    await sending;
    expect(turnStarts()).toEqual([]);
    const { clientUserMessageId } = codex().only("turn/steer").params;
    finish("t2", userItem("u2", "And this", String(clientUserMessageId)));
    status("idle");
    complete("t2");
  });

  it.each([
    ["sendMessage", { threadId: T, text: "Go" }],
    ["queueFollowUp", { threadId: T, text: "Go" }],
    ["startThread", { text: "Go" }],
  ] as const)("%s fails at once where nothing can be sent, and leaves nothing behind", async (name, args) => {
    const window = await opened();
    const threads = bench.threads.all.length;
    script.cannotSend.set(bench.workspaceId, new Fault("no_account", "codex has no account."));
    await expect(script.call(name, args)).rejects.toMatchObject({ code: "no_account" });
    expect(window.head.submissions).toEqual([]);
    expect(bench.threads.all.length).toBe(threads);
    expect(turnStarts()).toEqual([]);
  });

  it("to a thread that cannot be loaded sends nothing, and says why", async () => {
    bench.rule("thread/resume", () => new Error("thread thread-1 already has an active writer"));
    await expect(script.call("sendMessage", { threadId: T, text: "Go" })).rejects.toMatchObject({
      code: "open_elsewhere",
    });
    expect(bench.ledger.submissions.listOpen()).toEqual([]);
    expect(bench.runMarks.messages.size).toBe(0);
  });

  it("that codex refuses says why, and the message stays in the window", async () => {
    bench.rule("turn/start", () => new Error("no such model"));
    const window = await opened();
    await expect(script.call("sendMessage", { threadId: T, text: "Go" })).rejects.toMatchObject({
      message: "The message was not delivered: no such model",
    });
    expect(window.sending).toEqual(["Go: undelivered"]);
  });

  it("several at once go out in their order", async () => {
    await opened();
    await goesOn("t2");
    const texts: unknown[] = [];
    bench.rule("turn/steer", ({ params }) => {
      const [{ text }] = params.input as [{ text: string }];
      texts.push(text);
      finish("t2", userItem(`u-${text}`, text, String(params.clientUserMessageId)));
      return { turnId: "t2" };
    });
    await Promise.all(
      ["one", "two", "three"].map((text) => script.call("sendMessage", { threadId: T, text })),
    );
    expect(texts).toEqual(["one", "two", "three"]);
    status("idle");
    complete("t2");
  });

  it("is still the script's after a restart, from codex's own record", async () => {
    codexWorks();
    const { threadId } = await script.call("startThread", { text: "Go" });
    const clientId = String(turnStarts()[0]?.params.clientUserMessageId);
    newEnds(threadId, "Go", clientId);
    await settle();
    await bench.restart({ codexLives: false });
    await bench.reconnect();
    const turn = codexTurn("t1", "completed", [userItem("u", "Go", clientId), agentItem("a", "Done")]);
    bench.rule("thread/resume", () => resumed(threadId, [turn]));
    const window = bench.open(threadId);
    await settle();
    expect(window.copy.items[0]).toMatchObject({ kind: "user", byRun });
    expect(window.head.startedByRun).toEqual(byRun);
  });
});

describe("queueFollowUp", () => {
  it("waits in the queue while a turn runs, told as the script's", async () => {
    await opened();
    await goesOn("t2");
    bench.rule("thread/queue/add", ({ params }) => ({ queuedSubmission: { id: "q1", ...params } }));
    await script.call("queueFollowUp", { threadId: T, text: "Next" });
    expect(runtime().state.head.followUps.entries).toMatchObject([{ text: "Next", state: "queued", byRun }]);
    status("idle");
    complete("t2");
  });

  it("begins a turn at once when none runs", async () => {
    const sending = script.call("queueFollowUp", { threadId: T, text: "Next" });
    await settle();
    codex()
      .only("turn/start")
      .answer({ turn: codexTurn("t2") });
    await sending;
    finish("t2", userItem("u2", "Next", String(turnStarts()[0]?.params.clientUserMessageId)));
    status("idle");
    complete("t2");
  });
});

describe("interrupt", () => {
  it("stops the turn, waits for its end, and the thread says who did it", async () => {
    await opened();
    await goesOn("t2");
    bench.rule("turn/interrupt", () => ({}));
    let answer: unknown = null;
    void script.call("interrupt", { threadId: T }).then((given) => {
      answer = given;
    });
    await settle();
    expect(codex().only("turn/interrupt").params).toMatchObject({ turnId: "t2" });
    expect(answer).toBeNull();
    status("idle");
    complete("t2", "interrupted");
    await settle();
    expect(answer).toEqual({ interrupted: true });
    expect(runtime().state.transcript.items.at(-1)).toMatchObject({
      kind: "notice",
      text: "Stopped by the script Script of run-1",
    });
  });

  it("says so when nothing ran", async () => {
    await opened();
    expect(await script.call("interrupt", { threadId: T })).toEqual({ interrupted: false });
    expect(codex().all("turn/interrupt")).toEqual([]);
    expect(runtime().state.transcript.items.map(({ kind }) => kind)).toEqual(["user", "agent"]);
  });
});
