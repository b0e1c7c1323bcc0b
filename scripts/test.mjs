// `npm test`: sets up what is missing and runs every check and test.
//   npm test                          everything
//   npm test -- check                 lint, format, types, imports, unused code
//   npm test -- unit [ARGUMENTS]      Vitest, with its own arguments
//   npm test -- e2e [ARGUMENTS]       Playwright on the built app, with its own arguments
// A run of tests closes with one plain line, "N passed, N failed". What is no test but must hold as well (the checks, the
// build, no process and no folder left behind) counts there as a failure when it does not.

import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { build } from "./setup/build.mjs";
import { hasDisplay, openDisplay } from "./setup/display.mjs";
import { environmentForElectron } from "./setup/environment.mjs";
import { installKeyRing } from "./setup/key-ring.mjs";
import { withSetupLock } from "./setup/lock.mjs";
import { inProject, setupFolder } from "./setup/project.mjs";
import { runScript, SetupError } from "./setup/report.mjs";
import { setUp } from "./setup/setup.mjs";
import { playwrightCounts, vitestCounts } from "./test/counts.mjs";
import { TestRun } from "./test/run.mjs";

const reportFolder = path.join(setupFolder, "reports");

/** Longer than any run should take; a run that hangs still ends and says so. */
const checkTimeoutMs = 10 * 60_000;
const unitTimeoutMs = 20 * 60_000;
const e2eTimeoutMs = 45 * 60_000;

const [only, ...runnerArguments] = process.argv.slice(2);

await runScript(async () => {
  if (only !== undefined && !["check", "unit", "e2e"].includes(only)) {
    throw new SetupError(`There is no "${only}" to run.`, {
      remedy: "Use: npm test [-- check | unit | e2e [ARGUMENTS]]",
    });
  }
  const wants = (/** @type {string} */ step) => only === undefined || only === step;
  await setUp(wants("e2e") ? "electron" : "packages");
  if (wants("e2e")) await withSetupLock(installKeyRing);
  rmSync(reportFolder, { recursive: true, force: true });
  mkdirSync(reportFolder, { recursive: true });
  const run = new TestRun(randomUUID());
  try {
    if (wants("check")) await run.step("check", check);
    if (wants("unit")) await run.step("unit", unit);
    if (wants("e2e") && (await run.step("build", buildApp))) await run.step("e2e", e2e);
  } finally {
    run.close();
  }
  return run.summarize();
});

/** @type {import("./test/run.mjs").Step} */
async function check(run) {
  const code = await run.node([inProject("scripts", "check.mjs")], { timeoutMs: checkTimeoutMs });
  return { passed: 0, failed: code === 0 ? 0 : 1, note: code === 0 ? "all hold" : "see above" };
}

/** @type {import("./test/run.mjs").Step} */
async function unit(run) {
  const report = path.join(reportFolder, "unit.json");
  const vitest = inProject("node_modules", "vitest", "vitest.mjs");
  const code = await run.node(
    [
      vitest,
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
      ...runnerArguments,
    ],
    { timeoutMs: unitTimeoutMs },
  );
  return run.judge(code, vitestCounts(report), { isFiltered: runnerArguments.length > 0 });
}

/** @type {import("./test/run.mjs").Step} */
async function buildApp() {
  await withSetupLock(build);
  return { passed: 0, failed: 0, note: "up to date" };
}

/** @type {import("./test/run.mjs").Step} */
async function e2e(run) {
  const report = path.join(reportFolder, "e2e.json");
  const playwright = inProject("node_modules", "@playwright", "test", "cli.js");
  // Without a display of the person's own there is one for each of two tests at a time: windows on one display take the
  // keyboard from each other.
  const displays = hasDisplay() ? [] : [await openDisplay(run.env), await openDisplay(run.env)];
  try {
    const env = environmentForElectron({
      ...run.env,
      ...displays[0]?.env,
      HOLDFAST_TEST_DISPLAYS: JSON.stringify(displays.map((display) => display.env)),
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
      // Playwright asks the package electron where Electron is; this is how that package is told of another one.
      ...(process.env.ELECTRON_EXEC_PATH && {
        ELECTRON_OVERRIDE_DIST_PATH: path.dirname(process.env.ELECTRON_EXEC_PATH),
      }),
      // Otherwise below the temporary folder, which is new for each run.
      PWTEST_CACHE_DIR: inProject("node_modules", ".holdfast", "playwright"),
    });
    const code = await run.node([playwright, "test", "--reporter=list,json", ...runnerArguments], {
      timeoutMs: e2eTimeoutMs,
      env,
    });
    return run.judge(code, playwrightCounts(report), { isFiltered: runnerArguments.length > 0 });
  } finally {
    for (const display of displays) await display.close();
  }
}
