// What scripts read of threads.

import { describe, expect, it } from "vitest";
import { Fault } from "../../fault";
import { agentItem, codexTurn, listed, resumed, started, userItem } from "../../threads/testCodexData";
import { addThread, bench, codex, T } from "../../threads/testRuntime";
import { prepareScript, script } from "./testScript";

prepareScript();

describe("listThreads", () => {
  it("asks codex for the list when it was never asked, the newest first, without agents and archived ones", async () => {
    const thread = (id: string, updatedAt: number) => ({
      ...started(id).thread,
      name: id,
      updatedAt,
      recencyAt: updatedAt,
    });
    bench.rule("thread/list", () => listed([thread("old", 1), thread("new", 3), thread("middle", 2)]));
    addThread("archived", { archived: true });
    addThread("agent", { parentThreadId: "old" });
    const listing = await script.call("listThreads", { limit: 3 });
    expect(listing.map(({ threadId }) => threadId)).toEqual(["new", "middle", "old"]);
    expect(listing[0]).toEqual({
      threadId: "new",
      title: "new",
      state: "not loaded",
      folder: bench.folder,
      updatedAtMs: 3_000,
    });
    await script.call("listThreads", {});
    codex().only("thread/list");
  });

  it("goes on to the next page where it has to", async () => {
    const thread = (id: string) => ({ ...started(id).thread, name: id });
    bench.rule("thread/list", ({ params }) =>
      params.cursor === "more" ? listed([thread("b")]) : listed([thread("a")], "more"),
    );
    expect(await script.call("listThreads", { limit: 3 })).toHaveLength(3);
    expect(codex().all("thread/list")).toHaveLength(2);
  });

  it("that fails says why", async () => {
    bench.sessionFault = new Fault("codex_missing", "There is no codex.");
    await bench.kill();
    await expect(script.call("listThreads", {})).rejects.toMatchObject({ code: "codex_missing" });
  });
});

describe("readThread", () => {
  it("tells the last turns, loading older ones where it has to", async () => {
    const turn = (count: number) =>
      codexTurn(`t${count}`, "completed", [
        userItem(`u${count}`, `Question ${count}`),
        agentItem(`a${count}`, `Answer ${count}`),
      ]);
    bench.rule("thread/resume", () => resumed(T, [turn(4), turn(5)], { nextCursor: "before 4" }));
    bench.rule("thread/turns/list", ({ params }) =>
      params.cursor === "before 4" ? listed([turn(2), turn(3)], "before 2") : listed([turn(1)]),
    );
    const read = await script.call("readThread", { threadId: T, turns: 3 });
    expect(read.turns.map(({ items }) => items.map(({ kind, text }) => `${kind}: ${text}`))).toEqual(
      [3, 4, 5].map((count) => [`You: Question ${count}`, `Agent: Answer ${count}`]),
    );
    expect(read.hasOlder).toBe(true);
    const all = await script.call("readThread", { threadId: T });
    expect(all.turns).toHaveLength(5);
    expect(all.hasOlder).toBe(false);
  });

  it("is bounded: a long text is cut in its middle, and old turns are left out", async () => {
    const turn = (count: number) =>
      codexTurn(`t${count}`, "completed", [
        agentItem(`a${count}`, `Begin${"x".repeat(400_000)}End ${count}`),
      ]);
    bench.rule("thread/resume", () =>
      resumed(
        T,
        Array.from({ length: 15 }, (_, count) => turn(count + 1)),
      ),
    );
    const read = await script.call("readThread", { threadId: T, turns: 15 });
    expect(read.hasOlder).toBe(true);
    expect(read.turns.at(-1)?.items[0]?.text).toMatch(/^Begin.*left out here.*End 15$/s);
    expect(JSON.stringify(read).length).toBeLessThan(1_100_000);
    expect(read.turns.length).toBeGreaterThan(5);
  });

  it("of a thread that cannot be loaded tells what can be listed of it", async () => {
    bench.rule("thread/resume", () => new Error("thread thread-1 already has an active writer"));
    const read = await script.call("readThread", { threadId: T });
    expect(read.turns).toMatchObject([{ turnId: "t1", items: [{ text: "Hello" }, { text: "Hi" }] }]);
  });
});
