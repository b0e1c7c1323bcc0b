// What the person is told while they look elsewhere, as a machine: `decide(state, event)` gives the next state and what is to
// be shown or taken away. Pure: what is in front, the settings and the time come with each event.
//
// Races, and what settles each:
// - The end of one turn is told twice, in whatever order and after a reconnect; a request comes again after a resume: each
//   has an id that is known from the first time on, whether it was shown or not.
// - It is answered, or its thread comes to the front, while it waits to be shown with what else comes in the same moment:
//   it is not shown any more. After it was shown: it is taken away.
// - The person turns to another window the moment after: what was in front when it happened has been seen.
// - Many at once: one notification for all of them.
// - Turns ended while Holdfast was away, and are found one after the other at the start: one notification sums them up, at
//   most one in the life of the app; what is found later is marked in the sidebar only.

import type { NotificationSettings } from "../../preload/contract/attention";

export type NewsKind = "finished" | "failed" | "needsYou" | "script";

/** One thing worth telling. */
export interface News {
  /** The same for the same thing, however often it is told. */
  id: string;
  kind: NewsKind;
  /** The thread that it is about, and its parents, upwards; empty: none. */
  threads: readonly string[];
  /** The run of a script that it is about. */
  runId: string | null;
}

/** What has the keyboard: the window of Holdfast's that is in front, and what it shows. */
export type Front = { focused: false } | { focused: true; threadId: string | null; runId: string | null };

export interface Circumstances {
  front: Front;
  settings: NotificationSettings;
  nowMs: number;
}

export interface Shown {
  id: string;
  news: readonly News[];
  /** It sums up what ended while Holdfast was away. */
  isSummary: boolean;
}

export interface AttentionState {
  /** What was told, or seen, by id, the newest last. */
  known: readonly string[];
  /** What waits for an answer. */
  waiting: readonly News[];
  /** To be shown when the moment is over. */
  gathering: readonly News[];
  /** Its end has been asked for. */
  isMoment: boolean;
  shown: readonly Shown[];
  /** What ended while Holdfast was away. */
  away:
    | { phase: "nothing found" }
    | { phase: "finding"; sinceMs: number; news: readonly News[] }
    | { phase: "told" };
}

export type AttentionEvent = { with: Circumstances } & (
  | { type: "happened"; news: News }
  /** All that waits for an answer now. `old`: the ids that had been waiting before Holdfast was started. */
  | { type: "waiting"; news: readonly News[]; old: ReadonlySet<string> }
  /** A turn has ended while Holdfast was not there. */
  | { type: "ended away"; news: News }
  /** The person looks at something else, or away. */
  | { type: "looked" }
  | { type: "moment over" }
  | { type: "finding over" }
  /** The person has clicked it or put it away. */
  | { type: "closed"; id: string }
);

export type AttentionEffect =
  | { type: "show"; shown: Shown }
  | { type: "withdraw"; id: string }
  /** Send `moment over` after this time. */
  | { type: "gather"; afterMs: number }
  /** Send `finding over` after this time, and not at an earlier one that was asked for. */
  | { type: "find"; afterMs: number };

type Decided = [AttentionState, AttentionEffect[]];

export const quiet: AttentionState = {
  known: [],
  waiting: [],
  gathering: [],
  isMoment: false,
  shown: [],
  away: { phase: "nothing found" },
};

export const momentMs = 400;
export const findingMs = 2_000;
export const longestFindingMs = 12_000;
/** More in one moment are told together. */
export const mostApart = 3;
export const mostKnown = 2_000;
export const mostShown = 60;

export function decideAttention(state: AttentionState, event: AttentionEvent): Decided {
  switch (event.type) {
    case "happened":
      return happened(state, event.news, event.with);
    case "waiting":
      return waits(state, event);
    case "ended away":
      return endedAway(state, event.news, event.with);
    case "looked":
      return takenAway(state, (news) => isInFront(news, event.with.front));
    case "moment over":
      return momentOver(state);
    case "finding over":
      return findingOver(state, event.with);
    case "closed":
      return [{ ...state, shown: state.shown.filter(({ id }) => id !== event.id) }, []];
    default:
      return event satisfies never;
  }
}

function happened(state: AttentionState, news: News, now: Circumstances): Decided {
  if (state.known.includes(news.id)) return [state, []];
  const next = withKnown(state, [news.id]);
  if (!isToBeTold(news, now)) return [next, []];
  return gathered(next, [news]);
}

function waits(state: AttentionState, event: Extract<AttentionEvent, { type: "waiting" }>): Decided {
  const { news, old, with: now } = event;
  const still = new Set(news.map(({ id }) => id));
  const over = new Set(state.waiting.flatMap(({ id }) => (still.has(id) ? [] : id)));
  const [without, withdrawn] = takenAway(state, ({ id }) => over.has(id));
  const fresh = news.filter(({ id }) => !state.known.includes(id));
  const told = fresh.filter((each) => isToBeTold(each, now));
  let decided: Decided = [
    {
      ...withKnown(
        without,
        fresh.map(({ id }) => id),
      ),
      waiting: news,
    },
    withdrawn,
  ];
  for (const each of told) {
    if (old.has(each.id)) decided = then(decided, (next) => found(next, each, now));
  }
  return then(decided, (next) =>
    gathered(
      next,
      told.filter(({ id }) => !old.has(id)),
    ),
  );
}

function endedAway(state: AttentionState, news: News, now: Circumstances): Decided {
  if (state.known.includes(news.id)) return [state, []];
  const next = withKnown(state, [news.id]);
  return isToBeTold(news, now) ? found(next, news, now) : [next, []];
}

function found(state: AttentionState, news: News, { nowMs }: Circumstances): Decided {
  const { away } = state;
  if (away.phase === "told") return [state, []];
  const sinceMs = away.phase === "finding" ? away.sinceMs : nowMs;
  const found = away.phase === "finding" ? [...away.news, news] : [news];
  const left = sinceMs + longestFindingMs - nowMs;
  return [
    { ...state, away: { phase: "finding", sinceMs, news: found } },
    [{ type: "find", afterMs: Math.max(0, Math.min(findingMs, left)) }],
  ];
}

function findingOver(state: AttentionState, now: Circumstances): Decided {
  if (state.away.phase !== "finding") return [state, []];
  const news = state.away.news.filter((each) => isToBeTold(each, now));
  const next: AttentionState = { ...state, away: { phase: "told" } };
  return news.length === 0 ? [next, []] : shown(next, [{ id: "away", news, isSummary: true }]);
}

function gathered(state: AttentionState, news: readonly News[]): Decided {
  if (news.length === 0) return [state, []];
  const effects: AttentionEffect[] = state.isMoment ? [] : [{ type: "gather", afterMs: momentMs }];
  return [{ ...state, gathering: [...state.gathering, ...news], isMoment: true }, effects];
}

/** What waits for the person is not told together with what does not. */
function momentOver(state: AttentionState): Decided {
  const asks = state.gathering.filter(({ kind }) => kind === "needsYou");
  const tells = state.gathering.filter(({ kind }) => kind !== "needsYou");
  return shown({ ...state, gathering: [], isMoment: false }, [
    ...apartOrTogether(asks),
    ...apartOrTogether(tells),
  ]);
}

function apartOrTogether(news: readonly News[]): Shown[] {
  const [first] = news;
  if (first === undefined) return [];
  if (news.length > mostApart) return [{ id: `${first.id} and more`, news, isSummary: false }];
  return news.map((each) => ({ id: each.id, news: [each], isSummary: false }));
}

function shown(state: AttentionState, added: readonly Shown[]): Decided {
  const effects: AttentionEffect[] = [];
  let kept = state.shown;
  for (const each of added) {
    // The newest end of a thread takes the place of the one before.
    const older = kept.filter((other) => isReplaced(other, each));
    effects.push(...older.map(({ id }): AttentionEffect => ({ type: "withdraw", id })));
    kept = [...kept.filter((other) => !older.includes(other)), each];
    effects.push({ type: "show", shown: each });
  }
  const tooMany = kept.slice(0, Math.max(0, kept.length - mostShown));
  effects.push(...tooMany.map(({ id }): AttentionEffect => ({ type: "withdraw", id })));
  return [{ ...state, shown: kept.slice(tooMany.length) }, effects];
}

function isReplaced(older: Shown, newer: Shown): boolean {
  const [was, is] = [older.news[0], newer.news[0]];
  if (!was || !is || older.news.length > 1 || newer.news.length > 1) return false;
  const isEnd = (news: News) => news.kind === "finished" || news.kind === "failed";
  return isEnd(was) && isEnd(is) && was.threads[0] === is.threads[0];
}

/** Nobody needs to be told of these any more. One that tells of several goes with the last of them. */
function takenAway(state: AttentionState, which: (news: News) => boolean): Decided {
  const gathering = state.gathering.filter((news) => !which(news));
  const effects: AttentionEffect[] = [];
  const kept: Shown[] = [];
  for (const each of state.shown) {
    const news = each.news.filter((one) => !which(one));
    if (news.length === 0) effects.push({ type: "withdraw", id: each.id });
    else kept.push(news.length === each.news.length ? each : { ...each, news });
  }
  const away =
    state.away.phase === "finding"
      ? { ...state.away, news: state.away.news.filter((news) => !which(news)) }
      : state.away;
  return [{ ...state, gathering, shown: kept, away }, effects];
}

function isToBeTold(news: News, { front, settings }: Circumstances): boolean {
  if (front.focused && settings.onlyWhenAway) return false;
  return isWanted(news.kind, settings) && !isInFront(news, front);
}

function isWanted(kind: NewsKind, settings: NotificationSettings): boolean {
  switch (kind) {
    case "finished":
      return settings.finished;
    case "failed":
      return settings.failed;
    case "needsYou":
      return settings.needsYou;
    case "script":
      return settings.scripts;
    default:
      return kind satisfies never;
  }
}

/** What an agent asks is shown at the agent and at all its parents. */
export function isInFront({ threads, runId }: News, front: Front): boolean {
  if (!front.focused) return false;
  if (front.runId !== null && front.runId === runId) return true;
  return front.threadId !== null && threads.includes(front.threadId);
}

/** What still waits stays known, however much else is told. */
function withKnown(state: AttentionState, ids: readonly string[]): AttentionState {
  const known = [...state.known, ...ids];
  const tooMany = known.length - mostKnown;
  if (tooMany <= 0) return { ...state, known };
  const waiting = new Set(state.waiting.map(({ id }) => id));
  return { ...state, known: known.filter((id, index) => index >= tooMany || waiting.has(id)) };
}

function then([state, effects]: Decided, next: (state: AttentionState) => Decided): Decided {
  const [after, more] = next(state);
  return [after, [...effects, ...more]];
}
