import { expect, test } from "vitest";
import { mayHaveChangedFiles } from "./fileEvents";

test.each([
  ["turn/completed", {}, true],
  ["turn/diff/updated", { diff: "" }, true],
  ["item/completed", { item: { type: "fileChange" } }, true],
  ["item/completed", { item: { type: "commandExecution" } }, true],
  ["item/completed", { item: { type: "agentMessage" } }, false],
  ["item/started", { item: { type: "fileChange" } }, false],
  ["item/completed", null, false],
  ["item/completed", { item: null }, false],
])("%s %j may have changed files: %s", (method, params, expected) => {
  expect(mayHaveChangedFiles(method, params)).toBe(expected);
});
