// Runs a short command whose output we need, and makes sure that it ends: for reading the login environment and for asking
// a binary for its version. Both run code that we did not write (a person's rc files, whatever is called `codex`).
//
// Races settled here:
// - The command answers but does not end, or leaves a child that holds its output open: `isComplete` is what counts, not the
//   end of the stream; after it the command gets `graceMs` to end by itself and is then killed.
// - The command ends while its output is still in the pipe: the output's end is awaited, but no longer than `graceMs`, since
//   a child left behind may hold the pipe for ever.
// - The deadline passes while the command ends: whichever came first is the outcome; later events change nothing.
// - The command cannot be killed (it hangs in the kernel): we wait `graceMs` for the end and then give up on it.
// The command leads a process group of its own, and the group is killed whichever way it went, so that nothing that it
// started in the background stays. A true daemon has left the group, and is spared.

import { type ChildProcess, spawn } from "node:child_process";
import type { Clock, Timer } from "../clock";
import { sealedSpawn } from "../sealedSpawn";

export interface BoundedCommand {
  command: string;
  args: readonly string[];
  env: Record<string, string | undefined>;
  deadlineMs: number;
  /** Bound for standard output; more of it ends the command. */
  maxOutputBytes: number;
  /** True when `stdout` has all that is needed. Without it the command has to end by itself. */
  isComplete?(stdout: Buffer): boolean;
  clock: Clock;
  /** Nobody waits for it any more: it is ended as if its time were up. */
  signal?: AbortSignal;
}

export type BoundedOutcome =
  | { kind: "complete"; stdout: Buffer }
  | { kind: "exited"; code: number | null; signal: NodeJS.Signals | null; stdout: Buffer; stderrEnd: string }
  | { kind: "notStarted"; error: NodeJS.ErrnoException }
  | { kind: "timedOut"; stderrEnd: string }
  | { kind: "tooMuchOutput" };

const graceMs = 250;
const maxStderrBytes = 4_096;

/** Never rejects. When it resolves the command and its group have been killed or have ended. */
export function runBounded(request: BoundedCommand): Promise<BoundedOutcome> {
  let child: ChildProcess;
  try {
    // A shell's start-up files may leave daemons behind.
    child = sealedSpawn(request.command, request.args, {
      env: request.env,
      // Nobody answers questions: a command that reads its input gets the end of it at once.
      stdio: ["ignore", "pipe", "pipe"],
      // On Windows "detached" would open a console window; there the tree is killed by its pid instead.
      detached: process.platform !== "win32",
      windowsHide: true,
    });
  } catch (error) {
    // Arguments that no process can have (a NUL byte in the path) are thrown instead of emitted.
    return Promise.resolve({ kind: "notStarted", error: error as NodeJS.ErrnoException });
  }
  return new Promise((resolve) => new BoundedRun(request, child, resolve).start());
}

class BoundedRun {
  readonly #request: BoundedCommand;
  readonly #child: ChildProcess;
  readonly #resolve: (outcome: BoundedOutcome) => void;
  readonly #stdout: Buffer[] = [];
  #stdoutBytes = 0;
  #stderrEnd = Buffer.alloc(0);
  #outcome: BoundedOutcome | null = null;
  #exited: { code: number | null; signal: NodeJS.Signals | null } | null = null;
  #timer: Timer | null = null;
  #finished = false;

  constructor(request: BoundedCommand, child: ChildProcess, resolve: (outcome: BoundedOutcome) => void) {
    this.#request = request;
    this.#child = child;
    this.#resolve = resolve;
  }

  start(): void {
    const child = this.#child;
    child.on("error", (error) => this.#failed(error));
    child.on("exit", (code, signal) => this.#ended(code, signal));
    child.on("close", () => this.#outputEnded());
    child.stdout?.on("data", (chunk: Buffer) => this.#printed(chunk));
    child.stderr?.on("data", (chunk: Buffer) => {
      this.#stderrEnd = Buffer.concat([this.#stderrEnd, chunk]).subarray(-maxStderrBytes);
    });
    // A broken output pipe says no more than the exit that follows it.
    child.stdout?.on("error", () => {});
    child.stderr?.on("error", () => {});
    if (child.pid === undefined) return;
    const { clock, deadlineMs, signal } = this.#request;
    this.#timer = clock.after(deadlineMs, this.#timeIsUp);
    signal?.addEventListener("abort", this.#timeIsUp);
    if (signal?.aborted) this.#timeIsUp();
  }

  readonly #timeIsUp = () => this.#settle({ kind: "timedOut", stderrEnd: this.#stderrText() });

  #printed(chunk: Buffer): void {
    if (this.#outcome !== null) return;
    this.#stdout.push(chunk);
    this.#stdoutBytes += chunk.length;
    if (this.#stdoutBytes > this.#request.maxOutputBytes) {
      this.#settle({ kind: "tooMuchOutput" });
      return;
    }
    if (this.#request.isComplete === undefined) return;
    const stdout = Buffer.concat(this.#stdout);
    if (this.#request.isComplete(stdout)) this.#settle({ kind: "complete", stdout });
  }

  #failed(error: NodeJS.ErrnoException): void {
    // With a pid the error is about a signal that could not be sent, and the exit is still to come.
    if (this.#child.pid !== undefined) return;
    this.#outcome ??= { kind: "notStarted", error };
    this.#finish();
  }

  #ended(code: number | null, signal: NodeJS.Signals | null): void {
    this.#exited = { code, signal };
    if (this.#outcome !== null) {
      this.#finish();
      return;
    }
    this.#timer?.cancel();
    this.#timer = this.#request.clock.after(graceMs, () => this.#outputEnded());
  }

  #outputEnded(): void {
    if (this.#outcome === null && this.#exited !== null) {
      const stdout = Buffer.concat(this.#stdout);
      this.#outcome = { kind: "exited", ...this.#exited, stdout, stderrEnd: this.#stderrText() };
    }
    if (this.#outcome !== null) this.#finish();
  }

  /** The outcome is known while the command still runs. */
  #settle(outcome: BoundedOutcome): void {
    if (this.#outcome !== null) return;
    this.#outcome = outcome;
    this.#timer?.cancel();
    if (outcome.kind === "complete") {
      this.#timer = this.#request.clock.after(graceMs, () => this.#killAndWait());
      if (this.#exited !== null) this.#finish();
    } else {
      this.#killAndWait();
    }
  }

  #killAndWait(): void {
    this.#killGroup();
    this.#timer = this.#request.clock.after(graceMs, () => this.#finish());
  }

  #finish(): void {
    if (this.#outcome === null || this.#finished) return;
    this.#finished = true;
    this.#timer?.cancel();
    this.#request.signal?.removeEventListener("abort", this.#timeIsUp);
    this.#killGroup();
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
    // One that even SIGKILL has not ended yet must not keep Holdfast from ending.
    this.#child.unref();
    this.#resolve(this.#outcome);
  }

  #killGroup(): void {
    const pid = this.#child.pid;
    if (pid === undefined) return;
    if (process.platform === "win32") {
      if (this.#exited !== null) return;
      const killer = spawn("taskkill", ["/pid", String(pid), "/t", "/f"], {
        stdio: "ignore",
        windowsHide: true,
      });
      killer.on("error", () => this.#child.kill("SIGKILL"));
      return;
    }
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // ESRCH: nothing of the group is left, which is what was wanted. The number cannot have gone to another group while a
      // member lives, and no process of ours is started between its end and this line.
    }
  }

  #stderrText(): string {
    return this.#stderrEnd.toString("utf8").trim();
  }
}
