// What was done with other agents, in words. Pure.

import type { Item } from "../../../preload/contract/items";

export type SubAgentData = Extract<Item, { kind: "subAgent" }>;

interface Phrases {
  running: string;
  done: string;
  failed: string;
}

const phrases: Partial<Record<SubAgentData["step"], Phrases>> = {
  started: { running: "is being started", done: "was started", failed: "could not be started" },
  followUp: {
    running: "is being given a follow-up",
    done: "was given a follow-up",
    failed: "could not be given a follow-up",
  },
  messaged: { running: "is being written to", done: "was sent a message", failed: "could not be written to" },
  interrupted: {
    running: "is being interrupted",
    done: "was interrupted",
    failed: "could not be interrupted",
  },
  resumed: { running: "is being resumed", done: "was resumed", failed: "could not be resumed" },
  closed: { running: "is being closed", done: "was closed", failed: "could not be closed" },
  finished: { running: "is finishing", done: "has finished", failed: "has failed" },
};

export interface SubAgentWords {
  /** Null: the words say it all. */
  who: string | null;
  what: string;
}

/** `names`: of the agents that it was done with. */
export function subAgentWords(item: SubAgentData, names: readonly string[]): SubAgentWords {
  const phrase = phrases[item.step];
  const who = names.length === 0 ? null : joined(names);
  if (phrase === undefined || item.status === "lost" || item.activity.endsWith(": interrupted"))
    return { who, what: item.activity };
  if (names.length > 1) return { who, what: item.activity };
  switch (item.status) {
    case "running":
      return { who: who ?? "an agent", what: phrase.running };
    case "failed":
    case "declined":
      return { who: who ?? "an agent", what: phrase.failed };
    case "completed":
      return { who: who ?? "an agent", what: phrase.done };
    default:
      return item.status satisfies never;
  }
}

const mostNames = 3;

function joined(names: readonly string[]): string {
  if (names.length > mostNames) return `${names.length} agents`;
  if (names.length < 2) return names[0] ?? "";
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
