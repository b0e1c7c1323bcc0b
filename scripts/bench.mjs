// `npm run bench [-- NAME...]`: sets up what is missing and measures.
//
// A measurement is a file bench/NAME.bench.ts that follows bench/measurement.ts: it is bundled as the app's main process
// is, and runs in a plain Node process of its own, one after the other. Its results are printed as a table and kept in
// .setup/bench/NAME.json. All figures of one run are from the same machine at about the same time; compare those only.

import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { run } from "./setup/command.mjs";
import { hasDisplay, openDisplay } from "./setup/display.mjs";
import { electronExecutable } from "./setup/electron.mjs";
import { chromiumSwitches, environmentForElectron } from "./setup/environment.mjs";
import { inProject, projectRoot, setupFolder } from "./setup/project.mjs";
import { runScript, SetupError } from "./setup/report.mjs";
import { setUp } from "./setup/setup.mjs";

const suffix = ".bench.ts";
const resultsFolder = path.join(setupFolder, "bench");
const timeoutMs = 30 * 60_000;

await runScript(async () => {
  const names = chosenNames(process.argv.slice(2));
  await setUp("app");
  mkdirSync(resultsFolder, { recursive: true });
  const display = hasDisplay() ? undefined : await openDisplay();
  try {
    const env = environmentForElectron({ ...process.env, ...display?.env });
    for (const name of names) await measure(name, env);
  } finally {
    await display?.close();
  }
  return 0;
});

/** @param {string[]} wanted */
function chosenNames(wanted) {
  const all = readdirSync(inProject("bench"))
    .filter((file) => file.endsWith(suffix))
    .map((file) => file.slice(0, -suffix.length))
    .sort();
  const unknown = wanted.filter((name) => !all.includes(name));
  if (unknown.length > 0 || all.length === 0) {
    throw new SetupError(`There is no measurement ${unknown.join(", ")}`.trimEnd(), {
      remedy: all.length > 0 ? `There are: ${all.join(", ")}` : `Write one as bench/NAME${suffix}.`,
    });
  }
  return wanted.length > 0 ? wanted : all;
}

/**
 * @param {string} name
 * @param {NodeJS.ProcessEnv} env
 */
async function measure(name, env) {
  const bundle = await bundled(name);
  const resultFile = path.join(resultsFolder, `${name}.json`);
  /** @type {import("../bench/measurement").MeasurementContext} */
  const context = {
    projectRoot,
    electronExecutable: /** @type {string} */ (electronExecutable()),
    electronArguments: chromiumSwitches(env).switches,
  };
  const program = `
    const { default: measurement } = await import(${JSON.stringify(pathToFileURL(bundle).href)});
    const figures = await measurement.measure(${JSON.stringify(context)});
    const { writeFileSync } = await import("node:fs");
    writeFileSync(${JSON.stringify(resultFile)}, JSON.stringify({ title: measurement.title, figures }, null, 2));
  `;
  const { code, output } = await run(
    process.execPath,
    ["--expose-gc", "--input-type=module", "--eval", program],
    {
      env,
      timeoutMs,
      showErrors: true,
    },
  );
  if (code !== 0) throw new SetupError(`The measurement ${name} failed.`, { detail: output });
  print(resultFile);
}

/**
 * @param {string} name
 * @returns {Promise<string>}
 */
async function bundled(name) {
  const { build } = await import("vite");
  await build({
    root: projectRoot,
    configFile: false,
    logLevel: "warn",
    build: {
      ssr: inProject("bench", `${name}${suffix}`),
      target: "node20.18",
      outDir: resultsFolder,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: { output: { entryFileNames: `${name}.mjs` } },
    },
  });
  return path.join(resultsFolder, `${name}.mjs`);
}

/** @param {string} resultFile */
function print(resultFile) {
  /** @type {{ title: string, figures: import("../bench/measurement").Figure[] }} */
  const { title, figures } = JSON.parse(readFileSync(resultFile, "utf8"));
  const rows = figures.map(({ name, unit, samples }) => {
    const sorted = [...samples].sort((a, b) => a - b);
    const words = [median(sorted), sorted[0] ?? Number.NaN, sorted.at(-1) ?? Number.NaN].map(round);
    return [name, `${words[0]} ${unit}`, `${words[1]} to ${words[2]}`, `${samples.length}`];
  });
  const table = [["", "median", "range", "runs"], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  process.stdout.write(`\n${title}\n`);
  for (const row of table) {
    process.stdout.write(
      `  ${row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd()}\n`,
    );
  }
}

/** @param {number[]} sorted */
function median(sorted) {
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}

/** @param {number} value */
function round(value) {
  return value.toPrecision(4).replace(/\.0+$/, "");
}
