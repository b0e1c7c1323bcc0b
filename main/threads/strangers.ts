// Threads that codex tells Holdfast of although nobody here has asked for them. It subscribes everybody who is connected to
// each child agent that is made, whoever its parent belongs to, and announces it nowhere else: a child of another program's
// thread, or one of which codex keeps no record. They get no row. But as long as Holdfast is subscribed codex keeps them in
// memory, and once Holdfast unsubscribes, it unloads them although their parent may still have something for them.
//
// Races settled here:
// - Such a thread is at rest while one above it, or another of its kind, is at work: it may get a follow-up. All are let go
//   together, once none of them is at work.
// - Meanwhile it has got a row, and its runtime follows it: it is that runtime's to let go.
// - The connection has gone, and with it the subscription: there is nothing to let go any more.
// - The unsubscribe goes unanswered: it is tried again.

import type { Clock } from "../clock";
import { asFault } from "../fault";
import type { Log } from "../log";
import type { Connection } from "../supervisor/connection";
import { Linger } from "./linger";
import { recordOf, wordsOrNull } from "./loose";

export interface StrangersOptions {
  clock: Clock;
  log: Log;
  /** The connection of the session, when there is one. */
  connection(): Connection | null;
  folder(): Promise<string>;
  /** A runtime hears of this thread, and lets it go. */
  isFollowed(threadId: string): boolean;
}

interface Look {
  isActive: boolean;
  parentThreadId: string | null;
}

const deadlineMs = 10_000;
/** Agents of agents of agents: far more than codex makes. */
const mostGenerations = 20;

export class Strangers {
  readonly #options: StrangersOptions;
  readonly #linger: Linger;
  readonly #threadIds = new Set<string>();
  #subscribedOver: Connection | null = null;

  constructor(options: StrangersOptions) {
    this.#options = options;
    const { clock, log, connection, folder } = options;
    this.#linger = new Linger({
      clock,
      connection,
      folder,
      over: () => {
        this.#look().catch((error: unknown) => {
          log.info("threads of others could not be looked at", { error: asFault(error).code });
          this.#linger.begin();
        });
      },
    });
  }

  /** codex has said what only a subscriber is told, of a thread without a row. */
  heard(threadId: string): void {
    const over = this.#options.connection();
    if (over === null) return;
    if (this.#subscribedOver !== over) this.#threadIds.clear();
    this.#subscribedOver = over;
    this.#threadIds.add(threadId);
    this.#linger.begin();
  }

  closed(threadId: string): void {
    this.#threadIds.delete(threadId);
    if (this.#threadIds.size === 0) this.#linger.cancel();
  }

  dispose(): void {
    this.#threadIds.clear();
    this.#linger.cancel();
  }

  async #look(): Promise<void> {
    const { connection, isFollowed, log } = this.#options;
    const over = connection();
    if (over === null || over !== this.#subscribedOver) {
      this.#threadIds.clear();
      return;
    }
    for (const threadId of this.#threadIds) if (isFollowed(threadId)) this.#threadIds.delete(threadId);
    const threadIds = [...this.#threadIds];
    if (await anyAtWork(over, threadIds)) {
      this.#linger.begin();
      return;
    }
    for (const threadId of threadIds) {
      const { status } = await over.client.request("thread/unsubscribe", { threadId }, { deadlineMs });
      log.info("a thread of others was let go", { threadId, status });
      this.#threadIds.delete(threadId);
    }
  }
}

/** One of these threads, or of those above them. */
async function anyAtWork(connection: Connection, threadIds: readonly string[]): Promise<boolean> {
  const looks = new Map<string, Look>();
  for (const threadId of threadIds) {
    let next: string | null = threadId;
    for (let generation = 0; next !== null && generation < mostGenerations; generation += 1) {
      const look: Look = looks.get(next) ?? (await lookAt(connection, next));
      looks.set(next, look);
      if (look.isActive) return true;
      next = look.parentThreadId;
    }
  }
  return false;
}

async function lookAt(connection: Connection, threadId: string): Promise<Look> {
  try {
    const { thread } = await connection.client.request("thread/read", { threadId }, { deadlineMs });
    return {
      isActive: recordOf(thread.status).type === "active",
      parentThreadId: wordsOrNull(thread.parentThreadId),
    };
  } catch (error) {
    // codex has it no more, and no record of it. Anything else may be over the next time.
    if (asFault(error).code === "codex_error") return { isActive: false, parentThreadId: null };
    throw error;
  }
}
