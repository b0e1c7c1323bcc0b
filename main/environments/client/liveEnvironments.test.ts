import { afterEach, beforeEach, expect, it } from "vitest";
import type { RegistryConfig } from "../registries/registry";
import { LiveEnvironments } from "./liveEnvironments";
import { TestWorld } from "./testEnvironment";

let world: TestWorld;
let environments: LiveEnvironments;
let told: [string, string][];

beforeEach(async () => {
  world = await TestWorld.open();
  told = [];
  environments = new LiveEnvironments({
    ...world.options,
    credentials: () => ({ get: async () => null }),
    env: async () => ({}),
    onState: (id, { phase }) => told.push([id, phase]),
  });
});

afterEach(async () => {
  await environments.closeAll();
  expect(environments.all).toEqual([]);
  await world.close();
});

const fixed = (url: string, identity: string): RegistryConfig => ({ kind: "fixed", url, identity });

it("nothing is connected to before somebody needs it, and each says its own state", async () => {
  const [first, second] = [await world.executor("first"), await world.executor("second")];
  const one = environments.set("one", fixed(first.line.url, "first"));
  const two = environments.set("two", fixed(second.line.url, "second"));
  expect(first.line.count("initialize") + second.line.count("initialize")).toBe(0);
  await Promise.all([one.probe(), two.probe()]);
  expect(told.filter(([id]) => id === "one").map(([, phase]) => phase)).toEqual(["connecting", "connected"]);
  expect(told.filter(([id]) => id === "two").map(([, phase]) => phase)).toEqual(["connecting", "connected"]);
});

it("setting one anew changes where it is from the next lookup on, and a refresh makes that now", async () => {
  const [before, after] = [await world.executor("before"), await world.executor("after")];
  const environment = environments.set("box", fixed(before.line.url, "before"));
  await environment.probe();
  expect(environments.set("box", fixed(after.line.url, "after"))).toBe(environment);
  await environment.probe();
  expect(environment.state).toMatchObject({ identity: "before" });
  await environment.refresh();
  expect(environment.state).toMatchObject({ identity: "after" });
  expect(environments.get("box")).toBe(environment);
});

it("one that was removed is closed, and nothing more is heard of it, also when there is another one of its name", async () => {
  const executor = await world.executor("same");
  const config = fixed(executor.line.url, "same");
  const old = environments.set("box", config);
  await old.probe();
  const removing = environments.remove("box");
  const next = environments.set("box", config);
  await removing;
  expect(next).not.toBe(old);
  expect(old.state).toEqual({ phase: "closed" });
  await expect(old.probe()).rejects.toMatchObject({ reason: "closed" });
  await next.probe();
  expect(told).toEqual([
    ["box", "connecting"],
    ["box", "connected"],
    ["box", "connecting"],
    ["box", "connected"],
  ]);
});
