import { sendSoon } from "../state/signals";
import { drafts } from "./drafts";

/** Main has put an undelivered message back into the draft of its thread: shows it there. */
export function takeBackToComposer(threadKey: string): void {
  void drafts.of(threadKey).refresh();
  sendSoon("focus-composer");
}
