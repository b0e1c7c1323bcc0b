import { describe, expect, test } from "vitest";
import type { RunView } from "../../preload/contract/thread";
import { agentItem, commandItem, reasoningItem } from "../state/testThread";
import { runWords } from "./runWords";

const run = (change: Partial<RunView> = {}): RunView => ({
  turnId: "t",
  startedAtMs: 0,
  stopping: false,
  retrying: null,
  waitingFor: [],
  ...change,
});

describe("what is going on", () => {
  test("the running item that came last says it", () => {
    const command = { ...commandItem("c"), command: "npm test\nsecond line" };
    expect(runWords(run(), [reasoningItem("r"), command], false)).toEqual({
      words: "Running",
      subject: "npm test",
      tone: "busy",
    });
    expect(runWords(run(), [command, agentItem("a")], false).words).toBe("Writing");
  });

  test("before anything runs", () => {
    expect(runWords(run({ turnId: null }), [], false).words).toBe("Starting");
    expect(runWords(run(), [], false).words).toBe("Working");
  });

  test("stopping, a lost connection, retrying and waiting go before what is being done, in this order", () => {
    const items = [commandItem("c")];
    const waitingFor = ["an approval", "MCP server linear to start", "an answer"];
    const everything = run({ stopping: true, retrying: "Reconnecting 2/5", waitingFor });
    expect(runWords(everything, items, true).words).toBe("Stopping");
    expect(runWords({ ...everything, stopping: false }, items, true).tone).toBe("warning");
    expect(runWords({ ...everything, stopping: false }, items, false).words).toBe("Reconnecting 2/5");
    expect(runWords(run({ waitingFor }), items, false)).toEqual({
      words: "Waiting for an approval, MCP server linear to start and an answer",
      subject: null,
      tone: "waiting",
    });
  });

  test("a very long command is cut", () => {
    const command = { ...commandItem("c"), command: "x".repeat(500) };
    expect(runWords(run(), [command], false).subject?.length).toBeLessThan(170);
  });
});
