// What stays in the field when a message has been taken over: what was typed while it was on its way. Pure.

import type { Attachment } from "../../preload/contract/items";

export function afterSending(now: string, sent: string): string {
  if (now.startsWith(sent)) return now.slice(sent.length);
  if (now.endsWith(sent)) return now.slice(0, now.length - sent.length);
  // It was changed in the middle meanwhile. Nobody can say which part is new, and nothing typed may be lost.
  return now;
}

export function withoutSent(now: readonly Attachment[], sent: readonly Attachment[]): readonly Attachment[] {
  const left = now.filter((each) => !sent.some((gone) => gone.kind === each.kind && gone.path === each.path));
  return left.length === now.length ? now : left;
}
