// `npm start [-- FOLDER]`: sets up what is missing and runs the app.
//
// Electron is started in a process group of its own and gets each signal once, from here. Its second SIGINT or SIGTERM
// kills it on the spot; in a shared group a Ctrl-C would reach it from the terminal, from npm and from us.

import { spawn } from "node:child_process";
import { constants } from "node:os";
import path from "node:path";
import { hasDisplay, openDisplay } from "./setup/display.mjs";
import { electronExecutable } from "./setup/electron.mjs";
import { chromiumSwitches, environmentForElectron } from "./setup/environment.mjs";
import { whenNpmHasGone } from "./setup/parent.mjs";
import { projectRoot } from "./setup/project.mjs";
import { runScript, SetupError, say } from "./setup/report.mjs";
import { setUp } from "./setup/setup.mjs";

/** npm runs us in the project's folder, and says in INIT_CWD where the person was. */
const whereItWasTyped = process.env.INIT_CWD ?? process.cwd();

/** npm passes on what the terminal or a supervisor has sent us already: within this time it is the same signal. */
const sameSignalMs = 1_000;

await runScript(async () => {
  await setUp("app");
  const executable = electronExecutable();
  if (!executable) throw new SetupError("There is no Electron to run.");
  const display = hasDisplay() ? undefined : await openDisplay();
  if (display)
    say(
      "there is no display, so the window opens on an Xvfb of its own, where nobody sees it; Ctrl-C ends it",
    );
  try {
    return await runElectron(executable, { ...process.env, ...display?.env });
  } finally {
    await display?.close();
  }
});

/**
 * @param {string} executable
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Promise<number>} the exit code
 */
function runElectron(executable, environment) {
  const env = environmentForElectron(environment);
  const { switches, isWithoutSandbox } = chromiumSwitches(env);
  if (isWithoutSandbox) say("running as root, so Chromium's sandbox is off (--no-sandbox)");
  const args = [...switches, projectRoot, ...process.argv.slice(2).map(fromWhereItWasTyped)];
  return new Promise((resolve, reject) => {
    const child = spawn(executable, args, {
      cwd: whereItWasTyped,
      env,
      stdio: "inherit",
      detached: process.platform !== "win32",
    });
    const stopForwarding = forwardSignals(child);
    child.once("error", (error) => {
      stopForwarding();
      reject(new SetupError(`Electron could not be started: ${error.message}`, { cause: error }));
    });
    child.once("exit", (code, signal) => {
      stopForwarding();
      resolve(signal ? 128 + constants.signals[signal] : (code ?? 1));
    });
  });
}

/** @param {string} argument */
function fromWhereItWasTyped(argument) {
  return argument.startsWith("-") ? argument : path.resolve(whereItWasTyped, argument);
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @returns {() => void}
 */
function forwardSignals(child) {
  /** @type {NodeJS.Signals[]} */
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  let lastForwardedMs = Number.NEGATIVE_INFINITY;
  const forward = (/** @type {NodeJS.Signals} */ signal) => {
    const nowMs = performance.now();
    if (nowMs - lastForwardedMs < sameSignalMs) return;
    lastForwardedMs = nowMs;
    child.kill(signal);
  };
  for (const signal of signals) process.on(signal, forward);
  const stopWatching = whenNpmHasGone(() => forward("SIGTERM"));
  return () => {
    stopWatching();
    for (const signal of signals) process.off(signal, forward);
  };
}
