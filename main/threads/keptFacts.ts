// Keeps in the ledger what codex says of a thread once and does not list: the plan of its newest turn, and what it has spent.
//
// Races settled here:
// - Holdfast is killed at any moment: each is written down as it is heard.
// - A turn begins while nobody listens: the plan belongs to the turn before, and goes as it would have gone.
// - A turn is taken out of the history: the plan was that of the newest turn, so it goes too.
// - codex tells what was spent by itself after a load, before or after its record: what it says outweighs this.

import { threadHeadSchema } from "../../preload/contract/thread";
import { asFault } from "../fault";
import type { RunningItem } from "../ledger/runningItemsLedger";
import type { HostedThread, ThreadHost } from "./host";
import { recordOf, wordsOrNull } from "./loose";

/** No item has such an id: those name their turn first. */
const planId = "plan of the turn";
export const usageId = "token usage";

const { plan: planSchema, usage: usageSchema } = threadHeadSchema.shape;

export class KeptFacts {
  readonly #host: ThreadHost;
  readonly #thread: HostedThread;
  /** The turn of the plan that is shown. */
  #planTurnId: string | null = null;

  constructor(host: ThreadHost, thread: HostedThread) {
    this.#host = host;
    this.#thread = thread;
  }

  /** After the notification has been applied. */
  heard(method: string, params: unknown): void {
    const { facts, transcript } = this.#thread.state;
    const turnId = wordsOrNull(recordOf(params).turnId) ?? transcript.lastTurn?.id ?? "";
    switch (method) {
      case "turn/plan/updated":
        this.#planTurnId = facts.plan === null ? null : turnId;
        this.#keep(planId, turnId, facts.plan);
        break;
      case "thread/tokenUsage/updated":
        this.#keep(usageId, turnId, facts.usage);
        break;
      case "turn/started":
        if (this.#planTurnId !== null && facts.plan === null) this.#dropPlan();
        break;
      default:
    }
  }

  /** codex's record of the newest turns has become part of the transcript. */
  listed(): void {
    const { state, threadId } = this.#thread;
    if (threadId === null) return;
    const newestId = state.transcript.lastTurn?.id ?? null;
    try {
      for (const { itemId, turnId, item } of this.#host.runningItems.list(threadId)) {
        const { value } = recordOf(item);
        if (itemId === usageId && state.facts.usage === null) {
          state.update({ usage: usageSchema.safeParse(value).data ?? null });
        } else if (itemId === planId && state.facts.plan === null && turnId === newestId) {
          state.update({ plan: planSchema.safeParse(value).data ?? null });
          this.#planTurnId = turnId;
        } else if (itemId === planId) this.#planTurnId ??= turnId;
      }
    } catch (error) {
      this.#host.log.error("the kept plan could not be read", { threadId, error: asFault(error).message });
    }
    // A thread whose first turn goes on has no record of turns yet.
    if (newestId === null || this.#planTurnId === null || this.#planTurnId === newestId) return;
    state.update({ plan: null });
    this.#dropPlan();
  }

  /** The newest turns have gone. What is left in the context is told with the next turn. */
  reverted(): void {
    if (this.#planTurnId !== null) this.#dropPlan();
    this.#keep(usageId, "", null);
  }

  #dropPlan(): void {
    this.#keep(planId, this.#planTurnId ?? "", null);
    this.#planTurnId = null;
  }

  #keep(itemId: string, turnId: string, value: unknown): void {
    const { threadId } = this.#thread;
    if (threadId === null) return;
    const record: RunningItem = { turnId, itemId, kind: "fact", item: { value }, textSoFar: "" };
    try {
      if (value === null) this.#host.runningItems.update(threadId, [], [itemId]);
      else this.#host.runningItems.update(threadId, [record]);
    } catch (error) {
      this.#host.log.error("a plan or what was spent could not be written down", {
        threadId,
        error: asFault(error).message,
      });
    }
  }
}
