import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  agentItem,
  codexThread,
  codexTurn,
  commandApproval,
  listed,
  resumed,
  started,
  userItem,
} from "./testCodexData";
import { settle, TestThreads } from "./testThreads";

const P = "parent";
const C = "child";
let bench: TestThreads;

beforeEach(async () => {
  bench = new TestThreads();
  bench.rule("thread/resume", ({ params }) => resumed(params.threadId, []));
  bench.rule("thread/turns/list", () => listed([]));
  bench.rule("thread/queue/list", () => listed([]));
  bench.rule("thread/read", ({ params }) => ({ thread: codexThread(params.threadId) }));
  bench.rule("thread/unsubscribe", () => ({ status: "unsubscribed" }));
  addThread(P);
  await bench.reconnect();
});

afterEach(() => bench.end());

function addThread(threadId: string, more: object = {}): void {
  bench.ledger.threads.upsert([
    {
      threadId,
      workspaceId: bench.workspaceId,
      profileId: "user",
      title: threadId,
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

async function opened(key: string) {
  const window = bench.open(key);
  await settle();
  return window;
}

const codex = () => bench.codex;
const say = (threadId: string, method: string, more: object = {}) =>
  codex().say(method, { threadId, ...more });
const begin = (threadId: string, turnId: string) =>
  say(threadId, "turn/started", { turn: codexTurn(turnId) });
const idle = (threadId: string) => say(threadId, "thread/status/changed", { status: { type: "idle" } });
const complete = (threadId: string, turnId: string, how = "completed") =>
  say(threadId, "turn/completed", { turn: codexTurn(turnId, how) });
const finish = (threadId: string, turnId: string, item: object) =>
  say(threadId, "item/completed", { turnId, item, completedAtMs: 1 });
const spawned = (id: string) => ({
  type: "subAgentActivity",
  id: `activity-${id}`,
  kind: "started",
  agentThreadId: id,
  agentPath: `/root/helper-of-${id}`,
});
const row = (threadId: string) => bench.threads.rows.get(threadId);
const later = async (byMs: number) => {
  await settle();
  for (let left = byMs; left > 0; left -= 1_000) {
    bench.clock.advance(Math.min(left, 1_000));
    await settle();
  }
};

describe("what codex says", () => {
  it("goes to the thread that it is about, watched or not", async () => {
    addThread("other");
    const window = await opened(P);
    begin(P, "t1");
    begin("other", "t2");
    expect(window.head.run?.turnId).toBe("t1");
    expect(bench.rows.get("other")).toBe("other: running");
    complete(P, "t1");
    complete("other", "t2");
    expect(bench.rows.get(P)).toBe("parent: idle");
  });

  it("about a thread that nobody knows changes nothing", () => {
    const before = new Map(bench.rows);
    begin("stranger", "t1");
    say("stranger", "thread/status/changed", { status: { type: "active", activeFlags: [] } });
    codex().say("turn/started", {});
    codex().say("thread/started", {});
    codex().say("serverRequest/resolved", { threadId: "stranger", requestId: null });
    expect(bench.rows).toEqual(before);
    expect(bench.threads.all.map(({ key }) => key)).toEqual([]);
  });

  it("of a thread that is at work without us makes us follow it, requests and all", async () => {
    const running = codexTurn("t1", "inProgress", [userItem("u", "Do it")]);
    bench.rule("thread/resume", () =>
      resumed(P, [running], { status: "active", flags: ["waitingOnApproval"] }),
    );
    say(P, "thread/status/changed", { status: { type: "active", activeFlags: ["waitingOnApproval"] } });
    await settle();
    codex().only("thread/resume");
    codex().ask(0, "item/commandExecution/requestApproval", commandApproval(P, "t1"));
    expect(bench.rows.get(P)).toBe("parent: waiting for approval");
    idle(P);
    complete(P, "t1");
    expect(bench.rows.get(P)).toBe("parent: idle");
  });

  it("in passing about a thread does not load it", async () => {
    say(P, "thread/status/changed", { status: { type: "idle" } });
    say(P, "thread/status/changed", { status: { type: "notLoaded" } });
    say(P, "thread/closed");
    say(P, "thread/readState/changed", { readState: {} });
    await settle();
    expect(codex().all("thread/resume")).toEqual([]);
    expect(bench.threads.all).toEqual([]);
  });
});

describe("child agents", () => {
  /** As the real codex does it: the parent's conversation names the child, then the child speaks. */
  async function withChild() {
    const window = await opened(P);
    begin(P, "p1");
    finish(P, "p1", spawned(C));
    say(C, "thread/status/changed", { status: { type: "active", activeFlags: [] } });
    begin(C, "c1");
    return window;
  }
  const endChild = () => {
    idle(C);
    complete(C, "c1");
  };
  const endParent = () => {
    idle(P);
    complete(P, "p1");
  };

  it("are rows under their parent from the first moment, and speak for themselves", async () => {
    await withChild();
    expect(row(C)).toMatchObject({
      parentThreadId: P,
      title: "helper-of-child",
      state: "running",
      source: "subAgent",
    });
    finish(C, "c1", agentItem("m", "From the child"));
    endChild();
    expect(row(C)?.state).not.toBe("running");
    expect(bench.ledger.threads.get(C)?.parentThreadId).toBe(P);
    // Their events come with the parent's: nothing is loaded for them.
    expect(
      codex()
        .all("thread/resume")
        .map(({ params }) => params.threadId),
    ).toEqual([P]);
    endParent();
  });

  it("are under their parent also when thread/started says it, before or after", async () => {
    await opened(P);
    codex().say("thread/started", {
      thread: codexThread("c2", { parentThreadId: P, preview: "Look into it" }),
    });
    expect(row("c2")).toMatchObject({ parentThreadId: P, title: "Look into it" });
    begin(P, "p1");
    finish(P, "p1", spawned("c3"));
    codex().say("thread/started", { thread: codexThread("c3", { name: "Scout" }) });
    expect(row("c3")).toMatchObject({ parentThreadId: P, title: "helper-of-c3" });
    bench.rule("thread/list", () => ({ data: [codexThread("c3", { name: "Scout" })], nextCursor: null }));
    await bench.threads.list.refresh(bench.workspaceId);
    expect(row("c3")).toMatchObject({ parentThreadId: P, title: "Scout" });
    codex().say("thread/started", { thread: codexThread("c4", { ephemeral: true }) });
    expect(row("c4")).toBeNull();
    endParent();
  });

  it("of agents are under those, and an agent that writes to its parent does not become its parent", async () => {
    await withChild();
    finish(C, "c1", spawned("grandchild"));
    finish(C, "c1", {
      type: "collabAgentToolCall",
      id: "x",
      tool: "sendMessage",
      status: "completed",
      receiverThreadIds: [P, C, "grandchild"],
    });
    expect(row("grandchild")?.parentThreadId).toBe(C);
    expect(row(P)?.parentThreadId).toBeNull();
    expect(row(C)?.parentThreadId).toBe(P);
    endChild();
    endParent();
  });

  it("of earlier runs are found in the conversation", async () => {
    bench.rule("thread/resume", () => resumed(P, [codexTurn("p0", "completed", [spawned("old")])]));
    await opened(P);
    expect(row("old")).toMatchObject({ parentThreadId: P, state: "not loaded", title: "helper-of-old" });
  });

  it("ask at the child, at its parents and in the list of all; answered anywhere it is gone everywhere", async () => {
    const window = await withChild();
    finish(C, "c1", spawned("grandchild"));
    codex().ask("a1", "item/commandExecution/requestApproval", commandApproval("grandchild", "g1"));
    const child = await opened(C);
    expect(window.head).toMatchObject({
      state: "waiting for approval",
      run: { waitingFor: ["your approval"] },
    });
    expect(child.head.requests.map(({ threadId }) => threadId)).toEqual(["grandchild"]);
    expect(bench.waiting).toHaveLength(1);
    const key = bench.waiting[0]?.key ?? "";
    expect(bench.threads.answer({ requestKey: key, decisionId: "accept" })).toBe("sent");
    expect(window.head.requests[0]?.answering).toBe(true);
    codex().say("serverRequest/resolved", { threadId: "grandchild", requestId: "a1" });
    expect(window.head.requests).toEqual([]);
    expect(child.head.requests).toEqual([]);
    expect(bench.waiting).toEqual([]);
    endChild();
    endParent();
  });

  it("that ask before anybody has named them are shown at their parent once it has", async () => {
    const window = await opened(P);
    begin(P, "p1");
    codex().ask(0, "item/commandExecution/requestApproval", commandApproval(C, "c1"));
    expect(bench.waiting).toHaveLength(1);
    expect(window.head.requests).toEqual([]);
    finish(P, "p1", spawned(C));
    expect(window.head.requests).toHaveLength(1);
    codex().say("serverRequest/resolved", { threadId: C, requestId: 0 });
    endParent();
  });

  it("are stopped before their parent, and a child that does not answer holds nothing up", async () => {
    await withChild();
    await bench.threads.runtime(P).stop();
    expect(
      codex()
        .all("turn/interrupt")
        .map(({ params }) => params.threadId),
    ).toEqual([C, P]);
    codex().last("turn/interrupt").answer({});
    endParent();
    expect(bench.rows.get(P)).toBe("parent: idle");
    endChild();
    await later(12_000);
  });

  it("stay as long as anything of their tree is in use, and go together with it", async () => {
    const window = await withChild();
    endParent();
    bench.close(window);
    bench.rule("thread/read", ({ params }) => ({
      thread: codexThread(params.threadId, {
        status: { type: params.threadId === C ? "active" : "idle", activeFlags: [] },
      }),
    }));
    await later(70_000);
    expect(codex().all("thread/unsubscribe")).toEqual([]);
    // The child has answered: a follow-up may still reach it while its parent is there.
    endChild();
    const again = await opened(P);
    await later(70_000);
    expect(codex().all("thread/unsubscribe")).toEqual([]);
    bench.close(again);
    await later(62_000);
    expect(
      codex()
        .all("thread/unsubscribe")
        .map(({ params }) => params.threadId)
        .sort(),
    ).toEqual([C, P]);
  });

  it("that go on over a lost connection are loaded, since their events do not come by themselves any more", async () => {
    await withChild();
    await bench.cut();
    bench.rule("thread/resume", ({ params }) =>
      resumed(params.threadId, [codexTurn("x1")], { status: "active" }),
    );
    await bench.reconnect();
    expect(
      codex()
        .all("thread/resume")
        .map(({ params }) => params.threadId)
        .sort(),
    ).toEqual([C, P]);
  });

  it("do not announce the end of their turns, nor count as unread", async () => {
    await withChild();
    endChild();
    expect(bench.endedUnseen).toEqual([]);
    expect(row(C)?.unread).toBe(false);
    endParent();
  });
});

describe("unread", () => {
  it("is a turn that ended where nobody looked, told once, in whichever order codex says it", async () => {
    begin(P, "t1");
    complete(P, "t1");
    idle(P);
    expect(row(P)?.unread).toBe(true);
    expect(bench.endedUnseen).toEqual([P]);
    await opened(P);
    expect(row(P)?.unread).toBe(false);
    expect(bench.ledger.threads.get(P)?.unread).toBe(false);
    begin(P, "t2");
    idle(P);
    complete(P, "t2");
    expect(row(P)?.unread).toBe(false);
    expect(bench.endedUnseen).toEqual([P]);
  });

  it("is told also when the completion was lost, and not again when it comes late", async () => {
    begin(P, "t1");
    await settle();
    idle(P);
    await later(1_000);
    expect(bench.endedUnseen).toEqual([P]);
    complete(P, "t1");
    expect(bench.endedUnseen).toEqual([P]);
  });

  it("is told when the process died", async () => {
    begin(P, "t1");
    await bench.kill();
    expect(bench.endedUnseen).toEqual([P]);
  });

  it("is over when it is marked so under the key of a new thread", async () => {
    const key = bench.threads.compose(bench.workspaceId);
    const window = bench.open(key);
    bench.threads.send(key, { clientId: crypto.randomUUID(), text: "Go", attachments: [], mode: "turn" });
    await settle();
    codex().only("thread/start").answer(started("new-1"));
    await settle();
    codex()
      .only("turn/start")
      .answer({ turn: codexTurn("t1") });
    await settle();
    bench.close(window);
    complete("new-1", "t1");
    expect(row("new-1")?.unread).toBe(true);
    bench.threads.markRead(key);
    expect(row("new-1")?.unread).toBe(false);
  });
});

describe("a new thread", () => {
  it("is one blank page for a workspace until something is sent from it", () => {
    const key = bench.threads.compose(bench.workspaceId);
    bench.open(key);
    expect(bench.threads.compose(bench.workspaceId)).toBe(key);
    expect(bench.rows.has(key)).toBe(false);
    expect(bench.threads.draftKey(key)).toBe(`new:${bench.workspaceId}`);
  });

  it("leaves the list again when its only message is taken back", async () => {
    const key = bench.threads.compose(bench.workspaceId);
    bench.open(key);
    bench.rule("thread/start", () => new Error("no"));
    const clientId = crypto.randomUUID();
    bench.threads.send(key, { clientId, text: "Go", attachments: [], mode: "turn" });
    await settle();
    expect(bench.rows.get(key)).toBe("Go: failed");
    bench.threads.runtime(key).delivery.takeBack(clientId);
    expect(bench.rows.has(key)).toBe(false);
    expect(bench.ledger.drafts.get(bench.threads.draftKey(key))?.text).toBe("Go");
  });

  it("that was typed into and never came to be gives its draft to its workspace", async () => {
    bench.ledger.drafts.put(`new:${bench.workspaceId}:gone`, "typed", []);
    bench.ledger.drafts.put(`new:${bench.workspaceId}`, "shared", []);
    await bench.restart({ codexLives: false });
    expect(bench.ledger.drafts.keys()).toEqual([`new:${bench.workspaceId}`]);
    expect(bench.ledger.drafts.get(`new:${bench.workspaceId}`)?.text).toBe("shared\n\ntyped");
  });

  it("is not sent nothing", () => {
    const key = bench.threads.compose(bench.workspaceId);
    const message = { clientId: crypto.randomUUID(), text: " \n", attachments: [], mode: "turn" as const };
    expect(() => bench.threads.send(key, message)).toThrow(
      expect.objectContaining({ code: "message_empty" }),
    );
  });

  it("cannot be renamed or archived before codex knows it", async () => {
    const key = bench.threads.compose(bench.workspaceId);
    await expect(bench.threads.rename(key, "X")).rejects.toMatchObject({ code: "thread_not_made" });
    await expect(bench.threads.archive(key, false)).rejects.toMatchObject({ code: "thread_not_made" });
  });
});

it("a key that nobody knows is an error that says so", () => {
  expect(() => bench.threads.runtime("nobody")).toThrow(expect.objectContaining({ code: "thread_unknown" }));
});

it("a thread that only the ledger knows can be opened", async () => {
  bench.threads.rows.remove(P);
  const window = await opened(P);
  expect(window.head).toMatchObject({ title: P, residency: "loaded" });
});

describe("what a person does with a thread", () => {
  it("rename: by codex, in the row, in the window", async () => {
    const window = await opened(P);
    bench.rule("thread/name/set", () => ({}));
    await bench.threads.rename(P, "Better");
    expect(window.head.title).toBe("Better");
    expect(row(P)?.title).toBe("Better");
    say(P, "thread/name/updated", { threadName: "By the CLI" });
    expect(window.head.title).toBe("By the CLI");
    expect(row(P)?.title).toBe("By the CLI");
    bench.rule("thread/name/set", () => new Error("no"));
    await expect(bench.threads.rename(P, "Worse")).rejects.toMatchObject({ code: "codex_error" });
    expect(window.head.title).toBe("By the CLI");
  });

  it("rename: a listing that is older does not take it back", async () => {
    const listing = bench.threads.list.refresh(bench.workspaceId);
    await settle();
    bench.rule("thread/name/set", () => ({}));
    await bench.threads.rename(P, "Better");
    codex()
      .only("thread/list")
      .answer({
        data: [codexThread(P, { name: "Old" }), codexThread("x", { name: "Other" })],
        nextCursor: null,
      });
    await listing;
    expect(row(P)?.title).toBe("Better");
    expect(bench.ledger.threads.get(P)?.title).toBe("Better");
    expect(row("x")?.title).toBe("Other");
  });

  it("archive: twice is once, whatever codex calls it, and it needs no load", async () => {
    bench.rule("thread/archive", () => ({}));
    await bench.threads.archive(P, false);
    expect(row(P)?.archived).toBe(true);
    for (const words of [
      "no rollout found for thread id parent",
      "thread is already archived",
      "thread not found",
    ]) {
      bench.rule("thread/archive", () => new Error(words));
      await bench.threads.archive(P, false);
    }
    expect(codex().all("thread/resume")).toEqual([]);
    bench.rule("thread/archive", () => new Error("the disk is full"));
    await expect(bench.threads.archive(P, false)).rejects.toMatchObject({ code: "codex_error" });
  });

  it("archive: only on purpose while a turn runs; then codex interrupts it", async () => {
    const window = await opened(P);
    begin(P, "t1");
    await expect(bench.threads.archive(P, false)).rejects.toMatchObject({ code: "thread_running" });
    const archiving = bench.threads.archive(P, true);
    await settle();
    idle(P);
    complete(P, "t1", "interrupted");
    say(P, "thread/status/changed", { status: { type: "notLoaded" } });
    codex().only("thread/archive").answer({});
    say(P, "thread/archived");
    await archiving;
    expect(window.head).toMatchObject({ archived: true, run: null, residency: "stored" });
    expect(bench.threads.runtime(P).loadedOn).toBeNull();
  });

  it("unarchive: twice is once, and what is shown is loaded", async () => {
    bench.rule("thread/resume", () => new Error("session parent is archived. Run `codex unarchive parent`"));
    bench.threads.rows.update(P, { archived: true });
    const window = await opened(P);
    expect(window.head).toMatchObject({ archived: true, fault: { code: "thread_archived" } });
    bench.rule("thread/unarchive", () => ({}));
    bench.rule("thread/resume", () => resumed(P, []));
    await bench.threads.unarchive(P);
    expect(window.head).toMatchObject({ archived: false, residency: "loaded", fault: null });
    bench.rule("thread/unarchive", () => new Error("no archived rollout found for thread id parent"));
    await bench.threads.unarchive(P);
    bench.rule("thread/unarchive", () => new Error("no archived rollout found"));
    bench.rule("thread/resume", () => new Error("no"));
    await bench.threads.unarchive(P);
    expect(window.head.fault?.code).toBe("codex_error");
  });

  it("fork: a thread of its own, which is no answer to a start", async () => {
    await opened(P);
    const forking = bench.threads.fork(P, "t1");
    await settle();
    expect(codex().only("thread/fork").params).toMatchObject({ threadId: P, lastTurnId: "t1" });
    codex()
      .only("thread/fork")
      .answer({ ...started("forked"), thread: codexThread("forked", { forkedFromId: P }) });
    codex().say("thread/started", { thread: codexThread("forked", { forkedFromId: P }) });
    expect(await forking).toBe("forked");
    expect(row("forked")).toMatchObject({ title: "parent (fork)", parentThreadId: null });
  });

  it("retry: the last message as it was written, once for two clicks", async () => {
    const image = { kind: "image" as const, path: "/tmp/a.png", name: "a.png", bytes: 3 };
    const clientId = crypto.randomUUID();
    const window = await opened(P);
    bench.threads.send(P, { clientId, text: "Do\tit", attachments: [image], mode: "turn" });
    await settle();
    codex()
      .only("turn/start")
      .answer({ turn: codexTurn("t1") });
    begin(P, "t1");
    finish(P, "t1", { ...userItem("u", "Do it (shortened)", clientId), clientId });
    expect(() => bench.threads.retry(P)).toThrow(expect.objectContaining({ code: "turn_running" }));
    complete(P, "t1", "failed");
    idle(P);
    await settle();
    bench.threads.retry(P);
    expect(() => bench.threads.retry(P)).toThrow(expect.objectContaining({ code: "turn_running" }));
    await settle();
    expect(codex().all("turn/start")).toHaveLength(2);
    expect(codex().last("turn/start").params.input).toEqual([
      { type: "text", text: "Do\tit", text_elements: [] },
      { type: "localImage", path: "/tmp/a.png" },
    ]);
    expect(codex().last("turn/start").params.clientUserMessageId).not.toBe(clientId);
    expect(window.sending).toEqual(["Do\tit: sending"]);
    codex().last("turn/start").refuse("no");
    await settle();
  });

  it("retry: not without a message", async () => {
    await opened(P);
    expect(() => bench.threads.retry(P)).toThrow(expect.objectContaining({ code: "nothing_to_retry" }));
  });

  it("compact: loads the thread first", async () => {
    bench.rule("thread/compact/start", () => ({}));
    await bench.threads.compact(P);
    expect(codex().asked.map(({ method }) => method)).toEqual(["thread/resume", "thread/compact/start"]);
  });
});

it("an unknown request is refused, and said in its thread", async () => {
  const window = await opened(P);
  codex().ask(99, "future/unknownRequest", { threadId: P });
  expect(codex().answers).toMatchObject([{ id: 99, error: { code: -32601 } }]);
  expect(window.texts).toHaveLength(1);
  expect(window.texts[0]).toContain("future/unknownRequest");
});

it("a deleted thread leaves the list", () => {
  say(P, "thread/deleted");
  expect(bench.rows.has(P)).toBe(false);
  expect(bench.ledger.threads.get(P)).toBeNull();
});

it("after a reconnect what is shown is loaded first, and three at a time", async () => {
  for (const id of ["a", "b", "c", "d"]) {
    addThread(id);
    begin(id, `t-${id}`);
  }
  await opened(P);
  await bench.cut();
  bench.hold("thread/resume");
  await bench.reconnect();
  expect(
    codex()
      .all("thread/resume")
      .map(({ params }) => params.threadId),
  ).toEqual([P, "a", "b"]);
  codex().all("thread/resume")[1]?.refuse("no");
  await settle();
  expect(codex().last("thread/resume").params.threadId).toBe("c");
});

describe("the workspace", () => {
  it("is quiet when nothing runs, waits or is on its way", async () => {
    expect(bench.threads.isQuiet(bench.workspaceId)).toBe(true);
    const window = await opened(P);
    expect(bench.threads.isQuiet(bench.workspaceId)).toBe(true);
    expect(bench.threads.isShown(bench.workspaceId)).toBe(true);
    begin(P, "t1");
    expect(bench.threads.isQuiet(bench.workspaceId)).toBe(false);
    bench.threads.send(P, { clientId: crypto.randomUUID(), text: "Then", attachments: [], mode: "queue" });
    await settle();
    codex().only("thread/queue/add").answer({});
    await settle();
    bench.rule("thread/queue/list", () => new Error("busy"));
    complete(P, "t1", "interrupted");
    idle(P);
    expect(bench.threads.isQuiet(bench.workspaceId)).toBe(false);
    bench.close(window);
    expect(bench.threads.isShown(bench.workspaceId)).toBe(true);
  });
});

describe("the list", () => {
  const page = (names: string[], nextCursor: string | null = null) => ({
    data: names.map((name) => codexThread(name, { preview: `${name} asks` })),
    nextCursor,
  });
  const list = () => bench.threads.list;
  const state = () => list().state(bench.workspaceId);

  it("is asked for all providers, and only for what persons started here", async () => {
    bench.rule("thread/list", () => page(["x"]));
    await list().refresh(bench.workspaceId);
    expect(codex().only("thread/list").params).toMatchObject({
      cwd: bench.folder,
      modelProviders: [],
      archived: false,
      cursor: null,
    });
    expect(bench.rows.get("x")).toBe("x asks: not loaded");
    expect(state()).toMatchObject({ listing: false, hasMore: false, fault: null });
  });

  it("goes on page by page, one after the other, and a refresh does not lose the place", async () => {
    const both = [list().refresh(bench.workspaceId), list().refresh(bench.workspaceId)];
    await settle();
    codex()
      .only("thread/list")
      .answer(page(["x"], "c1"));
    await Promise.all(both);
    const more = [list().more(bench.workspaceId, false), list().more(bench.workspaceId, false)];
    await settle();
    expect(codex().all("thread/list")).toHaveLength(2);
    expect(codex().last("thread/list").params.cursor).toBe("c1");
    codex()
      .last("thread/list")
      .answer(page(["y"], "c2"));
    await settle();
    expect(codex().last("thread/list").params.cursor).toBe("c2");
    codex()
      .last("thread/list")
      .answer(page(["z"], "c3"));
    await Promise.all(more);
    bench.rule("thread/list", () => page(["w", "x"], "c1"));
    await list().refresh(bench.workspaceId);
    bench.rule("thread/list", () => page(["v"]));
    await list().more(bench.workspaceId, false);
    expect(codex().last("thread/list").params.cursor).toBe("c3");
    expect(state().hasMore).toBe(false);
    await list().more(bench.workspaceId, false);
    expect(codex().all("thread/list")).toHaveLength(5);
  });

  it("shows why it failed, and that it is over when it works again", async () => {
    bench.rule("thread/list", () => new Error("disk trouble"));
    await list().refresh(bench.workspaceId);
    expect(state()).toMatchObject({ listing: false, fault: { message: "disk trouble" } });
    bench.rule("thread/list", () => page([]));
    await list().refresh(bench.workspaceId);
    expect(state().fault).toBeNull();
  });

  it("of a workspace that has been taken off the list is dropped", async () => {
    const listing = list().refresh(bench.workspaceId);
    await settle();
    list().forget(bench.workspaceId);
    codex()
      .only("thread/list")
      .answer(page(["x"]));
    await listing;
    expect(bench.rows.has("x")).toBe(false);
  });

  it("does not speak for a thread that is alive, and follows one that codex says is at work", async () => {
    await opened(P);
    begin(P, "t1");
    bench.rule("thread/list", () => ({
      data: [
        codexThread(P, { preview: "other words" }),
        codexThread("busy", { preview: "Busy", status: { type: "active", activeFlags: [] } }),
      ],
      nextCursor: null,
    }));
    bench.rule("thread/resume", ({ params }) =>
      resumed(params.threadId, [codexTurn("b1")], { status: "active" }),
    );
    await list().refresh(bench.workspaceId);
    await settle();
    expect(bench.rows.get(P)).toBe("parent: running");
    expect(bench.rows.get("busy")).toBe("Busy: running");
    expect(codex().last("thread/resume").params.threadId).toBe("busy");
  });

  it("tells a thread that is not loaded its new title", async () => {
    const window = await opened(P);
    bench.close(window);
    await later(31_000);
    bench.rule("thread/list", () => ({ data: [codexThread(P, { name: "By the CLI" })], nextCursor: null }));
    await list().refresh(bench.workspaceId);
    expect(bench.threads.runtime(P).state.facts.title).toBe("By the CLI");
  });

  it("is searched by codex", async () => {
    bench.rule("thread/search", () => ({
      data: [{ thread: codexThread("x", { preview: "Asks" }), snippet: "…found…" }, {}],
      nextCursor: null,
    }));
    const connection = await bench.connect();
    const hits = await list().search(connection, "found", (cwd) =>
      cwd === bench.folder ? bench.workspaceId : null,
    );
    expect(hits).toMatchObject([
      { threadId: "x", title: "Asks", snippet: "…found…", workspaceId: bench.workspaceId },
    ]);
  });
});
