import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutOff, decide, type StartEffect, type StartEvent, type StartState } from "./startMachine";

const fault = { code: "no_commit", message: "No commit.", retryable: false };
const failed = { ...cutOff, how: "failed" as const, exitCode: 3 };
const done = { ...cutOff, how: "done" as const, exitCode: 0 };

function outcome(...events: StartEvent[]): { state: StartState; effects: StartEffect[] } {
  let state: StartState = { phase: "making" };
  const effects: StartEffect[] = [];
  for (const event of events) {
    const [next, more] = decide(state, event);
    state = next;
    effects.push(...more);
  }
  return { state, effects };
}

const made: StartEvent = { type: "made", hasSetup: true, atMs: 1 };

describe("a thread that is to begin in a worktree", () => {
  it("starts at once where there is no set-up", () => {
    expect(outcome({ ...made, hasSetup: false })).toEqual({
      state: { phase: "starting" },
      effects: ["start"],
    });
  });

  it("starts when the set-up has succeeded", () => {
    expect(outcome(made, { type: "set-up ended", ending: done }).effects).toEqual(["set up", "start"]);
  });

  it("waits for the person when it has failed, and runs it again only when that is wanted", () => {
    const stopped = outcome(made, { type: "set-up ended", ending: failed });
    expect(stopped).toEqual({ state: { phase: "stopped", ending: failed }, effects: ["set up"] });
    const again = outcome(made, { type: "set-up ended", ending: failed }, { type: "again", atMs: 2 });
    expect(again.effects).toEqual(["set up", "set up"]);
  });

  it("gives the message back when there is no worktree", () => {
    expect(outcome({ type: "not made", fault })).toEqual({
      state: { phase: "returned", fault },
      effects: ["give back"],
    });
  });

  it("gives the message back to who does not want to wait for the worktree, whatever becomes of that", () => {
    const back = { state: { phase: "returned", fault: null }, effects: ["give back"] };
    expect(outcome({ type: "take back" })).toEqual(back);
    for (const late of [made, { type: "not made", fault } as const, { type: "resumed" } as const]) {
      expect(outcome({ type: "take back" }, late)).toEqual(back);
    }
  });

  it("does not run a script a second time by itself after Holdfast has died", () => {
    const left = outcome(made, { type: "resumed" });
    expect(left).toEqual({ state: { phase: "stopped", ending: cutOff }, effects: ["set up"] });
  });

  it("goes on with making and starting after Holdfast has died", () => {
    expect(outcome({ type: "resumed" }).effects).toEqual(["make"]);
    expect(outcome({ ...made, hasSetup: false }, { type: "resumed" }).effects).toEqual(["start", "start"]);
  });

  it("does what was wished first when its set-up is ended", () => {
    const anyway = outcome(
      made,
      { type: "anyway" },
      { type: "take back" },
      { type: "set-up ended", ending: failed },
    );
    expect(anyway.effects).toEqual(["set up", "end set-up", "start"]);
    const back = outcome(made, { type: "take back" }, { type: "resumed" });
    expect(back).toEqual({
      state: { phase: "returned", fault: null },
      effects: ["set up", "end set-up", "give back"],
    });
  });
});

const anyEvent: fc.Arbitrary<StartEvent> = fc.oneof(
  fc.record({ type: fc.constant("made" as const), hasSetup: fc.boolean(), atMs: fc.nat() }),
  fc.constant<StartEvent>({ type: "not made", fault }),
  fc.constantFrom(done, failed).map((ending): StartEvent => ({ type: "set-up ended", ending })),
  fc.constant<StartEvent>({ type: "thread not started", fault }),
  fc.record({ type: fc.constant("again" as const), atMs: fc.nat() }),
  fc.constantFrom<StartEvent>(
    { type: "anyway" },
    { type: "take back" },
    { type: "stop" },
    { type: "resumed" },
  ),
);

it("the message is given to the thread or back to the person, never both, and a script never runs beside itself", () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 40 }), (events) => {
      let state: StartState = { phase: "making" };
      let back = 0;
      let isRunning = false;
      for (const event of events) {
        // What can only come while it is so.
        if (event.type === "set-up ended" && !isRunning) continue;
        if (event.type === "set-up ended" || event.type === "resumed") isRunning = false;
        const [next, effects] = decide(state, event);
        for (const effect of effects) {
          if (effect === "give back") back += 1;
          if (effect === "start") expect(next.phase).toBe("starting");
          if (effect === "set up") {
            expect(isRunning).toBe(false);
            isRunning = true;
          }
        }
        expect(next.phase === "returned").toBe(back === 1);
        // Nothing is started that has been given back.
        if (state.phase === "returned") expect([next, effects]).toEqual([state, []]);
        state = next;
      }
      expect(back).toBeLessThanOrEqual(1);
    }),
  );
});
