// A terminal over random histories: it prints, windows come, take what waits for them when they can, and go. Whatever has
// happened, what a window has assembled is what was printed, up to the bound; and every question that the program asks is
// answered by one window at most, and by exactly one if a window was there or came in time.

import fc from "fast-check";
import { expect, test } from "vitest";
import type { TerminalChange, TerminalSnapshot } from "../../preload/contract/terminals";
import { ManualClock } from "../clock";
import { type OpenTerminal, TerminalOutput } from "../terminals/terminalOutput";
import { TerminalMerger } from "./mergeTerminalChanges";

type Step =
  | { do: "print"; text: string; times: number }
  | { do: "gap" | "come" | "wait" }
  | { do: "take" | "go"; which: number };

const which = fc.nat({ max: 5 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant("print" as const),
      // "?" is a question.
      text: fc.constantFrom("a\n", "some words ", "?", "line?\n", "ü"),
      times: fc.constantFrom(1, 1, 2, 60, 200, 3_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("gap" as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("come" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("wait" as const) }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant("take" as const), which }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("go" as const), which }) },
);

const mergerBytes = 500;
const scrollbackBytes = 40_000;
/** What certainly is in it: it begins with a whole line. */
const keptBytes = 20_000;
const question = "?".charCodeAt(0);

class TestWindow {
  readonly #merger = new TerminalMerger(mergerBytes);
  readonly #open: OpenTerminal;
  readonly #answered: (at: number) => void;
  /** What it has, from where on, and before which bytes something is missing. */
  held = Buffer.alloc(0);
  from = 0;
  gaps: number[] = [];
  #answers = false;
  restarts = 0;

  constructor(output: TerminalOutput, answered: (at: number) => void) {
    this.#answered = answered;
    this.#open = this.#merger.askAgain(
      output.open((changes) => {
        for (const change of changes) this.#merger.add(change);
        expect(this.#merger.bytes).toBeLessThanOrEqual(mergerBytes);
      }),
    );
    this.#replace(this.#open.snapshot);
  }

  take(): void {
    for (const change of this.#merger.take()) this.#apply(change);
    expect(this.#merger.isEmpty).toBe(true);
  }

  go(): void {
    this.#open.close();
    // What it was given is in its hands, and it answers that.
    this.take();
  }

  #apply(change: TerminalChange): void {
    switch (change.type) {
      case "output":
        this.#print(change.bytes);
        return;
      case "gap":
        this.gaps.push(this.from + this.held.length);
        return;
      case "answers":
        this.#answers = true;
        return;
      case "restart":
        this.restarts += 1;
        this.#replace(change.snapshot);
        return;
      default:
        change satisfies never;
    }
  }

  #replace({ output, earlierBytes, gaps, answersFrom }: TerminalSnapshot): void {
    const answersAt = answersFrom === null ? output.length : Math.max(0, answersFrom - earlierBytes);
    this.held = Buffer.alloc(0);
    this.from = earlierBytes;
    this.gaps = gaps;
    this.#answers = false;
    this.#print(output.subarray(0, answersAt));
    this.#answers = answersFrom !== null;
    this.#print(output.subarray(answersAt));
  }

  #print(bytes: Uint8Array): void {
    const start = this.from + this.held.length;
    if (this.#answers) {
      for (const [at, byte] of bytes.entries()) if (byte === question) this.#answered(start + at);
    }
    this.held = Buffer.concat([this.held, bytes]);
  }
}

function run(steps: readonly Step[]): { restarts: number; answers: number } {
  const clock = new ManualClock();
  const output = new TerminalOutput(clock, scrollbackBytes);
  const printed: Buffer[] = [];
  const gaps = new Set<number>();
  let end = 0;
  const answered = new Set<number>();
  const owed = new Set<number>();
  let windows: TestWindow[] = [];
  let restarts = 0;
  const answer = (at: number) => {
    if (answered.has(at)) throw new Error(`What was asked at ${at} was answered twice.`);
    answered.add(at);
  };
  const check = (window: TestWindow) => {
    const all = Buffer.concat(printed);
    expect(window.from + window.held.length).toBe(end);
    expect(window.held.equals(all.subarray(window.from))).toBe(true);
    expect(window.gaps).toEqual([...gaps].filter((at) => at >= window.from));
  };
  for (const each of steps) {
    switch (each.do) {
      case "print": {
        const bytes = Buffer.from(each.text.repeat(each.times));
        if (windows.length > 0 && each.times === 1) {
          for (const [at, byte] of bytes.entries()) if (byte === question) owed.add(end + at);
        }
        printed.push(bytes);
        end += bytes.length;
        output.add(bytes);
        break;
      }
      case "gap":
        gaps.add(end);
        output.gap();
        break;
      case "wait":
        clock.advance(6_000);
        break;
      case "come": {
        const window = new TestWindow(output, answer);
        check(window);
        windows.push(window);
        break;
      }
      case "take":
      case "go": {
        const window = windows[each.which % Math.max(1, windows.length)];
        if (window === undefined) break;
        window.take();
        check(window);
        restarts += window.restarts;
        window.restarts = 0;
        if (each.do === "take") break;
        windows = windows.filter((other) => other !== window);
        window.go();
        break;
      }
      default:
        each satisfies never;
    }
  }
  for (const window of windows) {
    window.take();
    check(window);
  }
  // What was asked while a window was there, and is still within the bound.
  const kept = end - keptBytes;
  expect([...owed].filter((at) => at > kept && !answered.has(at))).toEqual([]);
  return { restarts, answers: answered.size };
}

test("what a window has is what was printed, and every question gets one answer", () => {
  const totals = { restarts: 0, answers: 0 };
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: "max" }), (steps) => {
      const { restarts, answers } = run(steps);
      totals.restarts += restarts;
      totals.answers += answers;
    }),
    { numRuns: 150 },
  );
  // The histories were not all tame.
  expect(totals.restarts).toBeGreaterThan(20);
  expect(totals.answers).toBeGreaterThan(20);
});

test("a slow window costs no more than a bound, and gets what there is when it is ready", () => {
  const output = new TerminalOutput(new ManualClock());
  const window = new TestWindow(output, () => {});
  for (let each = 0; each < 10_000; each += 1) output.add(Buffer.from(`${each}\n`));
  output.add(Buffer.from("the end"));
  window.take();
  expect(window.restarts).toBe(1);
  expect(window.held.toString()).toMatch(/^0\n1\n/);
  expect(window.held.toString()).toMatch(/9999\nthe end$/);
  output.add(Buffer.from("!"));
  window.take();
  expect(window.restarts).toBe(1);
  expect(window.held.toString()).toMatch(/the end!$/);
});
