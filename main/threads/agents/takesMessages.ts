// Whether codex takes a person's messages for a thread: for some agents it does not.

import { Fault } from "../../fault";
import type { ThreadRows } from "../threadRows";

/** Throws a Fault when codex takes no messages for this thread. */
export function checkTakesMessages(rows: Pick<ThreadRows, "get">, threadId: string | null): void {
  const agent = threadId === null ? null : rows.get(threadId)?.agent;
  if (agent?.acceptsMessages !== false) return;
  throw new Fault("agent_takes_no_messages", `codex takes no messages for the agent ${agent.name}.`, {
    hint: "Write to the thread that started it, which can pass it on.",
  });
}
