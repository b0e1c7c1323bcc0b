import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideRun, idleRun, isRunning, type RunEffect, type RunEvent, type RunState } from "./runMachine";

function play(events: RunEvent[], from: RunState = idleRun): { state: RunState; effects: RunEffect[] } {
  let state = from;
  const effects: RunEffect[] = [];
  for (const event of events) {
    const [next, more] = decideRun(state, event);
    state = next;
    effects.push(...more);
  }
  return { state, effects };
}

const asked: RunEvent = { type: "asked", atMs: 1 };
const answered = (turnId: string | null): RunEvent => ({ type: "answered", turnId, atMs: 2 });
const begun = (turnId: string): RunEvent => ({ type: "turnStarted", turnId, atMs: 3 });
const completed = (turnId: string): RunEvent => ({ type: "turnCompleted", turnId });
const active: RunEvent = { type: "active", atMs: 4 };
const inactive: RunEvent = { type: "inactive" };
const graceOver: RunEvent = { type: "graceOver" };
const stop: RunEvent = { type: "stop" };

function runningTurn(events: RunEvent[]): string | null | "idle" | "asked" {
  const { run } = play(events).state;
  return run.phase === "running" ? run.turnId : run.phase;
}

describe("a turn begins", () => {
  it.each([
    ["answer, then events", [asked, answered("a"), active, begun("a")], "a"],
    ["events, then the answer", [asked, active, begun("a"), answered("a")], "a"],
    ["the status, then the answer without an id", [asked, answered(null), active], null],
    ["an answer without an id, then the start", [asked, answered(null), begun("a")], "a"],
    ["the answer names another turn than the events", [asked, answered("x"), begun("a")], "a"],
    ["the events name another turn than the later answer", [asked, begun("a"), answered("x")], "a"],
    ["somebody else begins a turn", [active, begun("a")], "a"],
    ["a turn found in codex's record", [{ type: "foundRunning", turnId: "a", startedAtMs: 1 }], "a"],
  ] satisfies [string, RunEvent[], string | null][])("%s", (_name, events, turnId) => {
    expect(runningTurn(events)).toBe(turnId);
  });

  it("counts from the moment of asking", () => {
    const { run } = play([asked, answered("a"), begun("a")]).state;
    expect(run).toMatchObject({ sinceMs: 1 });
  });

  it("does not begin when the message was refused", () => {
    expect(runningTurn([asked, { type: "refused" }])).toBe("idle");
  });

  it("goes on when a message that was meant for it is refused", () => {
    expect(runningTurn([asked, answered("a"), asked, { type: "refused" }])).toBe("a");
  });
});

describe("a turn ends", () => {
  it.each([
    ["status first, as codex does", [asked, answered("a"), begun("a"), inactive, completed("a"), graceOver]],
    ["completion first", [asked, answered("a"), begun("a"), completed("a"), inactive]],
    ["the completion is lost", [asked, answered("a"), begun("a"), inactive, graceOver]],
    ["the status is lost", [asked, answered("a"), begun("a"), completed("a")]],
    ["before the answer came", [asked, begun("a"), completed("a"), answered("a")]],
    ["before the answer, by status", [asked, begun("a"), inactive, answered("a"), graceOver]],
    ["its start is heard after its end", [asked, begun("a"), completed("a"), begun("a"), answered("a")]],
    ["it was never named", [active, inactive, graceOver]],
    ["an unnamed one completes", [asked, answered(null), completed("a")]],
    ["both events lost, a later status read says so", [asked, answered("a"), inactive]],
    ["the process dies", [asked, answered("a"), begun("a"), { type: "processGone" }]],
    ["the process dies before the answer", [asked, { type: "processGone" }, answered(null)]],
    ["codex's record says so", [asked, answered("a"), { type: "foundIdle" }]],
  ] satisfies [string, RunEvent[]][])("%s", (_name, events) => {
    expect(runningTurn(events)).toBe("idle");
  });

  it("asks for the record when only the status told the end", () => {
    const { effects } = play([begun("a"), inactive, graceOver]);
    expect(effects).toEqual([{ type: "settleAfter", graceMs: 1_000 }, { type: "listTurns" }]);
  });

  it("asks for nothing when the completion came within the grace", () => {
    const { effects } = play([begun("a"), inactive, completed("a"), graceOver]);
    expect(effects).toEqual([{ type: "settleAfter", graceMs: 1_000 }]);
  });

  it("asks for the record of a turn whose end was lost even when the next one has begun", () => {
    const { state, effects } = play([begun("a"), inactive, asked, answered("b"), begun("b"), graceOver]);
    expect(effects).toContainEqual({ type: "listTurns" });
    expect(state.run).toMatchObject({ phase: "running", turnId: "b" });
  });

  it("asks at once for the record of a turn whose completion was lost when the next one ends in the same way", () => {
    const { state, effects } = play([begun("a"), inactive, begun("b"), inactive]);
    expect(effects.slice(1)).toEqual([{ type: "listTurns" }, { type: "settleAfter", graceMs: 1_000 }]);
    expect(state).toMatchObject({ owed: { turnId: "b" }, ended: ["a"] });
  });

  it("is not the end of the next one: a late completion", () => {
    expect(runningTurn([begun("a"), inactive, asked, answered(null), completed("a")])).toBeNull();
    expect(runningTurn([begun("a"), inactive, asked, answered("b"), completed("a")])).toBe("b");
    expect(runningTurn([begun("a"), inactive, asked, completed("a")])).toBe("asked");
  });

  it("is not the end of the next one: a status that comes after a message was sent", () => {
    expect(runningTurn([begun("a"), completed("a"), asked, inactive])).toBe("asked");
  });

  it("does not come back by an answer, a start or a record that is late", () => {
    const over = [begun("a"), completed("a"), begun("b"), completed("b")];
    expect(runningTurn([...over, begun("a")])).toBe("idle");
    expect(runningTurn([...over, { type: "foundRunning", turnId: "a", startedAtMs: 9 }])).toBe("idle");
    expect(runningTurn([...over, asked, answered("a")])).toBe("idle");
  });
});

describe("an answer that will never come", () => {
  const unanswered: RunEvent = { type: "unanswered" };

  it("leaves the run open to events", () => {
    expect(runningTurn([asked, unanswered, begun("a")])).toBe("a");
  });

  it("lets an idle status end it", () => {
    expect(runningTurn([asked, unanswered, inactive])).toBe("idle");
    expect(runningTurn([asked, unanswered, { type: "foundIdle" }])).toBe("idle");
  });

  it("is waited for again once something else has been sent", () => {
    expect(runningTurn([asked, unanswered, asked, inactive])).toBe("asked");
  });
});

describe("stop", () => {
  it("is sent at once when the turn has a name", () => {
    expect(play([begun("a"), stop]).effects).toEqual([{ type: "interrupt", turnId: "a" }]);
  });

  it.each([
    ["the answer names it", [answered("a")]],
    ["its start names it", [begun("a")]],
    ["codex's record names it", [{ type: "foundRunning", turnId: "a", startedAtMs: 3 }]],
    ["an answer without a name, then its start", [answered(null), begun("a")]],
  ] satisfies [string, RunEvent[]][])(
    "before the turn has a name is sent once it has: %s",
    (_name, events) => {
      const { state, effects } = play([asked, stop, ...events]);
      expect(effects).toEqual([{ type: "interrupt", turnId: "a" }]);
      expect(state.run).toMatchObject({ stopping: true });
    },
  );

  it("goes to the turn that really runs, when the answer named another", () => {
    expect(play([asked, stop, answered("x"), begun("a")]).effects).toEqual([
      { type: "interrupt", turnId: "x" },
      { type: "interrupt", turnId: "a" },
    ]);
  });

  it("is sent again when it is pressed again", () => {
    expect(play([begun("a"), stop, stop]).effects).toHaveLength(2);
  });

  it("is sent again when the turn is found running after a reconnect", () => {
    const { effects } = play([begun("a"), stop, { type: "foundRunning", turnId: "a", startedAtMs: 9 }]);
    expect(effects).toEqual([
      { type: "interrupt", turnId: "a" },
      { type: "interrupt", turnId: "a" },
    ]);
  });

  it("does nothing when nothing runs, and does not reach the next turn", () => {
    expect(play([stop]).state).toBe(idleRun);
    const { state, effects } = play([begun("a"), stop, completed("a"), asked, answered("b")]);
    expect(effects).toHaveLength(1);
    expect(state.run).toMatchObject({ turnId: "b", stopping: false });
  });
});

describe("since when", () => {
  const found = (turnId: string, startedAtMs: number): RunEvent => ({
    type: "foundRunning",
    turnId,
    startedAtMs,
  });
  it.each([
    ["a turn that is found at work runs since it began", [found("a", 4_000)], 4_000],
    [
      "so does one of which only the status was known",
      [{ type: "active", atMs: 90_000 }, found("a", 4_000)],
      4_000,
    ],
    [
      "one that was seen to begin, since then: codex's record has whole seconds",
      [{ type: "turnStarted", turnId: "a", atMs: 4_700 }, found("a", 4_000)],
      4_700,
    ],
    [
      "another one that has begun while nobody listened, since it began",
      [{ type: "turnStarted", turnId: "a", atMs: 4_700 }, found("b", 60_000)],
      60_000,
    ],
  ] satisfies [string, RunEvent[], number][])("%s", (_name, events, sinceMs) => {
    expect(play(events).state.run).toMatchObject({ sinceMs });
  });
});

it("a retry notice lasts until the turn goes on", () => {
  const retrying: RunEvent = { type: "retrying", turnId: "a", message: "Reconnecting 1/5" };
  expect(play([begun("a"), retrying]).state.run).toMatchObject({ retrying: "Reconnecting 1/5" });
  expect(play([begun("a"), retrying, { type: "progress", turnId: "a" }]).state.run).toMatchObject({
    retrying: null,
  });
  expect(play([begun("b"), retrying]).state.run).toMatchObject({ retrying: null });
});

describe("over random histories", () => {
  /** What codex and a person do, each thing with what is heard of it, in order or not, whole or in part. */
  const turnEvents = fc
    .record({
      id: fc.constantFrom("t1", "t2", "t3", "t4"),
      answer: fc.constantFrom("same", "other", "none", "never", "refused"),
      heard: fc.shuffledSubarray(["answer", "active", "started", "inactive", "completed", "grace"], {
        minLength: 0,
      }),
      stops: fc.boolean(),
    })
    .map(({ id, answer, heard, stops }): RunEvent[] => [
      asked,
      ...(stops ? [stop] : []),
      ...heard.flatMap((what): RunEvent[] => {
        switch (what) {
          case "answer":
            if (answer === "refused") return [{ type: "refused" }];
            if (answer === "never") return [{ type: "unanswered" }];
            return [answered(answer === "none" ? null : answer === "same" ? id : `${id}-other`)];
          case "active":
            return [active];
          case "started":
            return [begun(id)];
          case "inactive":
            return [inactive];
          case "completed":
            return [completed(id)];
          default:
            return [graceOver];
        }
      }),
      // Each message is answered, refused, or known to be unanswered in the end.
      ...(heard.includes("answer") ? [] : [{ type: "unanswered" } as const]),
    ]);
  const noise = fc.constantFrom<RunEvent>(
    stop,
    active,
    graceOver,
    { type: "progress", turnId: "t1" },
    { type: "foundIdle" },
  );
  const history = fc
    .array(
      fc.oneof({ weight: 3, arbitrary: turnEvents }, { weight: 1, arbitrary: noise.map((one) => [one]) }),
      {
        maxLength: 12,
      },
    )
    .map((parts) => parts.flat());

  it("is idle once codex says that it is idle", () => {
    fc.assert(
      fc.property(history, (events) => {
        // codex answers a status read, and once more: what is asked twice cannot be older than the last message.
        const { state } = play([...events, inactive, graceOver, inactive, graceOver]);
        expect(isRunning(state.run)).toBe(false);
        expect(state.owed).toBeNull();
      }),
      { numRuns: 2_000 },
    );
  });

  it("is idle once the process has gone, whatever its last words were about", () => {
    fc.assert(
      fc.property(history, (events) => {
        const { state } = play([...events, { type: "processGone" }, graceOver]);
        expect(state).toMatchObject({ run: { phase: "idle" }, owed: null });
      }),
    );
  });

  it("interrupts only turns that it believes to run, and only after a stop", () => {
    fc.assert(
      fc.property(history, (events) => {
        let state = idleRun;
        let stopped = false;
        for (const event of events) {
          if (event.type === "stop") stopped = true;
          const [next, effects] = decideRun(state, event);
          for (const effect of effects) {
            if (effect.type !== "interrupt") continue;
            expect(stopped).toBe(true);
            expect(next.run).toMatchObject({ phase: "running", turnId: effect.turnId, stopping: true });
          }
          state = next;
          if (!isRunning(state.run)) stopped = false;
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
