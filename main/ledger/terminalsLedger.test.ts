import { afterEach, beforeEach, expect, it } from "vitest";
import { makeTestLedger, type TestLedger } from "./testLedger";

let test: TestLedger;

beforeEach(() => {
  test = makeTestLedger();
});

afterEach(() => test.remove());

it("what may still run is on record until nothing of it is left, over a restart too", () => {
  const { terminals } = test.ledger;
  const shell = { terminalId: "one", workspaceId: "atlas", command: null, cwd: "/atlas" };
  const command = {
    terminalId: "two",
    workspaceId: "atlas",
    command: "make \0 \ud800",
    cwd: "/atlas/\ud800",
  };
  terminals.starting(shell);
  terminals.starting(command);
  terminals.ledBy("two", { pid: 7, startTime: "boot/1" });
  const beganAtMs = test.clock.nowMs();
  expect(test.reopen().terminals.list()).toEqual([
    { ...shell, leader: null, beganAtMs },
    { ...command, leader: { pid: 7, startTime: "boot/1" }, beganAtMs },
  ]);
  test.ledger.terminals.gone("one");
  test.ledger.terminals.gone("never there");
  expect(
    test
      .reopen()
      .terminals.list()
      .map(({ terminalId }) => terminalId),
  ).toEqual(["two"]);
});
