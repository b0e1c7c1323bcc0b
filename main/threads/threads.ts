// All threads: which are alive in main, who watches them, and where what codex says about them goes.
//
// Races settled here:
// - An event for a thread that main has not met (a child agent's, or one that another window of codex made): it is met
//   now, as its own thread or as a row under its parent, and the event is not lost.
// - A new thread has a key of ours before it has an id of codex's. Both name the same runtime from the moment codex says
//   the id, so a window that still uses the key and an event that uses the id meet.
// - The window that started a thread goes away while codex starts it: the start goes on, and nobody watches it then.

import { randomUUID } from "node:crypto";
import type { AppChange } from "../../preload/contract/app";
import type { Attachment } from "../../preload/contract/items";
import type { Answer, Request } from "../../preload/contract/requests";
import type { ThreadChange, ThreadHead, ThreadSettings, ThreadSnapshot } from "../../preload/contract/thread";
import type { Clock } from "../clock";
import type { Thread } from "../codex/protocol/v2/Thread";
import { asFault, Fault } from "../fault";
import type { Ledger } from "../ledger/ledger";
import type { Log } from "../log";
import type { Connection } from "../supervisor/connection";
import type { HostedThread, ThreadHost } from "./host";
import { recordOf, wordsOrNull } from "./loose";
import { RequestBook } from "./requestBook";
import { note } from "./threadEvents";
import { threadFault } from "./threadFaults";
import { ThreadList } from "./threadList";
import { ThreadRows, titleFrom } from "./threadRows";
import { ThreadRuntime } from "./threadRuntime";
import type { ThreadListener } from "./threadState";

export interface ThreadsOptions {
  clock: Clock;
  log: Log;
  ledger: Pick<Ledger, "submissions" | "drafts" | "threads" | "requests">;
  connect(workspaceId: string): Promise<Connection>;
  connection(workspaceId: string): Connection | null;
  /** Throws Fault `folder_gone`. */
  presentFolder(workspaceId: string): Promise<string>;
  workspace(workspaceId: string): { path: string; demo: boolean; profileId: string };
  newThreadSettings(): ThreadSettings;
  configFault(error: unknown): Fault | null;
  publish(changes: AppChange[], urgent: boolean): void;
  waitingChanged(waiting: Request[]): void;
  listingChanged(workspaceId: string): void;
  /** A turn has ended that no window showed. */
  endedUnseen(threadId: string): void;
}

export class Threads {
  readonly rows: ThreadRows;
  readonly list: ThreadList;
  readonly requests: RequestBook;
  readonly #options: ThreadsOptions;
  readonly #host: ThreadHost;
  /** By key and, once codex has named it, by id. */
  readonly #runtimes = new Map<string, ThreadRuntime>();

  constructor(options: ThreadsOptions) {
    this.#options = options;
    const { ledger, clock, log } = options;
    this.rows = new ThreadRows(ledger.threads, options.publish);
    this.requests = new RequestBook({
      clock,
      log,
      records: ledger.requests,
      changed: (threadId) => this.#requestsChanged(threadId),
    });
    this.list = new ThreadList({
      rows: this.rows,
      connect: options.connect,
      folder: (workspaceId) => options.workspace(workspaceId).path,
      profileId: (workspaceId) => options.workspace(workspaceId).profileId,
      isLive: (threadId) => this.#runtimes.has(threadId),
      changed: options.listingChanged,
    });
    this.#host = {
      clock,
      log,
      requests: this.requests,
      requestsOf: (threadId) => this.#requestsOf(threadId),
      submissions: ledger.submissions,
      profileId: (workspaceId) => options.workspace(workspaceId).profileId,
      connect: options.connect,
      connection: options.connection,
      folder: options.presentFolder,
      promoted: (thread, threadId) => this.#promoted(thread, threadId),
      headChanged: (thread, head) => this.#headChanged(thread, head),
      configFault: options.configFault,
    };
  }

  /** Brings back what an earlier run of the app had not brought to codex in threads that codex does not know. */
  restore(): void {
    for (const submission of this.#options.ledger.submissions.listOpen()) {
      if (submission.threadId === null) this.runtime(submission.threadKey);
    }
  }

  get all(): ThreadRuntime[] {
    return [...new Set(this.#runtimes.values())];
  }

  open(key: string, listener: ThreadListener): { snapshot: ThreadSnapshot; close(): void } {
    const runtime = this.runtime(key);
    let close: (() => void) | null = runtime.watch((changes: ThreadChange[], urgent: boolean) =>
      listener(changes, urgent),
    );
    this.markRead(key);
    return {
      // Taken after the watch began, which may itself change something (loading begins): the listener of a topic that is
      // being opened holds such changes, and applying one twice is harmless only for heads, so there are only those.
      snapshot: runtime.state.snapshot(),
      close: () => {
        close?.();
        close = null;
      },
    };
  }

  compose(workspaceId: string): string {
    const blank = this.all.find(
      (runtime) =>
        runtime.workspaceId === workspaceId &&
        runtime.threadId === null &&
        runtime.state.facts.submissions.length === 0,
    );
    return blank?.key ?? `new:${workspaceId}:${randomUUID()}`;
  }

  /** The thread of this key or id, met now if need be. Throws Fault `thread_unknown`. */
  runtime(key: string): ThreadRuntime {
    const known = this.#runtimes.get(key);
    if (known) return known;
    const composed = /^new:([^:]+):/.exec(key)?.[1];
    if (composed !== undefined) return this.#meet(key, null, composed, "", false);
    const row = this.rows.get(key);
    if (row) return this.#meet(key, key, row.workspaceId, row.title, row.archived);
    throw new Fault("thread_unknown", "Holdfast does not know this thread.", {
      hint: "Open its workspace; codex then lists it.",
    });
  }

  send(
    key: string,
    message: { clientId: string; text: string; attachments: Attachment[]; mode: "turn" | "steer" | "queue" },
  ): void {
    const runtime = this.runtime(key);
    if (message.text.trim() === "" && message.attachments.length === 0) {
      throw new Fault("message_empty", "There is nothing to send.", {
        hint: "Write something, or attach an image.",
      });
    }
    runtime.delivery.send(message);
    this.#options.ledger.drafts.delete(this.draftKey(key));
    if (runtime.state.facts.title === "") runtime.state.update({ title: titleFrom(message.text) });
  }

  retry(key: string): void {
    const runtime = this.runtime(key);
    const last = runtime.state.transcript.items.findLast((item) => item.kind === "user");
    if (last?.kind !== "user") {
      throw new Fault("nothing_to_retry", "There is no message in this thread to send again.");
    }
    const { text, attachments } = last;
    runtime.delivery.send({ clientId: randomUUID(), text, attachments, mode: "turn" });
  }

  /** New threads of a workspace share one draft until the first message is sent. */
  draftKey(key: string): string {
    const composed = /^new:([^:]+):/.exec(key)?.[1];
    if (composed === undefined) return key;
    const runtime = this.#runtimes.get(key);
    return runtime?.threadId ?? `new:${composed}`;
  }

  answer(answer: Answer): "sent" | "gone" {
    return this.requests.answer(answer.requestKey, answer.decisionId, answer.answers);
  }

  markRead(key: string): void {
    if (this.rows.get(key)?.unread) this.rows.update(key, { unread: false });
  }

  async rename(key: string, title: string): Promise<void> {
    const { runtime, threadId } = this.#named(key);
    const connection = await this.#options.connect(runtime.workspaceId);
    await connection.client.request("thread/name/set", { threadId, name: title });
    runtime.state.update({ title });
    this.rows.update(threadId, { title });
  }

  async archive(key: string, interruptFirst: boolean): Promise<void> {
    const { runtime, threadId } = this.#named(key);
    if (runtime.busy && !interruptFirst) {
      throw new Fault("thread_running", "A turn is running in this thread.", {
        hint: "Stop it first, or archive it and interrupt the turn.",
      });
    }
    const connection = await this.#options.connect(runtime.workspaceId);
    try {
      await connection.client.request("thread/archive", { threadId });
    } catch (error) {
      // Archived already, or nothing there to archive: what the person wants is so.
      if (!/no rollout found|already archived|not found/i.test(asFault(error).message)) {
        throw threadFault(error, this.#options.configFault);
      }
    }
    this.#archived(threadId, true);
  }

  async unarchive(key: string): Promise<void> {
    const { runtime, threadId } = this.#named(key);
    const connection = await this.#options.connect(runtime.workspaceId);
    await connection.client.request("thread/unarchive", { threadId });
    this.#archived(threadId, false);
    if (runtime.state.watched) await runtime.reload();
  }

  async fork(key: string, lastTurnId: string | null): Promise<string> {
    const { runtime, threadId } = this.#named(key);
    const connection = await this.#options.connect(runtime.workspaceId);
    const answer = await connection.client.request("thread/fork", {
      threadId,
      lastTurnId,
      excludeTurns: true,
    });
    const title = `${runtime.state.facts.title} (fork)`;
    this.#listed(runtime.workspaceId, { ...answer.thread, name: answer.thread.name ?? title });
    return answer.thread.id;
  }

  async compact(key: string): Promise<void> {
    const { runtime, threadId } = this.#named(key);
    const connection = await runtime.ready();
    await connection.client.request("thread/compact/start", { threadId });
  }

  notification(workspaceId: string, method: string, params: unknown): void {
    const fields = recordOf(params);
    const thread = method === "thread/started" ? (fields.thread as Thread | undefined) : undefined;
    const threadId = wordsOrNull(fields.threadId) ?? thread?.id ?? null;
    if (threadId === null) return;
    if (thread) this.#startedSomewhere(workspaceId, thread);
    switch (method) {
      case "thread/archived":
        this.#archived(threadId, true);
        break;
      case "thread/unarchived":
        this.#archived(threadId, false);
        break;
      case "thread/deleted":
        this.rows.remove(threadId);
        break;
      case "thread/name/updated": {
        const title = wordsOrNull(fields.threadName);
        if (title !== null) this.rows.update(threadId, { title });
        break;
      }
      case "turn/completed":
        this.#turnEnded(threadId, wordsOrNull(recordOf(fields.turn).id));
        break;
      default:
    }
    const runtime = this.#runtimes.get(threadId) ?? this.#meetIfChild(threadId);
    runtime?.notification(method, params);
  }

  request(
    workspaceId: string,
    connection: Connection,
    request: { id: number | string; method: string; params: unknown },
  ): void {
    const { client, handleId } = connection;
    const channel = {
      handleId,
      respond: (id: number | string, result: unknown) => client.respond(id, result),
      respondError: (id: number | string, code: number, message: string) =>
        client.respondError(id, code, message),
    };
    const threadId = wordsOrNull(recordOf(request.params).threadId);
    const runtime = threadId === null ? undefined : this.#runtimes.get(threadId);
    const received = this.requests.received(channel, request, (itemId) => {
      const item = runtime?.state.transcript.item(itemId);
      return item?.kind === "fileChange" ? item.changes.map((change) => change.path) : [];
    });
    if (received.type !== "unknown") return;
    this.#options.log.info("an unknown request was refused", { workspaceId, method: request.method });
    if (runtime) note(runtime.state, this.#options.clock.nowMs(), "warning", received.reason, request.method);
  }

  connected(workspaceId: string): void {
    for (const runtime of this.#ofWorkspace(workspaceId)) runtime.connected();
  }

  connectionLost(workspaceId: string): void {
    for (const runtime of this.#ofWorkspace(workspaceId)) runtime.connectionLost();
  }

  processGone(workspaceId: string, handleId: string, fault: Fault): void {
    this.requests.processGone(handleId);
    for (const runtime of this.#ofWorkspace(workspaceId)) runtime.processGone(fault);
  }

  /** Nothing of this workspace is running or waiting. */
  isQuiet(workspaceId: string): boolean {
    return !this.#ofWorkspace(workspaceId).some((runtime) => runtime.busy);
  }

  /** Somebody looks at a thread of this workspace right now. */
  isShown(workspaceId: string): boolean {
    return this.#ofWorkspace(workspaceId).some((runtime) => runtime.state.watched || runtime.busy);
  }

  dispose(): void {
    for (const runtime of this.all) runtime.dispose();
  }

  #ofWorkspace(workspaceId: string): ThreadRuntime[] {
    return this.all.filter((runtime) => runtime.workspaceId === workspaceId);
  }

  #named(key: string): { runtime: ThreadRuntime; threadId: string } {
    const runtime = this.runtime(key);
    if (runtime.threadId !== null) return { runtime, threadId: runtime.threadId };
    throw new Fault("thread_not_made", "codex does not know this thread yet.", {
      hint: "Send its first message; then try again.",
    });
  }

  #meet(
    key: string,
    threadId: string | null,
    workspaceId: string,
    title: string,
    archived: boolean,
  ): ThreadRuntime {
    const { demo } = this.#options.workspace(workspaceId);
    const runtime = new ThreadRuntime(this.#host, {
      key,
      threadId,
      workspaceId,
      title,
      archived,
      demo,
      residency: "stored",
      fault: null,
      plan: null,
      usage: null,
      mcpServers: [],
      settings: this.#options.ledger.threads.getSettings(key) ?? this.#options.newThreadSettings(),
      olderCursor: null,
      loadingOlder: false,
      submissions: [],
      requests: threadId === null ? [] : this.#requestsOf(threadId),
    });
    this.#runtimes.set(key, runtime);
    this.rows.live(runtime.state.head, this.#options.clock.nowMs());
    return runtime;
  }

  #meetIfChild(threadId: string): ThreadRuntime | undefined {
    const row = this.rows.get(threadId);
    return row?.parentThreadId
      ? this.#meet(threadId, threadId, row.workspaceId, row.title, false)
      : undefined;
  }

  #startedSomewhere(workspaceId: string, thread: Thread): void {
    if (this.#runtimes.has(thread.id) || thread.ephemeral) return;
    // A thread without a message is not listed by codex either: only a child agent's is worth a row already.
    if (thread.parentThreadId) this.#listed(workspaceId, thread);
  }

  #listed(workspaceId: string, thread: Thread): void {
    const { profileId } = this.#options.workspace(workspaceId);
    this.rows.listed(workspaceId, profileId, [thread], false, (threadId) => this.#runtimes.has(threadId));
  }

  #promoted(thread: HostedThread, threadId: string): void {
    const { key, workspaceId } = thread;
    const runtime = this.#runtimes.get(key);
    if (runtime) this.#runtimes.set(threadId, runtime);
    const { ledger } = this.#options;
    ledger.submissions.nameThread(key, threadId);
    ledger.threads.moveSettings(key, threadId);
    const { profileId } = this.#options.workspace(workspaceId);
    this.rows.promoted(key, thread.state.head, profileId, this.#options.clock.nowMs());
  }

  #headChanged(thread: HostedThread, head: ThreadHead): void {
    if (this.#runtimes.has(thread.key)) this.rows.live(head, this.#options.clock.nowMs());
  }

  #turnEnded(threadId: string, turnId: string | null): void {
    if (turnId !== null) this.requests.turnEnded(threadId, turnId);
    const runtime = this.#runtimes.get(threadId);
    if (runtime?.state.watched) return;
    this.rows.update(threadId, { unread: true });
    this.#options.endedUnseen(threadId);
  }

  #archived(threadId: string, archived: boolean): void {
    this.rows.update(threadId, { archived });
    this.#runtimes.get(threadId)?.state.update({ archived });
  }

  #requestsChanged(threadId: string): void {
    this.#options.waitingChanged(this.requests.waiting);
    for (let id: string | null = threadId; id !== null; id = this.rows.get(id)?.parentThreadId ?? null) {
      this.#runtimes.get(id)?.requestsChanged();
    }
  }

  /** A child agent's requests show at the child and at all its parents. */
  #requestsOf(threadId: string): Request[] {
    return this.requests.waiting.filter((request) => {
      for (
        let id: string | null = request.threadId;
        id !== null;
        id = this.rows.get(id)?.parentThreadId ?? null
      ) {
        if (id === threadId) return true;
      }
      return false;
    });
  }
}
