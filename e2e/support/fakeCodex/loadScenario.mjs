// Where the fake's scenario comes from: a file named by HOLDFAST_FAKE_SCENARIO, JSON or an ES module with a default export.

/** @import { Scenario } from "./fakeTypes" */

import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

const defaults = { version: "0.171.0" };

/** @param {NodeJS.ProcessEnv} environment @returns {Promise<Scenario>} */
export async function loadScenario(environment) {
  const file = environment.HOLDFAST_FAKE_SCENARIO;
  if (!file) return defaults;
  if (/\.m?js$/.test(file)) return { ...defaults, ...(await import(pathToFileURL(file).href)).default };
  return { ...defaults, ...JSON.parse(await readFile(file, "utf8")) };
}
