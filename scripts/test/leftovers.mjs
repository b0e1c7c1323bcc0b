// Finds what a test run has left running.
//
// Every process of the run inherits a marker in its environment. Two things can get out of its sight: a program that
// is given a clean environment (codex does that to MCP servers), and one whose parent ends first. So the processes are
// also looked at while the run goes on: whatever descends from a marked process, or shares a process session with one,
// is remembered by its id and start time. Linux only; elsewhere it sees none.

import { setTimeout as delay } from "node:timers/promises";
import { inherited, listProcesses } from "../setup/processes.mjs";

export const markerName = "HOLDFAST_TEST_RUN";

const lookEveryMs = 500;
const graceMs = 3_000;
const pollMs = 50;

/** @typedef {import("../setup/processes.mjs").Process} Process */

export class Leftovers {
  #marker;
  /** Names of processes that belong to the run. @type {Set<string>} */
  #known = new Set();
  /** Process sessions that a process of the run leads. @type {Set<number>} */
  #sessions = new Set();
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /** @param {string} marker the value of the marker variable */
  constructor(marker) {
    this.#marker = marker;
  }

  watch() {
    this.look();
    this.#timer = setInterval(() => this.look(), lookEveryMs);
    this.#timer.unref();
  }

  stopWatching() {
    clearInterval(this.#timer);
  }

  /**
   * Every process of the run that is there now, ourselves excepted.
   * @returns {Process[]}
   */
  look() {
    const all = listProcesses();
    for (const one of all) if (this.#isMarked(one)) this.#add(one);
    for (let found = true; found; ) {
      found = false;
      const parents = new Set(all.filter((one) => this.#known.has(nameOf(one))).map((one) => one.pid));
      for (const one of all) {
        if (this.#known.has(nameOf(one))) continue;
        if (!parents.has(one.parent) && !this.#sessions.has(one.session)) continue;
        this.#add(one);
        found = true;
      }
    }
    return all.filter((one) => this.#known.has(nameOf(one)));
  }

  /**
   * Gives processes that are ending a moment, and returns those that are not.
   * @returns {Promise<Process[]>}
   */
  async settle() {
    const untilMs = performance.now() + graceMs;
    for (;;) {
      const left = this.look();
      if (left.length === 0 || performance.now() > untilMs) return left;
      await delay(pollMs);
    }
  }

  /** @param {Process} one */
  #isMarked(one) {
    return !this.#known.has(nameOf(one)) && inherited(one, markerName, this.#marker);
  }

  /** @param {Process} one */
  #add(one) {
    this.#known.add(nameOf(one));
    if (one.session === one.pid) this.#sessions.add(one.session);
  }
}

/** @param {Process} one */
function nameOf(one) {
  return `${one.pid} ${one.startTime}`;
}
