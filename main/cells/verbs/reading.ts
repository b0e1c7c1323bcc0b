// A thread's transcript in words, as a script reads it.
//
// Races settled here:
// - Older turns are being loaded for a window: the next ones are asked for when those have come.
// - The thread cannot be loaded (archived, open elsewhere): what can be listed of it can be read.

import { type Item, itemName } from "../../../preload/contract/items";
import type { TurnView } from "../../../preload/contract/thread";
import { unlessAborted } from "../../supervisor/unlessAborted";
import type { ThreadRuntime } from "../../threads/threadRuntime";
import type { ToolResult } from "../tools/tools";
import { whenThread } from "./waiting";

type Read = ToolResult<"readThread">;

/** In UTF-16 units. What is longer is cut in its middle: how something begins and how it ends says most. */
const itemUnits = 100_000;
const allUnits = 1_000_000;

export async function readTurns(runtime: ThreadRuntime, most: number, signal: AbortSignal): Promise<Read> {
  const { state } = runtime;
  const stop = runtime.attend(() => undefined);
  try {
    await listed(runtime, signal);
    while (state.transcript.turns.length < most && state.facts.olderCursor !== null) {
      await whenThread(runtime, signal, () => (state.facts.loadingOlder ? undefined : true));
      const { olderCursor } = state.facts;
      await unlessAborted(runtime.loadOlder(), signal);
      // Somebody else has begun to load them in the same moment, or they do not lie before what is known any more.
      if (state.facts.olderCursor === olderCursor && !state.facts.loadingOlder) break;
    }
    const all = state.transcript.turns;
    const { turns, isCut } = withinBounds(runtime, all.slice(-most));
    return {
      title: state.facts.title,
      state: state.head.state,
      turns,
      hasOlder: isCut || all.length > turns.length || state.facts.olderCursor !== null,
    };
  } finally {
    stop();
  }
}

async function listed(runtime: ThreadRuntime, signal: AbortSignal): Promise<void> {
  if (runtime.threadId === null) return;
  try {
    await unlessAborted(runtime.load(), signal);
  } catch (error) {
    if (signal.aborted || runtime.state.transcript.isEmpty) throw error;
  }
}

/** The newest turns that are not too long together. */
function withinBounds(runtime: ThreadRuntime, turns: TurnView[]): { turns: Read["turns"]; isCut: boolean } {
  const read: Read["turns"] = [];
  let left = allUnits;
  for (const turn of turns.toReversed()) {
    const items = runtime.state.transcript.itemsOf(turn.id).map((item) => ({
      kind: itemName(item),
      text: shortened(textOf(item)),
    }));
    left -= items.reduce((sum, { kind, text }) => sum + kind.length + text.length, 0);
    if (left < 0 && read.length > 0) return { turns: read.reverse(), isCut: true };
    read.push({ turnId: turn.id, status: turn.status, items });
  }
  return { turns: read.reverse(), isCut: false };
}

function shortened(text: string): string {
  if (text.length <= itemUnits) return text;
  const half = itemUnits / 2;
  return `${text.slice(0, half)}\n[${text.length - itemUnits} characters are left out here]\n${text.slice(-half)}`;
}

function textOf(item: Item): string {
  switch (item.kind) {
    case "user":
    case "agent":
    case "plan":
    case "review":
    case "hook":
    case "notice":
      return item.text;
    case "reasoning":
      return item.content === "" ? item.summary : item.content;
    case "command":
      return lines(
        `$ ${item.command}`,
        item.output.text,
        item.exitCode === null ? null : `exit code ${item.exitCode}`,
      );
    case "fileChange":
      return lines(
        ...item.changes.map(({ change, path, movedTo, diff }) =>
          lines(`${change} ${path}`, movedTo && `moved to ${movedTo}`, diff.text),
        ),
      );
    case "toolCall":
      return lines(
        `${item.server === null ? "" : `${item.server}.`}${item.tool} ${item.argumentsText.text}`,
        item.error ?? item.resultText.text,
      );
    case "webSearch":
      return lines(item.query, item.url);
    case "image":
      return lines(item.path, item.caption);
    case "subAgent":
      return lines(item.activity, item.prompt);
    case "compaction":
      return "";
    case "sleep":
      return `${item.durationMs / 1_000} s`;
    case "unknown":
      return item.json.text;
    default:
      return item satisfies never;
  }
}

function lines(...parts: (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== "").join("\n");
}
