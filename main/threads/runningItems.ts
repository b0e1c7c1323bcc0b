// Keeps in the ledger what codex would not tell a second time: the items of one thread that run, with their text so far, and
// those that were cut off or never let run.
//
// Races settled here:
// - Holdfast is killed at any moment: a beginning is written before anything else happens, the text at most a moment later.
//   That an item has ended may be written late: codex's record has it then, and what codex records outweighs this.
// - An item begins and ends at once, or says a thousand pieces a second: one write takes them all.
// - It waits for the person since before the cut: then it has said nothing meanwhile, and there is no gap.
// - The thread is let go and loaded again, or loaded by a later run of Holdfast: what is on record is put back where it was.
//   What ran in a process that is gone is shown as cut off, for ever; what may still run goes on behind the gap.
// - It is looked for, or exported, in the moment before the text is written: whoever reads has it written first (`upToDate`).
// - The disk is full: the conversation goes on, and what could not be written is tried again with the next change.

import type { Item } from "../../preload/contract/items";
import type { ThreadChange } from "../../preload/contract/thread";
import type { Timer } from "../clock";
import { asFault } from "../fault";
import { withGap } from "./gaps";
import type { HostedThread, ThreadHost } from "./host";
import { fromRecord, isToBeKept, type KeptItem, toRecord, unitsOf } from "./keptItem";
import { closed } from "./transcriptMerge";

/** At most one write of text a thread in so much time; longer texts are written less often. */
const writeEveryMs = 1_000;
const unitsPerWrite = 50_000;

/** Where an item was, as far as it was when it was first written. */
type Place = Pick<KeptItem, "after" | "handleId">;

export class RunningItems {
  readonly #host: ThreadHost;
  readonly #thread: HostedThread;
  readonly #onRecord = new Map<string, Place>();
  readonly #changed = new Set<string>();
  #timer: Timer | null = null;
  #isFailing = false;

  constructor(host: ThreadHost, thread: HostedThread) {
    this.#host = host;
    this.#thread = thread;
  }

  /** The transcript has changed so. */
  heard(changes: ThreadChange[]): void {
    let hasBegun = false;
    for (const change of changes) {
      switch (change.type) {
        case "append":
          if (this.#onRecord.has(change.itemId)) this.#changed.add(change.itemId);
          break;
        case "items":
        case "reset":
        case "older":
          for (const item of change.items) hasBegun = this.#itemHeard(item) || hasBegun;
          break;
        default:
      }
    }
    if (hasBegun) this.flush();
    else if (this.#changed.size > 0) this.#flushLater();
  }

  /** What is on record, as it is now that codex's process is `handleId`. */
  list(handleId: string | null): KeptItem[] {
    const { threadId } = this.#thread;
    if (threadId === null) return [];
    try {
      const waiting = this.#host.requests.itemsWaiting(threadId, handleId);
      let unanswered: ReturnType<ThreadHost["requests"]["unanswered"]> | null = null;
      return this.#host.runningItems.list(threadId).flatMap((record) => {
        const kept = fromRecord(record);
        if (kept === null) return [];
        const { item, after, handleId: ranIn, keptAtMs } = kept;
        if (!this.#onRecord.has(item.id)) this.#onRecord.set(item.id, { after, handleId: ranIn });
        if (ranIn !== handleId) {
          // What waited for the person to the last has said nothing that could be missed.
          unanswered ??= this.#host.requests.unanswered(threadId);
          const hasWaited = unanswered.some(
            ({ request }) => request.turnId === item.turnId && request.itemId === item.id,
          );
          return [{ ...kept, item: closed(hasWaited ? item : withGap(item), keptAtMs) }];
        }
        return [{ ...kept, item: waiting.has(item.id) ? item : withGap(item) }];
      });
    } catch (error) {
      this.#host.log.error("running items could not be read", { threadId, error: asFault(error).message });
      return [];
    }
  }

  /** These turns are not part of the history any more. */
  forgetTurns(turnIds: readonly string[]): void {
    const { threadId } = this.#thread;
    if (threadId === null || turnIds.length === 0) return;
    try {
      const ids = this.#host.runningItems
        .list(threadId)
        .flatMap(({ turnId, itemId }) => (turnIds.includes(turnId) ? itemId : []));
      for (const id of ids) {
        this.#onRecord.delete(id);
        this.#changed.delete(id);
      }
      this.#host.runningItems.update(threadId, [], ids);
    } catch (error) {
      this.#host.log.error("items of reverted turns could not be removed", {
        threadId,
        error: asFault(error).message,
      });
    }
  }

  flush(): void {
    this.#timer?.cancel();
    this.#timer = null;
    const { threadId, state } = this.#thread;
    if (threadId === null || this.#changed.size === 0) return;
    const running: KeptItem[] = [];
    const ended: string[] = [];
    const keptAtMs = this.#host.clock.nowMs();
    for (const id of this.#changed) {
      const item = state.transcript.item(id);
      const place = this.#onRecord.get(id);
      // What has made way in the transcript stays on record.
      if (!item || !place) continue;
      if (isToBeKept(item, state.transcript.turn(item.turnId))) running.push({ item, ...place, keptAtMs });
      else ended.push(id);
    }
    try {
      this.#host.runningItems.update(threadId, running.map(toRecord), ended);
      this.#changed.clear();
      for (const id of ended) this.#onRecord.delete(id);
      this.#isFailing = false;
    } catch (error) {
      if (this.#isFailing) return;
      this.#isFailing = true;
      this.#host.log.error("running items could not be written down", {
        threadId,
        error: asFault(error).message,
      });
    }
  }

  dispose(): void {
    this.flush();
  }

  /** Returns whether it has begun and is not on record yet. */
  #itemHeard(item: Item): boolean {
    if (this.#onRecord.has(item.id)) {
      this.#changed.add(item.id);
      return false;
    }
    if (item.status !== "running" || !isToBeKept(item, null)) return false;
    this.#onRecord.set(item.id, { after: this.#itemBefore(item), handleId: this.#handleId });
    this.#changed.add(item.id);
    return true;
  }

  #itemBefore(item: Item): string | null {
    const ofTurn = this.#thread.state.transcript.itemsOf(item.turnId);
    return ofTurn[ofTurn.findIndex((other) => other.id === item.id) - 1]?.id ?? null;
  }

  get #handleId(): string | null {
    return this.#host.connection(this.#thread.workspaceId)?.handleId ?? null;
  }

  #flushLater(): void {
    if (this.#timer !== null) return;
    let units = 0;
    for (const id of this.#changed) {
      const item = this.#thread.state.transcript.item(id);
      if (item) units += unitsOf(item);
    }
    const delayMs = Math.round(writeEveryMs * Math.max(1, units / unitsPerWrite));
    this.#timer = this.#host.clock.after(delayMs, () => this.flush());
  }
}
