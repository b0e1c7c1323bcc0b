// The difference of one file as the rows that are drawn: unified, or the two versions beside each other. Pure.

import type { FileDiff } from "../../../preload/contract/changes";
import type { ParsedDiff } from "../../conversation/diff/parseDiff";
import { pairLines, type TextRange, wordDiff } from "../../conversation/diff/wordDiff";
import type { Gap } from "./gaps";

export type DiffHunk = Extract<FileDiff["content"], { kind: "text" }>["hunks"][number];
export type Side = "old" | "new";

export interface GridLine {
  kind: "context" | "added" | "removed";
  text: string;
  oldLine: number | null;
  newLine: number | null;
  /** What is to be said of its end, if anything. */
  endNote: string | null;
  /** The hunk, counted over all sections, and the place in it. null: between hunks; `at` is its number in the new version then. */
  hunk: number | null;
  at: number;
  /** The words that changed inside it. */
  marks: readonly TextRange[];
  /** Where its colours are: in which text, and in which line of it. */
  side: Side;
  index: number;
}

export interface GridHunk {
  /** Its number in the difference it is in, which is what main knows it by. */
  number: number;
  title: string;
  heading: string;
  lines: readonly GridLine[];
}

/** What is between two hunks. */
export interface GridGap {
  gap: Gap;
  top: readonly GridLine[];
  bottom: readonly GridLine[];
}

export interface Section {
  title: string | null;
  hunks: readonly GridHunk[];
  /** One before each hunk and one after the last; none: what is around the hunks is not known. */
  gaps: readonly GridGap[];
}

export interface Grid {
  sections: readonly Section[];
  hunks: readonly GridHunk[];
  /** All lines that are shown, from top to bottom. */
  lines: readonly GridLine[];
  oldText: string;
  newText: string;
}

export type DiffRow =
  | { kind: "section"; key: string; title: string }
  | { kind: "hunk"; key: string; hunk: number }
  /** Lines that are not shown. `at`: which of the gaps it is. */
  | { kind: "gap"; key: string; at: number; gap: Gap }
  | { kind: "line"; key: string; hunk: number | null; line: GridLine }
  | { kind: "pair"; key: string; hunk: number | null; left: GridLine | null; right: GridLine | null }
  | { kind: "comment"; key: string; commentId: string };

/** A difference as main sends it, or one out of a thread's record. */
export interface RawHunk {
  heading: string;
  oldStart: number | null;
  newStart: number | null;
  lines: readonly {
    kind: GridLine["kind"];
    text: string;
    oldLine: number | null;
    newLine: number | null;
    endNote: string | null;
  }[];
}

const noMarks: readonly TextRange[] = [];

export function rawOfMain(hunks: readonly DiffHunk[]): RawHunk[] {
  return hunks.map(({ heading, oldStart, newStart, lines }) => ({
    heading,
    oldStart,
    newStart,
    lines: withEndNotes(lines),
  }));
}

/** Changed lines that end otherwise are told from each other; where all end the same, nothing is said. */
function withEndNotes(lines: DiffHunk["lines"]): RawHunk["lines"] {
  const ends = new Set(lines.map(({ end }) => end).filter((end) => end !== "none"));
  return lines.map(({ end, ...line }) => {
    if (end === "none") return { ...line, endNote: "no line end" };
    const said = ends.size > 1 && line.kind !== "context";
    return { ...line, endNote: said ? (end === "crlf" ? "ends with CR LF" : "ends with LF") : null };
  });
}

export function rawOfThread({ hunks }: ParsedDiff): RawHunk[] {
  return hunks.map(({ heading, lines }) => ({
    heading,
    oldStart: lines.find(({ oldNumber }) => oldNumber !== null)?.oldNumber ?? null,
    newStart: lines.find(({ newNumber }) => newNumber !== null)?.newNumber ?? null,
    lines: lines.map(({ kind, text, oldNumber, newNumber, noLineEnd }) => ({
      kind,
      text,
      oldLine: oldNumber,
      newLine: newNumber,
      endNote: noLineEnd ? "no line end" : null,
    })),
  }));
}

export interface RawSection {
  title: string | null;
  hunks: readonly RawHunk[];
  gaps?: readonly Gap[];
}

export function gridOf(sections: readonly RawSection[]): Grid {
  const oldLines: string[] = [];
  const newLines: string[] = [];
  const hunks: GridHunk[] = [];
  const between = (lines: Gap["top"]) =>
    lines.map((line): GridLine => {
      oldLines.push(line.text);
      newLines.push(line.text);
      const endNote = line.end === "none" ? "no line end" : null;
      const place = { hunk: null, at: line.newLine ?? 0, side: "new", index: newLines.length - 1 } as const;
      return { ...line, ...place, endNote, marks: noMarks };
    });
  // In the order of the file: colours depend on what stands before.
  const gapAt = (gap: Gap | undefined): GridGap[] =>
    gap ? [{ gap, top: between(gap.top), bottom: between(gap.bottom) }] : [];
  const made = sections.map((section): Section => {
    const gaps: GridGap[] = [];
    const own = section.hunks.map((raw, number) => {
      gaps.push(...gapAt(section.gaps?.[number]));
      const lines = gridLines(raw, hunks.length, oldLines, newLines);
      const hunk: GridHunk = { number, title: hunkTitle(raw), heading: raw.heading, lines };
      hunks.push(hunk);
      return hunk;
    });
    gaps.push(...gapAt(section.gaps?.[own.length]));
    return { title: section.title, hunks: own, gaps };
  });
  const lines = made.flatMap((section) => partsOf(section).flatMap((part) => linesIn(part)));
  return { sections: made, hunks, lines, oldText: oldLines.join("\n"), newText: newLines.join("\n") };
}

type Part = { gap: GridGap; at: number } | { hunk: GridHunk };

/** What it consists of, from top to bottom. */
function partsOf({ hunks, gaps }: Section): Part[] {
  const gapAt = (at: number): Part[] => (gaps[at] ? [{ gap: gaps[at], at }] : []);
  return [...hunks.flatMap((hunk, at) => [...gapAt(at), { hunk }]), ...gapAt(hunks.length)];
}

function linesIn(part: Part): readonly GridLine[] {
  return "hunk" in part ? part.hunk.lines : [...part.gap.top, ...part.gap.bottom];
}

function gridLines(raw: RawHunk, hunk: number, oldLines: string[], newLines: string[]): GridLine[] {
  const marks = new Map<number, readonly TextRange[]>();
  for (const { removed, added } of pairLines([...raw.lines])) {
    const words = wordDiff(raw.lines[removed]?.text ?? "", raw.lines[added]?.text ?? "");
    if (!words) continue;
    marks.set(removed, words.removed);
    marks.set(added, words.added);
  }
  return raw.lines.map((line, at) => {
    if (line.kind !== "added") oldLines.push(line.text);
    if (line.kind !== "removed") newLines.push(line.text);
    const side: Side = line.kind === "removed" ? "old" : "new";
    const index = (side === "old" ? oldLines.length : newLines.length) - 1;
    return { ...line, hunk, at, marks: marks.get(at) ?? noMarks, side, index };
  });
}

function hunkTitle({ oldStart, newStart, lines }: RawHunk): string {
  const count = (side: "oldLine" | "newLine", start: number | null) => {
    if (start === null) return null;
    const numbers = lines.flatMap((line) => line[side] ?? []);
    const [first] = numbers;
    const last = numbers.at(-1);
    if (first === undefined || last === undefined) return null;
    return first === last ? `line ${first}` : `lines ${first}–${last}`;
  };
  return count("newLine", newStart) ?? count("oldLine", oldStart) ?? "Change";
}

/** A line by its place: the comments that stand below it are known by it. */
export function lineKey({ hunk, at }: Pick<GridLine, "hunk" | "at">): string {
  return `${hunk ?? "between"}.${at}`;
}

/**
 * Each hunk by what it is, not by its number: when one before it comes or goes, its rows stay the same rows, with the keyboard
 * and the pointer on them, and no button becomes another hunk's between a look at it and the press.
 */
function hunkNames(hunks: readonly GridHunk[]): string[] {
  const used = new Map<string, number>();
  return hunks.map(({ title, lines }) => {
    const changed = lines.filter(({ kind }) => kind !== "context");
    const what = hashOf([title, ...changed.map(({ kind, text }) => `${kind} ${text}`)].join("\n"));
    const before = used.get(what) ?? 0;
    used.set(what, before + 1);
    return before === 0 ? what : `${what}-${before}`;
  });
}

/** FNV-1a. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  }
  return hash.toString(36);
}

/** `commentsAt`: by the key of the line that they stand below. */
export function diffRows(
  grid: Grid,
  { split, commentsAt }: { split: boolean; commentsAt: ReadonlyMap<string, readonly string[]> },
): DiffRow[] {
  const rows: DiffRow[] = [];
  const comments = (...lines: (GridLine | null)[]) => {
    for (const line of lines) {
      for (const commentId of (line && commentsAt.get(lineKey(line))) ?? []) {
        rows.push({ kind: "comment", key: commentId, commentId });
      }
    }
  };
  const names = hunkNames(grid.hunks);
  let hunk = -1;
  for (const [number, section] of grid.sections.entries()) {
    if (section.title !== null) rows.push({ kind: "section", key: `s${number}`, title: section.title });
    const draw = (lines: readonly GridLine[], of: number | null, name: string) => {
      if (!split) {
        for (const line of lines) {
          rows.push({ kind: "line", key: `l${name}.${line.at}`, hunk: of, line });
          comments(line);
        }
        return;
      }
      for (const { left, right } of pairs(lines)) {
        const { at } = left ?? (right as GridLine);
        rows.push({ kind: "pair", key: `p${name}.${at}`, hunk: of, left, right });
        if (left === right) comments(left);
        else comments(left, right);
      }
    };
    for (const part of partsOf(section)) {
      if ("hunk" in part) {
        hunk += 1;
        const name = names[hunk] ?? "";
        rows.push({ kind: "hunk", key: `h${name}`, hunk });
        draw(part.hunk.lines, hunk, name);
        continue;
      }
      const { top, bottom, gap } = part.gap;
      draw(top, null, "between");
      if (gap.hidden !== null) rows.push({ kind: "gap", key: `g${part.at}`, at: part.at, gap });
      draw(bottom, null, "between");
    }
  }
  return rows;
}

interface Pair {
  left: GridLine | null;
  right: GridLine | null;
}

/** Context on both sides; what was removed beside what was added in its place. */
function pairs(lines: readonly GridLine[]): Pair[] {
  const made: Pair[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] as GridLine;
    if (line.kind === "context") {
      made.push({ left: line, right: line });
      at += 1;
      continue;
    }
    const removed: GridLine[] = [];
    const added: GridLine[] = [];
    for (; lines[at]?.kind === "removed"; at += 1) removed.push(lines[at] as GridLine);
    for (; lines[at]?.kind === "added"; at += 1) added.push(lines[at] as GridLine);
    for (let each = 0; each < Math.max(removed.length, added.length); each += 1) {
      made.push({ left: removed[each] ?? null, right: added[each] ?? null });
    }
  }
  return made;
}

/** The lines that a row is about. In a pair of context both are the same one. */
export function linesOf(row: DiffRow | undefined): GridLine[] {
  if (row?.kind === "line") return [row.line];
  if (row?.kind !== "pair") return [];
  const { left, right } = row;
  if (left === right) return left === null ? [] : [left];
  return [left, right].filter((line) => line !== null);
}

function isChange(row: DiffRow | undefined): boolean {
  return linesOf(row).some(({ kind }) => kind !== "context");
}

/** Where each stretch of changed lines begins. */
export function changeStarts(rows: readonly DiffRow[]): number[] {
  const starts: number[] = [];
  let inside = false;
  for (const [index, row] of rows.entries()) {
    // A comment in the middle of a change does not end it.
    if (row.kind === "comment") continue;
    const is = isChange(row);
    if (is && !inside) starts.push(index);
    inside = is;
  }
  return starts;
}

/** What is said of a line to whoever does not see its colour and place. */
export function lineWords(line: GridLine): string {
  const number = line.kind === "removed" ? line.oldLine : line.newLine;
  const kind = line.kind === "context" ? "" : `${line.kind}, `;
  const note = line.endNote === null ? "" : ` (${line.endNote})`;
  return `${kind}line ${number ?? "unknown"}: ${line.text}${note}`;
}
