// Waiting for a turn while follow-ups wait for it too.

import { beforeEach, describe, expect, it } from "vitest";
import { codexTurn, listed } from "../../threads/testCodexData";
import { begin, bench, codex, later, opened, past, runtime, say, status } from "../../threads/testRuntime";
import { settle } from "../../threads/testThreads";
import { agent, ends, goesOn, prepareScript, sent, shows, wait } from "./testScript";

prepareScript();

describe("follow-ups", () => {
  /** Codex's queue as it is listed. */
  let queue: { id: string; clientUserMessageId: string; input: object[] }[];

  beforeEach(() => {
    queue = [];
    bench.rule("thread/queue/list", () => listed(queue));
    bench.rule("thread/queue/add", ({ params }) => {
      const { clientUserMessageId, input } = params as unknown as (typeof queue)[number];
      const entry = { id: `q-${clientUserMessageId}`, clientUserMessageId, input };
      queue.push(entry);
      return { queuedSubmission: entry };
    });
  });

  it("that are about to be sent are waited for, whatever codex says first", async () => {
    await opened();
    await goesOn("t2");
    const next = await sent("Next", "t3", "queue");
    const seen = await wait();
    ends("t2");
    await settle();
    queue = [];
    say("thread/queue/changed");
    await settle();
    expect(runtime().state.head.followUps.entries).toEqual([]);
    expect(seen.end).toBeNull();
    status("active");
    begin("t3");
    shows("t3", "Next", next);
    agent("t3", "Both done");
    await later(2_000);
    expect(seen.end).toBeNull();
    ends("t3");
    await settle();
    expect(seen.end).toMatchObject({ turnId: "t3", answer: "Both done" });
  });

  it("that were queued before the thread was loaded are waited for", async () => {
    queue = [{ id: "q1", clientUserMessageId: "somebody's", input: [{ type: "text", text: "Next" }] }];
    const seen = await wait();
    await later(500);
    expect(seen.end).toBeNull();
    queue = [];
    say("thread/queue/changed");
    status("active");
    begin("t2");
    await later(500);
    ends("t2");
    await settle();
    expect(seen.end).toMatchObject({ turnId: "t2" });
  });

  it("that are not known yet may be there: codex's queue is listed first", async () => {
    bench.hold("thread/queue/list");
    const seen = await wait();
    await later(2_000);
    expect(seen.end).toBeNull();
    for (const asked of codex().all("thread/queue/list")) asked.answer(listed([]));
    await settle();
    expect(seen.end).toMatchObject({ turnId: "t1" });
  });

  it("that are held are not waited for", async () => {
    await opened();
    await goesOn("t2");
    await sent("Next", "t3", "queue");
    const seen = await wait();
    await runtime().stop();
    ends("t2", "interrupted");
    await settle();
    expect(runtime().state.head.followUps.held).toBe("stopped");
    expect(seen.end).toMatchObject({ turnId: "t2", status: "interrupted" });
  });

  it("that codex takes up too early, after a failure: the turn that failed is told", async () => {
    await opened();
    await goesOn("t2");
    await sent("Next", "t3", "queue");
    const seen = await wait();
    bench.rule("turn/interrupt", () => ({}));
    bench.rule("thread/queue/reorder", () => ({}));
    queue = [];
    status("systemError");
    say("error", { turnId: "t2", willRetry: false, error: { message: "No credit." } });
    say("turn/completed", { turn: { ...codexTurn("t2", "failed"), error: { message: "No credit." } } });
    say("thread/queue/changed");
    begin("t3");
    await settle();
    const stopped = codexTurn("t3", "interrupted");
    bench.rule("thread/turns/list", () => listed([past, codexTurn("t2", "failed"), stopped]));
    ends("t3", "interrupted");
    await later(3_000);
    expect(runtime().state.head.followUps.held).toBe("failed");
    expect(seen.end).toMatchObject({ turnId: "t2", status: "failed", error: "No credit." });
  });

  it("that nobody takes up are given up in the end", async () => {
    queue = [{ id: "q1", clientUserMessageId: "somebody's", input: [{ type: "text", text: "Next" }] }];
    const seen = await wait();
    await later(40_000);
    expect(runtime().state.head.followUps.held).toBe("waiting");
    expect(seen.end).toBeNull();
    await later(40_000);
    expect(seen.end).toMatchObject({ turnId: "t1" });
  });
});
