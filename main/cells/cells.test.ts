// Runs as a person sees them: they begin, write and end, and are stopped.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RunOutputItem } from "../../preload/contract/cells";
import { Fault } from "../fault";
import type { Threads } from "../threads/threads";
import { isPending, settled } from "./runtime/testCells";
import { begun, type CellsBench, done, endBench, makeCellsBench, text, watch } from "./testBench";

let bench: CellsBench;

beforeEach(() => {
  bench = makeCellsBench();
});

afterEach(() => endBench(bench));

const texts = (output: RunOutputItem[]) => output.map((item) => (item.type === "image" ? "" : item.text));

/** A moment passes, and everything that follows from it has been done. */
async function passes(ms = 30): Promise<void> {
  await settled();
  bench.clock.advance(ms);
  await settled();
}

describe("a run", () => {
  test("is on record and shown as running before its script begins", async () => {
    const runId = await bench.run("text(1)");
    expect(bench.threads).toEqual([]);
    expect(bench.shown.runs).toMatchObject([
      { runId, scriptName: "Count", workspaceName: "engine", state: "running", endedAtMs: null },
    ]);
    expect(bench.ledger.cellRuns.get(runId)).toMatchObject({
      record: { state: "running" },
      source: "text(1)",
    });
    expect(bench.look(runId)).toMatchObject({ head: { source: "text(1)" }, output: [], calls: [] });
    await settled();
    expect(bench.threads.map(({ order }) => order.script)).toEqual(["text(1)"]);
  });

  test("shows what it writes as it comes, and has it on record then", async () => {
    const { runId, thread } = await begun(bench);
    const { changes } = watch(bench.cells, runId);
    thread.say(text("a", "b"));
    thread.say(text("c"));
    await settled();
    expect(changes).toEqual([]);
    await passes();
    expect(changes).toEqual([{ type: "output", items: [...text("a", "b").items, ...text("c").items] }]);
    expect(texts(bench.ledger.cellRuns.outputBefore(runId, 9, 999).items)).toEqual(["a", "b", "c"]);
    // A script that is quiet costs nothing.
    expect(bench.clock.pendingCount).toBe(0);
  });

  test("that completes is shown as ending until what it had begun has ended", async () => {
    const { runId, thread } = await begun(bench);
    bench.answers = null;
    const { changes } = watch(bench.cells, runId);
    thread.say(text("last words"));
    thread.say(done());
    await settled();
    expect(bench.row(runId)).toMatchObject({ state: "ending", endedAtMs: null });
    // On record it has completed, whatever comes now.
    expect(bench.ledger.cellRuns.get(runId)?.record.state).toBe("completed");
    expect(bench.cells.isAtWork(bench.workspaceId)).toBe(true);
    bench.closing(runId).resolve();
    await settled();
    expect(bench.row(runId)).toMatchObject({ state: "completed", endedAtMs: bench.clock.nowMs() });
    expect(bench.cells.isAtWork(bench.workspaceId)).toBe(false);
    expect(changes).toEqual([
      { type: "head", value: { state: "ending", endedAtMs: null } },
      { type: "output", items: text("last words").items },
      { type: "head", value: { state: "completed", endedAtMs: bench.clock.nowMs() } },
    ]);
    expect(bench.look(runId)).toMatchObject({
      head: { state: "completed", error: null },
      output: text("last words").items,
    });
  });

  test("that fails says why, with the place, and whether it was a limit", async () => {
    const { runId, thread } = await begun(bench);
    const error = { text: "No more memory", at: { line: 3, column: 5 }, limit: "memoryBytes" as const };
    thread.say({ ...done(), error });
    await settled();
    expect(bench.row(runId).state).toBe("failed");
    const shown = { text: "No more memory", at: { line: 3, column: 5 }, isLimit: true };
    expect(bench.look(runId).head.error).toEqual(shown);
    bench.restart();
    expect(bench.look(runId).head).toMatchObject({ state: "failed", error: shown });
  });

  test("whose thread dies has failed, in words", async () => {
    const { runId, thread } = await begun(bench);
    thread.say(text("so far"));
    thread.end(new Fault("cell_thread_failed", "The cell's thread has failed: abort"));
    await settled();
    expect(bench.row(runId).state).toBe("failed");
    expect(bench.look(runId)).toMatchObject({
      head: { error: { text: "The cell's thread has failed: abort", at: null, isLimit: false } },
      output: text("so far").items,
    });
  });

  test("that nothing can run has failed; the next one looks again", async () => {
    let attempts = 0;
    await endBench(bench);
    bench = makeCellsBench({
      loadWorkers: async () => {
        attempts += 1;
        throw new Error("ENOENT: worker.js");
      },
    });
    for (const attempt of [1, 2]) {
      const runId = await bench.run();
      await settled();
      expect(bench.look(runId).head).toMatchObject({
        state: "failed",
        error: { text: "Holdfast cannot run scripts: a part of it could not be read." },
      });
      expect(attempts).toBe(attempt);
    }
  });

  test("cannot begin where there is no room, no folder or no workspace, and leaves no record", async () => {
    bench.limits = { ...bench.limits, cells: 1 };
    await begun(bench);
    await expect(bench.run()).rejects.toMatchObject({ code: "too_many_cells" });
    await expect(bench.run("x".repeat(1024 * 1024 + 1))).rejects.toMatchObject({ code: "script_too_long" });
    const gone = bench.addWorkspace();
    bench.removeFolder(gone);
    const run = (workspaceId: string) =>
      bench.cells.run({ workspaceId, scriptId: null, name: "Count", source: "1" });
    await expect(run(gone)).rejects.toMatchObject({ code: "folder_gone" });
    await expect(run("none")).rejects.toMatchObject({ code: "workspace_unknown" });
    const hidden = bench.addWorkspace();
    bench.workspaces.remove(hidden);
    await expect(run(hidden)).rejects.toMatchObject({ code: "workspace_unknown" });
    expect(bench.ledger.cellRuns.list()).toHaveLength(1);
    // The limit is one workspace's.
    await expect(run(bench.addWorkspace())).resolves.toEqual(expect.any(String));
  });

  test("that cannot be written down does not begin", async () => {
    bench.failLedger("start");
    await expect(bench.run()).rejects.toMatchObject({ code: "ledger_full" });
    await settled();
    expect(bench.threads).toEqual([]);
    expect(bench.shown.runs).toEqual([]);
    expect(bench.cells.isAtWork(bench.workspaceId)).toBe(false);
  });

  test("whose output cannot be written for a while has each item on record once, in order", async () => {
    const { runId, thread } = await begun(bench);
    bench.failLedger("addOutput");
    thread.say(text("a"));
    await passes();
    thread.say(text("b"));
    await passes();
    expect(texts(bench.look(runId).output)).toEqual(["a", "b"]);
    bench.mendLedger();
    thread.say(text("c"));
    await passes();
    expect(texts(bench.ledger.cellRuns.outputBefore(runId, 9, 999).items)).toEqual(["a", "b", "c"]);
    bench.failLedger("addOutput");
    thread.say(text("d"));
    await passes();
    bench.mendLedger();
    thread.say(done());
    await settled();
    expect(texts(bench.look(runId).output)).toEqual(["a", "b", "c", "d"]);
  });

  test.each<[string, () => unknown]>([
    ["it is looked at again", () => bench.look(bench.shown.runs[0]?.runId ?? "")],
    ["another one begins", () => bench.run()],
    ["Holdfast ends", () => bench.cells.shutDown()],
  ])("whose end cannot be written is shown as it ended, and is on record once %s", async (_, occasion) => {
    const { runId, thread } = await begun(bench);
    bench.failLedger("addOutput", "end");
    thread.say(text("last"));
    thread.say({ type: "done", error: { text: "no", at: null, limit: null }, stored: new Map() });
    await settled();
    const ended = {
      head: { state: "failed", error: { text: "no" } },
      output: [{ type: "text", text: "last" }],
    };
    expect(bench.cells.isAtWork(bench.workspaceId)).toBe(false);
    expect(bench.look(runId)).toMatchObject(ended);
    bench.mendLedger();
    await occasion();
    await settled();
    bench.restart();
    expect(bench.look(runId)).toMatchObject(ended);
  });

  test("keeps what it stores for the next one of its workspace, and for no other", async () => {
    const { thread } = await begun(bench);
    thread.say(done({ key: "1" }));
    await settled();
    bench.restart();
    const next = await begun(bench);
    expect(Object.fromEntries(next.thread.order.stored)).toEqual({ key: "1" });
    const elsewhere = bench.addWorkspace();
    await bench.cells.run({ workspaceId: elsewhere, scriptId: null, name: "Count", source: "1" });
    await settled();
    expect(bench.threads.at(-1)?.order.stored.size).toBe(0);
  });

  test("has the limits that are set when it begins", async () => {
    bench.limits = { memoryMiB: 128, runTimeSeconds: 0.5, outputMiB: 0.5, pendingCalls: 7, cells: 3 };
    const { thread } = await begun(bench);
    expect(thread.order.limits).toEqual({
      memoryBytes: 128 * 1024 * 1024,
      runTimeMs: 500,
      outputBytes: 512 * 1024,
      pendingCalls: 7,
      cells: 3,
    });
  });
});

describe("stopping", () => {
  test("ends the script, and the run is shown as stopped with all that it had written", async () => {
    const { runId, thread } = await begun(bench);
    thread.say(text("a"));
    const stopped = bench.cells.stop(runId, false);
    expect(bench.row(runId).state).toBe("ending");
    thread.say(text("b"));
    thread.end();
    await stopped;
    await settled();
    expect(bench.row(runId).state).toBe("stopped");
    expect(texts(bench.look(runId).output)).toEqual(["a", "b"]);
  });

  test("twice, or what has ended, is no failure", async () => {
    const { runId, thread } = await begun(bench);
    bench.answers = null;
    const first = bench.cells.stop(runId, false);
    const second = bench.cells.stop(runId, false);
    thread.end();
    await Promise.all([first, second]);
    // What it had begun is still being ended.
    await bench.cells.stop(runId, true);
    bench.closing(runId).resolve();
    await settled();
    await bench.cells.stop(runId, true);
    expect(bench.row(runId).state).toBe("stopped");
    await expect(bench.cells.stop("none", false)).rejects.toMatchObject({ code: "run_unknown" });
  });

  test("what has just completed leaves it completed", async () => {
    const { runId, thread } = await begun(bench);
    thread.say({ type: "notify", text: "n" });
    thread.say(done());
    const stopped = bench.cells.stop(runId, false);
    await settled();
    bench.clock.advance(1_000);
    await stopped;
    await settled();
    expect(bench.row(runId).state).toBe("completed");
  });

  test("between two observations takes the end from the one who stops it", async () => {
    const { runId, thread } = await begun(bench);
    thread.say(text("a"));
    bench.clock.advance(30);
    // The output was given in this very moment; nobody observes.
    thread.say(text("b"));
    const stopped = bench.cells.stop(runId, false);
    thread.say(text("c"));
    thread.end();
    await stopped;
    await settled();
    expect(texts(bench.look(runId).output)).toEqual(["a", "b", "c"]);
    expect(bench.row(runId).state).toBe("stopped");
  });

  test("waits for a script that does not heed it no longer than a second", async () => {
    const { runId, thread } = await begun(bench);
    thread.obeys = false;
    const stopped = bench.cells.stop(runId, false);
    expect(await isPending(stopped)).toBe(true);
    await passes(999);
    await stopped;
    expect(bench.row(runId).state).toBe("stopped");
  });

  test("with the turns of its threads stops those that run, and only those of its own", async () => {
    const stopped: string[] = [];
    const thread = (key: string, threadId: string | null, running: boolean) => ({
      key,
      threadId,
      state: { running, facts: { title: key } },
      stop: async () => void stopped.push(key),
    });
    const all = [
      thread("new-1", "t1", true),
      thread("new-2", null, true),
      thread("t3", "t3", false),
      thread("t4", "t4", true),
    ];
    const threads = { all, rows: { find: () => null } } as unknown as Threads;
    await endBench(bench);
    bench = makeCellsBench({ threads });
    const run = await begun(bench);
    for (const key of ["new-1", "new-2", "t3"]) bench.cells.marks.thread(run.runId, key);
    bench.cells.marks.threadNamed("new-1", "t1");
    expect(bench.look(run.runId).head.threads).toEqual([
      { threadKey: "t1", title: "new-1" },
      { threadKey: "new-2", title: "new-2" },
      { threadKey: "t3", title: "t3" },
    ]);
    const stop = bench.cells.stop(run.runId, true);
    run.thread.end();
    await stop;
    expect(stopped).toEqual(["new-1", "new-2"]);
    // Also when it has ended long ago.
    await bench.cells.stop(run.runId, true);
    expect(stopped).toHaveLength(4);
    await bench.cells.stop(run.runId, false);
    expect(stopped).toHaveLength(4);
  });
});
