// One live process for a session, and cleanup that is owed: each behaviour with the session, the cleanups and a real ledger.

import { describe, expect, test } from "vitest";
import type { Connection } from "./connection";
import { cut, killed, memoryDatabase, refused, settled, TestHoldfast, TestMachine } from "./testSupervisor";

function stage(): TestHoldfast {
  return new TestHoldfast(new TestMachine(), memoryDatabase());
}

/** A session that lives, with the handle h1. */
async function started(): Promise<{ holdfast: TestHoldfast; first: Connection }> {
  const holdfast = stage();
  const need = holdfast.session.need();
  await holdfast.succeed("launch", "connect");
  return { holdfast, first: await need };
}

/** A session whose process did not end when it was closed. */
async function closedInVain(): Promise<TestHoldfast> {
  const { holdfast } = await started();
  holdfast.tree("h1").stubborn = true;
  const close = holdfast.session.close(false);
  await holdfast.succeed("close");
  expect(await close).toMatchObject({ code: "process_not_ended" });
  return holdfast;
}

/** The same, and the replacement of h1 lives: h1 is a retired handle. */
async function withRetiredHandle(): Promise<TestHoldfast> {
  const holdfast = await closedInVain();
  const need = holdfast.session.need();
  await holdfast.succeed("launch", "connect", "close");
  await need;
  return holdfast;
}

function alive(holdfast: TestHoldfast): string[] {
  return holdfast.machine.alive.map(({ handleId }) => handleId);
}

describe("one live process", () => {
  test("two starts at once leave one live process, and both callers have it", async () => {
    const holdfast = stage();
    const both = Promise.all([holdfast.session.need(), holdfast.session.need()]);
    await holdfast.succeed("launch", "connect");
    const [first, second] = await both;
    expect(first).toBe(second);
    expect(holdfast.session.state.phase).toBe("live");
    expect(holdfast.launches).toBe(1);
    expect(alive(holdfast)).toEqual(["h1"]);
  });

  test("a start over a live session stops the process before it first", async () => {
    const { holdfast } = await started();
    const again = holdfast.session.restart();
    await settled();
    expect(holdfast.session.connection).toBeNull();
    expect(holdfast.launches).toBe(1);
    await holdfast.succeed("close");
    expect(alive(holdfast)).toEqual([]);
    await holdfast.succeed("launch", "connect");
    expect((await again).handleId).toBe("h2");
    expect(alive(holdfast)).toEqual(["h2"]);
  });

  test("a replacement becomes current when it has fully answered, then the process before it is closed", async () => {
    const { holdfast, first } = await started();
    const replace = holdfast.session.replace();
    await holdfast.succeed("launch", "connect");
    // It has shaken hands, and not proved yet that it can do its work.
    expect(holdfast.session.connection).toBe(first);
    expect(holdfast.session.state.phase).toBe("live");
    await holdfast.succeed("verify");
    expect(holdfast.session.connection).toBeNull();
    expect(holdfast.heard.filter((word) => word === "connected")).toHaveLength(1);
    await holdfast.succeed("close");
    expect((await replace).handleId).toBe("h2");
    expect(alive(holdfast)).toEqual(["h2"]);
    expect(holdfast.session.state).toMatchObject({ phase: "live", facts: { handleId: "h2" } });
    expect(holdfast.heard.slice(-2)).toEqual(["gone h1", "connected"]);
  });

  test("a replacement that cannot be spawned leaves the live session as it is", async () => {
    const { holdfast, first } = await started();
    const replace = holdfast.session.replace();
    await holdfast.fail("launch");
    await expect(replace).rejects.toBe(refused);
    expect(holdfast.session.connection).toBe(first);
    expect(holdfast.session.state.phase).toBe("live");
    expect(alive(holdfast)).toEqual(["h1"]);
  });

  test("a replacement that is refused is closed, and the live session goes on", async () => {
    const { holdfast, first } = await started();
    const replace = holdfast.session.replace();
    await holdfast.succeed("launch", "connect");
    await holdfast.fail("verify");
    expect(holdfast.find("close").handleId).toBe("h2");
    await holdfast.succeed("close");
    await expect(replace).rejects.toBe(refused);
    expect(holdfast.session.connection).toBe(first);
    expect(alive(holdfast)).toEqual(["h1"]);
    expect(holdfast.cleanups.list()).toEqual([]);
  });

  test("a start racing a release leaves a live process exactly when the session says that it is live", async () => {
    const random = randomNumbers(7);
    const outcomes = new Set<number>();
    for (let round = 0; round < 400; round += 1) {
      const { holdfast } = await started();
      const wishes = [
        () => void holdfast.session.need().catch(() => undefined),
        () => void holdfast.session.restart().catch(() => undefined),
        () => void holdfast.session.close(false),
      ];
      while (wishes.length > 0 || holdfast.operations.length > 0) {
        const index = random(wishes.length + holdfast.operations.length);
        if (index < wishes.length) wishes.splice(index, 1)[0]?.();
        else holdfast.operations[index - wishes.length]?.succeed();
        for (let turn = random(6); turn > 0; turn -= 1) await Promise.resolve();
        if (wishes.length === 0) await settled();
      }
      const live = holdfast.session.state.phase === "live" ? 1 : 0;
      expect(alive(holdfast), `round ${round}`).toHaveLength(live);
      outcomes.add(live);
    }
    expect(outcomes).toEqual(new Set([0, 1]));
  });

  test("a session that hangs at its start does not delay the start of another", async () => {
    const hung = stage();
    const never = hung.session.need();
    const { holdfast } = await started();
    expect(holdfast.session.state.phase).toBe("live");
    expect(hung.session.state.phase).toBe("starting");
    await hung.fail("launch");
    await expect(never).rejects.toBe(refused);
  });
});

describe("closing", () => {
  test("closing twice is closing once", async () => {
    const { holdfast } = await started();
    const both = Promise.all([holdfast.session.close(false), holdfast.session.close(false)]);
    await holdfast.succeed("close");
    expect(await both).toEqual([null, null]);
    expect(holdfast.tree("h1").closesBegun).toBe(1);
    expect(await holdfast.session.close(false)).toBeNull();
    expect(holdfast.tree("h1").closesBegun).toBe(1);
  });

  test("a process that has gone already counts as closed, and is not kept", async () => {
    const { holdfast } = await started();
    holdfast.machine.trees.delete("h1");
    const close = holdfast.session.close(false);
    await holdfast.succeed("close");
    expect(await close).toBeNull();
    expect(holdfast.session.owns("h1")).toBe(false);
    expect(holdfast.session.ownsProcesses).toBe(false);
    expect(holdfast.cleanups.list()).toEqual([]);
  });

  test("a retired handle that has gone meanwhile does not stand in the way of a replacement", async () => {
    const holdfast = await withRetiredHandle();
    holdfast.tree("h1").stubborn = false;
    holdfast.die("h1");
    const replace = holdfast.session.replace();
    await holdfast.succeed("close", "launch", "connect", "verify", "close");
    expect((await replace).handleId).toBe("h3");
    expect(await holdfast.cleanups.pass(1)).toEqual({ attempted: 0, cleaned: 0, failed: 0 });
    const close = holdfast.session.close(false);
    await holdfast.succeed("close");
    expect(await close).toBeNull();
    expect(alive(holdfast)).toEqual([]);
  });

  test("late events of a handle that is closing or retired never reach the session", async () => {
    const holdfast = await withRetiredHandle();
    const [old, current] = holdfast.lines;
    const before = [...holdfast.heard];
    old?.say("late");
    old?.cut();
    holdfast.die("h1");
    await settled();
    expect(holdfast.heard).toEqual(before);
    expect(holdfast.session.state).toMatchObject({ phase: "live", facts: { handleId: "h2" } });
    current?.say("heard");
    expect(holdfast.heard.at(-1)).toBe("heard");
    const close = holdfast.session.close(false);
    current?.say("too late");
    expect(holdfast.heard).not.toContain("too late");
    await holdfast.succeed("close");
    expect(await close).toBeNull();
  });
});

describe("cleanup that is owed", () => {
  test("a close that fails keeps the handle, unusable: owned, shown and on record", async () => {
    const holdfast = await closedInVain();
    expect(holdfast.session.connection).toBeNull();
    expect(holdfast.session.state).toMatchObject({ phase: "stopped", fault: { code: "process_not_ended" } });
    expect(holdfast.session.owns("h1")).toBe(true);
    expect(holdfast.ledger.handles.get("h1")?.state).toBe("retired");
    expect(holdfast.cleanups.list()).toMatchObject([
      { id: "handle:h1", attempts: 1, lastError: { code: "process_not_ended" }, trying: false },
    ]);
  });

  test("one replacement may be started; storing it tries the old close once more", async () => {
    const holdfast = await closedInVain();
    holdfast.tree("h1").stubborn = false;
    const need = holdfast.session.need();
    await holdfast.succeed("launch", "connect");
    expect(holdfast.session.connection).toBeNull();
    expect(holdfast.find("close").handleId).toBe("h1");
    await holdfast.succeed("close");
    expect((await need).handleId).toBe("h2");
    expect(alive(holdfast)).toEqual(["h2"]);
    expect(holdfast.cleanups.list()).toEqual([]);
  });

  test("a second replacement is refused with process_cleanup_pending, and nothing is spawned", async () => {
    const holdfast = await withRetiredHandle();
    expect(holdfast.session.state.phase).toBe("live");
    const release = holdfast.session.close(false);
    await holdfast.succeed("close");
    expect(await release).toBeNull();

    const again = holdfast.session.need();
    await holdfast.succeed("close");
    await expect(again).rejects.toMatchObject({ code: "process_cleanup_pending", retryable: true });
    expect(holdfast.launches).toBe(2);
    expect(holdfast.session.state).toMatchObject({
      phase: "stopped",
      fault: { code: "process_cleanup_pending" },
    });

    holdfast.cleanups.close();
    holdfast.clock.advance(400_000);
    const failing = holdfast.cleanups.pass(1);
    await settled();
    await holdfast.succeed("close");
    expect(await failing).toEqual({ attempted: 1, cleaned: 0, failed: 1 });

    holdfast.tree("h1").stubborn = false;
    holdfast.clock.advance(400_000);
    const cleaning = holdfast.cleanups.pass(1);
    await settled();
    await holdfast.succeed("close");
    expect(await cleaning).toEqual({ attempted: 1, cleaned: 1, failed: 0 });
    expect(alive(holdfast)).toEqual([]);
    // Nothing stands in the way any more, and nothing says so.
    expect(holdfast.session.state).toEqual({ phase: "stopped", fault: null, broken: false });
    const third = holdfast.session.need();
    await holdfast.succeed("launch", "connect");
    expect((await third).handleId).toBe("h3");
  });

  test("a replacement of a live session is refused by a retired handle, and the live one goes on", async () => {
    const holdfast = await withRetiredHandle();
    const { connection } = holdfast.session;
    const replace = holdfast.session.replace();
    await holdfast.succeed("close");
    await expect(replace).rejects.toMatchObject({ code: "process_cleanup_pending" });
    expect(holdfast.session.connection).toBe(connection);
    expect(holdfast.session.state.phase).toBe("live");
    expect(holdfast.launches).toBe(2);
  });

  test("a connection has ended and the close keeps failing: not live, owned, replaceable, then retired", async () => {
    const { holdfast } = await started();
    holdfast.tree("h1").stubborn = true;
    holdfast.shown = false;
    holdfast.lines[0]?.cut();
    holdfast.processes.get("h1")?.tellExit(killed);
    await settled();
    expect(holdfast.session.connection).toBeNull();
    await holdfast.succeed("close");
    expect(holdfast.session.state).toMatchObject({ phase: "stopped", fault: killed });
    expect(holdfast.session.owns("h1")).toBe(true);

    const need = holdfast.session.need();
    await holdfast.succeed("launch", "connect", "close");
    expect((await need).handleId).toBe("h2");
    expect(holdfast.session.owns("h1")).toBe(true);
    const again = holdfast.session.replace();
    await holdfast.succeed("close");
    await expect(again).rejects.toMatchObject({ code: "process_cleanup_pending" });
    // As a death, as the replacement was stored, and before another one would have been started.
    expect(holdfast.tree("h1").closesBegun).toBe(3);
  });

  test("a connection has ended although its process lives on, and a replacement is started over it", async () => {
    const { holdfast } = await started();
    holdfast.tree("h1").stubborn = true;
    holdfast.lines[0]?.cut();
    await settled();
    expect(holdfast.session.state).toMatchObject({ phase: "lost", fault: cut });
    const replace = holdfast.session.replace();
    await holdfast.succeed("close", "launch", "connect", "close");
    expect((await replace).handleId).toBe("h2");
    expect(holdfast.session.owns("h1")).toBe(true);
    expect(holdfast.cleanups.list()).toMatchObject([{ id: "handle:h1", attempts: 2 }]);
  });

  test("Holdfast dies and its ledger is opened again: what lives is adopted, what was owed is owed", async () => {
    const machine = new TestMachine();
    const database = memoryDatabase();
    const dead = new TestHoldfast(machine, database);
    const need = dead.session.need();
    await dead.succeed("launch", "connect");
    await need;
    dead.tree("h1").stubborn = true;
    const restart = dead.session.restart();
    await dead.succeed("close", "launch", "connect", "close");
    await restart;

    const holdfast = new TestHoldfast(machine, database, dead.clock);
    expect(holdfast.session.owns("h1")).toBe(true);
    await holdfast.succeed("close", "connect");
    expect(holdfast.session.state).toMatchObject({ phase: "live", facts: { handleId: "h2" } });
    expect(holdfast.launches).toBe(0);
    holdfast.tree("h1").stubborn = false;
    for (let round = 0; holdfast.cleanups.list().length > 0 && round < 10; round += 1) {
      if (holdfast.operations.length === 0) holdfast.clock.advance(400_000);
      await settled();
      await holdfast.succeed("close");
    }
    expect(holdfast.cleanups.list()).toEqual([]);
    expect(alive(holdfast)).toEqual(["h2"]);
  });
});

/** Repeatable: the same seed gives the same numbers. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
