// The lines around the hunks of a difference that are the same in both versions, of which git shows three.
//
// Race: the file or the index changes after the person has seen the difference. Lines are given only for the difference that has
// the fingerprint of the one that was seen, and only when both looks name the same two contents. Else it is refused.

import type { DiffLine } from "../../../preload/contract/changes";
import { Fault } from "../../fault";
import { changedMeanwhile } from "./changedMeanwhile";
import { everything, type RawDiff, readDiff } from "./diffText";
import { viewLine } from "./lineView";
import { type AskedDiff, findDiff } from "./rawDiff";
import type { ChangesRepository } from "./repository";

export interface AskedContext extends AskedDiff {
  fingerprint: string;
  /** In the new version, from 1, both included. */
  firstLine: number;
  lastLine: number;
}

const usualAround = 3;
/** As much as git counts: every line of the file is around the one hunk that there is then. */
const allAround = 100_000_000;
const mostLines = 2_000;
const mostBytes = 400_000;
/** In which the head of the first hunk is for certain: it says how many lines there are. */
const headBytes = 64 * 1024;

/** The first of these lines, as many as are given at once; none of those that are changed. Throws Fault `changed_meanwhile`. */
export async function contextLines(repository: ChangesRepository, asked: AskedContext): Promise<DiffLine[]> {
  const seen = await findDiff(repository, asked);
  if (seen.fingerprint !== asked.fingerprint || seen.kind !== "found") throw changedMeanwhile();
  const all = await lookAround(repository, asked);
  const [small, whole] = [readDiff(seen.output, everything)?.diff, readDiff(all.output, everything)?.diff];
  if (!small || !whole || small.oldSha !== whole.oldSha || small.newSha !== whole.newSha) {
    throw changedMeanwhile();
  }
  if (all.isCut) {
    throw new Fault("file_too_large", "This file is too large for more of it to be shown here.", {
      hint: "Open it in your editor.",
    });
  }
  return linesWithin(whole, asked);
}

async function lookAround(
  repository: ChangesRepository,
  asked: AskedDiff,
  mostBytes?: number,
): Promise<{ output: Buffer; isCut: boolean }> {
  const found = await findDiff(repository, asked, { around: allAround, mostBytes });
  return found.kind === "found" ? found : { output: Buffer.alloc(0), isCut: false };
}

function linesWithin(whole: RawDiff, { firstLine, lastLine }: AskedContext): DiffLine[] {
  const lines: DiffLine[] = [];
  let bytesLeft = mostBytes;
  for (const hunk of whole.hunks) {
    let { oldStart: oldLine, newStart: newLine } = hunk;
    for (const line of hunk.lines) {
      if (line.kind === "context" && newLine >= firstLine && newLine <= lastLine) {
        lines.push({ ...viewLine(line), oldLine, newLine });
        bytesLeft -= line.bytes.length;
        if (lines.length >= mostLines || bytesLeft <= 0) return lines;
      }
      if (line.kind !== "added") oldLine += 1;
      if (line.kind !== "removed") newLine += 1;
    }
  }
  return lines;
}

/** How many lines there are after the last hunk; null: it is not known. */
export async function linesAfter(
  repository: ChangesRepository,
  asked: AskedDiff,
  { hunks, isCut, newMode }: RawDiff,
): Promise<number | null> {
  const last = hunks.at(-1);
  if (isCut || !last) return null;
  // Where fewer follow than git would show, the file ends there.
  const follow = last.lines.length - 1 - last.lines.findLastIndex(({ kind }) => kind !== "context");
  if (newMode === null || follow < usualAround) return 0;
  const { output } = await lookAround(repository, asked, headBytes);
  const total = /\n@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/.exec(output.toString("latin1"));
  if (!total) return null;
  const end = Number(total[1]) + Number(total[2] ?? "1");
  return Math.max(0, end - (last.newStart + last.newLines));
}
