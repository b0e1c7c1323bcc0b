// A turn fails while follow-ups wait: codex would go on with them, and is kept from it.

import { describe, expect, it } from "vitest";
import { codexTurn, listed, resumed, userItem } from "../testCodexData";
import { begin, bench, codex, end, later, opened, prepareBench, send, stateOf, T } from "../testDelivery";
import { settle } from "../testThreads";
import { changes, entry, held, queued, queueIs } from "./testQueue";

prepareBench();

describe("a failure", () => {
  const failing = (turnId: string, willRetry = false, error: object = { message: "No credit." }) => {
    codex().say("thread/status/changed", { threadId: T, status: { type: "systemError" } });
    codex().say("error", { threadId: T, turnId, willRetry, error });
  };

  it("is interrupted at once while something waits, and shown as what it was, also after a restart", async () => {
    const { window } = await queued("one");
    failing("t2");
    await settle();
    expect(codex().only("turn/interrupt").params).toEqual({ threadId: T, turnId: "t2" });
    codex().say("turn/completed", { threadId: T, turn: codexTurn("t2", "interrupted") });
    await settle();
    expect(held()).toBe("failed");
    expect(window.statusOf("t2")).toBe("failed");
    expect(window.head.state).toBe("failed");
    const record = [codexTurn("t1", "completed", [userItem("u", "Hello")]), codexTurn("t2", "interrupted")];
    bench.rule("thread/resume", () => resumed(T, record));
    bench.rule("thread/turns/list", () => listed(record));
    await bench.restart({ codexLives: false });
    await bench.reconnect();
    const again = bench.open(T);
    await later(2_000);
    expect(again.statusOf("t2")).toBe("failed");
    expect(again.copy.turns.find(({ id }) => id === "t2")?.fault?.message).toBe("No credit.");
    expect(again.head.followUps.held).toBe("failed");
  });

  it("is left alone when nothing waits, when codex retries, and when the error is of something else", async () => {
    await opened();
    begin("t2");
    failing("t2");
    await settle();
    expect(codex().all("turn/interrupt")).toEqual([]);
    end("t2", "failed");
    begin("t3");
    send("one", "queue");
    await settle();
    codex().say("error", { threadId: T, turnId: "t3", willRetry: true, error: { message: "1/5" } });
    codex().say("error", {
      threadId: T,
      turnId: "t3",
      willRetry: false,
      error: { message: "x", codexErrorInfo: { activeTurnNotSteerable: { turnKind: "review" } } },
    });
    codex().say("error", { threadId: T, turnId: "t2", willRetry: false, error: { message: "late" } });
    await settle();
    expect(codex().all("turn/interrupt")).toEqual([]);
  });

  /** The first of two is taken up before the failure could hold it, and stopped. */
  async function takenUpTooEarly() {
    const made = await queued("one", "two");
    failing("t2");
    codex().say("turn/completed", { threadId: T, turn: codexTurn("t2", "failed") });
    queueIs(made.entries[1] ?? {});
    begin("t3");
    await settle();
    return made;
  }

  const reordered = () => codex().only("thread/queue/reorder").params.queuedSubmissionIds;

  it("holds by interrupting what was taken up, when the first interrupt came too late", async () => {
    const { window, ids } = await takenUpTooEarly();
    expect(
      codex()
        .all("turn/interrupt")
        .map(({ params }) => params.turnId),
    ).toEqual(["t2", "t3"]);
    codex().last("turn/interrupt").answer({});
    const record = [codexTurn("t1", "completed"), codexTurn("t2", "failed"), codexTurn("t3", "interrupted")];
    bench.rule("thread/turns/list", () => listed(record));
    end("t3", "interrupted");
    await settle();
    // codex has not kept it in that turn, nor in its queue: it is queued again.
    const again = codex().last("thread/queue/add");
    expect(again.params).toMatchObject({ clientUserMessageId: ids[0], input: [{ text: "one" }] });
    again.answer({ queuedSubmission: { ...entry(ids[0] ?? "", "one"), id: "q-again" } });
    await settle();
    expect(reordered()).toEqual(["q-again", `q-${ids[1]}`]);
    codex().only("thread/queue/reorder").answer({});
    await settle();
    expect(window.waiting).toEqual(["one: queued", "two: queued"]);
    expect(held()).toBe("failed");
  });

  it("what codex has kept of it is queued once more, before the others", async () => {
    const { window, ids } = await takenUpTooEarly();
    const item = userItem("u3", "one", ids[0]);
    codex().say("item/started", { threadId: T, turnId: "t3", item, startedAtMs: 1 });
    codex().say("item/completed", { threadId: T, turnId: "t3", item, completedAtMs: 1 });
    codex().last("turn/interrupt").answer({});
    end("t3", "interrupted");
    await settle();
    expect(stateOf(ids[0] ?? "")).toBe("delivered");
    const again = codex().last("thread/queue/add");
    const copyId = String(again.params.clientUserMessageId);
    expect(ids).not.toContain(copyId);
    expect(again.params).toMatchObject({ input: [{ text: "one" }] });
    // Continue waits until it is back in its place.
    const gone = changes().resume();
    again.answer({ queuedSubmission: entry(copyId, "one") });
    await settle();
    expect(reordered()).toEqual([`q-${copyId}`, `q-${ids[1]}`]);
    expect(codex().all("thread/queue/start")).toEqual([]);
    codex().only("thread/queue/reorder").answer({});
    await settle();
    expect(window.waiting).toEqual(["one: queued", "two: queued"]);
    expect(window.texts.at(-1)).toContain("It waits again");
    codex()
      .only("thread/queue/start")
      .answer({ turn: codexTurn("t4") });
    await gone;
  });

  it("what waits again with Holdfast, for codex has lost its queue, is sent once the person says so", async () => {
    const { ids } = await queued("one");
    failing("t2");
    codex().say("turn/completed", { threadId: T, turn: codexTurn("t2", "failed") });
    queueIs();
    begin("t3");
    await settle();
    const item = userItem("u3", "one", ids[0]);
    codex().say("item/started", { threadId: T, turnId: "t3", item, startedAtMs: 1 });
    codex().say("item/completed", { threadId: T, turnId: "t3", item, completedAtMs: 1 });
    codex().last("turn/interrupt").answer({});
    end("t3", "interrupted");
    await settle();
    codex().last("thread/queue/add").refuse("Invalid request: unknown variant `thread/queue/add`");
    await settle();
    await changes().resume();
    await settle();
    expect(codex().only("turn/start").params).toMatchObject({ input: [{ text: "one" }] });
  });

  it("what another program had begun right then is not queued", async () => {
    const { window } = await queued("one");
    failing("t2");
    codex().say("turn/completed", { threadId: T, turn: codexTurn("t2", "failed") });
    begin("t3");
    const item = userItem("u3", "Words of theirs");
    codex().say("item/completed", { threadId: T, turnId: "t3", item, completedAtMs: 1 });
    await settle();
    codex().last("turn/interrupt").answer({});
    end("t3", "interrupted");
    await settle();
    expect(codex().all("thread/queue/add")).toHaveLength(1);
    expect(window.waiting).toEqual(["one: queued"]);
    expect(window.texts.at(-1)).toContain("Words of theirs");
  });

  it("what a script had sent of it is queued once more as the script's", async () => {
    const { window, ids } = await takenUpTooEarly();
    const [first = ""] = ids;
    bench.runMarks.message("run-1", first);
    const item = userItem("u3", "one", first);
    codex().say("item/completed", { threadId: T, turnId: "t3", item, completedAtMs: 1 });
    codex().last("turn/interrupt").answer({});
    end("t3", "interrupted");
    await settle();
    const again = codex().last("thread/queue/add");
    const copyId = String(again.params.clientUserMessageId);
    again.answer({ queuedSubmission: entry(copyId, "one") });
    await settle();
    const byRun = { runId: "run-1", scriptName: "Script of run-1" };
    expect(window.head.followUps.entries.find(({ clientId }) => clientId === copyId)).toMatchObject({
      byRun,
    });
    expect(bench.runMarks.messages.get(copyId)).toBe("run-1");
  });

  it("what had been worked on is not done again", async () => {
    await takenUpTooEarly();
    const added = codex().all("thread/queue/add").length;
    const item = { type: "agentMessage", id: "m3", text: "Well" };
    codex().say("item/completed", { threadId: T, turnId: "t3", item, completedAtMs: 1 });
    end("t3", "interrupted");
    await later(2_000);
    expect(codex().all("thread/queue/add")).toHaveLength(added);
    expect(held()).toBe("failed");
  });
});
