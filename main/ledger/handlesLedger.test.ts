import { DatabaseSync } from "@photostructure/sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HandleIntent, HandleState } from "./handlesLedger";
import { makeTestLedger, type TestLedger } from "./testLedger";

let test: TestLedger;

beforeEach(() => {
  test = makeTestLedger();
});

afterEach(() => {
  test.remove();
});

function intent(handleId: string): HandleIntent {
  return {
    handleId,
    sessionId: "session",
    workspaceId: "workspace",
    profileId: "default",
    marker: `mark-${handleId}`,
    command: { file: "/opt/codex", args: ["app-server", "--listen", "unix:///s"], workingDirectory: "/w" },
    channel: { kind: "socket", path: "/run/s" },
    teardown: null,
    logPath: "/logs/s.log",
  };
}

const facts = { pid: 4711, startTime: "boot/99", processGroup: 4711 };
const nothingYet = { facts: null, startedAtMs: null, endedAtMs: null, exit: null };

const steps = {
  running: (id: string) => test.ledger.handles.started(id, facts),
  closing: (id: string) => test.ledger.handles.closing(id),
  retired: (id: string) => test.ledger.handles.retired(id),
  gone: (id: string) => test.ledger.handles.gone(id, { code: null, signal: "SIGKILL" }),
};
type Step = keyof typeof steps;

describe("a handle", () => {
  it("is on record before there is a process, then with its facts, then with its end", () => {
    const { handles } = test.ledger;
    handles.intend(intent("a"));
    const intendedAtMs = test.clock.nowMs();
    expect(handles.get("a")).toEqual({ ...intent("a"), ...nothingYet, state: "intended", intendedAtMs });

    test.clock.advance(40);
    handles.started("a", facts);
    const running = {
      ...intent("a"),
      ...nothingYet,
      state: "running",
      intendedAtMs,
      facts,
      startedAtMs: test.clock.nowMs(),
    };
    expect(test.reopen().handles.get("a")).toEqual(running);

    test.clock.advance(1_000);
    test.ledger.handles.closing("a");
    test.ledger.handles.gone("a", { code: 0, signal: null });
    expect(test.ledger.handles.get("a")).toEqual({
      ...running,
      state: "gone",
      endedAtMs: test.clock.nowMs(),
      exit: { code: 0, signal: null },
    });
  });

  it("may end without anybody knowing how", () => {
    test.ledger.handles.intend(intent("a"));
    test.ledger.handles.gone("a", null);
    expect(test.ledger.handles.get("a")).toMatchObject({ state: "gone", exit: null, facts: null });
  });

  const reach: Record<HandleState, Step[]> = {
    intended: [],
    running: ["running"],
    closing: ["running", "closing"],
    retired: ["running", "closing", "retired"],
    gone: ["gone"],
  };
  const table: Record<HandleState, Step[]> = {
    intended: ["running", "closing", "retired", "gone"],
    running: ["closing", "retired", "gone"],
    closing: ["retired", "gone"],
    retired: ["gone"],
    gone: [],
  };
  const cases = Object.entries(table).flatMap(([from, allowed]) =>
    (Object.keys(steps) as Step[]).map((to) => ({
      from: from as HandleState,
      to,
      outcome: from === to ? "stays" : allowed.includes(to) ? "moves" : "refused",
    })),
  );

  it.each(cases)("$from, $to: $outcome", ({ from, to, outcome }) => {
    const { handles } = test.ledger;
    handles.intend(intent("a"));
    for (const step of reach[from]) steps[step]("a");
    const before = handles.get("a");
    expect(before?.state).toBe(from);
    if (outcome === "refused") {
      expect(() => steps[to]("a")).toThrow(expect.objectContaining({ code: "handle_transition" }));
    } else {
      expect(steps[to]("a")).toBe(outcome === "moves");
    }
    if (outcome === "moves") expect(handles.get("a")?.state).toBe(to);
    else expect(handles.get("a")).toEqual(before);
  });

  it.each(["null", "{}", '"socket"', '{"kind":"pigeon"}', '{"kind":"socket"}'])(
    "that is said to be reached by %s cannot be reached, and is listed all the same",
    (channel) => {
      test.ledger.handles.intend(intent("a"));
      const database = new DatabaseSync(test.path);
      database.prepare("UPDATE handles SET channel = ?").run(channel);
      database.close();
      expect(test.ledger.handles.listNotGone()).toMatchObject([{ channel: { kind: "stdio" } }]);
    },
  );

  it("must be known, and is intended once", () => {
    const { handles } = test.ledger;
    expect(() => handles.closing("a")).toThrow(expect.objectContaining({ code: "handle_unknown" }));
    handles.intend(intent("a"));
    expect(() => handles.intend(intent("a"))).toThrow(expect.objectContaining({ code: "ledger_constraint" }));
    expect(() => handles.intend({ ...intent("b"), marker: "mark-a" })).toThrow(
      expect.objectContaining({ code: "ledger_constraint" }),
    );
  });
});

describe("the handles that are not gone", () => {
  it("are listed oldest first, whatever else they are", () => {
    const { handles } = test.ledger;
    for (const id of ["z", "b", "a", "y"]) {
      handles.intend(intent(id));
      test.clock.advance(1);
    }
    handles.started("b", facts);
    handles.retired("y");
    handles.gone("a", null);
    expect(handles.listNotGone().map(({ handleId, state }) => [handleId, state])).toEqual([
      ["z", "intended"],
      ["b", "running"],
      ["y", "retired"],
    ]);
  });
});
