// An item as the ledger keeps it while it runs, and after it was cut off: in the form in which windows show it, since what
// was shown is what must not be lost. Bounded, so that writing it again and again stays cheap.

import {
  type BoundedText,
  boundText,
  heldTextUnits,
  type Item,
  itemSchema,
} from "../../preload/contract/items";
import type { TurnView } from "../../preload/contract/thread";
import type { RunningItem, RunningItemRecord, RunningItemsLedger } from "../ledger/runningItemsLedger";
import { gapsBehind } from "./gaps";
import { isRecord, numberOrNull, recordOf, wordsOrNull } from "./loose";

export interface KeptItem {
  item: Item;
  /** The item of the same turn that it came after; null when it was the first. */
  after: string | null;
  /** The process in which it ran. */
  handleId: string | null;
  keptAtMs: number;
}

/**
 * What codex does not list: it goes on, was cut off, or was refused when its turn was stopped (whoever refuses one and lets
 * the turn go on is told its end). And a command that went on after its turn: codex lists it behind all that was said before
 * its end, and does not say who has stopped it. A person's message is kept as a submission.
 */
export function isToBeKept(item: Item, turn: TurnView | null): boolean {
  if (item.kind === "user" || item.kind === "notice") return false;
  if (isLeftRunning(item)) return true;
  if (item.status === "declined") return turn?.status === "interrupted";
  return item.status === "running" || item.status === "lost";
}

/** It goes on after its turn, or did. */
export function isLeftRunning(item: Item): boolean {
  return item.kind === "command" && item.leftRunning === true;
}

export function toRecord({ item, after, handleId }: Omit<KeptItem, "keptAtMs">): RunningItem {
  const [rest, textSoFar] = splitText(bounded(item));
  return {
    turnId: item.turnId,
    itemId: item.id,
    kind: item.kind,
    item: { item: rest, after, handleId },
    textSoFar,
  };
}

/** Null: another version of Holdfast has written it, in a way that this one cannot read. */
export function fromRecord(record: RunningItemRecord): KeptItem | null {
  const stored = recordOf(record.item);
  const read = itemSchema.safeParse(isRecord(stored.item) ? withText(stored.item, record.textSoFar) : null);
  if (!read.success || read.data.id !== record.itemId || read.data.turnId !== record.turnId) return null;
  return {
    item: read.data,
    after: wordsOrNull(stored.after),
    handleId: wordsOrNull(stored.handleId),
    keptAtMs: record.updatedAtMs,
  };
}

/** All that is on record of a thread, in the order in which it began. */
export function keptItemsOf(ledger: Pick<RunningItemsLedger, "list">, threadId: string): KeptItem[] {
  return ledger.list(threadId).flatMap((record) => fromRecord(record) ?? []);
}

/** The record, with what these threads have not written down yet: text is, at most a moment after it was said. */
export function upToDate<Record extends Pick<RunningItemsLedger, "list" | "search">>(
  threads: readonly { readonly runningItems: { flush(): void } }[],
  record: Record,
): Record {
  for (const { runningItems } of threads) runningItems.flush();
  return record;
}

/** How much writing it costs, about. */
export function unitsOf(item: Item): number {
  switch (item.kind) {
    case "agent":
    case "plan":
      return item.text.length;
    case "command":
      return item.output.text.length;
    case "reasoning":
      return item.summary.length + item.content.length;
    case "fileChange":
      return item.changes.reduce((sum, change) => sum + change.diff.text.length, 0);
    default:
      return 0;
  }
}

function bounded(item: Item): Item {
  switch (item.kind) {
    case "agent":
    case "plan": {
      const { text, gaps } = endOf(item.text, item.gaps);
      return { ...item, text, gaps };
    }
    case "command":
      return { ...item, output: boundText(item.output.text, item.output.droppedUnits) };
    case "reasoning": {
      const summary = endOf(item.summary, item.summaryGaps);
      const content = endOf(item.content, item.contentGaps);
      return {
        ...item,
        summary: summary.text,
        summaryGaps: summary.gaps,
        content: content.text,
        contentGaps: content.gaps,
      };
    }
    case "fileChange": {
      const share = Math.max(1_000, Math.floor(heldTextUnits / Math.max(1, item.changes.length)));
      return {
        ...item,
        changes: item.changes.map((change) => ({ ...change, diff: cut(change.diff, share) })),
      };
    }
    default:
      return item;
  }
}

function endOf(text: string, gaps: readonly number[]): { text: string; gaps: number[] } {
  const cutOff = Math.max(0, text.length - heldTextUnits);
  return { text: text.slice(cutOff), gaps: gapsBehind(gaps, cutOff) };
}

function cut({ text, droppedUnits }: BoundedText, units: number): BoundedText {
  if (text.length <= units) return { text, droppedUnits };
  return { text: text.slice(-units), droppedUnits: droppedUnits + text.length - units };
}

/** The text that grows has a column of its own. */
function splitText(item: Item): [Item, string] {
  switch (item.kind) {
    case "agent":
    case "plan":
      return [{ ...item, text: "" }, item.text];
    case "command":
      return [{ ...item, output: { ...item.output, text: "" } }, item.output.text];
    case "reasoning":
      return [{ ...item, summary: "" }, item.summary];
    default:
      return [item, ""];
  }
}

function withText(item: Readonly<Record<string, unknown>>, text: string): unknown {
  switch (item.kind) {
    case "agent":
    case "plan":
      return { ...item, text, gaps: item.gaps ?? olderGaps(item, text.length) };
    case "command": {
      const { droppedUnits } = recordOf(item.output);
      const units = text.length + (numberOrNull(droppedUnits) ?? 0);
      return { ...item, output: { droppedUnits, text }, gaps: item.gaps ?? olderGaps(item, units) };
    }
    case "reasoning":
      return {
        ...item,
        summary: text,
        summaryGaps: item.summaryGaps ?? [],
        contentGaps: item.contentGaps ?? [],
      };
    default:
      return item;
  }
}

/** An older Holdfast wrote down that something is missing, and not where: then that is said at the end. */
function olderGaps({ gap }: Readonly<Record<string, unknown>>, units: number): number[] {
  return gap === true ? [units] : [];
}
