import { describe, expect, test } from "vitest";
import type { RunRow, ScriptRow } from "../../preload/contract/cells";
import { cellsShown, lastRunOf, neighbourOf, runCounts } from "./cellsView";

function run(runId: string, scriptId: string | null, state: RunRow["state"] = "completed"): RunRow {
  return {
    runId,
    scriptId,
    scriptName: "Script",
    workspaceId: "w",
    workspaceName: "atlas",
    state,
    startedAtMs: 0,
    endedAtMs: null,
  };
}

function script(scriptId: string, origin: ScriptRow["origin"] = "own"): ScriptRow {
  return { scriptId, name: scriptId, origin, summary: null, updatedAtMs: 0 };
}

describe("what the page shows", () => {
  const runs = [run("1", "a"), run("2", "b"), run("3", null)];

  test.each([
    [{ scriptId: null, runId: null }, { kind: "start" }],
    [
      { scriptId: "a", runId: null },
      { kind: "script", scriptId: "a", runId: null },
    ],
    [
      { scriptId: "a", runId: "1" },
      { kind: "script", scriptId: "a", runId: "1" },
    ],
    // A run of another script has nothing to do with the text that would stand above it.
    [
      { scriptId: "a", runId: "2" },
      { kind: "run", runId: "2", scriptId: "b" },
    ],
    [
      { scriptId: "a", runId: "3" },
      { kind: "run", runId: "3", scriptId: null },
    ],
    [
      { scriptId: null, runId: "1" },
      { kind: "run", runId: "1", scriptId: "a" },
    ],
    // One that has only just begun is in no list yet.
    [
      { scriptId: "a", runId: "new" },
      { kind: "script", scriptId: "a", runId: "new" },
    ],
    [
      { scriptId: null, runId: "new" },
      { kind: "run", runId: "new", scriptId: null },
    ],
  ])("%j", (cells, shown) => {
    expect(cellsShown(cells, runs)).toEqual(shown);
  });
});

test("the newest run of a script is the first in the list", () => {
  expect(lastRunOf("a", [run("2", "b"), run("3", "a"), run("1", "a")])?.runId).toBe("3");
  expect(lastRunOf("c", [run("1", "a")])).toBeUndefined();
});

test("after a script is deleted comes the one below it, or else the one above; none that came with Holdfast", () => {
  const scripts = [script("a"), script("b"), script("h", "shipped")];
  expect(neighbourOf("a", scripts)).toBe("b");
  expect(neighbourOf("b", scripts)).toBe("a");
  expect(neighbourOf("a", [script("a"), script("h", "shipped")])).toBeNull();
});

test("what runs and what waits are counted", () => {
  const states = [
    "running",
    "waiting for answer",
    "ending",
    "completed",
    "failed",
    "stopped",
    "cut off",
  ] as const;
  expect(runCounts(states.map((state) => run(state, "a", state)))).toEqual({ live: 3, waiting: 1 });
});
