import { describe, expect, it } from "vitest";
import { threadRow, workspace } from "../state/testThread";
import { type ListRow, listRows } from "./rows";
import { type TreeKey, treeKey, typeAhead } from "./treeKeys";

const key = (name: string, held: Partial<TreeKey> = {}): TreeKey => ({
  key: name,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
});

// 0 w, 1 parent, 2 child, 3 other, 4 (gone note of v) is 5: v, 6 note, 7 last
const rows: ListRow[] = listRows({
  workspaces: [workspace("w"), workspace("v", { gone: true })],
  rows: new Map(
    [
      threadRow("parent", { workspaceId: "w", updatedAtMs: 2 }),
      threadRow("child", { workspaceId: "w", parentThreadId: "parent" }),
      threadRow("other", { workspaceId: "w", updatedAtMs: 1 }),
      threadRow("last", { workspaceId: "v" }),
    ].map((row) => [row.threadId, row]),
  ),
  starts: [],
  collapsed: [],
  archivedOf: new Set(),
  filter: "",
  hits: null,
  orderMs: (row) => row.updatedAtMs,
});
const place = (name: string) => {
  const index = rows.findIndex((row) => row.key === name);
  if (index === -1) throw new Error(`No row ${name}`);
  return index;
};
const note = place("gone v");
const last = place("last");

describe("the keyboard in the list", () => {
  it("steps over rows that are only words", () => {
    expect(rows[note]?.kind).toBe("note");
    expect(treeKey(rows, note - 1, key("ArrowDown"))).toEqual({ do: "move", to: last });
    expect(treeKey(rows, last, key("ArrowUp"))).toEqual({ do: "move", to: note - 1 });
  });

  it("stays at the ends, and starts at them when it has no row yet", () => {
    expect(treeKey(rows, 0, key("ArrowUp"))).toEqual({ do: "move", to: 0 });
    expect(treeKey(rows, last, key("ArrowDown"))).toEqual({ do: "move", to: last });
    expect(treeKey(rows, -1, key("ArrowDown"))).toEqual({ do: "move", to: 0 });
    expect(treeKey(rows, -1, key("ArrowUp"))).toEqual({ do: "move", to: last });
    expect(treeKey(rows, 2, key("Home"))).toEqual({ do: "move", to: 0 });
    expect(treeKey(rows, 2, key("End"))).toEqual({ do: "move", to: last });
    expect(treeKey(rows, 0, key("PageDown"))).toEqual({ do: "move", to: last });
    expect(treeKey(rows, last, key("PageUp"))).toEqual({ do: "move", to: 0 });
  });

  it("goes in with the right arrow and out with the left one", () => {
    expect(treeKey(rows, 0, key("ArrowRight"))).toEqual({ do: "move", to: 1 });
    expect(treeKey(rows, 1, key("ArrowRight"))).toEqual({ do: "move", to: 2 });
    expect(treeKey(rows, 2, key("ArrowRight"))).toBeNull();
    expect(treeKey(rows, 2, key("ArrowLeft"))).toEqual({ do: "move", to: 1 });
    expect(treeKey(rows, 1, key("ArrowLeft"))).toEqual({ do: "move", to: 0 });
    expect(treeKey(rows, 3, key("ArrowLeft"))).toEqual({ do: "move", to: 0 });
    expect(treeKey(rows, 0, key("ArrowLeft"))).toEqual({ do: "collapse", workspaceId: "w" });
    const collapsed = rows.map((row) => (row.kind === "workspace" ? { ...row, expanded: false } : row));
    expect(treeKey(collapsed, 0, key("ArrowRight"))).toEqual({ do: "expand", workspaceId: "w" });
  });

  it("does what the menu does", () => {
    expect(treeKey(rows, 1, key("Enter"))).toEqual({ do: "open", row: rows[1] });
    expect(treeKey(rows, 1, key(" "))).toEqual({ do: "open", row: rows[1] });
    expect(treeKey(rows, 1, key("F2"))).toEqual({ do: "rename", row: rows[1] });
    expect(treeKey(rows, 1, key("Delete"))).toEqual({ do: "archive", row: rows[1] });
    expect(treeKey(rows, 1, key("Delete", { shiftKey: true }))).toEqual({ do: "delete", row: rows[1] });
    expect(treeKey(rows, 0, key("Delete"))).toBeNull();
    expect(treeKey(rows, 1, key("F10", { shiftKey: true }))).toEqual({ do: "menu", row: rows[1] });
    expect(treeKey(rows, 1, key("ContextMenu"))).toEqual({ do: "menu", row: rows[1] });
    expect(treeKey(rows, -1, key("Enter"))).toBeNull();
  });

  it("leaves the shortcuts of the window alone", () => {
    expect(treeKey(rows, 1, key("n", { ctrlKey: true }))).toBeNull();
    expect(treeKey(rows, 1, key("/"))).toBeNull();
    expect(treeKey(rows, 1, key("?", { shiftKey: true }))).toBeNull();
    expect(treeKey(rows, 1, key("F10"))).toBeNull();
    expect(treeKey(rows, 1, key("Tab"))).toBeNull();
  });

  it("types ahead", () => {
    expect(treeKey(rows, 1, key("o"))).toEqual({ do: "type", letter: "o" });
    const words = (row: ListRow) => (row.kind === "thread" ? row.threadId : "");
    expect(typeAhead(rows, 0, "o", words)).toBe(place("other"));
    expect(typeAhead(rows, last, "P", words)).toBe(place("parent"));
    expect(typeAhead(rows, place("parent"), "pa", words)).toBe(place("parent"));
    expect(typeAhead(rows, 1, "zzz", words)).toBe(1);
    expect(typeAhead(rows, place("other"), "o", words)).toBe(place("other"));
  });
});
