// What the palette lists: entries in named groups. Pure. Those that are known at once are ranked here; what has to be asked
// for comes in groups behind them, so that nothing moves under the selection when it comes.

import type { DotTone } from "../ui/StatusDot";
import { ranked } from "./rank";

export type EntryLook =
  | { dot: DotTone }
  | { icon: "folder" | "gone" | "file" | "script" | "setting" | "search" | "terminal" | "help" }
  | null;

export interface Entry {
  /** Unique in the palette. */
  id: string;
  title: string;
  look: EntryLook;
  /** At the right; `mono`: it is a path. */
  beside?: string;
  mono?: boolean;
  shortcut?: string | undefined;
  /** Which letters of the title were meant. */
  marks?: readonly number[];
  /** Left out: it changes what is typed. */
  run?: () => void;
  typed?: string;
}

export interface EntryGroup {
  heading: string;
  entries: readonly Entry[];
}

/** One kind of what can be found. Its values are only made into entries when they are listed. */
export interface Source<Value> {
  heading: string;
  /** What it is called while nothing is typed. */
  headingAtFirst?: string;
  values: readonly Value[];
  /** Listed while nothing is typed; left out: none. */
  atFirst?: readonly Value[];
  titleOf(value: Value): string;
  besideOf?(value: Value): string;
  entryOf(value: Value): Entry;
  idOf(value: Value): string;
  most: number;
  /** The first ones count for more. */
  recentFirst?: boolean;
  /** What each of them is worth more than what fits as well in another group. */
  bonus?: number;
}

/** Hides of what kind the values of a source are. */
export type AnySource = (query: string, recent: readonly string[], loosely?: boolean) => RankedGroup | null;

interface RankedGroup extends EntryGroup {
  best: number;
  /** Of each entry. */
  scores: readonly number[];
}

/** What fits much worse than the best of all groups is noise. */
const noiseShare = 0.4;

const mostRecent = 20;
// Less than what a word is worth more than the start of one: neither comes before what fits better.
const recentBonus = 1.5;
const orderBonus = 0.75;

export function source<Value>(each: Source<Value>): AnySource {
  return (query, recent, loosely = false) => {
    if (query === "") {
      const entries = (each.atFirst ?? []).map((value) => each.entryOf(value));
      return entries.length === 0
        ? null
        : { heading: each.headingAtFirst ?? each.heading, entries, best: 0, scores: [] };
    }
    const used = new Map(recent.map((id, index) => [id, recentBonus * (1 - index / mostRecent)]));
    const fitting = ranked(each.values, query, each.titleOf, {
      most: each.most,
      loosely,
      ...(each.besideOf && { besideOf: each.besideOf }),
      bonusOf: (value, index) =>
        (each.bonus ?? 0) +
        (used.get(each.idOf(value)) ?? 0) +
        (each.recentFirst ? orderBonus / (1 + index / 8) : 0),
    });
    const [first] = fitting;
    if (!first) return null;
    const entries = fitting.map(({ value }) => each.entryOf(value));
    const scores = fitting.map(({ score }) => score);
    return { heading: each.heading, entries, best: first.score, scores };
  };
}

/** The group with what fits best comes first; without anything typed they stand in the order of their sources. */
export function groupsOf(
  sources: readonly AnySource[],
  query: string,
  recent: readonly string[],
): EntryGroup[] {
  const found = (loosely: boolean) =>
    sources.map((each) => each(query, recent, loosely)).filter((each) => each !== null);
  const exact = found(false);
  if (query === "") return exact;
  const groups = exact.length > 0 ? exact : found(true);
  groups.sort((a, b) => b.best - a.best);
  const least = (groups[0]?.best ?? 0) * noiseShare;
  return groups
    .filter(({ best }) => best >= least)
    .map(({ heading, entries, scores }) => ({
      heading,
      entries: entries.filter((_, index) => (scores[index] ?? 0) >= least),
    }));
}

/** What was chosen last comes first, each once. */
export function withRecent(recent: readonly string[], id: string): string[] {
  return [id, ...recent.filter((each) => each !== id)].slice(0, mostRecent);
}

/** Those that were used of late first, the others in their order. */
export function recentOnes<Value>(
  values: readonly Value[],
  recent: readonly string[],
  idOf: (value: Value) => string,
): Value[] {
  const places = new Map(recent.map((id, index) => [id, index]));
  const used = values.filter((value) => places.has(idOf(value)));
  used.sort((a, b) => (places.get(idOf(a)) ?? 0) - (places.get(idOf(b)) ?? 0));
  return [...used, ...values.filter((value) => !places.has(idOf(value)))];
}
