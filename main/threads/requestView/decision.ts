// A decision as codex offers it, with the answer that it stands for kept beside it. The two never part: the button shows
// exactly what the answer grants.

import type { Decision } from "../../../preload/contract/requests";
import type { JsonValue } from "../../codex/protocol/serde_json/JsonValue";
import { Fault } from "../../fault";

export type Answers = Readonly<Record<string, readonly string[]>>;

export interface Offer {
  decision: Decision;
  /** The answer for codex; a Fault when what was filled in does not fit. */
  answer: (answers: Answers) => JsonValue | Fault;
}

export function offer(decision: Decision, value: JsonValue): Offer {
  return { decision, answer: () => value };
}

export function answerWith(
  offers: readonly Offer[],
  decisionId: string,
  answers: Answers = {},
): JsonValue | Fault {
  const chosen = offers.find((candidate) => candidate.decision.id === decisionId);
  if (chosen === undefined) {
    return new Fault("decision_unknown", "This decision is not one of those that codex offers here.", {
      hint: "Choose one of the buttons of the request.",
    });
  }
  return chosen.answer(answers);
}

/** Offers with the same id would be the same button twice: only the first is kept. */
export function uniqueOffers(offers: readonly Offer[]): Offer[] {
  const seen = new Set<string>();
  return offers.filter(({ decision }) => {
    if (seen.has(decision.id)) return false;
    seen.add(decision.id);
    return true;
  });
}
