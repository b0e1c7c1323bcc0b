// Runs dependency-cruiser with the arrows of .dependency-cruiser.cjs, and does not take its word that it saw anything:
// with a TypeScript it does not understand it finds no module, or modules without imports, and reports no violation.
// So every source file must be among what it cruised, and every file that imports a neighbour must have an import there.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { run } from "../setup/command.mjs";
import { inProject } from "../setup/project.mjs";
import { runScript, SetupError } from "../setup/report.mjs";

const folders = ["main", "preload", "renderer", "e2e", "bench"];
const generatedFolder = "main/codex/protocol";

/** An import or export of a neighbour that stays after compilation or is a type: both are arrows. */
const importsNeighbour = /^(?:import|export)\s(?:[^;]*?\sfrom\s)?["']\.{1,2}\//m;

await runScript(async () => {
  const { stdout, output } = await run(process.execPath, [
    inProject("node_modules", "dependency-cruiser", "bin", "dependency-cruise.mjs"),
    ...folders,
    "--config",
    ".dependency-cruiser.cjs",
    "--output-type",
    "json",
  ]);
  const report = parse(stdout, output);
  /** @type {Map<string, { dependencies: unknown[] }>} */
  const cruised = new Map(
    report.modules.map((/** @type {{ source: string }} */ module) => [module.source, module]),
  );
  const complaints = report.summary.violations.map(
    (
      /** @type {{ from: string, to: string, rule: { name: string }, cycle?: { name: string }[] }} */ violation,
    ) => {
      const way = violation.cycle ? violation.cycle.map((step) => step.name).join(" -> ") : violation.to;
      return `${violation.rule.name}: ${violation.from} -> ${way}`;
    },
  );
  const sources = folders.flatMap(sourcesBelow);
  for (const file of sources) {
    const module = cruised.get(file);
    if (!module) complaints.push(`not cruised: ${file}`);
    else if (
      module.dependencies.length === 0 &&
      importsNeighbour.test(readFileSync(inProject(file), "utf8"))
    ) {
      complaints.push(`cruised without its imports: ${file}`);
    }
  }
  if (sources.length === 0) complaints.push("there is no source file");
  process.stdout.write(
    [...complaints, `${sources.length} files, ${complaints.length} complaints`, ""].join("\n"),
  );
  return complaints.length === 0 ? 0 : 1;
});

/**
 * @param {string} stdout
 * @param {string} output
 */
function parse(stdout, output) {
  try {
    return JSON.parse(stdout);
  } catch (error) {
    throw new SetupError("dependency-cruiser gave no report.", { detail: output, cause: error });
  }
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function sourcesBelow(folder) {
  if (folder === generatedFolder) return [];
  return readdirSync(inProject(folder), { withFileTypes: true }).flatMap((entry) => {
    const file = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) return sourcesBelow(file);
    return /\.tsx?$/.test(entry.name) && !entry.name.endsWith(".d.ts") ? [file] : [];
  });
}
