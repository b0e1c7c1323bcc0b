// Running other programs. Every run has a deadline, and output that is kept is bounded.

import { spawn, spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import path from "node:path";
import { whenNpmHasGone } from "./parent.mjs";
import { projectRoot } from "./project.mjs";
import { SetupError } from "./report.mjs";

const keptOutputUnits = 200_000;

/** How long a program that was asked to end has for it. */
const graceMs = 5_000;

/** While a program runs, these end it, and then the run as a failed one, so that locks and folders are given back. */
const interruptions = ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * @typedef {object} CommandOptions
 * @property {string} [cwd] the project folder unless given
 * @property {NodeJS.ProcessEnv} [env]
 * @property {number} [timeoutMs] ten minutes unless given; then the program is ended
 * @property {boolean} [showErrors] standard error goes to the terminal as well as into `output`
 * @property {AbortSignal} [signal] ends the program
 *
 * @typedef {object} CommandResult
 * @property {number | null} code null when a signal ended it
 * @property {NodeJS.Signals | null} signal
 * @property {string} stdout
 * @property {string} output standard output and standard error as they came, the end of them when there is much
 */

/**
 * Runs a program to its end. Only a program that cannot be started, or that outlives its deadline, is an error here.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {CommandOptions} [options]
 * @returns {Promise<CommandResult>}
 */
export function run(command, args, options = {}) {
  const { cwd = projectRoot, env = process.env, timeoutMs = 600_000, showErrors = false, signal } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
      // A group of its own, so that it is ended with all that it has started: dpkg-deb's compressor, npm's scripts.
      detached: process.platform !== "win32",
    });
    let stdout = "";
    let output = "";
    let timedOut = false;
    const deadline = setTimeout(() => {
      timedOut = true;
      signalGroup(child, "SIGKILL");
    }, timeoutMs);
    /** @type {NodeJS.Timeout | undefined} */
    let lastResort;
    const abort = () => {
      signalGroup(child, "SIGTERM");
      lastResort ??= setTimeout(() => signalGroup(child, "SIGKILL"), graceMs);
    };
    signal?.addEventListener("abort", abort, { once: true });
    let isInterrupted = false;
    const interrupt = () => {
      isInterrupted = true;
      abort();
    };
    for (const name of interruptions) process.on(name, interrupt);
    const stopWatching = whenNpmHasGone(interrupt);
    child.stdout.setEncoding("utf8").on("data", (text) => {
      stdout += text;
      output = (output + text).slice(-keptOutputUnits);
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      output = (output + text).slice(-keptOutputUnits);
      if (showErrors) process.stderr.write(text);
    });
    const settle = () => {
      clearTimeout(deadline);
      clearTimeout(lastResort);
      signal?.removeEventListener("abort", abort);
      for (const name of interruptions) process.off(name, interrupt);
      stopWatching();
    };
    child.once("error", (error) => {
      settle();
      reject(new SetupError(`${command} could not be started: ${error.message}`, { cause: error }));
    });
    child.once("close", (code, endedBy) => {
      settle();
      if (isInterrupted) {
        reject(new SetupError("Interrupted."));
      } else if (timedOut) {
        const seconds = Math.round(timeoutMs / 1000);
        reject(
          new SetupError(`${inShort(command, args)} did not end within ${seconds} s`, { detail: output }),
        );
      } else {
        resolve({ code, signal: endedBy, stdout, output });
      }
    });
  });
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function signalGroup(child, signal) {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // All of it has just ended.
  }
}

/**
 * Runs a program that must succeed.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {CommandOptions & { failure: string, remedy?: string }} options `failure` is the sentence for the person
 */
export async function runOrFail(command, args, options) {
  const result = await run(command, args, options);
  if (result.code !== 0) {
    const how = result.signal ? `was ended by ${result.signal}` : `ended with code ${result.code}`;
    throw new SetupError(`${options.failure} (${inShort(command, args)} ${how})`, {
      remedy: options.remedy,
      detail: options.showErrors ? undefined : result.output,
    });
  }
  return result;
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 */
function inShort(command, args) {
  const name = path.basename(command);
  return args.length === 0 ? name : `${name} ${args.slice(0, 2).join(" ")}`;
}

/**
 * How to run the npm that belongs to this Node: the one that runs us, when npm does.
 * @returns {{ command: string, args: string[] }}
 */
export function npmCommand() {
  const npmScript = process.env.npm_execpath;
  if (npmScript && /npm-cli\.c?js$/.test(npmScript)) return { command: process.execPath, args: [npmScript] };
  const bundled =
    process.platform === "win32"
      ? path.join(path.dirname(process.execPath), "node_modules", "npm", "bin", "npm-cli.js")
      : path.join(path.dirname(process.execPath), "..", "lib", "node_modules", "npm", "bin", "npm-cli.js");
  if (canRead(bundled)) return { command: process.execPath, args: [bundled] };
  return { command: "npm", args: [] };
}

/** @param {string} file */
function canRead(file) {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    // Not there, or not ours to read: both mean that it cannot be used.
    return false;
  }
}

/**
 * Where a program is on the PATH, or undefined.
 * @param {string} name
 * @returns {string | undefined}
 */
export function findOnPath(name) {
  for (const folder of (process.env.PATH ?? "").split(path.delimiter)) {
    if (folder === "") continue;
    const file = path.join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not in this folder: the next one may have it.
    }
  }
  return undefined;
}

/**
 * The output of a small program that answers at once, or undefined when it fails or is not there.
 * @param {string} command
 * @param {readonly string[]} args
 * @returns {string | undefined}
 */
export function ask(command, args) {
  const result = spawnSync(command, args, {
    encoding: "utf8",
    timeout: 20_000,
    stdio: ["ignore", "pipe", "ignore"],
  });
  return result.status === 0 ? result.stdout : undefined;
}
