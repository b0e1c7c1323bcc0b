// What stands in the conversation, from top to bottom: items in codex's order, after each turn that has ended its footer,
// then what the person has sent and codex has not shown yet, then what is going on. Pure.
//
// A message keeps one key from the moment that it is sent until it is an item of the thread, so it is never drawn anew
// under the eyes of the one who wrote it.

import type { SubmissionView, TurnView } from "../../../preload/contract/thread";
import type { ThreadCopy } from "../../state/threadCopy";

export type Row =
  | { kind: "item"; key: string; itemId: string }
  | { kind: "turnEnd"; key: string; turnId: string; last: boolean }
  | { kind: "submission"; key: string; clientId: string }
  | { kind: "run"; key: string };

export type RowSource = Pick<ThreadCopy, "order" | "byId" | "turnOrder" | "turnById" | "head">;

function hasEnded(turn: TurnView | undefined): turn is TurnView {
  return turn !== undefined && turn.status !== "running";
}

/** What waits is no part of the conversation, but among the follow-ups; it appears here once it could not be delivered. */
export function standsInConversation(submission: SubmissionView): boolean {
  return submission.mode !== "queue" || submission.state === "undelivered";
}

export function rowsOf(source: RowSource): Row[] {
  const { order, byId, turnOrder, turnById, head } = source;
  const rows: Row[] = [];

  const lastItemOf = new Map<string, string>();
  const clientIds = new Set<string>();
  for (const id of order) {
    const item = byId[id];
    if (!item) continue;
    lastItemOf.set(item.turnId, id);
    if (item.kind === "user" && item.clientId !== null) clientIds.add(item.clientId);
  }
  const lastTurn = turnOrder.at(-1);
  const end = (turnId: string): Row => ({
    kind: "turnEnd",
    key: `turn:${turnId}`,
    turnId,
    last: turnId === lastTurn && head.run === null,
  });
  // A turn that failed before it had any item still has its end, in its place among the turns.
  let nextTurn = 0;
  const endTurnsBefore = (turnId: string) => {
    const at = turnOrder.indexOf(turnId, nextTurn);
    if (at === -1) return;
    for (; nextTurn < at; nextTurn++) {
      const empty = turnOrder[nextTurn] ?? "";
      if (!lastItemOf.has(empty) && hasEnded(turnById[empty])) rows.push(end(empty));
    }
  };
  for (const id of order) {
    const item = byId[id];
    if (!item) continue;
    endTurnsBefore(item.turnId);
    const key = item.kind === "user" && item.clientId !== null ? `you:${item.clientId}` : id;
    rows.push({ kind: "item", key, itemId: id });
    if (lastItemOf.get(item.turnId) === id && hasEnded(turnById[item.turnId])) rows.push(end(item.turnId));
  }
  for (; nextTurn < turnOrder.length; nextTurn++) {
    const turnId = turnOrder[nextTurn] ?? "";
    if (!lastItemOf.has(turnId) && hasEnded(turnById[turnId])) rows.push(end(turnId));
  }
  for (const submission of head.submissions) {
    if (!standsInConversation(submission) || clientIds.has(submission.clientId)) continue;
    rows.push({ kind: "submission", key: `you:${submission.clientId}`, clientId: submission.clientId });
  }
  if (head.run !== null) rows.push({ kind: "run", key: "run" });
  return rows;
}

/**
 * The rows of a copy, kept while nothing that they are made of has changed. Text that streams replaces items under the
 * same ids, which moves no row: an item never changes its kind or its turn.
 */
export function rowKeeper(): (source: RowSource) => readonly Row[] {
  let last: { source: RowSource; rows: readonly Row[] } | null = null;
  return (source) => {
    if (
      last &&
      last.source.order === source.order &&
      last.source.turnOrder === source.turnOrder &&
      last.source.turnById === source.turnById &&
      last.source.head.submissions === source.head.submissions &&
      (last.source.head.run === null) === (source.head.run === null)
    ) {
      return last.rows;
    }
    last = { source, rows: rowsOf(source) };
    return last.rows;
  };
}

/** How many items came after the row that was last when reading stopped at the end. */
export function countAfter(rows: readonly Row[], lastSeenKey: string | null): number {
  if (lastSeenKey === null) return 0;
  let amount = 0;
  for (let at = rows.length - 1; at >= 0; at--) {
    const row = rows[at];
    if (row?.key === lastSeenKey) return amount;
    if (row?.kind === "item") amount++;
  }
  return 0;
}

/** The last row that stays where it is: not the indicator at the end. */
export function lastSettledKey(rows: readonly Row[]): string | null {
  for (let at = rows.length - 1; at >= 0; at--) {
    const row = rows[at];
    if (row?.kind === "item" || row?.kind === "turnEnd") return row.key;
  }
  return null;
}
