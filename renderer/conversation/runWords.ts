// What is going on, in words: what it waits for goes before what it does, and what it does before that it does something.
// Pure.

import type { Item } from "../../preload/contract/items";
import type { RunView } from "../../preload/contract/thread";

export interface RunWords {
  words: string;
  /** More about it: the command, the file, the query. */
  subject: string | null;
  tone: "busy" | "waiting" | "warning";
}

const longestSubject = 160;

function subject(text: string): string | null {
  const line = text.trim().split("\n", 1)[0] ?? "";
  if (line === "") return null;
  return line.length > longestSubject ? `${line.slice(0, longestSubject)}…` : line;
}

/** `running`: the items that are running now, in order. */
export function runWords(run: RunView, running: readonly Item[], gone: boolean): RunWords {
  if (run.stopping) return { words: "Stopping", subject: null, tone: "busy" };
  if (gone)
    return { words: "Not connected to codex; the turn may still go on", subject: null, tone: "warning" };
  if (run.retrying !== null) return { words: run.retrying, subject: null, tone: "warning" };
  if (run.waitingFor.length > 0) {
    return { words: `Waiting for ${joined(run.waitingFor)}`, subject: null, tone: "waiting" };
  }
  const item = running.at(-1);
  if (!item) return { words: run.turnId === null ? "Starting" : "Working", subject: null, tone: "busy" };
  return { ...itemWords(item), tone: "busy" };
}

function itemWords(item: Item): Omit<RunWords, "tone"> {
  switch (item.kind) {
    case "command":
      return { words: "Running", subject: subject(item.command) };
    case "agent":
      return { words: "Writing", subject: null };
    case "reasoning":
      return { words: "Thinking", subject: null };
    case "fileChange":
      return { words: "Editing", subject: subject(item.changes.map((change) => change.path).join(", ")) };
    case "toolCall":
      return {
        words: "Using",
        subject: subject(item.server === null ? item.tool : `${item.server} · ${item.tool}`),
      };
    case "webSearch":
      return { words: "Searching the web for", subject: subject(item.query) ?? "something" };
    case "plan":
      return { words: "Planning", subject: null };
    case "image":
      return { words: "Making a picture", subject: null };
    case "subAgent":
      return { words: "Working with", subject: subject(item.agentName ?? "an agent") };
    case "review":
      return { words: "Reviewing", subject: null };
    case "compaction":
      return { words: "Compacting the context", subject: null };
    case "sleep":
      return { words: "Waiting for a while", subject: null };
    case "hook":
      return { words: "Running a hook", subject: subject(item.text) };
    case "user":
    case "notice":
    case "unknown":
      return { words: "Working", subject: null };
    default: {
      const unknown: never = item;
      return unknown;
    }
  }
}

/** "a", "a and b", "a, b and c" */
function joined(parts: readonly string[]): string {
  if (parts.length < 2) return parts[0] ?? "";
  return `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}
