import { expect, test } from "vitest";
import type { ThreadRow } from "../../preload/contract/app";
import { parentsOf } from "./parentsOf";
import { threadRow } from "./testThread";

const child = (threadId: string, parentThreadId: string) => threadRow(threadId, { parentThreadId });
const rowsOf = (...rows: ThreadRow[]) => new Map(rows.map((row) => [row.threadId, row]));

test("the threads above one, from the top", () => {
  const rows = rowsOf(threadRow("top"), child("c", "top"), child("d", "c"), child("lost", "not listed"));
  expect(parentsOf(rows, "d").map(({ threadId }) => threadId)).toEqual(["top", "c"]);
  expect(parentsOf(rows, "top")).toEqual([]);
  expect(parentsOf(rows, "lost")).toEqual([]);
  expect(parentsOf(rowsOf(child("a", "b"), child("b", "a")), "a")).toHaveLength(2);
});
