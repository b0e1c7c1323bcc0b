// What codex lists nowhere of a child agent, kept in the ledger: its name before it is recorded, its task and its last words
// while its conversation is not loaded, what it has spent, and how it ended.

import { type AgentView, agentSchema } from "../../../preload/contract/app";
import { asFault } from "../../fault";
import type { RunningItemsLedger } from "../../ledger/runningItemsLedger";
import type { Log } from "../../log";
import { usageId } from "../keptFacts";
import { numberOrNull, recordOf } from "../loose";

/** The name of an agent of which only the id is known. */
export const unnamedAgent = "Agent";

/** No item has such an id: those name their turn first. */
const agentId = "agent";

export class KeptAgents {
  readonly #ledger: RunningItemsLedger;
  readonly #log: Log;

  constructor(ledger: RunningItemsLedger, log: Log) {
    this.#ledger = ledger;
    this.#log = log;
  }

  /** What an agent is as far as the ledger knows; never says whether it takes messages. */
  read(threadId: string): AgentView {
    const unknown: AgentView = {
      name: unnamedAgent,
      role: null,
      task: null,
      lastMessage: null,
      tokens: null,
      acceptsMessages: null,
      outcome: null,
    };
    try {
      let agent = unknown;
      let tokens: number | null = null;
      for (const { itemId, item } of this.#ledger.list(threadId)) {
        const { value } = recordOf(item);
        if (itemId === agentId) agent = agentSchema.safeParse(value).data ?? unknown;
        if (itemId === usageId) tokens = numberOrNull(recordOf(value).totalTokens);
      }
      return { ...agent, tokens: tokens ?? agent.tokens, acceptsMessages: null };
    } catch (error) {
      this.#log.error("a kept agent could not be read", { threadId, error: asFault(error).message });
      return unknown;
    }
  }

  write(threadId: string, before: AgentView, agent: AgentView): void {
    // What it has spent is on record by itself, and what it accepts is only good for now.
    const { tokens: _, acceptsMessages: __, ...kept } = agent;
    if ((Object.keys(kept) as (keyof typeof kept)[]).every((name) => kept[name] === before[name])) return;
    try {
      this.#ledger.update(threadId, [
        { turnId: "", itemId: agentId, kind: "fact", item: { value: agent }, textSoFar: "" },
      ]);
    } catch (error) {
      this.#log.error("an agent could not be written down", { threadId, error: asFault(error).message });
    }
  }
}
