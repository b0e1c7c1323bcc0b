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

it("says first how large the terminal was when it printed last", async () => {
  kept.sized({ columns: 41, rows: 30 });
  print("holdfast terminal 9x9\n");
  clock.advance(1_000);
  await expectWritten("holdfast terminal 41x30\nholdfast terminal 9x9\n");
  const outputs = new KeptOutputs({ folder, clock, log: silentLog });
  const read = () => {
    const found = outputs.read("t");
    return found && { ...found, output: Buffer.from(found.output).toString() };
  };
  expect(read()).toEqual({ output: "holdfast terminal 9x9\n", size: { columns: 41, rows: 30 } });
  kept.sized({ columns: 100, rows: 40 });
  await expect
    .poll(() => {
      clock.advance(1_000);
      return read()?.size;
    })
    .toEqual({ columns: 100, rows: 40 });
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
