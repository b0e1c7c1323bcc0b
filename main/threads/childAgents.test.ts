// Child agents, under their parents.

import { describe, expect, it } from "vitest";
import { agentItem, codexThread, codexTurn, commandApproval, resumed } from "./testCodexData";
import {
  begin,
  bench,
  C,
  codex,
  complete,
  finish,
  idle,
  later,
  opened,
  P,
  prepareBench,
  row,
  say,
  spawned,
} from "./testTree";

prepareBench();

describe("child agents", () => {
  /** As the real codex does it: the parent's conversation names the child, then the child speaks. */
  async function withChild() {
    const window = await opened(P);
    begin(P, "p1");
    finish(P, "p1", spawned(C));
    say(C, "thread/status/changed", { status: { type: "active", activeFlags: [] } });
    begin(C, "c1");
    return window;
  }
  const endChild = () => {
    idle(C);
    complete(C, "c1");
  };
  const endParent = () => {
    idle(P);
    complete(P, "p1");
  };

  it("at work keep their thread from being archived, which would cut them off, but on purpose", async () => {
    await withChild();
    endParent();
    bench.rule("thread/archive", () => ({}));
    const refused = { code: "thread_running", message: "A turn is running in an agent of this thread." };
    await expect(bench.threads.actions.archive(P, false)).rejects.toMatchObject(refused);
    expect(codex().all("thread/archive")).toEqual([]);
    endChild();
    await bench.threads.actions.archive(P, false);
    expect(codex().all("thread/archive")).toHaveLength(1);
  });

  it("are rows under their parent from the first moment, and speak for themselves", async () => {
    await withChild();
    expect(row(C)).toMatchObject({
      parentThreadId: P,
      title: "helper-of-child",
      state: "running",
      source: "subAgent",
    });
    finish(C, "c1", agentItem("m", "From the child"));
    endChild();
    expect(row(C)?.state).not.toBe("running");
    expect(bench.ledger.threads.get(C)?.parentThreadId).toBe(P);
    // Their events come with the parent's: nothing is loaded for them.
    expect(
      codex()
        .all("thread/resume")
        .map(({ params }) => params.threadId),
    ).toEqual([P]);
    endParent();
  });

  it("are under their parent also when thread/started says it, before or after", async () => {
    await opened(P);
    codex().say("thread/started", {
      thread: codexThread("c2", { parentThreadId: P, preview: "Look into it" }),
    });
    expect(row("c2")).toMatchObject({ parentThreadId: P, title: "Look into it" });
    begin(P, "p1");
    finish(P, "p1", spawned("c3"));
    codex().say("thread/started", { thread: codexThread("c3", { name: "Scout" }) });
    expect(row("c3")).toMatchObject({ parentThreadId: P, title: "helper-of-c3" });
    bench.rule("thread/list", () => ({ data: [codexThread("c3", { name: "Scout" })], nextCursor: null }));
    await bench.threads.list.refresh(bench.workspaceId);
    expect(row("c3")).toMatchObject({ parentThreadId: P, title: "Scout" });
    codex().say("thread/started", { thread: codexThread("c4", { ephemeral: true }) });
    expect(row("c4")).toBeNull();
    endParent();
  });

  it("of agents are under those, and an agent that writes to its parent does not become its parent", async () => {
    await withChild();
    finish(C, "c1", spawned("grandchild"));
    finish(C, "c1", {
      type: "collabAgentToolCall",
      id: "x",
      tool: "sendMessage",
      status: "completed",
      receiverThreadIds: [P, C, "grandchild"],
    });
    expect(row("grandchild")?.parentThreadId).toBe(C);
    expect(row(P)?.parentThreadId).toBeNull();
    expect(row(C)?.parentThreadId).toBe(P);
    endChild();
    endParent();
  });

  it("of earlier runs are found in the conversation", async () => {
    bench.rule("thread/resume", () => resumed(P, [codexTurn("p0", "completed", [spawned("old")])]));
    await opened(P);
    expect(row("old")).toMatchObject({ parentThreadId: P, state: "not loaded", title: "helper-of-old" });
  });

  it("ask at the child, at its parents and in the list of all; answered anywhere it is gone everywhere", async () => {
    const window = await withChild();
    finish(C, "c1", spawned("grandchild"));
    codex().ask("a1", "item/commandExecution/requestApproval", commandApproval("grandchild", "g1"));
    const child = await opened(C);
    expect(window.head).toMatchObject({
      state: "waiting for approval",
      run: { waitingFor: ["your approval in agent helper-of-grandchild"] },
    });
    expect(child.head.requests.map(({ threadId }) => threadId)).toEqual(["grandchild"]);
    expect(child.head.requests[0]?.agentName).toBe("helper-of-grandchild");
    expect(bench.waiting.map(({ agentName }) => agentName)).toEqual(["helper-of-grandchild"]);
    const key = bench.waiting[0]?.key ?? "";
    expect(bench.threads.answer({ requestKey: key, decisionId: "accept" })).toBe("sent");
    expect(window.head.requests[0]?.answering).toBe(true);
    codex().say("serverRequest/resolved", { threadId: "grandchild", requestId: "a1" });
    expect(window.head.requests).toEqual([]);
    expect(child.head.requests).toEqual([]);
    expect(bench.waiting).toEqual([]);
    endChild();
    endParent();
  });

  it("that ask before anybody has named them are shown at their parent once it has", async () => {
    const window = await opened(P);
    begin(P, "p1");
    codex().ask(0, "item/commandExecution/requestApproval", commandApproval(C, "c1"));
    expect(bench.waiting).toHaveLength(1);
    expect(window.head.requests).toEqual([]);
    finish(P, "p1", spawned(C));
    expect(window.head.requests).toHaveLength(1);
    codex().say("serverRequest/resolved", { threadId: C, requestId: 0 });
    endParent();
  });

  it("are stopped before their parent, and a child that does not answer holds nothing up", async () => {
    await withChild();
    await bench.threads.runtime(P).stop();
    expect(
      codex()
        .all("turn/interrupt")
        .map(({ params }) => params.threadId),
    ).toEqual([C, P]);
    codex().last("turn/interrupt").answer({});
    endParent();
    expect(bench.rows.get(P)).toBe("parent: idle");
    endChild();
    await later(12_000);
  });

  it("stay as long as anything of their tree is in use, and go together with it", async () => {
    const window = await withChild();
    endParent();
    bench.close(window);
    bench.rule("thread/read", ({ params }) => ({
      thread: codexThread(params.threadId, {
        status: { type: params.threadId === C ? "active" : "idle", activeFlags: [] },
      }),
    }));
    await later(70_000);
    expect(codex().all("thread/unsubscribe")).toEqual([]);
    // The child has answered: a follow-up may still reach it while its parent is there.
    endChild();
    const again = await opened(P);
    await later(70_000);
    expect(codex().all("thread/unsubscribe")).toEqual([]);
    bench.close(again);
    await later(62_000);
    expect(
      codex()
        .all("thread/unsubscribe")
        .map(({ params }) => params.threadId)
        .sort(),
    ).toEqual([C, P]);
  });

  it("that go on over a lost connection are loaded, since their events do not come by themselves any more", async () => {
    await withChild();
    await bench.cut();
    bench.rule("thread/resume", ({ params }) =>
      resumed(params.threadId, [codexTurn("x1")], { status: "active" }),
    );
    await bench.reconnect();
    expect(
      codex()
        .all("thread/resume")
        .map(({ params }) => params.threadId)
        .sort(),
    ).toEqual([C, P]);
  });

  it("do not announce the end of their turns, nor count as unread", async () => {
    await withChild();
    endChild();
    expect(bench.endedUnseen).toEqual([]);
    expect(row(C)?.unread).toBe(false);
    endParent();
  });
});
