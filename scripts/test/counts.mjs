// What the test runners' own reports say, in one measure. A test that did not run has not passed: skipped and to-do tests
// count as failed, and so does a file that could not be loaded.

import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { projectRoot, textOf } from "../setup/project.mjs";

/**
 * `failed` includes `notRun`. `failures`: what failed, with the first lines of why.
 * @typedef {{ passed: number, failed: number, notRun: number, failures: string[] }} Counts
 */

/** Enough to know what to look at. All of it is further up. */
const mostFailures = 20;
const mostLines = 12;

/**
 * The report of `vitest --reporter=json`.
 * @param {string} file
 * @returns {Counts | undefined} undefined when there is no report
 */
export function vitestCounts(file) {
  const report = read(file);
  if (!report) return undefined;
  const notRun = report.numPendingTests + report.numTodoTests;
  const brokenFiles = report.testResults.filter(
    (/** @type {{ status: string, assertionResults: { status: string }[] }} */ result) =>
      result.status === "failed" && !result.assertionResults.some((test) => test.status === "failed"),
  ).length;
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles + notRun,
    notRun,
    failures: report.testResults.flatMap(vitestFailures).slice(0, mostFailures),
  };
}

/**
 * The report of `playwright test --reporter=json`. `flaky` would be a test that passed at the second try.
 * @param {string} file
 * @returns {Counts | undefined} undefined when there is no report
 */
export function playwrightCounts(file) {
  const report = read(file);
  if (!report) return undefined;
  const { expected, unexpected, flaky, skipped } = report.stats;
  const outsideTests = report.errors.length;
  return {
    passed: expected,
    failed: unexpected + flaky + skipped + outsideTests,
    notRun: skipped,
    failures: [
      ...(report.suites ?? []).flatMap(playwrightFailures),
      ...report.errors.map((/** @type {{ message?: string }} */ error) =>
        failure("outside the tests", error.message),
      ),
    ].slice(0, mostFailures),
  };
}

/** @param {string} file */
function read(file) {
  const text = textOf(file);
  return text === undefined ? undefined : JSON.parse(text);
}

/**
 * @param {{ name?: string, status: string, message?: string, assertionResults: { status: string, fullName?: string, failureMessages?: string[] }[] }} result
 * @returns {string[]}
 */
function vitestFailures({ name = "", status, message, assertionResults }) {
  const file = path.relative(projectRoot, name);
  const failed = assertionResults.filter((test) => test.status === "failed");
  if (failed.length === 0) return status === "failed" ? [failure(file, message)] : [];
  return failed.map((test) => failure(`${file} › ${test.fullName}`, test.failureMessages?.join("\n")));
}

/**
 * @typedef {{ title: string, file: string, line: number, ok: boolean, tests: { results: { errors?: { message?: string }[] }[] }[] }} PlaywrightSpec
 * @typedef {{ specs?: PlaywrightSpec[], suites?: PlaywrightSuite[] }} PlaywrightSuite
 * @param {PlaywrightSuite} suite
 * @returns {string[]}
 */
function playwrightFailures({ specs = [], suites = [] }) {
  const failed = specs.filter(({ ok }) => !ok);
  return [
    ...failed.map(({ file, line, title, tests }) => {
      const errors = tests.flatMap(({ results }) => results.flatMap((result) => result.errors ?? []));
      return failure(`${file}:${line} › ${title}`, errors.map(({ message }) => message ?? "").join("\n"));
    }),
    ...suites.flatMap(playwrightFailures),
  ];
}

/**
 * @param {string} what
 * @param {string | undefined} why
 */
function failure(what, why = "") {
  const lines = stripVTControlCharacters(why)
    .split("\n")
    .filter((line) => line.trim() !== "");
  const shown = lines.slice(0, mostLines).map((line) => `    ${line.slice(0, 300)}`);
  return [what, ...shown, ...(lines.length > mostLines ? ["    …"] : [])].join("\n");
}
