// The whole text behind a bounded one: from codex's record, or from memory where that holds more (codex keeps at most 64
// KiB of a command's output; what was seen live may be longer).

import type { Item } from "../../preload/contract/items";
import { Fault } from "../fault";
import { fullTextOf } from "./itemView/fullText";
import { codexItemId } from "./itemView/itemKey";
import type { ThreadRuntime } from "./threadRuntime";

/** Throws Fault `item_unknown` when neither has it. */
export async function fullItemText(
  thread: ThreadRuntime,
  itemId: string,
  part: string,
): Promise<{ text: string; complete: boolean }> {
  const held = thread.state.transcript.item(itemId);
  if (!held || thread.threadId === null) {
    throw new Fault("item_unknown", "This part of the conversation is not there any more.");
  }
  const inMemory = held.kind === "command" && part === "output" ? held.output : null;
  const connection = await thread.ready();
  const { turnId } = held;
  const answer = await connection.client.request("thread/items/read", {
    threadId: thread.threadId,
    turnId: held.kind === "review" ? turnId : thread.state.reviews.workOf(turnId),
    itemIds: [codexItemId(turnId, itemId)],
  });
  const recorded = answer.data[0] ? fullTextOf(answer.data[0].item, part) : null;
  if (inMemory && (!recorded || inMemory.text.length > recorded.text.length)) {
    return { text: inMemory.text, complete: inMemory.droppedUnits === 0 };
  }
  if (recorded) return recorded;
  return { text: textOf(held), complete: false };
}

function textOf(item: Item): string {
  return item.kind === "unknown" ? item.json.text : "";
}
