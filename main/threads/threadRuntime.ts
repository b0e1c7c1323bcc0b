// One thread, alive in main: follows it in codex, and does what a window asks of it. Loading is in threadLoader.ts, sending
// in delivery.ts, the end of turns in turnWatch.ts.
//
// Races settled here:
// - The last window leaves while a turn runs, a request waits or a message is on its way: the thread stays; it is let go
//   once nothing keeps it, and only together with the rest of its tree, since a child agent may get a follow-up.
// - A window comes back within `lingerMs`: the thread is still there, nothing was unsubscribed.
// - Settings are changed while the thread is not loaded, or codex refuses them: they are applied at the next load, and put
//   back when refused, unless something newer has been chosen meanwhile.
// - The end of a turn is told by its completion, by a status, by its record or by the death of the process: whatever waits
//   for it is told once.

import type { ThreadSettings } from "../../preload/contract/thread";
import type { Timer } from "../clock";
import type { Thread } from "../codex/protocol/v2/Thread";
import type { Turn } from "../codex/protocol/v2/Turn";
import { asFault, type Fault } from "../fault";
import { toFaultView } from "../faultView";
import type { Connection } from "../supervisor/connection";
import { Delivery } from "./delivery";
import type { ThreadHost } from "./host";
import type { KeptItem } from "./keptItem";
import { recordOf, wordsOrNull } from "./loose";
import { loginCompletedMethod, McpServers, startupStatusMethod } from "./mcpServers";
import type { RunEvent } from "./runMachine";
import { RunningItems } from "./runningItems";
import { chosenOver, sandboxToSend } from "./settingsView";
import { applyNotification, note, statusEvent } from "./threadEvents";
import { threadFault } from "./threadFaults";
import { ThreadLoader } from "./threadLoader";
import { type ThreadFacts, type ThreadListener, ThreadState } from "./threadState";
import { TurnWatch } from "./turnWatch";

/** How long a thread that nobody shows stays subscribed. */
export const lingerMs = 30_000;

export class ThreadRuntime {
  readonly state: ThreadState;
  readonly delivery: Delivery;
  readonly #host: ThreadHost;
  readonly #loader: ThreadLoader;
  readonly #watch: TurnWatch;
  readonly #runningItems: RunningItems;
  readonly #mcpServers: McpServers;
  #linger: Timer | null = null;
  /** Chosen while the thread was not loaded. */
  #unapplied: ThreadSettings | null = null;
  /** codex tells us about the thread over this connection, asked or not. */
  #heardOver: Connection | null = null;

  constructor(host: ThreadHost, facts: ThreadFacts) {
    this.#host = host;
    this.state = new ThreadState(
      facts,
      (head) => this.#host.headChanged(this, head),
      (changes) => this.#runningItems.heard(changes),
    );
    this.#runningItems = new RunningItems(host, this);
    this.#mcpServers = new McpServers(this.state, host.log, () => host.folder(this.workspaceId));
    this.#watch = new TurnWatch(host, this);
    this.#loader = new ThreadLoader(host, this);
    this.delivery = new Delivery(host, this);
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
    const current = this.#host.connection(this.workspaceId);
    return current !== null && current === this.#heardOver ? current : this.loadedOn;
  }

  /** codex may yet make this thread, although it has not answered. */
  get awaitsStart(): boolean {
    return this.#loader.awaitsStart;
  }

  /** Something would be lost or cut off if the thread went away now. */
  get busy(): boolean {
    return this.state.running || this.state.facts.requests.length > 0 || this.delivery.underWay;
  }

  /** Shown or at work, or something of it is not settled. */
  get inUse(): boolean {
    return this.state.watched || this.busy || this.delivery.hasOpen;
  }

  /** The session must not be closed for idleness: codex has the thread, or is about to. */
  get keepsSession(): boolean {
    return this.inUse || this.loadedOn !== null || this.#loader.isLoading || this.#loader.awaitsStart;
  }

  watch(listener: ThreadListener): () => void {
    this.#linger?.cancel();
    this.#linger = null;
    const stop = this.state.watch(listener);
    this.#loadForShow();
    return () => {
      stop();
      this.#letGoLater();
    };
  }

  /** Loads the thread, or makes it in codex when it is only a key. The connection is good for requests about it. */
  ready(): Promise<Connection> {
    return this.#loader.ready();
  }

  /** A window asks to try again. */
  async reload(): Promise<void> {
    if (this.threadId === null) {
      this.state.update({ fault: null });
      return;
    }
    this.#loader.forget();
    await this.#loader.load();
  }

  notification(method: string, params: unknown): void {
    const nowMs = this.#host.clock.nowMs();
    this.#watch.heard(nowMs);
    this.#heardOver = this.#host.connection(this.workspaceId);
    const event = applyNotification(this.state, method, params, nowMs);
    if (event) this.run(event);
    switch (method) {
      case "item/started":
      case "item/completed":
        this.delivery.itemShown();
        break;
      case "turn/completed": {
        const turnId = wordsOrNull(recordOf(recordOf(params).turn).id);
        if (turnId !== null) this.delivery.turnEnded(turnId);
        this.#turnOver(turnId);
        break;
      }
      case "thread/status/changed":
        this.statusTold(recordOf(params).status);
        break;
      case "thread/closed":
        this.#unloaded();
        break;
      case startupStatusMethod:
        this.#mcpServers.told(recordOf(params), this.#heardOver);
        break;
      case loginCompletedMethod:
        this.#mcpServers.loginCompleted(recordOf(params));
        break;
      default:
    }
  }

  run(event: RunEvent): void {
    const wasRunning = this.state.running;
    const owedTurnId = this.state.owedTurnId;
    const effects = this.state.run(event);
    if (!wasRunning && this.state.running) this.#watch.heard(this.#host.clock.nowMs());
    this.#watch.perform(effects, owedTurnId);
    if (wasRunning && !this.state.running) this.delivery.runEnded();
  }

  /** A status that codex told, by itself or when asked. */
  statusTold(status: unknown): void {
    const event = statusEvent(status, this.#host.clock.nowMs());
    if (event) this.run(event);
    if (event?.type === "inactive") this.#idle();
    if (recordOf(status).type === "notLoaded") this.#unloaded();
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
    this.#idle();
    if (wasRunning && !this.state.running) this.#turnOver(turnId);
  }

  listAgain(turnId: string | null): void {
    this.#loader
      .listAgain()
      .catch((error: unknown) => {
        this.#host.log.warn("turns could not be listed", { error: asFault(error).code });
      })
      .finally(() => this.#turnOver(turnId));
  }

  listed(turns: Turn[]): void {
    this.delivery.listed(turns);
  }

  loaded(connection: Connection): void {
    this.#heardOver = connection;
    const chosen = this.#unapplied;
    this.#unapplied = null;
    if (chosen) this.#applyChosen(connection, chosen);
    this.#mcpServers.loaded(connection);
    this.#letGoLater();
  }

  /** Items that ran or were cut off, as the ledger has them. */
  keptItems(): KeptItem[] {
    return this.#runningItems.list(this.#host.connection(this.workspaceId)?.handleId ?? null);
  }

  historyLost(): void {
    this.delivery.threadLost();
  }

  settled(): void {
    this.#letGoLater();
  }

  /** codex says that it does not have the thread loaded for us. */
  forgetLoaded(): void {
    this.#loader.forget();
  }

  /** codex says that it has made or loaded this thread, or one that nobody else has asked for. */
  startedWithoutAnswer(thread: Thread): void {
    this.#loader.startedWithoutAnswer(thread);
  }

  archived(archived: boolean): void {
    this.state.update({ archived });
    // codex unloads a thread that it archives, and does not load one that it takes back.
    this.#unloaded();
  }

  requestsChanged(): void {
    if (this.threadId !== null) this.state.update({ requests: this.#host.requestsOf(this.threadId) });
    this.#letGoLater();
  }

  connectionLost(): void {
    this.#loader.connectionLost();
    this.#heardOver = null;
    this.state.publish(this.state.transcript.markGap(), true);
    this.state.update({ residency: "stored" });
  }

  /** A connection is there again: what is shown or going on is loaded at once, the rest on need. Never rejects. */
  async connected(): Promise<void> {
    if (this.threadId === null || !this.inUse) return;
    if (this.#host.connection(this.workspaceId) === null) return;
    // A failed load is shown as the thread's fault.
    await this.#loader.load().catch(() => undefined);
  }

  processGone(fault: Fault): void {
    this.#loader.connectionLost();
    this.#heardOver = null;
    const { running, runningTurnId } = this.state;
    const nowMs = this.#host.clock.nowMs();
    const changes = this.state.transcript.markLost(nowMs, toFaultView(fault));
    this.state.publish(changes, true);
    this.#runningItems.flush();
    this.run({ type: "processGone" });
    this.state.update({ residency: "stored", mcpServers: [] });
    if (!running) return;
    if (changes.length === 0) note(this.state, nowMs, "error", fault.message);
    this.#turnOver(runningTurnId);
  }

  async stop(): Promise<void> {
    this.#host.stopChildren(this);
    this.run({ type: "stop" });
  }

  loadOlder(): Promise<void> {
    return this.#loader.loadOlder();
  }

  /** Takes effect at once on a loaded thread, else when it is loaded. */
  async setSettings(settings: ThreadSettings): Promise<void> {
    const before = this.state.facts.settings;
    this.state.update({ settings });
    const { loadedOn } = this;
    if (loadedOn === null) {
      // A thread that is still to be made is made with them.
      this.#unapplied = this.threadId === null && !this.#loader.isLoading ? null : settings;
      return;
    }
    await this.#sendSettings(loadedOn, settings, before);
  }

  /** What runs is cut off from view only; codex goes on. Called when the app ends. */
  dispose(): void {
    this.#linger?.cancel();
    this.#linger = null;
    this.#watch.dispose();
    this.delivery.dispose();
    this.#runningItems.dispose();
  }

  #loadForShow(): void {
    // A failed load is shown as the thread's fault by the loader; nobody else waits for this one.
    if (this.threadId !== null) this.#loader.load().catch(() => undefined);
  }

  #applyChosen(connection: Connection, chosen: ThreadSettings): void {
    const reported = this.state.facts.settings;
    const settings = chosenOver(chosen, reported);
    this.state.update({ settings });
    this.#sendSettings(connection, settings, reported).catch((error: unknown) => {
      const words = `The settings chosen for this thread could not be applied: ${asFault(error).message}`;
      note(this.state, this.#host.clock.nowMs(), "warning", words);
    });
  }

  async #sendSettings(
    connection: Connection,
    settings: ThreadSettings,
    before: ThreadSettings,
  ): Promise<void> {
    try {
      await connection.client.request("thread/settings/update", {
        threadId: this.threadId ?? "",
        model: settings.model,
        effort: settings.effort,
        approvalPolicy: settings.approvalPolicy,
        sandboxPolicy: sandboxToSend(settings.sandbox, this.state.reportedSandbox),
      });
    } catch (error) {
      if (this.state.facts.settings === settings) this.state.update({ settings: before });
      throw threadFault(error, this.#host.configFault);
    }
  }

  /** No turn runs: nothing that a turn asked is waited for any more. */
  #idle(): void {
    if (this.threadId !== null) this.#host.requests.idle(this.threadId);
  }

  #turnOver(turnId: string | null): void {
    this.#host.turnOver(this, turnId);
    this.#letGoLater();
  }

  #letGoLater(): void {
    if (this.inUse || this.#linger !== null || this.threadId === null) return;
    if (this.#heardOver === null && this.state.transcript.isEmpty) return;
    this.#linger = this.#host.clock.after(lingerMs, () => {
      this.#linger = null;
      if (this.inUse) return;
      if (this.#loader.isLoading || this.#host.treeInUse(this)) this.#letGoLater();
      else this.#letGo();
    });
  }

  #letGo(): void {
    const { heardOver } = this;
    this.#heardOver = null;
    this.#mcpServers.forget();
    this.#loader.forget();
    if (heardOver !== null) this.#loader.letGo(heardOver);
    this.state.update({ residency: "stored" });
    this.#runningItems.flush();
    this.state.forgetTranscript();
  }

  /** codex has unloaded it: the next use loads it again. */
  #unloaded(): void {
    this.#loader.forget();
    this.#heardOver = null;
    this.#mcpServers.forget();
    this.state.update({ residency: "stored" });
  }
}
