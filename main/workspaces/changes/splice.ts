// Takes over a part of a difference: some hunks, or some lines of them. Pure, and exact: what a line is made of stays.

import type { RawHunk, RawLine } from "./diffText";

export interface Part {
  hunk: number;
  /** By their place in the hunk; null: all. */
  lines: readonly number[] | null;
}

/** `misfit`: the text is not the one that the difference was made of. `nothing`: no line that differs was chosen. */
export type Spliced = { outcome: "done"; text: Buffer } | { outcome: "misfit" } | { outcome: "nothing" };

type Direction = "forward" | "backward";

interface TextLine {
  /** Without the "\n". */
  bytes: Buffer;
  hasNewline: boolean;
}

interface Placed {
  line: RawLine;
  isChosen: boolean;
}

const carriageReturn = 0x0d;

/**
 * `forward`: `text` is the old one, and gets what was chosen. `backward`: it is the new one, and what was chosen is taken back.
 * The text may have "\r\n" where the difference has "\n": so it is in a folder whose line ends git converts.
 */
export function splice(
  text: Buffer,
  hunks: readonly RawHunk[],
  parts: readonly Part[],
  direction: Direction,
): Spliced {
  const chosen = new Map(parts.map((part) => [part.hunk, part.lines === null ? null : new Set(part.lines)]));
  if ([...chosen.keys()].some((hunk) => hunks[hunk] === undefined)) return { outcome: "misfit" };
  const lines = linesOf(text);
  const result: TextLine[] = [];
  let at = 0;
  let isAny = false;
  for (const [index, hunk] of hunks.entries()) {
    const wanted = chosen.get(index);
    if (wanted === undefined) continue;
    const [start, count] =
      direction === "forward" ? [hunk.oldStart, hunk.oldLines] : [hunk.newStart, hunk.newLines];
    // Of no lines, git names the one before.
    const from = count === 0 ? start : start - 1;
    result.push(...lines.slice(at, from));
    at = from + count;
    const placed = hunk.lines.map((line, place) => {
      const isChosen = line.kind !== "context" && (wanted === null || wanted.has(place));
      if (isChosen) isAny = true;
      return { line, isChosen };
    });
    const changed = spliceHunk(lines.slice(from, at), placed, direction);
    if (changed === null) return { outcome: "misfit" };
    result.push(...changed);
  }
  if (!isAny) return { outcome: "nothing" };
  result.push(...lines.slice(at));
  return { outcome: "done", text: joined(result) };
}

/** null: these are not its lines. */
function spliceHunk(own: TextLine[], placed: readonly Placed[], direction: Direction): TextLine[] | null {
  const ownKind = direction === "forward" ? "removed" : "added";
  const expected = placed.filter(({ line }) => line.kind === "context" || line.kind === ownKind);
  if (expected.length !== own.length) return null;
  let isConverted = false;
  for (const [place, { line }] of expected.entries()) {
    const found = own[place];
    if (found === undefined || found.hasNewline !== line.hasNewline) return null;
    if (found.bytes.equals(line.bytes)) continue;
    const isSame = found.bytes.at(-1) === carriageReturn && found.bytes.subarray(0, -1).equals(line.bytes);
    if (!isSame) return null;
    isConverted = true;
  }
  const result: TextLine[] = [];
  let next = 0;
  for (let place = 0; place < placed.length; ) {
    if (placed[place]?.line.kind === "context") {
      const kept = own[next++];
      if (kept) result.push(kept);
      place += 1;
      continue;
    }
    let end = place;
    while (end < placed.length && placed[end]?.line.kind !== "context") end += 1;
    const block = placed.slice(place, end);
    const mine = block.filter(({ line }) => line.kind === ownKind);
    const others = block.filter(({ line }) => line.kind !== ownKind);
    // Lines that are changed one by one, and chosen so, are changed where they stand. All else is in git's order.
    const isPaired =
      mine.length === others.length &&
      mine.every(({ isChosen }, pair) => isChosen === others[pair]?.isChosen);
    const size = isPaired ? 1 : Math.max(mine.length, others.length);
    for (let from = 0; from < Math.max(mine.length, others.length); from += size) {
      const kept = mine.slice(from, from + size).flatMap(({ isChosen }) => {
        const line = own[next++];
        return line === undefined || isChosen ? [] : [line];
      });
      const taken = others
        .slice(from, from + size)
        .filter(({ isChosen }) => isChosen)
        .map(({ line }) => (isConverted ? withReturn(line) : line));
      result.push(...(direction === "forward" ? [...kept, ...taken] : [...taken, ...kept]));
    }
    place = end;
  }
  return result;
}

function withReturn({ bytes, hasNewline }: TextLine): TextLine {
  if (!hasNewline || bytes.at(-1) === carriageReturn) return { bytes, hasNewline };
  return { bytes: Buffer.concat([bytes, Buffer.from([carriageReturn])]), hasNewline };
}

function linesOf(text: Buffer): TextLine[] {
  const lines: TextLine[] = [];
  let from = 0;
  for (let to = text.indexOf(0x0a); to >= 0; to = text.indexOf(0x0a, from)) {
    lines.push({ bytes: text.subarray(from, to), hasNewline: true });
    from = to + 1;
  }
  if (from < text.length) lines.push({ bytes: text.subarray(from), hasNewline: false });
  return lines;
}

function joined(lines: readonly TextLine[]): Buffer {
  const newline = Buffer.from("\n");
  return Buffer.concat(
    lines.flatMap(({ bytes, hasNewline }, index) =>
      // What ended the file without a newline may not be its end any more.
      hasNewline || index < lines.length - 1 ? [bytes, newline] : [bytes],
    ),
  );
}
