// Waiting for a turn while threads unload, connections go and processes die.

import { describe, expect, it } from "vitest";
import { Fault } from "../../fault";
import { agentItem, codexTurn, listed, resumed, userItem } from "../../threads/testCodexData";
import { bench, codex, later, opened, past, runtime, say, status, T } from "../../threads/testRuntime";
import { settle } from "../../threads/testThreads";
import { agent, ends, goesOn, prepareScript, saysActive, shows, wait } from "./testScript";

prepareScript();

describe("while somebody waits", () => {
  it("the thread is not let go; afterwards it is, and it counts as not looked at", async () => {
    saysActive();
    await goesOn("t3");
    const seen = await wait();
    await later(120_000);
    expect(codex().all("thread/unsubscribe")).toEqual([]);
    expect(bench.threads.keepsSession(bench.workspaceId)).toBe(true);
    ends("t3");
    await settle();
    expect(seen.end).toMatchObject({ turnId: "t3" });
    expect(bench.threads.rows.get(T)?.unread).toBe(true);
    await later(31_000);
    codex().only("thread/unsubscribe");
    expect(runtime().state.attended).toBe(false);
  });

  it("a thread in which nothing happens is not let go either, as long as somebody attends to it", async () => {
    const stop = runtime().attend(() => undefined);
    await runtime().load();
    await later(120_000);
    expect(codex().all("thread/unsubscribe")).toEqual([]);
    expect(bench.threads.isShown(bench.workspaceId)).toBe(true);
    stop();
    expect(bench.threads.isShown(bench.workspaceId)).toBe(false);
    await later(31_000);
    codex().only("thread/unsubscribe");
  });

  it("codex unloads the thread: it is loaded again, and the wait goes on", async () => {
    await opened();
    const clientId = await goesOn("t2");
    const seen = await wait();
    const turn = codexTurn("t2", "completed", [userItem("u2", "Go", clientId), agentItem("a2", "Done")]);
    bench.rule("thread/resume", () => resumed(T, [past, turn]));
    status("notLoaded");
    say("thread/closed");
    await later(3_000);
    expect(seen.end).toMatchObject({ turnId: "t2", answer: "Done" });
  });

  it("codex unloads the thread again and again: the wait ends with that", async () => {
    await opened();
    const clientId = await goesOn("t2");
    saysActive();
    const seen = await wait();
    const turn = codexTurn("t2", "inProgress", [userItem("u2", "Go", clientId)]);
    bench.rule("thread/resume", () => resumed(T, [past, turn], { status: "active" }));
    bench.rule("thread/turns/list", () => listed([past, turn]));
    for (let count = 0; count < 12 && seen.end === null; count += 1) {
      status("notLoaded");
      say("thread/closed");
      await later(10_000);
    }
    expect(seen.end).toMatchObject({ code: "thread_unstable" });
    ends("t2", "interrupted");
  });

  it("the connection goes and comes back while the turn goes on", async () => {
    await opened();
    await goesOn("t2");
    const seen = await wait();
    bench.rule("thread/resume", () => resumed(T, [past, codexTurn("t2")], { status: "active" }));
    await bench.cut();
    await later(5_000);
    expect(seen.end).toBeNull();
    agent("t2", "Still there");
    ends("t2");
    await settle();
    expect(seen.end).toMatchObject({ turnId: "t2", answer: "Still there" });
  });

  it("its process dies, and the next one knows the turn as interrupted", async () => {
    await opened();
    const clientId = await goesOn("t2");
    shows("t2", "Go", clientId);
    const seen = await wait();
    bench.rule("thread/resume", () =>
      resumed(T, [past, codexTurn("t2", "interrupted", [userItem("u2", "Go", clientId)])]),
    );
    await bench.kill();
    await later(3_000);
    expect(seen.end).toMatchObject({ turnId: "t2", status: "interrupted" });
  });

  it("its process dies, and none can be started: the wait ends with the reason", async () => {
    await opened();
    await goesOn("t2");
    const seen = await wait();
    bench.sessionFault = new Fault("codex_missing", "There is no codex.");
    await bench.kill();
    await later(60_000);
    expect(seen.end).toMatchObject({ code: "codex_missing" });
  });

  it("the thread is deleted elsewhere", async () => {
    await opened();
    await goesOn("t2");
    const seen = await wait();
    say("thread/deleted");
    await settle();
    expect(seen.end).toMatchObject({ code: "thread_deleted" });
    ends("t2");
  });
});
