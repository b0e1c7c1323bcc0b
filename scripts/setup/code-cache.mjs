// What V8 makes of main's files, beside each of them, so that no start has to compile them: see main/shell/codeCache.ts.
// Made by the Electron that will run them, as only its own V8 with its own switches takes it.

import path from "node:path";
import { run } from "./command.mjs";
import { electronExecutable } from "./electron.mjs";
import { chromiumSwitches, environmentForElectron } from "./environment.mjs";
import { inProject } from "./project.mjs";
import { say } from "./report.mjs";

const maker = inProject("scripts", "setup", "code-cache", "make.mjs");

/**
 * Without it Holdfast works, and starts more slowly: a build does not fail for it.
 * @param {string} out the built app
 */
export async function makeCodeCache(out) {
  const electron = electronExecutable();
  if (electron === undefined) {
    say("There is no Electron yet, so nothing is kept compiled: starts take longer.");
    return;
  }
  const env = environmentForElectron({ ...process.env });
  const { switches } = chromiumSwitches(env);
  const { code, output } = await run(electron, [...switches, maker, path.join(out, "main")], {
    env,
    timeoutMs: 60_000,
  });
  if (code !== 0)
    say(`Main's files could not be kept compiled, so starts take longer.\n${output.slice(-2_000)}`);
}
