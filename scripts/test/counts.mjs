// What the test runners' own reports say, in one measure. A test that did not run has not passed: skipped and to-do tests
// count as failed, and so does a file that could not be loaded.

import { textOf } from "../setup/project.mjs";

/** @typedef {{ passed: number, failed: number, notRun: number }} Counts `failed` includes `notRun` */

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
  return { passed: report.numPassedTests, failed: report.numFailedTests + brokenFiles + notRun, notRun };
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
  return { passed: expected, failed: unexpected + flaky + skipped + outsideTests, notRun: skipped };
}

/** @param {string} file */
function read(file) {
  const text = textOf(file);
  return text === undefined ? undefined : JSON.parse(text);
}
