import type { Attachment } from "../../preload/contract/items";
import { sendSoon } from "../state/signals";
import { drafts } from "./drafts";

/** Puts an undelivered message back into the field of its thread, before what has been typed there since. */
export function takeBackToComposer(
  threadKey: string,
  given: { text: string; attachments: readonly Attachment[] },
): void {
  drafts.of(threadKey).takeBack(given);
  sendSoon("focus-composer");
}
