// A turn that ends while Holdfast is not running: nobody looked, so it is unread.

import { describe, expect, it } from "vitest";
import type { Connection } from "../supervisor/connection";
import { lingerMs } from "./linger";
import { codexThread, codexTurn, resumed, started, userItem } from "./testCodexData";
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
} from "./testTree";

prepareBench();

/** codex has these threads in memory, and its record of them says this of their status. */
function codexHas(loaded: string[], status: object = { type: "idle" }): void {
  const thread = (threadId: string) => codexThread(threadId, { status, preview: `About ${threadId}` });
  bench.rule("thread/loaded/list", () => ({ data: loaded, nextCursor: null }));
  bench.rule("thread/read", ({ params }) => ({ thread: thread(params.threadId) }));
  bench.rule("thread/list", () => ({ data: [thread(P)], nextCursor: null }));
}

const atRest = { type: "notLoaded" };
const atWork = { type: "active", activeFlags: [] };

/** Holdfast has gone and come back. */
async function adopt(): Promise<void> {
  await bench.reconnect();
  await bench.threads.adopted(bench.workspaceId, bench.connection as Connection);
  await settle();
}
const list = () => bench.threads.list.refresh(bench.workspaceId);
const isUnread = (threadId = P) => ({
  row: row(threadId)?.unread,
  ledger: bench.ledger.threads.get(threadId)?.unread,
});
const unread = { row: true, ledger: true };
const read = { row: false, ledger: false };

describe("a thread that was at work when Holdfast went away, and is no more", () => {
  it.each([
    ["still in codex's memory", [P]],
    ["not even in codex's memory", []],
  ])("is unread once its process has been adopted: %s", async (_name, loaded) => {
    begin(P, "t1");
    await bench.restart({ codexLives: true });
    expect(isUnread()).toEqual(read);
    codexHas(loaded, atRest);
    await adopt();
    expect(isUnread()).toEqual(unread);
    expect(bench.endedAway).toEqual([P]);
    expect(row(P)?.state).toBe("not loaded");
    expect(codex().all("thread/resume")).toEqual([]);
    // It is no news a second time.
    bench.threads.markRead(P);
    await bench.restart({ codexLives: true });
    await adopt();
    await list();
    expect(isUnread()).toEqual(read);
    expect(bench.endedAway).toEqual([P]);
  });

  it("is unread once it is listed", async () => {
    begin(P, "t1");
    await bench.restart({ codexLives: false });
    codexHas([], atRest);
    await bench.reconnect();
    await list();
    expect(isUnread()).toEqual(unread);
    await list();
    expect(bench.endedAway).toEqual([P]);
    bench.threads.markRead(P);
    await list();
    expect(isUnread()).toEqual(read);
  });

  it("is unread once it is certain that no process of before is left", async () => {
    begin(P, "t1");
    await bench.restart({ codexLives: false });
    await bench.threads.adopted(bench.workspaceId, null);
    expect(isUnread()).toEqual(unread);
  });

  it("is unread once it is loaded, by whatever needs it", async () => {
    begin(P, "t1");
    await bench.restart({ codexLives: true });
    bench.rule("thread/resume", () => resumed(P, [codexTurn("t1", "completed")]));
    await bench.reconnect();
    await bench.threads.runtime(P).ready();
    await settle();
    expect(isUnread()).toEqual(unread);
  });

  it("is read when a window shows it, and stays so when it is let go", async () => {
    begin(P, "t1");
    await bench.restart({ codexLives: true });
    codexHas([P]);
    bench.rule("thread/resume", () => resumed(P, [codexTurn("t1", "completed")]));
    const window = await opened(P);
    await adopt();
    expect(window.head.state).toBe("idle");
    bench.close(window);
    await later(lingerMs);
    await list();
    expect(isUnread()).toEqual(read);
  });

  it("is read when a window shows it while nothing has been adopted", async () => {
    begin(P, "t1");
    await bench.restart({ codexLives: false });
    await opened(P);
    await bench.threads.adopted(bench.workspaceId, null);
    expect(isUnread()).toEqual(read);
  });

  it("is unread after its very first turn as well", async () => {
    const key = bench.threads.compose(bench.workspaceId);
    const window = bench.open(key);
    const clientId = crypto.randomUUID();
    bench.threads.send(key, { clientId, text: "Go", attachments: [], mode: "turn" });
    await settle();
    codex().only("thread/start").answer(started("new-1"));
    await settle();
    codex()
      .only("turn/start")
      .answer({ turn: codexTurn("t1") });
    await settle();
    begin("new-1", "t1");
    const message = userItem("u", "Go", clientId);
    finish("new-1", "t1", message);
    bench.close(window);
    await settle();
    expect(bench.ledger.submissions.listOpen()).toHaveLength(1);
    expect(bench.ledger.threads.get("new-1")?.lastKnownState).toBe("never used");
    await bench.restart({ codexLives: true });
    codexHas(["new-1"]);
    bench.rule("thread/resume", () => resumed("new-1", [codexTurn("t1", "completed", [message])]));
    await adopt();
    expect(isUnread("new-1")).toEqual(unread);
  });

  it("is not unread as a child agent: its parent says what became of it", async () => {
    addThread(C, { parentThreadId: P });
    begin(C, "t1");
    await bench.restart({ codexLives: true });
    codexHas([C]);
    await adopt();
    expect(isUnread(C)).toEqual(read);
  });
});

describe("a thread that was at work when Holdfast went away, and still is", () => {
  it("is unread when it ends, and not before", async () => {
    begin(P, "t1");
    await bench.restart({ codexLives: true });
    codexHas([P], atWork);
    bench.rule("thread/resume", () => resumed(P, [codexTurn("t1")], { status: "active" }));
    await adopt();
    await list();
    expect(isUnread()).toEqual(read);
    complete(P, "t1");
    idle(P);
    expect(isUnread()).toEqual(unread);
    expect(bench.endedUnseen).toEqual([P]);
  });

  it("is found to have ended by the life after the next", async () => {
    begin(P, "t1");
    await bench.restart({ codexLives: true });
    codexHas([P], atWork);
    bench.rule("thread/resume", () => resumed(P, [codexTurn("t1")], { status: "active" }));
    await adopt();
    await list();
    await bench.restart({ codexLives: true });
    codexHas([P]);
    await adopt();
    expect(isUnread()).toEqual(unread);
  });
});

describe("a thread of which the end was seen", () => {
  it("is no news after a restart", async () => {
    const window = await opened(P);
    begin(P, "t1");
    complete(P, "t1");
    idle(P);
    bench.close(window);
    await bench.restart({ codexLives: true });
    codexHas([P]);
    await adopt();
    await list();
    expect(isUnread()).toEqual(read);
  });

  it("is none either when its process died under it", async () => {
    await opened(P);
    begin(P, "t1");
    await bench.kill();
    await bench.restart({ codexLives: false });
    codexHas([]);
    await bench.reconnect();
    await bench.threads.adopted(bench.workspaceId, null);
    await list();
    expect(isUnread()).toEqual(read);
  });
});

it("a thread in which nothing was ever said is not brought up by an adoption", async () => {
  addThread("blank", { lastKnownState: "never used" });
  await bench.restart({ codexLives: true });
  codexHas(["blank"]);
  bench.rule("thread/read", ({ params }) => ({ thread: codexThread(params.threadId) }));
  await adopt();
  expect(row("blank")).toBeNull();
});
