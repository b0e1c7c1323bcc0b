// Everything that waits for a decision in this thread, oldest first, at the end of what was said.

import { useEffect } from "react";
import { useShallow } from "zustand/react/shallow";
import type { Request } from "../../preload/contract/requests";
import { isWriting } from "../shell/useShortcuts";
import { confirmStore } from "../state/confirm";
import { shownCopy, useHead } from "../state/threadStore";
import { uiStore } from "../state/uiStore";
import { pressMatches } from "../ui/keys";
import { type DecisionKey, decisionKeys } from "./decisionKeys";
import { RequestCard } from "./RequestCard";
import { answering } from "./requestAnswers";

export function Approvals() {
  const requests = useHead((head) => head.requests);
  const taken = answering.store(
    useShallow((store) => requests.filter((each) => !isOpen(each, store.byKey)).map((each) => each.key)),
  );
  useDecisionKeys();
  useEffect(() => {
    answering.keepOnly(new Set(requests.map((each) => each.key)));
  }, [requests]);
  if (requests.length === 0) return null;
  const first = requests.find((each) => !taken.includes(each.key));
  return (
    <section aria-label="Waiting for you" className="grid gap-3">
      {requests.length > 1 && (
        <p role="status" className="text-s text-ink-2">
          <b className="font-semibold text-warn">{requests.length}</b> requests wait for you, the oldest first
        </p>
      )}
      {requests.map((request) => (
        <RequestCard key={request.key} request={request} hasKeys={request === first} />
      ))}
    </section>
  );
}

type AnswersByKey = ReturnType<typeof answering.store.getState>["byKey"];

function isOpen(request: Request, byKey: AnswersByKey): boolean {
  const state = byKey[request.key]?.state;
  return !request.answering && (state === undefined || state === "failed");
}

/** A, S and D decide on the first request that is open, while nobody is writing. */
function useDecisionKeys(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.keyCode === 229 || event.repeat) return;
      if (isWriting(event.target) || uiStore.getState().dialog || confirmStore.getState().open) return;
      const key = (["a", "s", "d"] as const).find((each: DecisionKey) => pressMatches(event, each));
      if (key === undefined || answering.keysRest) return;
      const { byKey } = answering.store.getState();
      const request = shownCopy()?.head.requests.find((each) => isOpen(each, byKey));
      const decisionId = request && decisionKeys(request)[key];
      if (!request || decisionId === undefined) return;
      const card = document.querySelector(`[data-request-key="${CSS.escape(request.key)}"]`);
      // What nobody has had the time to see is not decided by a key either.
      if (!card || card.ariaDisabled === "true") return;
      event.preventDefault();
      answering.answer({
        requestKey: request.key,
        decisionId,
        ...(request.kind === "questions" ? { answers: {} } : {}),
      });
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
}
