// The threads of each session as a whole: what happens to them when the session's connection comes or goes, what is found in
// a process that had been running before Holdfast was, and whether the session is still needed.
//
// Races settled here:
// - A process is adopted: it may be at work in threads that this run of Holdfast has never heard of. It repeats a waiting
//   request, and tells what happens, only to those who have resumed that very thread: a child agent's too, since resuming
//   its parent does not bring them. So every thread that is at work is resumed, and no other.
// - What it was at work in when Holdfast went away may have ended since, and have been unloaded: that is asked about by name.
// - An agent begins to work just after the process has listed what it has loaded: that it works is told to everybody.
// - Agents may have begun to work while nobody listened: while the connection was away, or in a conversation that had not been
//   loaded. They are found as in an adopted process, for nothing of them comes by itself, not even what they ask.
// - Many threads come back at once: a few are loaded at a time, those that are shown first.
// - The connection goes away in the middle of an adoption: what has been found is met all the same, and loaded over the next
//   connection, which also looks for the rest.
// - An agent asks something before anybody has named it, or in another program's thread: it is looked up. One that gets a row
//   meanwhile keeps that.
// - A thread is let go, but codex keeps it in memory for a while: the session is needed until codex says that it has gone.
// - codex loads a thread just after it has listed those that it has loaded: that one is not forgotten for it.

import type { Clock } from "../clock";
import type { Thread } from "../codex/protocol/v2/Thread";
import type { ThreadLoadedListResponse } from "../codex/protocol/v2/ThreadLoadedListResponse";
import { asFault, type Fault } from "../fault";
import type { Log } from "../log";
import type { Connection } from "../supervisor/connection";
import type { HostedThread } from "./host";
import { LoadQueue } from "./loadQueue";
import { recordOf } from "./loose";
import type { RequestBook } from "./requestBook";
import { Residents } from "./residents";
import { Strangers } from "./strangers";
import { isUnknownMethod } from "./threadFaults";
import type { ThreadRegistry } from "./threadRegistry";
import type { ThreadRows } from "./threadRows";
import type { ThreadRuntime } from "./threadRuntime";

export interface SessionThreadsOptions {
  clock: Clock;
  log: Log;
  alive: ThreadRegistry;
  connection(workspaceId: string): Connection | null;
  folder(workspaceId: string): Promise<string>;
  rows: Pick<ThreadRows, "leftAtWork" | "foundAtRest" | "lineOf" | "ofWorkspace">;
  /** The rows of these threads are to be as codex has them. */
  put(workspaceId: string, threads: Thread[]): void;
  /** The thread, met now if need be, with a row in this workspace. */
  meet(workspaceId: string, thread: Thread): ThreadRuntime | null;
  requests: Pick<RequestBook, "notOurs">;
}

const readsAtOnce = 3;
/** Each waits as long as any request: five minutes in all. */
const maxAttempts = 10;
/** Far more than one process can hold. */
const maxPages = 100;

export class SessionThreads {
  readonly #options: SessionThreadsOptions;
  readonly #residents = new Residents();
  readonly #queues = new Map<string, LoadQueue>();
  /** By workspace, the adopted process of which it is not known yet what it is at work in. */
  readonly #adopting = new Map<string, string>();
  /** By workspace, what an adopted process has told to be at work in while it was asked for that. */
  readonly #toldAtWork = new Map<string, Set<string>>();
  readonly #strangers = new Map<string, Strangers>();

  constructor(options: SessionThreadsOptions) {
    this.#options = options;
  }

  heard(workspaceId: string, method: string, fields: Readonly<Record<string, unknown>>): void {
    const connection = this.#options.connection(workspaceId);
    if (connection) this.#residents.heard(workspaceId, connection.handleId, method, fields);
    const { threadId } = fields;
    if (typeof threadId !== "string") return;
    if (method === "thread/closed") this.#strangers.get(workspaceId)?.closed(threadId);
    if (method === "thread/status/changed" && recordOf(fields.status).type === "active")
      this.#toldAtWork.get(workspaceId)?.add(threadId);
  }

  /** codex has told something, as it does only to subscribers, of a thread that has no row. */
  heardOfStranger(workspaceId: string, threadId: string): void {
    const { clock, log, alive, connection, folder } = this.#options;
    let strangers = this.#strangers.get(workspaceId);
    if (!strangers) {
      strangers = new Strangers({
        clock,
        log,
        connection: () => connection(workspaceId),
        folder: () => folder(workspaceId),
        isFollowed: (id) => (alive.get(id)?.heardOver ?? null) !== null,
      });
      this.#strangers.set(workspaceId, strangers);
    }
    strangers.heard(threadId);
  }

  /**
   * codex asks something in a thread without a row. It is met, so that one can go there and answer; if codex keeps no record
   * of it, that is left to the program that it belongs to.
   */
  askedByStranger(workspaceId: string, threadId: string): void {
    const { connection: connectionOf, alive, log, requests } = this.#options;
    const connection = connectionOf(workspaceId);
    if (connection === null) return;
    this.#read(workspaceId, connection, [threadId])
      .then((threads) => {
        const met = this.#meetAtWork(workspaceId, threads);
        if (threads.length > 0 && met.length === 0 && !alive.has(threadId)) {
          log.info("what a stranger asks is left to whoever it belongs to", { threadId });
          requests.notOurs(threadId);
        }
        return this.#queue(workspaceId).add(met);
      })
      .catch((error: unknown) => {
        log.warn("a thread that asks could not be met", { threadId, error: asFault(error).message });
      });
  }

  dispose(): void {
    for (const strangers of this.#strangers.values()) strangers.dispose();
  }

  /** Our own requests told whether codex has the thread in memory. */
  resident({ threadId, workspaceId }: HostedThread, isResident: boolean): void {
    const connection = this.#options.connection(workspaceId);
    if (threadId === null || connection === null) return;
    if (isResident) this.#residents.add(workspaceId, connection.handleId, threadId);
    else this.#residents.remove(workspaceId, threadId);
  }

  connected(workspaceId: string): void {
    const connection = this.#options.connection(workspaceId);
    if (connection !== null && this.#adopting.get(workspaceId) === connection.handleId) {
      // It never rejects.
      void this.adopted(workspaceId, connection);
    } else if (connection !== null && this.#residents.any(workspaceId)) {
      // What was unloaded while nobody listened is not told again.
      this.#findAtWork(workspaceId, connection, () => true);
    }
    // It never rejects, and who waits for a thread waits for that thread's own load.
    void this.#queue(workspaceId).add(this.#options.alive.ofWorkspace(workspaceId));
  }

  /** Finds what the process of this connection is at work in, and follows it. Null: there is none. Never rejects. */
  async adopted(workspaceId: string, connection: Connection | null): Promise<void> {
    const { log, alive, rows, put } = this.#options;
    if (connection === null) {
      this.#adopting.delete(workspaceId);
      for (const threadId of rows.leftAtWork(workspaceId))
        rows.foundAtRest(threadId, alive.get(threadId)?.state.watched ?? false);
      return;
    }
    this.#adopting.set(workspaceId, connection.handleId);
    const told = new Set<string>();
    this.#toldAtWork.set(workspaceId, told);
    try {
      const loaded = await this.#listLoaded(workspaceId, connection);
      // What has ended since may have been unloaded too.
      const left = rows.leftAtWork(workspaceId);
      const asked = new Set([...loaded, ...left]);
      const threads = await this.#read(workspaceId, connection, [...asked]);
      for (let more = [...told]; more.length > 0; more = [...told]) {
        told.clear();
        const unasked = more.filter((threadId) => !asked.has(threadId));
        for (const threadId of unasked) asked.add(threadId);
        threads.push(...(await this.#read(workspaceId, connection, unasked)));
      }
      const isAtRest = ({ status }: Thread) => status?.type !== "active";
      put(
        workspaceId,
        threads.filter((thread) => isAtRest(thread) && left.includes(thread.id)),
      );
      const met = this.#meetAtWork(workspaceId, threads);
      if (this.#options.connection(workspaceId) === connection) this.#adopting.delete(workspaceId);
      log.info("session adopted", { workspaceId, loaded: loaded.length, atWork: met.length });
      await Promise.all([
        this.#queue(workspaceId).add(met),
        this.#findCommands(workspaceId, connection, threads.filter(isAtRest)),
      ]);
    } catch (error) {
      log.warn("what an adopted session is at work in could not be found out", {
        workspaceId,
        error: asFault(error).code,
      });
    } finally {
      if (this.#toldAtWork.get(workspaceId) === told) this.#toldAtWork.delete(workspaceId);
    }
  }

  /** A conversation has been loaded: agents below it may have been at work for a while. */
  loaded({ threadId, workspaceId }: HostedThread): void {
    const { connection: connectionOf, rows } = this.#options;
    const connection = connectionOf(workspaceId);
    if (threadId === null || connection === null) return;
    const isBelow = (id: string) => id !== threadId && rows.lineOf(id).includes(threadId);
    const isUnknown = rows
      .ofWorkspace(workspaceId)
      .some((row) => isBelow(row.threadId) && !this.#isFollowed(row.threadId));
    if (isUnknown) this.#findAtWork(workspaceId, connection, isBelow);
  }

  connectionLost(workspaceId: string): void {
    for (const runtime of this.#options.alive.ofWorkspace(workspaceId)) runtime.connectionLost();
  }

  processGone(workspaceId: string, handleId: string, fault: Fault): void {
    this.#residents.processGone(workspaceId, handleId);
    // It had not told what it was at work in: that has ended with it.
    if (this.#adopting.get(workspaceId) === handleId) void this.adopted(workspaceId, null);
    for (const runtime of this.#options.alive.ofWorkspace(workspaceId)) runtime.processGone(fault);
  }

  /** Nothing of this workspace is running, waiting or on its way. */
  isQuiet(workspaceId: string): boolean {
    return !this.#options.alive
      .ofWorkspace(workspaceId)
      .some(
        (runtime) =>
          runtime.busy || runtime.delivery.hasOpen || runtime.followUps.mayGoOn || runtime.leftRunning.isSome,
      );
  }

  /** A thread of this workspace needs its session right now. */
  isShown(workspaceId: string): boolean {
    return this.#options.alive.ofWorkspace(workspaceId).some((runtime) => runtime.inUse);
  }

  /** The session must not be closed for idleness: codex has threads of it in memory, or Holdfast needs it. */
  keepsSession(workspaceId: string): boolean {
    if (this.#residents.any(workspaceId)) return true;
    return this.#options.alive.ofWorkspace(workspaceId).some((runtime) => runtime.keepsSession);
  }

  /** Among the threads that codex has in memory. Of those that are followed here it tells by itself. */
  #findAtWork(workspaceId: string, connection: Connection, isMeant: (threadId: string) => boolean): void {
    this.#listLoaded(workspaceId, connection)
      .then((ids) =>
        this.#read(
          workspaceId,
          connection,
          ids.filter((threadId) => isMeant(threadId) && !this.#isFollowed(threadId)),
        ),
      )
      .then((threads) => this.#queue(workspaceId).add(this.#meetAtWork(workspaceId, threads)))
      .catch((error: unknown) => {
        this.#options.log.info("loaded threads could not be listed", { error: asFault(error).code });
      });
  }

  /** An agent at work may be known by its status alone, which codex tells everybody; any other thread is loaded then. */
  #isFollowed(threadId: string): boolean {
    const { alive, rows } = this.#options;
    const runtime = alive.get(threadId);
    if (runtime === undefined) return false;
    const isAgent = rows.lineOf(threadId).length > 1;
    return runtime.followed || (runtime.inUse && !isAgent);
  }

  #meetAtWork(workspaceId: string, threads: Thread[]): ThreadRuntime[] {
    const byId = new Map(threads.map((thread) => [thread.id, thread]));
    const atWork = threads.filter(({ status, ephemeral }) => status?.type === "active" && !ephemeral);
    return atWork.flatMap((thread) => this.#meet(workspaceId, thread, byId));
  }

  /** Loads the threads at rest in which commands go on: codex would unload them after a while, and end these. Never rejects. */
  async #findCommands(workspaceId: string, connection: Connection, atRest: Thread[]): Promise<void> {
    const byId = new Map(atRest.map((thread) => [thread.id, thread]));
    const met: ThreadRuntime[] = [];
    for (const thread of atRest) {
      if (thread.ephemeral || thread.status?.type !== "idle") continue;
      try {
        const { data } = await this.#asked(workspaceId, connection, () =>
          connection.client.request("thread/backgroundTerminals/list", { threadId: thread.id }),
        );
        if (data.length === 0) continue;
        for (const runtime of this.#meet(workspaceId, thread, byId)) {
          runtime.leftRunning.found(data);
          met.push(runtime);
        }
      } catch (error) {
        this.#options.log.info("what was left running could not be asked", {
          threadId: thread.id,
          error: asFault(error).code,
        });
        if (isUnknownMethod(error)) break;
      }
    }
    await this.#queue(workspaceId).add(met);
  }

  #meet(workspaceId: string, thread: Thread, loaded: Map<string, Thread>): ThreadRuntime[] {
    const { log, meet } = this.#options;
    try {
      // Its parents first: a child agent's row is never at the top.
      const above = thread.parentThreadId ? loaded.get(thread.parentThreadId) : undefined;
      if (above && above !== thread) meet(workspaceId, above);
      const runtime = meet(workspaceId, thread);
      if (runtime === null) return [];
      if (runtime.loadedOn === null) runtime.statusTold(thread.status);
      return [runtime];
    } catch (error) {
      log.warn("a thread at work could not be met", { threadId: thread.id, error: asFault(error).message });
      return [];
    }
  }

  async #listLoaded(workspaceId: string, connection: Connection): Promise<string[]> {
    const ids: string[] = [];
    let cursor: string | null = null;
    for (let page = 1; ; page += 1) {
      const isLast = (next: string | null) => next === null || page === maxPages;
      const onAnswer = ({ data, nextCursor }: ThreadLoadedListResponse) => {
        ids.push(...data);
        if (isLast(nextCursor)) this.#loadedListed(workspaceId, connection, ids);
      };
      const answer: ThreadLoadedListResponse = await this.#asked(workspaceId, connection, () =>
        connection.client.request("thread/loaded/list", { cursor }, { onAnswer }),
      );
      cursor = answer.nextCursor;
      if (isLast(cursor)) return ids;
    }
  }

  /** In the order of the wire: what codex says after its answer is newer. */
  #loadedListed(workspaceId: string, connection: Connection, ids: string[]): void {
    if (this.#options.connection(workspaceId) !== connection) return;
    this.#residents.listed(workspaceId, connection.handleId, ids);
    for (const runtime of this.#options.alive.ofWorkspace(workspaceId)) {
      if (runtime.threadId !== null) runtime.foundResident(ids.includes(runtime.threadId));
    }
  }

  /** One that cannot be read is left out; the next word of codex about it has it met. */
  async #read(workspaceId: string, connection: Connection, ids: string[]): Promise<Thread[]> {
    const threads: Thread[] = [];
    const waiting = [...ids];
    const readOneByOne = async () => {
      for (let threadId = waiting.shift(); threadId !== undefined; threadId = waiting.shift()) {
        try {
          const { thread } = await this.#asked(workspaceId, connection, () =>
            connection.client.request("thread/read", { threadId }),
          );
          threads.push(thread);
        } catch (error) {
          this.#options.log.info("a loaded thread could not be read", {
            threadId,
            error: asFault(error).code,
          });
        }
      }
    };
    await Promise.all(Array.from({ length: readsAtOnce }, readOneByOne));
    return threads;
  }

  /** A codex that hangs is asked again as long as it is there: without the answer, what waits in it would stay unseen. */
  async #asked<Answer>(
    workspaceId: string,
    connection: Connection,
    ask: () => Promise<Answer>,
  ): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await ask();
      } catch (error) {
        const isThere = this.#options.connection(workspaceId) === connection;
        if (asFault(error).code !== "deadline" || !isThere || attempt === maxAttempts) throw error;
      }
    }
  }

  #queue(workspaceId: string): LoadQueue {
    let queue = this.#queues.get(workspaceId);
    if (!queue) {
      queue = new LoadQueue();
      this.#queues.set(workspaceId, queue);
    }
    return queue;
  }
}
