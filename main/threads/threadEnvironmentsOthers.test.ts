// Where copies, agents, queued messages and threads of this machine work.

import { beforeEach, describe, expect, it } from "vitest";
import { codexThread, codexTurn, listed, resumed, started } from "./testCodexData";
import { addThread, begin, bench, codex, end, later, opened, send, T } from "./testDelivery";
import {
  agentOf,
  choose,
  folder,
  inBox,
  kept,
  past,
  places,
  preparePlaces,
  undelivered,
} from "./testThreadPlaces";
import { settle } from "./testThreads";

preparePlaces();

describe("a copy of a thread", () => {
  it("works where that works", async () => {
    await opened();
    await choose(inBox);
    bench.rule("thread/fork", () => ({
      ...started("copy"),
      thread: codexThread("copy", { forkedFromId: T }),
    }));
    bench.rule("thread/settings/update", () => ({}));
    bench.rule("thread/name/set", () => ({}));
    await bench.threads.actions.fork(T, null);
    expect(kept("copy")).toEqual(inBox);
    expect(bench.threads.rows.get("copy")?.environmentId).toBe("box");
  });

  it("that is seen for the first time in a list works there too; an agent has none of its own", async () => {
    await choose(inBox);
    const copies = [
      codexThread("copy", { forkedFromId: T }),
      codexThread("kid", { forkedFromId: T, parentThreadId: T }),
      codexThread("other", { forkedFromId: "another" }),
    ];
    bench.rule("thread/list", () => ({ ...listed(copies), backwardsCursor: null }));
    await bench.threads.list.refresh(bench.workspaceId);
    expect(kept("copy")).toEqual(inBox);
    expect([kept("kid"), kept("other")]).toEqual([null, null]);
    await choose(null, "copy");
    await bench.threads.list.refresh(bench.workspaceId);
    expect(kept("copy")).toBeNull();
  });
});

describe("what waits in codex's queue", () => {
  const entry = (id: string, text: string) => ({
    id: `q-${id}`,
    clientUserMessageId: id,
    input: [{ type: "text", text, text_elements: [] }],
  });
  let queue: ReturnType<typeof entry>[] = [];

  beforeEach(() => {
    queue = [];
    // A list is newest first, and a queue is not.
    bench.rule("thread/queue/list", () => listed([...queue].reverse()));
    bench.rule("thread/queue/delete", ({ params }) => {
      const before = queue.length;
      queue = queue.filter(({ id }) => id !== params.queuedSubmissionId);
      return { deleted: queue.length < before };
    });
  });

  it("is taken into the ledger's before codex loads the thread, and sent there", async () => {
    await choose(inBox);
    queue = [entry("a", "One"), entry("b", "Two")];
    bench.hold("turn/start");
    const window = await opened();
    const methods = codex().asked.map(({ method }) => method);
    expect(methods.lastIndexOf("thread/queue/delete")).toBeLessThan(methods.indexOf("thread/resume"));
    expect(queue).toEqual([]);
    expect(window.head.followUps.keeper).toBe("holdfast");
    expect(codex().only("turn/start").params).toMatchObject({
      clientUserMessageId: "a",
      environments: [{ cwd: folder }],
    });
    expect(window.waiting).toEqual(["Two: queued"]);
  });

  it("is taken there when an environment is chosen; what is queued then goes to codex no more", async () => {
    queue = [entry("a", "One")];
    const window = await opened();
    await later(2_000);
    await choose(inBox);
    expect(queue).toEqual([]);
    expect(window.head.followUps.held).toBe("waiting");
    await bench.threads.runtime(T).followUpChanges.resume();
    await settle();
    expect(codex().only("turn/start").params).toMatchObject({ clientUserMessageId: "a" });
    begin("t2");
    send("Two", "queue");
    await settle();
    expect(window.waiting).toEqual(["Two: queued"]);
    expect(codex().all("thread/queue/add")).toEqual([]);
  });

  it("keeps codex from loading the thread when only codex could keep it", async () => {
    await choose(inBox);
    queue = [{ ...entry("a", "One"), input: [{ type: "skill", text: "?", text_elements: [] }] }];
    const window = await opened();
    expect(codex().all("thread/resume")).toEqual([]);
    expect(window.head).toMatchObject({ residency: "stored", fault: { code: "foreign_follow_up" } });
    expect(window.texts).toEqual(["user completed: Hello"]);
    await choose(null);
    await bench.threads.runtime(T).reload();
    expect(window.head).toMatchObject({ residency: "loaded", fault: null });
  });

  it("that codex takes up just then is codex's", async () => {
    await opened();
    const id = send("One", "queue");
    await settle();
    expect(codex().all("turn/start")).toHaveLength(1);
    begin("t2");
    bench.rule("thread/queue/add", ({ params }) => {
      queue = [entry(String(params.clientUserMessageId), "Two")];
      return { queuedSubmission: queue[0] };
    });
    const second = send("Two", "queue");
    await settle();
    bench.rule("thread/queue/delete", () => ({ deleted: false }));
    end("t2", "interrupted");
    await later(2_000);
    await choose(inBox);
    expect(bench.ledger.submissions.get(second)).toMatchObject({ state: "sent", place: null });
    expect(id).not.toBe(second);
  });

  it("is looked for when it is not known whether codex has let go of it", async () => {
    await choose(inBox);
    queue = [entry("a", "One")];
    bench.hold("thread/queue/delete");
    const window = await opened();
    queue = [];
    await bench.cut();
    bench.rule("thread/queue/delete", () => ({ deleted: false }));
    await bench.reconnect();
    await later(3_000);
    expect(undelivered(window)).toEqual(["One: undelivered, not_kept"]);
    expect(codex().all("turn/start")).toEqual([]);
  });
});

describe("a thread of this machine", () => {
  it("is told to leave out what others have been given, as soon as it is loaded", async () => {
    addThread("thread-2");
    await choose(inBox, "thread-2");
    bench.rule("thread/resume", ({ params }) =>
      resumed(params.threadId, past, { thread: { environments: places.load() } }),
    );
    send("Do it", "turn", "thread-2");
    await settle();
    places.unload();
    const window = await opened();
    expect(codex().last("thread/settings/update").params).toMatchObject({
      threadId: T,
      environments: [{ environmentId: "local", cwd: bench.folder }],
    });
    expect(window.head.followUps.keeper).toBe("codex");
    send("And here");
    await settle();
    expect(codex().last("turn/start").params).toMatchObject({ threadId: T });
    expect(codex().last("turn/start").params.environments).toBeUndefined();
  });

  it("is told so when it was one of an environment; until codex has heard it, what waits does not wait there", async () => {
    const window = await opened();
    await choose(inBox);
    send("Do it");
    await settle();
    end("t2");
    await settle();
    bench.hold("thread/settings/update");
    const chosen = choose(null);
    await settle();
    expect(window.head.environment).toBeNull();
    expect(window.head.followUps.keeper).toBe("holdfast");
    codex().only("thread/settings/update").refuse("no");
    await chosen;
    bench.rule("turn/start", () => ({ turn: codexTurn("t3") }));
    send("Here");
    await settle();
    expect(codex().last("turn/start").params.environments).toEqual([
      { environmentId: "local", cwd: bench.folder },
    ]);
    expect(window.head.followUps.keeper).toBe("codex");
  });
});

describe("an agent", () => {
  beforeEach(async () => {
    bench.rule("thread/resume", ({ params }) =>
      resumed(params.threadId, past, { thread: { environments: places.load() } }),
    );
    await opened();
    await choose(inBox);
    agentOf(T, "kid");
  });

  it("is only read until its thread has been told where to work", async () => {
    const window = bench.open("kid");
    await settle();
    expect(
      codex()
        .all("thread/resume")
        .map(({ params }) => params.threadId),
    ).toEqual([T]);
    expect(window.head).toMatchObject({ fault: { code: "agent_waits" }, environment: inBox });
    expect(window.texts).toEqual(["user completed: Hello"]);
    bench.hold("turn/start");
    send("Do it");
    await settle();
    await bench.threads
      .runtime("kid")
      .reload()
      .catch(() => undefined);
    expect(window.head).toMatchObject({ fault: { code: "agent_waits" } });
    codex()
      .only("turn/start")
      .answer({ turn: codexTurn("t2") });
    await settle();
    await bench.threads.runtime("kid").reload();
    expect(window.head).toMatchObject({ residency: "loaded", fault: null });
  });

  it("that codex has in memory is loaded: it stays where it is", async () => {
    bench.rule("thread/loaded/list", () => ({ data: [T, "kid"], nextCursor: null }));
    const window = bench.open("kid");
    await settle();
    expect(window.head.residency).toBe("loaded");
  });
});
