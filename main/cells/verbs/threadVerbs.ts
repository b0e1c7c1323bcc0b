// What a script does with threads, through the same functions as a window.
//
// Races settled here:
// - Two scripts, or a script and a person, start threads at once: each script's thread is one of its own, and the blank one
//   that a window shows stays as it is, with what is typed into it.
// - Holdfast is killed just when a script sends something: that the run has sent it is written down before it leaves.
// - A script sends a message and waits, without waiting for the sending first: the wait begins when it has been sent.
// - A message cannot be delivered: whoever sent it is told why, and it stays in the window with that reason. A wait that
//   comes after it does not take the turn before for its answer.

import { randomUUID } from "node:crypto";
import type { ThreadSettings } from "../../../preload/contract/thread";
import type { Clock } from "../../clock";
import { Fault } from "../../fault";
import { unlessAborted } from "../../supervisor/unlessAborted";
import { composedIn } from "../../threads/composedKey";
import { note } from "../../threads/threadEvents";
import type { ThreadRuntime } from "../../threads/threadRuntime";
import type { Threads } from "../../threads/threads";
import type { Asked } from "../runtime/delegate";
import type { ToolArgs, ToolResult } from "../tools/tools";
import type { OpenFolders } from "./openFolders";
import { readTurns } from "./reading";
import type { RunMarks } from "./runMarks";
import { Sent } from "./sent";
import { limited, untilAtRest, whenThread } from "./waiting";

export interface ThreadVerbsOptions {
  clock: Clock;
  threads: Threads;
  folders: OpenFolders;
  marks: RunMarks;
  /** Why nothing can be sent in a workspace, as far as that is known without trying. */
  cannotSend(workspaceId: string): Fault | null;
  scriptName(runId: string): string;
}

const stopDeadlineMs = 30_000;
/** As many as `limit` of listThreads may ask for, in pages of codex's list. */
const mostPages = 5;

export class ThreadVerbs {
  readonly #options: ThreadVerbsOptions;
  readonly #sent = new Sent();

  constructor(options: ThreadVerbsOptions) {
    this.#options = options;
  }

  async listThreads({ folder, limit }: ToolArgs<"listThreads">, { signal }: Asked) {
    const { threads, folders } = this.#options;
    const { id, path } = await folders.find(folder);
    const { list } = threads;
    const all = () =>
      threads.rows
        .ofWorkspace(id)
        .filter((row) => !row.archived && row.parentThreadId === null && composedIn(row.threadId) === null);
    if (!list.isListed(id)) await unlessAborted(list.refresh(id), signal);
    for (let page = 1; page < mostPages && all().length < limit && list.state(id).hasMore; page += 1)
      await unlessAborted(list.more(id, false), signal);
    const { fault } = list.state(id);
    if (fault !== null) throw new Fault(fault.code, fault.message, { hint: fault.hint });
    return all()
      .sort((a, b) => b.updatedAtMs - a.updatedAtMs)
      .slice(0, limit)
      .map(({ threadId, title, state, updatedAtMs }) => ({
        threadId,
        title,
        state,
        folder: path,
        updatedAtMs,
      }));
  }

  async startThread(
    { text, folder, environment, environmentFolder, ...wishes }: ToolArgs<"startThread">,
    { cellId, signal }: Asked,
  ): Promise<ToolResult<"startThread">> {
    const { threads, folders, marks } = this.#options;
    const { id, path } = await folders.find(folder);
    this.#checkCanSend(id);
    checkHasEnvironment(environment, environmentFolder);
    signal.throwIfAborted();
    // From here to the message nothing is awaited: a new thread without one is anybody's.
    const key = threads.composeApart(id);
    if (environment !== undefined)
      threads.environments.chooseForNew(key, { environment, cwd: environmentFolder ?? path });
    marks.thread(cellId, key);
    const runtime = threads.runtime(key);
    await Promise.all([
      threads.setSettings(key, wished(threads.newThreadSettings, wishes)),
      this.#send(runtime, { text, mode: "turn" }, { cellId, signal }),
    ]);
    const { threadId } = runtime;
    if (threadId === null) throw unmadeFault();
    return { threadId };
  }

  async sendMessage({ threadId, text }: ToolArgs<"sendMessage">, asked: Asked) {
    await this.#sent.next(this.#receiver(threadId), asked.cellId, async (runtime) => {
      // Whether a turn runs is only known of a thread that is loaded.
      await unlessAborted(runtime.ready(), asked.signal);
      await this.#send(runtime, { text, mode: runtime.state.running ? "steer" : "turn" }, asked);
    });
    return { threadId };
  }

  async queueFollowUp({ threadId, text }: ToolArgs<"queueFollowUp">, asked: Asked) {
    await this.#sent.next(this.#receiver(threadId), asked.cellId, async (runtime) => {
      await unlessAborted(runtime.ready(), asked.signal);
      await this.#send(runtime, { text, mode: "queue" }, asked);
    });
    return { threadId };
  }

  async waitForTurn(
    { threadId, timeoutMs }: ToolArgs<"waitForTurn">,
    { cellId, signal }: Asked,
  ): Promise<ToolResult<"waitForTurn">> {
    const { clock } = this.#options;
    const runtime = this.#runtime(threadId);
    const limit = limited({ clock, signal }, timeoutMs, () => overdueFault(timeoutMs ?? 0));
    try {
      const sent = await unlessAborted(this.#sent.settled(runtime, cellId), limit.signal);
      const turn = await untilAtRest(runtime, { clock, signal: limit.signal });
      if (sent !== null) checkHasTurn(runtime, sent);
      if (turn === null) throw new Fault("no_turn", "No turn has run in this thread.");
      return {
        turnId: turn.id,
        status: turn.status === "running" ? "interrupted" : turn.status,
        answer: answerOf(runtime, turn.id),
        error: turn.status === "running" ? "It is not known how this turn ended." : wordsOf(turn.fault),
      };
    } finally {
      limit.cancel();
    }
  }

  async readThread({ threadId, turns }: ToolArgs<"readThread">, { signal }: Asked) {
    return readTurns(this.#runtime(threadId), turns, signal);
  }

  async interrupt(
    { threadId }: ToolArgs<"interrupt">,
    { cellId, signal }: Asked,
  ): Promise<ToolResult<"interrupt">> {
    const { clock, scriptName } = this.#options;
    const runtime = this.#runtime(threadId);
    const { state } = runtime;
    if (!state.running) return { interrupted: false };
    const { runCount } = state;
    const limit = limited({ clock, signal }, stopDeadlineMs, () => {
      return new Fault("stop_unconfirmed", "codex has not confirmed that the turn was stopped.", {
        retryable: true,
      });
    });
    try {
      note(state, clock.nowMs(), "info", `Stopped by the script ${scriptName(cellId)}`);
      await runtime.stop();
      await whenThread(runtime, limit.signal, () =>
        state.running && state.runCount === runCount ? undefined : true,
      );
      return { interrupted: true };
    } finally {
      limit.cancel();
    }
  }

  /** Nothing is kept of what the run has sent. */
  closed(cellId: string): void {
    this.#sent.forget(cellId);
  }

  #runtime(threadId: string): ThreadRuntime {
    // The provisional key of one that codex has not made would make it.
    if (composedIn(threadId) !== null)
      throw new Fault("thread_unknown", `Holdfast does not know the thread ${threadId}.`);
    return this.#options.threads.runtime(threadId);
  }

  /** A message would wait there for what the script cannot bring about, and the person is not asked for it. */
  #receiver(threadId: string): ThreadRuntime {
    const runtime = this.#runtime(threadId);
    this.#checkCanSend(runtime.workspaceId);
    return runtime;
  }

  #checkCanSend(workspaceId: string): void {
    const fault = this.#options.cannotSend(workspaceId);
    if (fault) throw fault;
  }

  /** Resolves when codex has taken it. */
  #send(
    runtime: ThreadRuntime,
    { text, mode }: { text: string; mode: "turn" | "steer" | "queue" },
    { cellId, signal }: Asked,
  ): Promise<void> {
    const { threads, marks, clock } = this.#options;
    signal.throwIfAborted();
    const clientId = randomUUID();
    marks.message(cellId, clientId);
    threads.send(runtime.threadId ?? runtime.key, { clientId, text, attachments: [], mode }, "nothing");
    this.#sent.note(runtime, cellId, clientId);
    return whenThread(runtime, signal, () => (isTaken(runtime, clientId) ? null : undefined), { clock }).then(
      () => undefined,
    );
  }
}

/** Throws the Fault that says why codex has not taken it and will not. */
function isTaken(runtime: ThreadRuntime, clientId: string): boolean {
  const outgoing = runtime.messages.get(clientId);
  if (outgoing === null) {
    if (runtime.state.transcript.sentMessage(clientId) !== null) return true;
    throw new Fault("message_taken_back", "The message was taken back in Holdfast's window.");
  }
  if (outgoing.state === "undelivered") throw undeliveredFault(outgoing.fault);
  if (outgoing.seenInTurn !== null || isWaiting(runtime, clientId)) return true;
  return outgoing.state === "sent" && runtime.state.runningTurnId !== null;
}

function isWaiting({ state }: ThreadRuntime, clientId: string): boolean {
  return state.facts.followUps.entries.some(
    (entry) => entry.clientId === clientId && entry.state !== "sending",
  );
}

/** What the run has sent last is in a turn, or waits for one. Else the last turn is none of its. */
function checkHasTurn(runtime: ThreadRuntime, clientId: string): void {
  const outgoing = runtime.messages.get(clientId);
  if (outgoing === null || outgoing.seenInTurn !== null || isWaiting(runtime, clientId)) return;
  throw undeliveredFault(outgoing.fault);
}

function wished(
  settings: ThreadSettings,
  wishes: Pick<ToolArgs<"startThread">, "model" | "effort" | "sandbox" | "approvalPolicy">,
): ThreadSettings {
  return {
    model: wishes.model ?? settings.model,
    effort: wishes.effort ?? settings.effort,
    sandbox: wishes.sandbox ?? settings.sandbox,
    approvalPolicy: wishes.approvalPolicy ?? settings.approvalPolicy,
  };
}

/** What the agent says in the end; a remark on the way only where it has said nothing else. */
function answerOf({ state }: ThreadRuntime, turnId: string): string {
  const said = state.transcript.itemsOf(turnId).filter((item) => item.kind === "agent");
  return (said.findLast(({ phase }) => phase !== "commentary") ?? said.at(-1))?.text ?? "";
}

function wordsOf(fault: { message: string } | null): string | null {
  return fault?.message ?? null;
}

function undeliveredFault(fault: Fault | null): Fault {
  const why = fault?.message ?? "codex has not taken it.";
  return new Fault("message_undelivered", `The message was not delivered: ${why}`, {
    hint: "It waits in the thread, where it can be sent again.",
    ...(fault === null ? {} : { cause: fault }),
  });
}

function checkHasEnvironment(environment: string | undefined, folder: string | undefined): void {
  if (environment !== undefined || folder === undefined) return;
  throw new Fault("environment_missing", "A folder of an environment was given, and no environment.", {
    hint: "Name the environment, or leave environmentFolder out.",
  });
}

function unmadeFault(): Fault {
  return new Fault("thread_not_made", "codex has not made the thread.", { retryable: true });
}

function overdueFault(timeoutMs: number): Fault {
  return new Fault("timeout", `The turn has not ended within ${timeoutMs / 1_000} s.`);
}
