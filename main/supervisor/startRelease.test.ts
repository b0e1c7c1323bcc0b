// Real processes: a start that races a release. Whatever comes first, as many live as the session says.

import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "../clock";
import { silentLog } from "../log";
import { SupervisedSession } from "./supervisedSession";
import { TestCodex } from "./testCodex";

const rounds = 25;
/** From "before anything has begun" to "after it is up": a start takes about 200 ms. */
const longestPauseMs = 300;
let at: TestCodex;

beforeEach(() => {
  at = new TestCodex();
});
afterEach(() => at.leave());

/** The processes of app-servers that carry a marker of this test's ledger and are alive. */
async function alive(): Promise<number> {
  const counts = await Promise.all(
    at.ledger.handles.listNotGone().map(async ({ handleId }) => ((await at.marked(handleId)) > 0 ? 1 : 0)),
  );
  return counts.reduce((sum: number, count) => sum + count, 0);
}

test(`in ${rounds} rounds of a start that races a release, one process lives if the session says so, else none`, {
  timeout: 120_000,
}, async () => {
  const session = new SupervisedSession({
    clock: systemClock,
    log: silentLog,
    launch: (signal) => at.launch({ signal }),
    verify: async () => {},
    close: (process) => process.close(),
    isShown: () => false,
    onState() {},
    onConnected() {},
    onConnectionLost() {},
    onProcessGone() {},
    onNotification() {},
    onRequest() {},
  });
  const outcomes = new Set<string>();
  for (let round = 0; round < rounds; round += 1) {
    const starting = session.need().then(
      () => "started",
      (fault: { code: string }) => fault.code,
    );
    const releasing = new Promise<void>((resolve) =>
      systemClock.after((longestPauseMs * round) / rounds, resolve),
    ).then(() => session.close(false));
    const [outcome, left] = await Promise.all([starting, releasing]);
    outcomes.add(outcome);
    expect(left).toBeNull();
    expect(await alive()).toBe(session.connection ? 1 : 0);
    // And the other way about: the release is asked for first.
    const [, again] = await Promise.all([session.close(false), session.need()]);
    expect(again).toBe(session.connection);
    expect(await alive()).toBe(1);
    if (round % 2 === 0) expect(await session.close(false)).toBeNull();
  }
  expect(await session.close(true)).toBeNull();
  expect(await alive()).toBe(0);
  // Both orders have happened, or the race was none.
  expect([...outcomes].sort()).toEqual(["session_closed", "started"]);
});
