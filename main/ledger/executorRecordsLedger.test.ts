import { afterEach, beforeEach, expect, it } from "vitest";
import { Database } from "./database";
import { makeTestLedger, type TestLedger } from "./testLedger";

let test: TestLedger;

beforeEach(() => {
  test = makeTestLedger();
});

afterEach(() => {
  test.remove();
});

interface Process {
  processId: string;
  argv: string;
  endedAtMs: number | null;
  outcome: string | null;
}

/** As another program reads the file. */
function read<Row>(sql: string): Row[] {
  const database = new Database(test.path, { busyTimeoutMs: 1_000, readOnly: true });
  try {
    return database.all<Row>(sql);
  } finally {
    database.close();
  }
}

const processes = () => read<Process>("SELECT processId, argv, endedAtMs, outcome FROM executor_processes");
const sessions = () =>
  read<{ sessionId: string; identity: string; endedAtMs: number | null }>(
    "SELECT sessionId, identity, endedAtMs FROM executor_sessions",
  );

function begin(sessionId: string, identity = "box"): void {
  test.ledger.executorRecords.sessionBegan({ environmentId: "env", sessionId, identity });
}

function start(processId: string, argv = ["make"]): void {
  test.ledger.executorRecords.processStarting({ sessionId: "one", processId, argv, cwd: "file:///work" });
}

it("what is begun is in the file before it is asked for, and settled once", () => {
  begin("one");
  start("make", ["make", "a\0b", "\ud800"]);
  expect(sessions()).toEqual([{ sessionId: "one", identity: "box", endedAtMs: null }]);
  expect(processes()).toMatchObject([{ processId: "make", endedAtMs: null, outcome: null }]);
  expect(JSON.parse(processes()[0]?.argv ?? "")).toEqual(["make", "a\0b", "\ud800"]);
  const endedAtMs = test.clock.nowMs();
  test.ledger.executorRecords.processEnded("make", "closed");
  test.ledger.executorRecords.sessionEnded("one");
  test.clock.advance(1_000);
  test.ledger.executorRecords.processEnded("make", "lost");
  test.ledger.executorRecords.sessionEnded("one");
  expect(processes()).toMatchObject([{ endedAtMs, outcome: "closed" }]);
  expect(sessions()).toMatchObject([{ endedAtMs }]);
});

it("what an earlier run has left open is lost, and what has ended stays as it ended", () => {
  begin("one");
  start("ended");
  start("refused");
  start("open");
  test.ledger.executorRecords.processEnded("ended", "closed");
  test.ledger.executorRecords.processEnded("refused", "not started");
  const ledger = test.reopen();
  const beganAtMs = test.clock.nowMs();
  expect(ledger.executorRecords.settleAll()).toEqual([
    {
      environmentId: "env",
      sessionId: "one",
      identity: "box",
      processes: [{ processId: "open", argv: ["make"], cwd: "file:///work", beganAtMs }],
    },
  ]);
  expect(processes().map(({ processId, outcome }) => [processId, outcome])).toEqual([
    ["ended", "closed"],
    ["refused", "not started"],
    ["open", "lost"],
  ]);
  expect(ledger.executorRecords.settleAll()).toEqual([]);
});

it("an executor that gives the name of a session again begins another one", () => {
  begin("one", "before");
  test.ledger.executorRecords.sessionEnded("one");
  begin("one", "after");
  expect(sessions()).toEqual([{ sessionId: "one", identity: "after", endedAtMs: null }]);
});

it("of what has ended the newest are kept, and all that is open", () => {
  const { ledger } = test;
  ledger.transaction(() => {
    begin("open");
    start("open");
    for (let count = 0; count < 1_200; count += 1) {
      test.clock.advance(1);
      begin(`session ${count}`);
      start(`process ${count}`);
      ledger.executorRecords.processEnded(`process ${count}`, "closed");
      ledger.executorRecords.sessionEnded(`session ${count}`);
    }
  });
  expect(processes()).toHaveLength(1_001);
  expect(processes().map(({ processId }) => processId)).toEqual(
    expect.arrayContaining(["open", "process 1199"]),
  );
  expect(sessions()).toHaveLength(201);
  expect(sessions().map(({ sessionId }) => sessionId)).toEqual(
    expect.arrayContaining(["open", "session 1199"]),
  );
});
