// What a program may ask its terminal: what it is, where the cursor is, which colours it has. Answers are typed into the program,
// so only the window whose turn it is lets its emulator give them.

import type { IFunctionIdentifier, IParser } from "@xterm/xterm";

const questions: readonly IFunctionIdentifier[] = [
  // What are you?
  { final: "c" },
  { prefix: ">", final: "c" },
  { prefix: "=", final: "c" },
  { prefix: ">", final: "q" },
  // How are you, and where is the cursor?
  { final: "n" },
  { prefix: "?", final: "n" },
  // Which modes are set?
  { intermediates: "$", final: "p" },
  { prefix: "?", intermediates: "$", final: "p" },
  { prefix: "?", final: "u" },
];

/** Text that may also set something; a question has a "?" where a value would be. */
const colourQuestions = [4, 10, 11, 12];

/** `mayAnswer` is asked as each question comes. */
export function onlyAnswerWhen(parser: IParser, mayAnswer: () => boolean): void {
  // A handler that returns true has dealt with it: those that come after it, which answer, are not asked.
  for (const question of questions) parser.registerCsiHandler(question, () => !mayAnswer());
  parser.registerDcsHandler({ intermediates: "$", final: "q" }, () => !mayAnswer());
  for (const number of colourQuestions) {
    parser.registerOscHandler(number, (text) => text.includes("?") && !mayAnswer());
  }
}
