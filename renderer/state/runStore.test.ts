import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RunSnapshot } from "../../preload/contract/cells";
import { connection } from "./connection";
import {
  applyRunChanges,
  loadEarlierOutput,
  mostCalls,
  retryRun,
  runCopyOf,
  runStore,
  shownRun,
  showRun,
  withEarlierOutput,
} from "./runStore";
import { FakePort } from "./testPort";
import { runCall, runHead, runSnapshot, textOutput } from "./testRuns";

let port: FakePort;

beforeEach(() => {
  port = new FakePort();
  connection.attach(port);
});
afterEach(() => showRun(null));

function answer(index: number, part: Partial<RunSnapshot> = {}): void {
  port.answer(port.calls("subscribe")[index], {
    subscriptionId: 100 + index,
    snapshot: { topic: "run", run: runSnapshot(part) },
  });
}

function fail(index: number, code = "run_unknown", retryable = false): void {
  port.fail(port.calls("subscribe")[index], { code, message: "No.", retryable });
}

const texts = () => shownRun()?.output.map((item) => (item.type === "image" ? "" : item.text));

describe("the shown run", () => {
  it("is the one that was asked for last, and nothing is shown until it is there", () => {
    for (const runId of ["one", "two"]) showRun(runId);
    expect(shownRun()).toBeNull();
    answer(1, { head: runHead({ runId: "two" }) });
    answer(0, { head: runHead({ runId: "one" }) });
    expect(shownRun()?.head.runId).toBe("two");
    expect(port.calls("unsubscribe").map((call) => call.params)).toEqual([{ subscriptionId: 100 }]);
  });

  it("stays on screen, marked, when the port closes; what was loaded stays when it is renewed", async () => {
    showRun("run");
    answer(0, { output: textOutput("c"), earlierOutput: 2 });
    const loaded = loadEarlierOutput();
    port.answer(port.calls("cells.earlierOutput")[0], { items: textOutput("a", "b"), from: 0 });
    await loaded;
    port.drop();
    expect(runStore.getState().shown).toMatchObject({ phase: "shown", stale: true });
    port = new FakePort();
    connection.attach(port);
    answer(0, { output: textOutput("c", "d"), earlierOutput: 2 });
    expect(runStore.getState().shown).toMatchObject({ phase: "shown", stale: false });
    expect(texts()).toEqual(["a", "b", "c", "d"]);
  });

  it("goes away when it is forgotten elsewhere, and can be tried again", () => {
    showRun("run");
    answer(0);
    port.say({ kind: "resync", subscriptionId: 100 });
    fail(1);
    expect(runStore.getState().shown).toMatchObject({ phase: "failed", runId: "run" });
    retryRun();
    expect(runStore.getState().shown).toMatchObject({ phase: "loading", runId: "run" });
    answer(2);
    expect(shownRun()).not.toBeNull();
  });
});

it("takes in what is written as it comes, calls in their place, and the head with its end", () => {
  const copy = runCopyOf(runSnapshot({ output: textOutput("a"), calls: [runCall(1)] }));
  const now = applyRunChanges(copy, [
    { type: "output", items: textOutput("b", "c") },
    { type: "calls", calls: [runCall(2), runCall(1, { state: "done", endedAtMs: 5 })] },
    { type: "head", value: { state: "completed", endedAtMs: 9 } },
  ]);
  expect(now.output).toEqual(textOutput("a", "b", "c"));
  expect(now.calls.map(({ callId, state }) => [callId, state])).toEqual([
    [1, "done"],
    [2, "pending"],
  ]);
  expect(now.head).toMatchObject({ state: "completed", endedAtMs: 9, scriptName: "Review a branch" });
});

describe("earlier output", () => {
  it("is asked for from the first item that is held, and put before it", async () => {
    showRun("run");
    answer(0, { output: textOutput("c"), earlierOutput: 2 });
    const loaded = loadEarlierOutput();
    expect(port.calls("cells.earlierOutput")[0]?.params).toEqual({ runId: "run", before: 2 });
    port.answer(port.calls("cells.earlierOutput")[0], { items: textOutput("b"), from: 1 });
    await loaded;
    expect(texts()).toEqual(["b", "c"]);
    expect(shownRun()?.earlierOutput).toBe(1);
  });

  it("that comes twice, or for another run, is not taken", async () => {
    const copy = runCopyOf(runSnapshot({ output: textOutput("c"), earlierOutput: 2 }));
    const once = withEarlierOutput(copy, { items: textOutput("a", "b"), from: 0 });
    expect(once.output).toEqual(textOutput("a", "b", "c"));
    expect(withEarlierOutput(once, { items: textOutput("a", "b"), from: 0 })).toBe(once);
    showRun("run");
    answer(0, { output: textOutput("c"), earlierOutput: 2 });
    const loaded = loadEarlierOutput();
    showRun("other");
    answer(1, { head: runHead({ runId: "other" }), output: textOutput("z"), earlierOutput: 2 });
    port.answer(port.calls("cells.earlierOutput")[0], { items: textOutput("a", "b"), from: 0 });
    await loaded;
    expect(texts()).toEqual(["z"]);
  });

  it("is kept over a snapshot only where it still touches what that brings", () => {
    const held = runCopyOf(runSnapshot({ output: textOutput("a", "b"), earlierOutput: 0 }));
    const near = runCopyOf(runSnapshot({ output: textOutput("b", "c"), earlierOutput: 1 }), held);
    expect(near.output).toEqual(textOutput("a", "b", "c"));
    expect(near.earlierOutput).toBe(0);
    const far = runCopyOf(runSnapshot({ output: textOutput("z"), earlierOutput: 9 }), held);
    expect(far.output).toEqual(textOutput("z"));
    expect(far.earlierOutput).toBe(9);
  });
});

it("holds the newest calls and all that are pending, and counts the others", () => {
  const first = runCall(1);
  const second = runCall(2, { state: "done" });
  const copy = runCopyOf(runSnapshot({ calls: [first, second] }));
  const more = Array.from({ length: mostCalls }, (_, index) => runCall(index + 3, { state: "done" }));
  const now = applyRunChanges(copy, [{ type: "calls", calls: more }]);
  expect(now.calls).toHaveLength(mostCalls);
  expect(now.calls[0]).toBe(first);
  expect(now.calls[1]?.callId).toBe(4);
  expect(now.earlierCalls).toBe(2);
});
