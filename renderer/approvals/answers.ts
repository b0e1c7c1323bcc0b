// What is filled in for the questions of a request, and whether it can be sent. Pure.

import type { Question } from "../../preload/contract/requests";

/** By question id: the chosen values, and a text of the person's own. */
export type Filled = Readonly<Record<string, { chosen: readonly string[]; own: string }>>;

export const nothingFilled: Filled = {};

export function filledFor(filled: Filled, question: Question): { chosen: readonly string[]; own: string } {
  return filled[question.id] ?? { chosen: [], own: "" };
}

export function choose(filled: Filled, question: Question, value: string, on: boolean): Filled {
  const { chosen, own } = filledFor(filled, question);
  const several = question.kind === "choices";
  const rest = several ? chosen.filter((each) => each !== value) : [];
  // One choice and a text of one's own exclude each other: the last one set is meant.
  return {
    ...filled,
    [question.id]: { chosen: on ? [...rest, value] : rest, own: several || !on ? own : "" },
  };
}

export function write(filled: Filled, question: Question, own: string): Filled {
  const { chosen } = filledFor(filled, question);
  const keep = question.kind === "choices" || own === "" ? chosen : [];
  return { ...filled, [question.id]: { chosen: keep, own } };
}

export function answerTo(filled: Filled, question: Question): string[] {
  const { chosen, own } = filledFor(filled, question);
  // A secret is taken as it is: blanks at its ends may belong to it.
  const text = question.secret ? own : own.trim();
  // In the order in which they are offered, not in which they were clicked.
  const known = question.options.map((option) => option.value).filter((value) => chosen.includes(value));
  const others = chosen.filter((value) => !known.includes(value));
  return [...known, ...others, ...(text === "" ? [] : [text])];
}

/** Why this question cannot be sent as it is; null when it can. */
export function problemOf(filled: Filled, question: Question): string | null {
  const answer = answerTo(filled, question);
  if (answer.length === 0) return question.required ? "An answer is needed." : null;
  if (question.kind === "number" && !isNumber(answer[0] ?? "")) return "This must be a number.";
  return null;
}

function isNumber(text: string): boolean {
  return text.trim() !== "" && Number.isFinite(Number(text.replace(",", ".")));
}

/** All answers, by question id; questions left open are left out. */
export function allAnswers(filled: Filled, questions: readonly Question[]): Record<string, string[]> {
  const answers: Record<string, string[]> = {};
  for (const question of questions) {
    const answer = answerTo(filled, question);
    if (answer.length === 0) continue;
    answers[question.id] =
      question.kind === "number" ? answer.map((each) => each.trim().replace(",", ".")) : answer;
  }
  return answers;
}

export function firstProblem(filled: Filled, questions: readonly Question[]): string | null {
  return questions.find((question) => problemOf(filled, question) !== null)?.id ?? null;
}
