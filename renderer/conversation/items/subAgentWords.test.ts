import { expect, test } from "vitest";
import { type SubAgentData, subAgentWords } from "./subAgentWords";

const item = (part: Partial<SubAgentData>): SubAgentData => ({
  kind: "subAgent",
  id: "item",
  turnId: "turn",
  status: "completed",
  startedAtMs: null,
  completedAtMs: null,
  activity: "Waited for agents",
  step: "waited",
  agentThreadIds: [],
  agentName: null,
  prompt: null,
  states: [],
  ...part,
});

test.each<[Partial<SubAgentData>, string[], string]>([
  [{ step: "followUp" }, ["tester"], "tester was given a follow-up"],
  [{ step: "followUp", status: "running" }, ["tester"], "tester is being given a follow-up"],
  [{ step: "started", status: "failed" }, [], "an agent could not be started"],
  [{ step: "closed" }, ["tester"], "tester was closed"],
  [{ step: "finished" }, ["tester"], "tester has finished"],
  [{}, [], " Waited for agents"],
  [{}, ["a", "b"], "a and b Waited for agents"],
  [{}, ["a", "b", "c", "d"], "4 agents Waited for agents"],
  [
    { step: "started", status: "lost", activity: "Starting an agent: cut off" },
    ["a"],
    "a Starting an agent: cut off",
  ],
])("%o with %o is: %s", (part, names, words) => {
  const { who, what } = subAgentWords(item(part), names);
  expect(`${who ?? ""} ${what}`).toBe(words);
});
