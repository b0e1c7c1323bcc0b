import { expect, test } from "vitest";
import type { Item } from "../../preload/contract/items";
import { agentItem, threadHead } from "../state/testThread";
import { atNow, promptsOf, saidByPerson, stepHistory } from "./promptHistory";

const prompts = promptsOf(["first", "second", "first", " ", "third"]);

test("the newest comes first, each once, blanks never", () => {
  expect(prompts).toEqual(["third", "first", "second"]);
});

test("from an empty field back to the oldest, and forward to empty again", () => {
  const third = stepHistory(atNow, "", prompts, 1);
  expect(third).toEqual({ index: 0, shown: "third" });
  const first = stepHistory(third ?? atNow, "third", prompts, 1);
  const second = stepHistory(first ?? atNow, "first", prompts, 1);
  expect(second).toEqual({ index: 2, shown: "second" });
  expect(stepHistory(second ?? atNow, "second", prompts, 1)).toBe(null);
  expect(stepHistory(third ?? atNow, "third", prompts, -1)).toEqual(atNow);
});

test("a text of one's own is never replaced", () => {
  expect(stepHistory(atNow, "typed", prompts, 1)).toBe(null);
  expect(stepHistory({ index: 0, shown: "third" }, "third!", prompts, 1)).toBe(null);
  expect(stepHistory(atNow, "", prompts, -1)).toBe(null);
  expect(stepHistory(atNow, "", [], 1)).toBe(null);
});

test("an emptied field starts from the newest again", () => {
  expect(stepHistory({ index: 1, shown: "first" }, "", prompts, 1)).toEqual({ index: 0, shown: "third" });
});

test("only what the person has said comes back: nothing of an agent's or of a script's", () => {
  const byRun = { runId: "run", scriptName: "Review a branch" };
  const { phase: _phase, gaps: _gaps, ...base } = agentItem("a", "answered");
  const said: Item = { ...base, id: "b", kind: "user", clientId: null, text: "typed", attachments: [] };
  const sent: Item = { ...said, id: "c", text: "by a script", byRun };
  const waiting = { clientId: "d", attachments: [], state: "queued" as const };
  const items = [agentItem("a", "answered"), said, sent];
  const copy = {
    order: items.map(({ id }) => id),
    byId: Object.fromEntries(items.map((item) => [item.id, item])),
    head: threadHead({
      followUps: {
        entries: [
          { ...waiting, text: "queued" },
          { ...waiting, text: "queued by it", byRun },
        ],
        held: null,
        keeper: "codex",
      },
    }),
  };
  expect(saidByPerson(copy)).toEqual(["typed", "queued"]);
});
