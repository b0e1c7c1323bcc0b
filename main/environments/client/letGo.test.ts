// An environment that is let go of on purpose: all that was under way is given up, nobody connects by itself, and whoever needs it
// later connects anew.

import { afterEach, beforeEach, expect, it } from "vitest";
import { shell, TestListener, TestWorld } from "./testEnvironment";

let world: TestWorld;

beforeEach(async () => {
  world = await TestWorld.open();
});

afterEach(async () => {
  await world.close();
});

it("ends the session and what runs in it, without a fault, until somebody needs it again", async () => {
  const { line } = await world.registered("box");
  const session = await world.client.get();
  const listener = new TestListener();
  const process = await session.start(shell("cat", { input: true }), listener.tell);
  world.client.letGo();
  expect(world.client.state).toEqual({ phase: "disconnected", fault: null });
  await listener.ended();
  expect(listener.events.at(-1)).toMatchObject({ type: "lost", fault: { reason: "let go" } });
  await expect(process.write(Buffer.from("late"))).rejects.toMatchObject({ reason: "let go" });
  expect(line.count("initialize")).toBe(1);
  const next = await world.client.get();
  expect(next.sessionId).not.toBe(session.sessionId);
  expect(line.count("initialize")).toBe(2);
});

it("gives up an attempt and a refresh that are stalled: who waits is told, and nothing of them comes later", async () => {
  await world.registered("box");
  const gate = world.registry.holdNext();
  const getting = world.client.get();
  await gate.reached;
  const refreshGate = world.registry.holdNext();
  const refreshing = world.client.refresh();
  await refreshGate.reached;
  world.client.letGo();
  await expect(getting).rejects.toMatchObject({ reason: "let go" });
  await expect(refreshing).rejects.toMatchObject({ reason: "let go" });
  gate.open();
  refreshGate.open();
  // Whatever the two lookups would have brought has been dropped when a third one is answered.
  await world.client.get();
  expect(world.phases).toEqual(["connecting", "disconnected", "connecting", "connected"]);
});

it("gives up a recovery, and changes nothing where there is nothing, or for ever", async () => {
  world.client.letGo();
  expect(world.states).toEqual([]);
  const { server } = await world.registered("box");
  await world.client.get();
  await server.kill();
  await world.until(({ phase }) => phase === "reconnecting");
  world.client.letGo();
  expect(world.client.state).toEqual({ phase: "disconnected", fault: null });
  world.client.close();
  world.client.letGo();
  expect(world.client.state).toEqual({ phase: "closed" });
});
