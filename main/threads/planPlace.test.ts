import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Turn } from "../codex/protocol/v2/Turn";
import { withPlansInPlace } from "./planPlace";
import { agentItem, codexTurn } from "./testCodexData";
import { Transcript } from "./transcript";

const planItem = (id: string, text: string) => ({ type: "plan", id, text });
const running = codexTurn("t") as unknown as Turn;

/** What codex tells while the message comes, as it was seen of codex itself; the record has the plan first each time. */
const ways: [string, (transcript: Transcript) => void][] = [
  [
    "in the middle of a message that is streamed",
    (transcript) => {
      transcript.itemStarted("t", agentItem("m", ""), 1);
      transcript.itemStarted("t", planItem("p", ""), 1);
      transcript.itemCompleted("t", planItem("p", "1. Read"), 2);
      transcript.itemCompleted("t", agentItem("m", "Let me think.\nThat is it."), 2);
    },
  ],
  [
    "before the rest of its message",
    (transcript) => {
      transcript.itemStarted("t", planItem("p", ""), 1);
      transcript.itemStarted("t", agentItem("m", ""), 1);
      transcript.itemCompleted("t", planItem("p", "1. Read"), 2);
      transcript.itemCompleted("t", agentItem("m", "Let me think.\nThat is it."), 2);
    },
  ],
  [
    "with the whole message",
    (transcript) => {
      transcript.itemCompleted("t", planItem("p", "1. Read"), 2);
      transcript.itemCompleted("t", agentItem("m", "Let me think.\nThat is it."), 2);
    },
  ],
];

describe("a plan", () => {
  it.each(ways)("that comes %s stands behind it, also when codex's record is read again", (_, tell) => {
    const live = new Transcript();
    live.turnStarted(running);
    live.itemCompleted("t", agentItem("a", "I look first."), 0);
    tell(live);
    const places = (transcript: Transcript) => transcript.items.map(({ id }) => id);
    expect(places(live)).toEqual(["t/a", "t/m", "t/p"]);
    const record = codexTurn("t", "completed", [
      agentItem("a", "I look first."),
      planItem("p", "1. Read"),
      agentItem("m", "Let me think.\nThat is it."),
    ]) as unknown as Turn;
    const page = { turns: [record], nextCursor: null };
    live.merge(page, "none", 5);
    const again = new Transcript();
    again.merge(page, "none", 5);
    expect([places(live), places(again)]).toEqual([
      ["t/a", "t/m", "t/p"],
      ["t/a", "t/m", "t/p"],
    ]);
  });

  it("is never before a message that follows it, and nothing else is moved", () => {
    const types = fc.array(fc.constantFrom("plan", "agentMessage", "reasoning"), { maxLength: 12 });
    fc.assert(
      fc.property(types, (kinds) => {
        const items = kinds.map((type, id) => ({ type, id }));
        const placed = withPlansInPlace(items);
        expect(placed.map(({ type }) => type).join(" ")).not.toContain("plan agentMessage");
        for (const kind of ["plan", "agentMessage", "reasoning"]) {
          const own = (list: typeof items) => list.filter(({ type }) => type === kind);
          expect(own(placed)).toEqual(own(items));
        }
        const reasonings = (list: typeof items) => list.map(({ type }) => type === "reasoning");
        expect(reasonings(placed)).toEqual(reasonings(items));
      }),
    );
  });
});
