// The order of follow-ups under the hands of somebody who changes it. Pure.
//
// Race: the list changes while one is dragged or a move is on its way: an entry is taken up, another window moves one. So a
// place is never a number. It is "before this one", looked up in the list as it is at that moment; and when that one has
// gone, before the next one that was meant to come after it.

/** null: at the end. */
export type Place = string | null;

export interface Move {
  clientId: string;
  before: Place;
}

export interface Entry {
  clientId: string;
}

/** The entries with moves that are not confirmed yet. One that is about an entry that has gone changes nothing. */
export function withMoves<Each extends Entry>(
  entries: readonly Each[],
  moves: readonly Move[],
): readonly Each[] {
  let shown = entries;
  for (const { clientId, before } of moves) {
    const moved = shown.find((each) => each.clientId === clientId);
    if (!moved || clientId === before) continue;
    const others = shown.filter((each) => each !== moved);
    const at = before === null ? others.length : others.findIndex((each) => each.clientId === before);
    if (at >= 0) shown = [...others.slice(0, at), moved, ...others.slice(at)];
  }
  return shown;
}

/** Moving it there would change nothing. */
export function standsThere(ids: readonly string[], clientId: string, before: Place): boolean {
  const at = ids.indexOf(clientId);
  return at >= 0 && (before === clientId || (ids[at + 1] ?? null) === before);
}

/** Where one step up or down leads; undefined: there is no step. */
export function stepPlace(ids: readonly string[], clientId: string, by: 1 | -1): Place | undefined {
  const at = ids.indexOf(clientId);
  const to = at + by;
  if (at < 0 || to < 0 || to >= ids.length) return undefined;
  return by === -1 ? (ids[to] ?? null) : (ids[to + 1] ?? null);
}

/** In `wanted`, `clientId` has its place; the same place among those that are there now. */
export function samePlace(wanted: readonly string[], clientId: string, now: readonly string[]): Place {
  const after = wanted.slice(wanted.indexOf(clientId) + 1);
  return after.find((id) => id !== clientId && now.includes(id)) ?? null;
}

export interface RowBox extends Entry {
  top: number;
  bottom: number;
}

const middleWidthPx = 1;

/**
 * Where a dragged row comes to stand when it is let go at `y`; `rows` from top to bottom. At the middle of another row it
 * takes that row's place, from whichever side it comes.
 */
export function dropPlace(rows: readonly RowBox[], dragged: string, y: number): Place {
  const from = rows.findIndex(({ clientId }) => clientId === dragged);
  for (const [at, { clientId, top, bottom }] of rows.entries()) {
    if (at === from) continue;
    const middle = (top + bottom) / 2;
    if (at > from ? y < middle - middleWidthPx : y <= middle + middleWidthPx) return clientId;
  }
  return null;
}
