// codex's list of threads, and the workspace that it is for.

import { describe, expect, it } from "vitest";
import { codexThread, codexTurn, resumed } from "./testCodexData";
import { settle } from "./testThreads";
import { begin, bench, codex, complete, idle, later, opened, P, prepareBench } from "./testTree";

prepareBench();

describe("the workspace", () => {
  it("is quiet when nothing runs, waits or is on its way", async () => {
    expect(bench.threads.isQuiet(bench.workspaceId)).toBe(true);
    const window = await opened(P);
    expect(bench.threads.isQuiet(bench.workspaceId)).toBe(true);
    expect(bench.threads.isShown(bench.workspaceId)).toBe(true);
    begin(P, "t1");
    expect(bench.threads.isQuiet(bench.workspaceId)).toBe(false);
    bench.threads.send(P, { clientId: crypto.randomUUID(), text: "Then", attachments: [], mode: "queue" });
    await settle();
    codex().only("thread/queue/add").answer({});
    await settle();
    bench.rule("thread/queue/list", () => new Error("busy"));
    complete(P, "t1", "interrupted");
    idle(P);
    expect(bench.threads.isQuiet(bench.workspaceId)).toBe(false);
    bench.close(window);
    expect(bench.threads.isShown(bench.workspaceId)).toBe(true);
  });
});

describe("the list", () => {
  const page = (names: string[], nextCursor: string | null = null) => ({
    data: names.map((name) => codexThread(name, { preview: `${name} asks` })),
    nextCursor,
  });
  const list = () => bench.threads.list;
  const state = () => list().state(bench.workspaceId);

  it("is asked for all providers, and only for what persons started here", async () => {
    bench.rule("thread/list", () => page(["x"]));
    await list().refresh(bench.workspaceId);
    expect(codex().only("thread/list").params).toMatchObject({
      cwd: bench.folder,
      modelProviders: [],
      archived: false,
      cursor: null,
    });
    expect(bench.rows.get("x")).toBe("x asks: not loaded");
    expect(state()).toMatchObject({ listing: false, hasMore: false, fault: null });
  });

  it("says of archived threads whether there are more, once they were asked for", async () => {
    bench.rule("thread/list", () => page(["x"], "c1"));
    await list().refresh(bench.workspaceId);
    expect(state().hasMoreArchived).toBeUndefined();
    await list().more(bench.workspaceId, true);
    expect(state()).toMatchObject({ hasMore: true, hasMoreArchived: true });
    bench.rule("thread/list", () => page(["y"]));
    await list().more(bench.workspaceId, true);
    expect(state()).toMatchObject({ hasMore: true, hasMoreArchived: false });
    // A refresh of the others changes nothing in that.
    await list().refresh(bench.workspaceId);
    expect(state()).toMatchObject({ hasMore: false, hasMoreArchived: false });
  });

  it("goes on page by page, one after the other, and a refresh does not lose the place", async () => {
    const both = [list().refresh(bench.workspaceId), list().refresh(bench.workspaceId)];
    await settle();
    codex()
      .only("thread/list")
      .answer(page(["x"], "c1"));
    await Promise.all(both);
    const more = [list().more(bench.workspaceId, false), list().more(bench.workspaceId, false)];
    await settle();
    expect(codex().all("thread/list")).toHaveLength(2);
    expect(codex().last("thread/list").params.cursor).toBe("c1");
    codex()
      .last("thread/list")
      .answer(page(["y"], "c2"));
    await settle();
    expect(codex().last("thread/list").params.cursor).toBe("c2");
    codex()
      .last("thread/list")
      .answer(page(["z"], "c3"));
    await Promise.all(more);
    bench.rule("thread/list", () => page(["w", "x"], "c1"));
    await list().refresh(bench.workspaceId);
    bench.rule("thread/list", () => page(["v"]));
    await list().more(bench.workspaceId, false);
    expect(codex().last("thread/list").params.cursor).toBe("c3");
    expect(state().hasMore).toBe(false);
    await list().more(bench.workspaceId, false);
    expect(codex().all("thread/list")).toHaveLength(5);
  });

  it("shows why it failed, and that it is over when it works again", async () => {
    bench.rule("thread/list", () => new Error("disk trouble"));
    await list().refresh(bench.workspaceId);
    expect(state()).toMatchObject({ listing: false, fault: { message: "disk trouble" } });
    bench.rule("thread/list", () => page([]));
    await list().refresh(bench.workspaceId);
    expect(state().fault).toBeNull();
  });

  it("of a workspace that has been taken off the list is dropped", async () => {
    const listing = list().refresh(bench.workspaceId);
    await settle();
    list().forget(bench.workspaceId);
    codex()
      .only("thread/list")
      .answer(page(["x"]));
    await listing;
    expect(bench.rows.has("x")).toBe(false);
  });

  it("does not speak for a thread that is alive, and follows one that codex says is at work", async () => {
    await opened(P);
    begin(P, "t1");
    bench.rule("thread/list", () => ({
      data: [
        codexThread(P, { preview: "other words" }),
        codexThread("busy", { preview: "Busy", status: { type: "active", activeFlags: [] } }),
      ],
      nextCursor: null,
    }));
    bench.rule("thread/resume", ({ params }) =>
      resumed(params.threadId, [codexTurn("b1")], { status: "active" }),
    );
    await list().refresh(bench.workspaceId);
    await settle();
    expect(bench.rows.get(P)).toBe("parent: running");
    expect(bench.rows.get("busy")).toBe("Busy: running");
    expect(codex().last("thread/resume").params.threadId).toBe("busy");
  });

  it("tells a thread that is not loaded its new title", async () => {
    const window = await opened(P);
    bench.close(window);
    await later(31_000);
    bench.rule("thread/list", () => ({ data: [codexThread(P, { name: "By the CLI" })], nextCursor: null }));
    await list().refresh(bench.workspaceId);
    expect(bench.threads.runtime(P).state.facts.title).toBe("By the CLI");
  });

  it("is searched by codex, a page at a time", async () => {
    bench.rule("thread/search", ({ params: { archived } }) => ({
      data: archived ? [] : [{ thread: codexThread("x", { preview: "Asks" }), snippet: "…found…" }, {}],
      nextCursor: archived ? null : "further",
    }));
    const connection = await bench.connect();
    const search = (archived: boolean) =>
      list().search(connection, { query: "found", archived, cursor: null }, (cwd) =>
        cwd === bench.folder ? bench.workspaceId : null,
      );
    const { hits, nextCursor } = await search(false);
    expect(hits).toMatchObject([
      { threadId: "x", title: "Asks", snippet: "…found…", workspaceId: bench.workspaceId, archived: false },
    ]);
    expect(nextCursor).toBe("further");
    expect(await search(true)).toEqual({ hits: [], nextCursor: null });
  });

  it("is codex's own list too, whatever the folder", async () => {
    bench.rule("thread/list", () => ({
      data: [codexThread("x", { preview: "Asks", cwd: "/elsewhere" })],
      nextCursor: "c",
    }));
    const connection = await bench.connect();
    const page = await list().all(connection, { archived: true, cursor: "b" }, () => null);
    expect(codex().last("thread/list").params).not.toHaveProperty("cwd");
    expect(codex().last("thread/list").params).toMatchObject({
      modelProviders: [],
      archived: true,
      cursor: "b",
    });
    expect(page).toMatchObject({
      threads: [{ threadId: "x", title: "Asks", cwd: "/elsewhere", workspaceId: null, archived: true }],
      nextCursor: "c",
    });
  });

  it("gives a thread that was found its row, once", async () => {
    let reads = 0;
    bench.rule("thread/read", () => {
      reads += 1;
      return { thread: codexThread("found", { preview: "Found" }) };
    });
    await list().meet(bench.workspaceId, "found", true);
    await list().meet(bench.workspaceId, "found", true);
    expect(reads).toBe(1);
    expect(bench.rows.get("found")).toBe("Found: not loaded");
    expect(bench.threads.runtime("found").state.facts.archived).toBe(true);
  });
});
