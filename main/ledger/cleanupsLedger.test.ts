import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Fault } from "../fault";
import { makeTestLedger, type TestLedger } from "./testLedger";

let test: TestLedger;

beforeEach(() => {
  test = makeTestLedger();
});

afterEach(() => {
  test.remove();
});

const owed = { id: "close h1", kind: "closeHandle", subject: { handleId: "h1" }, reason: "It did not end." };
const stuck = new Fault("stuck", "A process does not end.", { detail: "pid 7", retryable: true });

describe("a cleanup", () => {
  it("is owed at once, across restarts", () => {
    expect(test.ledger.cleanups.record(owed)).toBe(true);
    const nowMs = test.clock.nowMs();
    expect(test.reopen().cleanups.listOpen()).toEqual([
      {
        ...owed,
        attempts: 0,
        createdAtMs: nowMs,
        lastAttemptAtMs: null,
        lastError: null,
        nextAttemptAtMs: nowMs,
      },
    ]);
  });

  it("stays owed when it fails, with why and when it is tried next", () => {
    const { cleanups } = test.ledger;
    cleanups.record(owed);
    test.clock.advance(100);
    cleanups.attempted(owed.id, stuck, test.clock.nowMs() + 500);
    cleanups.attempted(owed.id, stuck, test.clock.nowMs() + 1_000);
    const found = test.reopen().cleanups.get(owed.id);
    expect(found).toMatchObject({
      attempts: 2,
      lastAttemptAtMs: test.clock.nowMs(),
      nextAttemptAtMs: test.clock.nowMs() + 1_000,
      lastError: { code: "stuck", message: "A process does not end.", detail: "pid 7", retryable: true },
    });
    expect(found?.lastError).toBeInstanceOf(Fault);
  });

  it("is owed once, and keeps what is known of it when it is recorded again", () => {
    const { cleanups } = test.ledger;
    cleanups.record(owed);
    cleanups.attempted(owed.id, stuck, 0);
    expect(cleanups.record({ ...owed, reason: "Again." })).toBe(false);
    expect(cleanups.listOpen()).toMatchObject([{ attempts: 1, reason: owed.reason }]);
  });

  it("is gone only when it has succeeded", () => {
    const { cleanups } = test.ledger;
    cleanups.record(owed);
    cleanups.attempted(owed.id, stuck, 0);
    cleanups.succeeded(owed.id);
    expect(cleanups.listOpen()).toEqual([]);
    expect(cleanups.get(owed.id)).toBeNull();
    const notOwed = expect.objectContaining({ code: "cleanup_unknown" });
    expect(() => cleanups.succeeded(owed.id)).toThrow(notOwed);
    expect(() => cleanups.attempted(owed.id, stuck, 0)).toThrow(notOwed);
  });

  it("can be owed again, as new", () => {
    const { cleanups } = test.ledger;
    cleanups.record(owed);
    cleanups.attempted(owed.id, stuck, 0);
    cleanups.succeeded(owed.id);
    test.clock.advance(10);
    expect(cleanups.record({ ...owed, reason: "Again." })).toBe(true);
    expect(cleanups.listOpen()).toMatchObject([
      { attempts: 0, reason: "Again.", lastError: null, createdAtMs: test.clock.nowMs() },
    ]);
  });

  it("is listed by when it is due", () => {
    const { cleanups } = test.ledger;
    for (const id of ["a", "b", "c"]) cleanups.record({ ...owed, id });
    cleanups.attempted("a", stuck, test.clock.nowMs() + 500);
    cleanups.attempted("c", stuck, test.clock.nowMs() + 100);
    expect(cleanups.listOpen().map(({ id }) => id)).toEqual(["b", "c", "a"]);
  });
});
