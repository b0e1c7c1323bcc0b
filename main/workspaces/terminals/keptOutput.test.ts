import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ManualClock } from "../../clock";
import { silentLog } from "../../log";
import { type KeptOutput, KeptOutputs } from "./keptOutput";

let folder: string;
let clock: ManualClock;
let kept: KeptOutput;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-kept-"));
  clock = new ManualClock();
  kept = new KeptOutputs({ folder, clock, log: silentLog }).of("t");
});

afterEach(async () => {
  await kept.remove();
  rmSync(folder, { recursive: true });
});

const print = (text: string) => kept.add(new TextEncoder().encode(text));
const expectWritten = (text: string) =>
  expect.poll(() => readFileSync(join(folder, "t.out"), "utf8")).toBe(text);

it("writes what comes within a second at once", async () => {
  print("one ");
  clock.advance(500);
  print("two ");
  clock.advance(500);
  await expectWritten("one two ");
});

it("writes also what was printed last while it was being written", async () => {
  print("one ");
  clock.advance(1_000);
  print("two ");
  await expectWritten("one ");
  await expect
    .poll(() => {
      clock.advance(1_000);
      return readFileSync(join(folder, "t.out"), "utf8");
    })
    .toBe("one two ");
});
