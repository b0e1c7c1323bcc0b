import { describe, expect, it } from "vitest";
import {
  currentFault,
  environmentLook,
  latencyWords,
  shownOf,
  sidebarLook,
  whenWords,
  whereWords,
} from "./environmentLook";
import { connected, environmentView, localServer, replaced, unreachable } from "./testEnvironments";

const words = (part: Parameters<typeof environmentView>[0]) => environmentLook(environmentView(part)).words;
const answered = { atMs: 2_000, latencyMs: 3.2, fault: null };
const silent = { atMs: 2_000, latencyMs: null, fault: unreachable };
const reconnecting = { state: "reconnecting", attempt: 2, fault: unreachable } as const;

describe("how an environment stands", () => {
  it("is said with how quickly it has answered, as long as that is about this connection", () => {
    expect(words({ connection: connected })).toBe("connected");
    expect(words({ connection: connected, check: answered })).toBe("connected · 3 ms");
    expect(words({ connection: { ...connected, sinceMs: 3_000 }, check: answered })).toBe("connected");
    expect(words({ connection: connected, check: silent })).toBe("connected, does not answer");
  });

  it("tells one that nobody has used from one that cannot be reached", () => {
    expect(words({})).toBe("not connected");
    expect(words({ connection: { state: "not connected", fault: unreachable } })).toBe("failed");
    expect(environmentLook(environmentView({ connection: replaced }))).toEqual({
      tone: "hollow",
      words: "was replaced",
    });
    expect(words({ connection: { state: "connecting" } })).toBe("connecting");
    expect(words({ connection: reconnecting })).toBe("reconnecting, attempt 2");
    expect(words({ connection: connected, refreshing: true })).toBe("refreshing");
  });

  it("is, for one on this machine, how its exec-server stands", () => {
    expect(words({ server: localServer() })).toBe("stopped");
    expect(words({ server: localServer({ fault: unreachable }) })).toBe("failed");
    expect(words({ server: localServer({ state: "starting" }) })).toBe("starting");
    expect(words({ server: localServer({ state: "ending" }), connection: connected })).toBe("stopping");
    expect(words({ server: localServer({ state: "running" }) })).toBe("running");
    expect(words({ server: localServer({ state: "running" }), connection: connected, check: answered })).toBe(
      "running · 3 ms",
    );
    expect(
      words({
        server: localServer({ state: "running" }),
        connection: { state: "not connected", fault: unreachable },
      }),
    ).toBe("failed");
  });

  it("gives why it cannot be used, and nothing that is over", () => {
    const fault = (part: Parameters<typeof environmentView>[0]) => currentFault(environmentView(part));
    expect(fault({ connection: { state: "not connected", fault: unreachable } })).toBe(unreachable);
    expect(fault({ connection: reconnecting })).toBe(unreachable);
    expect(fault({ connection: connected, check: silent })).toBe(unreachable);
    expect(fault({ connection: { ...connected, sinceMs: 3_000 }, check: silent })).toBeNull();
    expect(fault({ server: localServer({ fault: unreachable }) })).toBe(unreachable);
    expect(fault({ server: localServer({ state: "running", fault: unreachable }) })).toBeNull();
  });
});

describe("where it is found", () => {
  it("is said briefly", () => {
    expect(whereWords({ kind: "local" })).toBe("on this machine");
    expect(whereWords({ kind: "fixed", url: "ws://127.0.0.1:1", identity: "x" })).toBe("ws://127.0.0.1:1");
    expect(whereWords({ kind: "file", path: "/a b.json" })).toBe("file /a b.json");
  });

  it("keeps the arguments of a command apart", () => {
    expect(whereWords({ kind: "command", command: "where", args: ["--name", "build box", ""] })).toBe(
      'command where --name "build box" ""',
    );
  });
});

describe("the entry in the sidebar", () => {
  const down = environmentView({
    environmentId: "down",
    connection: { state: "not connected", fault: unreachable },
  });
  const up = environmentView({ environmentId: "up", connection: connected });
  const unused = environmentView({ environmentId: "unused" });

  it("says what is in the way of a thread before how many are connected", () => {
    expect(sidebarLook([down, up], new Set(["down"]))?.words).toBe("1 disconnected");
    expect(sidebarLook([{ ...up, connection: reconnecting }, up], new Set(["up"]))?.words).toBe(
      "1 reconnecting",
    );
  });

  it("does not trouble anyone with one that no thread uses, or that nobody has used yet", () => {
    expect(sidebarLook([down, up], new Set(["up"]))?.words).toBe("1 connected");
    expect(sidebarLook([unused], new Set(["unused"]))).toBeNull();
    expect(sidebarLook([{ ...unused, connection: replaced }], new Set(["unused"]))).toBeNull();
    expect(sidebarLook([down], new Set())).toBeNull();
  });
});

describe("the one that is shown", () => {
  it("is the one that was chosen, or the first when that is gone", () => {
    const list = [environmentView({ environmentId: "a" }), environmentView({ environmentId: "b" })];
    expect(shownOf(list, "b")).toBe(list[1]);
    expect(shownOf(list, "gone")).toBe(list[0]);
    expect(shownOf(list, null)).toBe(list[0]);
    expect(shownOf([], "gone")).toBeUndefined();
  });
});

describe("times", () => {
  it("are as long as they need", () => {
    expect([0.4, 3.2, 999.4, 1_240].map(latencyWords)).toEqual(["under 1 ms", "3 ms", "999 ms", "1.2 s"]);
  });

  it("name the day when it is not today", () => {
    const at = new Date(2026, 10, 30, 9, 5, 7).getTime();
    expect(whenWords(at, new Date(2026, 10, 30, 23).getTime(), "en-GB")).toBe("09:05:07");
    expect(whenWords(at, new Date(2026, 11, 1, 1).getTime(), "en-GB")).toBe("30 Nov, 09:05:07");
  });
});
