import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Fault } from "../fault";
import { makeTestLedger, type TestLedger } from "../ledger/testLedger";
import { Cleanups } from "./cleanups";
import { settled } from "./testSupervisor";

const failed = new Fault("process_not_ended", "It did not end.");
const cleanup = { id: "handle:h1", kind: "handle", subject: { handleId: "h1" }, reason: "It was closed." };

let file: TestLedger;
let cleanups: Cleanups;
let changes: number;
/** Whether anything was being tried when a change was told last. */
let toldTrying: boolean;
let errors: string[];
/** What the executor was asked for, and how each is answered. */
let asked: { id: string; answer(fault: Fault | null): void }[];

beforeEach(() => {
  file = makeTestLedger();
  open();
});

afterEach(() => {
  cleanups.close();
  expect(file.clock.pendingCount).toBe(0);
  file.remove();
});

function open(): void {
  changes = 0;
  toldTrying = false;
  errors = [];
  asked = [];
  cleanups = new Cleanups({
    ledger: file.ledger.cleanups,
    clock: file.clock,
    log: { info() {}, warn() {}, error: (message) => errors.push(message) },
    random: () => 0.5,
    changed: () => {
      changes += 1;
      toldTrying = cleanups.list().some(({ trying }) => trying);
    },
  });
  cleanups.register("handle", (record) =>
    cleanups.perform(record, () => new Promise((answer) => asked.push({ id: record.id, answer }))),
  );
}

function owe(...ids: string[]): void {
  for (const id of ids) file.ledger.cleanups.record({ ...cleanup, id });
}

async function answer(fault: Fault | null): Promise<void> {
  for (const one of asked.splice(0)) one.answer(fault);
  await settled();
}

describe("work that is owed", () => {
  test("is on record while it is done, and struck off when it has succeeded", async () => {
    let during = 0;
    const outcome = await cleanups.perform(cleanup, async () => {
      during = file.ledger.cleanups.listOpen().length;
      return null;
    });
    expect(outcome).toBeNull();
    expect(during).toBe(1);
    expect(cleanups.list()).toEqual([]);
    // What never failed is no news.
    expect(changes).toBe(0);
  });

  test("that fails, or throws, stays owed, with the reason and the time of the next attempt", async () => {
    expect(await cleanups.perform(cleanup, async () => failed)).toBe(failed);
    const thrown = await cleanups.perform({ ...cleanup, id: "handle:h2" }, () => {
      throw new Error("no such device");
    });
    expect(thrown).toMatchObject({ code: "unexpected", message: "no such device" });
    const nextAttemptAtMs = file.clock.nowMs() + 2_000;
    expect(cleanups.list()).toMatchObject([
      { id: "handle:h1", attempts: 1, lastError: { code: "process_not_ended" }, nextAttemptAtMs },
      { id: "handle:h2", attempts: 1, lastError: { message: "no such device" }, nextAttemptAtMs },
    ]);
    expect(changes).toBe(2);
  });

  test("begun twice is done once, and both get its outcome", async () => {
    let times = 0;
    const work = async () => {
      times += 1;
      return failed;
    };
    const outcomes = await Promise.all([cleanups.perform(cleanup, work), cleanups.perform(cleanup, work)]);
    expect(outcomes).toEqual([failed, failed]);
    expect(times).toBe(1);
    expect(cleanups.list()).toMatchObject([{ attempts: 1 }]);
  });

  test("is tried again by itself with growing pauses, until it succeeds", async () => {
    cleanups.begin();
    await cleanups.perform(cleanup, async () => failed);
    for (const pauseMs of [2_000, 5_000, 15_000, 60_000, 300_000, 300_000]) {
      file.clock.advance(pauseMs - 1);
      expect(asked).toEqual([]);
      file.clock.advance(1);
      expect(asked).toHaveLength(1);
      await answer(failed);
    }
    file.clock.advance(300_000);
    await answer(null);
    expect(cleanups.list()).toEqual([]);
  });

  test("of an earlier run is due at once, also when that run died in the middle of it", async () => {
    owe("handle:h1");
    file.reopen();
    open();
    cleanups.begin();
    file.clock.advance(0);
    expect(asked).toMatchObject([{ id: "handle:h1" }]);
    await answer(null);
    expect(cleanups.list()).toEqual([]);
  });

  test("can be tried by hand, before it is due; not twice at once", async () => {
    await cleanups.perform(cleanup, async () => failed);
    const both = Promise.all([cleanups.retry("handle:h1"), cleanups.retry("handle:h1")]);
    await settled();
    expect(asked).toHaveLength(1);
    expect(cleanups.list()).toMatchObject([{ trying: true }]);
    await answer(null);
    expect(await both).toEqual([null, null]);
    expect(await cleanups.retry("handle:h1")).toBeNull();
  });

  test("that has failed again is told as no longer being tried", async () => {
    await cleanups.perform(cleanup, async () => failed);
    const again = cleanups.retry("handle:h1");
    await settled();
    expect(toldTrying).toBe(true);
    await answer(failed);
    expect(await again).toBe(failed);
    expect(toldTrying).toBe(false);
  });

  test("waits for its executor, which is asked once, by the timer and by hand", async () => {
    const answers: ((fault: Fault | null) => void)[] = [];
    cleanups.register("slow", () => new Promise((resolve) => answers.push(resolve)));
    file.ledger.cleanups.record({ ...cleanup, id: "slow:1", kind: "slow" });
    cleanups.begin();
    file.clock.advance(0);
    const byHand = cleanups.retry("slow:1");
    await cleanups.perform(cleanup, async () => failed);
    file.clock.advance(1_000);
    expect(answers).toHaveLength(1);
    expect(cleanups.list()).toMatchObject([{ id: "slow:1", trying: true }, { id: "handle:h1" }]);
    // It could not even begin: that counts, and it is not due at once again.
    answers[0]?.(failed);
    expect(await byHand).toBe(failed);
    file.clock.advance(900);
    expect(answers).toHaveLength(1);
    expect(cleanups.get("slow:1")).toMatchObject({ attempts: 1, lastError: { code: "process_not_ended" } });
  });

  test("that its executor knows to be owed by nobody any more is struck off", async () => {
    cleanups.register("thread", async () => null);
    file.ledger.cleanups.record({ ...cleanup, id: "thread:1", kind: "thread" });
    expect(await cleanups.retry("thread:1")).toBeNull();
    expect(cleanups.list()).toEqual([]);
  });

  test("of a kind that nobody knows here is kept and not tried", async () => {
    file.ledger.cleanups.record({ ...cleanup, id: "other:1", kind: "other" });
    cleanups.begin();
    expect(file.clock.pendingCount).toBe(0);
    expect(await cleanups.retry("other:1")).toMatchObject({ code: "cleanup_unknown" });
    expect(cleanups.list()).toMatchObject([{ id: "other:1", attempts: 0 }]);
  });
});

describe("a pass", () => {
  test("tries at most so many of those that are due, and says how it went", async () => {
    owe("handle:h1", "handle:h2", "handle:h3");
    const two = cleanups.pass(2);
    expect(asked).toHaveLength(2);
    asked[0]?.answer(failed);
    asked[1]?.answer(null);
    expect(await two).toEqual({ attempted: 2, cleaned: 1, failed: 1 });
    asked = [];
    // The one that failed is not due yet.
    const rest = cleanups.pass(2);
    await answer(null);
    expect(await rest).toEqual({ attempted: 1, cleaned: 1, failed: 0 });
    expect(await cleanups.pass(2)).toEqual({ attempted: 0, cleaned: 0, failed: 0 });
  });

  test("does not try what is being tried", async () => {
    owe("handle:h1", "handle:h2");
    const first = cleanups.pass(1);
    const second = cleanups.pass(5);
    expect(asked.map(({ id }) => id)).toEqual(["handle:h1", "handle:h2"]);
    await answer(null);
    expect(await first).toEqual({ attempted: 1, cleaned: 1, failed: 0 });
    expect(await second).toEqual({ attempted: 1, cleaned: 1, failed: 0 });
  });
});

describe("when the ledger or the clock fails", () => {
  test("the work is done though it cannot be written down, and nothing is thrown", async () => {
    file.ledger.close();
    let isDone = false;
    const outcome = cleanups.perform(cleanup, async () => {
      isDone = true;
      return null;
    });
    expect(await outcome).toBeNull();
    expect(isDone).toBe(true);
    expect(await cleanups.pass(1)).toEqual({ attempted: 0, cleaned: 0, failed: 0 });
    expect(errors).toContain("a cleanup could not be written down");
  });

  test("a failure that cannot be written down is not tried again without a pause", async () => {
    owe("handle:h1");
    cleanups.begin();
    file.clock.advance(0);
    const { attempted } = file.ledger.cleanups;
    file.ledger.cleanups.attempted = () => {
      throw new Fault("ledger_full", "The disk is full.");
    };
    await answer(failed);
    file.clock.advance(1_999);
    expect(asked).toEqual([]);
    file.ledger.cleanups.attempted = attempted;
    file.clock.advance(1);
    expect(asked).toHaveLength(1);
    await answer(null);
  });

  test("the computer's clock is put back: it is tried soon all the same", async () => {
    owe("handle:h1");
    file.ledger.cleanups.attempted("handle:h1", failed, file.clock.nowMs() + 365 * 86_400_000);
    cleanups.begin();
    file.clock.advance(0);
    expect(asked).toHaveLength(1);
    await answer(null);
  });
});
