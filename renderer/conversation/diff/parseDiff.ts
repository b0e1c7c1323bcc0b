// Reads the diff of one changed file into lines that can be shown. codex sends unified hunks for a changed file and the
// bare content for an added or a deleted one; a diff that was too long has lost its beginning. All three are read, none
// is guessed at: a line whose number is not known has none.

export interface DiffLine {
  kind: "context" | "added" | "removed";
  text: string;
  oldNumber: number | null;
  newNumber: number | null;
  /** True for a last line without a line end. */
  noLineEnd: boolean;
}

export interface DiffHunk {
  /** What follows the second @@: usually the function that the hunk is in. */
  heading: string;
  lines: DiffLine[];
}

export interface ParsedDiff {
  hunks: DiffHunk[];
  added: number;
  removed: number;
  lineCount: number;
}

const hunkHeader = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/;

function isUnified(lines: string[], change: "add" | "delete" | "update"): boolean {
  // The bare content of a file may hold anything, a diff included; only a header near its top makes it a diff.
  const top = change === "update" ? lines : lines.slice(0, 6);
  return top.some((line) => hunkHeader.test(line));
}

function splitLines(text: string): { lines: string[]; endsWithLineEnd: boolean } {
  const lines = text.split("\n");
  const endsWithLineEnd = lines.at(-1) === "";
  if (endsWithLineEnd) lines.pop();
  return { lines: lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line)), endsWithLineEnd };
}

function bareContent(text: string, kind: "added" | "removed"): ParsedDiff {
  const { lines, endsWithLineEnd } = splitLines(text);
  if (lines.length === 0) return { hunks: [], added: 0, removed: 0, lineCount: 0 };
  const hunk: DiffHunk = {
    heading: "",
    lines: lines.map((line, index) => ({
      kind,
      text: line,
      oldNumber: kind === "removed" ? index + 1 : null,
      newNumber: kind === "added" ? index + 1 : null,
      noLineEnd: !endsWithLineEnd && index === lines.length - 1,
    })),
  };
  const count = lines.length;
  return {
    hunks: [hunk],
    added: kind === "added" ? count : 0,
    removed: kind === "removed" ? count : 0,
    lineCount: count,
  };
}

function kindOf(line: string): DiffLine["kind"] | null {
  // Some tools drop the blank of an empty context line.
  if (line === "" || line.startsWith(" ")) return "context";
  if (line.startsWith("+")) return "added";
  if (line.startsWith("-")) return "removed";
  return null;
}

/** `cut` says that the beginning of the diff was left out. */
export function parseDiff(text: string, change: "add" | "delete" | "update", cut = false): ParsedDiff {
  const { lines } = splitLines(text);
  if (change !== "update" && !isUnified(lines, change)) {
    return bareContent(text, change === "add" ? "added" : "removed");
  }
  const hunks: DiffHunk[] = [];
  let hunk: DiffHunk | null = null;
  let oldNumber: number | null = null;
  let newNumber: number | null = null;
  // How many lines of each side the header promised; null in the part whose header was left out.
  let oldLeft: number | null = null;
  let newLeft: number | null = null;
  let added = 0;
  let removed = 0;
  if (cut && !hunkHeader.test(lines[0] ?? "")) {
    hunk = { heading: "", lines: [] };
    hunks.push(hunk);
    // The first line is most likely cut in half: it is not shown as something that it is not.
    lines.shift();
  }
  for (const line of lines) {
    const header = hunkHeader.exec(line);
    const hunkIsFull = oldLeft === 0 && newLeft === 0;
    if (header && (hunk === null || hunkIsFull || oldLeft === null)) {
      hunk = { heading: header[5] ?? "", lines: [] };
      hunks.push(hunk);
      oldNumber = Number(header[1]);
      newNumber = Number(header[3]);
      oldLeft = header[2] === undefined ? 1 : Number(header[2]);
      newLeft = header[4] === undefined ? 1 : Number(header[4]);
      continue;
    }
    if (hunk === null) continue;
    if (line.startsWith("\\")) {
      const last = hunk.lines.at(-1);
      if (last) last.noLineEnd = true;
      continue;
    }
    // What follows a full hunk is not part of it: "Moved to: ...", the header of the next file.
    if (hunkIsFull) continue;
    const kind = kindOf(line);
    if (kind === null) continue;
    const takesOld = kind !== "added";
    const takesNew = kind !== "removed";
    hunk.lines.push({
      kind,
      text: line.slice(1),
      oldNumber: takesOld ? oldNumber : null,
      newNumber: takesNew ? newNumber : null,
      noLineEnd: false,
    });
    if (takesOld && oldNumber !== null) oldNumber++;
    if (takesNew && newNumber !== null) newNumber++;
    if (takesOld && oldLeft !== null) oldLeft = Math.max(0, oldLeft - 1);
    if (takesNew && newLeft !== null) newLeft = Math.max(0, newLeft - 1);
    if (kind === "added") added++;
    if (kind === "removed") removed++;
  }
  const filled = hunks.filter((each) => each.lines.length > 0);
  return {
    hunks: filled,
    added,
    removed,
    lineCount: filled.reduce((sum, each) => sum + each.lines.length, 0),
  };
}

/** The number that stands beside a line: its place in the new file, or in the old one for a removed line. */
export function shownNumber(line: DiffLine): number | null {
  return line.kind === "removed" ? line.oldNumber : line.newNumber;
}
