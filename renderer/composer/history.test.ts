import { expect, test } from "vitest";
import type { Item } from "../../preload/contract/items";
import { agentItem } from "../state/testThread";
import { isRecalled, sentTexts, stepRecall } from "./history";

function user(id: string, text: string): Item {
  const { turnId, status, startedAtMs, completedAtMs } = agentItem(id);
  return {
    id,
    turnId,
    status,
    startedAtMs,
    completedAtMs,
    kind: "user",
    clientId: null,
    text,
    attachments: [],
  };
}

test("own messages, newest first, repeated ones once", () => {
  const items = [
    user("1", "first"),
    agentItem("a", "no"),
    user("2", "again"),
    user("3", "again"),
    user("4", "  "),
  ];
  const copy = {
    order: items.map((item) => item.id),
    byId: Object.fromEntries(items.map((item) => [item.id, item])),
  };
  expect(sentTexts(copy)).toEqual(["again", "first"]);
});

test("stepping back ends at the first message, stepping forward at the empty field", () => {
  const texts = ["new", "old"];
  const one = stepRecall(texts, null, "older");
  const two = stepRecall(texts, one, "older");
  expect([one?.text, two?.text]).toEqual(["new", "old"]);
  expect(stepRecall(texts, two, "older")).toEqual(two);
  expect(stepRecall(texts, two, "newer")).toEqual(one);
  expect(stepRecall(texts, one, "newer")).toBeNull();
  expect(stepRecall([], null, "older")).toBeNull();
});

test("a message that was changed is one's own text", () => {
  expect(isRecalled({ place: 0, text: "a" }, "a")).toBe(true);
  expect(isRecalled({ place: 0, text: "a" }, "ab")).toBe(false);
  expect(isRecalled(null, "")).toBe(false);
});
