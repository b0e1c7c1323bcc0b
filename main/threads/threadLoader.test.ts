// A thread is loaded, page by page, or cannot be.

import { describe, expect, it } from "vitest";
import { Fault } from "../fault";
import { agentItem, codexTurn, listed, resumed, userItem } from "./testCodexData";
import {
  addThread,
  begin,
  bench,
  codex,
  finish,
  later,
  opened,
  past,
  prepareBench,
  runtime,
  shown,
  T,
  text,
} from "./testRuntime";
import { type Asked, settle } from "./testThreads";

prepareBench();

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
    [
      "error creating thread: required MCP servers failed to initialize: docs: connection closed",
      "mcp_server_required",
    ],
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

  it("is opened elsewhere: whether its last turn goes on there is not claimed", async () => {
    const last = codexTurn("t2", "inProgress", [userItem("u2", "More")]);
    bench.rule("thread/resume", () => new Error("thread thread-1 already has an active writer"));
    bench.rule("thread/turns/list", () => listed([past, last]));
    const window = await opened();
    expect(window.texts).toEqual([...shown, "user completed: More"]);
    expect(window.statusOf("t2")).toBe("running");
    expect(window.head).toMatchObject({ run: null, fault: { code: "open_elsewhere" } });
  });

  it("has no folder any more while codex is at work in it: that goes on, and is followed to its end", async () => {
    const last = codexTurn("t2", "inProgress", [userItem("u2", "More")]);
    bench.folderFault = new Fault("folder_gone", "The folder is not there.");
    bench.rule("thread/read", () => ({ thread: { id: T, status: { type: "active", activeFlags: [] } } }));
    bench.rule("thread/turns/list", () => listed([past, last]));
    const window = await opened();
    expect(window.head).toMatchObject({ state: "running", fault: { code: "folder_gone" } });
    expect(window.statusOf("t2")).toBe("running");
    // Told to be at work, it is loaded all the same, by codex's own record of its folder.
    bench.rule("thread/resume", () => resumed(T, [past, last], { status: "active" }));
    await runtime().reload();
    expect(codex().only("thread/resume").params).not.toHaveProperty("cwd");
    expect(window.head).toMatchObject({ residency: "loaded", state: "running" });
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
    // What is listed ahead of the load comes after it.
    bench.hold("thread/turns/list");
    return opened();
  };
  /** The lists of older turns that were asked for. */
  const asked = () =>
    codex()
      .all("thread/turns/list")
      .filter(({ params }) => params.cursor !== null);

  it("are put before the others, page by page, once for two that ask", async () => {
    const window = await paged();
    const both = [runtime().loadOlder(), runtime().loadOlder()];
    await settle();
    expect(window.head.loadingOlder).toBe(true);
    expect(asked().map(({ params }) => params.cursor)).toEqual(["c8"]);
    asked()[0]?.answer(listed([turn(6), turn(7)], "c6"));
    await Promise.all(both);
    expect(window.copy.turns.map(({ id }) => id)).toEqual(["t6", "t7", "t8", "t9"]);
    expect(window.head).toMatchObject({ loadingOlder: false, hasOlder: true });
    bench.rule("thread/turns/list", () => listed([turn(5)]));
    await runtime().loadOlder();
    expect(codex().last("thread/turns/list").params.cursor).toBe("c6");
    expect(window.head.hasOlder).toBe(false);
    await runtime().loadOlder();
    expect(asked()).toHaveLength(2);
  });

  /** Answers as codex does: turns before the cursor, which is the number of the turn behind them. */
  const lists =
    (heavy = 0) =>
    ({ params }: Asked) => {
      const to = Number(params.cursor);
      const from = Math.max(1, to - Number(params.limit));
      const numbers = Array.from({ length: to - from }, (_, index) => from + index);
      const turns = numbers.map((number) =>
        codexTurn(`t${number}`, "completed", [
          agentItem("m", `Text ${number}`.padEnd(number > heavy ? 0 : 5e6)),
        ]),
      );
      return listed(turns, from === 1 ? null : String(from));
    };

  it("come in pieces of few turns, and are shown as one page", async () => {
    const window = await paged();
    bench.rule("thread/resume", () => resumed(T, [turn(98), turn(99)], { nextCursor: "98" }));
    await runtime().reload();
    bench.rule("thread/turns/list", lists());
    window.changes.length = 0;
    await runtime().loadOlder();
    expect(asked().map(({ params }) => [params.cursor, params.limit])).toEqual(
      [98, 93, 88, 83, 78, 73].map((cursor) => [String(cursor), 5]),
    );
    expect(window.changes.filter(({ type }) => type === "older")).toHaveLength(1);
    expect(window.copy.turns.map(({ id }) => id)).toEqual(
      Array.from({ length: 32 }, (_, index) => `t${68 + index}`),
    );
  });

  it("come one at a time where they are heavy, and no more of them at once", async () => {
    const window = await paged();
    bench.rule("thread/resume", () => resumed(T, [turn(98), turn(99)], { nextCursor: "98" }));
    await runtime().reload();
    bench.rule("thread/turns/list", lists(92));
    await runtime().loadOlder();
    await runtime().loadOlder();
    expect(asked().map(({ params }) => [params.cursor, params.limit])).toEqual([
      ["98", 5],
      ["93", 5],
      ["88", 1],
    ]);
    expect(window.copy.turns[0]?.id).toBe("t87");
  });

  it("fill the page of someone who looks at a thread of which codex gave as many as it was asked for", async () => {
    const newest = [95, 96, 97, 98, 99].map(turn);
    bench.rule("thread/resume", () => resumed(T, newest, { nextCursor: "95" }));
    bench.rule("thread/turns/list", (request) =>
      request.params.cursor === null ? undefined : lists()(request),
    );
    const window = await opened();
    await settle();
    expect(codex().only("thread/resume").params.initialTurnsPage).toMatchObject({ limit: 5 });
    expect(window.copy.turns.map(({ id }) => id)).toEqual(
      Array.from({ length: 30 }, (_, index) => `t${70 + index}`),
    );
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
    const loading = runtime().loadOlder();
    await settle();
    const [question] = asked();
    bench.rule("thread/resume", () => resumed(T, [turn(98), turn(99)], { nextCursor: "c98" }));
    await runtime().reload();
    // This page lies before what was known when it was asked for.
    question?.answer(listed([turn(6), turn(7)], "c6"));
    await loading;
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
