// For tests on Linux: real processes, written as shell scripts. A script says `echo NAME $$` when a process is ready, and
// the test waits for that line. Everything that was started is ended by `endAll`.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

export const markerName = "HOLDFAST_TEST_HANDLE";

export interface TestTree {
  child: ChildProcess;
  /** The pid of the process that said this name. */
  pidOf(name: string): Promise<number>;
  exited: Promise<unknown>;
}

export class TestTrees {
  readonly #children: ChildProcess[] = [];
  readonly #pids = new Set<number>();

  /** Runs a shell script as the leader of a session of its own. */
  start(script: string, marker: string | null): TestTree {
    const environment: NodeJS.ProcessEnv = { PATH: process.env.PATH };
    if (marker !== null) environment[markerName] = marker;
    const child = spawn("sh", ["-c", script], {
      detached: true,
      // The shell says on its error output who was killed.
      stdio: ["pipe", "pipe", "ignore"],
      env: environment,
    });
    const { stdout } = child;
    if (!stdout) throw new Error("no output");
    this.#children.push(child);
    const said = new Map<string, number>();
    const waiting = new Map<string, (pid: number) => void>();
    createInterface({ input: stdout }).on("line", (line) => {
      const [name = "", pid] = line.split(" ");
      said.set(name, Number(pid));
      this.#pids.add(Number(pid));
      waiting.get(name)?.(Number(pid));
    });
    return {
      child,
      pidOf: (name) => {
        const pid = said.get(name);
        if (pid !== undefined) return Promise.resolve(pid);
        return new Promise((resolve) => waiting.set(name, resolve));
      },
      exited: once(child, "exit"),
    };
  }

  /** Ends by pid what said its name, and what was started; returns the pids that were still running. */
  async endAll(): Promise<number[]> {
    const running = [...this.#pids].filter(isRunning);
    for (const pid of running) process.kill(pid, "SIGKILL");
    for (const child of this.#children) {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGKILL");
        await once(child, "exit");
      }
    }
    return running;
  }
}

export function isRunning(pid: number): boolean {
  const state = stateOf(pid);
  return state !== null && state !== "Z";
}

/** The letter of its state; null: there is no such process. */
export function stateOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3);
  } catch {
    return null;
  }
}
