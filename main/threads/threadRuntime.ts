// One thread, alive in main: loads it in codex, follows it, and does what a window asks of it.
//
// Races settled here:
// - Two windows open a thread at once, or a message is sent while it loads: one load, everybody waits for the same.
// - The connection is replaced in the middle of a load: the load fails with that connection and is made again on need.
// - The last window leaves while a turn runs or a request waits: the thread stays; it is let go once nothing keeps it.
// - A window comes back within `lingerMs`: the thread is still there, nothing was unsubscribed.

import type { ThreadSettings } from "../../preload/contract/thread";
import type { Timer } from "../clock";
import type { ThreadResumeResponse } from "../codex/protocol/v2/ThreadResumeResponse";
import type { ThreadStartResponse } from "../codex/protocol/v2/ThreadStartResponse";
import { asFault, Fault } from "../fault";
import { toFaultView } from "../faultView";
import type { Connection } from "../supervisor/connection";
import { Delivery } from "./delivery";
import type { ThreadHost } from "./host";
import type { RunEffect } from "./runMachine";
import { sandboxPolicy, settingsOf } from "./settingsView";
import { applyNotification, note, statusChanged } from "./threadEvents";
import { isHistoryLost, threadFault } from "./threadFaults";
import { type ThreadFacts, type ThreadListener, ThreadState } from "./threadState";
import type { TurnPage } from "./transcript";

/** How many turns one page has. */
export const turnsPerPage = 30;
/** How long a thread that nobody shows stays subscribed. */
const lingerMs = 30_000;
/** After this long without a word from codex about a running turn, its status is read. */
const silenceMs = 20_000;
const readDeadlineMs = 10_000;
const interruptDeadlineMs = 10_000;

export class ThreadRuntime {
  readonly state: ThreadState;
  readonly delivery: Delivery;
  readonly #host: ThreadHost;
  #loading: Promise<Connection> | null = null;
  /** The connection on which codex has this thread loaded for us. */
  #loadedOn: Connection | null = null;
  #linger: Timer | null = null;
  #silence: Timer | null = null;
  #settle: Timer | null = null;
  #lastWordAtMs = 0;

  constructor(host: ThreadHost, facts: ThreadFacts) {
    this.#host = host;
    this.state = new ThreadState(facts, (head) => this.#host.headChanged(this, head));
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

  /** Something would be lost or cut off if the thread went away now. */
  get busy(): boolean {
    return this.state.running || this.state.facts.requests.length > 0 || this.delivery.underWay;
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
    const connection = this.#host.connection(this.workspaceId);
    if (connection !== null && connection === this.#loadedOn) return Promise.resolve(connection);
    this.#loading ??= this.#load().finally(() => {
      this.#loading = null;
    });
    return this.#loading;
  }

  /** A window asks to try again. */
  async reload(): Promise<void> {
    this.#loadedOn = null;
    if (this.threadId === null) {
      this.state.update({ fault: null });
      return;
    }
    await this.ready();
  }

  notification(method: string, params: unknown): void {
    this.#lastWordAtMs = this.#host.clock.nowMs();
    this.#perform(applyNotification(this.state, method, params, this.#lastWordAtMs));
    if (method === "item/started" || method === "item/completed" || method === "turn/completed") {
      this.delivery.recordChanged(method === "turn/completed");
    }
    if (method === "thread/closed") this.#unloaded();
    if (method === "turn/completed") this.#letGoLater();
    this.#watchSilence();
  }

  /** codex says that it does not have the thread loaded for us. */
  forgetLoaded(): void {
    this.#loadedOn = null;
  }

  requestsChanged(): void {
    if (this.threadId !== null) this.state.update({ requests: this.#host.requestsOf(this.threadId) });
    this.#letGoLater();
  }

  connectionLost(): void {
    this.#loadedOn = null;
    this.state.publish(this.state.transcript.markGap(), true);
    if (this.threadId !== null) this.state.update({ residency: "stored" });
  }

  /** A connection is there again: what is shown or going on is loaded at once, the rest on need. */
  connected(): void {
    if (this.threadId === null) return;
    if (this.state.watched || this.busy || this.delivery.hasOpen) this.#loadForShow();
  }

  processGone(fault: Fault): void {
    this.#loadedOn = null;
    const wasRunning = this.state.running;
    const changes = this.state.transcript.markLost(this.#host.clock.nowMs(), toFaultView(fault));
    this.state.publish(changes, true);
    this.state.run({ type: "processGone" });
    this.state.update({ residency: "stored", mcpServers: [] });
    if (wasRunning && changes.length === 0)
      note(this.state, this.#host.clock.nowMs(), "error", fault.message);
    this.delivery.processGone();
  }

  async stop(): Promise<void> {
    this.#perform(this.state.run({ type: "stop" }));
    await this.delivery.holdBack();
  }

  async loadOlder(): Promise<void> {
    const { olderCursor, loadingOlder } = this.state.facts;
    if (olderCursor === null || loadingOlder || this.threadId === null) return;
    this.state.update({ loadingOlder: true });
    try {
      const connection = await this.#host.connect(this.workspaceId);
      const page = await this.#listTurns(connection, olderCursor);
      this.state.publish(this.state.transcript.prepend(page), true);
      this.state.update({ olderCursor: page.nextCursor });
    } finally {
      this.state.update({ loadingOlder: false });
    }
  }

  /** Takes effect at once on a loaded thread, else with the next message. */
  async setSettings(settings: ThreadSettings): Promise<void> {
    const before = this.state.facts.settings;
    this.state.update({ settings });
    const connection = this.#loadedOn;
    if (connection === null || this.threadId === null) return;
    try {
      await connection.client.request("thread/settings/update", {
        threadId: this.threadId,
        model: settings.model,
        effort: settings.effort,
        approvalPolicy: settings.approvalPolicy,
        sandboxPolicy: sandboxPolicy(settings.sandbox),
      });
    } catch (error) {
      this.state.update({ settings: before });
      throw error;
    }
  }

  /** What runs is cut off from view only; codex goes on. Called when the app ends. */
  dispose(): void {
    for (const timer of [this.#linger, this.#silence, this.#settle]) timer?.cancel();
    this.#linger = null;
    this.#silence = null;
    this.#settle = null;
  }

  #loadForShow(): void {
    // A failed load is shown as the thread's fault by #load; nobody else waits for this one.
    if (this.threadId !== null) this.ready().catch(() => undefined);
  }

  async #load(): Promise<Connection> {
    const before = this.state.facts.residency;
    if (this.threadId !== null) this.state.update({ residency: "loading", fault: null });
    try {
      const cwd = await this.#host.folder(this.workspaceId);
      const connection = await this.#host.connect(this.workspaceId);
      if (this.threadId === null) await this.#start(connection, cwd);
      else await this.#resume(connection, this.threadId, cwd);
      if (this.#host.connection(this.workspaceId) !== connection) {
        throw new Fault("connection_lost", "The connection to codex was lost while the thread was loading.", {
          retryable: true,
        });
      }
      this.#loadedOn = connection;
      this.state.update({ residency: "loaded", fault: null });
      await this.delivery.reconcile(connection);
      return connection;
    } catch (error) {
      const fault = threadFault(error, this.#host.configFault);
      this.state.update({ residency: before === "loaded" ? "stored" : before, fault: toFaultView(fault) });
      if (this.threadId !== null) await this.#showReadOnly(fault);
      throw fault;
    }
  }

  async #start(connection: Connection, cwd: string): Promise<void> {
    const { settings } = this.state.facts;
    const answer: ThreadStartResponse = await connection.client.request("thread/start", {
      cwd,
      model: settings.model,
      sandbox: settings.sandbox,
      approvalPolicy: settings.approvalPolicy,
    });
    this.state.update({
      threadId: answer.thread.id,
      settings: { ...this.#reported(answer), effort: settings.effort ?? answer.reasoningEffort },
    });
    this.#host.promoted(this, answer.thread.id);
  }

  async #resume(connection: Connection, threadId: string, cwd: string): Promise<void> {
    const answer: ThreadResumeResponse = await connection.client.request("thread/resume", {
      threadId,
      cwd,
      excludeTurns: true,
      initialTurnsPage: { limit: turnsPerPage, itemsView: "full" },
    });
    this.state.update({
      settings: this.#reported(answer),
      title: answer.thread.name ?? (answer.thread.preview || this.state.facts.title),
    });
    const first = answer.initialTurnsPage;
    const page = first
      ? { turns: first.data, nextCursor: first.nextCursor }
      : await this.#listTurns(connection, null);
    this.#merge(page, answer.thread.status);
  }

  /** Makes the page part of what is known, and the run what codex says it is. */
  #merge(page: TurnPage, status: unknown): void {
    const nowMs = this.#host.clock.nowMs();
    const newest = page.turns[0];
    const active = statusType(status) === "active";
    const runningTurnId = active && newest?.status === "inProgress" ? newest.id : null;
    const hadTurns = this.state.transcript.turns.length > 0;
    this.state.publish(this.state.transcript.merge(page, runningTurnId, nowMs), true);
    // Older pages that were loaded before stay; the cursor then is the one behind them.
    if (!hadTurns) this.state.update({ olderCursor: page.nextCursor });
    if (runningTurnId !== null)
      this.#perform(this.state.run({ type: "active", turnId: runningTurnId, atMs: nowMs }));
    else this.#perform(statusChanged(this.state, status, nowMs));
    this.state.refreshHead();
    this.delivery.listed(page.turns);
    this.#watchSilence();
  }

  /** The thread cannot be used as usual; what codex can still list of it is shown. */
  async #showReadOnly(fault: Fault): Promise<void> {
    const connection = this.#host.connection(this.workspaceId);
    if (connection === null || this.state.transcript.items.length > 0) return;
    try {
      this.#merge(await this.#listTurns(connection, null), { type: "notLoaded" });
    } catch (error) {
      this.#host.log.info("thread cannot be listed either", {
        threadId: this.threadId,
        fault: fault.code,
        error: asFault(error).code,
        lost: isHistoryLost(error),
      });
    }
  }

  async #listTurns(connection: Connection, cursor: string | null): Promise<TurnPage> {
    const answer = await connection.client.request("thread/turns/list", {
      threadId: this.threadId ?? "",
      limit: turnsPerPage,
      itemsView: "full",
      cursor,
    });
    return { turns: answer.data, nextCursor: answer.nextCursor };
  }

  #reported(answer: ThreadResumeResponse | ThreadStartResponse): ThreadSettings {
    return settingsOf({
      model: answer.model,
      effort: answer.reasoningEffort,
      sandbox: answer.sandbox,
      approvalPolicy: answer.approvalPolicy,
    });
  }

  #perform(effects: RunEffect[]): void {
    for (const effect of effects) {
      switch (effect.type) {
        case "interrupt":
          this.#interrupt(effect.turnId);
          break;
        case "settleAfter":
          this.#settle?.cancel();
          this.#settle = this.#host.clock.after(effect.graceMs, () => {
            this.#settle = null;
            this.#perform(this.state.run({ type: "graceOver" }));
          });
          break;
        case "listTurns":
          this.#relist();
          break;
        default:
          effect satisfies never;
      }
    }
  }

  performRun(effects: RunEffect[]): void {
    this.#perform(effects);
    this.#watchSilence();
  }

  #interrupt(turnId: string): void {
    const connection = this.#loadedOn;
    if (connection === null || this.threadId === null) return;
    connection.client
      .request("turn/interrupt", { threadId: this.threadId, turnId }, { deadlineMs: interruptDeadlineMs })
      .catch((error: unknown) => {
        const fault = asFault(error);
        if (/no active turn/i.test(fault.message)) {
          this.#readStatus();
          return;
        }
        note(
          this.state,
          this.#host.clock.nowMs(),
          "warning",
          `Stop was not confirmed by codex: ${fault.message}`,
        );
        this.#readStatus();
      });
  }

  /** The turn's end was not told: codex's own record says how it ended. */
  #relist(): void {
    const connection = this.#loadedOn;
    if (connection === null) return;
    this.#listTurns(connection, null).then(
      (page) => this.#merge(page, { type: "idle" }),
      (error: unknown) => this.#host.log.warn("turns could not be listed", { error: asFault(error).code }),
    );
  }

  #readStatus(): void {
    const connection = this.#loadedOn;
    if (connection === null || this.threadId === null) return;
    connection.client
      .request("thread/read", { threadId: this.threadId }, { deadlineMs: readDeadlineMs })
      .then(
        (answer) => this.#perform(statusChanged(this.state, answer.thread.status, this.#host.clock.nowMs())),
        (error: unknown) => this.#host.log.warn("status could not be read", { error: asFault(error).code }),
      );
  }

  /** A running turn of which nothing is heard is asked after: a lost completion must not wedge the thread. */
  #watchSilence(): void {
    if (!this.state.running) {
      this.#silence?.cancel();
      this.#silence = null;
      return;
    }
    if (this.#silence !== null) return;
    const quietMs = this.#host.clock.nowMs() - this.#lastWordAtMs;
    this.#silence = this.#host.clock.after(Math.max(1_000, silenceMs - quietMs), () => {
      this.#silence = null;
      if (!this.state.running) return;
      if (this.#host.clock.nowMs() - this.#lastWordAtMs >= silenceMs) {
        this.#lastWordAtMs = this.#host.clock.nowMs();
        this.#readStatus();
      }
      this.#watchSilence();
    });
  }

  #letGoLater(): void {
    if (this.state.watched || this.busy || this.#linger !== null || this.threadId === null) return;
    this.#linger = this.#host.clock.after(lingerMs, () => {
      this.#linger = null;
      if (this.state.watched || this.busy) return;
      this.#letGo();
    });
  }

  #letGo(): void {
    const connection = this.#loadedOn;
    this.#loadedOn = null;
    this.state.update({ residency: "stored" });
    this.state.forgetTranscript();
    if (connection === null || this.threadId === null) return;
    connection.client.request("thread/unsubscribe", { threadId: this.threadId }).catch((error: unknown) => {
      this.#host.log.info("unsubscribe was not answered", { error: asFault(error).code });
    });
  }

  /** codex has unloaded it: the next use loads it again. */
  #unloaded(): void {
    this.#loadedOn = null;
    this.state.update({ residency: "stored" });
  }
}

function statusType(status: unknown): string | null {
  return typeof status === "object" && status !== null && "type" in status ? String(status.type) : null;
}
