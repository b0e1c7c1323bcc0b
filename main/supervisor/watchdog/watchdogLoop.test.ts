import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ManualClock } from "../../clock";
import { Fault } from "../../fault";
import type { Log } from "../../log";
import { WatchdogLoop } from "./watchdogLoop";
import type { Answer } from "./watchdogMachine";
import type { OwnedServer } from "./watchdogMessages";

const server: OwnedServer = {
  kind: "app-server",
  handleId: "h",
  pid: 10,
  startTime: "boot/1",
  channel: { kind: "socket", path: "/s" },
};

let clock: ManualClock;
let loop: WatchdogLoop;
let answer: () => Promise<Answer>;
let end: () => Promise<Fault | null>;
let asks: number;
let ends: number;
let exits: number;
let isGone: boolean;
let looks: number;
let lines: string[];

beforeEach(() => {
  clock = new ManualClock();
  answer = async () => "idle";
  end = async () => null;
  asks = 0;
  ends = 0;
  exits = 0;
  isGone = false;
  looks = 0;
  lines = [];
  const write = (message: string) => {
    lines.push(message);
  };
  const log: Log = { info: write, warn: write, error: write };
  loop = new WatchdogLoop({
    clock,
    log,
    ask: () => {
      asks += 1;
      return answer();
    },
    end: () => {
      ends += 1;
      return end();
    },
    isHomeGone: async () => {
      looks += 1;
      return isGone;
    },
    exit: () => {
      exits += 1;
    },
  });
  loop.handle({ type: "unattended", ms: 1_000 });
});

// What is under way is over, or nothing would end.
afterEach(() => expect(exits).toBe(1));

/** Everything that only waits for other promises. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

async function pass(ms: number, stepMs = 250): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    await settled();
    clock.advance(stepMs);
  }
  await settled();
}

function ownerGone(): void {
  loop.handle({ type: "own", server });
  loop.handle({ type: "owner gone" });
}

describe("the watchdog's loop", () => {
  test("owns nothing: it ends at once, without a word", () => {
    loop.handle({ type: "owner gone" });
    expect(lines).toEqual([]);
  });

  test("does nothing while Holdfast lives", async () => {
    loop.handle({ type: "own", server });
    await pass(60_000);
    expect([asks, ends, exits, clock.pendingCount]).toEqual([0, 0, 0, 0]);
    loop.handle({ type: "disown", handleId: "h" });
    loop.handle({ type: "owner gone" });
  });

  test("ends an idle server when its time is over, and then itself", async () => {
    ownerGone();
    await pass(750);
    expect([asks, ends]).toEqual([4, 0]);
    await pass(250);
    expect([asks, ends, exits]).toEqual([5, 1, 1]);
    expect(lines).toEqual([
      "Holdfast has gone",
      "ending an app-server that nobody owns",
      "nothing is left of an app-server",
    ]);
    expect(clock.pendingCount).toBe(0);
  });

  test("a question is not asked again before it was answered", async () => {
    let reply: (answer: Answer) => void = () => {};
    answer = () =>
      new Promise((resolve) => {
        reply = resolve;
      });
    ownerGone();
    await pass(60_000);
    expect(asks).toBe(1);
    reply("dead");
    await settled();
    expect(ends).toBe(1);
  });

  test("a question that fails is one without an answer", async () => {
    answer = () => Promise.reject(new Fault("process_list_failed", "No list."));
    ownerGone();
    await pass(1_250);
    expect(ends).toBe(0);
    await pass(250);
    expect([asks, ends]).toEqual([7, 1]);
    expect(lines).toContain("asking an app-server failed");
  });

  test("an ending that fails, in whatever way, is tried again", async () => {
    const outcomes = [
      async () => new Fault("process_not_ended", "It did not end."),
      () => Promise.reject(new Error("no list")),
      async () => null,
    ];
    end = () => (outcomes[ends - 1] ?? outcomes[0])?.() ?? Promise.resolve(null);
    answer = async () => "dead";
    ownerGone();
    await settled();
    expect([ends, exits]).toEqual([1, 0]);
    await pass(1_000);
    expect([ends, exits]).toEqual([2, 0]);
    await pass(2_000);
    expect([ends, exits]).toEqual([3, 1]);
  });

  test("looks for the home while something is watched, and ends all when it has gone", async () => {
    answer = async () => "busy";
    ownerGone();
    await pass(20_000);
    expect([looks, ends]).toEqual([4, 0]);
    isGone = true;
    await pass(10_000);
    expect([ends, exits]).toEqual([0, 0]);
    await pass(5_000);
    expect([ends, exits]).toEqual([1, 1]);
    expect(lines).toContain("Holdfast's home has gone: nobody comes back");
  });
});
