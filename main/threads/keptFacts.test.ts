// The plan of the newest turn and what was spent: codex tells both once, and Holdfast may be killed at any moment.

import { describe, expect, it } from "vitest";
import { codexTurn, resumed, userItem } from "./testCodexData";
import { begin, bench, complete, opened, past, prepareBench, say, T } from "./testRuntime";

prepareBench();

const plan = (turnId: string, step: string) =>
  say("turn/plan/updated", { turnId, explanation: null, plan: [{ step, status: "inProgress" }] });
const spent = (last: number, total: number) =>
  say("thread/tokenUsage/updated", {
    turnId: "t2",
    tokenUsage: { last: { totalTokens: last }, total: { totalTokens: total }, modelContextWindow: 1_000 },
  });
const newest = (turnId: string, status: string) =>
  bench.rule("thread/resume", () =>
    resumed(T, [past, codexTurn(turnId, status, [userItem(`u-${turnId}`, "More")])], {
      status: status === "inProgress" ? "active" : "idle",
    }),
  );
const onRecord = () => bench.ledger.runningItems.list(T).map(({ itemId }) => itemId);

/** Holdfast is killed and started again, codex goes on; the thread is shown. */
async function again() {
  await bench.restart({ codexLives: true });
  await bench.reconnect();
  return opened();
}

const steps = [{ step: "Look", status: "inProgress" }];

describe("the plan of a turn", () => {
  it("is there again after Holdfast was killed", async () => {
    await opened();
    begin("t2");
    plan("t2", "Look");
    newest("t2", "inProgress");
    const window = await again();
    expect(window.head.plan).toEqual({ explanation: null, steps });
    window.check();
  });

  it("stays after the turn's end, as long as that is the newest", async () => {
    await opened();
    begin("t2");
    plan("t2", "Look");
    complete("t2");
    newest("t2", "completed");
    expect((await again()).head.plan).toMatchObject({ steps });
  });

  it("goes with the next turn, and stays away", async () => {
    const window = await opened();
    begin("t2");
    plan("t2", "Look");
    complete("t2");
    begin("t3");
    expect(window.head.plan).toBeNull();
    expect(onRecord()).toEqual([]);
    newest("t3", "inProgress");
    expect((await again()).head.plan).toBeNull();
  });

  it("goes with a turn that began while Holdfast was not there", async () => {
    await opened();
    begin("t2");
    plan("t2", "Look");
    newest("t3", "inProgress");
    expect((await again()).head.plan).toBeNull();
    expect(onRecord()).toEqual([]);
  });

  it("goes with a turn that began while the connection was away", async () => {
    const window = await opened();
    begin("t2");
    plan("t2", "Look");
    await bench.cut();
    expect(window.head.plan).toMatchObject({ steps });
    newest("t3", "inProgress");
    await bench.reconnect();
    expect(window.head.plan).toBeNull();
  });

  it("that codex has taken back is not brought back", async () => {
    await opened();
    begin("t2");
    plan("t2", "Look");
    say("turn/plan/updated", { turnId: "t2", explanation: null, plan: [] });
    newest("t2", "inProgress");
    expect((await again()).head.plan).toBeNull();
  });

  it("is replaced by what codex says of it afterwards", async () => {
    await opened();
    begin("t2");
    plan("t2", "Look");
    newest("t2", "inProgress");
    const window = await again();
    plan("t2", "Write");
    expect(window.head.plan).toMatchObject({ steps: [{ step: "Write" }] });
    expect((await again()).head.plan).toMatchObject({ steps: [{ step: "Write" }] });
  });
});

describe("what was spent", () => {
  it("is known again after Holdfast was killed, in this turn and in a later one", async () => {
    await opened();
    begin("t2");
    spent(40, 90);
    newest("t2", "inProgress");
    const usage = { lastTokens: 40, totalTokens: 90, contextWindow: 1_000 };
    expect((await again()).head.usage).toEqual(usage);
    newest("t3", "inProgress");
    expect((await again()).head.usage).toEqual(usage);
  });

  it("is what codex says, where it says it", async () => {
    await opened();
    begin("t2");
    spent(40, 90);
    newest("t2", "inProgress");
    const window = await again();
    spent(50, 140);
    expect(window.head.usage).toMatchObject({ lastTokens: 50, totalTokens: 140 });
  });
});
