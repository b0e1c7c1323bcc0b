import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  agentItem,
  codexThread,
  codexTurn,
  commandItem,
  listed,
  resumed,
  started,
  userItem,
} from "./testCodexData";
import { settle, TestThreads, type TestWindow } from "./testThreads";

const T = "thread";
let bench: TestThreads;

const entered = { type: "enteredReviewMode", id: "enter", review: "current changes" };
const exited = { type: "exitedReviewMode", id: "exit", review: "Two is wrong." };
const task = userItem("task", "Review the current code changes");
const work = (status: string, items: object[] = [task, commandItem("call", "diff")]) =>
  codexTurn("x5", status, items as never, { rootTurnId: "r4" });
const hello = codexTurn("t1", "completed", [userItem("u", "hello"), agentItem("a", "hi")]);
const reviewTurn = (status = "completed") =>
  codexTurn("r4", status, [entered, exited, agentItem("again", "Two is wrong.")] as never);

beforeEach(() => {
  bench = new TestThreads();
  bench.rule("thread/resume", () => resumed(T, [hello]));
  bench.rule("thread/unsubscribe", () => ({ status: "unsubscribed" }));
  bench.threads.rows.listed({
    workspaceId: bench.workspaceId,
    profileId: "user",
    threads: [codexThread(T, { name: "Thread" }) as never],
    archived: false,
    askedAt: bench.threads.rows.mark,
    isLive: () => false,
  });
});

afterEach(() => bench.end());

async function opened(): Promise<TestWindow> {
  const window = bench.open(T);
  await settle();
  return window;
}

const codex = () => bench.codex;
const say = (method: string, more: Record<string, unknown>) => codex().say(method, { threadId: T, ...more });
const status = (type: string) => say("thread/status/changed", { status: { type, activeFlags: [] } });
const review = () => bench.threads.actions.review(T, { type: "uncommittedChanges" });
const kinds = (window: TestWindow) => window.copy.items.map(({ kind, turnId }) => `${turnId} ${kind}`);

function item(told: object, turnId = "r4"): void {
  say("item/started", { turnId, item: told });
  say("item/completed", { turnId, item: told });
}

function answered(): void {
  codex()
    .only("review/start")
    .answer({ turn: codexTurn("r4", "inProgress", [], { rootTurnId: null }), reviewThreadId: T });
}

function begun(): void {
  item(entered);
  status("active");
  say("turn/started", { turn: work("inProgress", []) });
  item(task);
}

function ended(how = "completed"): void {
  say("item/started", { turnId: "r4", item: agentItem("raw", '{"findings":[]}') });
  item(exited);
  item(agentItem("again", "Two is wrong."));
  status("idle");
  say("turn/completed", { turn: codexTurn("r4", how) });
}

async function asked(): Promise<TestWindow> {
  const window = await opened();
  void review();
  await settle();
  return window;
}

describe("a review", () => {
  it("is one turn from the moment of asking to its outcome", async () => {
    const window = await opened();
    const reviewing = review();
    expect(window.head.run).toMatchObject({ turnId: null, stopping: false });
    await settle();
    expect(codex().only("review/start").params).toEqual({
      threadId: T,
      target: { type: "uncommittedChanges" },
      delivery: "inline",
    });
    answered();
    await reviewing;
    begun();
    item(commandItem("call", "diff"));
    expect(window.head.run?.turnId).toBe("r4");
    expect(window.statusOf("r4")).toBe("running");
    ended();
    expect(window.head.run).toBeNull();
    expect(kinds(window).slice(2)).toEqual(["r4 review", "r4 command", "r4 review"]);
    expect(window.copy.turns.map(({ id, status }) => `${id} ${status}`)).toEqual([
      "t1 completed",
      "r4 completed",
    ]);
    window.check();
  });

  it("shows no message of which codex tells only that it begins", async () => {
    const window = await asked();
    answered();
    begun();
    say("item/started", { turnId: "r4", item: agentItem("on-the-way", "") });
    item(commandItem("call", "diff"));
    say("item/started", { turnId: "r4", item: agentItem("again-on-the-way", "") });
    expect(kinds(window).slice(2)).toEqual(["r4 review", "r4 command"]);
    ended();
    expect(kinds(window).slice(2)).toEqual(["r4 review", "r4 command", "r4 review"]);
    window.check();
  });

  it("looks the same from codex's record", async () => {
    bench.rule("thread/resume", () => resumed(T, [hello, work("interrupted"), reviewTurn()]));
    const window = await opened();
    expect(kinds(window).slice(2)).toEqual(["r4 review", "r4 command", "r4 review"]);
    expect(window.copy.turns.map(({ id, status }) => `${id} ${status}`)).toEqual([
      "t1 completed",
      "r4 completed",
    ]);
  });

  it("the work of an earlier one does not run while something else does", async () => {
    bench.rule("thread/resume", () =>
      resumed(
        T,
        [work("inProgress"), reviewTurn(), codexTurn("t9", "inProgress", [userItem("u9", "more")])],
        {
          status: "active",
        },
      ),
    );
    const window = await opened();
    expect(window.head.run?.turnId).toBe("t9");
    expect(window.statusOf("r4")).toBe("completed");
    expect(window.statusOf("x5")).toBeUndefined();
  });

  it("found at work after a cut is the same turn, and ends", async () => {
    const window = await asked();
    answered();
    begun();
    bench.rule("thread/resume", () => resumed(T, [hello, work("inProgress")], { status: "active" }));
    await bench.cut();
    await bench.reconnect();
    expect(window.head.run?.turnId).toBe("r4");
    expect(window.copy.turns.map(({ id }) => id)).toEqual(["t1", "r4"]);
    ended();
    expect(window.head.run).toBeNull();
    window.check();
  });

  it("found at work by a Holdfast that never saw it begin", async () => {
    bench.rule("thread/resume", () => resumed(T, [hello, work("inProgress")], { status: "active" }));
    bench.rule("turn/interrupt", () => ({}));
    const window = await opened();
    expect(window.head.run?.turnId).toBe("r4");
    expect(kinds(window)).not.toContain("r4 user");
    await bench.threads.runtime(T).stop();
    expect(codex().only("turn/interrupt").params).toMatchObject({ turnId: "x5" });
    ended("interrupted");
    expect(window.head.run).toBeNull();
  });

  it("a child agent's turns belong to its parent's, and are no reviews", async () => {
    bench.threads.rows.update(T, { parentThreadId: "parent" });
    bench.rule("thread/resume", () => resumed(T, [work("inProgress")], { status: "active" }));
    const window = await opened();
    expect(window.head.run?.turnId).toBe("x5");
    expect(kinds(window)).toContain("x5 user");
  });

  it("Stop between the answer and the beginning ends it as soon as codex names what can be stopped", async () => {
    bench.rule("turn/interrupt", () => ({}));
    const window = await asked();
    answered();
    await settle();
    await bench.threads.runtime(T).stop();
    expect(window.head.run).toMatchObject({ stopping: true });
    expect(codex().all("turn/interrupt")).toEqual([]);
    begun();
    expect(codex().only("turn/interrupt").params).toEqual({ threadId: T, turnId: "x5" });
    ended("interrupted");
    expect(window.head).toMatchObject({ run: null, state: "interrupted" });
  });

  it("Stop before it has left: it does not leave", async () => {
    const window = await opened();
    await bench.cut();
    bench.holdConnections();
    const reviewing = review();
    await settle();
    await bench.threads.runtime(T).stop();
    await bench.letConnect();
    await reviewing;
    expect(codex().all("review/start")).toEqual([]);
    expect(window.head.run).toBeNull();
  });

  it("is refused while a turn runs, since codex would end that", async () => {
    await opened();
    say("turn/started", { turn: codexTurn("t2") });
    await expect(review()).rejects.toMatchObject({ code: "turn_running" });
    await expect(bench.threads.actions.compact(T)).rejects.toMatchObject({ code: "turn_running" });
    expect(codex().all("review/start")).toEqual([]);
  });

  it("refused by codex: nothing runs, and it is said", async () => {
    const window = await opened();
    bench.rule("review/start", () => new Error("instructions must not be empty"));
    await expect(review()).rejects.toMatchObject({ code: "codex_error" });
    expect(window.head.run).toBeNull();
    bench.rule("review/start", () => new Error("Invalid request: unknown variant `review/start`"));
    await expect(review()).rejects.toMatchObject({ code: "not_supported" });
  });

  it("ends before the answer", async () => {
    const window = await asked();
    begun();
    ended();
    expect(window.head.run).toBeNull();
    answered();
    await settle();
    expect(window.head.run).toBeNull();
  });

  it("the connection goes before the answer, and it has begun: it is followed, not asked for again", async () => {
    const window = await opened();
    const reviewing = review();
    await settle();
    bench.rule("thread/resume", () => resumed(T, [hello, work("inProgress")], { status: "active" }));
    await bench.cut();
    await reviewing;
    expect(window.head.run?.turnId).toBe("r4");
    expect(codex().all("review/start")).toEqual([]);
  });

  it("the connection goes before the answer, and it has not begun: that is said, and it is not asked for again", async () => {
    const window = await opened();
    const reviewing = review();
    const failed = expect(reviewing).rejects.toMatchObject({ code: "not_started" });
    await settle();
    await bench.cut();
    await failed;
    expect(window.head.run).toBeNull();
    expect(codex().all("review/start")).toEqual([]);
  });

  it("the process dies before the answer", async () => {
    const window = await opened();
    const failed = expect(review()).rejects.toMatchObject({ code: "not_started" });
    await settle();
    await bench.kill();
    await failed;
    expect(window.head.run).toBeNull();
  });

  it("reverting it cuts where codex can, and gives no words of codex's to the draft", async () => {
    bench.rule("thread/resume", () => resumed(T, [hello, work("interrupted"), reviewTurn()]));
    const window = await opened();
    const reverting = bench.threads.actions.revert(T, "r4");
    await settle();
    expect(codex().only("thread/revert").params).toEqual({ threadId: T, beforeTurnId: "x5" });
    codex()
      .only("thread/revert")
      .answer({ thread: codexThread(T) });
    await reverting;
    expect(window.copy.turns.map(({ id }) => id)).toEqual(["t1"]);
    expect(bench.threads.drafts.get(T).text).toBe("");
  });

  it("cut off with its process is where it was, and a fork from it ends there all the same", async () => {
    const after = codexTurn("t6", "completed", [userItem("u6", "after")]);
    bench.rule("thread/resume", () => resumed(T, [hello, work("interrupted"), after]));
    const window = await opened();
    expect(window.copy.turns.map(({ id, status }) => `${id} ${status}`)).toEqual([
      "t1 completed",
      "r4 interrupted",
      "t6 completed",
    ]);
    bench.rule("thread/name/set", () => ({}));
    bench.rule("thread/fork", ({ params }) =>
      params.lastTurnId ? new Error("turn not found: r4") : { ...started("f"), thread: codexThread("f") },
    );
    await bench.threads.actions.fork(T, "r4");
    expect(codex().last("thread/fork").params).toMatchObject({ threadId: T, beforeTurnId: "t6" });
  });

  it("retry starts the same review again", async () => {
    await asked();
    answered();
    begun();
    ended("failed");
    await settle();
    void bench.threads.actions.retry(T);
    await settle();
    expect(codex().last("review/start").params.target).toEqual({ type: "uncommittedChanges" });
    expect(codex().all("review/start")).toHaveLength(2);
    codex()
      .last("review/start")
      .answer({ turn: codexTurn("r6") });
    await settle();
  });

  it("in a new thread makes the thread, and names it", async () => {
    const key = bench.threads.compose(bench.workspaceId);
    const window = bench.open(key);
    const reviewing = bench.threads.actions.review(key, { type: "baseBranch", branch: "main" });
    await settle();
    codex().only("thread/start").answer(started("new"));
    await settle();
    answered();
    await reviewing;
    expect(window.head).toMatchObject({ threadId: "new", title: "Review against main" });
    await settle();
    expect(codex().only("thread/name/set").params).toEqual({ threadId: "new", name: "Review against main" });
  });
});

describe("a compaction", () => {
  const compacting = { type: "contextCompaction", id: "c" };

  it("runs from the moment of asking, and Stop ends it", async () => {
    bench.rule("turn/interrupt", () => ({}));
    const window = await opened();
    const asking = bench.threads.actions.compact(T);
    expect(window.head.run).not.toBeNull();
    await settle();
    codex().only("thread/compact/start").answer({});
    await asking;
    await bench.threads.runtime(T).stop();
    say("turn/started", { turn: codexTurn("t2") });
    say("item/started", { turnId: "t2", item: compacting });
    expect(codex().only("turn/interrupt").params).toEqual({ threadId: T, turnId: "t2" });
    status("idle");
    say("turn/completed", { turn: codexTurn("t2", "interrupted") });
    expect(window.head.run).toBeNull();
    // It was not done, and is not shown as done.
    expect(window.copy.items.at(-1)).toMatchObject({ kind: "compaction", status: "lost" });
  });

  it("a message that is sent meanwhile waits in the queue", async () => {
    bench.rule("thread/queue/add", () => ({ queuedSubmission: {} }));
    bench.rule("thread/queue/list", () => ({ data: [], nextCursor: null }));
    await opened();
    const asking = bench.threads.actions.compact(T);
    await settle();
    codex().only("thread/compact/start").answer({});
    await asking;
    say("turn/started", { turn: codexTurn("t2") });
    bench.threads.send(T, { clientId: crypto.randomUUID(), text: "next", attachments: [], mode: "turn" });
    await settle();
    expect(codex().all("thread/queue/add")).toHaveLength(1);
    expect(codex().all("turn/start")).toEqual([]);
  });
});

it("an older page has the work of a review whose outcome is in the page after it: it is left out", async () => {
  bench.rule("thread/resume", () => resumed(T, [reviewTurn()], { nextCursor: "older" }));
  bench.rule("thread/turns/list", () => listed([hello, work("interrupted")]));
  const window = await opened();
  await bench.threads.runtime(T).loadOlder();
  expect(window.copy.turns.map(({ id }) => id)).toEqual(["t1", "r4"]);
});
