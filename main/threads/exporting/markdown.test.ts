import fc from "fast-check";
import { expect, it } from "vitest";
import type { Turn } from "../../codex/protocol/v2/Turn";
import { codexTurn } from "../testCodexData";
import { code, fenced, markdownTurn } from "./markdown";

const turnWith = (items: object[], status = "completed") =>
  codexTurn("t1", status, items as Record<string, unknown>[]) as unknown as Turn;

it("has words for every kind of item, and JSON for one that it does not know", () => {
  const text = markdownTurn(
    turnWith([
      { type: "userMessage", id: "1", content: [{ type: "text", text: "# Not a\nheading" }] },
      { type: "reasoning", id: "2", summary: ["Thinking"], content: [] },
      {
        type: "fileChange",
        id: "3",
        status: "completed",
        changes: [{ path: "src/a.ts", kind: { type: "update" }, diff: "@@ -1 +1 @@\n-a\n+b\n" }],
      },
      {
        type: "mcpToolCall",
        id: "4",
        server: "docs",
        tool: "find",
        status: "failed",
        arguments: { q: 1 },
        result: null,
        error: { message: "It\nbroke" },
      },
      { type: "contextCompaction", id: "5" },
      { type: "somethingNew", id: "6", words: "kept" },
    ]),
    7,
  );
  expect(text).toContain("## Turn 7 (2023-11-14T22:13:21Z)");
  expect(text).toContain("### You\n\n> # Not a\n> heading");
  expect(text).toContain("### Reasoning\n\n> Thinking");
  expect(text).toContain("Edited `src/a.ts` (+1 −1)\n\n```diff\n@@ -1 +1 @@\n-a\n+b\n```");
  expect(text).toContain('`docs.find`\n\n```json\n{\n  "q": 1\n}\n```\n\nFailed: It broke');
  expect(text).toContain("The context was compacted here.");
  expect(text).toMatch(/An item of the type `somethingNew`:\n\n```json[\s\S]*"words": "kept"/);
});

it("says how a turn ended that did not complete", () => {
  expect(markdownTurn(turnWith([], "interrupted"), 1)).toContain("*The turn was interrupted.*");
  expect(markdownTurn(turnWith([], "inProgress"), 1)).toContain("still running");
  expect(markdownTurn({ ...turnWith([], "failed"), error: { message: "No\nmodel" } } as Turn, 1)).toContain(
    "*The turn failed:* No model",
  );
});

it("a fence is closed by nothing in it, and a name by no tick in it", () => {
  const ticks = fc
    .array(fc.constantFrom("`", "``", "```", "`````", "a", "\n", " "))
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(ticks, (text) => {
      fc.pre(text.trim() !== "");
      const lines = fenced(text, "sh").split("\n");
      const fence = lines.at(-1) ?? "";
      expect(lines[0]).toBe(`${fence}sh`);
      expect(lines.slice(1, -1).some((line) => line.includes(fence))).toBe(false);
    }),
  );
  expect(code("a`b")).toBe("``a`b``");
  expect(code("`a`")).toBe("`` `a` ``");
});

it("shows the lines of added and deleted files with their signs, whether codex sends a diff or the bare content", () => {
  const changes = [
    { path: "new.ts", kind: { type: "add" }, diff: "a\n\nb\n" },
    { path: "old.ts", kind: { type: "delete" }, diff: "gone\nno end" },
    { path: "whole.ts", kind: { type: "add" }, diff: "@@ -0,0 +1 @@\n+already\n" },
  ];
  const text = markdownTurn(turnWith([{ type: "fileChange", id: "1", status: "completed", changes }]), 1);
  expect(text).toContain("```diff\n+a\n+\n+b\n```");
  expect(text).toContain("```diff\n-gone\n-no end\n```");
  expect(text).toContain("```diff\n@@ -0,0 +1 @@\n+already\n```");
});
