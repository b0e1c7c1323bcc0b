// Sub-agents: what the agent did with another agent, and how that one is, in words.

import type { Item, ItemStatus } from "../../../preload/contract/items";
import {
  baseName,
  type LooseRecord,
  ownField,
  recordOf,
  stringOf,
  stringOrNull,
  stringsOf,
  wordsOrNull,
} from "../loose";
import type { ItemBase } from "./base";

type Step = Extract<Item, { kind: "subAgent" }>["step"];

interface Phrases {
  step: Step;
  running: string;
  done: string;
  failed: string;
}

const toolPhrases: Readonly<Record<string, Phrases>> = {
  spawnAgent: {
    step: "started",
    running: "Starting an agent",
    done: "Started an agent",
    failed: "Could not start an agent",
  },
  sendInput: {
    step: "followUp",
    running: "Sending input to an agent",
    done: "Sent input to an agent",
    failed: "Could not send input to an agent",
  },
  sendMessage: {
    step: "messaged",
    running: "Sending a message to an agent",
    done: "Sent a message to an agent",
    failed: "Could not send a message to an agent",
  },
  followupTask: {
    step: "followUp",
    running: "Giving an agent a follow-up",
    done: "Gave an agent a follow-up",
    failed: "Could not give an agent a follow-up",
  },
  resumeAgent: {
    step: "resumed",
    running: "Resuming an agent",
    done: "Resumed an agent",
    failed: "Could not resume an agent",
  },
  wait: {
    step: "waited",
    running: "Waiting for agents",
    done: "Waited for agents",
    failed: "Stopped waiting for agents",
  },
  closeAgent: {
    step: "closed",
    running: "Closing an agent",
    done: "Closed an agent",
    failed: "Could not close an agent",
  },
  interruptAgent: {
    step: "interrupted",
    running: "Interrupting an agent",
    done: "Interrupted an agent",
    failed: "Could not interrupt an agent",
  },
  listAgents: {
    step: "other",
    running: "Listing agents",
    done: "Listed the agents",
    failed: "Could not list the agents",
  },
};

const stateWords: Readonly<Record<string, string>> = {
  pendingInit: "starting",
  running: "running",
  interrupted: "interrupted",
  completed: "completed",
  errored: "failed",
  shutdown: "closed",
  notFound: "not found",
};

const activities: Readonly<Record<string, { step: Step; words: string }>> = {
  started: { step: "started", words: "Agent started" },
  interacted: { step: "messaged", words: "Agent was given a message" },
  interrupted: { step: "interrupted", words: "Agent interrupted" },
  completed: { step: "finished", words: "Agent finished" },
};

export function viewCollabToolCall(base: ItemBase, item: LooseRecord): Item {
  const tool = stringOf(item.tool);
  const states = Object.entries(recordOf(item.agentsStates)).map(([agent, value]) => {
    const state = recordOf(value);
    const status = stringOf(state.status);
    return {
      agent,
      state: stringOrNull(ownField(stateWords, status)) ?? (status || "unknown"),
      message: stringOrNull(state.message),
    };
  });
  return {
    ...base,
    kind: "subAgent",
    activity: toolActivity(tool, item.status === "interrupted", base.status),
    step: phrasesOf(tool)?.step ?? "other",
    agentThreadIds: stringsOf(item.receiverThreadIds),
    agentName: null,
    prompt: wordsOrNull(item.prompt),
    states,
  };
}

function phrasesOf(tool: string): Phrases | undefined {
  return Object.hasOwn(toolPhrases, tool) ? toolPhrases[tool] : undefined;
}

function toolActivity(tool: string, interrupted: boolean, status: ItemStatus): string {
  const phrases = phrasesOf(tool);
  if (phrases === undefined) return tool === "" ? "Worked with agents" : `Worked with agents (${tool})`;
  if (interrupted) return `${phrases.running}: interrupted`;
  switch (status) {
    case "running":
      return phrases.running;
    case "lost":
      return `${phrases.running}: cut off`;
    case "failed":
    case "declined":
      return phrases.failed;
    case "completed":
      return phrases.done;
    default:
      return status satisfies never;
  }
}

export function viewSubAgentActivity(base: ItemBase, item: LooseRecord): Item {
  const kind = stringOf(item.kind);
  const threadId = wordsOrNull(item.agentThreadId);
  const path = wordsOrNull(item.agentPath);
  const known = Object.hasOwn(activities, kind) ? activities[kind] : undefined;
  return {
    ...base,
    kind: "subAgent",
    activity: known?.words ?? (kind === "" ? "Agent activity" : `Agent: ${kind}`),
    step: known?.step ?? "other",
    agentThreadIds: threadId === null ? [] : [threadId],
    agentName: path === null ? null : baseName(path),
    prompt: null,
    states: [],
  };
}
