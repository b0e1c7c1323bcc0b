// What is shown of runs: what they ask for, what they have written, and the list of them.

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { RunOutputItem } from "../../preload/contract/cells";
import { Fault } from "../fault";
import { settled } from "./runtime/testCells";
import { begun, type CellsBench, call, done, endBench, makeCellsBench, text, watch } from "./testBench";

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

describe("what a run asks for", () => {
  beforeEach(() => {
    bench.answers = null;
  });

  test("is on record and shown before it is done, and when it was answered", async () => {
    const { runId, thread } = await begun(bench);
    thread.say(call(1, "sendMessage", { threadId: "t1", text: " Look\n at  this " }));
    await settled();
    const pending = {
      callId: 1,
      tool: "sendMessage",
      summary: "Look at this",
      threadId: "t1",
      state: "pending",
      endedAtMs: null,
    };
    expect(bench.look(runId).calls).toMatchObject([pending]);
    expect(bench.ledger.cellRuns.lastCalls(runId, 9).calls).toMatchObject([pending]);
    bench.clock.advance(7);
    bench.asked[0]?.resolve({ threadId: "t1" });
    await settled();
    const answered = { ...pending, state: "done", endedAtMs: bench.clock.nowMs() };
    expect(bench.look(runId).calls).toMatchObject([answered]);
    expect(thread.heard).toContainEqual({ type: "answer", id: 1, ok: true, value: '{"threadId":"t1"}' });
    bench.restart();
    expect(bench.look(runId).calls).toMatchObject([answered]);
  });

  test("names the thread that it has started, and says why it failed", async () => {
    const { runId, thread } = await begun(bench);
    thread.say(call(1, "startThread", { text: "Go" }));
    thread.say(call(2, "runCommand", { command: ["git", "diff", "--stat"] }));
    await settled();
    bench.asked[1]?.reject(new Fault("no_codex", "There is no codex."));
    bench.asked[0]?.resolve({ threadId: "t9" });
    await settled();
    expect(bench.look(runId).calls).toMatchObject([
      { callId: 1, threadId: "t9", state: "done", error: null },
      { callId: 2, summary: "git diff --stat", state: "failed", error: "There is no codex." },
    ]);
    expect(thread.heard).toContainEqual({ type: "answer", id: 2, ok: false, message: "There is no codex." });
  });

  test("is cut off by the end of its run, and a late answer changes nothing", async () => {
    const { runId, thread } = await begun(bench);
    thread.say(call(1, "ask", { question: "Well?" }));
    thread.say(call(2, "ask", { question: "And?" }));
    await settled();
    const [first, second] = bench.asked;
    const stopped = bench.cells.stop(runId, false);
    expect(first?.signal.aborted).toBe(true);
    first?.reject(new Error("given up"));
    await settled();
    thread.end();
    bench.clock.advance(1_000);
    await settled();
    await stopped;
    const { changes } = watch(bench.cells, runId);
    second?.resolve({ answer: "late" });
    await settled();
    expect(changes).toEqual([]);
    const cut = [
      { callId: 1, state: "cut off", error: null },
      { callId: 2, state: "cut off", error: null },
    ];
    expect(bench.look(runId).calls).toMatchObject(cut);
    expect(bench.ledger.cellRuns.lastCalls(runId, 9).calls).toMatchObject(cut);
  });

  test("is not done when it cannot be written down", async () => {
    const { runId, thread } = await begun(bench);
    bench.failLedger("putCall");
    thread.say(call(1, "ask", { question: "Well?" }));
    await settled();
    expect(bench.asked).toEqual([]);
    expect(thread.heard).toMatchObject([{ type: "answer", ok: false }]);
    bench.mendLedger();
    thread.say(call(2, "ask", { question: "Now?" }));
    await settled();
    expect(bench.look(runId).calls).toMatchObject([{ callId: 1, summary: "Now?", state: "pending" }]);
    // Its end cannot be recorded: the script is answered all the same.
    bench.failLedger("putCall");
    bench.asked[0]?.resolve({ answer: "yes" });
    await settled();
    expect(thread.heard.at(-1)).toMatchObject({ type: "answer", ok: true });
  });

  test("is shown up to the newest 500, and what waits", async () => {
    const { runId, thread } = await begun(bench);
    thread.say(call(1, "waitForTurn", { threadId: "slow" }));
    await settled();
    bench.answers = (asked) => asked.resolve();
    for (let nth = 2; nth <= 2_600; nth += 1) {
      thread.say(call(nth, "listThreads", {}));
      if (nth % 60 === 0) await settled();
    }
    await settled();
    const { calls, earlierCalls } = bench.look(runId);
    expect(calls).toHaveLength(500);
    expect(calls.at(0)).toMatchObject({ callId: 1, state: "pending" });
    expect(calls.at(1)).toMatchObject({ callId: 2_102 });
    expect(earlierCalls).toBe(2_100);
    expect(bench.ledger.cellRuns.lastCalls(runId, 9_999).calls).toHaveLength(2_102);
  });
});

describe("telling the person", () => {
  test("puts a notice into the output, and notifies once a second at most", async () => {
    const { runId, thread } = await begun(bench);
    const notice = (text: string) => {
      thread.say({ type: "output", items: [{ type: "notice", text }] });
      thread.say({ type: "notify", text });
    };
    notice("one");
    notice("two");
    await passes(999);
    notice("three");
    await passes(1);
    notice("four");
    await passes();
    expect(bench.notices).toEqual([
      { title: "Count", text: "one", runId },
      { title: "Count", text: "four", runId },
    ]);
    expect(texts(bench.look(runId).output)).toEqual(["one", "two", "three", "four"]);
  });

  test("goes on when the time of day has been put back", async () => {
    const { thread } = await begun(bench);
    thread.say({ type: "notify", text: "before" });
    await passes();
    const nowMs = bench.clock.nowMs();
    vi.spyOn(bench.clock, "nowMs").mockImplementation(() => nowMs - 86_400_000);
    thread.say({ type: "notify", text: "after" });
    await passes();
    expect(bench.notices.map((notice) => notice.text)).toEqual(["before", "after"]);
  });
});

describe("a question", () => {
  test("is shown with its run, which waits for the answer until it has it", async () => {
    const { runId } = await begun(bench);
    const { changes } = watch(bench.cells, runId);
    const { questions } = bench.cells;
    const asked = {
      runId,
      scriptName: "Count",
      workspaceId: bench.workspaceId,
      question: "Well?",
      options: [],
    };
    const answer = questions.ask(asked, new AbortController().signal);
    expect(bench.shown.cellQuestions).toMatchObject([asked]);
    expect(bench.row(runId).state).toBe("waiting for answer");
    expect(bench.cells.running).toEqual(["Count"]);
    questions.answer(bench.shown.cellQuestions[0]?.questionId ?? "", "yes");
    expect(await answer).toBe("yes");
    expect(bench.shown.cellQuestions).toEqual([]);
    expect(changes).toEqual([
      { type: "head", value: { state: "waiting for answer", endedAtMs: null } },
      { type: "head", value: { state: "running", endedAtMs: null } },
    ]);
  });

  test("is no reason to wait once its run is being ended", async () => {
    const { runId, thread } = await begun(bench);
    const asked = {
      runId,
      scriptName: "Count",
      workspaceId: bench.workspaceId,
      question: "Well?",
      options: [],
    };
    const given = new AbortController();
    const answer = bench.cells.questions.ask(asked, given.signal);
    const stop = bench.cells.stop(runId, false);
    expect(bench.row(runId).state).toBe("ending");
    given.abort(new Fault("run_ended", "The run has ended."));
    await expect(answer).rejects.toMatchObject({ code: "run_ended" });
    thread.end();
    await stop;
    await settled();
    expect(bench.row(runId).state).toBe("stopped");
  });
});

describe("looking at a run", () => {
  test("shows what it has written, also when very much comes in one moment", async () => {
    const { runId, thread } = await begun(bench);
    const many = Array.from({ length: 150_000 }, () => "");
    thread.say(text(...many.slice(0, 1_000)));
    bench.clock.advance(30);
    await settled();
    for (let from = 1_000; from < many.length; from += 1_000)
      thread.say(text(...many.slice(from, from + 1_000)));
    thread.say(text("last"));
    bench.clock.advance(30);
    await settled();
    thread.say(done());
    await settled();
    const { head, output, earlierOutput } = bench.look(runId);
    expect(head.state).toBe("completed");
    expect(output.at(-1)).toEqual({ type: "text", text: "last" });
    expect(earlierOutput + output.length).toBe(150_001);
  });

  test("shows the end of a long output; the rest comes in pages", async () => {
    const { runId, thread } = await begun(bench);
    const items = Array.from({ length: 30 }, (_, nth) => `${nth} ${"x".repeat(50_000)}`);
    thread.say(text(...items));
    await passes();
    const live = bench.look(runId);
    thread.say(done());
    await settled();
    const kept = bench.look(runId);
    for (const { output, earlierOutput } of [live, kept]) {
      expect(output.length).toBe(10);
      expect(earlierOutput).toBe(20);
      expect(texts(output)).toEqual(items.slice(20));
    }
    const page = bench.cells.earlierOutput(runId, 20);
    expect(page.from).toBe(10);
    expect(texts(page.items)).toEqual(items.slice(10, 20));
    expect(bench.cells.earlierOutput(runId, 0)).toEqual({ items: [], from: 0 });
    expect(() => bench.cells.earlierOutput("none", 1)).toThrow(
      expect.objectContaining({ code: "run_unknown" }),
    );
  });

  test("hears no more once it was left", async () => {
    const { runId, thread } = await begun(bench);
    const first = watch(bench.cells, runId);
    const second = watch(bench.cells, runId);
    first.close();
    first.close();
    thread.say(text("a"));
    await passes();
    expect(first.changes).toEqual([]);
    expect(second.changes).toHaveLength(1);
    expect(() => bench.cells.open("none", () => {})).toThrow(
      expect.objectContaining({ code: "run_unknown" }),
    );
  });

  test("names the threads that it has started, by their ids when they have some", async () => {
    const { runId } = await begun(bench);
    const { changes } = watch(bench.cells, runId);
    const { marks } = bench.cells;
    marks.thread(runId, "new-1");
    marks.thread(runId, "new-2");
    marks.threadNamed("new-1", "t1");
    marks.threadNamed("new-9", "t9");
    marks.message(runId, "m1");
    const threads = [
      { threadKey: "t1", title: "" },
      { threadKey: "new-2", title: "" },
    ];
    expect(changes.at(-1)).toEqual({ type: "head", value: { threads } });
    const byRun = { runId, scriptName: "Count" };
    bench.restart();
    for (const key of ["new-1", "t1", "new-2"]) expect(bench.cells.marks.byThread(key)).toEqual(byRun);
    expect(bench.cells.marks.byThread("t9")).toBeNull();
    expect(bench.cells.marks.byMessage("m1")).toEqual(byRun);
    expect(bench.cells.marks.byMessage("m2")).toBeNull();
    expect(bench.look(runId).head.threads).toEqual(threads);
    // codex has forgotten it and has made it anew.
    bench.cells.marks.threadNamed("t1", "t1 again");
    for (const key of ["new-1", "t1", "t1 again"]) expect(bench.cells.marks.byThread(key)).toEqual(byRun);
    bench.cells.forget(runId);
    for (const key of ["new-1", "t1", "new-2"]) expect(bench.cells.marks.byThread(key)).toBeNull();
    expect(bench.cells.marks.byMessage("m1")).toBeNull();
  });
});

describe("the list of runs", () => {
  test("loses what was forgotten, and nothing that is under way", async () => {
    const ended = await begun(bench);
    ended.thread.say(done());
    await settled();
    const { runId } = await begun(bench);
    expect(() => bench.cells.forget(runId)).toThrow(expect.objectContaining({ code: "run_at_work" }));
    expect(() => bench.cells.forget("none")).toThrow(expect.objectContaining({ code: "run_unknown" }));
    bench.cells.forget(null);
    expect(bench.shown.runs.map((row) => row.runId)).toEqual([runId]);
    expect(() => bench.look(ended.runId)).toThrow(expect.objectContaining({ code: "run_unknown" }));
    bench.restart();
    expect(bench.shown.runs).toMatchObject([{ runId, state: "cut off" }]);
  });

  test("keeps the newest 200 that have ended", async () => {
    const first = await begun(bench);
    for (let nth = 0; nth < 201; nth += 1) {
      const { thread } = await begun(bench);
      thread.say(done());
      await settled();
    }
    expect(bench.shown.runs).toHaveLength(201);
    expect(bench.shown.runs.at(-1)).toMatchObject({ runId: first.runId, state: "running" });
  });

  test("is told with the states of runs, not with what they write", async () => {
    const { runId, thread } = await begun(bench);
    const before = bench.shown.runs;
    for (const word of ["a", "b", "c"]) {
      thread.say(text(word));
      await passes();
    }
    expect(bench.shown.runs).toBe(before);
    thread.say(done());
    await settled();
    expect(bench.row(runId).state).toBe("completed");
  });
});
