import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decideLifecycle,
  type LifecycleEffect,
  type LifecycleEvent,
  type LifecycleState,
  type OpenWork,
  sessionEndDeadlineMs,
  shutDownDeadlineMs,
} from "./lifecycle";

const work: OpenWork = {
  running: ["Fix the build"],
  waiting: [],
  queued: [],
  scripts: [],
  commands: [],
  commandsToKeep: [],
  keptMinutes: 10,
  terminals: [],
  endsWithApp: [],
  canKeep: true,
};
const quit = (
  reason: Extract<LifecycleEvent, { type: "quit" }>["reason"],
  openWork: OpenWork | null = null,
  exitCode = 0,
): LifecycleEvent => ({ type: "quit", reason, exitCode, openWork });

function run(...events: LifecycleEvent[]): { state: LifecycleState; effects: LifecycleEffect[] } {
  let state: LifecycleState = { phase: "running" };
  const effects: LifecycleEffect[] = [];
  for (const event of events) {
    const [next, more] = decideLifecycle(state, event);
    state = next;
    effects.push(...more);
  }
  return { state, effects };
}

describe("the app's end", () => {
  it("comes after shutting down when nothing is open", () => {
    expect(run(quit("person")).effects).toEqual([
      { type: "shut down", reason: "person", work: "stop", deadlineMs: shutDownDeadlineMs },
    ]);
    expect(run(quit("person"), { type: "shut down" })).toMatchObject({
      state: { phase: "ended" },
      effects: [{ type: "shut down" }, { type: "end", exitCode: 0, relaunch: null }],
    });
  });

  it("asks first when work is open, and does what the person chooses", () => {
    expect(run(quit("person", work)).effects).toEqual([{ type: "ask", openWork: work }]);
    for (const choice of ["keep", "stop"] as const) {
      expect(run(quit("person", work), { type: "answered", choice }).effects.at(-1)).toMatchObject({
        type: "shut down",
        work: choice,
      });
    }
    const { state, effects } = run(quit("person", work), { type: "answered", choice: "cancel" });
    expect(state).toEqual({ phase: "running" });
    expect(effects).toHaveLength(1);
  });

  it("asks again the next time after it was cancelled", () => {
    const { effects } = run(
      quit("person", work),
      { type: "answered", choice: "cancel" },
      quit("person", work),
    );
    expect(effects.map((effect) => effect.type)).toEqual(["ask", "ask"]);
  });

  it("is asked for twice but the person is asked once", () => {
    const { effects } = run(quit("person", work), quit("person", work));
    expect(effects.map((effect) => effect.type)).toEqual(["ask", "bring up question"]);
  });

  it.each(["signal", "session end"] as const)("asks nobody on a %s", (reason) => {
    expect(run(quit(reason, work)).effects.map((effect) => effect.type)).toEqual(["shut down"]);
  });

  it("withdraws the question on a signal, and ignores a late answer", () => {
    const { state, effects } = run(quit("person", work), quit("signal", null, 143), {
      type: "answered",
      choice: "cancel",
    });
    expect(effects.map((effect) => effect.type)).toEqual(["ask", "withdraw question", "shut down"]);
    expect(state.phase).toBe("stopping");
  });

  it("has less time when the system ends the session", () => {
    expect(run(quit("session end")).effects).toMatchObject([{ deadlineMs: sessionEndDeadlineMs }]);
    expect(sessionEndDeadlineMs).toBeLessThan(shutDownDeadlineMs);
  });

  it("waits for the shutdown whatever comes meanwhile: a second signal would leave processes behind", () => {
    const { state, effects } = run(quit("signal", null, 130), quit("signal", null, 130));
    expect(state.phase).toBe("stopping");
    expect(effects.filter((effect) => effect.type === "end")).toEqual([]);
    const ended = run(quit("signal", null, 130), quit("signal", null, 130), { type: "shut down" });
    expect(ended.effects.at(-1)).toEqual({ type: "end", exitCode: 130, relaunch: null });
  });

  it("is followed by a new start when the app was started while it shut down", () => {
    const { effects } = run(quit("person"), { type: "launched again", folder: "/a" }, { type: "shut down" });
    expect(effects.at(-1)).toEqual({ type: "end", exitCode: 0, relaunch: { folder: "/a" } });
  });

  it("after a failure tells of it once, shuts down meanwhile, and waits for both", () => {
    const failed = run(quit("failure", null, 1), quit("failure", null, 1));
    expect(failed.effects.map((effect) => effect.type)).toEqual(["tell of failure", "shut down"]);
    for (const order of [
      ["told", "shut down"],
      ["shut down", "told"],
    ] as const) {
      const [first, second] = order;
      expect(run(quit("failure", null, 1), { type: first }).state.phase).toBe("stopping");
      expect(run(quit("failure", null, 1), { type: first }, { type: second }).effects.at(-1)).toEqual({
        type: "end",
        exitCode: 1,
        relaunch: null,
      });
    }
  });

  it("shows in the exit code that something failed while it shut down", () => {
    const { effects } = run(quit("person"), quit("failure", null, 1), { type: "shut down" });
    expect(effects.at(-1)).toMatchObject({ type: "end", exitCode: 1 });
  });

  it("does not come by being started again while it runs: a window opens", () => {
    expect(run({ type: "launched again", folder: "/a" }).effects).toEqual([{ type: "open", folder: "/a" }]);
  });

  it("comes exactly once, is never taken back after shutting down began, and leaves no question open, in any history", () => {
    const anyEvent: fc.Arbitrary<LifecycleEvent> = fc.oneof(
      fc.record({
        type: fc.constant("quit" as const),
        reason: fc.constantFrom("person", "signal", "session end", "failure"),
        exitCode: fc.nat(2),
        openWork: fc.constantFrom(null, work),
      }),
      fc.record({
        type: fc.constant("answered" as const),
        choice: fc.constantFrom("keep", "stop", "cancel"),
      }),
      fc.record({ type: fc.constant("launched again" as const), folder: fc.constantFrom(null, "/a") }),
      fc.constant({ type: "shut down" as const }),
      fc.constant({ type: "told" as const }),
    );
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 20 }), (events) => {
        const { state, effects } = run(...events);
        const count = (type: LifecycleEffect["type"]) =>
          effects.filter((effect) => effect.type === type).length;
        expect(count("shut down")).toBeLessThanOrEqual(1);
        expect(count("end")).toBe(state.phase === "ended" ? 1 : 0);
        expect(count("tell of failure")).toBeLessThanOrEqual(1);
        const begun = effects.findIndex((effect) => effect.type === "shut down");
        if (begun >= 0) {
          const after = effects.slice(begun + 1).map((effect) => effect.type);
          expect(after.filter((type) => type !== "end")).toEqual([]);
          expect(["stopping", "ended"]).toContain(state.phase);
        }
        // From anywhere, a signal and the end of shutting down lead to the end.
        const last = run(...events, quit("signal"), { type: "shut down" }, { type: "told" });
        expect(last.state.phase).toBe("ended");
      }),
      { numRuns: 1000 },
    );
  });
});
