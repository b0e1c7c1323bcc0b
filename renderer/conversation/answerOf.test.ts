import { expect, test } from "vitest";
import { agentItem, commandItem } from "../state/testThread";
import { answerOf, isAnswered } from "./answerOf";

test("the answer of a turn is copied, remarks on the way only where there is no answer", () => {
  const said = (id: string, turnId: string, text: string, phase: "answer" | "commentary" | null) => ({
    ...agentItem(id, text),
    turnId,
    phase,
  });
  const items = [
    said("a", "t1", "first ", "commentary"),
    commandItem("c"),
    said("b", "t1", "the answer\n", "answer"),
    said("d", "t2", "one", null),
    said("e", "t2", "two", "commentary"),
  ];
  const copy = {
    order: items.map((item) => item.id),
    byId: Object.fromEntries(items.map((item) => [item.id, item])),
  };
  expect(answerOf(copy, "t1")).toBe("the answer");
  expect(answerOf(copy, "t2")).toBe("one\n\ntwo");
  expect(answerOf(copy, "t3")).toBe("");
  expect(answerOf(null, "t1")).toBe("");
});

test("what is copied says where some of it is missing", () => {
  const item = { ...agentItem("a", "Before.After, and"), turnId: "t1", gaps: [7, 17] };
  expect(answerOf({ order: ["a"], byId: { a: item } }, "t1")).toBe("Before. […] After, and […]");
});

test("where the agent has said nothing there is no answer to be copied", () => {
  const items = [
    { ...commandItem("c"), turnId: "t1" },
    { ...agentItem("a", " \n"), turnId: "t1" },
    { ...agentItem("b", "words"), turnId: "t2" },
  ];
  const copy = { order: ["c", "a", "b"], byId: Object.fromEntries(items.map((item) => [item.id, item])) };
  expect(isAnswered(copy, "t1")).toBe(false);
  expect(isAnswered(copy, "t2")).toBe(true);
  expect(isAnswered(copy, "t3")).toBe(false);
});
