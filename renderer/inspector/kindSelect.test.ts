import { expect, test } from "vitest";
import { agentItem, commandItem, threadSnapshot } from "../state/testThread";
import { applyThreadChanges, type ThreadCopy, threadCopyOf } from "../state/threadCopy";
import { idsOfKind, itemsOfKind, runningIds } from "./kindSelect";

const copyOf = (): ThreadCopy =>
  threadCopyOf(threadSnapshot([commandItem("a"), agentItem("talk"), commandItem("b")]));

test("only items of the kind are given, in conversation order", () => {
  expect(idsOfKind("command")(copyOf())).toEqual(["a", "b"]);
  expect(itemsOfKind("command")(copyOf()).map(({ id }) => id)).toEqual(["a", "b"]);
});

test("text that streams into a message changes nothing that was given", () => {
  const ids = idsOfKind("command");
  const items = itemsOfKind("command");
  const running = runningIds("command");
  const before = copyOf();
  const given = [ids(before), items(before), running(before)];
  const after = applyThreadChanges(before, [{ type: "append", itemId: "talk", field: "text", text: "Hi" }]);
  expect(after.byId).not.toBe(before.byId);
  expect(ids(after)).toBe(given[0]);
  expect(items(after)).toBe(given[1]);
  expect(running(after)).toBe(given[2]);
});

test("an item of another kind that is added changes nothing that was given", () => {
  const ids = idsOfKind("command");
  const items = itemsOfKind("command");
  const before = copyOf();
  const given = [ids(before), items(before)];
  const after = applyThreadChanges(before, [{ type: "items", items: [agentItem("more")] }]);
  expect([ids(after), items(after)]).toEqual(given);
  expect(ids(after)).toBe(given[0]);
  expect(items(after)).toBe(given[1]);
});

test("output of a command changes the items and not the ids", () => {
  const ids = idsOfKind("command");
  const items = itemsOfKind("command");
  const before = copyOf();
  const idsBefore = ids(before);
  const itemsBefore = items(before);
  const after = applyThreadChanges(before, [{ type: "append", itemId: "b", field: "output", text: "ok" }]);
  expect(ids(after)).toBe(idsBefore);
  expect(items(after)).not.toBe(itemsBefore);
  expect(items(after)[0]).toBe(itemsBefore[0]);
  expect(items(after)[1]?.output.text).toBe("ok");
});

test("a command that ends is no longer among the running ones", () => {
  const running = runningIds("command");
  const before = copyOf();
  expect(running(before)).toEqual(["a", "b"]);
  const ended = { ...commandItem("a"), status: "completed" } as const;
  expect(running(applyThreadChanges(before, [{ type: "items", items: [ended] }]))).toEqual(["b"]);
});

test("another thread gives its own", () => {
  const items = itemsOfKind("command");
  items(copyOf());
  expect(items(threadCopyOf(threadSnapshot([commandItem("c")]))).map(({ id }) => id)).toEqual(["c"]);
});
