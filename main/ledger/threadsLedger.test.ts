import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addWorkspace, makeTestLedger, noSettings, type TestLedger } from "./testLedger";
import type { SeenThread } from "./threadsLedger";

let test: TestLedger;
let workspaceId: string;

beforeEach(() => {
  test = makeTestLedger();
  workspaceId = addWorkspace(test.ledger);
});

afterEach(() => {
  test.remove();
});

function thread(threadId: string, more: Partial<SeenThread> = {}): SeenThread {
  return {
    threadId,
    workspaceId,
    profileId: "default",
    title: `Title of ${threadId}`,
    preview: "Please \ud800 do",
    createdAtMs: 1_000,
    updatedAtMs: 2_000,
    archived: false,
    lastKnownState: "idle",
    parentThreadId: null,
    source: "appServer",
    ...more,
  };
}

describe("threads seen", () => {
  it("are there after a restart, the newest first", () => {
    test.ledger.threads.upsert([
      thread("old"),
      thread("child", { parentThreadId: "new", updatedAtMs: 8_000 }),
      thread("new", { updatedAtMs: 9_000, archived: true }),
    ]);
    expect(test.reopen().threads.list(workspaceId)).toEqual([
      { ...thread("new", { updatedAtMs: 9_000, archived: true }), unread: false, lastSeenTurnId: null },
      {
        ...thread("child", { parentThreadId: "new", updatedAtMs: 8_000 }),
        unread: false,
        lastSeenTurnId: null,
      },
      { ...thread("old"), unread: false, lastSeenTurnId: null },
    ]);
  });

  it("are replaced by what codex says, except for what only Holdfast knows", () => {
    const { threads } = test.ledger;
    threads.upsert([thread("a")]);
    threads.markSeen("a", "turn-1");
    threads.setUnread("a", true);
    const later = thread("a", {
      title: "Better",
      lastKnownState: "running",
      archived: true,
      updatedAtMs: 3_000,
    });
    threads.upsert([later]);
    expect(threads.get("a")).toEqual({ ...later, unread: true, lastSeenTurnId: "turn-1" });
  });

  it("belong to one workspace", () => {
    const other = addWorkspace(test.ledger, "/other");
    test.ledger.threads.upsert([thread("a"), thread("b", { workspaceId: other })]);
    expect(test.ledger.threads.list(other).map(({ threadId }) => threadId)).toEqual(["b"]);
  });

  it("change one by one", () => {
    const { threads } = test.ledger;
    threads.upsert([thread("a"), thread("b")]);
    threads.setState("a", "running");
    threads.setTitle("a", "New\0title");
    threads.setArchived("a", true);
    expect(threads.get("a")).toMatchObject({
      lastKnownState: "running",
      title: "New\0title",
      archived: true,
    });
    expect(threads.get("b")).toMatchObject(thread("b"));
  });

  it("are read once their turn was seen", () => {
    const { threads } = test.ledger;
    threads.upsert([thread("a")]);
    threads.setUnread("a", true);
    threads.markSeen("a", "turn-2");
    expect(threads.get("a")).toMatchObject({ unread: false, lastSeenTurnId: "turn-2" });
    threads.markSeen("a", null);
    expect(threads.get("a")).toMatchObject({ unread: false, lastSeenTurnId: "turn-2" });
  });

  it("are taken in all or not at all", () => {
    const { threads } = test.ledger;
    expect(() => threads.upsert([thread("a"), thread("b", { workspaceId: "nowhere" })])).toThrow(
      expect.objectContaining({ code: "ledger_constraint" }),
    );
    expect(threads.get("a")).toBeNull();
  });

  it("can be forgotten, without what was typed for them", () => {
    const { threads, drafts } = test.ledger;
    threads.upsert([thread("a")]);
    drafts.put("a", "typed", []);
    threads.setSettings("a", noSettings);
    threads.forget("a");
    expect(threads.get("a")).toBeNull();
    expect(drafts.get("a")?.text).toBe("typed");
    expect(threads.getSettings("a")).toEqual(noSettings);
  });
});

describe("what was chosen for a thread", () => {
  it("is kept for each, and is nothing at first", () => {
    const { threads } = test.ledger;
    expect(threads.getSettings("a")).toBeNull();
    threads.setSettings("a", { ...noSettings, model: "one" });
    threads.setSettings("b", { ...noSettings, sandbox: "read-only" });
    threads.setSettings("a", { ...noSettings, model: "two" });
    expect(test.reopen().threads.getSettings("a")).toEqual({ ...noSettings, model: "two" });
    expect(test.ledger.threads.getSettings("b")).toEqual({ ...noSettings, sandbox: "read-only" });
  });

  it("goes with a thread that gets its name, over what was there", () => {
    const { threads } = test.ledger;
    threads.setSettings("new:1", { ...noSettings, effort: "high" });
    threads.setSettings("thread", noSettings);
    threads.moveSettings("new:1", "thread");
    threads.moveSettings("new:2", "thread");
    expect(threads.getSettings("thread")).toEqual({ ...noSettings, effort: "high" });
    expect(threads.getSettings("new:1")).toBeNull();
  });
});
