// The races, on a made-up table of processes and a clock that stands still.

import { describe, expect, it } from "vitest";
import { ManualClock } from "../clock";
import { type EndedTree, endTree, type Ownership, ownedBy, type ProcessRow } from "./processTree";
import { FakeTable } from "./processTree/testTable";

const marker = { name: "HOLDFAST_HANDLE", value: "h1" };
const leader = { pid: 100, startTime: "5" };
const owned: Ownership = { leader, processSessionId: 100, marker };

/** Pids of what the handle owns, in order. */
async function pidsOwned(table: FakeTable, ownership: Ownership = owned, known: ProcessRow[] = []) {
  const rows = await ownedBy(ownership, table, known);
  return rows.map(({ pid }) => pid).sort((a, b) => a - b);
}

describe("what a handle owns", () => {
  it("is its leader, the leader's session, what carries the marker, and the descendants of all these", async () => {
    const table = new FakeTable();
    table.add({ pid: 100, startTime: "5", session: 100 });
    table.add({ pid: 101, parent: 1, session: 100, group: 101 });
    table.add({ pid: 102, parent: 1, session: 102, marker: "h1" });
    table.add({ pid: 103, parent: 101, session: 103 });
    table.add({ pid: 104, parent: 103, session: 104 });
    table.add({ pid: 105, parent: 102, session: 102 });
    table.add({ pid: 200, parent: 1, session: 200 });
    table.add({ pid: 201, parent: 200, session: 200, marker: "h2" });
    expect(await pidsOwned(table)).toEqual([100, 101, 102, 103, 104, 105]);
  });

  it("is found by the marker alone when nobody knows which process the leader was", async () => {
    const table = new FakeTable();
    table.add({ pid: 100, startTime: "5", session: 100, marker: "h1" });
    table.add({ pid: 101, parent: 100, session: 100 });
    table.add({ pid: 102, parent: 1, session: 102 });
    expect(await pidsOwned(table, { leader: null, processSessionId: null, marker })).toEqual([100, 101]);
  });

  it("is left over from a leader that has ended", async () => {
    const table = new FakeTable();
    table.add({ pid: 101, parent: 1, session: 100, startTime: "6" });
    table.add({ pid: 102, parent: 101, session: 102, startTime: "7" });
    expect(await pidsOwned(table)).toEqual([101, 102]);
  });

  it("is not the process that has got the leader's pid since, nor that one's session or children", async () => {
    const table = new FakeTable();
    table.add({ pid: 100, startTime: "90", session: 100 });
    table.add({ pid: 101, parent: 100, session: 100, startTime: "91" });
    table.add({ pid: 102, parent: 1, session: 102, marker: "h1" });
    expect(await pidsOwned(table)).toEqual([102]);
  });

  it("is not what is older than the leader, or of another boot", async () => {
    const table = new FakeTable();
    table.add({ pid: 101, parent: 1, session: 100, startTime: "4" });
    table.add({ pid: 102, parent: 1, session: 100, startTime: "other boot" });
    expect(await pidsOwned(table)).toEqual([]);
  });

  it("is not an older process whose parent had the number of one that is owned", async () => {
    const table = new FakeTable();
    table.add({ pid: 100, startTime: "5", session: null });
    table.add({ pid: 101, parent: 100, startTime: "3", session: null });
    table.add({ pid: 102, parent: 100, startTime: "8", session: null });
    expect(await pidsOwned(table)).toEqual([100, 102]);
  });

  it("is never Holdfast itself or what it descends from", async () => {
    const table = new FakeTable();
    table.add({ pid: 100, startTime: "5", session: 100 });
    table.add({ pid: 101, parent: 100, session: 100, marker: "h1" });
    table.add({ pid: process.pid, parent: 101, session: 100, marker: "h1" });
    table.add({ pid: 103, parent: 101, session: 100 });
    expect(await pidsOwned(table)).toEqual([103]);
  });

  it("is what an earlier search found, as long as it is the same process", async () => {
    const table = new FakeTable();
    const lost = table.add({ pid: 300, parent: 1, session: 300 });
    const ended = table.add({ pid: 301, parent: 1, session: 301 });
    table.end(301);
    table.add({ pid: 301, parent: 1, session: 301, startTime: "95" });
    expect(await pidsOwned(table, owned, [lost, ended])).toEqual([300]);
  });
});

/** Runs an ending, moving time whenever it waits for time. */
async function end(
  table: FakeTable,
  ownership: Ownership = owned,
  more: { closeInput?: () => void; known?: ProcessRow[] } = {},
): Promise<EndedTree & { tookMs: number }> {
  const clock = new ManualClock();
  const startedMs = clock.nowMs();
  let result: EndedTree | null = null;
  const ending = endTree(ownership, { table, clock, ...more }).then((ended) => {
    result = ended;
  });
  while (!result) {
    // All that is not time: the table answers in microtasks.
    await new Promise(setImmediate);
    clock.advance(10);
    table.tick(clock.nowMs() - startedMs);
  }
  await ending;
  expect(clock.pendingCount).toBe(0);
  return { ...(result as EndedTree), tookMs: clock.nowMs() - startedMs };
}

describe("ending a tree", () => {
  it("does nothing when nothing is there", async () => {
    const table = new FakeTable();
    table.add({ pid: 200, session: 200 });
    expect(await end(table)).toMatchObject({ left: [] });
    expect(table.signals).toEqual([]);
  });

  it("leaves alone what ends by itself after its input was closed", async () => {
    const table = new FakeTable();
    table.add({ pid: 100, startTime: "5", session: 100 });
    table.at(100, () => table.end(100));
    expect((await end(table)).left).toEqual([]);
    expect(table.signals).toEqual([]);
  });

  it("tells the leader's group to end, waits, and signals nobody else when that is enough", async () => {
    const table = new FakeTable();
    table.add({ pid: 100, startTime: "5", session: 100, group: 100 });
    table.add({ pid: 101, parent: 100, session: 100, group: 100 });
    table.add({ pid: 102, parent: 100, session: 102, group: 102, marker: "h1" });
    table.onSignal = (pid, signal) => {
      if (pid !== -100 || signal !== "SIGTERM") return;
      for (const member of [100, 101, 102]) table.end(member);
    };
    const { left, tookMs } = await end(table);
    expect(left).toEqual([]);
    expect(table.signals).toEqual(["SIGTERM -100"]);
    expect(tookMs).toBeLessThan(400);
  });

  it("tells everybody when there is no leader to tell them", async () => {
    const table = new FakeTable();
    table.add({ pid: 101, parent: 1, session: 100, group: 101 });
    table.add({ pid: 102, parent: 1, session: 102, group: 102, marker: "h1" });
    table.onSignal = (pid, signal) => {
      if (signal === "SIGTERM") table.end(pid);
    };
    expect((await end(table)).left).toEqual([]);
    expect([...table.signals].sort()).toEqual(["SIGTERM 101", "SIGTERM 102"]);
  });

  it("kills everything that is left, and nobody else", async () => {
    const table = new FakeTable();
    table.add({ pid: 100, startTime: "5", session: 100, group: 100 });
    table.add({ pid: 101, parent: 100, session: 100, group: 101 });
    table.add({ pid: 102, parent: 1, session: 102, group: 102, marker: "h1" });
    table.add({ pid: 200, parent: 1, session: 200, group: 200 });
    table.dieOfKill();
    const { left, tookMs } = await end(table);
    expect(left).toEqual([]);
    expect(table.pids()).toEqual([200]);
    expect(table.signals.filter((sent) => sent.includes("200"))).toEqual([]);
    expect(tookMs).toBeGreaterThanOrEqual(250 + 750);
    expect(tookMs).toBeLessThan(1_200);
  });

  it("ends what is only linked to the tree by a parent that goes first", async () => {
    const table = new FakeTable();
    table.add({ pid: 100, startTime: "5", session: 100, group: 100 });
    table.add({ pid: 101, parent: 100, session: 100, group: 101 });
    table.add({ pid: 102, parent: 101, session: 102, group: 102 });
    table.dieOfKill();
    table.at(50, () => table.end(101));
    table.at(60, () => table.end(100));
    expect(table.row(102)?.parentPid).toBe(101);
    expect((await end(table)).left).toEqual([]);
    expect(table.pids()).toEqual([]);
  });

  it("knows everything before it closes the input, which can be the end of all links", async () => {
    const table = new FakeTable();
    table.add({ pid: 100, startTime: "5", session: 100, group: 100 });
    table.add({ pid: 101, parent: 100, session: 100, group: 101 });
    table.add({ pid: 102, parent: 101, session: 102, group: 102 });
    table.dieOfKill();
    const closeInput = () => {
      table.end(101);
      table.end(100);
    };
    expect((await end(table, owned, { closeInput })).left).toEqual([]);
    expect(table.pids()).toEqual([]);
  });

  it("closes the input even when nothing is there", async () => {
    let closed = 0;
    await end(new FakeTable(), owned, { closeInput: () => closed++ });
    expect(closed).toBe(1);
  });

  it("ends what was known before and is linked to nothing now, if it is the same process", async () => {
    const table = new FakeTable();
    const known = [
      table.add({ pid: 102, parent: 1, session: 102, group: 102 }),
      table.add({ pid: 103, parent: 1, session: 103, group: 103 }),
    ];
    table.end(103);
    table.add({ pid: 103, parent: 1, session: 103, startTime: "99" });
    table.dieOfKill();
    expect((await end(table, owned, { known })).left).toEqual([]);
    expect(table.pids()).toEqual([103]);
  });

  it("ends what is started while others end, found by a search after each death", async () => {
    const table = new FakeTable();
    table.add({ pid: 100, startTime: "5", session: 100, group: 100 });
    table.add({ pid: 101, parent: 1, session: 101, group: 101, marker: "h1" });
    table.dieOfKill();
    // 101 starts a child of its own session without the marker, whose only link is 101; both events are apart in time.
    table.at(300, () => {
      table.add({ pid: 102, parent: 101, session: 102, group: 102 });
      table.end(100);
    });
    table.at(400, () => table.end(101));
    expect((await end(table)).left).toEqual([]);
    expect(table.pids()).toEqual([]);
  });

  it("stops everything before it kills, so that nothing starts another meanwhile", async () => {
    const table = new FakeTable();
    table.add({ pid: 100, startTime: "5", session: 100, group: 100 });
    table.add({ pid: 101, parent: 1, session: 101, group: 101, marker: "h1" });
    table.dieOfKill();
    let next = 400;
    // Whenever the system is listed, everything that is not stopped starts another that leaves all links but one behind.
    table.onList = () => {
      for (const row of table.rows()) {
        if (row.pid < 400 && !table.isStopped(row.pid)) {
          table.add({ pid: next, parent: row.pid, session: next, group: next });
          next++;
        }
      }
    };
    expect((await end(table)).left).toEqual([]);
    expect(table.pids()).toEqual([]);
    const firstKill = table.signals.findIndex((sent) => sent.startsWith("SIGKILL"));
    expect(table.signals.findLastIndex((sent) => sent.startsWith("SIGSTOP"))).toBeLessThan(firstKill);
  });

  it("does not signal a process that has got an owned pid between the search and the signal", async () => {
    const table = new FakeTable();
    table.add({ pid: 100, startTime: "5", session: 100, group: 100 });
    table.add({ pid: 101, parent: 100, session: 100, group: 101 });
    table.dieOfKill();
    table.at(250 + 740, () => {
      table.end(101);
      table.add({ pid: 101, parent: 1, session: 101, startTime: "99" });
    });
    expect((await end(table)).left).toEqual([]);
    expect(table.pids()).toEqual([101]);
  });

  it("says what cannot be ended, in bounded time", async () => {
    const table = new FakeTable();
    table.add({ pid: 100, startTime: "5", session: 100, group: 100 });
    table.add({ pid: 101, parent: 100, session: 100, group: 101 });
    table.onSignal = (pid, signal) => {
      if (signal === "SIGKILL" && pid === 100) table.end(100);
    };
    const { left, tookMs } = await end(table);
    expect(left.map(({ pid }) => pid)).toEqual([101]);
    expect(tookMs).toBeLessThan(3_200);
  });

  it("gives up, in bounded time, on something that comes again and again", async () => {
    const table = new FakeTable();
    table.add({ pid: 100, startTime: "5", session: 100, group: 100 });
    let next = 500;
    table.onSignal = (pid, signal) => {
      if (signal !== "SIGKILL") return;
      table.end(pid);
      table.add({ pid: next++, parent: 1, session: next, marker: "h1" });
    };
    const { left, tookMs } = await end(table);
    expect(left).toHaveLength(1);
    expect(tookMs).toBeLessThan(250 + 750 + 4 * 2_000 + 500);
  });

  it("works where processes cannot be stopped and there are no groups", async () => {
    const table = new FakeTable();
    table.canStop = false;
    table.add({ pid: 100, startTime: "5", session: null, group: null });
    table.add({ pid: 101, parent: 100, session: null, group: null });
    table.onSignal = (pid) => table.end(pid);
    expect((await end(table)).left).toEqual([]);
    expect(table.signals).toEqual(["SIGTERM 100", "SIGKILL 101"]);
  });
});
