import { describe, expect, test } from "vitest";
import type { Question } from "../../preload/contract/requests";
import { allAnswers, answerTo, choose, firstProblem, nothingFilled, problemOf, write } from "./answers";

const option = (value: string) => ({ value, label: value.toUpperCase(), description: null });
const question = (change: Partial<Question> = {}): Question => ({
  id: "q",
  header: "",
  question: "?",
  secret: false,
  allowsText: true,
  required: true,
  kind: "choice",
  options: [option("a"), option("b"), option("c")],
  ...change,
});

describe("one of several", () => {
  test("the last choice counts, and an own text takes its place", () => {
    const q = question();
    let filled = choose(nothingFilled, q, "a", true);
    filled = choose(filled, q, "b", true);
    expect(answerTo(filled, q)).toEqual(["b"]);
    filled = write(filled, q, "  my own ");
    expect(answerTo(filled, q)).toEqual(["my own"]);
    expect(answerTo(choose(filled, q, "c", true), q)).toEqual(["c"]);
  });
});

describe("any of several", () => {
  test("in the order in which they are offered, with an own text at the end", () => {
    const q = question({ kind: "choices" });
    let filled = choose(nothingFilled, q, "c", true);
    filled = choose(filled, q, "a", true);
    filled = write(filled, q, "more");
    expect(answerTo(filled, q)).toEqual(["a", "c", "more"]);
    expect(answerTo(choose(filled, q, "a", false), q)).toEqual(["c", "more"]);
  });
});

describe("what can be sent", () => {
  test("a required question needs an answer, another one does not", () => {
    expect(problemOf(nothingFilled, question())).toBe("An answer is needed.");
    expect(problemOf(nothingFilled, question({ required: false }))).toBeNull();
    expect(problemOf(write(nothingFilled, question(), "   "), question())).toBe("An answer is needed.");
  });

  test("a number must be one", () => {
    const q = question({ kind: "number", options: [] });
    expect(problemOf(write(nothingFilled, q, "12x"), q)).toBe("This must be a number.");
    expect(problemOf(write(nothingFilled, q, "1,5"), q)).toBeNull();
    expect(allAnswers(write(nothingFilled, q, " 1,5 "), [q])).toEqual({ q: ["1.5"] });
  });

  test("a secret is sent exactly as it was written", () => {
    const q = question({ kind: "text", secret: true, options: [] });
    expect(allAnswers(write(nothingFilled, q, " pass word "), [q])).toEqual({ q: [" pass word "] });
  });

  test("the first question with a problem is named; open ones are left out", () => {
    const one = question({ id: "one", required: false });
    const two = question({ id: "two" });
    expect(firstProblem(nothingFilled, [one, two])).toBe("two");
    const filled = choose(nothingFilled, two, "a", true);
    expect(firstProblem(filled, [one, two])).toBeNull();
    expect(allAnswers(filled, [one, two])).toEqual({ two: ["a"] });
  });
});
