import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Fault } from "../fault";
import {
  agentItem,
  codexThread,
  codexTurn,
  commandApproval,
  commandItem,
  listed,
  readOnlySandbox,
  resumed,
  runningCommand,
  started,
  userItem,
} from "./testCodexData";
import { settle, TestThreads } from "./testThreads";

const T = "thread-1";
const past = codexTurn("t1", "completed", [userItem("u", "Hello"), agentItem("m", "Hi")]);
const shown = ["user completed: Hello", "agent completed: Hi"];
let bench: TestThreads;

beforeEach(async () => {
  bench = new TestThreads();
  bench.rule("thread/resume", () => resumed(T, [past]));
  bench.rule("thread/turns/list", () => listed([past]));
  bench.rule("thread/queue/list", () => listed([]));
  bench.rule("thread/read", () => ({ thread: codexThread(T) }));
  bench.rule("thread/unsubscribe", () => ({ status: "unsubscribed" }));
  addThread(T);
  await bench.reconnect();
});

afterEach(() => bench.end());

function addThread(threadId: string, more: object = {}): void {
  bench.ledger.threads.upsert([
    {
      threadId,
      workspaceId: bench.workspaceId,
      profileId: "user",
      title: "Title",
      preview: "Hello",
      createdAtMs: 1,
      updatedAtMs: 1,
      archived: false,
      lastKnownState: "idle",
      parentThreadId: null,
      source: "app",
      ...more,
    },
  ]);
  bench.threads.rows.remember(bench.workspaceId);
}

async function opened(key = T) {
  const window = bench.open(key);
  await settle();
  return window;
}

const codex = () => bench.codex;
const runtime = () => bench.threads.runtime(T);
const say = (method: string, more: object = {}) => codex().say(method, { threadId: T, ...more });
const begin = (turnId: string) => say("turn/started", { turn: codexTurn(turnId) });
const status = (type: string, flags: string[] = []) =>
  say("thread/status/changed", { status: type === "active" ? { type, activeFlags: flags } : { type } });
const complete = (turnId: string, how = "completed") =>
  say("turn/completed", { turn: codexTurn(turnId, how) });
const start = (turnId: string, item: object) => say("item/started", { turnId, item, startedAtMs: 1 });
const finish = (turnId: string, item: object) => say("item/completed", { turnId, item, completedAtMs: 1 });
const text = (turnId: string, itemId: string, delta: string) =>
  say("item/agentMessage/delta", { turnId, itemId, delta });
const later = async (byMs: number) => {
  await settle();
  for (let left = byMs; left > 0; left -= 1_000) {
    bench.clock.advance(Math.min(left, 1_000));
    await settle();
  }
};

describe("loading", () => {
  it("shows what codex has, with its settings and title", async () => {
    bench.rule("thread/resume", () => ({
      ...resumed(T, [past], { nextCursor: "older", thread: { name: "Named\nby hand" } }),
      reasoningEffort: "high",
    }));
    const window = await opened();
    expect(codex().only("thread/resume").params).toMatchObject({ cwd: bench.folder, excludeTurns: true });
    expect(window.texts).toEqual(shown);
    expect(window.head).toMatchObject({
      residency: "loaded",
      state: "idle",
      title: "Named",
      hasOlder: true,
      settings: { model: "gpt-5", effort: "high", sandbox: "read-only", approvalPolicy: "on-request" },
    });
  });

  it("is done once for two windows and a message", async () => {
    bench.hold("thread/resume");
    const first = await opened();
    const second = await opened();
    bench.threads.send(T, { clientId: crypto.randomUUID(), text: "Go", attachments: [], mode: "turn" });
    await settle();
    codex()
      .only("thread/resume")
      .answer(resumed(T, [past]));
    await settle();
    codex().only("thread/resume");
    codex().only("turn/start");
    expect(first.texts).toEqual(second.texts);
  });

  it("takes the turns from their own list when the answer has none", async () => {
    bench.rule("thread/resume", () => ({ ...resumed(T, []), initialTurnsPage: null }));
    const window = await opened();
    expect(window.texts).toEqual(shown);
  });

  it("shows a thread without a turn as empty", async () => {
    bench.rule("thread/resume", () => ({ ...resumed(T, []), initialTurnsPage: null }));
    bench.rule(
      "thread/turns/list",
      () =>
        new Error(
          "thread T is not materialized yet; thread/turns/list is unavailable before first user message",
        ),
    );
    const window = await opened();
    expect(window.head).toMatchObject({ fault: null, residency: "loaded" });
  });

  it("takes the answer before the events behind it, though they come in one piece", async () => {
    bench.hold("thread/resume");
    const window = await opened();
    const running = codexTurn("t2", "inProgress", [userItem("u2", "More")]);
    codex()
      .only("thread/resume")
      .answer(resumed(T, [past, running], { status: "active" }));
    text("t2", "m2", "Hel");
    finish("t2", agentItem("m2", "Hello"));
    expect(window.texts).toEqual([...shown, "user completed: More", "agent completed: Hello"]);
    expect(window.head.run?.turnId).toBe("t2");
  });

  it("does not believe a status that is older than the turn that has begun since", async () => {
    bench.hold("thread/resume");
    const window = await opened();
    begin("t2");
    codex()
      .only("thread/resume")
      .answer(resumed(T, [past]));
    await settle();
    expect(window.head.run?.turnId).toBe("t2");
    expect(window.copy.turns.map((turn) => turn.status)).toEqual(["completed", "running"]);
  });

  it("does not take a finished thread for a running one, nor a cut off turn", async () => {
    bench.rule("thread/resume", () => resumed(T, [past, codexTurn("t2", "inProgress")]));
    const window = await opened();
    expect(window.head).toMatchObject({ run: null, state: "interrupted" });
    expect(window.copy.turns.at(-1)?.status).toBe("interrupted");
  });

  it("waits until codex has taken in that the thread was let go", async () => {
    const window = await opened();
    bench.hold("thread/unsubscribe");
    bench.close(window);
    await later(30_000);
    codex().only("thread/unsubscribe");
    await opened();
    expect(codex().all("thread/resume")).toHaveLength(1);
    codex().only("thread/unsubscribe").answer({});
    await settle();
    expect(codex().all("thread/resume")).toHaveLength(2);
    expect(runtime().loadedOn).not.toBeNull();
  });

  it("reports a codex that does not answer, holds nothing else up, and can be tried again", async () => {
    bench.hold("thread/resume");
    const window = await opened();
    addThread("other");
    await later(120_000);
    expect(window.head).toMatchObject({ residency: "stored", fault: { code: "deadline", retryable: true } });
    bench.rule("thread/resume", () => resumed(T, [past]));
    await runtime().reload();
    expect(window.head).toMatchObject({ residency: "loaded", fault: null });
  });

  it("tells whoever asked for it by hand why it failed", async () => {
    await opened();
    bench.rule("thread/resume", () => new Error("thread thread-1 already has an active writer"));
    await expect(runtime().reload()).rejects.toMatchObject({ code: "open_elsewhere" });
  });
});

describe("a thread that cannot be used", () => {
  it.each([
    ["thread thread-1 already has an active writer", "open_elsewhere"],
    [
      "session thread-1 is archived. Run `codex unarchive thread-1` to unarchive it first.",
      "thread_archived",
    ],
    ["no rollout found for thread id thread-1", "history_lost"],
    ["thread not found: thread-1", "history_lost"],
    ["rollout at /x/y.jsonl is empty", "history_lost"],
    ["unknown thread", "history_lost"],
    ["This chat uses model provider “local”, which is no longer configured.", "provider_missing"],
    ["something else", "codex_error"],
  ])("is shown read-only: %s", async (words, code) => {
    bench.rule("thread/resume", () => new Error(words));
    const window = await opened();
    expect(window.head).toMatchObject({
      residency: "stored",
      state: "not loaded",
      run: null,
      fault: { code },
    });
    expect(window.texts).toEqual(shown);
    expect(codex().all("thread/resume")).toHaveLength(1);
  });

  it("keeps what is on screen when its history has gone", async () => {
    const window = await opened();
    await bench.cut();
    bench.rule("thread/resume", () => new Error("no rollout found for thread id thread-1"));
    bench.rule("thread/turns/list", () => new Error("no rollout found for thread id thread-1"));
    await bench.reconnect();
    expect(window.texts).toEqual(shown);
    expect(window.head).toMatchObject({ threadId: T, fault: { code: "history_lost" } });
  });

  it("gives back a message that is nowhere when the history has gone", async () => {
    const window = await opened();
    bench.threads.send(T, { clientId: crypto.randomUUID(), text: "Go", attachments: [], mode: "turn" });
    await settle();
    await bench.cut();
    bench.rule("thread/resume", () => new Error("no rollout found for thread id thread-1"));
    bench.rule("thread/turns/list", () => new Error("no rollout found for thread id thread-1"));
    await bench.reconnect();
    expect(window.sending).toEqual(["Go: undelivered"]);
  });

  it("is opened elsewhere: usable again once it is closed there", async () => {
    bench.rule("thread/resume", () => new Error("thread thread-1 already has an active writer"));
    const window = await opened();
    bench.rule("thread/resume", () => resumed(T, [past]));
    await runtime().reload();
    expect(window.head).toMatchObject({ residency: "loaded", fault: null });
    expect(window.texts).toEqual(shown);
  });

  it("has no folder any more: said, and nothing is asked of codex", async () => {
    bench.folderFault = new Fault("folder_gone", "The folder is not there.");
    const window = await opened();
    expect(window.head.fault?.code).toBe("folder_gone");
    expect(codex().all("thread/resume")).toEqual([]);
    expect(window.texts).toEqual(shown);
  });

  it("has no codex: said, with nothing shown", async () => {
    await bench.cut();
    bench.sessionFault = new Fault("codex_missing", "There is no codex.");
    const window = await opened();
    expect(window.head).toMatchObject({ fault: { code: "codex_missing" }, residency: "stored" });
    bench.sessionFault = null;
    await bench.reconnect();
    expect(window.head).toMatchObject({ fault: null, residency: "loaded" });
  });
});

describe("older turns", () => {
  const turn = (number: number) => codexTurn(`t${number}`, "completed", [agentItem("m", `Text ${number}`)]);
  const paged = async () => {
    bench.rule("thread/resume", () => resumed(T, [turn(8), turn(9)], { nextCursor: "c8" }));
    return opened();
  };

  it("are put before the others, page by page, once for two that ask", async () => {
    const window = await paged();
    bench.hold("thread/turns/list");
    const both = [runtime().loadOlder(), runtime().loadOlder()];
    await settle();
    expect(window.head.loadingOlder).toBe(true);
    codex()
      .only("thread/turns/list")
      .answer(listed([turn(6), turn(7)], "c6"));
    await Promise.all(both);
    expect(window.copy.turns.map(({ id }) => id)).toEqual(["t6", "t7", "t8", "t9"]);
    expect(window.head).toMatchObject({ loadingOlder: false, hasOlder: true });
    expect(codex().only("thread/turns/list").params.cursor).toBe("c8");
    bench.rule("thread/turns/list", () => listed([turn(5)]));
    await runtime().loadOlder();
    expect(codex().last("thread/turns/list").params.cursor).toBe("c6");
    expect(window.head.hasOlder).toBe(false);
    await runtime().loadOlder();
    expect(codex().all("thread/turns/list")).toHaveLength(2);
  });

  it("stay when the thread is loaded again, and so does the way to the ones before", async () => {
    const window = await paged();
    bench.rule("thread/turns/list", () => listed([turn(6), turn(7)], "c6"));
    await runtime().loadOlder();
    await bench.cut();
    await bench.reconnect();
    expect(window.copy.turns.map(({ id }) => id)).toEqual(["t6", "t7", "t8", "t9"]);
    await runtime().loadOlder();
    expect(codex().last("thread/turns/list").params.cursor).toBe("c6");
  });

  it("make way, with the way to them, when turns in between may be missing", async () => {
    const window = await paged();
    bench.hold("thread/turns/list");
    const asked = runtime().loadOlder();
    await settle();
    const question = codex().only("thread/turns/list");
    bench.rule("thread/resume", () => resumed(T, [turn(98), turn(99)], { nextCursor: "c98" }));
    await runtime().reload();
    // This page lies before what was known when it was asked for.
    question.answer(listed([turn(6), turn(7)], "c6"));
    await asked;
    expect(window.copy.turns.map(({ id }) => id)).toEqual(["t98", "t99"]);
    bench.rule("thread/turns/list", () => listed([turn(97)]));
    await runtime().loadOlder();
    expect(codex().last("thread/turns/list").params.cursor).toBe("c98");
    expect(window.copy.turns.map(({ id }) => id)).toEqual(["t97", "t98", "t99"]);
  });

  it("that cannot be listed are said so, and can be asked for again", async () => {
    const window = await paged();
    bench.rule("thread/turns/list", () => new Error("disk trouble"));
    await expect(runtime().loadOlder()).rejects.toMatchObject({ code: "codex_error" });
    expect(window.head).toMatchObject({ loadingOlder: false, hasOlder: true });
  });
});

describe("the end of a turn", () => {
  it("takes its status from what codex says last: the turn itself", async () => {
    const window = await opened();
    begin("t2");
    start("t2", agentItem("m2", ""));
    text("t2", "m2", "Half");
    expect(window.head.state).toBe("running");
    status("idle");
    complete("t2", "interrupted");
    expect(window.head).toMatchObject({ run: null, state: "interrupted" });
    expect(window.texts.at(-1)).toBe("agent lost: Half");
  });

  it("is looked up when only the status tells it", async () => {
    const window = await opened();
    begin("t2");
    start("t2", agentItem("m2", "Hal"));
    bench.rule("thread/turns/list", () =>
      listed([past, codexTurn("t2", "failed", [agentItem("m2", "Half")])]),
    );
    status("systemError");
    expect(window.head.run).toBeNull();
    await later(1_000);
    expect(window.head.state).toBe("failed");
    expect(window.texts.at(-1)).toBe("agent completed: Half");
  });

  it("is looked up without ending the next turn, which has begun meanwhile", async () => {
    const window = await opened();
    begin("t2");
    status("idle");
    begin("t3");
    start("t3", agentItem("m3", "New"));
    bench.rule("thread/turns/list", () => listed([past, codexTurn("t2", "completed"), codexTurn("t3")]));
    await later(1_000);
    expect(window.copy.turns.map((turn) => turn.status)).toEqual(["completed", "completed", "running"]);
    expect(window.texts.at(-1)).toBe("agent running: New");
    expect(window.head.run?.turnId).toBe("t3");
  });

  it("is found by asking when neither comes, within seconds, and not while codex works", async () => {
    const window = await opened();
    begin("t2");
    bench.rule("thread/read", () => ({
      thread: codexThread(T, { status: { type: "active", activeFlags: [] } }),
    }));
    await later(30_000);
    expect(window.head.state).toBe("running");
    expect(codex().all("thread/read").length).toBeGreaterThan(3);
    bench.rule("thread/read", () => ({ thread: codexThread(T) }));
    bench.rule("thread/turns/list", () => listed([past, codexTurn("t2", "completed")]));
    await later(7_000);
    expect(window.head).toMatchObject({ state: "idle", run: null });
  });

  it("is not asked after while codex talks", async () => {
    await opened();
    begin("t2");
    for (let count = 0; count < 20; count += 1) {
      text("t2", "m2", "word ");
      await later(1_000);
    }
    expect(codex().all("thread/read")).toEqual([]);
    status("idle");
    complete("t2");
  });

  it("is not taken from an answer about the turn before", async () => {
    const window = await opened();
    bench.hold("thread/read");
    begin("t2");
    await later(5_000);
    const question = codex().only("thread/read");
    status("idle");
    complete("t2");
    begin("t3");
    question.answer({ thread: codexThread(T) });
    await settle();
    expect(window.head.run?.turnId).toBe("t3");
  });

  it("has come when codex does not even have the thread loaded", async () => {
    const window = await opened();
    begin("t2");
    bench.rule("thread/read", () => new Error("thread not loaded: thread-1"));
    await later(7_000);
    expect(window.head.run).toBeNull();
    expect(runtime().loadedOn).toBeNull();
  });

  it("withdraws what the turn asked, whichever way it is told", async () => {
    const window = await opened();
    begin("t2");
    codex().ask(0, "item/commandExecution/requestApproval", commandApproval(T, "t2"));
    expect(window.head.state).toBe("waiting for approval");
    status("idle");
    expect(window.head.requests).toEqual([]);
    begin("t3");
    codex().ask(1, "item/commandExecution/requestApproval", commandApproval(T, "t3"));
    complete("t3");
    expect(window.head.requests).toEqual([]);
    expect(bench.threads.answer({ requestKey: "handle-1:number:1", decisionId: "accept" })).toBe("gone");
    expect(codex().answers).toEqual([]);
  });

  it("tells that the folder of a running turn has been taken away", async () => {
    const window = await opened();
    begin("t2");
    bench.rule("thread/read", () => ({
      thread: codexThread(T, { status: { type: "active", activeFlags: [] } }),
    }));
    bench.folderFault = new Fault("folder_gone", "The folder is not there.");
    await later(5_000);
    expect(window.head).toMatchObject({ state: "running", fault: { code: "folder_gone" } });
    bench.folderFault = null;
    await later(6_000);
    expect(window.head.fault).toBeNull();
    status("idle");
    complete("t2");
  });
});

describe("stop", () => {
  it("is remembered until the turn has a name", async () => {
    const window = await opened();
    bench.threads.send(T, { clientId: crypto.randomUUID(), text: "Go", attachments: [], mode: "turn" });
    await settle();
    await runtime().stop();
    expect(window.head.run).toMatchObject({ stopping: true, turnId: null });
    expect(codex().all("turn/interrupt")).toEqual([]);
    codex()
      .only("turn/start")
      .answer({ turn: codexTurn("t2") });
    expect(codex().only("turn/interrupt").params).toMatchObject({ threadId: T, turnId: "t2" });
  });

  it("that comes too late is no failure", async () => {
    const window = await opened();
    begin("t2");
    await runtime().stop();
    bench.rule("thread/turns/list", () => listed([past, codexTurn("t2", "completed")]));
    codex().only("turn/interrupt").refuse("no active turn to interrupt");
    await later(2_000);
    expect(window.head.run).toBeNull();
    expect(window.texts).toEqual(shown);
  });

  it("that is never answered is said once, while the turn runs, and may be pressed again", async () => {
    const window = await opened();
    begin("t2");
    bench.rule("thread/read", () => ({
      thread: codexThread(T, { status: { type: "active", activeFlags: [] } }),
    }));
    await runtime().stop();
    await runtime().stop();
    expect(codex().all("turn/interrupt")).toHaveLength(2);
    codex().all("turn/interrupt")[0]?.answer({});
    await later(11_000);
    expect(window.texts.filter((one) => one.startsWith("notice"))).toHaveLength(1);
    expect(window.head.run).toMatchObject({ stopping: true });
    complete("t2", "interrupted");
    await later(20_000);
    expect(window.texts.filter((one) => one.startsWith("notice"))).toHaveLength(1);
  });

  it("that is never answered is nothing to speak of once the turn has ended", async () => {
    const window = await opened();
    begin("t2");
    await runtime().stop();
    status("idle");
    complete("t2", "interrupted");
    begin("t3");
    await later(12_000);
    expect(window.texts).toEqual(shown);
    complete("t3");
  });

  it("that was cut off is sent again when the turn still runs", async () => {
    await opened();
    begin("t2");
    await bench.cut();
    await runtime().stop();
    const running = codexTurn("t2", "inProgress");
    bench.rule("thread/resume", () => resumed(T, [past, running], { status: "active" }));
    await bench.reconnect();
    expect(codex().only("turn/interrupt").params.turnId).toBe("t2");
  });
});

describe("the connection is away", () => {
  it("marks what may be missing, goes on when it is back, and ends with the whole", async () => {
    const window = await opened();
    begin("t2");
    start("t2", agentItem("m2", ""));
    text("t2", "m2", "Eva");
    await bench.cut();
    expect(window.texts.at(-1)).toBe("agent running (gap): Eva");
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
    expect(window.texts.at(-1)).toBe("command lost (gap): make > half");
    bench.rule("thread/resume", () => resumed(T, [past, codexTurn("t2", "interrupted")]));
    await bench.reconnect();
    expect(window.texts.at(-1)).toBe("command lost (gap): make > half");
    expect(window.head).toMatchObject({ state: "interrupted", residency: "loaded" });
  });

  it("says so when nothing else on screen would", async () => {
    const window = await opened();
    status("active");
    expect(window.head.state).toBe("running");
    await bench.kill();
    expect(window.texts.at(-1)).toBe("notice completed: codex was killed.");
    await later(5_000);
    expect(window.head.run).toBeNull();
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

describe("settings", () => {
  const chosen = {
    model: "o9",
    effort: "low",
    sandbox: "workspace-write",
    approvalPolicy: "never",
  } as const;

  it("go to codex at once, and are put back when it refuses", async () => {
    const window = await opened();
    bench.rule("thread/settings/update", () => new Error("model o9 is not allowed"));
    const change = runtime().setSettings(chosen);
    expect(window.head.settings).toEqual(chosen);
    await expect(change).rejects.toMatchObject({ message: "model o9 is not allowed" });
    expect(window.head.settings).toMatchObject({ model: "gpt-5", sandbox: "read-only" });
  });

  it("are not put back over newer ones", async () => {
    const window = await opened();
    const first = runtime().setSettings(chosen);
    const second = runtime().setSettings({ ...chosen, model: "o10" });
    const [one, two] = codex().all("thread/settings/update");
    two?.answer({});
    one?.refuse("no");
    await expect(first).rejects.toThrow();
    await second;
    expect(window.head.settings.model).toBe("o10");
  });

  it("chosen before the thread is loaded are applied when it is, and put back when codex refuses", async () => {
    await runtime().setSettings(chosen);
    const window = await opened();
    expect(window.head.settings).toEqual(chosen);
    codex().only("thread/settings/update").answer({});
    bench.threads.send(T, { clientId: crypto.randomUUID(), text: "Go", attachments: [], mode: "turn" });
    await settle();
    expect(codex().only("turn/start").params).toMatchObject({ model: "o9", approvalPolicy: "never" });
    await bench.cut();
    await runtime().setSettings({ ...chosen, model: "o10" });
    bench.rule("thread/settings/update", () => new Error("no such model"));
    await bench.reconnect();
    expect(window.head.settings.model).toBe("gpt-5");
    expect(window.texts.at(-1)).toContain("could not be applied: no such model");
  });

  it("are those that codex reports when nothing was chosen since, never wider", async () => {
    bench.ledger.threads.setSettings(T, { ...chosen, sandbox: "danger-full-access" });
    const window = await opened();
    expect(window.head.settings).toMatchObject({ sandbox: "read-only", approvalPolicy: "on-request" });
    bench.threads.send(T, { clientId: crypto.randomUUID(), text: "Go", attachments: [], mode: "turn" });
    await settle();
    expect(codex().only("turn/start").params).toMatchObject({
      sandboxPolicy: readOnlySandbox,
      approvalPolicy: "on-request",
    });
  });

  it("leave the network and the folders of the user's own config as they are", async () => {
    const own = {
      type: "workspaceWrite",
      writableRoots: ["/data"],
      networkAccess: true,
      excludeTmpdirEnvVar: false,
      excludeSlashTmp: false,
    };
    bench.rule("thread/resume", () => ({ ...resumed(T, [past]), sandbox: own }));
    await opened();
    bench.rule("turn/start", () => ({ turn: codexTurn("t2") }));
    const go = async () => {
      bench.threads.send(T, { clientId: crypto.randomUUID(), text: "Go", attachments: [], mode: "turn" });
      await settle();
      begin("t2");
      status("idle");
      complete("t2");
      return codex().last("turn/start").params.sandboxPolicy;
    };
    expect(await go()).toEqual(own);
    const settingsOf = (sandboxPolicy: object, activePermissionProfile: object | null) =>
      say("thread/settings/updated", {
        threadSettings: {
          model: "gpt-5",
          effort: null,
          sandboxPolicy,
          approvalPolicy: "never",
          activePermissionProfile,
        },
      });
    settingsOf({ ...own, networkAccess: false }, null);
    expect(await go()).toMatchObject({ networkAccess: false, writableRoots: ["/data"] });
    // A permission profile is more than a policy can say.
    settingsOf(own, { id: "mine", extends: null });
    expect(await go()).toBeNull();
    await later(2_000);
  });

  it("changed while the thread is being made are its settings", async () => {
    const key = bench.threads.compose(bench.workspaceId);
    const window = bench.open(key);
    bench.threads.send(key, { clientId: crypto.randomUUID(), text: "Go", attachments: [], mode: "turn" });
    await settle();
    await bench.threads.runtime(key).setSettings(chosen);
    codex().only("thread/start").answer(started("new-1"));
    await settle();
    expect(window.head.settings).toEqual(chosen);
    expect(codex().only("turn/start").params).toMatchObject({ model: "o9" });
  });
});

describe("nobody looks any more", () => {
  it("lets the thread go after a while, and forgets the conversation", async () => {
    const window = await opened();
    bench.close(window);
    await later(29_000);
    expect(codex().all("thread/unsubscribe")).toEqual([]);
    await later(1_000);
    expect(codex().only("thread/unsubscribe").params).toEqual({ threadId: T });
    expect(runtime().state.transcript.isEmpty).toBe(true);
    expect(bench.rows.get(T)).toBe("Title: not loaded");
    const again = await opened();
    expect(again.texts).toEqual(shown);
  });

  it("does not when a window comes back in time", async () => {
    const window = await opened();
    bench.close(window);
    await later(20_000);
    await opened();
    await later(60_000);
    expect(codex().all("thread/unsubscribe")).toEqual([]);
    expect(codex().all("thread/resume")).toHaveLength(1);
  });

  it.each(["a turn that runs", "a request that waits", "a message on its way"])(
    "does not during %s",
    async (what) => {
      const window = await opened();
      begin("t2");
      bench.rule("thread/read", () => ({
        thread: codexThread(T, { status: { type: "active", activeFlags: [] } }),
      }));
      const clientId = crypto.randomUUID();
      if (what === "a request that waits") {
        codex().ask(0, "item/commandExecution/requestApproval", commandApproval(T, "t2"));
      }
      if (what === "a message on its way") {
        bench.threads.send(T, { clientId, text: "Then", attachments: [], mode: "queue" });
        await settle();
        codex().only("thread/queue/add").answer({});
        bench.rule("thread/queue/list", () =>
          listed([{ id: "q", clientUserMessageId: clientId, input: [] }]),
        );
        status("idle");
        complete("t2");
      }
      bench.close(window);
      await later(70_000);
      expect(codex().all("thread/unsubscribe")).toEqual([]);
      if (what === "a message on its way") {
        begin("t3");
        finish("t3", userItem("u3", "Then", clientId));
        status("idle");
        complete("t3");
      } else {
        status("idle");
        complete("t2");
      }
      await later(32_000);
      codex().only("thread/unsubscribe");
    },
  );

  it("follows codex when it unloads the thread, and loads it anew on need", async () => {
    const window = await opened();
    status("notLoaded");
    say("thread/closed");
    expect(window.head.residency).toBe("stored");
    bench.threads.send(T, { clientId: crypto.randomUUID(), text: "Go", attachments: [], mode: "turn" });
    await settle();
    expect(codex().all("thread/resume")).toHaveLength(2);
    codex().only("turn/start");
  });
});

it("shows progress as it happens", async () => {
  const window = await opened();
  status("active");
  begin("t2");
  say("turn/plan/updated", {
    turnId: "t2",
    explanation: null,
    plan: [
      { step: "One", status: "completed" },
      { step: "Two", status: "inProgress" },
    ],
  });
  say("thread/tokenUsage/updated", {
    tokenUsage: {
      total: { totalTokens: 950_000 },
      last: { totalTokens: 12_000 },
      modelContextWindow: 258_000,
    },
  });
  say("error", { turnId: "t2", willRetry: true, error: { message: "Reconnecting... 1/5" } });
  expect(window.head.run?.retrying).toBe("Reconnecting... 1/5");
  text("t2", "m2", "On");
  expect(window.head.run?.retrying).toBeNull();
  finish("t2", commandItem("c", "done"));
  const change = {
    type: "fileChange",
    id: "f",
    status: "completed",
    changes: [{ path: "/a", kind: { type: "update", move_path: null }, diff: "@@ -1 +1,2 @@\n-a\n+b\n+c\n" }],
  };
  finish("t2", change);
  say("mcpServer/startupStatus/updated", { name: "mcp", status: "starting", error: null });
  expect(window.head).toMatchObject({
    plan: { steps: [{ status: "completed" }, { status: "inProgress" }] },
    usage: { lastTokens: 12_000, totalTokens: 950_000, contextWindow: 258_000 },
    changed: { files: 1, added: 2, removed: 1 },
    run: { waitingFor: ["MCP server mcp to start"] },
  });
  status("idle");
  complete("t2");
  begin("t3");
  expect(window.head).toMatchObject({ plan: null, changed: null });
  complete("t3");
});
