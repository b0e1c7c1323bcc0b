import { expect, it } from "vitest";
import type { ProcessRow, ProcessTable } from "./processTable";
import { sharedSearches } from "./sharedSearches";

const row = (pid: number): ProcessRow => ({
  pid,
  startTime: "1",
  parentPid: 1,
  groupId: pid,
  sessionId: pid,
  command: "sh",
});

/** Each search ends when it is told to, with what was there when it began. */
class Slow {
  readonly processes = new Map<number, string>();
  readonly searches: { pids: number[] | null; end(): void; fail(error: Error): void }[] = [];
  readonly table = sharedSearches({
    listProcesses: () => {
      const found = [...this.processes.keys()].map(row);
      return this.#search(null, found);
    },
    marksOf: (_name: string, rows: readonly ProcessRow[]) => {
      const pids = rows.map(({ pid }) => pid);
      return this.#search(
        pids,
        new Map(pids.map((pid) => [pid, { value: this.processes.get(pid) ?? null, limit: null }])),
      );
    },
  } as ProcessTable);

  #search<Found>(pids: number[] | null, found: Found): Promise<Found> {
    return new Promise((resolve, fail) => {
      this.searches.push({ pids, end: () => resolve(found), fail });
    });
  }
}

const settled = () => new Promise(setImmediate);

it("is one for all that are asked for together, and a later one sees what has come since", async () => {
  const slow = new Slow();
  slow.processes.set(1, "a");
  const first = [slow.table.listProcesses(), slow.table.listProcesses()];
  await settled();
  expect(slow.searches).toHaveLength(1);
  slow.processes.set(2, "b");
  const later = Array.from({ length: 30 }, () => slow.table.listProcesses());
  await settled();
  expect(slow.searches).toHaveLength(1);
  slow.searches[0]?.end();
  for (const rows of await Promise.all(first)) expect(rows).toEqual([row(1)]);
  await settled();
  expect(slow.searches).toHaveLength(2);
  slow.searches[1]?.end();
  for (const rows of await Promise.all(later)) expect(rows).toEqual([row(1), row(2)]);
});

it("reads each environment once, and tells everybody of their own", async () => {
  const slow = new Slow();
  for (const [pid, marker] of [
    [1, "a"],
    [2, "b"],
    [3, "a"],
  ] as const)
    slow.processes.set(pid, marker);
  const a = slow.table.markedWith({ name: "T", value: "a" }, [row(1), row(2)]);
  const b = slow.table.markedWith({ name: "T", value: "b" }, [row(2), row(3)]);
  await settled();
  expect(slow.searches.map(({ pids }) => pids)).toEqual([[1, 2, 3]]);
  slow.searches[0]?.end();
  expect([await a, await b]).toEqual([new Set([1]), new Set([2])]);
});

it("that fails is asked for again by the next", async () => {
  const slow = new Slow();
  const first = slow.table.listProcesses();
  await settled();
  const next = slow.table.listProcesses();
  slow.searches[0]?.fail(new Error("no /proc"));
  await expect(first).rejects.toThrow("no /proc");
  await settled();
  slow.searches[1]?.end();
  expect(await next).toEqual([]);
});
