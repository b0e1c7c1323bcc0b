import { expect, it } from "vitest";
import { ManualClock } from "../clock";
import { silentLog } from "../log";
import { type Ending, shutDownInOrder } from "./shutDown";

/** Parts that end at once; `happened` has what was asked of the supervision and the ledger. */
function parts(found: Promise<void>) {
  const clock = new ManualClock();
  const happened: string[] = [];
  const ends = (name: string) => async () => void happened.push(name);
  const none = { shutDown: async () => {}, close: async () => {}, dispose() {} };
  const core = {
    ...{ starts: none, terminals: none, environments: none, changes: none, exports: none, account: none },
    threads: { all: [], dispose() {} },
    cells: { shutDown: async () => {}, threadsEnded: async () => true },
    supervision: {
      found,
      prepareToClose: ends("no cleanups any more"),
      launches: { keepNothing() {} },
      close: ends("sessions closed"),
    },
    ledger: { hurry() {}, close: ends("ledger closed") },
    clock,
    openWork: () => null,
  } as unknown as Ending;
  return { core, clock, happened };
}

const everything = ["no cleanups any more", "sessions closed", "ledger closed"];

it("what an earlier run has left is found before sessions are closed, so that it is closed too", async () => {
  let find = () => {};
  const { core, happened, clock } = parts(new Promise((resolve) => (find = resolve)));
  const ended = shutDownInOrder(core, "stop", silentLog);
  await Promise.resolve();
  expect(happened).toEqual([]);
  find();
  expect(await ended).toBe(true);
  expect(happened).toEqual(everything);
  expect(clock.pendingCount).toBe(0);
});

it("what is never found keeps nothing from being closed", async () => {
  const { core, happened, clock } = parts(new Promise(() => {}));
  const ended = shutDownInOrder(core, "stop", silentLog);
  clock.advance(2_500);
  await ended;
  expect(happened).toEqual(everything);
});
