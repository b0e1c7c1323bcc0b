// One run of checks and tests: its environment, its steps, and what they left behind.
//
// Each step's programs inherit a marker and a temporary folder of the run's own. After a step no process with the marker
// may be there, and no folder that Holdfast made: what is found is named, counted as one failure, and removed. An
// interrupted run ends the step it is in and does the same.

import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { whenNpmHasGone } from "../setup/parent.mjs";
import { end } from "../setup/processes.mjs";
import { projectRoot } from "../setup/project.mjs";
import { SetupError, say } from "../setup/report.mjs";
import { Leftovers, markerName } from "./leftovers.mjs";

/**
 * @typedef {{ passed: number, failed: number, note: string, failures?: string[] }} Outcome `failures`: each with why
 * @typedef {(run: TestRun) => Promise<Outcome>} Step
 */

/** A person's own settings, which no test may use or touch. */
const personal = ["HOLDFAST_HOME", "HOLDFAST_CODEX", "CODEX_HOME", "OPENAI_API_KEY"];

export class TestRun {
  #leftovers;
  /** @type {{ name: string, outcome: Outcome, seconds: number }[]} */
  #results = [];
  #temporaryFolder = mkdtempSync(path.join(tmpdir(), "hf-"));
  #interruption = new AbortController();
  #interrupt = () => this.#interruption.abort();
  #stopWatchingNpm = whenNpmHasGone(this.#interrupt);
  /** @type {NodeJS.ProcessEnv} */
  env;

  /** @param {string} marker */
  constructor(marker) {
    this.#leftovers = new Leftovers(marker);
    this.env = { ...process.env, [markerName]: marker, TMPDIR: this.#temporaryFolder };
    for (const name of personal) delete this.env[name];
    process.on("SIGINT", this.#interrupt);
    process.on("SIGTERM", this.#interrupt);
    this.#leftovers.watch();
  }

  close() {
    this.#leftovers.stopWatching();
    this.#stopWatchingNpm();
    process.off("SIGINT", this.#interrupt);
    process.off("SIGTERM", this.#interrupt);
    rmSync(this.#temporaryFolder, { recursive: true, force: true });
  }

  /**
   * @param {string} name
   * @param {Step} step
   * @returns {Promise<boolean>} whether nothing failed
   */
  async step(name, step) {
    if (this.#interruption.signal.aborted) return false;
    const startedMs = performance.now();
    process.stdout.write(`\n── ${name} ${"─".repeat(Math.max(0, 70 - name.length))}\n`);
    let outcome;
    try {
      outcome = await step(this);
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      if (error.detail) process.stderr.write(`${error.detail.trimEnd()}\n`);
      say(error.message);
      outcome = { passed: 0, failed: 1, note: error.message };
    }
    const left = [...(await this.#processesLeft()), ...this.#foldersLeft()];
    const leftBehind = left.map((one) => `left behind by ${name}: ${one}`);
    for (const one of leftBehind) say(one);
    if (left.length > 0) {
      outcome = {
        ...outcome,
        failed: outcome.failed + 1,
        note: `${outcome.note}; ${left.length} left behind`,
        failures: [...(outcome.failures ?? []), ...leftBehind],
      };
    }
    this.#results.push({ name, outcome, seconds: (performance.now() - startedMs) / 1000 });
    return outcome.failed === 0;
  }

  /**
   * Runs a program of ours or of npm's in this run's environment.
   * @param {string[]} args
   * @param {{ timeoutMs: number, env?: NodeJS.ProcessEnv }} options
   * @returns {Promise<number>} the exit code; 1 when a signal ended it
   */
  node(args, { timeoutMs, env = this.env }) {
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, args, {
        cwd: projectRoot,
        env,
        stdio: ["ignore", "inherit", "inherit"],
      });
      const stop = () => child.kill("SIGTERM");
      const deadline = setTimeout(() => {
        say(`not done after ${Math.round(timeoutMs / 60_000)} minutes, so it is ended`);
        child.kill("SIGKILL");
      }, timeoutMs);
      this.#interruption.signal.addEventListener("abort", stop, { once: true });
      const settle = () => {
        clearTimeout(deadline);
        this.#interruption.signal.removeEventListener("abort", stop);
      };
      child.once("error", (error) => {
        settle();
        reject(error);
      });
      child.once("exit", (code) => {
        settle();
        resolve(code ?? 1);
      });
    });
  }

  /**
   * What a runner's report and exit code say together.
   * @param {number} code
   * @param {import("./counts.mjs").Counts | undefined} counts
   * @param {{ isFiltered: boolean }} options a filter leaves tests out on purpose
   * @returns {Outcome}
   */
  judge(code, counts, { isFiltered }) {
    if (!counts) return { passed: 0, failed: 1, note: "no report" };
    const failed = isFiltered ? counts.failed - counts.notRun : counts.failed;
    const { passed, notRun } = counts;
    if (passed + failed === 0) return { passed, failed: 1, note: "no test ran" };
    const note = notRun > 0 ? `${notRun} not run` : "";
    const { failures } = counts;
    if (failed === 0 && code !== 0)
      return { passed, failed: 1, note: "an error outside the tests", failures };
    return { passed, failed, note, failures };
  }

  /**
   * Prints the summary.
   * @returns {number} the exit code
   */
  summarize() {
    const isInterrupted = this.#interruption.signal.aborted;
    const lines = this.#results.map(({ name, outcome, seconds }) => {
      const verdict = outcome.failed === 0 ? "ok" : "FAILED";
      const tests =
        outcome.passed + outcome.failed > 0 ? `${outcome.passed} passed, ${outcome.failed} failed` : "";
      const words = [tests, outcome.note].filter(Boolean).join("; ");
      return `${name.padEnd(8)} ${verdict.padEnd(7)} ${`${seconds.toFixed(1)} s`.padStart(8)}  ${words}`;
    });
    if (isInterrupted) lines.push("interrupted");
    // Once more at the end: of a long run often only that is kept.
    const failures = this.#results.flatMap(({ outcome }) => outcome.failures ?? []);
    if (failures.length > 0) {
      process.stdout.write(`\n── failed ${"─".repeat(64)}\n${failures.join("\n\n")}\n`);
    }
    const passed = sum(this.#results.map(({ outcome }) => outcome.passed));
    const failed = sum(this.#results.map(({ outcome }) => outcome.failed)) + (isInterrupted ? 1 : 0);
    process.stdout.write(`\n── summary ${"─".repeat(63)}\n${lines.join("\n")}\n\n`);
    process.stdout.write(`${passed} passed, ${failed} failed\n`);
    return failed === 0 ? 0 : 1;
  }

  /** @returns {Promise<string[]>} */
  async #processesLeft() {
    const left = await this.#leftovers.settle();
    end(left);
    return left.map((one) => `process ${one.pid}: ${one.command.slice(0, 300)}`);
  }

  /** Other programs' files go without a word. @returns {string[]} */
  #foldersLeft() {
    const left = [];
    for (const name of readdirSync(this.#temporaryFolder)) {
      if (name.startsWith("holdfast")) left.push(`folder ${name} in the temporary folder`);
      rmSync(path.join(this.#temporaryFolder, name), { recursive: true, force: true });
    }
    return left;
  }
}

/** @param {number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
