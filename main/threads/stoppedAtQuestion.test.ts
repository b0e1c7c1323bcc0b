import { describe, expect, it } from "vitest";
import { lingerMs } from "./linger";
import {
  agentItem,
  codexTurn,
  commandApproval,
  commandItem,
  resumed,
  runningCommand,
  userItem,
} from "./testCodexData";
import {
  begin,
  bench,
  codex,
  complete,
  finish,
  later,
  opened,
  past,
  prepareBench,
  say,
  start,
  T,
} from "./testRuntime";
import { type TestWindow, textOf } from "./testThreads";

prepareBench();

async function asked() {
  const window = await opened();
  begin("t2");
  start("t2", runningCommand("c"));
  codex().ask(7, "item/commandExecution/requestApproval", commandApproval(T, "t2", { itemId: "c" }));
  return { state: () => window.copy.items.map(textOf).at(-1) };
}

/** As codex does it: the question is settled by nobody, and the item is never completed. */
function stopped(): void {
  say("serverRequest/resolved", { requestId: 7 });
  complete("t2", "interrupted");
}

it("a command at whose question the turn is stopped was not let run", async () => {
  const command = await asked();
  stopped();
  expect(command.state()).toMatch(/^command declined/);
});

it("a command that was let run and then stopped was cut off", async () => {
  const command = await asked();
  bench.threads.answer({ requestKey: bench.waiting[0]?.key ?? "", decisionId: "accept" });
  stopped();
  expect(command.state()).toMatch(/^command lost/);
});

it("a decision that codex is given again counts as given", async () => {
  const command = await asked();
  bench.threads.answer({ requestKey: bench.waiting[0]?.key ?? "", decisionId: "accept" });
  codex().ask(7, "item/commandExecution/requestApproval", commandApproval(T, "t2", { itemId: "c" }));
  stopped();
  expect(command.state()).toMatch(/^command lost/);
});

describe("what was not let run is still there, in its place, although codex does not list it,", () => {
  const change = {
    type: "fileChange",
    id: "c",
    changes: [{ path: "/home/ada/engine/a", kind: { type: "add" }, diff: "+one\n" }],
    status: "inProgress",
  };
  const listedTurn = codexTurn("t2", "interrupted", [userItem("u2", "Push it"), agentItem("m2", "Stopped")]);

  async function stoppedAt(item: object) {
    const window = await opened();
    begin("t2");
    finish("t2", userItem("u2", "Push it"));
    start("t2", item);
    codex().ask(7, "item/commandExecution/requestApproval", commandApproval(T, "t2", { itemId: "c" }));
    stopped();
    bench.rule("thread/resume", () => resumed(T, [past, listedTurn]));
    return window;
  }

  const shownNow = ({ copy }: TestWindow) =>
    copy.items.filter(({ turnId }) => turnId === "t2").map(({ kind, status }) => `${kind} ${status}`);

  it.each([
    ["command", runningCommand("c")],
    ["fileChange", change],
  ])("when the thread was unloaded and after any number of starts: a %s", async (kind, item) => {
    const window = await stoppedAt(item);
    bench.close(window);
    await later(lingerMs);
    expect(bench.threads.runtime(T).state.transcript.isEmpty).toBe(true);
    const expected = ["user completed", `${kind} declined`, "agent completed"];
    expect(shownNow(await opened())).toEqual(expected);
    for (const codexLives of [true, false, false]) {
      await bench.restart({ codexLives });
      await bench.reconnect();
      expect(shownNow(await opened())).toEqual(expected);
      await later(1_000);
    }
  });

  it("but what codex lists as declined, in a turn that went on, is codex's alone", async () => {
    await opened();
    begin("t2");
    start("t2", runningCommand("c"));
    finish("t2", commandItem("c", null, { status: "declined", exitCode: null }));
    await later(1_000);
    expect(bench.ledger.runningItems.list(T)).toEqual([]);
  });
});
