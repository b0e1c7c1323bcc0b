// Questions of the agent itself (`item/tool/requestUserInput`).

import type { Question } from "../../../preload/contract/requests";
import type { JsonValue } from "../../codex/protocol/serde_json/JsonValue";
import { Fault } from "../../fault";
import { type LooseRecord, recordsOf, stringOf, stringOrNull, wordsOrNull } from "../loose";
import { type Answers, type Offer, offer } from "./decision";

export interface QuestionForm {
  title: string;
  questions: Question[];
  offers: Offer[];
}

export function userInputForm(params: LooseRecord): QuestionForm {
  const questions = recordsOf(params.questions).flatMap((question, index): Question[] => {
    const options = recordsOf(question.options).flatMap((option) => {
      const label = wordsOrNull(option.label);
      return label === null ? [] : [{ value: label, label, description: wordsOrNull(option.description) }];
    });
    return [
      {
        id: stringOrNull(question.id) ?? `question ${index + 1}`,
        header: stringOf(question.header),
        question: stringOf(question.question),
        secret: question.isSecret === true,
        allowsText: options.length === 0 || question.isOther === true,
        required: true,
        kind: options.length === 0 ? "text" : "choice",
        options,
      },
    ];
  });
  return {
    title: questions.length === 1 ? "The agent has a question" : "The agent has questions",
    questions,
    offers: [
      {
        decision: {
          id: "accept",
          label: questions.length === 1 ? "Send answer" : "Send answers",
          explanation: null,
          scope: null,
          tone: "accept",
        },
        answer: (answers) => userInputAnswer(questions, answers),
      },
      offer(
        {
          id: "decline",
          label: "Skip",
          explanation: "Sends no answer. The agent goes on without it.",
          scope: null,
          tone: "decline",
        },
        { answers: {} },
      ),
    ],
  };
}

function userInputAnswer(questions: readonly Question[], answers: Answers): JsonValue | Fault {
  const given: [string, JsonValue][] = [];
  for (const question of questions) {
    const values = answersTo(question, answers);
    if (values.length === 0) return missingAnswer(question);
    if (question.kind === "choice" && !question.allowsText) {
      const stranger = values.find((value) => !question.options.some((option) => option.value === value));
      if (stranger !== undefined) return notAnOption(question);
    }
    given.push([question.id, { answers: values }]);
  }
  return { answers: Object.fromEntries(given) };
}

/** What was filled in for a question; blank text is no answer. */
export function answersTo(question: Question, answers: Answers): string[] {
  const given = Object.hasOwn(answers, question.id) ? answers[question.id] : undefined;
  return (given ?? []).filter((value) => value.trim() !== "");
}

export function questionName(question: Question): string {
  return question.header || question.question || question.id;
}

export function missingAnswer(question: Question): Fault {
  return new Fault("answer_missing", `“${questionName(question)}” has no answer yet.`, {
    hint: "Answer it, or decline the request.",
  });
}

export function notAnOption(question: Question): Fault {
  return new Fault("answer_invalid", `“${questionName(question)}” must be one of the choices offered.`);
}
