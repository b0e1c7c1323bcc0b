// Cells, the cleanups and a real ledger together.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Ledger } from "../../ledger/ledger";
import { makeTestLedger, type TestLedger } from "../../ledger/testLedger";
import type { Log } from "../../log";
import { Cleanups } from "../../supervisor/cleanups";
import { type CellClosing, recordedClosing } from "./cellClosing";
import { failure, settled, TestDelegate } from "./testCells";

let kept: TestLedger;
let warnings: string[];
let delegate: TestDelegate | null;
let cleanups: Cleanups;
let closing: CellClosing;

beforeEach(() => {
  kept = makeTestLedger();
  warnings = [];
  delegate = new TestDelegate();
  begin(kept.ledger);
});

afterEach(() => {
  cleanups.close();
  expect(kept.clock.pendingCount).toBe(0);
  kept.remove();
});

function begin(ledger: Ledger): void {
  const { clock } = kept;
  const log: Log = { info() {}, warn: (message) => warnings.push(message), error() {} };
  cleanups = new Cleanups({ ledger: ledger.cleanups, clock, log, random: () => 0.5, changed() {} });
  closing = recordedClosing({ cleanups, clock, deadlineMs: 10_000, delegateOf: () => delegate });
}

const owed = () => kept.ledger.cleanups.listOpen().map(({ id, kind }) => ({ id, kind }));

async function asked() {
  const work = await delegate?.asked.next();
  if (!work) throw new Error("nobody was asked");
  return work;
}

describe("the end of a cell", () => {
  test("is owed before the delegate is told, and not when it has returned", async () => {
    const closed = closing.close("c1");
    const work = await asked();
    expect(work).toMatchObject({ kind: "close", cellId: "c1" });
    expect(owed()).toEqual([{ id: "cell c1", kind: "cell" }]);
    work.resolve();
    expect(await closed).toBeNull();
    expect(owed()).toEqual([]);
    expect(warnings).toEqual([]);
  });

  test("that the delegate fails is logged, owed, and tried again", async () => {
    cleanups.begin();
    const closed = closing.close("c1");
    (await asked()).reject(failure("the worktree is in use"));
    expect((await closed)?.message).toBe("the worktree is in use");
    expect(warnings).toEqual(["a cleanup has failed"]);
    expect(owed()).toEqual([{ id: "cell c1", kind: "cell" }]);
    kept.clock.advance(2_000);
    (await asked()).resolve();
    await settled();
    expect(owed()).toEqual([]);
  });

  test("that the delegate does not come back from is given up in time, and owed", async () => {
    const closed = closing.close("c1");
    const work = await asked();
    kept.clock.advance(10_000);
    expect((await closed)?.code).toBe("cell_close_overdue");
    expect(owed()).toHaveLength(1);
    work.reject(failure("late"));
    await settled();
    const retried = cleanups.retry("cell c1");
    (await asked()).resolve();
    expect(await retried).toBeNull();
    expect(owed()).toEqual([]);
  });

  test("that a delegate refuses at once is owed like any other", async () => {
    delegate = Object.assign(new TestDelegate(), {
      cellClosed() {
        throw failure("not now");
      },
    });
    expect((await closing.close("c1"))?.message).toBe("not now");
    expect(owed()).toHaveLength(1);
  });

  test("that an earlier run has left is taken up, or struck off when nobody is left to be told", async () => {
    void closing.close("c1");
    await asked();
    // Holdfast dies here, and starts again.
    cleanups.close();
    kept.clock.advance(10_000);
    await settled();
    begin(kept.reopen());
    const retried = cleanups.retry("cell c1");
    expect(await asked()).toMatchObject({ cellId: "c1" });
    kept.clock.advance(10_000);
    expect((await retried)?.code).toBe("cell_close_overdue");
    delegate = null;
    expect(await cleanups.retry("cell c1")).toBeNull();
    expect(owed()).toEqual([]);
  });
});
