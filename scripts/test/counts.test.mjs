import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { playwrightCounts, vitestCounts } from "./counts.mjs";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "holdfast-counts-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** @param {unknown} content */
function report(content) {
  const file = path.join(folder, "report.json");
  writeFileSync(file, JSON.stringify(content));
  return file;
}

test("a missing report is no counts", () => {
  expect(vitestCounts(path.join(folder, "none.json"))).toBeUndefined();
  expect(playwrightCounts(path.join(folder, "none.json"))).toBeUndefined();
});

test("Vitest: skipped and to-do tests, and files that could not be loaded, count as failed", () => {
  const file = report({
    numPassedTests: 5,
    numFailedTests: 1,
    numPendingTests: 2,
    numTodoTests: 1,
    testResults: [
      { status: "passed", assertionResults: [{ status: "passed" }] },
      { status: "failed", assertionResults: [{ status: "failed" }, { status: "passed" }] },
      { status: "failed", assertionResults: [] },
    ],
  });
  expect(vitestCounts(file)).toEqual({ passed: 5, failed: 5, notRun: 3 });
});

test("Playwright: skipped and flaky tests, and errors outside tests, count as failed", () => {
  const file = report({
    stats: { expected: 7, unexpected: 1, flaky: 1, skipped: 2 },
    errors: [{ message: "x" }],
  });
  expect(playwrightCounts(file)).toEqual({ passed: 7, failed: 5, notRun: 2 });
});
