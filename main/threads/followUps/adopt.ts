import type { Outgoing } from "../outgoing";
import type { OutgoingMessages } from "../outgoingMessages";
import { isPlain, writtenIn } from "../userInput";
import type { CodexEntry } from "./queueMachine";

/**
 * What another client has queued becomes ours before it is touched: nobody else would bring it back. Null: it has something
 * that only the one who queued it can write.
 */
export function adopt(messages: OutgoingMessages, entry: CodexEntry): Outgoing | null {
  if (!isPlain(entry.input)) return null;
  const record = messages.record({ clientId: entry.clientId, ...writtenIn(entry.input), mode: "queue" });
  if (record === null) return null;
  messages.put(record);
  messages.isQueued(record);
  return record;
}
