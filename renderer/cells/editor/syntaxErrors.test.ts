import { javascriptLanguage } from "@codemirror/lang-javascript";
import { Text } from "@codemirror/state";
import { expect, test } from "vitest";
import { syntaxMistakes } from "./syntaxErrors";

function mistakes(script: string): string[] {
  const text = Text.of(script.split("\n"));
  return syntaxMistakes(javascriptLanguage.parser.parse(script), text).map(
    ({ from, sentence }) => `${text.lineAt(from).number}: ${sentence}`,
  );
}

test.each([
  ["text(1);"],
  ["const { threadId } = await tools.startThread({ text: 'a' });\nfor await (const a of b) text(a);"],
  ["export {};"],
  [""],
])("%s: nothing is wrong", (script) => {
  expect(mistakes(script)).toEqual([]);
});

test.each([
  ["text(1", "1: A “)” is missing: the “(” in line 1 is not closed."],
  ["const a = [1, 2;\ntext(a);", "1: A “]” is missing: the “[” in line 1 is not closed."],
  ["if (a) {\n  text(1);\n", "2: A “}” is missing: the “{” in line 1 is not closed."],
  ["const a = ;", "1: Something is missing before “;”."],
  ["text(1));", "1: “)” is not expected here."],
  ["const a =", "1: Something is missing at the end."],
])("%s: %s", (script, sentence) => {
  expect(mistakes(script)[0]).toBe(sentence);
});

test("a text that is no script at all is not marked without end", () => {
  expect(mistakes("} ) ] \n".repeat(200)).length).toBeLessThanOrEqual(20);
});
