// What is asked before a part of a file is thrown away. Pure.

import type { FileDiff } from "../../preload/contract/changes";
import { count } from "../conversation/time/durations";
import type { ConfirmQuestion } from "../state/confirm";
import type { GridHunk } from "./diff/rows";

/** `lines`: how many changed ones are chosen; 0: the whole hunk is meant. */
export function discardQuestion(
  diff: FileDiff,
  hunk: Pick<GridHunk, "title">,
  lines: number,
): ConfirmQuestion {
  const { path, oldMode, content } = diff;
  const kept = "Holdfast keeps a copy, so that this can be undone.";
  // Of a file that git does not know, all lines are one hunk.
  const isWhole = lines === 0 || (content.kind === "text" && lines === content.added);
  if (oldMode === null && isWhole) {
    const text = `git does not know this file, so there is nothing that it could go back to: it is deleted. ${kept}`;
    return { title: `Delete “${path}”?`, text, confirmLabel: "Delete", tone: "danger" };
  }
  const what = lines === 0 ? `the change at ${hunk.title}` : count(lines, "changed line");
  const left =
    oldMode === null
      ? `git does not know “${path}”: these lines go, the others stay.`
      : `“${path}” goes back to what is staged in this place.`;
  return { title: `Discard ${what}?`, text: `${left} ${kept}`, confirmLabel: "Discard", tone: "danger" };
}
