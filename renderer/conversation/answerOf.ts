import type { ThreadCopy } from "../state/threadCopy";
import { copiedText } from "./items/gaps";

/**
 * What the agent said in a turn, to be copied: what a review found, its answer, or everything it wrote when nothing is marked as the answer.
 * Where some of it is missing, that is said.
 */
export function answerOf(copy: Pick<ThreadCopy, "order" | "byId"> | null, turnId: string): string {
  if (!copy) return "";
  const found = copy.order.flatMap((id) => {
    const item = copy.byId[id];
    return item?.kind === "review" && item.phase === "exited" && item.turnId === turnId
      ? item.text.trim()
      : [];
  });
  if (found.length > 0) return found.join("\n\n");
  const said = copy.order.flatMap((id) => {
    const item = copy.byId[id];
    return item?.kind === "agent" && item.turnId === turnId ? [item] : [];
  });
  const answers = said.filter((item) => item.phase === "answer");
  return (answers.length > 0 ? answers : said)
    .map((item) => copiedText(item.text, item.gaps).trim())
    .join("\n\n");
}

/** The agent has said something in this turn that could be copied. Asked with each change: from the newest on. */
export function isAnswered({ order, byId }: Pick<ThreadCopy, "order" | "byId">, turnId: string): boolean {
  return (
    order.findLast((id) => {
      const item = byId[id];
      if (item?.turnId !== turnId) return false;
      const isSaid = item.kind === "agent" || (item.kind === "review" && item.phase === "exited");
      return isSaid && item.text.trim() !== "";
    }) !== undefined
  );
}
