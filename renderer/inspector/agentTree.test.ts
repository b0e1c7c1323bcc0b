import { expect, test } from "vitest";
import type { ThreadRow } from "../../preload/contract/app";
import { threadRow } from "../state/testThread";
import { type AgentNode, agentTree, countAgents } from "./agentTree";
import type { ItemOf } from "./kindSelect";

function item(part: Partial<ItemOf<"subAgent">>): ItemOf<"subAgent"> {
  return {
    kind: "subAgent",
    id: "item",
    turnId: "turn",
    status: "completed",
    startedAtMs: null,
    completedAtMs: null,
    activity: "Started an agent",
    agentThreadIds: [],
    agentName: null,
    prompt: null,
    states: [],
    ...part,
  };
}

function rowsOf(...rows: ThreadRow[]): ReadonlyMap<string, ThreadRow> {
  return new Map(rows.map((row) => [row.threadId, row]));
}

const started = (threadId: string, agentName: string) =>
  item({ activity: "Agent started", agentThreadIds: [threadId], agentName });

const shape = (nodes: readonly AgentNode[]): unknown[] =>
  nodes.map(({ name, children }) => (children.length === 0 ? name : [name, shape(children)]));

test("an agent that several items speak of is one agent, with what was said last", () => {
  const [agent, ...more] = agentTree(
    [
      item({ agentThreadIds: ["a"], prompt: "Reproduce it" }),
      started("a", "reproduce"),
      item({
        agentThreadIds: ["a"],
        prompt: "Hurry",
        states: [{ agent: "a", state: "running", message: null }],
      }),
      item({ states: [{ agent: "a", state: "completed", message: "It fails at 50 rps" }] }),
    ],
    rowsOf(),
  );
  expect(more).toEqual([]);
  expect(agent).toEqual({
    threadId: "a",
    name: "reproduce",
    state: "completed",
    message: "It fails at 50 rps",
    task: "Reproduce it",
    children: [],
  });
});

test("what happens to an agent is its state until another one is reported", () => {
  const interrupted = item({ activity: "Agent interrupted", agentThreadIds: ["a"] });
  const stateOf = (...items: ItemOf<"subAgent">[]) => agentTree(items, rowsOf())[0]?.state;
  expect(stateOf(started("a", "x"))).toBe("running");
  expect(stateOf(started("a", "x"), interrupted)).toBe("interrupted");
  expect(stateOf(item({ agentThreadIds: ["a"] }))).toBeNull();
});

test("the agent's own thread knows best that it runs or waits", () => {
  const items = [started("a", "x"), item({ states: [{ agent: "a", state: "completed", message: null }] })];
  const stateWith = (state: ThreadRow["state"]) =>
    agentTree(items, rowsOf(threadRow("a", { state })))[0]?.state;
  expect(stateWith("waiting for approval")).toBe("waiting for approval");
  expect(stateWith("running")).toBe("running");
  expect(stateWith("not loaded")).toBe("completed");
  expect(stateWith("idle")).toBe("completed");
});

test("an agent stands below the agent that started it, named or not", () => {
  const rows = rowsOf(
    threadRow("a", { parentThreadId: "thread" }),
    threadRow("b", { parentThreadId: "a" }),
    threadRow("c", { parentThreadId: "b", title: "Third" }),
    threadRow("stranger", { parentThreadId: "elsewhere" }),
  );
  const tree = agentTree([started("a", "first"), started("b", "second")], rows);
  expect(shape(tree)).toEqual([["first", [["second", ["Third"]]]]]);
  expect(countAgents(tree)).toBe(3);
});

test("threads that name each other as parent are listed and do not hang the window", () => {
  const rows = rowsOf(threadRow("a", { parentThreadId: "a" }));
  expect(shape(agentTree([started("a", "self")], rows))).toEqual(["self"]);
});

test("an agent without a name has its thread's title, else a number", () => {
  const items = [item({ agentThreadIds: ["a", "b"] })];
  expect(shape(agentTree(items, rowsOf(threadRow("a", { title: "Read the RFC" }))))).toEqual([
    "Read the RFC",
    "Agent 2",
  ]);
});
