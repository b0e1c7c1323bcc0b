// Runs a program to its end: with something to read, its output as bytes, and a gentle end when it is no longer wanted.
//
// Races, and what settles each:
// - It is ended while it holds a lock of the repository: it is asked first (SIGTERM), so that it takes its lock away itself,
//   and killed with its whole group only after `graceMs`.
// - It has ended and something that it started still holds its output: nobody waits longer than `graceMs` for that. What a
//   hook leaves running on purpose goes on.
// - It ends in the very moment in which it is cancelled: how it ended is what is told, and whoever cancelled looks at what has
//   been done.

import type { ChildProcess } from "node:child_process";
import type { Clock, Timer } from "../../clock";
import { sealedSpawn } from "../../sealedSpawn";

export interface Program {
  command: string;
  args: readonly string[];
  cwd: string;
  environment: NodeJS.ProcessEnv;
  clock: Clock;
  limitMs: number;
  input?: Uint8Array;
  /** Of standard output, which is kept; more of it ends the program. */
  mostBytes: number;
  /** Takes standard output instead: it is not kept then, and has no bound. False: no more is wanted, and the program is ended. */
  take?(chunk: Buffer): boolean;
  /** Hears everything that it says, on both outputs. */
  heard?(chunk: Buffer): void;
  signal?: AbortSignal | undefined;
}

export type ProgramEnd =
  | { end: "ended"; code: number; output: Buffer; errors: string }
  | { end: "not found" }
  | { end: "not started"; detail: string }
  | { end: "no answer"; errors: string }
  | { end: "cancelled"; errors: string }
  /** It was told that no more is wanted, or had more to say than is kept. */
  | { end: "enough"; output: Buffer }
  /** Somebody else has ended it. */
  | { end: "killed"; by: string; errors: string };

const graceMs = 3_000;
const mostErrorBytes = 64 * 1024;
const isWindows = process.platform === "win32";

/** Never rejects. */
export function runProgram(program: Program): Promise<ProgramEnd> {
  if (program.signal?.aborted) return Promise.resolve({ end: "cancelled", errors: "" });
  let child: ChildProcess;
  try {
    child = sealedSpawn(program.command, program.args, {
      cwd: program.cwd,
      env: program.environment,
      stdio: [program.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      windowsHide: true,
      // A group of its own, so that it can be ended with all that it has started.
      detached: !isWindows,
    });
  } catch (error) {
    // Arguments that no process can have are thrown instead of emitted.
    return Promise.resolve({ end: "not started", detail: String(error) });
  }
  return new Promise((resolve) => new Run(program, child, resolve).start());
}

class Run {
  readonly #program: Program;
  readonly #child: ChildProcess;
  readonly #resolve: (end: ProgramEnd) => void;
  readonly #output: Buffer[] = [];
  #outputBytes = 0;
  #errors = Buffer.alloc(0);
  #unwanted: "no answer" | "cancelled" | "enough" | null = null;
  #exited: { code: number | null; signal: NodeJS.Signals | null } | null = null;
  #timer: Timer | null = null;
  #finished = false;

  constructor(program: Program, child: ChildProcess, resolve: (end: ProgramEnd) => void) {
    this.#program = program;
    this.#child = child;
    this.#resolve = resolve;
  }

  start(): void {
    const child = this.#child;
    const program = this.#program;
    child.on("error", (error) => this.#failed(error));
    child.on("exit", (code, signal) => {
      this.#exited = { code, signal };
      this.#wait(() => this.#finish());
    });
    child.on("close", () => this.#finish());
    child.stdout?.on("data", (chunk: Buffer) => this.#printed(chunk));
    child.stderr?.on("data", (chunk: Buffer) => {
      program.heard?.(chunk);
      this.#errors = Buffer.concat([this.#errors, chunk]).subarray(-mostErrorBytes);
    });
    // A broken pipe says no more than the end that follows it.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on("error", () => {});
    if (program.input !== undefined) child.stdin?.end(program.input);
    if (child.pid === undefined) return;
    this.#timer = program.clock.after(program.limitMs, () => this.#endIt("no answer"));
    program.signal?.addEventListener("abort", this.#cancelled);
  }

  readonly #cancelled = () => this.#endIt("cancelled");

  #printed(chunk: Buffer): void {
    if (this.#unwanted !== null) return;
    this.#program.heard?.(chunk);
    if (this.#program.take) {
      if (!this.#program.take(chunk)) this.#endIt("enough");
      return;
    }
    this.#output.push(chunk);
    this.#outputBytes += chunk.length;
    if (this.#outputBytes > this.#program.mostBytes) this.#endIt("enough");
  }

  #endIt(why: "no answer" | "cancelled" | "enough"): void {
    if (this.#unwanted !== null || this.#exited !== null) return;
    this.#unwanted = why;
    this.#signalGroup("SIGTERM");
    this.#wait(() => {
      this.#signalGroup("SIGKILL");
      // One that even this has not ended hangs in the kernel.
      this.#wait(() => this.#finish());
    });
  }

  #wait(then: () => void): void {
    this.#timer?.cancel();
    this.#timer = this.#program.clock.after(graceMs, then);
  }

  #failed(error: NodeJS.ErrnoException): void {
    // With a pid it is about a signal that could not be sent, and the end is still to come.
    if (this.#child.pid !== undefined || this.#finished) return;
    this.#finished = true;
    this.#resolve(
      error.code === "ENOENT" ? { end: "not found" } : { end: "not started", detail: error.message },
    );
  }

  #finish(): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#timer?.cancel();
    this.#program.signal?.removeEventListener("abort", this.#cancelled);
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
    this.#child.unref();
    this.#resolve(this.#outcome());
  }

  #outcome(): ProgramEnd {
    const output = Buffer.concat(this.#output);
    const errors = this.#errors.toString("utf8").trim();
    const { code = null, signal = null } = this.#exited ?? {};
    if (this.#unwanted === "enough") return { end: "enough", output };
    // It was through before it heard that it is not wanted.
    if (this.#unwanted !== null && code !== 0) return { end: this.#unwanted, errors };
    if (code === null) return { end: "killed", by: signal ?? "an unknown signal", errors };
    return { end: "ended", code, output, errors };
  }

  #signalGroup(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      if (isWindows) this.#child.kill(signal);
      else process.kill(-pid, signal);
    } catch {
      // It has just ended by itself.
    }
  }
}
