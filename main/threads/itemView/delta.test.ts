import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Item, itemSchema } from "../../../preload/contract/items";
import { viewItem } from "../itemView";
import { appendToItem, deltaTarget, patchTarget, placeholderItem, progressTarget } from "./delta";
import { itemKey } from "./itemKey";

const at = { threadId: "t", turnId: "turn", itemId: "item" };
const id = itemKey("turn", "item");

describe("where a piece of text belongs", () => {
  it.each([
    ["item/agentMessage/delta", { delta: "Hi" }, "agent", "text", "Hi"],
    ["item/plan/delta", { delta: "1." }, "plan", "text", "1."],
    ["item/reasoning/summaryTextDelta", { delta: "s", summaryIndex: 0 }, "reasoning", "summary", "s"],
    ["item/reasoning/summaryPartAdded", { summaryIndex: 1 }, "reasoning", "summary", "\n\n"],
    ["item/reasoning/textDelta", { delta: "c", contentIndex: 0 }, "reasoning", "content", "c"],
    ["item/commandExecution/outputDelta", { delta: "out\n" }, "command", "output", "out\n"],
  ])("%s", (method, params, kind, field, text) => {
    expect(deltaTarget(method, { ...at, ...params })).toEqual({
      turnId: "turn",
      itemId: id,
      kind,
      field,
      text,
    });
  });

  it.each([
    ["the first part of a summary", "item/reasoning/summaryPartAdded", { ...at, summaryIndex: 0 }],
    ["an empty piece", "item/agentMessage/delta", { ...at, delta: "" }],
    ["a piece without an item", "item/agentMessage/delta", { threadId: "t", turnId: "turn", delta: "x" }],
    ["a piece that is no text", "item/agentMessage/delta", { ...at, delta: 7 }],
    ["no parameters", "item/agentMessage/delta", undefined],
    ["the retired output of a patch", "item/fileChange/outputDelta", { ...at, delta: "x" }],
    ["another notification", "item/started", { ...at, delta: "x" }],
  ])("%s is none", (_name, method, params) => {
    expect(deltaTarget(method, params)).toBeNull();
  });

  it("progress of a tool call and the changes of a running patch are found too", () => {
    expect(progressTarget("item/mcpToolCall/progress", { ...at, message: "half" })).toEqual({
      itemId: id,
      progress: "half",
    });
    expect(progressTarget("item/mcpToolCall/progress", { message: "half" })).toBeNull();
    const changes = [{ path: "a", kind: { type: "add" }, diff: "x\n" }];
    expect(patchTarget("item/fileChange/patchUpdated", { ...at, changes })).toMatchObject({
      itemId: id,
      changes: [{ path: "a", change: "add", added: 1 }],
    });
    expect(patchTarget("item/fileChange/patchUpdated", at)).toBeNull();
  });
});

describe("an item whose start was missed", () => {
  it.each(["agent", "reasoning", "command", "plan"] as const)("%s gets a placeholder that fits", (kind) => {
    const item = placeholderItem({ turnId: "turn", itemId: id, kind, field: "text", text: "x" }, 5);
    expect(itemSchema.parse(item)).toEqual(item);
    expect(item).toMatchObject({ kind, id, status: "running", startedAtMs: 5 });
    expect(item).toMatchObject(kind === "reasoning" ? { summaryGaps: [0], contentGaps: [0] } : { gaps: [0] });
  });

  it("is replaced under the same id when its end comes", () => {
    const target = deltaTarget("item/agentMessage/delta", { ...at, delta: "lo" });
    if (target === null) throw new Error("expected a target");
    const placeholder = appendToItem(placeholderItem(target), target.field, target.text);
    const whole = viewItem(
      { type: "agentMessage", id: "item", text: "Hello" },
      { turnId: "turn", running: false },
    );
    expect(placeholder).toMatchObject({ text: "lo", gaps: [0] });
    expect(whole).toMatchObject({ id: placeholder.id, text: "Hello", gaps: [] });
  });
});

describe("adding", () => {
  const items: Item[] = [
    viewItem({ type: "agentMessage", id: "a", text: "A" }, { turnId: "t", running: true }),
    viewItem({ type: "plan", id: "p", text: "P" }, { turnId: "t", running: true }),
    viewItem({ type: "reasoning", id: "r", summary: ["S"], content: ["C"] }, { turnId: "t", running: true }),
    viewItem({ type: "commandExecution", id: "c", command: "x" }, { turnId: "t", running: true }),
    viewItem({ type: "contextCompaction", id: "n" }, { turnId: "t", running: true }),
  ];

  it("goes to the field named and to no other, and changes nothing in place", () => {
    const before = JSON.stringify(items);
    const added = (field: "text" | "summary" | "content" | "output") =>
      items.map((item) => appendToItem(item, field, "+"));
    expect(added("text")).toMatchObject([{ text: "A+" }, { text: "P+" }, items[2], items[3], items[4]]);
    expect(added("summary")[2]).toMatchObject({ summary: "S+", content: "C" });
    expect(added("content")[2]).toMatchObject({ summary: "S", content: "C+" });
    expect(added("output")[3]).toMatchObject({ output: { text: "+" } });
    expect(added("output")[4]).toBe(items[4]);
    expect(JSON.stringify(items)).toBe(before);
  });

  it("piece by piece gives what the whole would have been", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 })), (pieces) => {
        const start = placeholderItem({
          turnId: "t",
          itemId: "t/a",
          kind: "agent",
          field: "text",
          text: "x",
        });
        const end = pieces.reduce((item, piece) => appendToItem(item, "text", piece), start);
        expect(end).toMatchObject({ text: pieces.join("") });
      }),
    );
  });
});
