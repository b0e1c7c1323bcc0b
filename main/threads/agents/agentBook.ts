// What is known about each child agent, in its row; and of what codex lists nowhere, in the ledger too.
//
// Races settled here:
// - The same is said in several places and in any order: by the agent itself, by the one above it, in codex's record, and
//   long after by a conversation that is loaded. What is said as it happens counts; what is read later only fills gaps.
// - The one above reports an end while the agent is at work again: what the agent does counts.
// - An agent asks for something before its name is known: whoever shows the request is told once the name is.

import { isDeepStrictEqual } from "node:util";
import type { AgentView, ThreadRow } from "../../../preload/contract/app";
import type { Thread } from "../../codex/protocol/v2/Thread";
import type { ThreadRows } from "../threadRows";
import { type AgentNews, type AgentSaid, saidOfThread } from "./agentNews";
import { type KeptAgents, unnamedAgent } from "./keptAgents";

export interface AgentBookOptions {
  rows: ThreadRows;
  kept: KeptAgents;
  /** Its name has become known, or another one. */
  named(threadId: string, name: string): void;
}

export class AgentBook {
  readonly #options: AgentBookOptions;

  constructor(options: AgentBookOptions) {
    this.#options = options;
  }

  /** The agent itself says so, now. */
  tell(threadId: string, said: AgentSaid): void {
    this.#change(threadId, (known) => ({ ...known, ...said }));
  }

  /** The one above it says so, now. */
  toldAbove({ threadId, said }: AgentNews): void {
    this.#change(threadId, (known, row) => {
      const { outcome, ...rest } = said;
      const counts = outcome === "closed" || (known.outcome === null && !isAtWork(row));
      return { ...known, ...rest, outcome: counts ? (outcome ?? known.outcome) : known.outcome };
    });
  }

  /** Read in a conversation, in order: the last word of it counts where nothing is known. */
  read(news: readonly AgentNews[]): void {
    const said = new Map<string, AgentSaid>();
    for (const one of news) said.set(one.threadId, { ...said.get(one.threadId), ...one.said });
    for (const [threadId, all] of said) this.#change(threadId, (known, row) => filled(known, all, row));
  }

  /** codex's record of its thread. */
  recorded(thread: Thread): void {
    const { role, acceptsMessages, ...rest } = saidOfThread(thread);
    this.#change(thread.id, (known, row) => ({
      ...filled(known, rest, row),
      role: role ?? known.role,
      acceptsMessages: acceptsMessages ?? null,
    }));
  }

  #change(threadId: string, change: (known: AgentView, row: ThreadRow) => AgentView): void {
    const { rows, kept, named } = this.#options;
    const row = rows.get(threadId);
    if (!row?.agent) return;
    const agent = change(row.agent, row);
    if (isDeepStrictEqual(agent, row.agent)) return;
    const isNamed = agent.name !== row.agent.name;
    rows.setAgent(threadId, agent);
    kept.write(threadId, row.agent, agent);
    if (!isNamed) return;
    if (row.title === unnamedAgent) rows.update(threadId, { title: agent.name });
    named(threadId, agent.name);
  }
}

/** Its turn would be cut off. */
export function isAtWork({ state }: Pick<ThreadRow, "state">): boolean {
  return state === "running" || state === "waiting for approval" || state === "waiting for answer";
}

function filled(known: AgentView, said: AgentSaid, row: ThreadRow): AgentView {
  return {
    ...known,
    name: known.name === unnamedAgent ? (said.name ?? known.name) : known.name,
    role: known.role ?? said.role ?? null,
    task: known.task ?? said.task ?? null,
    lastMessage: known.lastMessage ?? said.lastMessage ?? null,
    outcome: known.outcome ?? (isAtWork(row) ? null : (said.outcome ?? null)),
  };
}
