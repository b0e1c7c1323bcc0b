import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { projectRoot } from "../setup/project.mjs";
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
  expect(vitestCounts(file)).toMatchObject({ passed: 5, failed: 5, notRun: 3 });
});

test("Playwright: skipped and flaky tests, and errors outside tests, count as failed", () => {
  const file = report({
    stats: { expected: 7, unexpected: 1, flaky: 1, skipped: 2 },
    errors: [{ message: "x" }],
  });
  expect(playwrightCounts(file)).toMatchObject({ passed: 7, failed: 5, notRun: 2 });
});

test("Vitest: what failed is named, with why, without colours", () => {
  const file = report({
    numPassedTests: 1,
    numFailedTests: 1,
    numPendingTests: 0,
    numTodoTests: 0,
    testResults: [
      {
        name: path.join(projectRoot, "main", "a.test.ts"),
        status: "failed",
        assertionResults: [
          { status: "passed", fullName: "holds" },
          {
            status: "failed",
            fullName: "adds",
            failureMessages: ["\u001b[31mexpected 1\u001b[39m\n\n  at a"],
          },
        ],
      },
      {
        name: path.join(projectRoot, "main", "b.test.ts"),
        status: "failed",
        message: "no such file",
        assertionResults: [],
      },
    ],
  });
  expect(vitestCounts(file)?.failures).toEqual([
    `${path.join("main", "a.test.ts")} › adds\n    expected 1\n      at a`,
    `${path.join("main", "b.test.ts")}\n    no such file`,
  ]);
});

test("Playwright: what failed is named, in nested suites too; a long reason is cut", () => {
  const message = Array.from({ length: 30 }, (_, index) => `line ${index}`).join("\n");
  const file = report({
    stats: { expected: 1, unexpected: 1, flaky: 0, skipped: 0 },
    errors: [{ message: "the set-up failed" }],
    suites: [
      {
        specs: [{ title: "holds", file: "a.spec.ts", line: 3, ok: true, tests: [{ results: [{}] }] }],
        suites: [
          {
            specs: [
              {
                title: "opens",
                file: "a.spec.ts",
                line: 9,
                ok: false,
                tests: [{ results: [{ errors: [{ message }] }] }],
              },
            ],
          },
        ],
      },
    ],
  });
  const failures = playwrightCounts(file)?.failures ?? [];
  expect(failures).toHaveLength(2);
  expect(failures[0]?.split("\n").at(0)).toBe("a.spec.ts:9 › opens");
  expect(failures[0]?.split("\n").at(1)).toBe("    line 0");
  expect(failures[0]?.split("\n").at(-1)).toBe("    …");
  expect(failures[1]).toBe("outside the tests\n    the set-up failed");
});
