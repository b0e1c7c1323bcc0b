// What is shown of a thread while codex still loads it.

import { describe, expect, it } from "vitest";
import { agentItem, codexTurn, listed, resumed, userItem } from "./testCodexData";
import { begin, bench, codex, opened, past, prepareBench, runtime, shown, T } from "./testRuntime";
import { settle } from "./testThreads";

prepareBench();

const turn = (number: number) => codexTurn(`t${number}`, "completed", [agentItem("m", `Text ${number}`)]);
const running = codexTurn("t2", "inProgress", [userItem("u2", "More")]);

describe("turns listed ahead of the load", () => {
  it("are there at once, and the load brings the rest and the way to the ones before", async () => {
    bench.hold("thread/resume");
    bench.rule("thread/turns/list", () => listed([turn(8), turn(9)], "c8"));
    const window = await opened();
    expect(window.texts).toEqual(["agent completed: Text 8", "agent completed: Text 9"]);
    expect(window.head).toMatchObject({ residency: "loading", state: "not loaded", hasOlder: true });
    codex()
      .only("thread/resume")
      .answer(resumed(T, [turn(7), turn(8), turn(9)], { nextCursor: "c7" }));
    await settle();
    expect(window.copy.turns.map(({ id }) => id)).toEqual(["t7", "t8", "t9"]);
    expect(window.head).toMatchObject({ residency: "loaded", state: "idle" });
    bench.rule("thread/turns/list", () => listed([turn(6)]));
    await runtime().loadOlder();
    expect(codex().last("thread/turns/list").params.cursor).toBe("c7");
    window.check();
  });

  it("are not asked for again when they are known", async () => {
    await opened();
    await opened();
    await bench.cut();
    await bench.reconnect();
    codex().only("thread/resume");
    expect(codex().all("thread/turns/list")).toEqual([]);
  });

  it("are not shown when the last one is listed as going on: whether it does is in the load's answer", async () => {
    bench.hold("thread/resume");
    bench.rule("thread/turns/list", () => listed([past, running]));
    const window = await opened();
    expect(window.texts).toEqual([]);
    codex()
      .only("thread/resume")
      .answer(resumed(T, [past, running], { status: "active" }));
    await settle();
    expect(window.head).toMatchObject({ state: "running", run: { turnId: "t2" } });
  });

  it("that come after the load, or after a word of the thread, are dropped", async () => {
    bench.hold("thread/turns/list");
    bench.hold("thread/resume");
    const window = await opened();
    begin("t2");
    await settle();
    codex()
      .only("thread/turns/list")
      .answer(listed([past]));
    await settle();
    expect(window.texts).toEqual([]);
    codex()
      .only("thread/resume")
      .answer(resumed(T, [past, running], { status: "active" }));
    await settle();
    expect(window.texts).toEqual([...shown, "user completed: More"]);
    window.check();
  });

  it("cannot be listed: nothing is said of it, the load says what is wrong if anything is", async () => {
    bench.rule("thread/turns/list", () => new Error("disk trouble"));
    const window = await opened();
    expect(window.texts).toEqual(shown);
    expect(window.head).toMatchObject({ fault: null, residency: "loaded" });
  });

  it("stay when the load fails, and are listed again for what else the list tells", async () => {
    bench.hold("thread/resume");
    const window = await opened();
    expect(window.texts).toEqual(shown);
    codex().only("thread/resume").refuse("something else");
    await settle();
    expect(window.texts).toEqual(shown);
    expect(window.head).toMatchObject({ residency: "stored", fault: { code: "codex_error" } });
    expect(codex().all("thread/turns/list")).toHaveLength(2);
  });
});
