import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Fault } from "../fault";
import { decide } from "./sessionMachine";
import {
  generationOf,
  type LiveFacts,
  maxQuickDeaths,
  newSession,
  ownedHandles,
  quickDeathMs,
  type RetiredHandle,
  type Session,
  type SessionEffect,
  type SessionEvent,
  stateOf,
} from "./sessionState";

const gone = new Fault("codex_exited", "codex was killed (SIGKILL).");
const lost = new Fault("connection_lost", "The connection was lost.");
const left = new Fault("process_not_ended", "It did not end.");

type Next = (session: Session) => SessionEvent;

function factsOf(handleId: string, startedAtMs = 0): LiveFacts {
  return { handleId, pid: 1, codexVersion: "0", codexHome: "/c", startedAtMs, endsWithApp: false };
}

/** The session after these events, and the effects of the last. */
function historyOf(...events: Next[]): { session: Session; effects: SessionEffect[] } {
  return from(newSession(), ...events);
}

function from(start: Session, ...events: Next[]): { session: Session; effects: SessionEffect[] } {
  let session = start;
  let effects: SessionEffect[] = [];
  for (const event of events) [session, effects] = decide(session, event(session));
  return { session, effects };
}

const needed =
  (id: number): Next =>
  () => ({ type: "needed", id });
const restart =
  (id: number): Next =>
  () => ({ type: "restart", id });
const replace =
  (id: number): Next =>
  () => ({ type: "replace", id });
const close =
  (id: number, everything = false): Next =>
  () => ({ type: "close", id, everything });
/** The process that is being launched answers; its handle is named by its generation. */
const launched: Next = ({ generation, connections }) => ({
  type: "launched",
  generation,
  connection: connections,
  facts: factsOf(`h${generation}`),
});
const launchFailed: Next = ({ generation }) => ({
  type: "launchFailed",
  generation,
  fault: gone,
  atMs: 0,
  left: null,
});
const closed =
  (handleId: string, fault: Fault | null = null): Next =>
  () => ({ type: "closeEnded", handleId, fault });
const cutOff =
  (atMs = 0): Next =>
  ({ current, connection }) => ({
    type: "connectionLost",
    generation: generationOf(current) ?? 0,
    connection,
    fault: lost,
    atMs,
  });
const notReconnected =
  (atMs: number): Next =>
  ({ current, connection }) => ({
    type: "reconnectFailed",
    generation: generationOf(current) ?? 0,
    connection,
    fault: lost,
    atMs,
  });
const reconnected: Next = ({ current, connection }) => ({
  type: "reconnected",
  generation: generationOf(current) ?? 0,
  connection,
});
const exited =
  (atMs: number, shown = true): Next =>
  ({ current }) => ({ type: "exited", generation: generationOf(current) ?? 0, fault: gone, atMs, shown });
const restartDue: Next = ({ generation }) => ({ type: "restartDue", generation });

const types = (effects: SessionEffect[]) => effects.map(({ type }) => type);
const settledIds = (effects: SessionEffect[]) =>
  effects.flatMap((effect) => (effect.type === "settle" ? effect.ids : []));

describe("starting", () => {
  test("two callers who need it at once: one launch, both are answered with it", () => {
    const { session, effects } = historyOf(needed(1), needed(2));
    expect(stateOf(session)).toEqual({ phase: "starting" });
    expect(effects).toEqual([]);
    expect(settledIds(from(session, launched).effects)).toEqual([1, 2]);
  });

  test("closed while it starts: who waits is told, the launch is given up, and the close comes after its end", () => {
    const { session, effects } = historyOf(needed(1), close(2));
    expect(effects).toMatchObject([
      { type: "settle", ids: [1], fault: { code: "session_closed" } },
      { type: "abort" },
    ]);
    expect(settledIds(from(session, launchFailed).effects)).toEqual([2]);
  });

  test("a launch that succeeds in spite of being given up is closed and never used", () => {
    const late = historyOf(needed(1), close(2), launched);
    expect(late.effects).toEqual([{ type: "close", handleId: "h1" }]);
    const { session, effects } = from(late.session, closed("h1"));
    expect(stateOf(session)).toEqual({ phase: "stopped", fault: null, broken: false });
    expect(settledIds(effects)).toEqual([2]);
  });

  test("needed again after a close that is still under way: it starts when that is over", () => {
    const { session } = historyOf(needed(1), launched, close(2), needed(3));
    expect(stateOf(session).phase).toBe("closing");
    expect(types(from(session, closed("h1")).effects)).toEqual(["gone", "settle", "launch"]);
  });

  test("with a retired handle: one attempt to close it, and no start while it is left", () => {
    const retired: RetiredHandle[] = [{ handleId: "old", fault: left }];
    const trying = from(newSession(retired), needed(1));
    expect(trying.effects).toEqual([{ type: "close", handleId: "old" }]);
    expect(types(from(trying.session, closed("old")).effects)).toEqual(["launch"]);
    const refused = from(trying.session, closed("old", left));
    expect(refused.effects).toMatchObject([
      { type: "settle", fault: { code: "process_cleanup_pending", retryable: true } },
    ]);
    const cleaned = from(refused.session, () => ({ type: "clean", id: 2, handleId: "old" }), closed("old"));
    expect(stateOf(cleaned.session)).toEqual({ phase: "stopped", fault: null, broken: false });
  });
});

describe("a lost connection", () => {
  test("is made anew: at once first, then with growing pauses, without end", () => {
    let { session, effects } = historyOf(needed(1), launched, cutOff());
    const delays: number[] = [];
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const [effect] = effects;
      if (effect?.type !== "reconnect") throw new Error("no reconnect");
      delays.push(effect.delayMs);
      ({ session, effects } = from(session, notReconnected(attempt)));
    }
    expect(delays.slice(0, 4)).toEqual([0, 100, 250, 500]);
    expect(delays.at(-1)).toBe(5_000);
    expect(stateOf(from(session, reconnected).session).phase).toBe("live");
  });

  test("who waits for it is told after 15 seconds, and the attempts go on", () => {
    const { session } = historyOf(needed(1), launched, cutOff(0), needed(2));
    expect(settledIds(from(session, notReconnected(14_999)).effects)).toEqual([]);
    expect(from(session, notReconnected(15_000)).effects).toMatchObject([
      { type: "reconnect" },
      { type: "settle", ids: [2], fault: lost },
    ]);
  });

  test("and a restart meanwhile: who waited for the connection gets the new process", () => {
    const { session, effects } = historyOf(
      needed(1),
      launched,
      cutOff(),
      needed(2),
      restart(3),
      closed("h1"),
    );
    expect(types(effects)).toEqual(["gone", "launch"]);
    expect(settledIds(from(session, launched).effects).sort()).toEqual([2, 3]);
    expect(settledIds(from(session, launchFailed).effects).sort()).toEqual([2, 3]);
  });

  test("is lost while a replacement waits for a retired handle: the old process is ended first", () => {
    const { session } = historyOf(
      needed(1),
      launched,
      close(2),
      closed("h1", left),
      needed(3),
      launched,
      closed("h1", left),
    );
    const begun = from(session, replace(4), cutOff());
    expect(stateOf(begun.session).phase).toBe("starting");
    expect(from(begun.session, closed("h1")).effects).toEqual([
      { type: "mute" },
      { type: "close", handleId: "h2" },
    ]);
    // Made anew in time: it goes on until the new one has answered.
    expect(from(begun.session, reconnected, closed("h1")).effects).toMatchObject([
      { type: "launch", replacing: true },
    ]);
  });
});

describe("a death", () => {
  test("is followed by ending what it left, and by a start when somebody looks", () => {
    const { session, effects } = historyOf(needed(1), launched, exited(5_000));
    expect(stateOf(session)).toEqual({ phase: "stopped", fault: gone, broken: false });
    expect(types(effects)).toEqual(["mute", "gone", "close"]);
    const reaped = from(session, closed("h1"));
    expect(types(reaped.effects)).toEqual(["restartLater"]);
    expect(types(from(reaped.session, restartDue).effects)).toEqual(["launch"]);
  });

  test("that nobody sees waits for the next need", () => {
    const { session, effects } = historyOf(needed(1), launched, exited(5_000, false), closed("h1"));
    expect(effects).toEqual([]);
    expect(types(from(session, needed(2)).effects)).toEqual(["launch"]);
  });

  test("and a close before it is started again: it stays closed", () => {
    const waiting = historyOf(needed(1), launched, exited(5_000), closed("h1")).session;
    const { session, effects } = from(waiting, close(2));
    expect(types(effects)).toEqual(["cancelRestart", "settle"]);
    expect(from(session, restartDue)).toEqual({ session, effects: [] });
  });

  test("and a close while what it left is being ended: it stays closed", () => {
    const { session, effects } = historyOf(needed(1), launched, exited(5_000), close(2), closed("h1"));
    expect(types(effects)).toEqual(["restartLater", "cancelRestart", "settle"]);
    expect(from(session, restartDue).effects).toEqual([]);
  });

  test("a restart that falls due while a cleanup is under way is not lost", () => {
    const { session } = historyOf(needed(1), launched, exited(5_000), closed("h1", left), () => ({
      type: "clean",
      id: 2,
      handleId: "h1",
    }));
    const { effects } = from(session, restartDue, closed("h1", left));
    expect(types(effects)).toContain("launch");
  });

  test("during a replacement is taken up when that has failed", () => {
    const { session } = historyOf(needed(1), launched, replace(2), exited(5_000));
    expect(types(from(session, launchFailed).effects)).toEqual(["settle", "mute", "gone", "close"]);
    expect(types(from(session, launched).effects)).toEqual(["mute", "use", "close"]);
  });

  test("why it died is still said when what it left has been ended later", () => {
    const { session } = historyOf(
      needed(1),
      launched,
      exited(5_000, false),
      closed("h1", left),
      () => ({ type: "clean", id: 2, handleId: "h1" }),
      closed("h1"),
    );
    expect(stateOf(session)).toEqual({ phase: "stopped", fault: gone, broken: false });
  });

  test(`more than ${maxQuickDeaths} quick ones stop the automatic restarts until a person restarts`, () => {
    let session = newSession();
    for (let death = 0; death <= maxQuickDeaths; death += 1) {
      ({ session } = from(session, needed(death), launched, exited(1_000 + death)));
      ({ session } = from(session, closed(`h${session.generation}`)));
    }
    expect(stateOf(session)).toEqual({ phase: "stopped", fault: gone, broken: true });
    expect(from(session, needed(9)).effects).toEqual([{ type: "settle", ids: [9], fault: gone }]);
    const again = from(session, restart(10));
    expect(types(again.effects)).toEqual(["launch"]);
    expect(again.session.quickDeathsAtMs).toEqual([]);
  });

  test("after a long life is not counted", () => {
    const { session } = historyOf(needed(1), launched, exited(quickDeathMs + 1));
    expect(session.quickDeathsAtMs).toEqual([]);
  });
});

describe("a process of an earlier run", () => {
  const adopt: Next = () => ({ type: "adopt", id: 1, handleId: "kept" });

  test("is used", () => {
    const { session, effects } = historyOf(adopt);
    expect(effects).toMatchObject([{ type: "adopt", handleId: "kept" }]);
    expect(ownedHandles(session)).toEqual(["kept"]);
    expect(settledIds(from(session, launched).effects)).toEqual([1]);
  });

  test("is used after another one has had its attempt to be ended, whatever came of that", () => {
    const start = from(newSession([{ handleId: "old", fault: left }]), adopt);
    expect(start.effects).toEqual([{ type: "close", handleId: "old" }]);
    expect(types(from(start.session, closed("old", left)).effects)).toEqual(["adopt"]);
  });

  test("that is not used, because the session has one already or is closed, is closed", () => {
    const second = historyOf(needed(9), launched, adopt);
    expect(second.effects).toMatchObject([
      { type: "settle", fault: { code: "not_adopted" } },
      { type: "close", handleId: "kept" },
    ]);
    const dropped = historyOf(needed(9), adopt, close(2), launchFailed);
    expect(dropped.effects).toContainEqual({ type: "close", handleId: "kept" });
    expect(ownedHandles(from(dropped.session, closed("kept", left)).session)).toEqual(["kept"]);
  });
});

describe("over random histories of events, possible or not", () => {
  const step = fc.record({
    kind: fc.constantFrom(
      "needed",
      "replace",
      "restart",
      "close",
      "clean",
      "launched",
      "launchFailed",
      "connectionLost",
      "reconnected",
      "reconnectFailed",
      "exited",
      "closeEnded",
      "restartDue",
    ),
    age: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat({ max: 2 })),
    yes: fc.boolean(),
  });
  type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

  function eventOf({ kind, age, yes }: Step, session: Session, index: number): SessionEvent {
    const generation = (generationOf(session.current) ?? session.generation) - age;
    const connection = session.connection - age;
    const atMs = index * 1_000;
    const { task } = session;
    switch (kind) {
      case "needed":
      case "replace":
      case "restart":
        return { type: kind, id: index };
      case "close":
        return { type: "close", id: index, everything: yes };
      case "clean":
        return { type: "clean", id: index, handleId: ownedHandles(session)[age] ?? "h1" };
      case "launched":
        return { ...launched(session), generation: session.generation - age } as SessionEvent;
      case "launchFailed": {
        const some = yes ? null : { handleId: `h${session.generation}`, fault: left };
        return { type: "launchFailed", generation: session.generation - age, fault: gone, atMs, left: some };
      }
      case "connectionLost":
      case "reconnectFailed":
        return { type: kind, generation, connection, fault: lost, atMs };
      case "reconnected":
        return { type: "reconnected", generation, connection };
      case "exited":
        return { type: "exited", generation, fault: gone, atMs, shown: yes };
      case "restartDue":
        return { type: "restartDue", generation: session.generation - age };
      case "closeEnded": {
        const doing = task && "at" in task ? task.at : task;
        const waiting = doing && "waiting" in doing ? doing.waiting : ownedHandles(session);
        const closing = doing && "handleId" in doing ? [doing.handleId] : waiting;
        return { type: "closeEnded", handleId: closing[age] ?? "h1", fault: yes ? null : left };
      }
    }
  }

  test("every caller is answered once; with an end of what is under way, all are", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: "max" }), (steps) => {
        let session = newSession();
        const waiting = new Set<number>();
        const take = (event: SessionEvent) => {
          if ("id" in event) waiting.add(event.id);
          const [next, effects] = decide(session, event);
          session = next;
          for (const id of settledIds(effects)) {
            expect(waiting.delete(id), `${id} is answered, and waits`).toBe(true);
          }
          const owned = ownedHandles(session);
          expect(new Set(owned).size, "owned once").toBe(owned.length);
          for (const effect of effects) {
            if (effect.type !== "launch") continue;
            expect(session.retired, "nothing is retired when something is launched").toEqual([]);
            expect(owned.length).toBeLessThanOrEqual(1);
          }
        };
        for (const [index, one] of steps.entries()) take(eventOf(one, session, index));
        for (let round = 0; session.task !== null && round < 300; round += 1) {
          const kind = isLaunching(session) ? "launched" : "closeEnded";
          take(eventOf({ kind, age: 0, yes: true }, session, 1_000 + round));
        }
        expect(session.task).toBeNull();
        expect(session.queue).toEqual([]);
        if (session.current.phase === "lost") take(reconnected(session));
        expect([...waiting]).toEqual([]);
      }),
      { numRuns: 3_000 },
    );
  });

  test("an event of an older generation or connection changes nothing", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40, size: "max" }), step, (steps, last) => {
        let session = newSession();
        steps.forEach((one, index) => {
          [session] = decide(session, eventOf(one, session, index));
        });
        const late = eventOf({ ...last, age: 1 + last.age }, session, 99);
        if ("generation" in late) expect(decide(session, late)).toEqual([session, []]);
      }),
      { numRuns: 2_000 },
    );
  });

  function isLaunching({ task }: Session): boolean {
    return task !== null && "at" in task && task.at.step === "launching";
  }
});
