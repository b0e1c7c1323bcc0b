import { describe, expect, test } from "vitest";
import type { Item } from "../../../preload/contract/items";
import type { SubmissionView, ThreadHead, TurnView } from "../../../preload/contract/thread";
import { countAfter, lastSettledKey, type RowSource, rowKeeper, rowsOf } from "./rows";

function agent(id: string, turnId: string): Item {
  const base = { id, turnId, status: "completed", startedAtMs: null, completedAtMs: null } as const;
  return { ...base, kind: "agent", text: id, phase: null, gaps: [] };
}

function user(id: string, turnId: string, clientId: string | null): Item {
  const base = { id, turnId, status: "completed", startedAtMs: null, completedAtMs: null } as const;
  return { ...base, kind: "user", clientId, text: id, attachments: [] };
}

function turn(id: string, status: TurnView["status"]): TurnView {
  return { id, status, startedAtMs: null, completedAtMs: null, durationMs: null, fault: null };
}

function submission(clientId: string, change: Partial<SubmissionView> = {}): SubmissionView {
  return {
    clientId,
    text: clientId,
    attachments: [],
    mode: "turn",
    state: "sending",
    createdAtMs: 0,
    fault: null,
    ...change,
  };
}

function source(items: Item[], turns: TurnView[], head: Partial<ThreadHead> = {}): RowSource {
  return {
    order: items.map((item) => item.id),
    byId: Object.fromEntries(items.map((item) => [item.id, item])),
    turnOrder: turns.map((each) => each.id),
    turnById: Object.fromEntries(turns.map((each) => [each.id, each])),
    head: { submissions: [], run: null, hasOlder: false, ...head } as ThreadHead,
  };
}

const run = { turnId: null, startedAtMs: 0, stopping: false, retrying: null, waitingFor: [] };
const keys = (rows: readonly { key: string }[]) => rows.map((row) => row.key);

describe("rows", () => {
  test("items in order, and the end of each turn that has ended", () => {
    const rows = rowsOf(
      source(
        [agent("a", "t1"), agent("b", "t1"), agent("c", "t2")],
        [turn("t1", "completed"), turn("t2", "running")],
        { run },
      ),
    );
    expect(keys(rows)).toEqual(["a", "b", "turn:t1", "c", "run"]);
  });

  test("a turn that failed without any item has its end in its place", () => {
    const turns = [turn("t1", "failed"), turn("t2", "completed"), turn("t3", "failed")];
    expect(keys(rowsOf(source([agent("a", "t2")], turns)))).toEqual(["turn:t1", "a", "turn:t2", "turn:t3"]);
  });

  test("only the end of the very last turn offers to go on from it, and only while nothing runs", () => {
    const turns = [turn("t1", "completed"), turn("t2", "failed")];
    const ends = (head: Partial<ThreadHead>) =>
      rowsOf(source([agent("a", "t1"), agent("b", "t2")], turns, head)).flatMap((row) =>
        row.kind === "turnEnd" ? [row.last] : [],
      );
    expect(ends({})).toEqual([false, true]);
    expect(ends({ run })).toEqual([false, false]);
  });

  test("an item that came late into an earlier turn moves that turn's end, and repeats none", () => {
    const turns = [turn("t1", "completed"), turn("t2", "completed")];
    const rows = rowsOf(source([agent("a", "t1"), agent("b", "t2"), agent("late", "t1")], turns));
    expect(keys(rows)).toEqual(["a", "b", "turn:t2", "late", "turn:t1"]);
  });
});

describe("what was sent", () => {
  test("a message keeps its key from being sent to being an item", () => {
    const sent = rowsOf(source([], [], { submissions: [submission("c1")] }));
    const seen = rowsOf(
      source([user("i1", "t1", "c1")], [turn("t1", "running")], { submissions: [submission("c1")] }),
    );
    expect(keys(sent)).toEqual(["you:c1"]);
    expect(keys(seen)).toEqual(["you:c1"]);
    expect(seen[0]?.kind).toBe("item");
  });

  test("what is queued stands among the follow-ups, unless it could not be delivered", () => {
    const submissions = [
      submission("q1", { mode: "queue", state: "sent" }),
      submission("q2", { mode: "queue", state: "undelivered" }),
      submission("s", { mode: "steer" }),
    ];
    expect(keys(rowsOf(source([], [], { submissions })))).toEqual(["you:q2", "you:s"]);
  });
});

describe("keeping rows", () => {
  test("streaming text and head changes that move nothing keep the same rows", () => {
    const keep = rowKeeper();
    const before = source([agent("a", "t1")], [turn("t1", "running")], { run });
    const rows = keep(before);
    const after = {
      ...before,
      byId: { a: agent("a", "t1") },
      head: { ...before.head, run: { ...run, stopping: true } },
    };
    expect(keep(after)).toBe(rows);
    expect(keep({ ...after, head: { ...after.head, run: null } })).not.toBe(rows);
  });
});

describe("what is new", () => {
  test("counts the items after the one that was last seen", () => {
    const rows = rowsOf(
      source(
        [agent("a", "t1"), agent("b", "t2"), agent("c", "t2")],
        [turn("t1", "completed"), turn("t2", "running")],
        { run },
      ),
    );
    expect(countAfter(rows, "a")).toBe(2);
    expect(countAfter(rows, "turn:t1")).toBe(2);
    expect(countAfter(rows, "c")).toBe(0);
    expect(countAfter(rows, null)).toBe(0);
    expect(lastSettledKey(rows)).toBe("c");
  });

  test("a row that is gone counts nothing rather than everything", () => {
    expect(countAfter(rowsOf(source([agent("a", "t")], [])), "gone")).toBe(0);
  });
});
