// Merges codex's record of a thread into what was seen live. Pure.
//
// Races settled here:
// - The record is a moment older than what was heard since, or newer than what was heard before a cut: it adds and
//   completes, and never takes away. A turn or an item that is known to have ended does not begin again, a longer output
//   is not replaced by a shorter one (codex lists at most 64 KiB), and text is not replaced by none.
// - codex does not list what runs. A turn that is listed as going on although codex says that nothing runs was cut off.
// - So much has happened while nobody listened that the listed page does not reach back to what is known: what is known
//   makes way, since nobody could tell what is missing in between. It can be loaded again, page by page.
// - What ran when Holdfast was killed, or was cut off with codex, is known from the ledger only: it goes where it was, behind
//   the item that it followed.

import type { Item } from "../../preload/contract/items";
import type { TurnView } from "../../preload/contract/thread";
import type { Turn } from "../codex/protocol/v2/Turn";
import { allUnits, withGapAtEnd } from "./gaps";
import { viewItem } from "./itemView";
import { isStopped } from "./keptItem";
import { withPlansInPlace } from "./planPlace";
import { viewTurn } from "./turnView";

export interface TurnPage {
  /** As codex lists them: newest first. */
  turns: Turn[];
  nextCursor: string | null;
}

/** What codex says is running in the thread: a turn that it names, one that it does not name, or none. */
export type RunningNow = { turnId: string } | "some" | "none";

export interface KnownTranscript {
  turns: TurnView[];
  items: Item[];
  /** The item that a listed one is: another than its own id says when codex has used that id twice in one turn. */
  meant(itemId: string): string;
  /** For an item that was put back: the one that it came after when it was heard of. */
  followed(itemId: string): string | null;
}

export function mergePage(
  known: KnownTranscript,
  page: TurnPage,
  running: RunningNow,
  atMs: number,
): { turns: TurnView[]; items: Item[] } {
  const listed = [...page.turns].reverse();
  const listedById = new Map(listed.map((turn) => [turn.id, turn]));
  const knownById = new Map(known.turns.map((turn) => [turn.id, turn]));
  const itemsOf = groupByTurn(known.items);
  const newestId = listed.at(-1)?.id;
  const turns: TurnView[] = [];
  // Remarks from before the first turn stay before it.
  const items: Item[] = [...(itemsOf.get("") ?? [])];
  for (const turnId of mergeOrder(known.turns, listed, page.nextCursor === null)) {
    const mayRun =
      running !== "none" &&
      (running === "some" ? !listedById.has(turnId) || turnId === newestId : running.turnId === turnId);
    const listedTurn = listedById.get(turnId);
    const turn = mergeTurn(knownById.get(turnId), listedTurn, mayRun, atMs);
    if (!turn) continue;
    turns.push(turn);
    const knownItems = itemsOf.get(turnId) ?? [];
    const merged = listedTurn
      ? mergeItems(knownItems, listedTurn, turn.status === "running", known)
      : knownItems;
    for (const item of merged) items.push(turn.status === "running" ? item : closedWith(turn, item, atMs));
  }
  // What belongs to a turn whose start has not been heard yet is the newest.
  for (const [turnId, orphans] of itemsOf) {
    if (turnId !== "" && !listedById.has(turnId) && !knownById.has(turnId)) items.push(...orphans);
  }
  return { turns, items };
}

/** Turns from before everything that is known; `knownOf` are items of theirs that were heard of all the same. */
export function viewOlderTurns(
  older: Turn[],
  knownOf: (turnId: string) => Item[],
  followed: (itemId: string) => string | null,
  atMs: number,
): { turns: TurnView[]; items: Item[] } {
  const turns: TurnView[] = [];
  const items: Item[] = [];
  for (const turn of [...older].reverse()) {
    const view = mergeTurn(undefined, turn, false, atMs);
    if (!view) continue;
    turns.push(view);
    const merged = mergeItems(knownOf(turn.id), turn, false, { meant: (id) => id, followed });
    items.push(...merged.map((item) => closedWith(view, item, atMs)));
  }
  return { turns, items };
}

/** The item as it is once its turn has ended: nothing of it runs any more, except a command in the background. */
export function closedWith(turn: TurnView, item: Item, atMs: number): Item {
  if (item.kind === "command" && turn.status === "completed") return item;
  return closed(item, atMs);
}

export function closed(item: Item, atMs: number): Item {
  if (item.status !== "running") return item;
  // What the person has stopped was not cut off.
  return { ...item, status: isStopped(item) ? "failed" : "lost", completedAtMs: atMs };
}

/** `next` replaces `known`, but what was seen is not replaced by nothing. */
export function withSeenText<Next extends Item>(known: Item, next: Next): Next {
  if ((known.kind === "agent" && next.kind === "agent") || (known.kind === "plan" && next.kind === "plan")) {
    return isEmptied(known.text, next.text) ? { ...next, text: known.text, gaps: known.gaps } : next;
  }
  if (known.kind === "subAgent" && next.kind === "subAgent" && next.prompt === null) {
    const { prompt, step, activity } = known;
    return prompt === null ? next : { ...next, prompt, step, activity };
  }
  if (known.kind === "reasoning" && next.kind === "reasoning") {
    const { summary, summaryGaps, content, contentGaps } = known;
    return {
      ...next,
      ...(isEmptied(summary, next.summary) ? { summary, summaryGaps } : {}),
      ...(isEmptied(content, next.content) ? { content, contentGaps } : {}),
    };
  }
  if (known.kind === "command" && next.kind === "command") {
    const told = known.stopped ? { ...next, stopped: true } : next;
    if (!isEmptied(known.output.text, next.output.text)) return told;
    return { ...told, output: known.output, gaps: known.gaps };
  }
  return next;
}

function isEmptied(known: string, next: string): boolean {
  return next === "" && known !== "";
}

function mergeTurn(
  known: TurnView | undefined,
  listed: Turn | undefined,
  mayRun: boolean,
  atMs: number,
): TurnView | null {
  if (!listed) {
    if (known?.status !== "running" || mayRun) return known ?? null;
    return { ...known, status: "interrupted", completedAtMs: known.completedAtMs ?? atMs };
  }
  const view = viewTurn(listed);
  const times = {
    startedAtMs: view.startedAtMs ?? known?.startedAtMs ?? null,
    completedAtMs: view.completedAtMs ?? known?.completedAtMs ?? null,
    durationMs: view.durationMs ?? known?.durationMs ?? null,
  };
  if (view.status !== "running") {
    const fault = view.fault ?? (known?.status === view.status ? known.fault : null);
    return { ...view, ...times, fault };
  }
  if (mayRun) return { ...view, ...times };
  // A record from before the end that was heard, or the end was never written down.
  if (known && known.status !== "running") return { ...known, ...times };
  return { ...view, ...times, status: "interrupted" };
}

/** The items of one turn, codex's and ours. codex's order rules; what only we know stays behind what it followed. */
function mergeItems(
  known: Item[],
  turn: Turn,
  turnRuns: boolean,
  { meant, followed }: Pick<KnownTranscript, "meant" | "followed">,
): Item[] {
  const knownById = new Map(known.map((item) => [item.id, item]));
  const stopped = new Set(known.filter(isStopped).map(({ id }) => id));
  const merged = new Map<string, Item>();
  const order: string[] = [];
  for (const codexItem of withPlansInPlace(turn.items)) {
    const view = viewItem(codexItem, { turnId: turn.id, running: false });
    const id = sameMessage(known, view) ?? endedWithText(known, view) ?? meant(view.id);
    merged.set(id, mergeItem(knownById.get(id), { ...view, id }, turnRuns));
    // A command that a person has stopped is listed by its end, which may have come long after its turn.
    if (stopped.has(id)) continue;
    // The second item with an id is listed in the place of the first.
    if ((id === view.id || view.kind === "user") && !order.includes(id)) order.push(id);
  }
  const inOrder = new Set(order);
  // What comes before everything that both know goes right before that; with nothing in common it is the newer.
  const firstShared = known.find((item) => inOrder.has(item.id));
  let at = firstShared ? order.indexOf(firstShared.id) : order.length;
  for (const item of known) {
    if (inOrder.has(item.id)) {
      at = order.indexOf(item.id) + 1;
      continue;
    }
    const place = order.indexOf(followed(item.id) ?? "");
    if (place >= 0) at = place + 1;
    order.splice(at++, 0, item.id);
  }
  return order.flatMap((id) => merged.get(id) ?? knownById.get(id) ?? []);
}

/** A message of ours is known by its client id, whatever id the record gives it. */
function sameMessage(known: Item[], listed: Item): string | null {
  if (listed.kind !== "user" || listed.clientId === null) return null;
  const { clientId } = listed;
  return known.find((item) => item.kind === "user" && item.clientId === clientId)?.id ?? null;
}

/** Of several messages that had this id in turn, the one that the record has may not be the one that has the id now. */
function endedWithText(known: Item[], listed: Item): string | null {
  if (listed.kind !== "agent") return null;
  const isOf = ({ id }: Item) => id === listed.id || /^(.+)#\d+$/.exec(id)?.[1] === listed.id;
  const said = known.findLast(
    (item) => item.kind === "agent" && item.status !== "running" && item.text === listed.text && isOf(item),
  );
  return said?.id ?? null;
}

/** `listed` was read as ended; "lost" then means that codex has it as going on. */
function mergeItem(known: Item | undefined, listed: Item, turnRuns: boolean): Item {
  const goesOn = listed.status === "lost";
  if (!known) return goesOn && turnRuns ? { ...listed, status: "running" } : listed;
  if (known.status === "running" && (goesOn || (turnRuns && isAhead(known, listed)))) return known;
  const next = {
    ...listed,
    status: goesOn ? known.status : listed.status,
    startedAtMs: listed.startedAtMs ?? known.startedAtMs,
    completedAtMs: listed.completedAtMs ?? known.completedAtMs,
  };
  if (known.kind === "command" && next.kind === "command") {
    const told = known.stopped ? { ...next, stopped: true } : next;
    if (allUnits(known.output) <= allUnits(next.output)) return told;
    const hasItsEnd = known.status !== "running" && known.status !== "lost";
    const seen = { ...told, output: known.output, gaps: known.gaps };
    return hasItsEnd ? seen : withGapAtEnd(seen);
  }
  return withSeenText(known, next);
}

/** What was heard live goes on where the listed text ends. */
function isAhead(known: Item, listed: Item): boolean {
  return (
    known.kind === "agent" &&
    listed.kind === "agent" &&
    known.gaps.length === 0 &&
    known.text.length > listed.text.length &&
    known.text.startsWith(listed.text)
  );
}

function groupByTurn(items: Item[]): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(item.turnId);
    if (group) group.push(item);
    else groups.set(item.turnId, [item]);
  }
  return groups;
}

/** Both orders in one: codex's rules where both know a turn; what only we know stays behind its neighbour. */
function mergeOrder(known: TurnView[], listed: Turn[], isWholeHistory: boolean): string[] {
  const order = listed.map((turn) => turn.id);
  const listedIds = new Set(order);
  const knownIds = known.map((turn) => turn.id);
  const firstShared = knownIds.findIndex((id) => listedIds.has(id));
  if (firstShared === -1) {
    const last = listed.at(-1);
    if (!last) return knownIds;
    const newer = known.filter((turn) => isNewer(turn, last)).map((turn) => turn.id);
    const older = isWholeHistory ? knownIds.filter((id) => !newer.includes(id)) : [];
    return [...older, ...order, ...newer];
  }
  // Turns before the listed ones are older pages, loaded earlier.
  order.unshift(...knownIds.slice(0, firstShared));
  let after = knownIds[firstShared - 1] ?? null;
  for (const id of knownIds.slice(firstShared)) {
    if (!listedIds.has(id)) order.splice(after === null ? 0 : order.indexOf(after) + 1, 0, id);
    after = id;
  }
  return order;
}

function isNewer(turn: TurnView, listed: Turn): boolean {
  const listedMs = viewTurn(listed).startedAtMs;
  if (turn.startedAtMs === null || listedMs === null) return true;
  // codex tells times in whole seconds; its turn ids (UUIDv7) are in order of time.
  return turn.startedAtMs === listedMs ? turn.id > listed.id : turn.startedAtMs > listedMs;
}
