// A message that waited in codex's queue has its images as data, which tells of no file. Where it is ours, the files that
// were attached are known: they have names, can be looked at, and can be sent again.

import type { Attachment } from "../../preload/contract/items";
import { attachmentsIn } from "./itemView/message";
import { listOf, recordOf, wordsOrNull } from "./loose";
import { inputOf, isAsAttached } from "./userInput";

/** `item` as codex gives it. `filesOf`: what was attached to the message with this client id; null: it is not ours. */
export function withOwnFiles<Given>(
  item: Given,
  filesOf: (clientId: string) => readonly Attachment[] | null,
): Given {
  const { type, clientId, content } = recordOf(item);
  const id = wordsOrNull(clientId);
  if (type !== "userMessage" || id === null) return item;
  const inputs = listOf(content);
  if (!inputs.some((input) => recordOf(input).type === "image")) return item;
  const files = filesOf(id);
  if (files === null || !isAsAttached(files, attachmentsIn([...inputs]))) return item;
  const attached = inputOf({ text: "", attachments: [...files] });
  const others = inputs.filter((input) => attachmentsIn([input]).length === 0);
  return { ...item, content: [...others, ...attached] };
}
