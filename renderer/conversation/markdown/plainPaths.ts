// Paths that stand in a message as they are, without any marks: `src/a.ts:12` among other words. Pure.
//
// What looks like one may be none. So whoever draws it asks whether there is such a file in the workspace.

import type { FilePlace } from "../../files/filePlace";
import { namedPath } from "../../files/namedPath";

export interface PlainPiece {
  text: string;
  /** The file that it may be; null: just words. */
  place: FilePlace | null;
}

/** What may be a part of a path; spaces are not, since nobody could say where it ends. */
const words = /[^\s"'<>|*?`${}()=;,!]+/g;
/** No path is as long; what ends a word is looked for from each of its characters on. */
const mostWordUnits = 400;
/** What ends a sentence or a bracket is no part of a path. */
const after = /[.:\]»”’…]+$/;
const before = /^[[«“‘]+/;

export function plainPieces(text: string): PlainPiece[] {
  const pieces: PlainPiece[] = [];
  const say = (from: number, to: number, place: FilePlace | null) => {
    if (to > from) pieces.push({ text: text.slice(from, to), place });
  };
  let at = 0;
  for (const { 0: word, index } of text.matchAll(words)) {
    if (word.length > mostWordUnits) continue;
    const start = index + (before.exec(word)?.[0].length ?? 0);
    const end = index + word.length - (after.exec(word)?.[0].length ?? 0);
    const place = end > start ? pathIn(text, start, end) : null;
    if (place === null) continue;
    say(at, start, null);
    say(start, end, place);
    at = end;
  }
  say(at, text.length, null);
  return pieces;
}

function pathIn(text: string, start: number, end: number): FilePlace | null {
  const name = text.slice(start, end);
  // An address, a mail address, a host with a port, or the rest of something that was cut.
  if (/:\/\/|@|^~/.test(name) || /^[\w.-]+\.[a-z]{2,}:\d+\//i.test(name)) return null;
  if (start > 0 && /[\w=@$~%#&?]$/.test(text.slice(0, start))) return null;
  return namedPath(name);
}
