// A thread whose connection or process goes away.

import { describe, expect, it } from "vitest";
import { agentItem, codexTurn, commandApproval, resumed, runningCommand, userItem } from "./testCodexData";
import {
  begin,
  bench,
  codex,
  complete,
  finish,
  later,
  opened,
  past,
  prepareBench,
  say,
  shown,
  start,
  status,
  T,
  text,
} from "./testRuntime";
import { settle } from "./testThreads";

prepareBench();

describe("the connection is away", () => {
  it("while a command waits for the person: nothing of it can be missed, before it was allowed", async () => {
    const window = await opened();
    begin("t2");
    start("t2", runningCommand("call_1"));
    codex().ask(7, "item/commandExecution/requestApproval", commandApproval(T, "t2"));
    await bench.cut();
    expect(window.texts.at(-1)).toBe("command running: make > ");
    const running = codexTurn("t2", "inProgress", [userItem("u2", "More")]);
    bench.rule("thread/resume", () => resumed(T, [past, running], { status: "active" }));
    await bench.reconnect();
    codex().ask(7, "item/commandExecution/requestApproval", commandApproval(T, "t2"));
    expect(window.texts.at(-1)).toBe("command running: make > ");
    bench.threads.answer({
      requestKey: window.head.requests[0]?.key ?? "",
      decisionId: "accept",
      answers: {},
    });
    await bench.cut();
    expect(window.texts.at(-1), "it runs now").toBe("command running: make > […]");
  });

  it("while a turn runs: it runs since it began", async () => {
    const window = await opened();
    const running = codexTurn("t2", "inProgress", [], { startedAt: 1_699_999_000 });
    bench.rule("thread/resume", () => resumed(T, [past, running], { status: "active" }));
    status("active");
    await bench.cut();
    await bench.reconnect();
    expect(window.head.run).toMatchObject({ turnId: "t2", startedAtMs: 1_699_999_000_000 });
  });

  it("marks what may be missing, goes on when it is back, and ends with the whole", async () => {
    const window = await opened();
    begin("t2");
    start("t2", agentItem("m2", ""));
    text("t2", "m2", "Eva");
    await bench.cut();
    expect(window.texts.at(-1)).toBe("agent running: Eva[…]");
    expect(window.head.state).toBe("running");
    const running = codexTurn("t2", "inProgress", [userItem("u2", "More")]);
    bench.rule("thread/resume", () => resumed(T, [past, running], { status: "active" }));
    await bench.reconnect();
    text("t2", "m2", "e");
    finish("t2", agentItem("m2", "Evaluate"));
    status("idle");
    complete("t2");
    expect(window.texts).toEqual([...shown, "user completed: More", "agent completed: Evaluate"]);
  });

  it("ends a turn that ended meanwhile, as codex's record says", async () => {
    const window = await opened();
    begin("t2");
    await bench.cut();
    bench.rule("thread/resume", () => resumed(T, [past, codexTurn("t2", "completed")]));
    await bench.reconnect();
    expect(window.head).toMatchObject({ run: null, state: "idle" });
    // The record came with the answer: nothing more is asked.
    await later(3_000);
    expect(codex().all("thread/turns/list")).toEqual([]);
  });

  it("in the middle of a load: loaded again over the next connection, and the first changes nothing", async () => {
    bench.hold("thread/resume");
    const window = await opened();
    expect(window.head.residency).toBe("loading");
    await bench.cut();
    expect(window.head).toMatchObject({ residency: "stored", fault: null });
    bench.rule("thread/resume", () => resumed(T, [past]));
    await bench.reconnect();
    expect(window.head).toMatchObject({ residency: "loaded", fault: null });
    expect(window.texts).toEqual(shown);
  });

  it("again and again, faster than loads end: the last connection counts", async () => {
    bench.hold("thread/resume");
    const window = await opened();
    for (let count = 0; count < 3; count += 1) {
      bench.codex.transport.end();
      await bench.cut();
      await bench.reconnect();
      expect(codex().all("thread/resume")).toHaveLength(1);
    }
    codex()
      .only("thread/resume")
      .answer(resumed(T, [past]));
    await settle();
    expect(window.head).toMatchObject({ residency: "loaded", fault: null });
  });

  it("keeps a request open, takes it again, and answers it once", async () => {
    const window = await opened();
    begin("t2");
    codex().ask(0, "item/commandExecution/requestApproval", commandApproval(T, "t2"));
    const key = window.head.requests[0]?.key ?? "";
    await bench.cut();
    expect(window.head.state).toBe("waiting for approval");
    expect(bench.threads.answer({ requestKey: key, decisionId: "decline" })).toBe("sent");
    expect(window.head.requests[0]?.answering).toBe(true);
    const running = codexTurn("t2", "inProgress");
    bench.rule("thread/resume", () =>
      resumed(T, [past, running], { status: "active", flags: ["waitingOnApproval"] }),
    );
    await bench.reconnect();
    // codex asks again behind its answer to the resume.
    codex().ask(0, "item/commandExecution/requestApproval", commandApproval(T, "t2"));
    expect(codex().answers).toEqual([{ id: 0, result: { decision: "decline" } }]);
    codex().say("serverRequest/resolved", { threadId: T, requestId: 0 });
    expect(window.head).toMatchObject({ requests: [], state: "running" });
    expect(bench.ledger.requests.get("handle-1", 0)?.state).toBe("resolved");
  });

  it("drops an answered request whose confirmation was lost", async () => {
    const window = await opened();
    begin("t2");
    codex().ask(0, "item/commandExecution/requestApproval", commandApproval(T, "t2"));
    bench.threads.answer({ requestKey: window.head.requests[0]?.key ?? "", decisionId: "accept" });
    await bench.cut();
    bench.rule("thread/resume", () =>
      resumed(T, [past, codexTurn("t2", "inProgress")], { status: "active" }),
    );
    await bench.reconnect();
    expect(window.head).toMatchObject({ requests: [], state: "running" });
  });

  it("withdraws requests of a turn that ended meanwhile", async () => {
    const window = await opened();
    begin("t2");
    codex().ask(0, "item/commandExecution/requestApproval", commandApproval(T, "t2"));
    await bench.cut();
    bench.rule("thread/resume", () => resumed(T, [past, codexTurn("t2", "completed")]));
    await bench.reconnect();
    expect(window.head.requests).toEqual([]);
  });
});

describe("the process dies", () => {
  it("ends the turn with the reason, leaves everything on screen, and loads what is shown again", async () => {
    const window = await opened();
    begin("t2");
    start("t2", runningCommand("c"));
    say("item/commandExecution/outputDelta", { turnId: "t2", itemId: "c", delta: "half" });
    codex().ask(0, "item/commandExecution/requestApproval", commandApproval(T, "t2"));
    say("mcpServer/startupStatus/updated", { name: "mcp", status: "starting", error: null });
    await bench.kill();
    expect(window.head).toMatchObject({ run: null, requests: [], mcpServers: [], residency: "stored" });
    expect(window.copy.turns.at(-1)).toMatchObject({
      status: "interrupted",
      fault: { code: "process_gone" },
    });
    const last = ["command lost: make > half[…]", expect.stringContaining("can no longer be answered")];
    expect(window.texts.slice(-2)).toEqual(last);
    bench.rule("thread/resume", () => resumed(T, [past, codexTurn("t2", "interrupted")]));
    await bench.reconnect();
    expect(window.texts.slice(-2)).toEqual(last);
    expect(window.head).toMatchObject({ state: "interrupted", residency: "loaded" });
  });

  it("marks nothing on the turn before one that it had not named, whose end its record tells", async () => {
    const window = await opened();
    status("active");
    expect(window.head.state).toBe("running");
    await bench.kill();
    expect(window.head.run).toBeNull();
    expect(window.texts).toEqual(shown);
    bench.rule("thread/resume", () => resumed(T, [past, codexTurn("t2", "interrupted")]));
    await bench.reconnect();
    expect(window.statusOf("t1")).toBe("completed");
    expect(window.head.state).toBe("interrupted");
  });

  it("marks nothing on the turn before a message that had not become a turn: the message says it", async () => {
    const window = await opened();
    bench.threads.send(T, { clientId: crypto.randomUUID(), text: "Go", attachments: [], mode: "turn" });
    await settle();
    expect(window.head.run).toMatchObject({ turnId: null });
    await bench.kill();
    await bench.reconnect();
    await later(2_000);
    expect(window.texts).toEqual(shown);
    expect(window.copy.turns).toMatchObject([{ id: "t1", status: "completed", fault: null }]);
    expect(window.head.submissions).toMatchObject([{ state: "undelivered", fault: { code: "not_kept" } }]);
    expect(bench.endedUnseen).toEqual([]);
    expect(bench.cameBack).toMatchObject([{ threadId: T, code: "not_kept" }]);
    expect(bench.rows.get(T)).not.toMatch(/unread/);
  });

  it("needs the session again at once for a message whose fate is unknown, though nobody looks", async () => {
    const window = await opened();
    bench.threads.send(T, { clientId: crypto.randomUUID(), text: "Go", attachments: [], mode: "turn" });
    await settle();
    bench.close(window);
    expect(bench.threads.isShown(bench.workspaceId)).toBe(true);
    await bench.kill();
    expect(bench.threads.isShown(bench.workspaceId)).toBe(true);
    await bench.reconnect();
    await later(1_000);
    expect(bench.rows.get(T)).toBe("Title: failed");
    expect(bench.threads.isShown(bench.workspaceId)).toBe(false);
  });
});
