// A thread is deleted for good, while something of it is on its way or waits, or another window shows it.

import { beforeEach, expect, it } from "vitest";
import type { Fault } from "../fault";
import { codexThread } from "./testCodexData";
import { settle } from "./testThreads";
import { begin, bench, codex, complete, idle, opened, P, prepareBench, row, say } from "./testTree";

prepareBench();

beforeEach(() => bench.rule("thread/delete", () => ({})));

const send = (text: string, mode: "turn" | "queue" = "turn") =>
  bench.threads.send(P, { clientId: crypto.randomUUID(), text, attachments: [], mode });
const remove = () =>
  bench.threads.actions.delete(P).then(
    () => "deleted",
    (fault: Fault) => fault.code,
  );

/** Also after the next start. */
async function expectGone(): Promise<void> {
  for (const when of ["now", "after the next start"]) {
    expect(row(P), when).toBeNull();
    expect([...bench.rows.keys()], when).toEqual([]);
    expect(bench.ledger.submissions.listOpen(), when).toEqual([]);
    await bench.restart({ codexLives: true });
  }
}

it("with a message that came back it stays, so that the words do", async () => {
  await opened(P);
  send("Do it");
  await settle();
  codex().only("turn/start").refuse("no");
  await settle();
  expect(await remove()).toBe("thread_has_undelivered");
  expect(codex().all("thread/delete")).toEqual([]);
});

it("with a message that was sent in another window until codex was there it stays", async () => {
  await opened(P);
  await bench.cut();
  bench.holdConnections();
  const removed = remove();
  await settle();
  send("Do it");
  await bench.letConnect();
  expect(await removed).toBe("thread_running");
  expect(codex().all("thread/delete")).toEqual([]);
});

it("nothing is begun in it from the moment at which codex is asked, and it does not come back", async () => {
  bench.hold("thread/delete");
  const window = await opened(P);
  const removed = remove();
  await settle();
  const refused = expect.objectContaining({ code: "thread_deleted" });
  const tryAll = async () => {
    const { actions } = bench.threads;
    expect(() => send("Do it")).toThrow(refused);
    await expect(actions.retry(P)).rejects.toEqual(refused);
    await expect(actions.review(P, { type: "uncommittedChanges" })).rejects.toEqual(refused);
    await expect(actions.compact(P)).rejects.toEqual(refused);
    await expect(actions.fork(P, null)).rejects.toEqual(refused);
    await expect(actions.revert(P, "t1")).rejects.toEqual(refused);
  };
  await tryAll();
  codex().only("thread/delete").answer({});
  say(P, "thread/deleted");
  expect(await removed).toBe("deleted");
  await tryAll();
  expect(window.head.fault?.code).toBe("thread_deleted");
  idle(P);
  say(P, "thread/name/updated", { threadName: "Once more" });
  bench.close(window);
  await settle();
  await expectGone();
});

it("in two windows at once, it is deleted once, and that is what both hear", async () => {
  bench.hold("thread/delete");
  await opened(P);
  const both = [remove(), remove()];
  await settle();
  codex().only("thread/delete").answer({});
  expect(await Promise.all(both)).toEqual(["deleted", "deleted"]);
});

it("codex refuses to: it is as before", async () => {
  bench.rule("thread/delete", () => new Error("not now"));
  await opened(P);
  expect(await remove()).not.toBe("deleted");
  send("Do it");
  await settle();
  expect(codex().only("turn/start").params.threadId).toBe(P);
  expect(row(P)?.state).toBe("running");
});

it("follow-ups that wait in it go with it", async () => {
  bench.rule("thread/queue/add", ({ params }) => ({
    queuedSubmission: { ...params, id: "q1", createdAt: 1 },
  }));
  await opened(P);
  begin(P, "t1");
  send("Later", "queue");
  await settle();
  complete(P, "t1", "interrupted");
  idle(P);
  await settle();
  expect(bench.ledger.submissions.listOpen()).toHaveLength(1);
  expect(await remove()).toBe("deleted");
  await expectGone();
});

const asFork = () =>
  bench.threads.rows.listed({
    workspaceId: bench.workspaceId,
    profileId: "user",
    threads: [codexThread("copy", { forkedFromId: P, name: "parent (fork)" }) as never],
    archived: true,
    askedAt: bench.threads.rows.mark,
    isLive: () => false,
  });

it("while there is a fork of it codex is not asked: it would end what runs in the thread, and refuse", async () => {
  asFork();
  await expect(bench.threads.actions.delete(P)).rejects.toMatchObject({
    code: "thread_has_fork",
    message: "This thread cannot be deleted while its fork “parent (fork)” exists.",
  });
  expect(codex().all("thread/delete")).toEqual([]);
  bench.threads.rows.forget("copy");
  expect(await remove()).toBe("deleted");
});

it("that a fork exists may be known to codex alone: its refusal is said in plain words", async () => {
  bench.rule(
    "thread/delete",
    () => new Error(`cannot delete thread ${P}: forked history still references it`),
  );
  await expect(bench.threads.actions.delete(P)).rejects.toMatchObject({
    code: "thread_has_fork",
    message: "This thread cannot be deleted while a fork of it exists.",
  });
});
