// Follow-ups in a thread: what is asked of codex, what windows are shown, and what is left when something goes wrong.

import { describe, expect, it, vi } from "vitest";
import { Fault } from "../../fault";
import { codexThread, codexTurn, listed, resumed } from "../testCodexData";
import { begin, bench, codex, end, later, opened, prepareBench, shows, stateOf, T } from "../testDelivery";
import { settle } from "../testThreads";
import { changes, entry, held, queued, queueIs } from "./testQueue";

prepareBench();

describe("what another client has queued", () => {
  it("is shown, and can be edited and deleted", async () => {
    const window = await opened();
    begin("t2");
    queueIs(entry("theirs", "From the terminal"));
    await settle();
    expect(window.waiting).toEqual(["From the terminal: queued"]);
    const edited = changes().edit("theirs", { text: "Edited", attachments: [] });
    await settle();
    expect(window.waiting).toEqual(["From the terminal: changing"]);
    expect(codex().only("thread/queue/update").params).toMatchObject({
      queuedSubmissionId: "q-theirs",
      input: [{ type: "text", text: "Edited" }],
    });
    codex()
      .only("thread/queue/update")
      .answer({ queuedSubmission: entry("theirs", "Edited") });
    expect(await edited).toBe("changed");
    expect(window.waiting).toEqual(["Edited: queued"]);
  });

  it("keeps what we cannot show when its words are edited", async () => {
    await opened();
    begin("t2");
    const audio = { type: "localAudio", path: "/a.wav" };
    const theirs = entry("theirs", "Listen");
    queueIs({ ...theirs, input: [...theirs.input, audio] });
    await settle();
    const { attachments } = bench.threads.runtime(T).state.facts.followUps.entries[0] ?? { attachments: [] };
    void changes().edit("theirs", { text: "Listen well", attachments });
    await settle();
    expect(codex().only("thread/queue/update").params.input).toEqual([
      { type: "text", text: "Listen well", text_elements: [] },
      audio,
    ]);
  });

  it("is ours before it is steered: nobody else would bring it back", async () => {
    await opened();
    begin("t2");
    queueIs(entry("theirs", "From the terminal"));
    await settle();
    const sent = changes().sendNow("theirs");
    await settle();
    expect(stateOf("theirs")).toBe("sending");
    codex().only("thread/queue/delete").answer({ deleted: true });
    expect(await sent).toBe("changed");
    await settle();
    expect(codex().only("turn/steer").params).toMatchObject({ clientUserMessageId: "theirs" });
  });
});

describe("an edit", () => {
  it("is written down before it is sent", async () => {
    const { ids } = await queued("one");
    void changes().edit(ids[0] ?? "", { text: "one, edited", attachments: [] });
    await settle();
    expect(bench.ledger.submissions.get(ids[0] ?? "")?.text).toBe("one, edited");
  });

  it("that comes too late leaves what codex has got", async () => {
    const { ids, window } = await queued("one");
    const edited = changes().edit(ids[0] ?? "", { text: "one, edited", attachments: [] });
    await settle();
    queueIs();
    codex().only("thread/queue/update").refuse("queued submission not found: q");
    expect(await edited).toBe("gone");
    expect(bench.ledger.submissions.get(ids[0] ?? "")?.text).toBe("one");
    expect(window.waiting).toEqual([]);
  });

  it("whose answer is lost is what comes back", async () => {
    const { ids } = await queued("one");
    const edited = changes().edit(ids[0] ?? "", { text: "one, edited", attachments: [] });
    await settle();
    const failed = expect(edited).rejects.toMatchObject({ code: "connection_lost" });
    await bench.cut();
    await failed;
    queueIs();
    await bench.reconnect();
    await later(2_000);
    expect(bench.threads.runtime(T).state.facts.submissions).toMatchObject([
      { text: "one, edited", state: "undelivered" },
    ]);
  });
});

describe("what another client deletes", () => {
  it("comes back when nothing runs, and says where it is not", async () => {
    const { ids, window } = await queued("one");
    queueIs();
    await settle();
    expect(window.waiting).toEqual([]);
    expect(stateOf(ids[0] ?? "")).toBe("sent");
    end("t2");
    await later(2_000);
    const [submission] = bench.threads.runtime(T).state.facts.submissions;
    expect(submission).toMatchObject({ text: "one", state: "undelivered", fault: { code: "not_kept" } });
    expect(submission?.fault?.message).toContain("neither in its queue nor in the conversation");
  });
});

describe("a deletion whose answer is lost", () => {
  async function lost() {
    const { ids, entries, window } = await queued("one", "two");
    const deleted = changes().delete(ids[0] ?? "");
    await settle();
    const failed = expect(deleted).rejects.toMatchObject({ code: "connection_lost" });
    await bench.cut();
    await failed;
    bench.rule("thread/queue/list", () => listed([entries[1]] as Record<string, unknown>[]));
    await bench.reconnect();
    return { id: ids[0] ?? "", first: entries[0], second: entries[1], window };
  }
  const submissions = () => bench.threads.runtime(T).state.facts.submissions;

  it("was done where codex has it nowhere: it does not come back", async () => {
    const { id, window } = await lost();
    await later(2_000);
    expect(window.waiting).toEqual(["two: queued"]);
    expect(submissions()).toEqual([]);
    expect(stateOf(id)).toBe("discarded");
  });

  it("or that cannot be written down, is true all the same", async () => {
    const { ids, entries, window } = await queued("one", "two");
    vi.spyOn(bench.ledger.submissions, "discarded").mockImplementation(() => {
      throw new Fault("disk_full", "The disk is full.");
    });
    const deleted = changes().delete(ids[0] ?? "");
    await settle();
    queueIs(entries[1] ?? {});
    codex().only("thread/queue/delete").answer({ deleted: true });
    expect(await deleted).toBe("changed");
    end("t2");
    await later(2_000);
    expect(window.waiting).toEqual(["two: queued"]);
    expect(submissions()).toEqual([]);
  });

  it("was not done where codex lists it still: it waits on, and is as dear as any other", async () => {
    const { id, first, second, window } = await lost();
    queueIs(...[first, second].flatMap((one) => one ?? []));
    await settle();
    expect(window.waiting).toEqual(["one: queued", "two: queued"]);
    queueIs(...[second].flatMap((one) => one ?? []));
    await later(2_000);
    expect(submissions()).toMatchObject([{ text: "one", state: "undelivered" }]);
    expect(stateOf(id)).toBe("undelivered");
  });
});

describe("a move", () => {
  it("names every entry, and is tried once more when the queue has changed meanwhile", async () => {
    const { ids, entries, window } = await queued("one", "two");
    const moved = changes().move(ids[1] ?? "", ids[0] ?? null);
    await settle();
    const three = entry("theirs", "three");
    bench.rule("thread/queue/list", () =>
      listed([three, entries[1], entries[0]] as Record<string, unknown>[]),
    );
    codex()
      .last("thread/queue/reorder")
      .refuse("queue reorder must include every queued submission exactly once");
    await settle();
    expect(codex().last("thread/queue/reorder").params.queuedSubmissionIds).toEqual([
      `q-${ids[1]}`,
      `q-${ids[0]}`,
      "q-theirs",
    ]);
    codex().last("thread/queue/reorder").answer({});
    expect(await moved).toBe("changed");
    expect(window.waiting).toEqual(["two: queued", "one: queued", "three: queued"]);
  });

  it("of what has been taken up meanwhile does nothing", async () => {
    const { ids, entries } = await queued("one", "two");
    const moved = changes().move(ids[0] ?? "", null);
    await settle();
    queueIs(entries[1] ?? {});
    codex()
      .only("thread/queue/reorder")
      .refuse("queue reorder must include every queued submission exactly once");
    expect(await moved).toBe("gone");
  });
});

describe("sent now", () => {
  it("it leaves codex's queue before it is steered, and is not steered when it had left already", async () => {
    const { ids, entries, window } = await queued("one", "two");
    const sent = changes().sendNow(ids[0] ?? "");
    await settle();
    expect(stateOf(ids[0] ?? "")).toBe("sending");
    queueIs(entries[1] ?? {});
    codex().only("thread/queue/delete").answer({ deleted: false });
    expect(await sent).toBe("gone");
    await settle();
    expect(codex().all("turn/steer")).toEqual([]);
    expect(stateOf(ids[0] ?? "")).toBe("sent");
    end("t2");
    begin("t3");
    shows("t3", "one", ids[0] ?? "");
    end("t3");
    expect(stateOf(ids[0] ?? "")).toBe("delivered");
    expect(window.waiting).toEqual(["two: queued"]);
  });

  it("it comes back when it was taken out, and everything died before it was steered", async () => {
    const { ids } = await queued("one");
    void changes()
      .sendNow(ids[0] ?? "")
      .catch(() => undefined);
    await settle();
    codex().only("thread/queue/delete");
    bench.rule("thread/queue/list", () => listed([]));
    bench.rule("thread/resume", () =>
      resumed(T, [codexTurn("t1", "completed"), codexTurn("t2", "interrupted")]),
    );
    bench.rule("thread/turns/list", () =>
      listed([codexTurn("t1", "completed"), codexTurn("t2", "interrupted")]),
    );
    await bench.restart({ codexLives: false });
    await bench.reconnect();
    await later(2_000);
    expect(bench.threads.runtime(T).state.facts.submissions).toMatchObject([
      { clientId: ids[0], text: "one", state: "undelivered" },
    ]);
  });

  it("it waits again when everything died before it was taken out", async () => {
    const { ids, entries } = await queued("one");
    void changes()
      .sendNow(ids[0] ?? "")
      .catch(() => undefined);
    await settle();
    bench.rule("thread/queue/list", () => listed(entries));
    await bench.restart({ codexLives: false });
    await bench.reconnect();
    const window = bench.open(T);
    await later(2_000);
    expect(window.waiting).toEqual(["one: queued"]);
    expect(stateOf(ids[0] ?? "")).toBe("sent");
  });

  it("it goes back into the queue when the turn cannot be steered", async () => {
    const { ids } = await queued("one");
    const sent = changes().sendNow(ids[0] ?? "");
    await settle();
    codex().only("thread/queue/delete").answer({ deleted: true });
    await sent;
    await settle();
    codex().only("turn/steer").refuse("cannot steer a review turn");
    await settle();
    expect(codex().last("thread/queue/add").params).toMatchObject({ clientUserMessageId: ids[0] });
  });

  it("it starts a turn when none runs, and steers when one began meanwhile", async () => {
    const { ids, window } = await queued("one");
    end("t2", "interrupted");
    await settle();
    expect(held()).toBe("stopped");
    const sent = changes().sendNow(ids[0] ?? "");
    await settle();
    expect(codex().only("thread/queue/start").params).toMatchObject({ queuedSubmissionId: `q-${ids[0]}` });
    expect(window.head.run).not.toBeNull();
    begin("t3");
    codex().only("thread/queue/start").refuse("thread already has an active or pending turn");
    await settle();
    codex().only("thread/queue/delete").answer({ deleted: true });
    expect(await sent).toBe("changed");
    await settle();
    expect(codex().only("turn/steer").params).toMatchObject({ expectedTurnId: "t3" });
  });
});

describe("codex's queue has something that is settled", () => {
  it("which is taken out there, and not shown", async () => {
    const { ids, window } = await queued("one");
    end("t2");
    begin("t3");
    shows("t3", "one", ids[0] ?? "");
    end("t3");
    expect(stateOf(ids[0] ?? "")).toBe("delivered");
    await bench.cut();
    // As a version of codex that had lost it meanwhile would.
    bench.threads.runtime(T).state.forgetTranscript();
    bench.rule("thread/queue/list", () => listed([entry(ids[0] ?? "", "one")]));
    await bench.reconnect();
    expect(codex().only("thread/queue/delete").params).toMatchObject({ queuedSubmissionId: `q-${ids[0]}` });
    expect(window.waiting).toEqual([]);
  });
});

describe("a thread that nobody looks at", () => {
  it("is let go while its queue is held, and shows it as it was when it is opened again", async () => {
    const { window, entries } = await queued("one");
    end("t2", "interrupted");
    await later(2_000);
    bench.close(window);
    await later(31_000);
    codex().only("thread/unsubscribe");
    const again = await opened();
    expect(again.waiting).toEqual(["one: queued"]);
    expect(again.head.followUps.held).toBe("stopped");
    expect(entries).toHaveLength(1);
  });

  it("stays as long as its queue goes on", async () => {
    const { window } = await queued("one");
    bench.rule("thread/read", () => ({
      thread: codexThread(T, { status: { type: "active", activeFlags: [] } }),
    }));
    bench.close(window);
    await later(120_000);
    expect(codex().all("thread/unsubscribe")).toEqual([]);
  });
});

describe("before the thread is loaded", () => {
  it("what waits is shown as the ledger has it, and why it is held", async () => {
    await queued("one", "two");
    end("t2", "interrupted");
    await settle();
    bench.hold("thread/resume");
    await bench.restart({ codexLives: false });
    const window = bench.open(T);
    expect(window.waiting).toEqual(["one: queued", "two: queued"]);
    expect(window.head.followUps.held).toBe("stopped");
  });
});
