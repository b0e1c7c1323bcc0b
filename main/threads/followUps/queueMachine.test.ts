// The races of the queue, as orders of events.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { QueueHold } from "../../ledger/queueHoldsLedger";
import {
  type CodexEntry,
  decideQueue,
  holdToKeep,
  isHoldingBack,
  isSettling,
  newQueue,
  type QueueEffect,
  type QueueEvent,
  type QueueState,
} from "./queueMachine";

const entry = (clientId: string, id = `id of ${clientId}`): CodexEntry => ({ id, clientId, input: [] });
const listed = (...clientIds: string[]): QueueEvent => ({
  type: "listed",
  entries: clientIds.map((clientId) => entry(clientId)),
});
const loaded: QueueEvent = { type: "loaded", last: "completed" };
const changed: QueueEvent = { type: "changed" };
const run = (phase: QueueState["run"]): QueueEvent => ({ type: "run", phase });
const over = (how: "completed" | "interrupted" | "failed" | "unknown"): QueueEvent => ({
  type: "turnOver",
  how,
});
const begins = (turnId: string): QueueEvent => ({ type: "turnStarted", turnId });
const fails = (turnId: string): QueueEvent => ({ type: "failing", turnId });
const here = (...clientIds: string[]): QueueEvent => ({
  type: "ours",
  here: clientIds,
  arriving: 0,
  isClear: true,
});

/** The state after these events, and what was decided on the way. */
function play(events: QueueEvent[], hold: QueueHold | null = null) {
  let state = newQueue(hold);
  const effects: QueueEffect[] = [];
  for (const event of events) {
    const [next, more] = decideQueue(state, event);
    state = next;
    effects.push(...more);
  }
  return { state, effects, of: (type: QueueEffect["type"]) => effects.filter((one) => one.type === type) };
}

/** A turn runs, and these wait in codex's queue. */
const running = (...clientIds: string[]): QueueEvent[] => [
  loaded,
  listed(...clientIds),
  run("asked"),
  run("running"),
  begins("t1"),
];

describe("codex's queue is listed", () => {
  it("after a load, and once more however often it changes meanwhile", () => {
    const { state, of } = play([loaded, changed, changed, changed, listed("a"), listed("a", "b")]);
    expect(of("list")).toHaveLength(2);
    expect(state).toMatchObject({ isListed: true, listing: "none" });
    expect(state.inCodex.map(({ clientId }) => clientId)).toEqual(["a", "b"]);
  });

  it("again after a failure only when it has changed meanwhile", () => {
    const failed: QueueEvent = { type: "unlisted", because: "failed" };
    expect(play([loaded, failed]).of("list")).toHaveLength(1);
    expect(play([loaded, changed, failed]).of("list")).toHaveLength(2);
    expect(play([loaded, failed]).state.isListed).toBe(false);
  });

  it("with each message once, although codex takes one twice", () => {
    const { state } = play([
      loaded,
      { type: "listed", entries: [entry("a", "1"), entry("a", "2"), entry("b")] },
    ]);
    expect(state.inCodex.map(({ id }) => id)).toEqual(["1", "id of b"]);
  });

  it("no more once codex has said that it has none, until it is loaded anew", () => {
    const missing: QueueEvent = { type: "unlisted", because: "unknown method" };
    const { state, of } = play([loaded, missing, changed, changed]);
    expect(of("list")).toHaveLength(1);
    expect(state.codexHasQueue).toBe(false);
    expect(play([loaded, missing, loaded, listed("a")]).state.codexHasQueue).toBe(true);
  });
});

describe("Stop", () => {
  it("holds the queue, and is to be written down before it is sent", () => {
    const stopping = play([...running("a"), { type: "stopping" }]);
    expect(holdToKeep(stopping.state)).toBe("stopped");
    const { state } = play([...running("a"), { type: "stopping" }, run("idle"), over("interrupted")]);
    expect(state.hold).toBe("stopped");
  });

  it("holds nothing when the turn had ended by itself", () => {
    const { state } = play([...running("a"), { type: "stopping" }, run("idle"), over("completed")]);
    expect(state.hold).toBeNull();
    expect(holdToKeep(state)).toBeNull();
  });

  it("pressed before the turn has a name holds all the same, also until its end", () => {
    const { state } = play([
      loaded,
      listed("a"),
      run("asked"),
      { type: "stopping" },
      run("running"),
      begins("t1"),
    ]);
    expect(holdToKeep(state)).toBe("stopped");
  });

  it("of nothing does nothing", () => {
    expect(play([loaded, listed("a"), { type: "stopping" }]).state.hold).toBeNull();
  });

  it("of another client is one too", () => {
    expect(play([...running("a"), run("idle"), over("interrupted")]).state.hold).toBe("stopped");
  });

  it("outweighs the failure that comes after it", () => {
    const { state, of } = play([
      ...running("a"),
      { type: "stopping" },
      fails("t1"),
      run("idle"),
      over("interrupted"),
    ]);
    expect(of("interrupt")).toEqual([]);
    expect(state.hold).toBe("stopped");
  });
});

describe("a turn fails", () => {
  it("with an empty queue: nothing is done", () => {
    expect(play([...running(), fails("t1")]).of("interrupt")).toEqual([]);
  });

  it.each(["interrupted", "failed"] as const)("is interrupted at its error, and then ends as %s", (how) => {
    const { state, of } = play([...running("a"), fails("t1"), run("idle"), over(how)]);
    expect(of("interrupt")).toEqual([{ type: "interrupt", turnId: "t1" }]);
    expect(state.hold).toBe("failed");
  });

  it("after its status has already said so", () => {
    const { state, of } = play([...running("a"), run("idle"), fails("t1"), over("interrupted")]);
    expect(of("interrupt")).toHaveLength(1);
    expect(state).toMatchObject({ hold: "failed", guard: "none" });
  });

  it("with a message that may just be arriving in the queue", () => {
    const arriving: QueueEvent = { type: "ours", here: [], arriving: 1, isClear: false };
    expect(play([...running(), arriving, fails("t1")]).of("interrupt")).toHaveLength(1);
  });

  const late = [...running("a", "b"), fails("t1"), run("idle"), over("failed")];

  it("too late to be interrupted: what is taken up all the same is, whatever is told of it first", () => {
    for (const taken of [
      [changed, run("running"), begins("t2")],
      [run("running"), begins("t2"), changed],
      [begins("t2"), run("running")],
    ]) {
      const { state, of } = play([...late, ...taken]);
      expect(of("interrupt").at(-1)).toEqual({ type: "interrupt", turnId: "t2" });
      expect(holdToKeep(state)).toBe("failed");
      const [idle] = decideQueue(state, run("idle"));
      const [after, effects] = decideQueue(idle, over("interrupted"));
      expect(after).toMatchObject({ hold: "failed", guard: "none", heldBackTurnId: null });
      expect(effects).toEqual([{ type: "putBack", turnId: "t2" }]);
    }
  });

  it("and again when what was taken up was quicker than its interrupt", () => {
    const { state, of } = play([
      ...late,
      run("running"),
      begins("t2"),
      run("idle"),
      over("completed"),
      run("running"),
      begins("t3"),
    ]);
    expect(of("interrupt").map((effect) => "turnId" in effect && effect.turnId)).toEqual(["t1", "t2", "t3"]);
    expect(isHoldingBack(state)).toBe(true);
    // What was too quick has been said, and only the other one waits again.
    const after = play([...late, run("running"), begins("t2"), run("idle"), over("completed")]);
    expect(after.of("putBack")).toEqual([]);
  });

  it("and later on, once it is seen to be what was to wait", () => {
    const settled: QueueEvent = { type: "settled", last: "failed" };
    const later = [...late, settled, run("running"), begins("t2")];
    // Another program may have begun it with words of its own.
    expect(play(later).of("interrupt")).toHaveLength(1);
    expect(play(later).state).toMatchObject({ hold: null, guard: "none" });
    const { state, of } = play([...later, { type: "takenUp", turnId: "t2" }]);
    expect(of("interrupt").at(-1)).toEqual({ type: "interrupt", turnId: "t2" });
    expect(holdToKeep(state)).toBe("failed");
    const [after, effects] = decideQueue(decideQueue(state, run("idle"))[0], over("interrupted"));
    expect(after).toMatchObject({ hold: "failed", isDoubtful: false });
    expect(effects).toEqual([{ type: "putBack", turnId: "t2" }]);
  });

  it("but what is let go, or goes on after a turn of the person's own, is not stopped", () => {
    const settled: QueueEvent = { type: "settled", last: "failed" };
    const takenUp: QueueEvent = { type: "takenUp", turnId: "t2" };
    const go: QueueEvent = { type: "resumed" };
    const ofOwn = [...late, settled, run("asked"), run("running"), begins("t2"), takenUp];
    expect(play(ofOwn).of("interrupt")).toHaveLength(1);
    const letGo = [...late, settled, go, run("running"), begins("t2"), takenUp];
    expect(play(letGo).of("interrupt")).toHaveLength(1);
    const next = [...ofOwn, run("idle"), over("completed"), run("running"), begins("t3")];
    expect(play([...next, { type: "takenUp", turnId: "t3" }]).of("interrupt")).toHaveLength(1);
  });

  it("nothing is put back when the person stops what was taken up", () => {
    const taken = [...late, run("running"), begins("t2"), { type: "stopping" } as const, run("idle")];
    expect(play([...taken, over("interrupted")]).of("putBack")).toEqual([]);
  });

  it("but a turn that the person asks for right then goes on, and ends the hold", () => {
    for (const asked of [
      [run("asked"), run("running"), begins("t2")],
      [run("asked"), begins("t2"), run("running")],
    ]) {
      const { state, of } = play([...late, ...asked]);
      expect(of("interrupt")).toHaveLength(1);
      expect(state).toMatchObject({ hold: null, guard: "none" });
    }
  });

  it("and the person says go: what is taken up then is what they want", () => {
    const { state, of } = play([...late, { type: "resumed" }, run("running"), begins("t2")]);
    expect(of("interrupt")).toHaveLength(1);
    expect(state.hold).toBeNull();
  });

  it("and nothing is taken up for a moment: codex holds, or the queue was emptied", () => {
    const { state } = play([...late, { type: "settled", last: "failed" }, run("running"), begins("t2")]);
    expect(state.hold).toBeNull();
  });
});

describe("a load", () => {
  it("says nothing of a hold before the thread has been idle for a moment", () => {
    const { state } = play([{ type: "loaded", last: "interrupted" }, listed("a")]);
    expect(state.hold).toBeNull();
    expect(isSettling(state)).toBe(true);
    expect(decideQueue(state, { type: "settled", last: "interrupted" })[0].hold).toBe("stopped");
    expect(decideQueue(state, { type: "settled", last: "failed" })[0].hold).toBe("failed");
    expect(decideQueue(state, { type: "settled", last: "completed" })[0].hold).toBe("waiting");
  });

  it("finds the queue going on by itself", () => {
    const { state } = play([
      loaded,
      listed("a"),
      run("running"),
      begins("t2"),
      { type: "settled", last: "completed" },
    ]);
    expect(state.hold).toBeNull();
  });

  it("keeps what was held held, and stops what codex takes up all the same", () => {
    const { state, of } = play([loaded, listed("a"), run("running"), begins("t2")], "stopped");
    expect(of("interrupt")).toEqual([{ type: "interrupt", turnId: "t2" }]);
    expect(holdToKeep(state)).toBe("stopped");
    const rest = play([loaded, listed("a"), { type: "settled", last: "interrupted" }], "stopped").state;
    expect(rest).toMatchObject({ hold: "stopped", guard: "none" });
  });

  it("after a failure behind which nothing waits leaves alone what somebody else begins", () => {
    const gone: QueueEvent = { type: "unloaded", isProcessGone: false };
    const failed = [...running(), run("idle"), over("failed")];
    expect(play([...failed, gone, loaded, run("running"), begins("t2")]).of("interrupt")).toEqual([]);
    // It was not known whether something waits, and nothing has been taken up.
    const unlisted = [...failed, changed, gone, loaded, listed()];
    expect(isSettling(play(unlisted).state)).toBe(true);
    const later: QueueEvent = { type: "settled", last: "failed" };
    expect(play([...unlisted, later, run("running"), begins("t2")]).of("interrupt")).toEqual([]);
  });

  it("does not stop what runs in it already", () => {
    const { of } = play([run("running"), loaded, listed("a"), begins("t2")], "stopped");
    expect(of("interrupt")).toEqual([]);
  });

  it("after codex was killed in mid-turn holds nothing", () => {
    const gone: QueueEvent = { type: "unloaded", isProcessGone: true };
    const { state } = play([...running("a"), gone, run("idle"), over("interrupted"), loaded, listed("a")]);
    expect(state.hold).toBeNull();
  });

  it("after which the turn is found interrupted by somebody else holds", () => {
    const gone: QueueEvent = { type: "unloaded", isProcessGone: false };
    expect(play([...running("a"), gone, run("idle"), over("interrupted"), loaded]).state.hold).toBe(
      "stopped",
    );
  });
});

describe("the ledger's queue", () => {
  const none: QueueEvent = { type: "unlisted", because: "unknown method" };
  const taken = (events: QueueEvent[], hold: QueueHold | null = null) =>
    play(events, hold)
      .of("take")
      .map((effect) => "clientId" in effect && effect.clientId);

  it("gives its first when the thread is idle, and nothing while a turn runs", () => {
    expect(taken([loaded, none, run("running"), here("a", "b")])).toEqual([]);
    expect(taken([loaded, none, run("running"), here("a", "b"), run("idle"), over("completed")])).toEqual([
      "a",
    ]);
  });

  it("waits until it is known how the turn has ended", () => {
    const idle = [loaded, none, run("running"), begins("t1"), here("a"), run("idle")];
    expect(taken(idle)).toEqual([]);
    expect(taken([...idle, over("failed")])).toEqual([]);
    expect(taken([...idle, over("interrupted")])).toEqual([]);
    expect(taken([...idle, over("unknown")])).toEqual([]);
    expect(taken([...idle, over("completed")])).toEqual(["a"]);
  });

  it("waits for a message that is on its way or may be with codex", () => {
    const unclear: QueueEvent = { type: "ours", here: ["a"], arriving: 0, isClear: false };
    expect(taken([loaded, none, unclear])).toEqual([]);
    expect(taken([loaded, none, unclear, here("a")])).toEqual(["a"]);
  });

  it("waits for a load", () => {
    expect(taken([here("a"), { type: "unloaded", isProcessGone: false }])).toEqual([]);
    expect(taken([here("a"), loaded])).toEqual(["a"]);
  });

  it("stays held through a restart, and after a failure while nobody looked", () => {
    expect(taken([here("a"), loaded, none], "stopped")).toEqual([]);
    expect(taken([here("a"), { type: "loaded", last: "failed" }, none])).toEqual([]);
    expect(taken([here("a"), { type: "loaded", last: "interrupted" }, none])).toEqual(["a"]);
    expect(taken([here("a"), loaded, none, { type: "resumed" }], "stopped")).toEqual(["a"]);
  });

  it("is not held by an interrupt of its own: it does not go on by itself", () => {
    const { state, of } = play([loaded, none, run("running"), begins("t1"), here("a"), fails("t1")]);
    expect(of("interrupt")).toEqual([]);
    expect(holdToKeep(state)).toBe("failed");
  });

  it("is held when what it gave was refused", () => {
    expect(play([loaded, none, here("b"), { type: "refused" }]).state.hold).toBe("failed");
  });

  it("goes on after a turn of one's own", () => {
    const own = [run("asked"), run("running"), begins("t2"), run("idle"), over("completed")];
    expect(taken([here("a"), loaded, none, ...own], "stopped")).toEqual(["a"]);
  });
});

describe("in any order of events", () => {
  const phase = fc.constantFrom<QueueState["run"]>("idle", "asked", "running");
  const ids = fc.uniqueArray(fc.constantFrom("a", "b", "c"), { maxLength: 3 });
  const event: fc.Arbitrary<QueueEvent> = fc.oneof(
    fc.constantFrom<QueueEvent>(
      loaded,
      { type: "loaded", last: "failed" },
      changed,
      { type: "unlisted", because: "failed" },
      { type: "unlisted", because: "unknown method" },
      { type: "unloaded", isProcessGone: true },
      { type: "unloaded", isProcessGone: false },
      { type: "stopping" },
      { type: "refused" },
      { type: "resumed" },
      { type: "settled", last: "interrupted" },
      fails("t1"),
      begins("t1"),
      begins("t2"),
    ),
    phase.map(run),
    fc.constantFrom("completed" as const, "interrupted" as const, "failed" as const).map(over),
    ids.map((clientIds) => listed(...clientIds)),
    fc
      .record({ waiting: ids, isClear: fc.boolean() })
      .map(({ waiting, isClear }): QueueEvent => ({ type: "ours", here: waiting, arriving: 0, isClear })),
  );

  it("nothing is taken while held, running, unloaded or unclear, and always the first", () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        let state = newQueue(null);
        for (const one of events) {
          const [next, effects] = decideQueue(state, one);
          state = next;
          for (const effect of effects) {
            if (effect.type !== "take") continue;
            expect(state).toMatchObject({
              hold: null,
              run: "idle",
              isLoaded: true,
              isClear: true,
              isOwed: false,
            });
            expect(effect.clientId).toBe(state.here[0]);
          }
        }
      }),
    );
  });

  it("one list at most is asked for at a time, and what changed while it was is asked for again", () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        let state = newQueue(null);
        let open = 0;
        for (const one of events) {
          if (one.type === "loaded" || one.type === "unloaded") open = 0;
          if (one.type === "listed" || one.type === "unlisted") open = Math.max(0, open - 1);
          const [next, effects] = decideQueue(state, one);
          state = next;
          open += effects.filter(({ type }) => type === "list").length;
          expect(open).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it("a turn that was asked for here is never interrupted", () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        let state = newQueue(null);
        for (const one of events) {
          const isOurs = state.isOurs;
          const [next, effects] = decideQueue(state, one);
          state = next;
          if (one.type === "turnStarted" && isOurs)
            expect(effects.filter(({ type }) => type === "interrupt")).toEqual([]);
        }
      }),
    );
  });
});
