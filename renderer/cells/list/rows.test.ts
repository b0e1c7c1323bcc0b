import { describe, expect, test } from "vitest";
import type { RunRow, ScriptRow } from "../../../preload/contract/cells";
import { type CellsRow, cellsRows, rowKey, typeAhead } from "./rows";

function script(name: string, origin: ScriptRow["origin"] = "own"): ScriptRow {
  return { scriptId: name, name, origin, summary: null, updatedAtMs: 0 };
}

function run(runId: string, part: Partial<RunRow> = {}): RunRow {
  return {
    runId,
    scriptId: "a",
    scriptName: "Hunt",
    workspaceId: "w",
    workspaceName: "atlas",
    state: "completed",
    startedAtMs: 0,
    endedAtMs: 1,
    ...part,
  };
}

const keys = (rows: readonly CellsRow[]) => rows.map((row) => row.key);

describe("the rows", () => {
  test("own scripts and those that came with Holdfast are apart, in main's order", () => {
    const { own, shipped } = cellsRows([script("b"), script("a"), script("h", "shipped")], [], "", 10);
    expect(keys(own)).toEqual(["script b", "script a"]);
    expect(keys(shipped)).toEqual(["script h"]);
  });

  test.each([
    ["", ["run 1", "run 2", "run 3"]],
    ["hunt", ["run 1", "run 3"]],
    ["FAILED", ["run 3"]],
    // Every word counts, whatever it is a word of.
    ["web hunt", ["run 3"]],
    ["nothing like it", []],
  ])("runs filtered by %j", (filter, found) => {
    const runs = [
      run("1"),
      run("2", { scriptName: "Review" }),
      run("3", { state: "failed", workspaceName: "atlas-web" }),
    ];
    expect(keys(cellsRows([], runs, filter, 10).runs)).toEqual(found);
  });

  test("more runs than are drawn can be asked for", () => {
    const { runs } = cellsRows([], [run("1"), run("2"), run("3")], "", 2);
    expect(keys(runs)).toEqual(["run 1", "run 2", "more"]);
    expect(runs[2]).toMatchObject({ left: 1 });
  });
});

describe("keys", () => {
  const { own, shipped, runs } = cellsRows(
    [script("Aa"), script("Ab"), script("Ha", "shipped")],
    [run("1")],
    "",
    10,
  );
  const scripts = [...own, ...shipped];
  const press = (key: string, part = {}) => ({
    key,
    shiftKey: false,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    ...part,
  });

  test.each([
    ["ArrowDown", 0, 1],
    ["ArrowDown", 2, 2],
    ["ArrowUp", 0, 0],
    ["Home", 2, 0],
    ["End", 0, 2],
    ["PageDown", 0, 2],
    ["PageUp", 2, 0],
  ])("%s from row %i goes to row %i", (key, from, to) => {
    expect(rowKey(scripts, from, press(key))).toEqual({ do: "move", to });
  });

  test("what came with Holdfast is neither renamed nor deleted", () => {
    expect(rowKey(scripts, 0, press("F2"))).toEqual({ do: "rename", row: scripts[0] });
    expect(rowKey(scripts, 2, press("F2"))).toBeNull();
    expect(rowKey(scripts, 0, press("Delete"))).toEqual({ do: "delete", row: scripts[0] });
    expect(rowKey(scripts, 2, press("Delete"))).toBeNull();
    expect(rowKey(runs, 0, press("Delete"))).toEqual({ do: "delete", row: runs[0] });
    expect(rowKey(runs, 0, press("F2"))).toBeNull();
  });

  test("keys of the window are left to it", () => {
    expect(rowKey(scripts, 0, press("k", { ctrlKey: true }))).toBeNull();
    expect(rowKey(scripts, 0, press("?"))).toBeNull();
    expect(rowKey(scripts, 0, press("Escape"))).toBeNull();
    expect(rowKey([], -1, press("ArrowDown"))).toBeNull();
  });

  test("the menu opens by either key", () => {
    expect(rowKey(scripts, 1, press("F10", { shiftKey: true }))).toEqual({ do: "menu", row: scripts[1] });
    expect(rowKey(scripts, 1, press("ContextMenu"))).toEqual({ do: "menu", row: scripts[1] });
  });

  test("typing goes to the next name that starts so, around the end", () => {
    expect(typeAhead(scripts, 0, "a")).toBe(1);
    expect(typeAhead(scripts, 1, "a")).toBe(0);
    expect(typeAhead(scripts, 0, "ab")).toBe(1);
    expect(typeAhead(scripts, 1, "h")).toBe(2);
    expect(typeAhead(scripts, 1, "z")).toBe(1);
  });
});
