// A turn that was cut off is shown as interrupted with the reason, everywhere, and so is what it asked for in vain.

import { describe, expect, it } from "vitest";
import { stoppedAtQuit } from "./keptCuts";
import { codexThread, codexTurn, resumed } from "./testCodexData";
import { settle } from "./testThreads";
import { begin, bench, codex, complete, idle, opened, P, prepareBench, row } from "./testTree";

prepareBench();

const away = "The turn was cut off while Holdfast was not running.";
const approval = "item/commandExecution/requestApproval";

function ask(threadId: string, turnId: string): void {
  codex().ask(7, approval, {
    threadId,
    turnId,
    itemId: `call-${turnId}`,
    command: "git push",
    cwd: "/work",
    reason: null,
  });
}

/** codex's record of the newest turn, as it lists it of a thread that is not loaded. */
function lastTurnIs(status: "interrupted" | "completed" | "inProgress"): void {
  bench.rule("thread/turns/list", () => ({ data: [codexTurn("t1", status)], nextCursor: null }));
  bench.rule("thread/list", () => ({ data: [codexThread(P, { preview: "About P" })], nextCursor: null }));
}

async function comeBack(): Promise<void> {
  await bench.restart({ codexLives: false });
  await bench.reconnect();
  bench.threads.connected(bench.workspaceId);
  await bench.threads.adopted(bench.workspaceId, null);
  await bench.threads.list.refresh(bench.workspaceId);
  await settle();
}

describe("a turn that was at work when Holdfast and codex were killed", () => {
  it.each(["interrupted", "inProgress"] as const)(
    "is told in the list before its thread is loaded: codex lists it as %s",
    async (status) => {
      begin(P, "t1");
      lastTurnIs(status);
      await comeBack();
      expect(row(P)).toMatchObject({ state: "interrupted", cutOff: away });
      expect(codex().all("thread/resume")).toEqual([]);
      // It stays so, without codex being asked again.
      await bench.restart({ codexLives: false });
      bench.threads.rows.remember(bench.workspaceId);
      expect(row(P)).toMatchObject({ state: "interrupted", cutOff: away });
    },
  );

  it("is no news when it had ended in order all the same", async () => {
    begin(P, "t1");
    lastTurnIs("completed");
    await comeBack();
    expect(row(P)?.state).toBe("not loaded");
    expect(row(P)?.cutOff).toBeUndefined();
  });

  it("is shown with the reason in the conversation, and what it waited for is said to be in vain", async () => {
    begin(P, "t1");
    ask(P, "t1");
    await settle();
    lastTurnIs("interrupted");
    await comeBack();
    bench.rule("thread/resume", () => resumed(P, [codexTurn("t1", "interrupted")]));
    const window = await opened(P);
    await settle();
    expect(window.head).toMatchObject({ state: "interrupted", cutOff: away, requests: [] });
    expect(window.copy.turns.at(-1)).toMatchObject({ status: "interrupted", fault: { message: away } });
    const notices = window.copy.items.filter(({ kind }) => kind === "notice");
    expect(notices).toMatchObject([
      {
        turnId: "t1",
        tone: "warning",
        text: "codex asked for your approval to run “git push”. This can no longer be answered: the turn was cut off.",
      },
    ]);
  });

  it("is over with the next turn", async () => {
    begin(P, "t1");
    lastTurnIs("interrupted");
    await comeBack();
    bench.rule("thread/resume", () => resumed(P, [codexTurn("t1", "interrupted")]));
    const window = await opened(P);
    begin(P, "t2");
    complete(P, "t2");
    idle(P);
    expect(window.head).toMatchObject({ state: "idle", cutOff: null });
    expect(row(P)?.cutOff).toBeUndefined();
    expect(bench.ledger.threads.get(P)?.lastKnownState).toBe("idle");
  });
});

it("a turn whose process dies says so at once, in the list too after its thread was let go", async () => {
  const window = await opened(P);
  begin(P, "t1");
  ask(P, "t1");
  await settle();
  await bench.kill();
  expect(window.head.state).toBe("interrupted");
  expect(window.head.cutOff).not.toBeNull();
  expect(row(P)?.cutOff).toBe(window.head.cutOff);
  expect(window.copy.items.at(-1)).toMatchObject({ kind: "notice", tone: "warning" });
});

it("a turn that was stopped as Holdfast was quit says the same before and after the next start", async () => {
  const window = await opened(P);
  begin(P, "t1");
  bench.threads.runtime(P).cutTurns.note("t1", stoppedAtQuit);
  codex().say("turn/completed", { threadId: P, turn: codexTurn("t1", "interrupted") });
  idle(P);
  await settle();
  expect(window.copy.turns.at(-1)).toMatchObject({ status: "interrupted", fault: stoppedAtQuit });
  lastTurnIs("interrupted");
  await comeBack();
  bench.rule("thread/resume", () => resumed(P, [codexTurn("t1", "interrupted")]));
  const again = await opened(P);
  await settle();
  expect(again.copy.turns.at(-1)).toMatchObject({ status: "interrupted", fault: stoppedAtQuit });
});

it("a turn that the person has stopped is not said to be cut off", async () => {
  const window = await opened(P);
  begin(P, "t1");
  ask(P, "t1");
  codex().say("turn/completed", { threadId: P, turn: codexTurn("t1", "interrupted") });
  idle(P);
  await settle();
  expect(window.head).toMatchObject({ state: "interrupted", cutOff: null });
  expect(window.copy.items.filter(({ kind }) => kind === "notice")).toEqual([]);
});

it("a thread that another program has gone on with is asked about again", async () => {
  begin(P, "t1");
  lastTurnIs("interrupted");
  await comeBack();
  expect(row(P)?.state).toBe("interrupted");
  bench.rule("thread/turns/list", () => ({ data: [codexTurn("t2", "completed")], nextCursor: null }));
  const later = Math.ceil((row(P)?.updatedAtMs ?? 0) / 1000) + 60;
  bench.rule("thread/list", () => ({
    data: [codexThread(P, { preview: "About P", updatedAt: later, recencyAt: later })],
    nextCursor: null,
  }));
  await bench.threads.list.refresh(bench.workspaceId);
  await settle();
  expect(row(P)).toMatchObject({ state: "not loaded" });
  expect(row(P)?.cutOff).toBeUndefined();
});
