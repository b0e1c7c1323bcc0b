import { describe, expect, it, test } from "vitest";
import type { AgentView, ThreadRow } from "../../preload/contract/app";
import { threadRow } from "../state/testThread";
import { agentState, agentTree, keptTree, treeWords } from "./agentTree";

const agentOf = (name: string, part: Partial<AgentView> = {}): AgentView => ({
  name,
  role: null,
  task: null,
  lastMessage: null,
  tokens: null,
  acceptsMessages: null,
  outcome: null,
  ...part,
});

function child(threadId: string, parentThreadId: string, part: Partial<ThreadRow> = {}): ThreadRow {
  return threadRow(threadId, { parentThreadId, agent: agentOf(threadId), ...part });
}

const rowsOf = (...rows: ThreadRow[]) => new Map(rows.map((row) => [row.threadId, row]));
const shape = (rows: ReadonlyMap<string, ThreadRow>, of: string) =>
  agentTree(rows, of).map(({ row, level, position, setSize }) => [row.threadId, level, position, setSize]);

describe("the tree", () => {
  const rows = rowsOf(
    child("c2", "top"),
    threadRow("top"),
    child("c1", "top"),
    child("d1", "c1"),
    child("e1", "d1"),
    threadRow("other"),
    child("x1", "other"),
  );

  it("has what stands below the thread, depth first, in the order in which it was started", () => {
    expect(shape(rows, "top")).toEqual([
      ["c1", 1, 1, 2],
      ["d1", 2, 1, 1],
      ["e1", 3, 1, 1],
      ["c2", 1, 2, 2],
    ]);
    expect(shape(rows, "c1").map(([id]) => id)).toEqual(["d1", "e1"]);
    expect(agentTree(rows, null)).toEqual([]);
  });

  it("ends where rows name each other as parents", () => {
    expect(shape(rowsOf(child("a", "b"), child("b", "a")), "a").map(([id]) => id)).toEqual(["b"]);
  });

  it("stays the same list until something in it changes", () => {
    const select = keptTree("top");
    const before = select(rows);
    expect(select(new Map(rows).set("other", threadRow("other", { title: "New" })))).toBe(before);
    const after = select(new Map(rows).set("d1", child("d1", "c1", { state: "running" })));
    expect(after).not.toBe(before);
    expect(after[1]?.state).toBe("running");
  });

  it("says how many are at work", () => {
    expect(treeWords(agentTree(rows, "d1"))).toBe("1 agent");
    const busy = new Map(rows).set("c2", child("c2", "top", { state: "waiting for approval" }));
    expect(treeWords(agentTree(busy, "top"))).toBe("4 agents, 1 at work");
  });
});

test.each<[ThreadRow["state"], AgentView["outcome"], string]>([
  ["running", "completed", "running"],
  ["waiting for approval", null, "waiting for approval"],
  ["not loaded", "completed", "completed"],
  ["not loaded", "closed", "closed"],
  ["idle", "interrupted", "interrupted"],
  ["interrupted", null, "interrupted"],
  ["failed", "failed", "failed"],
  ["not loaded", null, "not loaded"],
])("a thread that is %s, whose agent ended as %s, is %s", (state, outcome, word) => {
  expect(agentState({ state, agent: agentOf("a", { outcome }) })).toBe(word);
});
