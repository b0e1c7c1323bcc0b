// Replacing the executor behind an environment: real exec-servers, a registry file that is rewritten, lines that stall. Our own
// clock stands still, so nothing here happens because time has passed.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DisconnectedFault } from "./disconnected";
import { Environment } from "./environment";
import type { ExecutorSession } from "./executorSession";
import { shell, TestListener, TestWorld } from "./testEnvironment";

let world: TestWorld;

beforeEach(async () => {
  world = await TestWorld.open();
});

afterEach(async () => {
  await world.close();
});

const disconnected = (reason: string) => ({
  name: "Fault",
  code: reason === "replaced" ? "environment_replaced" : "environment_disconnected",
  reason,
});

/** A process of this session that echoes what it is given. */
async function echo(session: ExecutorSession) {
  const listener = new TestListener();
  const process = await session.start(shell("exec cat", { input: true }), listener.tell);
  return { process, listener };
}

const bytes = Buffer.from("never replayed\n");

describe("a refresh after the executor was replaced", () => {
  it("cancels the recovery of the old session, and connects without resuming it", async () => {
    const before = await world.registered("old");
    const after = await world.executor("new");
    const original = await world.client.get();
    const { process, listener } = await echo(original);
    const stalled = world.registry.holdNext();
    await before.line.cut();
    await stalled.reached;
    await world.register(after);
    // Nobody waits for the recovery: it is over as soon as the registry has answered the refresh.
    await world.client.refresh();
    expect(original.hasEnded).toBe(true);
    const replacement = await world.client.get();
    expect(replacement.sessionId).not.toBe(original.sessionId);
    expect(world.client.state).toMatchObject({ phase: "connected", identity: "new" });
    expect(after.line.sent[0]).toMatchObject({ method: "initialize", params: { clientName: "holdfast" } });
    expect(after.line.sent[0]?.params).not.toHaveProperty("resumeSessionId");
    expect(listener.events.at(-1)).toMatchObject({ type: "lost", fault: disconnected("replaced") });
    await expect(process.write(bytes)).rejects.toMatchObject(disconnected("replaced"));
    expect(before.line.count("process/write") + after.line.count("process/write")).toBe(0);
    // The old answer comes after all: it changes nothing.
    stalled.open();
    await stalled.opened;
    expect(await world.client.get()).toBe(replacement);
    await replacement.calls.probe();
    expect(before.line.count("initialize")).toBe(1);
  });

  it("ends an old session that is still connected", async () => {
    const before = await world.registered("old");
    const original = await world.client.get();
    const after = await world.executor("new");
    await world.register(after);
    await world.client.refresh();
    expect(original.hasEnded).toBe(true);
    expect((await world.client.get()).sessionId).not.toBe(original.sessionId);
    expect(world.phases).toEqual(["connecting", "connected", "connecting", "connected"]);
    expect(before.line.count("initialize")).toBe(1);
  });

  it("keeps the session of an executor that has only registered again, for refreshes at the same time too", async () => {
    const executor = await world.registered("same");
    const original = await world.client.get();
    await world.register(executor, "renewed");
    await Promise.all([world.client.refresh(), world.client.refresh()]);
    expect(await world.client.get()).toBe(original);
    expect(world.client.state).toMatchObject({ phase: "connected", registration: "renewed" });
    expect(executor.line.count("environment/status")).toBe(2);
    expect(executor.line.count("initialize")).toBe(1);
  });

  it("does not reach the state of the environment from the old session any more", async () => {
    const before = await world.registered("old");
    await world.client.get();
    const after = await world.executor("new");
    await world.register(after);
    await world.client.refresh();
    const told = world.states.length;
    await before.line.cut();
    await before.server.kill();
    await (await world.client.get()).calls.probe();
    expect(world.states).toHaveLength(told);
  });
});

describe("a refresh while somebody's attempt is stalled", () => {
  it("gives up an attempt in its lookup", async () => {
    await world.registered("old");
    const after = await world.executor("new");
    const stalled = world.registry.holdNext();
    const initial = world.client.get();
    await stalled.reached;
    await world.register(after);
    const refreshing = world.client.refresh();
    await expect(initial).rejects.toMatchObject(disconnected("superseded"));
    await refreshing;
    stalled.open();
    await stalled.opened;
    const session = await world.client.get();
    await session.calls.probe();
    expect(world.client.state).toMatchObject({ phase: "connected", identity: "new" });
  });

  it("gives up an attempt whose socket does not open", async () => {
    const before = await world.registered("old");
    const after = await world.executor("new");
    const stalled = before.line.holdUpgrade();
    const initial = world.client.get();
    await stalled.reached;
    await world.register(after);
    await Promise.all([
      expect(initial).rejects.toMatchObject(disconnected("superseded")),
      world.client.refresh(),
    ]);
    stalled.open();
    await (await world.client.get()).calls.probe();
    expect(world.client.state).toMatchObject({ phase: "connected", identity: "new" });
    expect(before.line.count("initialize")).toBe(0);
  });

  it("gives up an attempt whose handshake is not answered", async () => {
    const before = await world.registered("old");
    const after = await world.executor("new");
    const stalled = before.line.holdAnswer("initialize");
    const initial = world.client.get();
    await stalled.reached;
    await world.register(after);
    await Promise.all([
      expect(initial).rejects.toMatchObject(disconnected("superseded")),
      world.client.refresh(),
    ]);
    stalled.open();
    await (await world.client.get()).calls.probe();
    expect(world.client.state).toMatchObject({ phase: "connected", identity: "new" });
    expect(before.line.count("initialized")).toBe(0);
  });
});

describe("a refresh that fails", () => {
  it("leaves the session usable when the registry does not answer", async () => {
    const executor = await world.registered("same");
    const original = await world.client.get();
    const stalled = world.registry.holdNext();
    const refreshing = world.client.refresh();
    await stalled.reached;
    stalled.fail(new Error("the registry is broken"));
    await expect(refreshing).rejects.toThrow("the registry is broken");
    expect(await world.client.get()).toBe(original);
    await original.calls.probe();
    expect(executor.line.count("initialize")).toBe(1);
  });

  it("leaves the session usable when the registry takes too long", async () => {
    await world.registered("same");
    const original = await world.client.get();
    const stalled = world.registry.holdNext();
    const refreshing = world.client.refresh();
    await stalled.reached;
    world.clock.advance(world.registry.deadlineMs);
    await expect(refreshing).rejects.toMatchObject({ code: "registry_timeout" });
    expect(await world.client.get()).toBe(original);
    await original.calls.probe();
    stalled.open();
  });

  it("keeps the old session retired when the replacement cannot be reached, and the next caller asks the registry again", async () => {
    const before = await world.registered("old");
    const after = await world.executor("new");
    const original = await world.client.get();
    const { process } = await echo(original);
    after.line.refuses = true;
    await world.register(after);
    await expect(world.client.refresh()).rejects.toMatchObject({ code: "connect_failed" });
    expect(original.hasEnded).toBe(true);
    await expect(original.calls.call("environment/status", {})).rejects.toMatchObject(
      disconnected("replaced"),
    );
    await expect(process.write(bytes)).rejects.toMatchObject(disconnected("replaced"));
    expect(world.client.state).toMatchObject({ phase: "disconnected", fault: { code: "connect_failed" } });
    const lookups = world.registry.lookups;
    after.line.refuses = false;
    const replacement = await world.client.get();
    expect(world.registry.lookups).toBe(lookups + 1);
    expect(replacement.sessionId).not.toBe(original.sessionId);
    await replacement.calls.probe();
    expect(world.client.state).toMatchObject({ phase: "connected", identity: "new" });
    await expect(process.write(bytes)).rejects.toMatchObject(disconnected("replaced"));
    expect(before.line.count("process/write") + after.line.count("process/write")).toBe(0);
  });

  it("fails at once while the connection is being recovered, whatever is remembered of the executor", async () => {
    const executor = await world.registered("same");
    const original = await world.client.get();
    await original.info();
    const stalled = world.registry.holdNext();
    await executor.line.cut();
    await stalled.reached;
    await expect(world.client.refresh()).rejects.toMatchObject(disconnected("recovering"));
    expect(original.hasEnded).toBe(false);
    stalled.open();
    await expect(original.calls.call("environment/status", {})).resolves.toEqual({ status: "ready" });
    expect(await world.client.get()).toBe(original);
  });
});

describe("what comes while a refresh asks the registry", () => {
  it("whoever needs a session does not wait for the refresh", async () => {
    const executor = await world.registered("same");
    const stale = world.registry.holdNext();
    const refreshing = world.client.refresh();
    await stale.reached;
    const session = await world.client.get();
    await session.calls.probe();
    stale.open();
    await refreshing;
    expect(await world.client.get()).toBe(session);
    expect(executor.line.count("initialize")).toBe(1);
  });

  it("a newer session makes the answer stale: the registry is asked again, and the session stays", async () => {
    const before = await world.registered("old");
    const after = await world.executor("new");
    const original = await world.client.get();
    const stale = world.registry.holdNext();
    const refreshing = world.client.refresh();
    await stale.reached;
    await world.register(after);
    // The old executor is lost, and its session with it: the registry names another one.
    await before.line.cut();
    await expect(original.calls.call("environment/status", {})).rejects.toMatchObject(
      disconnected("replaced"),
    );
    const replacement = await world.client.get();
    const lookups = world.registry.lookups;
    stale.open();
    await refreshing;
    expect(world.registry.lookups).toBe(lookups + 1);
    expect(await world.client.get()).toBe(replacement);
    expect(replacement.hasEnded).toBe(false);
    await replacement.calls.probe();
    expect(after.line.count("initialize")).toBe(1);
  });

  it("a registration that was renewed by a recovery does too", async () => {
    const executor = await world.registered("same");
    const original = await world.client.get();
    const stale = world.registry.holdNext();
    const refreshing = world.client.refresh();
    await stale.reached;
    await world.register(executor, "renewed");
    await executor.line.cut();
    await original.calls.call("environment/status", {});
    const lookups = world.registry.lookups;
    stale.open();
    await refreshing;
    expect(world.registry.lookups).toBe(lookups + 1);
    expect(await world.client.get()).toBe(original);
    expect(world.client.state).toMatchObject({ registration: "renewed" });
  });
});

describe("first use", () => {
  it("is one connection, however many ask", async () => {
    const executor = await world.registered("same");
    expect(world.registry.lookups).toBe(0);
    expect(world.client.startup).toEqual({ phase: "not started" });
    const sessions = await Promise.all([world.client.get(), world.client.get(), world.client.get()]);
    expect(new Set(sessions).size).toBe(1);
    expect(world.registry.lookups).toBe(1);
    expect(executor.line.count("initialize")).toBe(1);
  });

  it("is one failure for all who wait, and the next one tries anew", async () => {
    const executor = await world.registered("same");
    executor.line.refuses = true;
    const outcomes = await Promise.allSettled([world.client.get(), world.client.get()]);
    const [first, second] = outcomes.map((outcome) => (outcome as PromiseRejectedResult).reason);
    expect(first).toMatchObject({ code: "connect_failed" });
    expect(second).toBe(first);
    expect(world.client.startup).toEqual({ phase: "finished", fault: first });
    executor.line.refuses = false;
    await (await world.client.get()).calls.probe();
    expect(world.client.startup).toEqual({ phase: "finished", fault: null });
    expect(world.registry.lookups).toBe(2);
  });

  it("may be a refresh: afterwards it is finished, and ready", async () => {
    await world.registered("same");
    await world.client.refresh();
    expect(world.client.startup).toEqual({ phase: "finished", fault: null });
    expect(world.client.state).toMatchObject({ phase: "connected" });
    await world.client.get();
    expect(world.registry.lookups).toBe(1);
  });

  it("ends for whoever waits when the environment is closed", async () => {
    await world.registered("same");
    const stalled = [world.registry.holdNext(), world.registry.holdNext()];
    const getting = world.client.get();
    const refreshing = world.client.refresh();
    await Promise.all(stalled.map(({ reached }) => reached));
    world.client.close();
    await expect(getting).rejects.toMatchObject(disconnected("closed"));
    await expect(refreshing).rejects.toMatchObject(disconnected("closed"));
    await expect(world.client.get()).rejects.toBeInstanceOf(DisconnectedFault);
    for (const gate of stalled) gate.open();
    expect(world.client.state).toEqual({ phase: "closed" });
  });
});

it("an environment and its files are the same objects after a refresh, with another executor behind them", async () => {
  await world.registered("old");
  const environment = new Environment(world.options);
  const { files } = environment;
  const oldFolder = (await environment.info()).cwd;
  const after = await world.executor("new");
  await world.register(after);
  await environment.refresh();
  expect(environment.files).toBe(files);
  const { cwd } = await environment.info();
  expect(cwd).toBe(`file://${after.server.folder}`);
  expect(cwd).not.toBe(oldFolder);
  await files.write(`${cwd}/here`, Buffer.from("on the new one"));
  expect((await files.list(cwd ?? "")).map(({ name }) => name)).toEqual(["here"]);
  expect((await environment.probe()).latencyMs).toBeGreaterThan(0);
  await environment.close();
});
