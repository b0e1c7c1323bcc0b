// A text with stretches missing, cut into the parts between them. Pure. Each part but the last is finished: what is added to
// the text changes only the last one, so nothing above a mark moves while the text goes on below it.

/** One part more than there are gaps; a part may be empty. An offset behind the text counts as its end. */
export function partsBetween(text: string, gaps: readonly number[]): string[] {
  const starts = [0, ...gaps.map((gap) => Math.min(gap, text.length))];
  return starts.map((start, index) => text.slice(start, starts[index + 1]));
}

/** What brings the missing text when it ends. */
export type GapEnd = "message" | "plan" | "thought";

/** What is said where text is missing. `endsWith` null: it does not come any more. */
export function gapWords(endsWith: GapEnd | null): string {
  return endsWith === null
    ? "Some text was missed while disconnected."
    : `Some text was missed while disconnected; it is complete when the ${endsWith} ends.`;
}

/**
 * A command says something now and then: whether it did while nobody listened is not known before its end, when codex has
 * all of it.
 */
export function outputGapWords(isRunning: boolean): string {
  return isRunning
    ? "Holdfast was disconnected here; what was printed meanwhile is here when the command ends."
    : "Holdfast was disconnected here; some output may be missing.";
}

/** Stands in copied text where some is missing. */
const copiedMark = "[…]";

/** The text of a message to be copied: where it is missing is said. */
export function copiedText(text: string, gaps: readonly number[]): string {
  return partsBetween(text, gaps).reduce((before, part) => {
    const left = before === "" || /\s$/.test(before) ? "" : " ";
    const right = part === "" || /^\s/.test(part) ? "" : " ";
    return `${before}${left}${copiedMark}${right}${part}`;
  });
}

/** Output to be copied: the mark stands on a line of its own. `plain` takes the control sequences out of a part. */
export function copiedOutput(
  text: string,
  gaps: readonly number[],
  plain: (part: string) => string = (part) => part,
): string {
  return outputBetween(text, gaps)
    .map(plain)
    .reduce((before, part) => {
      const left = before === "" || before.endsWith("\n") ? "" : "\n";
      return `${before}${left}${copiedMark}\n${part}`;
    });
}

interface Fence {
  marker: string;
  info: string;
}

const fenceLine = /^ {0,3}(`{3,}|~{3,})([^\n]*)$/;

function fenceIn(line: string): Fence | null {
  const [, marker = "", info = ""] = fenceLine.exec(line) ?? [];
  if (marker === "" || (marker.startsWith("`") && info.includes("`"))) return null;
  return { marker, info: info.trim() };
}

function closes(fence: Fence, open: Fence): boolean {
  return fence.info === "" && fence.marker[0] === open.marker[0] && fence.marker.length >= open.marker.length;
}

/** The fence in which `part` ends, if it began in `open`; null: in none. */
function fenceAtEnd(part: string, open: Fence | null): Fence | null {
  let current = open;
  for (const line of part.split("\n")) {
    const fence = fenceIn(line);
    if (fence === null) continue;
    if (current === null) current = fence;
    else if (closes(fence, current)) current = null;
  }
  return current;
}

/** Whether the first fence in `part` is one that begins code: then the code before it has ended in what is missing. */
function beginsAnew(part: string): boolean {
  for (const line of part.split("\n")) {
    const fence = fenceIn(line);
    if (fence !== null) return fence.info !== "";
  }
  return false;
}

/**
 * The parts of a markdown text, each of which can be read by itself: code that was cut goes on as code, and its end does not
 * turn what stands below it into code.
 */
export function markdownBetween(text: string, gaps: readonly number[]): string[] {
  let open: Fence | null = null;
  return partsBetween(text, gaps).map((part) => {
    const goesOn: Fence | null = beginsAnew(part) ? null : open;
    open = fenceAtEnd(part, goesOn);
    return goesOn !== null && part !== "" ? `${goesOn.marker}${goesOn.info}\n${part}` : part;
  });
}

/**
 * The parts of a command's output. Each begins on a line of its own: the line end after which, or before which, the output
 * was cut is not shown as an empty line.
 */
export function outputBetween(text: string, gaps: readonly number[]): string[] {
  return partsBetween(text, gaps).map((part, index, parts) => {
    const before = parts[index - 1];
    const startsLine = before !== undefined && !before.endsWith("\n") && part.startsWith("\n");
    return startsLine ? part.slice(1) : part;
  });
}
