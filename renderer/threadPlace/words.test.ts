import { describe, expect, test } from "vitest";
import type { EnvironmentConnection, ThreadEnvironment } from "../../preload/contract/environments";
import { replaced } from "../environments/testEnvironments";
import { approvalTrouble, onEnvironment, onPlace, placeLook, placeTrouble, whyItStays } from "./words";

const place: ThreadEnvironment = {
  environmentId: "e",
  name: "build-box",
  cwd: "/srv/app",
  state: "connected",
  executorGone: false,
  fault: null,
};
const fault = { code: "lookup", message: "The file could not be read.", retryable: true };
const lost = { ...place, state: "disconnected" } as const;
const removed = { ...place, name: null };

const connected: EnvironmentConnection = {
  state: "connected",
  identity: "A",
  registration: "A",
  session: 1,
  sinceMs: 0,
};
const reconnecting: EnvironmentConnection = { state: "reconnecting", attempt: 1, fault };
const failed: EnvironmentConnection = { state: "not connected", fault };

test("a place is said by its name, and a removed one as removed", () => {
  expect(onPlace(place)).toBe("on build-box");
  expect(onPlace(removed)).toBe("in a removed environment");
});

test("a row that runs on this machine says nothing, and one of an unknown environment says that it was removed", () => {
  const environments = [{ environmentId: "e", name: "build-box" }];
  expect(onEnvironment(undefined, environments)).toBe(null);
  expect(onEnvironment("e", environments)).toBe("on build-box");
  expect(onEnvironment("gone", environments)).toBe("in a removed environment");
});

describe("how it stands", () => {
  test("is what codex says, for it is codex that runs the commands", () => {
    expect(placeLook(place, failed)).toEqual({ tone: "ok", word: "connected" });
    expect(placeLook({ ...place, state: "not used yet" }, connected).word).toBe("not used yet");
    expect(placeLook(lost, failed)).toEqual({ tone: "bad", word: "disconnected" });
    expect(placeLook(lost, undefined)).toEqual({ tone: "bad", word: "disconnected" });
  });

  test("is followed by Holdfast's own connection once codex has lost its own", () => {
    expect(placeLook(lost, reconnecting)).toEqual({ tone: "warn", word: "reconnecting" });
    const next = { tone: "hollow", word: "connects at the next turn" };
    expect(placeLook(lost, connected)).toEqual(next);
    expect(placeLook(lost, replaced)).toEqual(next);
  });

  test("is that it cannot be used where codex has said so", () => {
    expect(placeLook({ ...place, state: "not used yet", fault }, connected).word).toBe("cannot be used");
  });

  test("is that it was removed, whatever is known besides", () => {
    for (const connection of [undefined, connected, reconnecting])
      expect(placeLook({ ...removed, state: "disconnected", fault }, connection).word).toBe("removed");
  });
});

describe("what is said above the field", () => {
  test("is nothing of a place that is connected, or was not used yet", () => {
    expect(placeTrouble(place, connected, false)).toBe(null);
    expect(placeTrouble({ ...place, state: "not used yet" }, failed, false)).toBe(null);
  });

  test("says of all that is in the way that nothing runs on this machine instead", () => {
    const troubles = [
      placeTrouble(lost, failed, false),
      placeTrouble(lost, failed, true),
      placeTrouble(lost, reconnecting, false),
      placeTrouble({ ...lost, fault }, failed, false),
      placeTrouble({ ...place, fault }, connected, false),
      placeTrouble(removed, undefined, false),
    ];
    for (const trouble of troubles) {
      expect(trouble?.tone).toBe("warning");
      expect(trouble?.hint).toMatch(/(on this machine instead|to this machine by itself)\.$/);
    }
  });

  test("is calm once it is there again, and asks for no refresh", () => {
    for (const one of [lost, { ...lost, fault }]) {
      const trouble = placeTrouble(one, connected, false);
      expect(trouble).toMatchObject({
        tone: "info",
        title: "build-box is there again.",
        canRefresh: false,
      });
    }
  });

  test("never promises a refresh of what was removed", () => {
    expect(placeTrouble({ ...removed, state: "disconnected", fault }, undefined, false)?.canRefresh).toBe(
      false,
    );
    expect(placeTrouble(lost, failed, false)?.canRefresh).toBe(true);
  });

  test("begins with main's own words for why", () => {
    const why = { ...fault, hint: "Write it.", detail: "ENOENT" };
    const trouble = placeTrouble({ ...lost, fault: why }, failed, false);
    expect(trouble?.detail).toBe("ENOENT");
    expect(trouble?.title).toBe("The file could not be read.");
    expect(trouble?.hint).toBe("Write it. Nothing of this thread runs on this machine instead.");
  });

  test("says nothing twice that main has said", () => {
    const said = { ...fault, hint: "Nothing was run on this machine instead." };
    expect(placeTrouble({ ...lost, fault: said }, failed, false)?.hint).toBe(said.hint);
  });
});

describe("what is said of an approval", () => {
  test("is nothing while codex is connected there", () => {
    for (const connection of [connected, reconnecting, failed, replaced, undefined])
      expect(approvalTrouble(place, connection)).toBe(null);
  });

  test("is that it will fail where the executor is known to be another one, or to be gone", () => {
    const words = /is not there any more: it will fail, and nothing of it runs elsewhere\.$/;
    expect(approvalTrouble({ ...lost, executorGone: true }, connected)).toMatch(words);
    expect(approvalTrouble(lost, replaced)).toMatch(words);
    expect(approvalTrouble(lost, failed)).toMatch(words);
  });

  test("promises no failure where the same executor may be there again", () => {
    for (const connection of [connected, reconnecting, undefined])
      expect(approvalTrouble(lost, connection)).toMatch(/fails if it does not come back\. Nothing of it/);
  });
});

test("a thread stays where it is while its turn runs, and an agent always", () => {
  expect(whyItStays({ running: false, isAgent: false })).toBe(null);
  expect(whyItStays({ running: true, isAgent: false })).toMatch(/turn has ended/);
  expect(whyItStays({ running: false, isAgent: true })).toMatch(/agent/);
});
