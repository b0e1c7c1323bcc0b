// All threads: which are alive in main, who watches them, and where what codex says about them goes.
//
// Races settled here:
// - An event for a thread that main has not met (a child agent's, or one that somebody else works in): it is met now, as
//   its own thread or under its parent. codex names a child agent only in its parent's conversation, before the child says
//   anything.
// - A new thread has a key of ours before it has an id of codex's. Both name the same runtime from the moment codex says
//   the id, so a window that still uses the key and an event that uses the id meet. So do the ids of a thread that codex
//   forgot before its first turn had ended and of the one that takes its place.
// - The window that started a thread goes away while codex starts it: the start goes on, and nobody watches it then.

import type { Attachment } from "../../preload/contract/items";
import type { Answer } from "../../preload/contract/requests";
import type { ThreadSettings, ThreadSnapshot } from "../../preload/contract/thread";
import type { Thread } from "../codex/protocol/v2/Thread";
import { asFault, Fault } from "../fault";
import type { Connection } from "../supervisor/connection";
import { AgentTrees } from "./agents/agentTrees";
import { KeptAgents } from "./agents/keptAgents";
import { checkTakesMessages } from "./agents/takesMessages";
import { ReviewComments } from "./comments/reviewComments";
import { composedIn } from "./composedKey";
import { type SentDraft, ThreadDrafts } from "./drafts";
import type { FollowUpChanges } from "./followUps/changes";
import type { HostedThread, ThreadHost } from "./host";
import { KeptCuts } from "./keptCuts";
import { recordOf, wordsOrNull } from "./loose";
import { loginCompletedMethod, startupStatusMethod } from "./mcpServers";
import { channelOf, RequestBook } from "./requestBook";
import { SessionThreads } from "./sessionThreads";
import { ThreadActions } from "./threadActions";
import { ThreadEnvironments } from "./threadEnvironments";
import { note } from "./threadEvents";
import { ThreadList } from "./threadList";
import { ThreadNames } from "./threadNames";
import { isSubscribersOnly } from "./threadNotifications";
import { ThreadRegistry } from "./threadRegistry";
import { ThreadRows } from "./threadRows";
import type { ThreadRuntime } from "./threadRuntime";
import type { ThreadListener } from "./threadState";
import type { ThreadsOptions } from "./threadsOptions";
import { titleFrom } from "./titles";
import { TurnEnds } from "./turnEnds";
import { UnmadeThreads } from "./unmadeThreads";

export class Threads {
  readonly rows: ThreadRows;
  readonly list: ThreadList;
  readonly requests: RequestBook;
  readonly drafts: ThreadDrafts;
  readonly comments: ReviewComments;
  /** What a person does with a thread as a whole. */
  readonly actions: ThreadActions;
  readonly environments: ThreadEnvironments;
  readonly #options: ThreadsOptions;
  readonly #host: ThreadHost;
  readonly #alive: ThreadRegistry;
  readonly #sessions: SessionThreads;
  readonly #agents: AgentTrees;
  readonly #names: ThreadNames;
  readonly #unmade: UnmadeThreads;
  readonly #ends: TurnEnds;

  constructor(options: ThreadsOptions) {
    this.#options = options;
    const { ledger, clock, log, workspace, runMarks } = options;
    const environments = new ThreadEnvironments(options, this);
    this.environments = environments;
    const keptAgents = new KeptAgents(ledger.runningItems, log);
    const cuts = new KeptCuts(ledger.runningItems, log);
    this.rows = new ThreadRows(ledger.threads, keptAgents, cuts, environments, {
      publish: (changes, urgent) => options.publish(changes, urgent),
      endedAway: (threadId) => {
        options.endedAway(threadId);
        this.#ends.endedAway(threadId);
      },
      goneOn: (threadId) => this.#ends.endedAway(threadId),
      unkept: (threadId, error) => log.warn("a thread is not kept", { threadId, error: asFault(error).code }),
    });
    this.comments = new ReviewComments(ledger, this);
    const forDrafts = { clock, log, rows: this.rows, ledger: ledger.drafts, others: this.comments };
    this.drafts = new ThreadDrafts({ ...forDrafts, keyOfThread: (key) => this.draftKey(key) });
    const { rows, drafts, comments } = this;
    this.requests = new RequestBook({
      clock,
      log,
      records: ledger.requests,
      changed: (threadId) => this.#requestsChanged(threadId),
    });
    this.#alive = new ThreadRegistry({
      clock,
      rows: this.rows,
      requests: this.requests,
      ledger: ledger.threads,
      workspace: options.workspace,
      newThreadSettings: options.newThreadSettings,
      runMarks,
      comments: (key, threadId) => comments.of(threadId ?? drafts.keyOf(key)),
    });
    this.#ends = new TurnEnds({
      ...options,
      cuts,
      rows: this.rows,
      requests: this.requests,
      alive: this.#alive,
    });
    this.#agents = new AgentTrees({
      clock,
      log,
      rows,
      kept: keptAgents,
      alive: this.#alive,
      connection: options.connection,
      listed: (workspaceId, threads) => this.#put(workspaceId, threads),
      requestsChanged: (threadId) => this.#requestsChanged(threadId),
      readEnd: options.readEnd,
    });
    const alive = this.#alive;
    const names = { clock, ledger, rows, drafts, alive, workspace, runMarks, environments };
    this.#names = new ThreadNames({ ...names, connection: options.connection });
    const { isAwaited = () => false } = options;
    const { submissions } = ledger;
    this.#unmade = new UnmadeThreads({ log, submissions, rows, drafts, alive, isAwaited });
    this.list = new ThreadList({
      rows: this.rows,
      connect: options.connect,
      folder: (workspaceId) => options.workspace(workspaceId).path,
      profileId: (workspaceId) => options.workspace(workspaceId).profileId,
      isLive: (threadId) => this.#alive.speaksForItself(threadId),
      listed: (threads) => this.#listed(threads),
      changed: options.listingChanged,
    });
    this.#sessions = new SessionThreads({
      clock,
      log,
      alive: this.#alive,
      connection: options.connection,
      folder: options.presentFolder,
      rows: this.rows,
      put: (workspaceId, threads) => this.#put(workspaceId, threads),
      meet: (workspaceId, thread) => {
        const row = this.rows.find(thread.id);
        if (!row || (thread.parentThreadId && !row.parentThreadId)) this.#put(workspaceId, [thread]);
        return this.#alive.get(thread.id) ?? this.#alive.meetRow(this.#host, thread.id);
      },
      requests: this.requests,
    });
    this.#host = {
      clock,
      log,
      requests: this.requests,
      requestsOf: (threadId) => this.#alive.requestsOf(threadId),
      submissions: ledger.submissions,
      queueHolds: ledger.queueHolds,
      runningItems: ledger.runningItems,
      runMarks,
      environments,
      folderPath: (workspaceId) => options.workspace(workspaceId).path,
      profileId: (workspaceId) => options.workspace(workspaceId).profileId,
      connect: options.connect,
      connection: options.connection,
      folder: options.presentFolder,
      promoted: (thread, threadId) => this.#names.promoted(thread, threadId),
      isUnused: (threadId) => this.rows.isUnused(threadId),
      isAgent: (threadId) => Boolean(this.rows.get(threadId)?.parentThreadId),
      unmade: (thread, threadId) => this.#names.unmade(thread, threadId),
      resident: (thread, isResident) => this.#sessions.resident(thread, isResident),
      headChanged: (thread, head) => {
        if (this.#alive.has(thread.key) && !this.actions.isDeleted(head.threadId))
          this.rows.live(head, clock.nowMs());
      },
      turnOver: (thread, turnId) => this.#ends.over(thread, turnId),
      cameBack: ({ key, threadId }, clientId, fault) => options.cameBack(threadId ?? key, clientId, fault),
      loaded: (thread) => this.#loaded(thread),
      recorded: (thread) => this.#agents.recorded([thread]),
      treeInUse: (thread) => this.#alive.treeInUse(thread),
      stopChildren: (thread) => this.#alive.stopChildren(thread),
      takenBack: (thread, text, attachments) => this.drafts.add(this.draftKey(thread.key), text, attachments),
      configFault: options.configFault,
    };
    this.actions = new ThreadActions({
      host: this.#host,
      submissions: ledger.submissions,
      rows: this.rows,
      connect: options.connect,
      configFault: options.configFault,
      runtime: (key) => this.runtime(key),
      listed: (workspaceId, thread) => this.#put(workspaceId, [thread]),
      forked: (sourceId, threadId) => environments.forked(sourceId, threadId),
      archived: (threadId, archived) => this.#archived(threadId, archived),
      deleted: (threadId) => this.#names.deletedHere(threadId),
    });
  }

  /** Brings back what an earlier run of the app had not brought to codex, or not seen there. Call once, at the start. */
  restore(): void {
    this.#unmade.restore((thread) => this.#alive.meet(this.#host, thread));
    this.environments.forgetUnmade((key) => this.#alive.has(key));
  }

  get all(): ThreadRuntime[] {
    return this.#alive.all;
  }

  open(key: string, listener: ThreadListener): { snapshot: ThreadSnapshot; close(): void } {
    const runtime = this.runtime(key);
    let close: (() => void) | null = runtime.watch((changes, urgent) => listener(changes, urgent));
    this.markRead(key);
    return {
      // Taken after the watch began, which may itself change something (loading begins). Until a topic's snapshot is out,
      // its listener gets changes of the head only, and those say the same twice.
      snapshot: runtime.state.snapshot(),
      close: () => {
        close?.();
        close = null;
      },
    };
  }

  /** The key of a new thread that a window shows: the one that nothing has been sent to yet, if there is one. */
  compose(workspaceId: string): string {
    return this.#unmade.compose(workspaceId);
  }

  /** Another new thread with each call, without the workspace's draft. To be sent its message in the same moment. */
  composeApart(workspaceId: string): string {
    return this.#unmade.composeApart(workspaceId);
  }

  /** What new threads have when nobody chooses anything for them. */
  get newThreadSettings(): ThreadSettings {
    return this.#options.newThreadSettings();
  }

  async setSettings(key: string, settings: ThreadSettings): Promise<void> {
    const runtime = this.runtime(key);
    await runtime.setSettings(settings);
    this.#options.ledger.threads.setSettings(runtime.threadId ?? key, settings);
  }

  /** The thread of this key or id, met now if need be. Throws Fault `thread_unknown`. */
  runtime(key: string): ThreadRuntime {
    const known = this.#alive.get(key) ?? this.#alive.meetRow(this.#host, key);
    if (known) return known;
    const workspaceId = composedIn(key);
    if (workspaceId !== null)
      return this.#alive.meet(this.#host, { key, threadId: null, workspaceId, title: "", archived: false });
    throw new Fault("thread_unknown", "Holdfast does not know this thread.", {
      hint: "Open its workspace; codex then lists it.",
    });
  }

  send(
    key: string,
    message: { clientId: string; text: string; attachments: Attachment[]; mode: "turn" | "steer" | "queue" },
    draft: SentDraft = "everything",
  ): void {
    const runtime = this.runtime(key);
    if (message.text.trim() === "" && message.attachments.length === 0) {
      throw new Fault("message_empty", "There is nothing to send.", {
        hint: "Write something, or attach an image.",
      });
    }
    this.actions.checkThere(runtime.threadId);
    checkTakesMessages(this.rows, runtime.threadId);
    const draftKey = this.draftKey(key);
    const { title } = runtime.state.facts;
    if (title === "") runtime.state.update({ title: titleFrom(message.text) });
    if (runtime.delivery.send(message)) this.drafts.sent(runtime.key, draftKey, draft);
  }

  followUps(key: string): FollowUpChanges {
    return this.runtime(key).followUpChanges;
  }

  /** New threads of a workspace share one draft until the first message is sent. */
  draftKey(key: string): string {
    const runtime = this.#alive.get(key);
    return runtime?.threadId ?? this.drafts.keyOf(runtime?.key ?? key);
  }

  /** The id behind what a window shows, as soon as codex has made the thread. */
  idOf(key: string): string {
    return this.#alive.get(key)?.threadId ?? key;
  }

  answer(answer: Answer): "sent" | "gone" {
    return this.requests.answer(answer.requestKey, answer.decisionId, answer.answers);
  }

  markRead(key: string): void {
    const threadId = this.#alive.get(key)?.threadId ?? key;
    if (this.rows.get(threadId)?.unread) this.rows.update(threadId, { unread: false });
  }

  notification(workspaceId: string, method: string, params: unknown): void {
    const fields = recordOf(params);
    this.#sessions.heard(workspaceId, method, fields);
    if (method === "thread/started") {
      this.#started(workspaceId, fields.thread as Thread | undefined);
      return;
    }
    // A login is the person's, and good for all threads.
    if (method === loginCompletedMethod) {
      for (const runtime of this.#alive.ofWorkspace(workspaceId)) runtime.notification(method, params);
      return;
    }
    const threadId = wordsOrNull(fields.threadId);
    if (threadId === null) return;
    switch (method) {
      case "serverRequest/resolved":
        this.#resolved(workspaceId, fields.requestId);
        return;
      case "thread/archived":
        this.#archived(threadId, true);
        return;
      case "thread/unarchived":
        this.#archived(threadId, false);
        return;
      case "thread/deleted":
        this.#names.deleted(threadId);
        return;
      case "thread/name/updated": {
        const title = wordsOrNull(fields.threadName);
        if (title !== null) this.rows.update(threadId, { title });
        break;
      }
      case "turn/completed":
        this.rows.used(threadId);
        break;
      default:
    }
    const runtime = this.#alive.get(threadId) ?? this.#meetSpeaking(threadId, method, fields);
    if (!runtime && method === startupStatusMethod) this.#names.earlyStates.keep(threadId, fields);
    if (!runtime) {
      if (isSubscribersOnly(method)) this.#sessions.heardOfStranger(workspaceId, threadId);
      return;
    }
    runtime.notification(method, params);
    this.#agents.heard(runtime, method, fields);
    if (method === "thread/status/changed") this.#follow(runtime);
  }

  request(
    workspaceId: string,
    connection: Connection,
    request: { id: number | string; method: string; params: unknown },
  ): void {
    const threadId = wordsOrNull(recordOf(request.params).threadId);
    const runtime =
      threadId === null ? null : (this.#alive.get(threadId) ?? this.#alive.meetRow(this.#host, threadId));
    const received = this.requests.received(channelOf(connection), request, (itemId) => {
      const item = runtime?.state.transcript.item(itemId);
      return item?.kind === "fileChange" ? item.changes.map((change) => change.path) : [];
    });
    if (received.type !== "unknown") {
      const { itemId } = received.request;
      runtime?.place.runsIn(recordOf(request.params).environmentId);
      if (itemId !== null) runtime?.asked(itemId, received.type === "answeredAgain");
      if (!runtime) this.#sessions.askedByStranger(workspaceId, received.request.threadId);
      return;
    }
    this.#options.log.info("an unknown request was refused", { workspaceId, method: request.method });
    if (runtime) note(runtime.state, this.#options.clock.nowMs(), "warning", received.reason, request.method);
  }

  connected(workspaceId: string): void {
    this.#sessions.connected(workspaceId);
    this.#ends.connected(workspaceId);
  }

  /**
   * Call once after a process that had been running before Holdfast was has been adopted, after `connected`: finds what it
   * is at work in, and follows that to its end. Null: there was none, and nothing goes on. Never rejects.
   */
  adopted(workspaceId: string, connection: Connection | null): Promise<void> {
    return this.#sessions.adopted(workspaceId, connection);
  }

  connectionLost(workspaceId: string): void {
    this.#sessions.connectionLost(workspaceId);
  }

  processGone(workspaceId: string, handleId: string, fault: Fault): void {
    this.requests.processGone(handleId);
    this.environments.processGone(handleId);
    this.#sessions.processGone(workspaceId, handleId, fault);
  }

  /** Nothing of this workspace is running, waiting or on its way. */
  isQuiet(workspaceId: string): boolean {
    return this.#sessions.isQuiet(workspaceId);
  }

  /** A thread of this workspace needs its session right now. */
  isShown(workspaceId: string): boolean {
    return this.#sessions.isShown(workspaceId);
  }

  /** The workspace's session must not be closed for idleness. */
  keepsSession(workspaceId: string): boolean {
    return this.#sessions.keepsSession(workspaceId);
  }

  dispose(): void {
    this.drafts.dispose();
    this.#sessions.dispose();
    this.#agents.dispose();
    for (const runtime of this.all) runtime.dispose();
  }

  /** A thread in which something happens is met; one of which codex merely says something is not. */
  #meetSpeaking(threadId: string, method: string, fields: Record<string, unknown>): ThreadRuntime | null {
    const isAtWork =
      method === "thread/status/changed"
        ? recordOf(fields.status).type === "active"
        : isSubscribersOnly(method);
    return isAtWork ? this.#alive.meetRow(this.#host, threadId) : null;
  }

  /** codex tells everybody that a thread is at work, but what it does and asks only to those who have loaded it. */
  #follow(runtime: ThreadRuntime): void {
    const { threadId } = runtime;
    if (!runtime.state.running || runtime.loadedOn !== null || threadId === null) return;
    // A child agent's events come with its parent's.
    if (this.rows.get(threadId)?.parentThreadId) return;
    // `connected` never rejects.
    void runtime.connected();
  }

  #started(workspaceId: string, thread: Thread | undefined): void {
    if (!thread?.id || thread.ephemeral) return;
    this.#agents.recorded([thread]);
    const known = this.#alive.get(thread.id);
    if (known) {
      known.startedWithoutAnswer(thread);
      return;
    }
    if (thread.parentThreadId) {
      this.#put(workspaceId, [thread]);
      return;
    }
    if (thread.forkedFromId || this.rows.get(thread.id)) return;
    // A thread without a message is not listed by codex either. But it may be the answer to a start of ours.
    const asked = this.#alive.ofWorkspace(workspaceId).filter((runtime) => runtime.awaitsStart);
    if (asked.length === 1) asked[0]?.startedWithoutAnswer(thread);
  }

  #resolved(workspaceId: string, requestId: unknown): void {
    const connection = this.#options.connection(workspaceId);
    if (connection && (typeof requestId === "string" || typeof requestId === "number"))
      this.requests.resolved(connection.handleId, requestId);
  }

  #put(workspaceId: string, threads: Thread[]): void {
    const { profileId } = this.#options.workspace(workspaceId);
    this.rows.listed({
      workspaceId,
      profileId,
      threads,
      archived: false,
      askedAt: this.rows.mark,
      isLive: (threadId) => this.#alive.speaksForItself(threadId),
    });
    this.#agents.recorded(threads);
  }

  #listed(threads: Thread[]): void {
    for (const thread of threads) {
      const row = this.rows.get(thread.id);
      const isActive = thread.status?.type === "active";
      const runtime =
        this.#alive.get(thread.id) ?? (isActive ? this.#alive.meetRow(this.#host, thread.id) : null);
      if (!row || !runtime) continue;
      if (!this.#alive.speaksForItself(thread.id))
        runtime.state.update({ title: row.title, archived: row.archived });
      if (!isActive || runtime.loadedOn !== null) continue;
      runtime.statusTold(thread.status);
      this.#follow(runtime);
    }
  }

  #loaded(thread: HostedThread): void {
    const { threadId, state } = thread;
    if (threadId === null || state.transcript.turns.length === 0) return;
    this.#ends.loaded(thread);
    this.#agents.loaded(thread);
    this.#sessions.loaded(thread);
  }

  #archived(threadId: string, archived: boolean): void {
    this.rows.update(threadId, { archived });
    this.#alive.get(threadId)?.archived(archived);
  }

  #requestsChanged(threadId: string): void {
    this.#options.waitingChanged(this.#alive.waiting);
    this.#alive.requestsChanged(threadId);
  }
}
