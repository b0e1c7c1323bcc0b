// What the person writes and sends as answers to scripts, for as long as this window lives: what is typed is still there after
// a look at another run. Which question is to be looked at, where somebody has chosen one elsewhere, is known here too.
//
// Races, and what settles each:
// - Two presses before the first has drawn anything: the second finds the question among those that are being answered.
// - The question was answered in another window, or its run has ended: main says `gone`, nothing was done, and that is said.
// - The question goes away while an answer to it is typed: what was typed is kept, to be copied, until the next one is.
// - A question is chosen elsewhere and gone before its run is on screen: nothing is shown in its place.

import { create } from "zustand";
import { call } from "../../state/connection";
import { attempt } from "../../state/toasts";

interface Answering {
  /** By question. */
  typed: ReadonlyMap<string, string>;
  sending: ReadonlySet<string>;
  /** Chosen elsewhere, and not shown yet. */
  wanted: string | null;
  /** On the card now. */
  shown: string | null;
}

export const answering = create<Answering>(() => ({
  typed: new Map(),
  sending: new Set(),
  wanted: null,
  shown: null,
}));

export function typeAnswer(questionId: string, text: string): void {
  answering.setState(({ typed }) => ({ typed: typedWith(typed, questionId, text) }));
}

function typedWith(
  typed: ReadonlyMap<string, string>,
  questionId: string,
  text: string,
): Map<string, string> {
  const next = new Map(typed);
  if (text === "") next.delete(questionId);
  else next.set(questionId, text);
  return next;
}

function setSending(questionId: string, on: boolean): void {
  answering.setState(({ sending }) => {
    const next = new Set(sending);
    if (on) next.add(questionId);
    else next.delete(questionId);
    return { sending: next };
  });
}

/** `failed`: it could not be sent, which has been said, and can be tried again. `busy`: an answer is on its way. */
export async function sendAnswer(
  questionId: string,
  answer: string,
): Promise<"sent" | "gone" | "failed" | "busy"> {
  if (answering.getState().sending.has(questionId)) return "busy";
  setSending(questionId, true);
  const answered = await attempt(call("cells.answer", { questionId, answer }));
  // One that was sent stays marked until main takes it off the list: it cannot be answered twice.
  if (answered?.outcome !== "sent") setSending(questionId, false);
  if (answered?.outcome === "sent") typeAnswer(questionId, "");
  return answered?.outcome ?? "failed";
}

export function showQuestion(questionId: string): void {
  answering.setState({ wanted: questionId });
}

export function questionIsShown(questionId: string | null): void {
  answering.setState({ shown: questionId });
}

/** The one that was chosen is on the card: from now on the person goes on from there. */
export function questionIsFound(): void {
  answering.setState({ wanted: null });
}
