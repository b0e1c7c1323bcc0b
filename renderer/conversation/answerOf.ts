import type { ThreadCopy } from "../state/threadCopy";

/** What the agent said in a turn: its answer, or everything it wrote when nothing is marked as the answer. */
export function answerOf(copy: Pick<ThreadCopy, "order" | "byId"> | null, turnId: string): string {
  if (!copy) return "";
  const said = copy.order.flatMap((id) => {
    const item = copy.byId[id];
    return item?.kind === "agent" && item.turnId === turnId ? [item] : [];
  });
  const answers = said.filter((item) => item.phase === "answer");
  return (answers.length > 0 ? answers : said).map((item) => item.text.trim()).join("\n\n");
}
