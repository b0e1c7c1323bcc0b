// Where a thread works: chosen, kept, and how it is there.

import { describe, expect, it } from "vitest";
import { codexTurn, resumed } from "./testCodexData";
import { addThread, begin, bench, codex, end, later, opened, send, T } from "./testDelivery";
import {
  added,
  agentOf,
  choose,
  folder,
  inBox,
  kept,
  places,
  preparePlaces,
  refused,
} from "./testThreadPlaces";
import { settle } from "./testThreads";

preparePlaces();

describe("choosing", () => {
  it.each([
    ["/", null],
    ["/srv/engine", null],
    ["C:\\engine", null],
    ["c:/engine", null],
    ["\\\\server\\share\\engine", null],
    ["engine", "path_not_absolute"],
    ["./engine", "path_not_absolute"],
    ["~/engine", "path_not_absolute"],
    ["C:engine", "path_not_absolute"],
    ["\\engine", "path_not_absolute"],
    ["\\\\server", "path_not_absolute"],
    ["/srv\0/engine", "path_not_absolute"],
    ["", "path_not_absolute"],
  ])("the folder %j", async (cwd, fault) => {
    expect(await refused(choose({ environmentId: "box", cwd }))).toBe(fault);
    expect(kept()).toEqual(fault === null ? { environmentId: "box", cwd } : null);
  });

  it("an environment that is not there is refused", async () => {
    expect(await refused(choose({ environmentId: "gone", cwd: folder }))).toBe("environment_unknown");
    expect(kept()).toBeNull();
  });

  it("is shown in the thread and its row, and is there after a restart", async () => {
    const window = await opened();
    await choose(inBox);
    expect(window.head.environment).toEqual({
      ...inBox,
      executorGone: false,
      name: "The box",
      state: "not used yet",
      fault: null,
    });
    expect(bench.threads.rows.get(T)?.environmentId).toBe("box");
    expect(codex().asked.map(({ method }) => method)).not.toContain("environment/add");
    await bench.restart({ codexLives: false });
    expect(bench.threads.rows.get(T)?.environmentId).toBe("box");
    expect((await opened()).head.environment).toMatchObject(inBox);
    await choose(null);
    expect(bench.threads.rows.get(T)?.environmentId).toBeUndefined();
    expect(kept()).toBeNull();
  });

  it("is refused while the thread is at work", async () => {
    await opened();
    begin("t2");
    await settle();
    expect(await refused(choose(inBox))).toBe("turn_running");
    end("t2");
    await settle();
    expect(await refused(choose(inBox))).toBeNull();
  });

  it("waits for a load, and is refused when that finds the thread at work", async () => {
    bench.hold("thread/resume");
    await opened();
    const chosen = refused(choose(inBox));
    await settle();
    expect(kept()).toBeNull();
    codex()
      .only("thread/resume")
      .answer(resumed(T, [codexTurn("t2")], { status: "active" }));
    expect(await chosen).toBe("turn_running");
    expect(kept()).toBeNull();
  });

  it("is refused when a turn begins while codex is asked for agents", async () => {
    await opened();
    agentOf(T, "kid");
    bench.hold("thread/loaded/list");
    const chosen = refused(choose(inBox));
    await settle();
    begin("t2");
    codex()
      .last("thread/loaded/list")
      .answer({ data: [T], nextCursor: null });
    expect(await chosen).toBe("turn_running");
    expect(kept()).toBeNull();
  });

  it("is refused while codex has agents of the thread in memory, but not for another folder", async () => {
    await opened();
    await choose(inBox);
    agentOf(T, "kid");
    bench.rule("thread/loaded/list", () => ({ data: [T, "kid"], nextCursor: null }));
    expect(await refused(choose(null))).toBe("agents_stay");
    expect(kept()).toEqual(inBox);
    expect(await refused(choose({ ...inBox, cwd: "/srv/other" }))).toBeNull();
    bench.rule("thread/loaded/list", () => ({ data: [T], nextCursor: null }));
    expect(await refused(choose(null))).toBeNull();
  });

  it("is the thread's, not its agents'", async () => {
    await opened();
    await choose(inBox);
    agentOf(T, "kid");
    expect(await refused(choose(null, "kid"))).toBe("agent_of_agent");
    expect(bench.threads.runtime("kid").state.head.environment).toMatchObject(inBox);
  });

  it("is known by the environment and by the workspace", async () => {
    addThread("thread-2");
    await choose(inBox);
    await choose(inBox, "thread-2");
    const { environments } = bench.threads;
    expect(environments.usedBy("box")).toEqual(["Title", "Title"]);
    expect(environments.usedBy("crate")).toEqual([]);
    expect(environments.usedIn(bench.workspaceId)).toEqual(["box"]);
    expect(environments.usedIn("another")).toEqual([]);
    codex().say("thread/deleted", { threadId: "thread-2" });
    await settle();
    expect(environments.usedBy("box")).toEqual(["Title"]);
    expect(kept("thread-2")).toBeNull();
  });

  it("the folder offered first is the one of the thread that was used last there, in the same workspace", async () => {
    const { environments } = bench.threads;
    const offered = (environmentId = "box", workspaceId = bench.workspaceId) =>
      environments.lastFolderIn(workspaceId, environmentId);
    expect(offered()).toBeNull();
    addThread("thread-2", 300);
    addThread("thread-3", 200);
    await choose({ ...inBox, cwd: "/srv/new" }, "thread-2");
    await choose({ ...inBox, cwd: "/srv/old" }, "thread-3");
    expect(offered()).toBe("/srv/new");
    expect(offered("crate")).toBeNull();
    expect(offered("box", "another")).toBeNull();
  });

  it("follows the environment's name, and outlives the environment", async () => {
    const window = await opened();
    await choose(inBox);
    const box = places.set.get("box");
    if (box) box.name = "The large box";
    bench.threads.environments.environmentsChanged();
    expect(window.head.environment?.name).toBe("The large box");
    places.set.delete("box");
    bench.threads.environments.environmentsChanged();
    expect(window.head.environment).toMatchObject({ ...inBox, name: null });
  });
});

describe("how it is there", () => {
  const codexId = () => added().at(-1)?.params.environmentId;

  it("is what codex tells of the executor that the thread has", async () => {
    const window = await opened();
    await choose(inBox);
    send("Do it");
    await settle();
    const former = codexId();
    codex().say("thread/environment/disconnected", { threadId: T, environmentId: former });
    expect(window.head.environment?.state).toBe("disconnected");
    codex().say("thread/environment/connected", { threadId: T, environmentId: former });
    expect(window.head.environment?.state).toBe("connected");
    end("t2");
    await settle();
    places.place("box");
    send("And again");
    await settle();
    codex().say("thread/environment/disconnected", { threadId: T, environmentId: former });
    expect(window.head.environment?.state).toBe("connected");
    await bench.kill();
    expect(window.head.environment?.state).toBe("not used yet");
  });

  it("is asked when something is known anew, since codex does not always tell", async () => {
    const window = await opened();
    await choose(inBox);
    bench.threads.environments.environmentsChanged();
    expect(codex().all("environment/status")).toEqual([]);
    send("Do it");
    await settle();
    places.live.clear();
    bench.threads.environments.environmentsChanged();
    bench.threads.environments.environmentsChanged();
    await settle();
    expect(codex().all("environment/status")).toHaveLength(1);
    expect(window.head.environment?.state).toBe("disconnected");
  });

  it("is not asked while all is well, and ever more seldom while it is in doubt and somebody looks", async () => {
    const window = await opened();
    await choose(inBox);
    send("Do it");
    await settle();
    end("t2");
    const asked = () => codex().all("environment/status").length;
    await later(600_000);
    expect(asked()).toBe(0);
    places.live.clear();
    bench.threads.environments.environmentsChanged();
    await settle();
    expect([asked(), window.head.environment?.state]).toEqual([1, "disconnected"]);
    await later(5_000);
    expect(asked()).toBe(2);
    await later(9_000);
    expect(asked()).toBe(2);
    await later(1_000);
    expect(asked()).toBe(3);
    bench.close(window);
    await later(600_000);
    expect(asked()).toBe(3);
    await opened();
    expect(asked()).toBe(4);
  });

  it("says that the executor is gone once Holdfast has another one, and not where it has the same again", async () => {
    const window = await opened();
    await choose(inBox);
    send("Do it");
    await settle();
    const former = codexId();
    const lost = () => codex().say("thread/environment/disconnected", { threadId: T, environmentId: former });
    places.isUnattended = true;
    lost();
    expect(window.head.environment).toMatchObject({ state: "disconnected", executorGone: false });
    places.isUnattended = false;
    lost();
    expect(window.head.environment).toMatchObject({ state: "disconnected", executorGone: false });
    places.place("box");
    bench.threads.environments.environmentsChanged();
    expect(window.head.environment).toMatchObject({ state: "disconnected", executorGone: true });
    end("t2");
    await settle();
    send("And again");
    await settle();
    expect(window.head.environment).toMatchObject({ state: "connected", executorGone: false });
  });

  it("is asked again once Holdfast's own connection is there again", async () => {
    const window = await opened();
    await choose(inBox);
    send("Do it");
    await settle();
    end("t2");
    places.isUnattended = true;
    bench.threads.environments.environmentsChanged();
    await settle();
    expect(window.head.environment?.state).toBe("connected");
    places.isUnattended = false;
    bench.threads.environments.environmentsChanged();
    await settle();
    expect(codex().all("environment/status")).toHaveLength(2);
    await later(600_000);
    expect(codex().all("environment/status")).toHaveLength(2);
  });

  it("is asked when Holdfast was started again and codex still works there", async () => {
    await opened();
    await choose(inBox);
    send("Do it");
    await settle();
    end("t2");
    await settle();
    places.isUnattended = true;
    await bench.restart({ codexLives: true });
    await bench.reconnect();
    const window = await opened();
    expect(window.head.environment?.state).toBe("connected");
    expect(added()).toEqual([]);
    // So that the loss of its executor is heard of at once.
    expect(places.attended).toEqual(["box"]);
  });

  it("is known of a command that codex asks about, and of what codex tells, though it has not said where the thread works", async () => {
    const window = await opened();
    await choose(inBox);
    send("Do it");
    await settle();
    begin("t2");
    const former = codexId();
    await bench.restart({ codexLives: true });
    // A turn's own place is not always that of the thread.
    places.load = () => [{ environmentId: "local", cwd: bench.folder }];
    await bench.reconnect();
    const again = await opened();
    expect(again.head.environment?.state).toBe("not used yet");
    codex().ask(1, "item/commandExecution/requestApproval", {
      ...{ threadId: T, turnId: "t2", itemId: "c1", startedAtMs: 1, kind: "command" },
      ...{ environmentId: former, command: "make", availableDecisions: ["accept", "cancel"] },
    });
    await settle();
    expect(again.head.environment?.state).toBe("connected");
    expect(window).toBeDefined();
  });

  it("is said when a turn fails of it", async () => {
    const window = await opened();
    await choose(inBox);
    send("Do it");
    await settle();
    begin("t2");
    codex().say("error", {
      threadId: T,
      turnId: "t2",
      willRetry: false,
      error: { message: "exec-server transport disconnected" },
    });
    expect(window.head.environment?.fault).toMatchObject({
      code: "environment_failed",
      detail: "exec-server transport disconnected",
    });
  });
});
