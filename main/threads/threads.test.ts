// All threads of a workspace: who is met, what is told, what a person does with them.

import { describe, expect, it } from "vitest";
import { codexThread, codexTurn, commandApproval, resumed, started, userItem } from "./testCodexData";
import { settle } from "./testThreads";
import {
  addThread,
  begin,
  bench,
  C,
  codex,
  complete,
  finish,
  idle,
  later,
  opened,
  P,
  prepareBench,
  row,
  say,
} from "./testTree";

prepareBench();

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

  it("is told when the process died, as a turn that was cut off", async () => {
    begin(P, "t1");
    await bench.kill();
    expect(bench.endedUnseen).toEqual([P]);
    expect(bench.ends).toMatchObject([{ turnId: "t1", outcome: "failed", words: expect.any(String) }]);
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
    await expect(bench.threads.actions.rename(key, "X")).rejects.toMatchObject({ code: "thread_not_made" });
    await expect(bench.threads.actions.archive(key, false)).rejects.toMatchObject({
      code: "thread_not_made",
    });
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
    await bench.threads.actions.rename(P, "Better");
    expect(window.head.title).toBe("Better");
    expect(row(P)?.title).toBe("Better");
    say(P, "thread/name/updated", { threadName: "By the CLI" });
    expect(window.head.title).toBe("By the CLI");
    expect(row(P)?.title).toBe("By the CLI");
    bench.rule("thread/name/set", () => new Error("no"));
    await expect(bench.threads.actions.rename(P, "Worse")).rejects.toMatchObject({ code: "codex_error" });
    expect(window.head.title).toBe("By the CLI");
  });

  it("rename: a listing that is older does not take it back", async () => {
    const listing = bench.threads.list.refresh(bench.workspaceId);
    await settle();
    bench.rule("thread/name/set", () => ({}));
    await bench.threads.actions.rename(P, "Better");
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
    await bench.threads.actions.archive(P, false);
    expect(row(P)?.archived).toBe(true);
    for (const words of [
      "no rollout found for thread id parent",
      "thread is already archived",
      "thread not found",
    ]) {
      bench.rule("thread/archive", () => new Error(words));
      await bench.threads.actions.archive(P, false);
    }
    expect(codex().all("thread/resume")).toEqual([]);
    bench.rule("thread/archive", () => new Error("the disk is full"));
    await expect(bench.threads.actions.archive(P, false)).rejects.toMatchObject({ code: "codex_error" });
  });

  it("archive: only on purpose while a turn runs; then codex interrupts it", async () => {
    const window = await opened(P);
    begin(P, "t1");
    await expect(bench.threads.actions.archive(P, false)).rejects.toMatchObject({ code: "thread_running" });
    const archiving = bench.threads.actions.archive(P, true);
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
    await bench.threads.actions.unarchive(P);
    expect(window.head).toMatchObject({ archived: false, residency: "loaded", fault: null });
    bench.rule("thread/unarchive", () => new Error("no archived rollout found for thread id parent"));
    await bench.threads.actions.unarchive(P);
    bench.rule("thread/unarchive", () => new Error("no archived rollout found"));
    bench.rule("thread/resume", () => new Error("no"));
    await bench.threads.actions.unarchive(P);
    expect(window.head.fault?.code).toBe("codex_error");
  });

  it("fork: a thread of its own, which is no answer to a start", async () => {
    await opened(P);
    const forking = bench.threads.actions.fork(P, "t1");
    await settle();
    expect(codex().only("thread/fork").params).toMatchObject({ threadId: P, lastTurnId: "t1" });
    codex()
      .only("thread/fork")
      .answer({ ...started("forked"), thread: codexThread("forked", { forkedFromId: P }) });
    codex().say("thread/started", { thread: codexThread("forked", { forkedFromId: P }) });
    expect(await forking).toBe("forked");
    expect(row("forked")).toMatchObject({ title: "parent (fork)", parentThreadId: null });
    await settle();
    expect(codex().only("thread/name/set").params).toEqual({ threadId: "forked", name: "parent (fork)" });
  });

  it("fork: keeps the settings, also those that codex does not take along, and counts its forks", async () => {
    await opened(P);
    const settings = {
      model: "gpt-5",
      effort: "low",
      sandbox: "read-only",
      approvalPolicy: "on-request",
    } as const;
    bench.rule("thread/settings/update", () => ({}));
    bench.rule("thread/name/set", () => new Error("no"));
    await bench.threads.runtime(P).setSettings(settings);
    bench.rule("thread/fork", () => ({
      ...started("forked"),
      thread: codexThread("forked", { forkedFromId: P }),
    }));
    await bench.threads.actions.fork(P, null);
    bench.rule("thread/resume", () => resumed("forked", [], { thread: { name: "parent (fork)" } }));
    const fork = await opened("forked");
    expect(codex().last("thread/settings/update").params).toMatchObject({
      threadId: "forked",
      effort: "low",
    });
    expect(fork.head.settings).toEqual(settings);
    bench.rule("thread/fork", () => ({
      ...started("again"),
      thread: codexThread("again", { forkedFromId: P }),
    }));
    await bench.threads.actions.fork("forked", null);
    expect(row("again")?.title).toBe("parent (fork 2)");
  });

  it("fork: what stands in its way is said in words", async () => {
    await opened(P);
    for (const [words, code] of [
      ["lastTurnId 't1' identifies an in-progress turn", "turn_running"],
      ["session parent is archived. Run `codex unarchive parent` to unarchive it first.", "thread_archived"],
      ["turn not found: t1", "turn_unknown"],
      ["Invalid request: unknown variant `thread/fork`, expected one of `initialize`", "not_supported"],
    ] as const) {
      bench.rule("thread/fork", () => new Error(words));
      await expect(bench.threads.actions.fork(P, "t1")).rejects.toMatchObject({ code });
    }
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
    await expect(bench.threads.actions.retry(P)).rejects.toMatchObject({ code: "turn_running" });
    complete(P, "t1", "failed");
    idle(P);
    await settle();
    await bench.threads.actions.retry(P);
    await expect(bench.threads.actions.retry(P)).rejects.toMatchObject({ code: "turn_running" });
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
    await expect(bench.threads.actions.retry(P)).rejects.toMatchObject({ code: "nothing_to_retry" });
  });

  it("retry: a message, although codex compacted on the way to its answer", async () => {
    await opened(P);
    begin(P, "t1");
    finish(P, "t1", userItem("u", "Do it"));
    finish(P, "t1", { type: "contextCompaction", id: "cc" });
    complete(P, "t1", "failed");
    idle(P);
    await bench.threads.actions.retry(P);
    await settle();
    expect(codex().only("turn/start").params.input).toMatchObject([{ text: "Do it" }]);
    expect(codex().all("thread/compact/start")).toEqual([]);
    codex().only("turn/start").refuse("no");
    await settle();
  });

  it("compact: loads the thread first", async () => {
    bench.rule("thread/compact/start", () => ({}));
    await bench.threads.actions.compact(P);
    expect(codex().asked.map(({ method }) => method)).toEqual([
      "thread/resume",
      "thread/queue/list",
      // In the background.
      "config/read",
      "thread/compact/start",
    ]);
  });
});

it("an unknown request is refused, and said in its thread", async () => {
  const window = await opened(P);
  codex().ask(99, "future/unknownRequest", { threadId: P });
  expect(codex().answers).toMatchObject([{ id: 99, error: { code: -32601 } }]);
  expect(window.texts).toHaveLength(1);
  expect(window.texts[0]).toContain("future/unknownRequest");
});

it("a deleted thread leaves the list; where it is shown it says so, and can be read", async () => {
  const window = await opened(P);
  begin(P, "t1");
  finish(P, "t1", userItem("u", "Do it"));
  complete(P, "t1");
  idle(P);
  await settle();
  say(P, "thread/deleted");
  expect(window.head.fault).toMatchObject({ code: "thread_deleted" });
  expect(window.texts).toEqual(["user completed: Do it"]);
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

describe("a thread that the person deletes", () => {
  it("leaves the list with its agents and its draft, and says so where it is shown", async () => {
    addThread(C, { parentThreadId: P });
    const window = await opened(P);
    begin(P, "t1");
    complete(P, "t1");
    idle(P);
    bench.threads.drafts.add(P, "Half a thought", []);
    bench.rule("thread/delete", () => ({}));
    await bench.threads.actions.delete(P);
    expect(codex().only("thread/delete").params).toEqual({ threadId: P });
    expect(bench.rows.has(P)).toBe(false);
    expect(bench.rows.has(C)).toBe(false);
    expect(bench.ledger.threads.get(P)).toBeNull();
    expect(bench.ledger.drafts.get(P)).toBeNull();
    expect(window.head.fault).toMatchObject({ code: "thread_deleted" });
  });

  it("stays while a turn runs in it, or in one of its agents", async () => {
    addThread(C, { parentThreadId: P });
    await opened(P);
    begin(P, "t1");
    await expect(bench.threads.actions.delete(P)).rejects.toMatchObject({ code: "thread_running" });
    complete(P, "t1");
    idle(P);
    begin(C, "t2");
    await expect(bench.threads.actions.delete(P)).rejects.toMatchObject({ code: "thread_running" });
    expect(codex().all("thread/delete")).toEqual([]);
    expect(bench.rows.has(P)).toBe(true);
  });

  it("is gone also when codex has it no more", async () => {
    bench.rule("thread/delete", () => new Error("no rollout found for thread id parent"));
    await bench.threads.actions.delete(P);
    expect(bench.rows.has(P)).toBe(false);
  });
});
