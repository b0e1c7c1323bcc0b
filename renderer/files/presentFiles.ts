// Whether files that a message names are there. Many are asked for at once, when a message is drawn.
//
// Races, and what settles each:
// - A message names a file before it is made: what was not there is looked for again when it is drawn again later.
// - It becomes known after a name was drawn, by somebody else's question, and before that name asks: it is drawn once more.
// - The thread that is shown changes: what is known belongs to the workspace.

import { useEffect, useState } from "react";
import { call } from "../state/connection";

const mostAtOnce = 200;
const againAfterMs = 5_000;
const mostKnown = 5_000;

type Known = { present: true } | { present: false; atMs: number };

const known = new Map<string, Known>();
const waiting = new Map<string, Map<string, Set<() => void>>>();
let isDue = false;

const keyOf = (workspaceId: string, path: string) => `${workspaceId} ${path}`;

function ask(): void {
  isDue = false;
  const asked = [...waiting];
  waiting.clear();
  for (const [workspaceId, paths] of asked) {
    const all = [...paths.keys()];
    for (let at = 0; at < all.length; at += mostAtOnce)
      void askFor(workspaceId, all.slice(at, at + mostAtOnce), paths);
  }
}

async function askFor(
  workspaceId: string,
  paths: string[],
  listeners: ReadonlyMap<string, ReadonlySet<() => void>>,
): Promise<void> {
  // Where nobody can tell, they stay words.
  const { present } = await call("files.present", { workspaceId, paths }).catch(() => ({ present: [] }));
  const found = new Set(present);
  if (known.size > mostKnown) known.clear();
  for (const path of paths) {
    known.set(
      keyOf(workspaceId, path),
      found.has(path) ? { present: true } : { present: false, atMs: Date.now() },
    );
    for (const heard of listeners.get(path) ?? []) heard();
  }
}

/** False while it is not known. `workspaceId` null: there is nowhere to look. */
export function useIsPresent(workspaceId: string | null, path: string): boolean {
  const [, draw] = useState(0);
  const isPresent = workspaceId !== null && known.get(keyOf(workspaceId, path))?.present === true;
  useEffect(() => {
    if (workspaceId === null || isPresent) return;
    const now = known.get(keyOf(workspaceId, path));
    if (now?.present) draw((before) => before + 1);
    if (now?.present || (now && Date.now() - now.atMs < againAfterMs)) return;
    let isWanted = true;
    const heard = () => {
      if (isWanted) draw((before) => before + 1);
    };
    const paths = waiting.get(workspaceId) ?? new Map<string, Set<() => void>>();
    waiting.set(workspaceId, paths);
    paths.set(path, (paths.get(path) ?? new Set()).add(heard));
    if (!isDue) setTimeout(ask, 0);
    isDue = true;
    return () => {
      isWanted = false;
    };
  }, [workspaceId, path, isPresent]);
  return isPresent;
}
