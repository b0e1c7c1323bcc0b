// Commands that scripts run in codex's sandbox (`command/exec`), while they run.
//
// Races settled here:
// - The run ends, or the command's time is over, while it runs: it is ended in codex, and is known here until codex has said
//   that it is over. codex takes the end of a command also right behind its beginning.
// - The connection goes: codex ends what was begun over it, and the script is told that. A process that is killed takes
//   its commands along.
// - What a command writes comes before its end, on the same connection.
// - The session would be closed for idleness: not while it is needed for a command.

import { randomUUID } from "node:crypto";
import type { Clock } from "../../clock";
import type { SandboxPolicy } from "../../codex/protocol/v2/SandboxPolicy";
import { asFault, Fault } from "../../fault";
import type { Log } from "../../log";
import type { Connection } from "../../supervisor/connection";
import { unlessAborted } from "../../supervisor/unlessAborted";
import { recordOf } from "../../threads/loose";
import { threadFault } from "../../threads/threadFaults";
import { CommandOutput } from "./commandOutput";

export interface CommandsOptions {
  clock: Clock;
  log: Log;
  connect(workspaceId: string): Promise<Connection>;
}

export interface CommandWish {
  runId: string;
  workspaceId: string;
  cwd: string;
  command: string[];
  limitMs: number;
  /** Null: what codex's configuration says for this folder, as for its threads. */
  sandbox: SandboxPolicy | null;
}

export interface CommandResult {
  exitCode: number;
  stdout: string;
  stderr: string;
  isCut: boolean;
}

interface Running {
  runId: string;
  workspaceId: string;
  /** Has codex end it, once more if it has been asked before. */
  end(): void;
  over: Promise<unknown>;
}

/** Of each stream. */
const outputBytes = 1024 * 1024;
/** How much longer codex lets it run by itself, should it not hear that its time is over. */
const marginMs = 10_000;
const terminateDeadlineMs = 10_000;

export class Commands {
  readonly #options: CommandsOptions;
  readonly #running = new Map<string, Running>();

  constructor(options: CommandsOptions) {
    this.#options = options;
  }

  /** A command needs this workspace's session. */
  uses(workspaceId: string): boolean {
    return [...this.#running.values()].some((running) => running.workspaceId === workspaceId);
  }

  /** Ends the run's commands; resolves when none of them is left. */
  async closed(runId: string): Promise<void> {
    const left = [...this.#running.values()].filter((running) => running.runId === runId);
    for (const running of left) running.end();
    await Promise.all(left.map(({ over }) => over));
  }

  /** Rejects with the reason of the signal as soon as that is aborted; the command is ended then. */
  async run(wish: CommandWish, signal: AbortSignal): Promise<CommandResult> {
    const { clock, connect } = this.#options;
    const { runId, workspaceId, limitMs } = wish;
    const processId = `cell-${randomUUID()}`;
    const output = new CommandOutput();
    const ending = new AbortController();
    const stopping = AbortSignal.any([signal, ending.signal]);
    const timer = clock.after(limitMs, () => ending.abort(overdueFault(limitMs, output)));
    const running: Running = {
      runId,
      workspaceId,
      end: () => ending.abort(new Fault("command_ended", "The command was ended with its script.")),
      over: Promise.resolve(),
    };
    this.#running.set(processId, running);
    const exit = unlessAborted(connect(workspaceId), stopping)
      .then((connection) => this.#execute(connection, processId, wish, { output, stopping, running }))
      .finally(() => {
        timer.cancel();
        this.#running.delete(processId);
      });
    running.over = exit.catch(() => undefined);
    const exitCode = await unlessAborted(exit, stopping);
    const { stdout, stderr, isCut } = output.end();
    const why = whyNotStarted(exitCode, stdout, stderr);
    if (why !== null) throw notStartedFault(wish.command, why);
    return { exitCode, stdout, stderr, isCut };
  }

  /** Settles when the command is over, whether it has been ended or not. */
  async #execute(
    { client }: Connection,
    processId: string,
    { command, cwd, limitMs, sandbox }: CommandWish,
    { output, stopping, running }: { output: CommandOutput; stopping: AbortSignal; running: Running },
  ): Promise<number> {
    stopping.throwIfAborted();
    const timeoutMs = limitMs + marginMs;
    const stopListening = client.listen("command/exec/outputDelta", (params) => {
      const { processId: id, stream, deltaBase64, capReached } = recordOf(params);
      if (id !== processId || typeof deltaBase64 !== "string") return;
      output.add(stream === "stderr" ? "stderr" : "stdout", deltaBase64, capReached === true);
    });
    const answer = client.request(
      "command/exec",
      {
        command,
        cwd,
        processId,
        streamStdoutStderr: true,
        outputBytesCap: outputBytes,
        timeoutMs,
        sandboxPolicy: sandbox,
      },
      { deadlineMs: timeoutMs + marginMs },
    );
    let isTerminating = false;
    const terminate = () => {
      if (isTerminating) return;
      isTerminating = true;
      client
        .request("command/exec/terminate", { processId }, { deadlineMs: terminateDeadlineMs })
        .catch((error: unknown) => {
          // Mostly it was over already. If not, codex ends it when its own limit is reached.
          this.#options.log.info("a command was not ended", { processId, error: asFault(error).message });
        })
        .finally(() => {
          isTerminating = false;
        });
    };
    const { end } = running;
    running.end = () => (stopping.aborted ? terminate() : end());
    stopping.addEventListener("abort", terminate);
    try {
      return (await answer).exitCode;
    } catch (error) {
      throw commandFault(error, command);
    } finally {
      stopping.removeEventListener("abort", terminate);
      stopListening();
    }
  }
}

/** The sandbox itself could not begin the command: why. */
function whyNotStarted(exitCode: number, stdout: string, stderr: string): string | null {
  if (exitCode !== 101 || stdout !== "") return null;
  return (
    /panicked at linux-sandbox[^\n]*\nFailed to execvp .*?: ([^\n]*?)(?: \(os error \d+\))?\n/.exec(
      stderr,
    )?.[1] ?? null
  );
}

function commandFault(error: unknown, command: string[]): Fault {
  const fault = asFault(error);
  const why = /failed to spawn command: (.*?)(?: \(os error \d+\))?$/.exec(fault.message)?.[1];
  if (fault.code === "codex_error" && why !== undefined) return notStartedFault(command, why);
  if (fault.code !== "connection_lost") return threadFault(error, () => null);
  return new Fault("connection_lost", "The connection to codex was lost, and codex has ended the command.", {
    retryable: true,
    cause: error,
  });
}

function notStartedFault([name]: string[], why: string): Fault {
  return new Fault("command_not_started", `“${name}” could not be started: ${why}`);
}

function overdueFault(limitMs: number, output: CommandOutput): Fault {
  const last = output.last();
  return new Fault(
    "timeout",
    `The command was ended after ${limitMs / 1_000} s.${last === "" ? "" : ` It wrote last:\n${last}`}`,
  );
}
