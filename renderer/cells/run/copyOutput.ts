import type { RunOutputItem } from "../../../preload/contract/cells";
import { loadEarlierOutput, shownRun } from "../../state/runStore";
import { copyText } from "../../state/threadActions";
import { attempt } from "../../state/toasts";

/** What one call takes. */
const mostUnits = 8 * 1024 * 1024;

/** All of it, also what has not been shown yet. */
export async function copyOutput(): Promise<void> {
  const runId = shownRun()?.head.runId;
  let copy = shownRun();
  while (copy && copy.earlierOutput > 0) {
    if (!(await attempt(loadEarlierOutput().then(() => true)))) return;
    const now = shownRun();
    // Somebody has gone elsewhere: it is not this output that is meant any more.
    if (now?.head.runId !== runId) return;
    const came = now !== null && now.earlierOutput < copy.earlierOutput;
    copy = now;
    if (!came) break;
  }
  if (!copy) return;
  const { text, isWhole } = copiedOutput(copy.output, mostUnits);
  const all = isWhole && copy.earlierOutput === 0;
  await copyText(text, all ? "Output" : "The end of the output, as much as fits,");
}

/** As one reads it. What is too long is its end, from the beginning of an item. */
export function copiedOutput(
  output: readonly RunOutputItem[],
  most: number,
): { text: string; isWhole: boolean } {
  const parts: string[] = [];
  let units = 0;
  for (const item of output.toReversed()) {
    const text = item.type === "image" ? "[image]" : item.text.replace(/\n$/, "");
    units += text.length + 1;
    if (units > most) break;
    parts.push(text);
  }
  return { text: parts.reverse().join("\n"), isWhole: parts.length === output.length };
}
