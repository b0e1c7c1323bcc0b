// Asks codex for its records of a thread's child agents: their roles, their names and whether they take messages are told
// nowhere else. One question for all agents below a thread, however many they are and however deep.
//
// Races settled here:
// - Many agents are named within moments: one question for all, a little later. More of them while it is under way: one more.
// - codex names an agent a moment before it lists it, and never lists one that leaves no record: it is asked again, a few times.
// - The connection goes while it is asked: the next load of the thread asks again.

import type { Clock, Timer } from "../../clock";
import type { Thread } from "../../codex/protocol/v2/Thread";
import type { ThreadListResponse } from "../../codex/protocol/v2/ThreadListResponse";
import { asFault } from "../../fault";
import type { Log } from "../../log";
import type { Connection } from "../../supervisor/connection";

export interface AgentRecordsOptions {
  clock: Clock;
  log: Log;
  connection(workspaceId: string): Connection | null;
  listed(workspaceId: string, agents: Thread[]): void;
}

export const askAfterMs = 250;
/** Each time twice as long as the time before. */
const mostTries = 4;
const deadlineMs = 20_000;
const pageSize = 100;
/** More agents than anybody looks through. */
const maxPages = 5;

interface Asking {
  timer: Timer | null;
  underWay: boolean;
  again: boolean;
  /** Named, and not listed yet. */
  missing: Set<string>;
  tries: number;
}

export class AgentRecords {
  readonly #options: AgentRecordsOptions;
  readonly #asking = new Map<string, Asking>();

  constructor(options: AgentRecordsOptions) {
    this.#options = options;
  }

  /** The agents below this thread are to be known, these among them. */
  want(workspaceId: string, threadId: string, agentIds: readonly string[] = []): void {
    const asking = this.#asking.get(threadId) ?? newAsking();
    this.#asking.set(threadId, asking);
    for (const id of agentIds) asking.missing.add(id);
    asking.tries = 0;
    if (asking.underWay) asking.again = true;
    else this.#askLater(workspaceId, threadId, asking);
  }

  #askLater(workspaceId: string, threadId: string, asking: Asking): void {
    asking.timer ??= this.#options.clock.after(askAfterMs * 2 ** asking.tries, () => {
      asking.timer = null;
      asking.underWay = true;
      asking.tries += 1;
      // It never rejects.
      void this.#ask(workspaceId, threadId, asking).then((isWorthMore) => {
        asking.underWay = false;
        const isMissing = isWorthMore && asking.missing.size > 0 && asking.tries < mostTries;
        if (!this.#asking.has(threadId)) return;
        if (asking.again || isMissing) {
          asking.again = false;
          this.#askLater(workspaceId, threadId, asking);
        } else this.#asking.delete(threadId);
      });
    });
  }

  dispose(): void {
    for (const { timer } of this.#asking.values()) timer?.cancel();
    this.#asking.clear();
  }

  /** Returns whether codex can answer at all. */
  async #ask(workspaceId: string, threadId: string, asking: Asking): Promise<boolean> {
    const connection = this.#options.connection(workspaceId);
    if (connection === null) return false;
    let cursor: string | null = null;
    try {
      for (let page = 0; page < maxPages; page += 1) {
        const answer: ThreadListResponse = await connection.client.request(
          "thread/list",
          { ancestorThreadId: threadId, modelProviders: [], limit: pageSize, cursor, useStateDbOnly: true },
          { deadlineMs },
        );
        if (this.#options.connection(workspaceId) !== connection) return false;
        for (const { id } of answer.data) asking.missing.delete(id);
        // A codex that does not know the filter lists other threads.
        this.#options.listed(
          workspaceId,
          answer.data.filter((thread) => Boolean(thread.parentThreadId)),
        );
        cursor = answer.nextCursor;
        if (cursor === null) break;
      }
      return true;
    } catch (error) {
      this.#options.log.info("the agents of a thread could not be listed", {
        threadId,
        error: asFault(error).code,
      });
      return false;
    }
  }
}

function newAsking(): Asking {
  return { timer: null, underWay: false, again: false, missing: new Set(), tries: 0 };
}
