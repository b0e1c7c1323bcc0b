import { expect, test } from "vitest";
import { ManualClock } from "../clock";
import { OwnCodex } from "./ownCodex";
import { lobbyId } from "./workspaceSessions";

type Places = ConstructorParameters<typeof OwnCodex>[0];

function setUp(live: Set<string>) {
  const workspaces = { list: () => ["first", "second", "demo"].map((id) => ({ id, demo: id === "demo" })) };
  const anyConnection = (ids: string[]) => ids.find((id) => live.has(id)) ?? null;
  const sessions = { anyConnection, state: () => undefined, need: async (id: string) => `started ${id}` };
  return new OwnCodex({ workspaces, sessions } as unknown as Places, new ManualClock());
}

test("the codex that was started last is asked, since it knows the configuration as it is now", async () => {
  const live = new Set(["demo", "first", "second"]);
  const own = setUp(live);
  own.begins("first");
  own.begins("second");
  expect(await own.connection()).toBe("second");
  own.begins("first");
  expect(await own.connection()).toBe("first");
  live.delete("first");
  expect(await own.connection()).toBe("second");
  // While somebody signs in there.
  live.add(lobbyId);
  expect(await own.connection()).toBe(lobbyId);
});

test("where none is live one is started, and never the demo's", async () => {
  const own = setUp(new Set(["demo"]));
  own.begins("first");
  expect(await own.connection()).toBe(`started ${lobbyId}`);
});
