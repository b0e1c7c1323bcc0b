// Items that codex does not list, in a conversation that it does.

import { describe, expect, it } from "vitest";
import type { Item } from "../../preload/contract/items";
import type { ThreadChange, ThreadSnapshot } from "../../preload/contract/thread";
import type { Turn } from "../codex/protocol/v2/Turn";
import { agentItem, codexTurn } from "./testCodexData";
import { applyChange, textOf } from "./testThreads";
import { Transcript } from "./transcript";

const own = (turnId: string, id: string, startedAtMs: number | null): Item => ({
  id: `${turnId}/${id}`,
  turnId,
  status: "completed",
  startedAtMs,
  completedAtMs: startedAtMs,
  kind: "user",
  clientId: null,
  text: id,
  attachments: [],
});
const timed = (id: string, startedAtMs: number) => ({ ...agentItem(id, id), startedAtMs });

/** A window's copy of the transcript, kept by the changes alone. */
function watched(transcript: Transcript) {
  let copy: ThreadSnapshot = { head: {} as ThreadSnapshot["head"], turns: [], items: [] };
  const take = (changes: ThreadChange[]) => {
    copy = structuredClone(changes).reduce(applyChange, copy);
    expect(copy.items).toEqual(transcript.items);
  };
  const list = (turns: object[]) =>
    take(transcript.merge({ turns: (turns as Turn[]).reverse(), nextCursor: null }, "none", 5));
  return { take, list, ids: () => copy.items.map((item) => item.id), texts: () => copy.items.map(textOf) };
}

describe("an item that codex does not list", () => {
  it("stands in its turn by its time, and is put there once", () => {
    const transcript = new Transcript();
    const { take, list, ids } = watched(transcript);
    list([
      codexTurn("t1", "completed", [timed("a", 10), timed("b", 20)]),
      codexTurn("t2", "completed", []),
      codexTurn("t3", "completed", [timed("c", 40)]),
    ]);
    const added = [
      own("t1", "mid", 15),
      own("t1", "last", 25),
      own("t2", "alone", 30),
      own("t3", "untimed", null),
    ];
    for (const item of added) take(transcript.insert(item));
    const order = ["t1/a", "t1/mid", "t1/b", "t1/last", "t2/alone", "t3/untimed", "t3/c"];
    expect(ids()).toEqual(order);
    expect(transcript.insert(own("t1", "mid", 15))).toEqual([]);
    expect(transcript.insert(own("gone", "x", 1))).toEqual([]);
    list([codexTurn("t3", "completed", [timed("c", 40)])]);
    expect(ids()).toEqual(order);
  });

  it("is followed by what runs", () => {
    const transcript = new Transcript();
    const { take, texts } = watched(transcript);
    take(transcript.turnStarted(codexTurn("t1") as unknown as Turn));
    take(transcript.itemStarted("t1", agentItem("m", ""), 1));
    take(transcript.insert(own("t1", "task", 0)));
    take(transcript.itemCompleted("t1", agentItem("m", "Hello"), 2));
    expect(texts()).toEqual(["user completed: task", "agent completed: Hello"]);
  });
});
