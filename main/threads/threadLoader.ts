// Loads one thread in codex, or makes it there, and brings codex's record of it into the transcript.
//
// Races settled here:
// - Two windows open a thread at once, or a message is sent while it loads: one load, everybody waits for the same.
// - The connection goes away in the middle of a load: that load is superseded. What still comes of it changes nothing, and
//   the next use, or the next connection, begins a new one at once.
// - Events that follow an answer on the wire must find its content: answers are taken in the order of the wire.
// - A turn starts between the request and its answer: a status that is older than what was heard ends nothing.
// - A turn has ended and the next one begun while nobody listened: the record of the next one says both.
// - A load has failed, and is tried again while what can be read without it is being listed: the new load counts.
// - The thread was just let go: a new load waits until codex has taken that in (leaving.ts).
// - codex is unloading the thread just then, and refuses: the load waits until that is done (unloadWait.ts).
// - codex says that it has unloaded the thread while a load is on its way: that was the one before. The load goes on.
// - The answer of thread/start or thread/resume never comes, but thread/started does, perhaps after the deadline: the thread
//   is taken from that, and no second one is made. Both may come, in either order.
// - codex forgot a thread in which no turn has ended (it keeps no record of those): nothing is lost. The thread is a key
//   again, and is made anew for the next message.

import type { Thread } from "../codex/protocol/v2/Thread";
import type { ThreadResumeResponse } from "../codex/protocol/v2/ThreadResumeResponse";
import type { ThreadStartResponse } from "../codex/protocol/v2/ThreadStartResponse";
import type { Turn } from "../codex/protocol/v2/Turn";
import { asFault, type Fault } from "../fault";
import { toFaultView } from "../faultView";
import type { Connection } from "../supervisor/connection";
import type { LoadingThread, ThreadHost } from "./host";
import { Leaving } from "./leaving";
import { listAhead } from "./listAhead";
import { fillPage, loadOlder } from "./olderTurns";
import { PieceSize } from "./pieceSize";
import { reportedSandbox, settingsOf } from "./settingsView";
import { cutOffFault, isClosing, isHistoryLost, threadFault } from "./threadFaults";
import { titleOfLoaded } from "./titles";
import type { RunningNow, TurnPage } from "./transcriptMerge";
import { listNewest, readStatus, runningNow } from "./turnPages";
import { mostMisses, mostRefusals, UnloadWait } from "./unloadWait";

interface Load {
  /** Once it is known over which it goes. */
  connection: Connection | null;
}

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
  readonly #leaving: Leaving;
  readonly #unloads: UnloadWait;
  readonly #pieceSize = new PieceSize();
  /** What is shown was listed ahead of the load, and for being shown only. */
  #isShownAhead = false;

  constructor(host: ThreadHost, thread: LoadingThread) {
    this.#host = host;
    this.#thread = thread;
    this.#leaving = new Leaving(host.log);
    this.#unloads = new UnloadWait(host.clock);
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

  /** codex may still load this thread for us: it was asked, and has not answered in time. */
  get awaitsResume(): boolean {
    if (this.#load !== null || this.#resumingOver === null) return false;
    return this.#resumingOver === this.#host.connection(this.#thread.workspaceId);
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

  /** codex has unloaded it. Returns whether that was the thread as it is now, and not the one before a load that goes on. */
  unloaded(): boolean {
    const wasLoaded = this.#loadedOn !== null;
    this.#loadedOn = null;
    this.#unloads.heard();
    // Whoever still waits for the load that has just been answered loads again.
    if (wasLoaded) this.#load = null;
    return this.#load === null;
  }

  connectionLost(): void {
    this.#loadedOn = null;
    this.#startedOver = null;
    this.#resumingOver = null;
    this.#leaving.connectionLost();
    this.#unloads.cancel();
    // A load that has not got its connection yet waits for the next one.
    if (this.#load?.load.connection) this.#load = null;
  }

  /** Nobody needs the thread here any more: codex may unload it in its own time. */
  letGo(connection: Connection): void {
    const { threadId } = this.#thread;
    this.#loadedOn = null;
    if (threadId === null) return;
    this.#leaving.begin(connection, threadId, () => {
      this.#host.resident(this.#thread, false);
      if (this.#load === null && this.#loadedOn === null) this.#thread.state.update({ residency: "stored" });
    });
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

  /**
   * The newest turns anew, also of a thread that codex has just unloaded. Rejects when codex is late, and is asked again as
   * long as it `isOwed`: nothing else says how a turn ended.
   */
  async listAgain(isOwed = () => false): Promise<void> {
    const { threadId, workspaceId } = this.#thread;
    const connection = this.loadedOn ?? this.#host.connection(workspaceId);
    if (connection === null || threadId === null) return;
    try {
      await this.#list(connection, (page) => this.#merge(page));
    } catch (error) {
      if (asFault(error).code === "deadline" && isOwed()) {
        this.listAgain(isOwed).catch((again: unknown) => {
          this.#host.log.warn("turns could not be listed again", { threadId, error: asFault(again).code });
        });
      }
      throw error;
    }
  }

  /** codex has cut its record of the thread, for us or for somebody else: what it does not list any more goes. */
  async listCut(): Promise<void> {
    const { loadedOn } = this;
    if (loadedOn === null) return;
    const { state } = this.#thread;
    await this.#list(loadedOn, (page) => {
      const newest = page.turns[0]?.id ?? null;
      // A turn that has begun meanwhile stands on what was left.
      if (state.running || newest === (state.transcript.lastTurn?.id ?? null)) return;
      state.forgetTranscript();
      this.#merge(page);
    });
  }

  loadOlder(): Promise<void> {
    return loadOlder(this.#host, this.#thread, this.#pieceSize, (page) => this.#asShown(this.#inOne(page)));
  }

  async #perform(load: Load, isCurrent: () => boolean): Promise<Connection> {
    const { state, workspaceId } = this.#thread;
    this.#isShownAhead = false;
    state.update(this.#thread.threadId === null ? { fault: null } : { fault: null, residency: "loading" });
    try {
      // What is at work in codex already goes on, whatever has become of its folder: then it is no condition.
      const cwd = await this.#host.folder(workspaceId).catch((error: unknown) => {
        if (state.running && this.#thread.threadId !== null) return null;
        throw error;
      });
      const connection = await this.#host.connect(workspaceId);
      load.connection = connection;
      await this.#leaving.over;
      const { threadId } = this.#thread;
      if (threadId === null) await this.#start(connection, cwd ?? (await this.#host.folder(workspaceId)));
      else await this.#resumeUnlessClosing(connection, threadId, cwd, isCurrent);
      if (!isCurrent() || this.#host.connection(workspaceId) !== connection) throw cutOffFault();
      fillPage(this.#host, this.#thread, this.#pieceSize, (page) => this.#asShown(this.#inOne(page)));
      return connection;
    } catch (error) {
      const fault = threadFault(error, this.#host.configFault);
      if (isCurrent()) await this.#failed(fault);
      throw fault;
    }
  }

  async #failed(fault: Fault): Promise<void> {
    const { state, threadId } = this.#thread;
    // A retry need not wait until what can be read has been shown.
    this.#load = null;
    state.update({ residency: "stored", fault: toFaultView(fault) });
    if (threadId === null) return;
    if (fault.code === "history_lost") this.#thread.historyLost();
    await this.#showReadOnly(fault);
  }

  async #start(connection: Connection, cwd: string): Promise<void> {
    const environments = await this.#thread.place.prepareStart(connection);
    const { settings } = this.#thread.state.facts;
    const { model, sandbox, approvalPolicy } = settings;
    this.#startedOver = connection;
    const answered = connection.client.request(
      "thread/start",
      { cwd, model, sandbox, approvalPolicy, ...(environments && { environments }) },
      { onAnswer: (answer) => this.#startAnswered(connection, answer) },
    );
    const made = new Promise<void>((resolve) => {
      this.#madeWithoutAnswer = resolve;
    });
    try {
      await Promise.race([this.#thread.awaited(answered), made]);
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
    this.#thread.state.update({ threadId, residency: "loaded", fault: null });
    // When that fails it is not made.
    this.#host.promoted(this.#thread, threadId);
    this.#loadedOn = connection;
    this.#host.resident(this.#thread, true);
    this.#thread.loaded(connection);
  }

  async #resumeUnlessClosing(
    connection: Connection,
    threadId: string,
    cwd: string | null,
    isCurrent: () => boolean,
  ): Promise<void> {
    for (let refusals = 1; ; refusals += 1) {
      const { count } = this.#unloads;
      try {
        return await this.#resume(connection, threadId, cwd, isCurrent);
      } catch (error) {
        // One that codex has just unloaded it may not find for a moment.
        const isMissed = isHistoryLost(error) && this.#unloads.count > 0 && refusals <= mostMisses;
        const mayWait = isMissed || (isClosing(error) && refusals < mostRefusals);
        if (!isCurrent() || !mayWait) throw error;
      }
      if (this.#unloads.count === count) this.#thread.state.update({ residency: "unloading" });
      await this.#unloads.since(count, refusals);
      if (!isCurrent()) throw cutOffFault();
      this.#thread.state.update({ residency: "loading" });
    }
  }

  async #resume(
    connection: Connection,
    threadId: string,
    cwd: string | null,
    isCurrent: () => boolean,
  ): Promise<void> {
    await this.#thread.beforeResume(connection);
    if (!isCurrent()) throw cutOffFault();
    const { runCount } = this.#thread.state;
    let hasPage = false;
    this.#resumingOver = connection;
    let isHeard = () => {};
    const heard = new Promise<void>((resolve) => {
      isHeard = resolve;
    });
    this.#resumedWithoutAnswer = isHeard;
    listAhead(this.#host, this.#thread, connection, this.#pieceSize, (page) => {
      if (isCurrent() && this.loadedOn === null) this.#showAhead(page);
    });
    try {
      const answered = connection.client.request(
        "thread/resume",
        {
          threadId,
          ...(cwd === null ? {} : { cwd }),
          excludeTurns: true,
          initialTurnsPage: { limit: this.#pieceSize.turns, itemsView: "full" },
        },
        {
          // An answer comes only over a connection that is there, and so to a load that counts.
          onAnswer: (answer, units) => {
            this.#pieceSize.heard(answer.initialTurnsPage?.data.length ?? 0, units);
            hasPage = this.#resumed(connection, answer, runCount);
          },
        },
      );
      // Its failure after the thread has been loaded otherwise is of no interest.
      answered.catch(() => undefined);
      await Promise.race([this.#thread.awaited(answered), heard]);
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
    if (!hasPage && isCurrent()) await this.#list(connection, (page) => isCurrent() && this.#merge(page));
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
    this.#host.recorded(answer.thread);
    this.#reported(answer);
    state.update({
      residency: "loaded",
      fault: null,
      title: titleOfLoaded(answer.thread) || state.facts.title,
    });
    if (threadId !== null) this.#host.requests.resumed(threadId);
    const page = answer.initialTurnsPage;
    // A turn that began after the request was written is younger than the status.
    const status = state.runCount === runCount || !state.running ? answer.thread.status : undefined;
    if (page) this.#merge(this.#inOne({ turns: page.data, nextCursor: page.nextCursor }), status);
    else this.#thread.statusFound(status);
    this.#thread.loaded(connection);
    return Boolean(page);
  }

  #reported(answer: ThreadResumeResponse | ThreadStartResponse): void {
    const { state, threadId } = this.#thread;
    const { model, reasoningEffort, sandbox, approvalPolicy } = answer;
    const told = "collaborationMode" in answer ? answer.collaborationMode : null;
    const reported = settingsOf({ model, effort: reasoningEffort, sandbox, approvalPolicy, mode: told });
    state.reportedSandbox = reportedSandbox(answer.sandbox, answer.activePermissionProfile);
    this.#thread.place.reported(answer.thread.environments);
    // thread/start takes neither effort nor mode: what was chosen goes with the first message.
    const { effort, mode } = threadId === null ? state.facts.settings : reported;
    state.update({ settings: { ...reported, effort: effort ?? reported.effort, ...(mode && { mode }) } });
  }

  /** Makes the page part of what is known, and the run what codex says it is. */
  #merge(
    found: TurnPage,
    status?: unknown,
    running: RunningNow = runningNow(this.#thread.state, found, status),
  ): void {
    const { state } = this.#thread;
    const page = this.#asShown(found);
    const nowMs = this.#host.clock.nowMs();
    const isNext = typeof running === "object" && state.isSucceededBy(running.turnId);
    const endedTurnId = isNext ? state.runningTurnId : null;
    const reachesBack = state.transcript.isEmpty || this.#isShownAhead || !state.transcript.meets(page);
    this.#isShownAhead = false;
    state.publish(state.transcript.merge(page, running, nowMs, this.#thread.keptItems()), true);
    // Older pages that were loaded before stay; the cursor then is the one behind them.
    if (reachesBack) state.update({ olderCursor: page.nextCursor });
    if (typeof running === "object") {
      const { turnId } = running;
      if (endedTurnId !== null) {
        this.#thread.run({ type: "foundIdle" });
        this.#host.turnOver(this.#thread, endedTurnId);
      }
      const startedAtMs = Math.min(state.transcript.turn(turnId)?.startedAtMs ?? nowMs, nowMs);
      this.#thread.run({ type: "foundRunning", turnId, startedAtMs });
    } else this.#thread.statusFound(status);
    state.refreshHead();
    this.#thread.listed(page.turns);
    this.#host.loaded(this.#thread);
  }

  #showAhead(page: TurnPage): void {
    const { state } = this.#thread;
    state.publish(
      state.transcript.merge(this.#asShown(this.#inOne(page)), "none", this.#host.clock.nowMs()),
      true,
    );
    state.update({ olderCursor: page.nextCursor });
    this.#isShownAhead = true;
  }

  #list(connection: Connection, take: (page: TurnPage) => unknown): Promise<void> {
    return listNewest(this.#thread, connection, this.#pieceSize, (page) => take(this.#inOne(page)));
  }

  #inOne(page: TurnPage): TurnPage {
    const { threadId, state } = this.#thread;
    const hasEnded = (turnId: string) => (state.transcript.turn(turnId)?.status ?? "running") !== "running";
    return state.reviews.inOne(page, hasEnded, threadId !== null && this.#host.isAgent(threadId));
  }

  #asShown({ turns, nextCursor }: TurnPage): TurnPage {
    const { state } = this.#thread;
    const asShown = (turn: Turn) => ({ ...turn, items: turn.items.map(state.itemAsShown) });
    return { turns: turns.map((turn) => asShown(state.asShown(turn))), nextCursor };
  }

  /** The thread cannot be used as usual; what codex can still list of it is shown. */
  async #showReadOnly(fault: Fault): Promise<void> {
    const { state, threadId, workspaceId } = this.#thread;
    const connection = this.#host.connection(workspaceId);
    if (connection === null || !(state.transcript.isEmpty || this.#isShownAhead)) return;
    // A load that has begun since knows better.
    const isCurrent = () => this.#load === null && this.#loadedOn === null;
    try {
      if (fault.code === "open_elsewhere") {
        // Whether its last turn goes on there cannot be known here.
        await this.#list(connection, (page) => isCurrent() && this.#merge(page, undefined, "some"));
        return;
      }
      const status = await readStatus(this.#host, threadId ?? "", connection);
      if (isCurrent()) await this.#list(connection, (page) => isCurrent() && this.#merge(page, status));
    } catch (error) {
      const facts = { threadId, fault: fault.code, error: asFault(error).code, lost: isHistoryLost(error) };
      this.#host.log.info("thread cannot be listed either", facts);
    }
  }
}
