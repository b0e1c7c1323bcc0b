// The threads of each session as a whole: what happens to them when the session's connection comes or goes, what is found in
// a process that had been running before Holdfast was, and whether the session is still needed.
//
// Races settled here:
// - A process is adopted: it may be at work in threads that this run of Holdfast has never heard of. It repeats a waiting
//   request, and tells what happens, only to those who have resumed that very thread: a child agent's too, since resuming
//   its parent does not bring them. So every thread that is at work is resumed, and no other.
// - What it was at work in when Holdfast went away may have ended since, and have been unloaded: that is asked about by name.
// - Many threads come back at once: a few are loaded at a time, those that are shown first.
// - The connection goes away in the middle of an adoption: what has been found is met all the same, and the next connection
//   loads it.
// - A thread is let go, but codex keeps it in memory for a while: the session is needed until codex says that it has gone.

import type { Thread } from "../codex/protocol/v2/Thread";
import { asFault, type Fault } from "../fault";
import type { Log } from "../log";
import type { Connection } from "../supervisor/connection";
import type { HostedThread } from "./host";
import { LoadQueue } from "./loadQueue";
import { Residents } from "./residents";
import type { ThreadRegistry } from "./threadRegistry";
import type { ThreadRows } from "./threadRows";
import type { ThreadRuntime } from "./threadRuntime";

export interface SessionThreadsOptions {
  log: Log;
  alive: ThreadRegistry;
  connection(workspaceId: string): Connection | null;
  rows: Pick<ThreadRows, "leftAtWork" | "foundAtRest">;
  /** The rows of these threads are to be as codex has them. */
  put(workspaceId: string, threads: Thread[]): void;
  /** The thread, met now if need be, with a row in this workspace. */
  meet(workspaceId: string, thread: Thread): ThreadRuntime | null;
}

const readsAtOnce = 3;
/** Far more than one process can hold. */
const maxPages = 100;

export class SessionThreads {
  readonly #options: SessionThreadsOptions;
  readonly #residents = new Residents();
  readonly #queues = new Map<string, LoadQueue>();

  constructor(options: SessionThreadsOptions) {
    this.#options = options;
  }

  heard(workspaceId: string, method: string, fields: Readonly<Record<string, unknown>>): void {
    const connection = this.#options.connection(workspaceId);
    if (connection) this.#residents.heard(workspaceId, connection.handleId, method, fields);
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
    // What was unloaded while nobody listened is not told again.
    if (connection !== null && this.#residents.any(workspaceId)) {
      this.#listLoaded(workspaceId, connection).catch((error: unknown) => {
        this.#options.log.info("loaded threads could not be listed", { error: asFault(error).code });
      });
    }
    // It never rejects, and who waits for a thread waits for that thread's own load.
    void this.#queue(workspaceId).add(this.#options.alive.ofWorkspace(workspaceId));
  }

  /** Finds what the process of this connection is at work in, and follows it. Null: there is none. Never rejects. */
  async adopted(workspaceId: string, connection: Connection | null): Promise<void> {
    const { log, alive, rows, put } = this.#options;
    if (connection === null) {
      for (const threadId of rows.leftAtWork(workspaceId))
        rows.foundAtRest(threadId, alive.get(threadId)?.state.watched ?? false);
      return;
    }
    try {
      const loaded = await this.#listLoaded(workspaceId, connection);
      // What has ended since may have been unloaded too.
      const left = rows.leftAtWork(workspaceId);
      const threads = await this.#read(connection, [...new Set([...loaded, ...left])]);
      const byId = new Map(threads.map((thread) => [thread.id, thread]));
      const atWork = threads.filter(({ status, ephemeral }) => status?.type === "active" && !ephemeral);
      const isAtRest = ({ status }: Thread) => status?.type !== "active";
      put(
        workspaceId,
        threads.filter((thread) => isAtRest(thread) && left.includes(thread.id)),
      );
      const met = atWork.flatMap((thread) => this.#meet(workspaceId, thread, byId));
      log.info("session adopted", { workspaceId, loaded: loaded.length, atWork: atWork.length });
      await this.#queue(workspaceId).add(met);
    } catch (error) {
      log.warn("what an adopted session is at work in could not be found out", {
        workspaceId,
        error: asFault(error).code,
      });
    }
  }

  connectionLost(workspaceId: string): void {
    for (const runtime of this.#options.alive.ofWorkspace(workspaceId)) runtime.connectionLost();
  }

  processGone(workspaceId: string, handleId: string, fault: Fault): void {
    this.#residents.processGone(workspaceId, handleId);
    for (const runtime of this.#options.alive.ofWorkspace(workspaceId)) runtime.processGone(fault);
  }

  /** Nothing of this workspace is running, waiting or on its way. */
  isQuiet(workspaceId: string): boolean {
    return !this.#options.alive
      .ofWorkspace(workspaceId)
      .some((runtime) => runtime.busy || runtime.delivery.hasOpen);
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
    for (let page = 0; page < maxPages; page += 1) {
      const answer: { data: string[]; nextCursor: string | null } = await connection.client.request(
        "thread/loaded/list",
        { cursor },
      );
      ids.push(...answer.data);
      cursor = answer.nextCursor;
      if (cursor === null) break;
    }
    if (this.#options.connection(workspaceId) === connection)
      this.#residents.listed(workspaceId, connection.handleId, ids);
    return ids;
  }

  /** One that cannot be read is left out; the next word of codex about it has it met. */
  async #read(connection: Connection, ids: string[]): Promise<Thread[]> {
    const threads: Thread[] = [];
    const waiting = [...ids];
    const readOneByOne = async () => {
      for (let threadId = waiting.shift(); threadId !== undefined; threadId = waiting.shift()) {
        try {
          threads.push((await connection.client.request("thread/read", { threadId })).thread);
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

  #queue(workspaceId: string): LoadQueue {
    let queue = this.#queues.get(workspaceId);
    if (!queue) {
      queue = new LoadQueue();
      this.#queues.set(workspaceId, queue);
    }
    return queue;
  }
}
