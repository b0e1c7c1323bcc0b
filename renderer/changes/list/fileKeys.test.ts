import { expect, test } from "vitest";
import { fileListKey } from "./fileKeys";
import type { FileEntry, ListRow } from "./files";

const entry: FileEntry = {
  key: "unstaged:src/a.ts",
  group: "unstaged",
  path: "src/a.ts",
  oldPath: null,
  state: "modified",
  added: 1,
  removed: 0,
  note: null,
  inert: false,
};
const rows: ListRow[] = [
  { kind: "group", key: "unstaged", group: "unstaged", label: "Not staged", count: 1, open: true },
  {
    kind: "folder",
    key: "unstaged:src/",
    group: "unstaged",
    path: "src/",
    name: "src",
    depth: 0,
    open: true,
  },
  { kind: "file", key: entry.key, entry, depth: 1, name: "a.ts", folder: "" },
];
const press = (key: string) => ({ key, ctrlKey: false, metaKey: false, altKey: false });

test("arrows walk the tree, in and out", () => {
  expect(fileListKey(rows, 0, press("ArrowDown"))).toEqual({ do: "move", to: 1 });
  expect(fileListKey(rows, 2, press("ArrowDown"))).toEqual({ do: "move", to: 2 });
  expect(fileListKey(rows, 2, press("ArrowLeft"))).toEqual({ do: "move", to: 1 });
  expect(fileListKey(rows, 1, press("ArrowLeft"))).toEqual({ do: "close" });
  const closed = rows.map((row) => (row.kind === "folder" ? { ...row, open: false } : row));
  expect(fileListKey(closed, 1, press("ArrowRight"))).toEqual({ do: "open" });
  expect(fileListKey(closed, 1, press("ArrowLeft"))).toEqual({ do: "move", to: 0 });
});

test("Space stages, Enter goes to the difference, x discards", () => {
  expect(fileListKey(rows, 2, press(" "))).toEqual({ do: "toggle" });
  expect(fileListKey(rows, 2, press("Enter"))).toEqual({ do: "enter" });
  expect(fileListKey(rows, 1, press("Enter"))).toEqual({ do: "close" });
  expect(fileListKey(rows, 2, press("Delete"))).toEqual({ do: "discard" });
  expect(fileListKey(rows, 2, { ...press("s"), ctrlKey: true })).toBeNull();
});
