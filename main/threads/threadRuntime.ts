// One thread, alive in main: follows it in codex, and does what a window asks of it. Loading is in threadLoader.ts, sending
// in delivery.ts, the end of turns in turnWatch.ts.
//
// Races settled here:
// - The last window leaves while a turn runs, a request waits or a message is on its way: the thread stays; it is let go
//   once nothing keeps it, and only together with the rest of its tree, since a child agent may get a follow-up.
// - A window comes back soon (linger.ts): the thread is still there, nothing was unsubscribed.
// - The thread has been let go: codex still has it, until it says that it has unloaded it. Nothing else is claimed.
// - codex unloads a thread that a window shows: it is loaded again, but not over and over.
// - The end of a turn is told by its completion, by a status, by its record or by the death of the process: whatever waits
//   for it is told once.

import type { ThreadSettings } from "../../preload/contract/thread";
import type { Thread } from "../codex/protocol/v2/Thread";
import type { Turn } from "../codex/protocol/v2/Turn";
import { asFault, type Fault } from "../fault";
import { toFaultView } from "../faultView";
import type { Connection } from "../supervisor/connection";
import { AnswerWatch } from "./answerWatch";
import { ChosenSettings } from "./chosenSettings";
import { CutTurns } from "./cutTurns";
import { Delivery } from "./delivery";
import { ThreadPlace } from "./environments/threadPlace";
import { FailedTurns } from "./failedTurns";
import { FollowUpChanges } from "./followUps/changes";
import { FollowUps } from "./followUps/followUps";
import { Hearing } from "./hearing";
import type { ThreadHost } from "./host";
import { KeptFacts } from "./keptFacts";
import type { KeptItem } from "./keptItem";
import { LeftRunning } from "./leftRunning";
import { Linger } from "./linger";
import { recordOf } from "./loose";
import { McpServers } from "./mcpServers";
import { OutgoingMessages } from "./outgoingMessages";
import { Reverting } from "./reverting";
import type { RunEvent } from "./runMachine";
import { RunningItems } from "./runningItems";
import { ShownAgain } from "./shownAgain";
import { statusEvent } from "./threadEvents";
import { ThreadLoader } from "./threadLoader";
import { ThreadNotifications } from "./threadNotifications";
import { type ThreadFacts, type ThreadListener, ThreadState } from "./threadState";
import { TurnWatch } from "./turnWatch";

export class ThreadRuntime {
  readonly state: ThreadState;
  readonly messages: OutgoingMessages;
  readonly delivery: Delivery;
  readonly followUps: FollowUps;
  readonly followUpChanges: FollowUpChanges;
  readonly turnWatch: TurnWatch;
  readonly place: ThreadPlace;
  readonly cutTurns: CutTurns;
  readonly leftRunning: LeftRunning;
  readonly #host: ThreadHost;
  readonly #loader: ThreadLoader;
  readonly runningItems: RunningItems;
  readonly #keptFacts: KeptFacts;
  readonly #failedTurns: FailedTurns;
  readonly #chosen: ChosenSettings;
  readonly #answers: AnswerWatch;
  readonly #reverting: Reverting;
  readonly #mcpServers: McpServers;
  readonly #linger: Linger;
  readonly #shownAgain: ShownAgain;
  readonly #hearing: Hearing;
  readonly #notifications: ThreadNotifications;

  constructor(host: ThreadHost, facts: ThreadFacts) {
    this.#host = host;
    this.#hearing = new Hearing(() => host.connection(this.workspaceId));
    this.state = new ThreadState(
      facts,
      (head) => this.#host.headChanged(this, head),
      (changes) => this.runningItems.heard(changes),
    );
    this.place = new ThreadPlace(host, this, () => this.followUps.placeChanged());
    this.runningItems = new RunningItems(host, this);
    this.#keptFacts = new KeptFacts(host, this);
    this.#chosen = new ChosenSettings(host, this);
    this.#failedTurns = new FailedTurns(host, this);
    this.cutTurns = new CutTurns(host, this);
    this.leftRunning = new LeftRunning(host, this);
    this.#answers = new AnswerWatch(host.clock, this.state);
    this.#mcpServers = new McpServers(this.state, host.log, () => host.folder(this.workspaceId));
    this.turnWatch = new TurnWatch(host, this);
    this.#loader = new ThreadLoader(host, this);
    this.#linger = new Linger({
      clock: host.clock,
      connection: () => this.heardOver,
      folder: () => host.folder(this.workspaceId),
      over: () => this.#lingered(),
    });
    this.messages = new OutgoingMessages(host, this, () => this.followUps.messagesChanged());
    this.followUps = new FollowUps(host, this);
    this.followUpChanges = new FollowUpChanges(host, this);
    this.delivery = new Delivery(host, this, this.messages);
    this.#reverting = new Reverting(host, this);
    this.#shownAgain = new ShownAgain(host.clock, this.state, () => this.#loadForShow());
    this.#notifications = new ThreadNotifications(host, this, {
      keptFacts: this.#keptFacts,
      failedTurns: this.#failedTurns,
      loader: this.#loader,
      reverting: this.#reverting,
      shownAgain: this.#shownAgain,
      mcpServers: this.#mcpServers,
      hearing: this.#hearing,
    });
    this.place.show();
    this.followUps.messagesChanged();
  }

  get key(): string {
    return this.state.facts.key;
  }

  get threadId(): string | null {
    return this.state.facts.threadId;
  }

  get workspaceId(): string {
    return this.state.facts.workspaceId;
  }

  get loadedOn(): Connection | null {
    return this.#loader.loadedOn;
  }

  /** The connection over which codex tells us about the thread: loaded by us, or, as a child agent, by its parent. */
  get heardOver(): Connection | null {
    return this.#hearing.over ?? this.loadedOn;
  }

  /** codex tells us what happens in it, and what it asks. */
  get followed(): boolean {
    return this.loadedOn !== null || this.#hearing.isFollowed;
  }

  /** codex may yet make this thread, although it has not answered. */
  get awaitsStart(): boolean {
    return this.#loader.awaitsStart;
  }

  /** Something would be lost or cut off if the thread went away now. */
  get busy(): boolean {
    return this.atWork || this.#reverting.underWay;
  }

  /** A turn runs, a request waits, or a message is being handed to codex. */
  get atWork(): boolean {
    return this.state.running || this.state.facts.requests.length > 0 || this.delivery.underWay;
  }

  /** Shown or at work, or something of it is not settled. */
  get inUse(): boolean {
    return (
      this.state.watched ||
      this.state.attended ||
      this.busy ||
      this.delivery.hasOpen ||
      this.followUps.mayGoOn ||
      this.leftRunning.isSome
    );
  }

  /** The session must not be closed for idleness: codex has the thread, or is about to. */
  get keepsSession(): boolean {
    return this.inUse || this.loadedOn !== null || this.#loader.isLoading || this.awaitsStart;
  }

  watch(listener: ThreadListener): () => void {
    this.#linger.cancel();
    const stop = this.state.watch(listener);
    this.place.shown();
    this.#loadForShow();
    return () => {
      stop();
      this.#letGoLater();
    };
  }

  /** As `watch`, for somebody who shows it to nobody: nothing is loaded for showing it, and it does not count as read. */
  attend(listener: ThreadListener): () => void {
    this.#linger.cancel();
    const stop = this.state.attend(listener);
    return () => {
      stop();
      this.#letGoLater();
    };
  }

  /** Loads the thread, or makes it in codex when it is only a key. The connection is good for requests about it. */
  async ready(): Promise<Connection> {
    await this.#reverting.over();
    return this.load();
  }

  load(): Promise<Connection> {
    return this.#loader.ready();
  }

  /** Takes this turn and all after it out of the history. What the person wrote in it becomes part of the draft. */
  revert(beforeTurnId: string): Promise<void> {
    return this.#reverting.revert(beforeTurnId);
  }

  reverted(turnIds: string[]): void {
    this.cutTurns.forget();
    this.state.update({ plan: null, usage: null });
    this.#keptFacts.reverted();
    this.runningItems.forgetTurns(turnIds);
  }

  /** A window asks to try again. */
  async reload(): Promise<void> {
    if (this.threadId === null) return this.state.update({ fault: null });
    this.#loader.forget();
    await this.#loader.load();
  }

  notification(method: string, params: unknown): void {
    const nowMs = this.#host.clock.nowMs();
    this.turnWatch.heard(nowMs);
    this.#answers.over();
    this.#hearing.told(method);
    const heard = this.state.reviews.heard(method, params);
    if (heard !== null) this.#notifications.heard(method, heard, nowMs);
  }

  run(event: RunEvent): void {
    const wasRunning = this.state.running;
    const owedTurnId = this.state.owedTurnId;
    if (event.type === "stop") this.followUps.stopping();
    const effects = this.state.run(event);
    this.followUps.ran();
    if (!wasRunning && this.state.running) this.turnWatch.heard(this.#host.clock.nowMs());
    this.turnWatch.perform(effects, owedTurnId);
    if (!wasRunning || this.state.running) return;
    this.#answers.runEnded();
    this.delivery.runEnded();
  }

  /** Returns `answer`, which codex normally gives at once: that it does not is said in the thread. */
  awaited<Answer>(answer: Promise<Answer>): Promise<Answer> {
    return this.#answers.awaited(answer);
  }

  /** A status that codex told, by itself or when asked. */
  statusTold(status: unknown): void {
    const event = statusEvent(status, this.#host.clock.nowMs());
    if (event) this.run(event);
    if (event?.type === "inactive") this.#host.requests.idle(this.threadId);
    if (recordOf(status).type === "notLoaded") {
      // On the way of a revert codex says so too, and has the thread loaded again when it answers.
      if (!this.#reverting.underWay) this.#unloaded();
    } else if (event) this.#loadedByCodex();
  }

  /** A status that came together with codex's record: the record says how the turn ended. */
  statusFound(status: unknown): void {
    const event = statusEvent(status, this.#host.clock.nowMs());
    if (event?.type !== "inactive") {
      if (event) this.run(event);
      return;
    }
    const turnId = this.state.runningTurnId ?? this.state.owedTurnId;
    const wasRunning = this.state.running || turnId !== null;
    this.run({ type: "foundIdle" });
    this.#host.requests.idle(this.threadId);
    if (wasRunning && !this.state.running) this.turnOver(turnId);
  }

  listAgain(turnId: string | null): Promise<void> {
    return this.#loader
      .listAgain(() => turnId !== null && this.state.transcript.turn(turnId)?.status === "running")
      .catch((error: unknown) => {
        this.#host.log.warn("turns could not be listed", { error: asFault(error).code });
      })
      .finally(() => this.turnOver(turnId));
  }

  listed(turns: Turn[]): void {
    this.#keptFacts.listed();
    this.delivery.listed(turns);
    const connection = this.#host.connection(this.workspaceId);
    if (connection) this.#reverting.listed(connection);
  }

  loaded(connection: Connection): void {
    this.#hearing.loaded(connection);
    void this.place.leave(connection);
    this.#chosen.loaded(connection);
    this.#mcpServers.loaded(connection);
    this.followUps.loaded();
    this.leftRunning.loaded();
    this.#letGoLater();
  }

  /** Items that ran or were cut off, as the ledger has them. */
  keptItems(): KeptItem[] {
    return this.runningItems.list(this.#host.connection(this.workspaceId)?.handleId ?? null);
  }

  historyLost(): void {
    this.followUps.lost();
    this.delivery.threadLost();
  }

  settled(): void {
    this.#letGoLater();
  }

  /** codex says that it does not have the thread loaded for us. */
  forgetLoaded(): void {
    this.#loader.forget();
    this.place.unloaded();
  }

  async beforeResume(connection: Connection): Promise<void> {
    await this.place.checkLoad(connection);
    await this.followUps.moveHere(connection);
  }

  /** No load is on its way any more. Never rejects: a failed load is shown as the thread's fault. */
  async loadOver(): Promise<void> {
    if (this.#loader.isLoading) await this.#loader.load().catch(() => undefined);
  }

  /** It works at another place from the next turn on. Never rejects. */
  async placeChosen(): Promise<void> {
    this.place.chosen();
    this.followUps.placeChanged();
    const { loadedOn } = this;
    if (loadedOn === null) return;
    try {
      await this.followUps.moveHere(loadedOn);
      await this.place.leave(loadedOn);
    } catch (error) {
      this.#host.log.warn("follow-ups could not be moved", { error: asFault(error).code });
      // It is tried again before it is loaded again, and a failure of that is shown.
      this.forgetLoaded();
      this.#loadForShow();
    }
  }

  /** codex says that it has made or loaded this thread, or one that nobody else has asked for. */
  startedWithoutAnswer(thread: Thread): void {
    this.#loader.startedWithoutAnswer(thread);
  }

  /** codex has the thread in memory, whoever asked for it, or has not. */
  foundResident(isResident: boolean): void {
    if (this.#loader.isLoading || this.loadedOn !== null) return;
    this.state.update({ residency: isResident ? "loaded" : "stored" });
  }

  archived(archived: boolean): void {
    this.state.update({ archived });
    // codex unloads a thread that it archives, and does not load one that it takes back.
    this.statusTold({ type: "notLoaded" });
  }

  requestsChanged(): void {
    if (this.threadId !== null) {
      const requests = this.#host.requestsOf(this.threadId);
      for (const { answering, itemId } of requests) {
        if (answering && itemId !== null) this.state.transcript.decided(itemId);
      }
      this.state.update({ requests });
    }
    this.#letGoLater();
  }

  /** codex asks, perhaps again, about this item; perhaps it has just been given the decision again. */
  asked(itemId: string, decided: boolean): void {
    this.state.publish(this.state.transcript.notRunYet(itemId), true);
    if (decided) this.state.transcript.decided(itemId);
  }

  connectionLost(): void {
    this.#unheard();
    this.place.unloaded();
    this.followUps.unloaded();
    const waiting = this.#host.requests.itemsWaiting(this.threadId, null);
    this.state.publish(this.state.transcript.markGap(waiting), true);
    this.state.update({ residency: "stored" });
  }

  /** A connection is there again: what is shown or going on is loaded at once, the rest on need. Never rejects. */
  async connected(): Promise<void> {
    if (this.threadId === null || !this.inUse || this.#host.connection(this.workspaceId) === null) return;
    await this.#loader.load().catch(() => undefined);
  }

  processGone(fault: Fault): void {
    this.#unheard();
    this.place.processGone();
    this.followUps.unloaded(true);
    const { phase, runningTurnId } = this.state;
    const changes = this.state.transcript.markLost(this.#host.clock.nowMs(), toFaultView(fault));
    this.state.publish(changes, true);
    this.leftRunning.ended();
    this.runningItems.flush();
    this.run({ type: "processGone" });
    this.cutTurns.note(runningTurnId, toFaultView(fault));
    this.state.update({ residency: "stored", mcpServers: [] });
    // Of a message that had not become a turn, the message itself says what became of it.
    if (phase === "running") this.turnOver(runningTurnId);
    else this.#letGoLater();
  }

  loadOlder(): Promise<void> {
    return this.#loader.loadOlder();
  }

  async stop(): Promise<void> {
    this.#host.stopChildren(this);
    this.run({ type: "stop" });
  }

  /** Takes effect at once on a loaded thread, else when it is loaded. */
  setSettings(settings: ThreadSettings): Promise<void> {
    const isToBeMade = this.threadId === null && !this.#loader.isLoading;
    return this.#chosen.choose(settings, this.loadedOn, isToBeMade);
  }

  /** What runs is cut off from view only; codex goes on. Called when the app ends. */
  dispose(): void {
    this.#linger.cancel();
    this.place.dispose();
    this.turnWatch.dispose();
    this.#answers.over();
    this.delivery.dispose();
    this.followUps.dispose();
    this.runningItems.dispose();
  }

  #loadForShow(): void {
    // A failed load is shown as the thread's fault; nobody else waits for this one.
    if (this.threadId !== null) this.#loader.load().catch(() => undefined);
  }

  turnOver(turnId: string | null): void {
    this.followUps.turnOver(turnId);
    this.leftRunning.turnOver(turnId);
    this.#host.turnOver(this, turnId);
    this.#letGoLater();
  }

  #unheard(): void {
    this.#loader.connectionLost();
    this.#answers.over();
    this.#hearing.end();
  }

  #letGoLater(): void {
    if (this.inUse || this.threadId === null) return;
    if (this.#hearing.last === null && this.state.transcript.isEmpty) return;
    this.#linger.begin();
  }

  #lingered(): void {
    if (this.inUse) return;
    if (this.#loader.isLoading || this.#host.treeInUse(this)) this.#letGoLater();
    else this.#letGo();
  }

  /** codex keeps it for a while, and says when it has unloaded it. */
  #letGo(): void {
    const { heardOver } = this;
    this.#hearing.end();
    this.#mcpServers.forget();
    this.followUps.unloaded();
    this.#loader.forget();
    if (heardOver !== null) this.#loader.letGo(heardOver);
    this.place.unloaded();
    this.runningItems.flush();
    this.state.forgetTranscript();
  }

  /** codex has unloaded it: the next use loads it again. */
  #unloaded(): void {
    const isOver = this.#loader.unloaded();
    this.leftRunning.ended();
    this.#hearing.end();
    this.place.unloaded();
    this.followUps.unloaded();
    this.#mcpServers.forget();
    if (isOver) this.state.update({ residency: "stored" });
  }

  /** Perhaps the late outcome of a load that was given up: then it is not left subscribed for nobody. */
  #loadedByCodex(): void {
    this.foundResident(true);
    if (!this.#loader.awaitsResume) return;
    if (this.state.watched) this.#loadForShow();
    else this.#letGoLater();
  }
}
