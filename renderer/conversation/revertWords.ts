// What goes when a turn is taken out of the conversation, and how that is asked. Pure.

import type { ThreadCopy } from "../state/threadCopy";
import { leftRunningWords } from "../state/words";
import { count } from "./time/durations";

/** How many turns go when this one does. */
export function turnsFrom({ turnOrder }: Pick<ThreadCopy, "turnOrder">, turnId: string): number {
  const at = turnOrder.indexOf(turnId);
  return at < 0 ? 0 : turnOrder.length - at;
}

type Items = Pick<ThreadCopy, "order" | "byId">;

export function hasMessage(copy: Items, turnId: string): boolean {
  return writerIn(copy, turnId) !== null;
}

/** Who wrote what a turn was given; null: it was given nothing that could be written again. */
export type Writer = "person" | "script" | null;

export function writerIn({ order, byId }: Items, turnId: string): Writer {
  const messages = order.flatMap((id) => {
    const item = byId[id];
    return item?.kind === "user" && item.turnId === turnId ? [item] : [];
  });
  if (messages.length === 0) return null;
  return messages.every((item) => item.byRun !== undefined) ? "script" : "person";
}

/** `typed`: something is being written in the thread already. `commands`: those that were left running; codex ends them for it. */
export function revertWords(
  amount: number,
  writer: Writer,
  typed: boolean,
  commands: readonly string[] = [],
) {
  const givesBack = writer !== null;
  const whose = writer === "script" ? "The script's" : "Your";
  const where = typed ? ", after what you have typed there," : ",";
  const back = givesBack
    ? ` ${whose} message goes back to the composer${where} to be edited and sent again.`
    : "";
  const many = amount === 1 ? "This turn is" : `This turn and the ${count(amount - 1, "turn")} after it are`;
  const text = `${many} taken out of the conversation. Files are not changed: what the agent did to them stays.${back}`;
  return {
    title: givesBack ? "Edit and send again from here?" : "Take the conversation back to here?",
    text: [leftRunningWords(commands), text].filter(Boolean).join("\n\n"),
    confirmLabel: givesBack ? "Go back and edit" : "Go back to here",
  };
}
