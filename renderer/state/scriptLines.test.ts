import { expect, it } from "vitest";
import { type AskedLine, askForLine, onLineAsked } from "./scriptLines";

const line: AskedLine = { scriptId: "script", source: "a", line: 1, column: 1 };

it("reaches whoever shows scripts, also one that comes soon after, once", () => {
  const heard: number[] = [];
  askForLine(line, 0);
  const stop = onLineAsked((asked) => heard.push(asked.line), 3_000);
  askForLine({ ...line, line: 2 }, 3_000);
  stop();
  askForLine({ ...line, line: 3 }, 3_000);
  const late = onLineAsked((asked) => heard.push(asked.line), 6_001);
  late();
  expect(heard).toEqual([1, 2]);
});
