import { expect, test } from "vitest";
import type { FileChange, ItemStatus } from "../../preload/contract/items";
import { changedFiles, pathIn, splitPath } from "./changedFiles";
import type { ItemOf } from "./kindSelect";

function change(path: string, part: Partial<FileChange> = {}): FileChange {
  return {
    path,
    change: "update",
    movedTo: null,
    diff: { text: "", droppedUnits: 0 },
    added: 2,
    removed: 1,
    ...part,
  };
}

let nextId = 0;
function item(changes: FileChange[], status: ItemStatus = "completed"): ItemOf<"fileChange"> {
  nextId += 1;
  const id = `edit ${nextId}`;
  return { kind: "fileChange", id, turnId: "turn", status, startedAtMs: null, completedAtMs: null, changes };
}

const brief = (items: ItemOf<"fileChange">[]) =>
  changedFiles(items).files.map(({ path, fate }) => `${path} ${fate}`);

test("edits of one file are one entry with the sum of their lines, in order", () => {
  const { files, added, removed } = changedFiles([
    item([change("a.ts"), change("b.ts", { added: 5 })]),
    item([change("a.ts", { removed: 4 })]),
  ]);
  expect(files.map(({ path }) => path)).toEqual(["a.ts", "b.ts"]);
  expect(files[0]).toMatchObject({ added: 4, removed: 5, fate: "edited" });
  expect(files[0]?.edits.map((edit) => edit.change.removed)).toEqual([1, 4]);
  expect({ added, removed }).toEqual({ added: 9, removed: 6 });
});

test("what was declined or failed has changed nothing", () => {
  expect(brief([item([change("a.ts")], "declined"), item([change("b.ts")], "failed")])).toEqual([]);
});

test("an edit that was cut off by a disconnect still counts", () => {
  expect(brief([item([change("a.ts")], "lost")])).toEqual(["a.ts edited"]);
});

test("an edit that is going on marks its file", () => {
  const { files } = changedFiles([item([change("a.ts")]), item([change("a.ts")], "running")]);
  expect(files[0]?.writing).toBe(true);
});

test("a file that was made here stays an added one when it is edited", () => {
  expect(brief([item([change("a.ts", { change: "add" })]), item([change("a.ts")])])).toEqual(["a.ts added"]);
});

test("a file that was made and deleted here says both", () => {
  expect(
    brief([item([change("a.ts", { change: "add" })]), item([change("a.ts", { change: "delete" })])]),
  ).toEqual(["a.ts dropped"]);
});

test("a file that was deleted and made again was edited", () => {
  expect(
    brief([item([change("a.ts", { change: "delete" })]), item([change("a.ts", { change: "add" })])]),
  ).toEqual(["a.ts edited"]);
});

test("a moved file is one entry under its new name, and later edits belong to it", () => {
  const { files } = changedFiles([item([change("a.ts", { movedTo: "b.ts" })]), item([change("b.ts")])]);
  expect(files).toHaveLength(1);
  expect(files[0]).toMatchObject({ path: "b.ts", movedFrom: "a.ts", fate: "moved" });
});

test("a new file under the name that another one left is a file of its own", () => {
  expect(
    brief([item([change("a.ts", { movedTo: "b.ts" })]), item([change("a.ts", { change: "add" })])]),
  ).toEqual(["b.ts moved", "a.ts added"]);
});

test("a file that was moved away and back was edited", () => {
  const { files } = changedFiles([
    item([change("a.ts", { movedTo: "b.ts" })]),
    item([change("b.ts", { movedTo: "a.ts" })]),
  ]);
  expect(files.map(({ path, fate, movedFrom }) => ({ path, fate, movedFrom }))).toEqual([
    { path: "a.ts", fate: "edited", movedFrom: null },
  ]);
});

test("a path below the folder is shown without it, any other as it is", () => {
  expect(pathIn("/home/ada/atlas", "/home/ada/atlas/src/a.ts")).toBe("src/a.ts");
  expect(pathIn("/home/ada/atlas", "/home/ada/atlas-web/a.ts")).toBe("/home/ada/atlas-web/a.ts");
  expect(pathIn("C:\\atlas", "C:\\atlas\\a.ts")).toBe("a.ts");
  expect(pathIn(null, "/a.ts")).toBe("/a.ts");
});

test("a path is a folder and a name", () => {
  expect(splitPath("src/limiter/bucket.ts")).toEqual({ folder: "src/limiter/", name: "bucket.ts" });
  expect(splitPath("bucket.ts")).toEqual({ folder: "", name: "bucket.ts" });
});
