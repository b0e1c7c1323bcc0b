// Loads one thread in codex, or makes it there, and brings codex's record of it into the transcript.
//
// Races settled here:
// - Two windows open a thread at once, or a message is sent while it loads: one load, everybody waits for the same.
// - The connection goes away in the middle of a load: that load is superseded. What still comes of it changes nothing, and
//   the next use, or the next connection, begins a new one at once.
// - Events that follow an answer on the wire must find its content: answers are taken in the order of the wire.
// - A turn starts between the request and its answer: a status that is older than what was heard ends nothing.
// - The thread was just let go: a new load waits until codex has taken that in, so that it cannot undo the load.
// - The answer of thread/start or thread/resume never comes, but thread/started does, perhaps after the deadline: the thread
//   is taken from that, and no second one is made. Both may come, in either order.
// - codex forgot a thread in which no turn has ended (it keeps no record of those): nothing is lost. The thread is a key
//   again, and is made anew for the next message.

import type { Thread } from "../codex/protocol/v2/Thread";
import type { ThreadResumeResponse } from "../codex/protocol/v2/ThreadResumeResponse";
import type { ThreadStartResponse } from "../codex/protocol/v2/ThreadStartResponse";
import type { Turn } from "../codex/protocol/v2/Turn";
import { asFault, Fault } from "../fault";
import { toFaultView } from "../faultView";
import type { Connection } from "../supervisor/connection";
import type { RunningThread, ThreadHost } from "./host";
import type { KeptItem } from "./keptItem";
import { recordOf } from "./loose";
import { reportedSandbox, settingsOf } from "./settingsView";
import { isHistoryLost, isWithoutTurns, threadFault } from "./threadFaults";
import { titleFrom } from "./titles";
import type { RunningNow, TurnPage } from "./transcriptMerge";

/** What the loader needs of its thread. */
export interface LoadingThread extends RunningThread {
  /** codex's record has been merged; `status` as codex told it with the record, or undefined. */
  statusFound(status: unknown): void;
  /** The newest turns have become part of the transcript. */
  listed(turns: Turn[]): void;
  /** It can be used over this connection now. */
  loaded(connection: Connection): void;
  /** Items that ran or were cut off, as the ledger has them: codex does not list these. */
  keptItems(): KeptItem[];
  /** codex does not know it. */
  historyLost(): void;
}

interface Load {
  /** Once it is known over which it goes. */
  connection: Connection | null;
}

/** How many turns one page has. */
export const turnsPerPage = 30;
const leaveDeadlineMs = 5_000;
const readDeadlineMs = 10_000;

export class ThreadLoader {
  readonly #host: ThreadHost;
  readonly #thread: LoadingThread;
  #load: { load: Load; done: Promise<Connection> } | null = null;
  #loadedOn: Connection | null = null;
  /** A thread/start went out over this connection and has not been answered, in time or at all. */
  #startedOver: Connection | null = null;
  #madeWithoutAnswer: (() => void) | null = null;
  /** A thread/resume went out over this connection and has not been answered, in time or at all. */
  #resumingOver: Connection | null = null;
  #resumedWithoutAnswer: (() => void) | null = null;
  #leaving: Promise<unknown> | null = null;

  constructor(host: ThreadHost, thread: LoadingThread) {
    this.#host = host;
    this.#thread = thread;
  }

  /** The connection on which codex has the thread loaded for us. */
  get loadedOn(): Connection | null {
    const { workspaceId } = this.#thread;
    return this.#loadedOn !== null && this.#host.connection(workspaceId) === this.#loadedOn
      ? this.#loadedOn
      : null;
  }

  get isLoading(): boolean {
    return this.#load !== null;
  }

  /** codex may still make this thread. */
  get awaitsStart(): boolean {
    return (
      this.#startedOver !== null && this.#startedOver === this.#host.connection(this.#thread.workspaceId)
    );
  }

  /** Loads the thread, or makes it when it is only a key. Rejects with a Fault, which is also the thread's. */
  async ready(): Promise<Connection> {
    const connection = await this.load();
    // What was to be loaded had never been used, and codex has forgotten it.
    return this.#thread.threadId === null ? this.load() : connection;
  }

  load(): Promise<Connection> {
    const { loadedOn } = this;
    if (loadedOn !== null) return Promise.resolve(loadedOn);
    if (this.#load !== null) return this.#load.done;
    const load: Load = { connection: null };
    const isCurrent = () => this.#load?.load === load;
    const done = this.#perform(load, isCurrent).finally(() => {
      if (isCurrent()) this.#load = null;
    });
    this.#load = { load, done };
    return done;
  }

  /** The next use loads it again. */
  forget(): void {
    this.#loadedOn = null;
  }

  connectionLost(): void {
    this.#loadedOn = null;
    this.#startedOver = null;
    this.#resumingOver = null;
    this.#leaving = null;
    // A load that has not got its connection yet waits for the next one.
    if (this.#load?.load.connection) this.#load = null;
  }

  /** Nobody needs the thread here any more: codex may unload it in its own time. */
  letGo(connection: Connection): void {
    const { threadId } = this.#thread;
    this.#loadedOn = null;
    if (threadId === null) return;
    const leaving = connection.client
      .request("thread/unsubscribe", { threadId }, { deadlineMs: leaveDeadlineMs })
      .then(({ status }) => {
        if (status === "notLoaded") this.#host.resident(this.#thread, false);
      })
      .catch((error: unknown) => {
        this.#host.log.info("unsubscribe was not answered", { error: asFault(error).code });
      })
      .finally(() => {
        if (this.#leaving === leaving) this.#leaving = null;
      });
    this.#leaving = leaving;
  }

  /** codex says that it has loaded this thread, or made one, which can only be this one. */
  startedWithoutAnswer(thread: Thread): void {
    if (this.#thread.threadId === null) {
      if (this.#startedOver === null) return;
      this.#made(this.#startedOver, thread.id);
      this.#madeWithoutAnswer?.();
    } else if (this.#thread.threadId === thread.id && this.#resumingOver !== null) {
      this.#loadedWithoutAnswer(this.#resumingOver, thread);
    }
  }

  /** The newest turns anew. */
  async listAgain(): Promise<void> {
    const { loadedOn } = this;
    if (loadedOn === null) return;
    await this.#list(loadedOn, null, (page) => this.#merge(page));
  }

  async loadOlder(): Promise<void> {
    const { state, threadId, workspaceId } = this.#thread;
    const { olderCursor, loadingOlder } = state.facts;
    if (olderCursor === null || loadingOlder || threadId === null) return;
    state.update({ loadingOlder: true });
    try {
      const connection = await this.#host.connect(workspaceId);
      await this.#list(connection, olderCursor, (page) => {
        // What is known has been replaced meanwhile: this page does not lie before it.
        if (state.facts.olderCursor !== olderCursor) return;
        state.publish(
          state.transcript.prepend(page, this.#host.clock.nowMs(), this.#thread.keptItems()),
          true,
        );
        state.update({ olderCursor: page.nextCursor });
        this.#host.loaded(this.#thread);
      });
    } catch (error) {
      throw threadFault(error, this.#host.configFault);
    } finally {
      state.update({ loadingOlder: false });
    }
  }

  async #perform(load: Load, isCurrent: () => boolean): Promise<Connection> {
    const { state, workspaceId } = this.#thread;
    state.update(this.#thread.threadId === null ? { fault: null } : { fault: null, residency: "loading" });
    try {
      // What is at work in codex already goes on, whatever has become of its folder: then it is no condition.
      const cwd = await this.#host.folder(workspaceId).catch((error: unknown) => {
        if (state.running && this.#thread.threadId !== null) return null;
        throw error;
      });
      const connection = await this.#host.connect(workspaceId);
      load.connection = connection;
      await this.#leaving;
      const { threadId } = this.#thread;
      if (threadId === null) await this.#start(connection, cwd ?? (await this.#host.folder(workspaceId)));
      else await this.#resume(connection, threadId, cwd, isCurrent);
      if (!isCurrent() || this.#host.connection(workspaceId) !== connection) throw cutOff();
      return connection;
    } catch (error) {
      const fault = threadFault(error, this.#host.configFault);
      if (isCurrent()) await this.#failed(fault);
      throw fault;
    }
  }

  async #failed(fault: Fault): Promise<void> {
    const { state, threadId } = this.#thread;
    state.update({ residency: "stored", fault: toFaultView(fault) });
    if (threadId === null) return;
    if (fault.code === "history_lost") this.#thread.historyLost();
    await this.#showReadOnly(fault);
  }

  async #start(connection: Connection, cwd: string): Promise<void> {
    const { settings } = this.#thread.state.facts;
    this.#startedOver = connection;
    const answered = connection.client.request(
      "thread/start",
      { cwd, model: settings.model, sandbox: settings.sandbox, approvalPolicy: settings.approvalPolicy },
      { onAnswer: (answer) => this.#startAnswered(connection, answer) },
    );
    const made = new Promise<void>((resolve) => {
      this.#madeWithoutAnswer = resolve;
    });
    try {
      await Promise.race([answered, made]);
    } catch (error) {
      // After a deadline codex may still make it.
      if (asFault(error).code !== "deadline") this.#startedOver = null;
      throw error;
    } finally {
      this.#madeWithoutAnswer = null;
      // Its failure after the thread has been made otherwise is of no interest.
      answered.catch(() => undefined);
    }
  }

  #startAnswered(connection: Connection, answer: ThreadStartResponse): void {
    const { state } = this.#thread;
    if (this.#thread.threadId === null) {
      this.#reported(answer);
      this.#made(connection, answer.thread.id);
    } else if (this.#thread.threadId === answer.thread.id) {
      this.#reported(answer);
    } else {
      // An earlier start came through after all: this one is not needed.
      this.#host.log.info("an unneeded thread is let go", { threadId: answer.thread.id });
      connection.client.request("thread/unsubscribe", { threadId: answer.thread.id }).catch(() => undefined);
    }
    state.refreshHead();
  }

  #made(connection: Connection, threadId: string): void {
    this.#startedOver = null;
    this.#loadedOn = connection;
    this.#thread.state.update({ threadId, residency: "loaded", fault: null });
    this.#host.resident(this.#thread, true);
    this.#host.promoted(this.#thread, threadId);
    this.#thread.loaded(connection);
  }

  async #resume(
    connection: Connection,
    threadId: string,
    cwd: string | null,
    isCurrent: () => boolean,
  ): Promise<void> {
    const { runCount } = this.#thread.state;
    let hasPage = false;
    this.#resumingOver = connection;
    let isHeard = () => {};
    const heard = new Promise<void>((resolve) => {
      isHeard = resolve;
    });
    this.#resumedWithoutAnswer = isHeard;
    try {
      const answered = connection.client.request(
        "thread/resume",
        {
          threadId,
          ...(cwd === null ? {} : { cwd }),
          excludeTurns: true,
          initialTurnsPage: { limit: turnsPerPage, itemsView: "full" },
        },
        {
          // An answer comes only over a connection that is there, and so to a load that counts.
          onAnswer: (answer) => {
            hasPage = this.#resumed(connection, answer, runCount);
          },
        },
      );
      // Its failure after the thread has been loaded otherwise is of no interest.
      answered.catch(() => undefined);
      await Promise.race([answered, heard]);
    } catch (error) {
      // After a deadline codex may still load it.
      if (isCurrent() && asFault(error).code !== "deadline") this.#resumingOver = null;
      if (!isCurrent() || !this.#isForgotten(error, threadId)) throw error;
      this.#thread.state.update({ threadId: null, residency: "stored" });
      this.#host.unmade(this.#thread, threadId);
      this.#thread.historyLost();
      return;
    } finally {
      if (this.#resumedWithoutAnswer === isHeard) this.#resumedWithoutAnswer = null;
    }
    if (!hasPage && isCurrent())
      await this.#list(connection, null, (page) => isCurrent() && this.#merge(page));
  }

  /** Its record is listed by the load that waits for it, or here when that has been given up. */
  #loadedWithoutAnswer(connection: Connection, { status }: Thread): void {
    const { state, threadId } = this.#thread;
    this.#resumingOver = null;
    this.#loadedOn = connection;
    state.update({ residency: "loaded", fault: null });
    this.#host.resident(this.#thread, true);
    if (threadId !== null) this.#host.requests.resumed(threadId);
    this.#thread.statusFound(status);
    this.#thread.loaded(connection);
    if (this.#resumedWithoutAnswer !== null) this.#resumedWithoutAnswer();
    else
      this.listAgain().catch((error: unknown) => {
        this.#host.log.warn("turns could not be listed", { threadId, error: asFault(error).code });
      });
    this.#resumedWithoutAnswer = null;
  }

  #isForgotten(error: unknown, threadId: string): boolean {
    return (
      isHistoryLost(error) &&
      this.#thread.state.transcript.turns.length === 0 &&
      this.#host.isUnused(threadId)
    );
  }

  /** Returns whether the answer had the newest turns with it. */
  #resumed(connection: Connection, answer: ThreadResumeResponse, runCount: number): boolean {
    const { state, threadId } = this.#thread;
    this.#loadedOn = connection;
    this.#resumingOver = null;
    this.#host.resident(this.#thread, true);
    this.#reported(answer);
    state.update({
      residency: "loaded",
      fault: null,
      title: titleFrom(answer.thread.name ?? answer.thread.preview ?? "") || state.facts.title,
    });
    if (threadId !== null) this.#host.requests.resumed(threadId);
    const page = answer.initialTurnsPage;
    // A turn that began after the request was written is younger than the status.
    const status = state.runCount === runCount || !state.running ? answer.thread.status : undefined;
    if (page) this.#merge({ turns: page.data, nextCursor: page.nextCursor }, status);
    else this.#thread.statusFound(status);
    this.#thread.loaded(connection);
    return Boolean(page);
  }

  #reported(answer: ThreadResumeResponse | ThreadStartResponse): void {
    const { state, threadId } = this.#thread;
    const reported = settingsOf({
      model: answer.model,
      effort: answer.reasoningEffort,
      sandbox: answer.sandbox,
      approvalPolicy: answer.approvalPolicy,
    });
    state.reportedSandbox = reportedSandbox(answer.sandbox, answer.activePermissionProfile);
    // thread/start takes no effort: the one that was chosen goes with the first message.
    const effort = threadId === null ? (state.facts.settings.effort ?? reported.effort) : reported.effort;
    state.update({ settings: { ...reported, effort } });
  }

  /** Makes the page part of what is known, and the run what codex says it is. */
  #merge(page: TurnPage, status?: unknown, running: RunningNow = this.#runningNow(page, status)): void {
    const { state } = this.#thread;
    const nowMs = this.#host.clock.nowMs();
    const reachesBack = state.transcript.isEmpty || !state.transcript.meets(page);
    state.publish(state.transcript.merge(page, running, nowMs, this.#thread.keptItems()), true);
    // Older pages that were loaded before stay; the cursor then is the one behind them.
    if (reachesBack) state.update({ olderCursor: page.nextCursor });
    if (typeof running === "object")
      this.#thread.run({ type: "foundRunning", turnId: running.turnId, atMs: nowMs });
    else this.#thread.statusFound(status);
    state.refreshHead();
    this.#thread.listed(page.turns);
    this.#host.loaded(this.#thread);
  }

  #runningNow(page: TurnPage, status: unknown): RunningNow {
    const { state } = this.#thread;
    const type = recordOf(status).type;
    const newest = page.turns[0];
    const named =
      newest?.status === "inProgress" && !state.hasEnded(newest.id)
        ? { turnId: newest.id }
        : ("some" as const);
    if (type === "active") return named;
    if (type !== undefined) return "none";
    // The page came without a status: the run is as the events have told it.
    if (!state.running) return "none";
    return state.runningTurnId === null ? named : { turnId: state.runningTurnId };
  }

  /** The thread cannot be used as usual; what codex can still list of it is shown. */
  async #showReadOnly(fault: Fault): Promise<void> {
    const { state, threadId, workspaceId } = this.#thread;
    const connection = this.#host.connection(workspaceId);
    if (connection === null || !state.transcript.isEmpty) return;
    try {
      if (fault.code === "open_elsewhere") {
        // Whether its last turn goes on there cannot be known here.
        await this.#list(connection, null, (page) => this.#merge(page, undefined, "some"));
        return;
      }
      const status = await this.#readStatus(connection);
      await this.#list(connection, null, (page) => this.#merge(page, status));
    } catch (error) {
      const facts = { threadId, fault: fault.code, error: asFault(error).code, lost: isHistoryLost(error) };
      this.#host.log.info("thread cannot be listed either", facts);
    }
  }

  /** That it cannot be loaded now does not mean that codex has not got it in memory, and is at work in it. */
  async #readStatus(connection: Connection): Promise<unknown> {
    try {
      const threadId = this.#thread.threadId ?? "";
      const { thread } = await connection.client.request(
        "thread/read",
        { threadId },
        { deadlineMs: readDeadlineMs },
      );
      return thread.status;
    } catch (error) {
      this.#host.log.info("status could not be read", { error: asFault(error).code });
      return { type: "notLoaded" };
    }
  }

  async #list(
    connection: Connection,
    cursor: string | null,
    take: (page: TurnPage) => unknown,
  ): Promise<void> {
    const threadId = this.#thread.threadId ?? "";
    try {
      await connection.client.request(
        "thread/turns/list",
        { threadId, limit: turnsPerPage, itemsView: "full", cursor },
        { onAnswer: (answer) => take({ turns: answer.data, nextCursor: answer.nextCursor }) },
      );
    } catch (error) {
      if (!isWithoutTurns(error)) throw error;
      take({ turns: [], nextCursor: null });
    }
  }
}

function cutOff(): Fault {
  return new Fault("connection_lost", "The connection to codex was lost while the thread was loading.", {
    retryable: true,
  });
}
