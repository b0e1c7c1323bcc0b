// `npm run bench [-- NAME...]`: sets up what is missing and measures.
//
// A measurement is a file bench/NAME.bench.ts that follows bench/measurement.ts: it is bundled as the app's main process
// is, and runs in a plain Node process of its own, one after the other. Its results are printed as they come and kept in
// .setup/bench/NAME.json. The run closes with one table: what is held against a floor, as a ratio. All figures of one run are
// from the same machine at about the same time; compare those only. A measurement that fails keeps no other from being made,
// and makes the run a failed one.

import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { run } from "./setup/command.mjs";
import { hasDisplay, openDisplay } from "./setup/display.mjs";
import { electronExecutable } from "./setup/electron.mjs";
import { chromiumSwitches, environmentForElectron } from "./setup/environment.mjs";
import { inProject, projectRoot, setupFolder } from "./setup/project.mjs";
import { runScript, SetupError, say } from "./setup/report.mjs";
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
    /** @type {string[]} */
    const failed = [];
    for (const name of names) if (!(await measure(name, env))) failed.push(name);
    printTable(names.filter((name) => !failed.includes(name)));
    if (failed.length > 0) say(`Not measured: ${failed.join(", ")}. Why is said above.`);
    return failed.length > 0 ? 1 : 0;
  } finally {
    await display?.close();
  }
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
 * @returns {Promise<boolean>} false: it failed, and said why
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
  const { code } = await run(process.execPath, ["--expose-gc", "--input-type=module", "--eval", program], {
    env,
    timeoutMs,
    showErrors: true,
  });
  if (code !== 0) {
    say(`The measurement ${name} failed.`);
    return false;
  }
  print(resultFile);
  return true;
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

/**
 * @param {string} resultFile
 * @returns {{ title: string, figures: import("../bench/measurement").Figure[] }}
 */
function resultsOf(resultFile) {
  return JSON.parse(readFileSync(resultFile, "utf8"));
}

/** @param {string} resultFile */
function print(resultFile) {
  const { title, figures } = resultsOf(resultFile);
  const rows = figures.map(({ name, unit, samples }) => {
    const sorted = [...samples].sort((a, b) => a - b);
    const words = [median(samples), sorted[0] ?? Number.NaN, sorted.at(-1) ?? Number.NaN].map(round);
    return [name, `${words[0]} ${unit}`, `${words[1]} to ${words[2]}`, `${samples.length}`];
  });
  printRows(title, [["", "median", "range", "runs"], ...rows]);
}

/** @param {string[]} names */
function printTable(names) {
  const rows = names.flatMap((name) =>
    resultsOf(path.join(resultsFolder, `${name}.json`)).figures.flatMap(({ name, unit, samples, beside }) => {
      if (!beside) return [];
      const own = median(samples);
      const floor = median(beside.samples);
      const ratio = own / floor;
      const { target } = beside;
      const wanted = target && ("times" in target ? target.times : target.value);
      const found = target && "times" in target ? ratio : own;
      return [
        [
          name,
          `${round(own)} ${unit}`,
          beside.floor,
          `${round(floor)} ${unit}`,
          // Of nothing there is no ratio.
          floor === 0 ? "" : `${round(ratio)} x`,
          target ? `${wanted} ${"times" in target ? "x" : unit}` : "",
          wanted === undefined ? "" : found <= wanted ? "met" : "missed",
        ],
      ];
    }),
  );
  if (rows.length === 0) return;
  printRows("Holdfast beside the least that the same work can take (medians)", [
    ["", "Holdfast", "floor", "", "ratio", "at most", ""],
    ...rows,
  ]);
}

/**
 * @param {string} title
 * @param {string[][]} table
 */
function printRows(title, table) {
  const columns = Array.from({ length: table[0]?.length ?? 0 }, (_, column) => column);
  const widths = columns.map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  process.stdout.write(`\n${title}\n`);
  for (const row of table) {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    process.stdout.write(`  ${cells.join("  ").trimEnd()}\n`);
  }
}

/** @param {number[]} samples */
function median(samples) {
  const sorted = [...samples].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}

/** @param {number} value */
function round(value) {
  return value.toPrecision(4).replace(/\.0+$/, "");
}
