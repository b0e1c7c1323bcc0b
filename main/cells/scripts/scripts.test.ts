// The scripts that are kept, as a window asks for them.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { calls } from "../../../preload/contract";
import type { ScriptRow } from "../../../preload/contract/cells";
import { makeTestLedger, type TestLedger } from "../../ledger/testLedger";
import { scriptBytes } from "../runtime/limits";
import { Scripts } from "./scripts";
import { summaryOf } from "./starter";

const shipped = [{ scriptId: "review", name: "Review", source: "// Reviews a branch.\ntext(1);\n" }];

let kept: TestLedger;
let shown: ScriptRow[];
let scripts: Scripts;

function make(): Scripts {
  return new Scripts({
    ledger: kept.ledger.scripts,
    changed: (rows) => {
      shown = rows;
    },
    shipped,
  });
}

beforeEach(() => {
  kept = makeTestLedger();
  shown = [];
  scripts = make();
});

afterEach(() => kept.remove());

const refused = (code: string) => expect.objectContaining({ code });

describe("a new script", () => {
  test("has a few lines to start from, and a name of its own", () => {
    const first = scripts.create(null, null);
    scripts.create(null, null);
    expect(scripts.read(first)).toMatchObject({ name: "New script", origin: "own", revision: 1 });
    expect(scripts.read(first).source).toContain("tools.startThread");
    expect(shown.map(({ name, origin }) => [name, origin])).toEqual([
      ["New script", "own"],
      ["New script 2", "own"],
      ["Review", "shipped"],
    ]);
  });

  test("can be a copy of another one", () => {
    const copy = scripts.create(null, "review");
    expect(scripts.read(copy)).toEqual({
      name: "Review (copy)",
      source: shipped[0]?.source,
      origin: "own",
      revision: 1,
    });
    expect(scripts.read(scripts.create("Mine", copy))).toMatchObject({ name: "Mine" });
    const long = scripts.create("x".repeat(200), null);
    expect(scripts.read(scripts.create(null, long)).name).toBe(`${"x".repeat(180)} (copy)`);
    expect(() => scripts.create(null, "none")).toThrow(refused("script_unknown"));
  });
});

describe("saving", () => {
  test("replaces name and text, and is shown", () => {
    const id = scripts.create("A", null);
    kept.clock.advance(9);
    expect(scripts.save(id, { name: " B ", source: "// Counts.\n1", revision: 1 })).toEqual({
      outcome: "kept",
      revision: 2,
    });
    expect(shown[0]).toEqual({
      scriptId: id,
      name: "B",
      origin: "own",
      summary: "Counts.",
      updatedAtMs: kept.clock.nowMs(),
    });
    kept.reopen();
    expect(make().read(id)).toEqual({ name: "B", source: "// Counts.\n1", origin: "own", revision: 2 });
  });

  test("of what was changed elsewhere is refused, and says what is there", () => {
    const id = scripts.create("A", null);
    scripts.save(id, { name: "A", source: "mine", revision: 1 });
    expect(scripts.save(id, { name: "A", source: "yours", revision: 1 })).toEqual({
      outcome: "behind",
      script: { name: "A", source: "mine", origin: "own", revision: 2 },
    });
  });

  test("needs a name and a text that fit", () => {
    const id = scripts.create("A", null);
    const save = (change: { name?: string; source?: string }) => () =>
      scripts.save(id, { name: "A", source: "1", revision: 1, ...change });
    expect(save({ name: " " })).toThrow(refused("script_name"));
    expect(save({ name: "x".repeat(201) })).toThrow(refused("script_name"));
    expect(save({ source: "é".repeat(600_000) })).toThrow(refused("script_too_long"));
    // No form is in the way of that: a window would be told of something that nobody can put right.
    const tooLong = { scriptId: "a", name: "a", source: "x".repeat(2 * scriptBytes), revision: 1 };
    expect(calls["scripts.save"].params.safeParse(tooLong).success).toBe(true);
    expect(scripts.read(id)).toMatchObject({ name: "A", revision: 1 });
  });
});

describe("deleting", () => {
  test("takes it off the list, and restoring brings it back as it was", () => {
    const id = scripts.create("A", null);
    scripts.delete(id);
    expect(shown.map(({ scriptId }) => scriptId)).toEqual(["review"]);
    expect(() => scripts.read(id)).toThrow(refused("script_unknown"));
    scripts.restore(id);
    expect(shown).toHaveLength(2);
    expect(scripts.read(id)).toMatchObject({ name: "A", revision: 1 });
    for (const act of [() => scripts.delete("none"), () => scripts.restore("none")]) {
      expect(act).toThrow(refused("script_unknown"));
    }
  });
});

describe("a script that came with Holdfast", () => {
  test("is read like any other, and never changed", () => {
    expect(scripts.rows).toMatchObject([{ scriptId: "review", summary: "Reviews a branch." }]);
    expect(scripts.read("review")).toMatchObject({ origin: "shipped", revision: 1 });
    expect(() => scripts.save("review", { name: "R", source: "1", revision: 1 })).toThrow(
      refused("script_shipped"),
    );
    expect(() => scripts.delete("review")).toThrow(refused("script_shipped"));
  });
});

describe("the summary of a script", () => {
  test.each([
    ["// One line.\ntext(1)", "One line."],
    ["\n\n  // Two\n  //  lines.\n\n// Not this one.\ntext(1)", "Two lines."],
    ["/** Of a\n * block. */ text(1)", "Of a block."],
    ["/* one */ // two", "one"],
    ["//\ntext(1)", null],
    ["text(1) // no", null],
    ["", null],
    [`// ${"x".repeat(300)}`, `${"x".repeat(199)}…`],
  ])("%j", (source, summary) => {
    expect(summaryOf(source)).toBe(summary);
  });
});
