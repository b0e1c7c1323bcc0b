import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fullTextOf, fullTextUnits } from "./fullText";

const output = (aggregatedOutput: string) => ({ type: "commandExecution", id: "c", aggregatedOutput });

describe("the whole text", () => {
  it("of every part", () => {
    const patch = { type: "fileChange", changes: [{ path: "a:b", kind: { type: "add" }, diff: "x" }] };
    expect(fullTextOf(output("out"), "output")).toEqual({ text: "out", complete: true });
    expect(fullTextOf(patch, "diff:a:b")).toEqual({ text: "x", complete: true });
    const call = {
      type: "mcpToolCall",
      arguments: { q: 1 },
      result: { content: [{ type: "text", text: "r" }] },
    };
    expect(fullTextOf(call, "arguments")).toEqual({ text: '{\n  "q": 1\n}', complete: true });
    expect(fullTextOf(call, "result")).toEqual({ text: "r", complete: true });
    expect(fullTextOf({ type: "agentMessage", text: "hi" }, "text")).toEqual({ text: "hi", complete: true });
    expect(fullTextOf({ type: "future" }, "json")?.text).toContain('"future"');
  });

  it("keeps strings inside JSON whole", () => {
    const text = fullTextOf({ type: "future", data: "A".repeat(50_000) }, "json")?.text ?? "";
    expect(text.length).toBeGreaterThan(50_000);
  });

  it("is null where there is no such part", () => {
    expect(fullTextOf(output("x"), "result")).toBeNull();
    expect(fullTextOf({ type: "fileChange", changes: [] }, "diff:a")).toBeNull();
    expect(fullTextOf(output("x"), "diff:a")).toBeNull();
    expect(fullTextOf(null, "output")).toBeNull();
  });

  it("is its end when it is longer than an answer may be, and says so", () => {
    const long = fullTextOf(output(`${"x".repeat(fullTextUnits)}END`), "output");
    expect(long?.complete).toBe(false);
    expect(long?.text.length).toBe(fullTextUnits);
    expect(long?.text.endsWith("END")).toBe(true);
  });

  it("never begins with half a character", () => {
    const long = fullTextOf(output(`😀${"x".repeat(fullTextUnits - 1)}`), "output");
    expect(long?.text.charAt(0)).toBe("x");
  });

  it.each(["... 3740375 bytes omitted ...", "... command output truncated for persistence ..."])(
    "is incomplete when codex kept only part of it: %s",
    (mark) => {
      const lines = "line\n".repeat(3_000);
      expect(fullTextOf(output(`${lines}${mark}\n${lines}`), "output")?.complete).toBe(false);
      expect(fullTextOf(output(`before\n${mark}\n`), "output")?.complete).toBe(true);
      expect(fullTextOf(output(`${lines}# ${mark}\n`), "output")?.complete).toBe(true);
    },
  );

  it("never throws", () => {
    const part = fc.oneof(
      fc.constantFrom("output", "json", "result", "arguments", "text", "diff:"),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.jsonValue(), part, (item, name) => {
        const full = fullTextOf(item, name);
        expect(full === null || typeof full.text === "string").toBe(true);
      }),
    );
  });
});
