// What a window that goes away leaves behind of a script: nothing of it is lost, and nothing of another window's either.

import { afterEach, beforeEach, expect, test } from "vitest";
import { makeTestLedger, type TestLedger } from "../../ledger/testLedger";
import { Scripts } from "./scripts";

let kept: TestLedger;
let scripts: Scripts;
let scriptId: string;

beforeEach(() => {
  kept = makeTestLedger();
  scripts = new Scripts({ ledger: kept.ledger.scripts, changed: () => {}, shipped: [] });
  scriptId = scripts.create("Hunt", null, "text(1);");
});

afterEach(() => kept.remove());

const texts = () => scripts.rows.map(({ name, scriptId }) => [name, scripts.read(scriptId).source]);

test("words that fit are saved like any others", () => {
  const saved = scripts.saveOrCopy(scriptId, { name: "Hunt", source: "mine", revision: 1 });
  expect(saved).toEqual({ outcome: "kept", revision: 2 });
  expect(texts()).toEqual([["Hunt", "mine"]]);
});

test("words that do not fit what another window has saved become a script of their own", () => {
  scripts.save(scriptId, { name: "Hunt", source: "theirs", revision: 1 });
  const saved = scripts.saveOrCopy(scriptId, { name: "Hunt", source: "mine", revision: 1 });
  expect(saved).toMatchObject({ outcome: "behind", script: { source: "theirs" } });
  expect(texts()).toEqual([
    ["Hunt", "theirs"],
    ["Hunt (other window)", "mine"],
  ]);
});

test("the same words are not kept twice", () => {
  scripts.save(scriptId, { name: "Hunt", source: "ours", revision: 1 });
  scripts.saveOrCopy(scriptId, { name: "Hunt", source: "ours", revision: 1 });
  expect(texts()).toEqual([["Hunt", "ours"]]);
});

test("words of a script that was deleted meanwhile are kept, also under a name that has no room for more", () => {
  scripts.delete(scriptId);
  const name = "n".repeat(200);
  expect(() => scripts.saveOrCopy(scriptId, { name, source: "mine", revision: 1 })).toThrow(
    expect.objectContaining({ code: "script_unknown" }),
  );
  expect(texts()).toEqual([[`${"n".repeat(170)} (other window)`, "mine"]]);
});

test("a copy can be made with words that are not saved yet", () => {
  const copy = scripts.create(null, scriptId, "text(2);");
  expect(scripts.read(copy)).toMatchObject({ name: "Hunt (copy)", source: "text(2);" });
});
