// From a plan to the work.
//
// Races, and what settles each:
// - The mode and the message go to main one after the other. The message is sent only when the mode is changed, so that codex
//   never takes it for a wish for another plan.
// - It is pressed again, here or in another window, before that has seen it begin: main takes it once for a turn.

import { changeThreadSettings } from "../../composer/threadSettings";
import { call } from "../../state/connection";
import type { ThreadCopy } from "../../state/threadCopy";
import { shownCopy } from "../../state/threadStore";
import { attempt } from "../../state/toasts";

/** As codex's own interface says it, which its models know. */
export const carryOutText = "Implement the plan.";

/** The plan that can be carried out: the newest one, of the last turn, once that has ended. null: none. */
export function planToCarryOut({ head, order, byId, turnOrder }: ThreadCopy): string | null {
  if (head.run !== null || head.submissions.length > 0) return null;
  const lastTurn = turnOrder.at(-1);
  const plan = order.findLast((id) => byId[id]?.kind === "plan");
  const item = plan === undefined ? undefined : byId[plan];
  return item?.status === "completed" && item.turnId === lastTurn ? item.id : null;
}

/** Leaves plan mode and asks for the work. Says what went wrong; never throws. */
export async function carryOut(): Promise<void> {
  const copy = shownCopy();
  if (!copy) return;
  const plan = planToCarryOut(copy);
  const afterTurnId = plan === null ? undefined : copy.byId[plan]?.turnId;
  if (afterTurnId === undefined) return;
  const { key: threadKey, settings } = copy.head;
  const isCoding =
    settings.mode !== "plan" || (await changeThreadSettings(threadKey, settings, { mode: "code" }));
  if (!isCoding) return;
  const clientId = crypto.randomUUID();
  await attempt(
    call("messages.send", {
      threadKey,
      clientId,
      text: carryOutText,
      attachments: [],
      mode: "turn",
      afterTurnId,
    }),
  );
}
