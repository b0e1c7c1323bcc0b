import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Fault } from "../fault";
import {
  decide,
  type LiveFacts,
  maxQuickDeaths,
  newSession,
  quickDeathMs,
  type Session,
  type SessionEffect,
  type SessionEvent,
} from "./sessionMachine";

const gone = new Fault("codex_exited", "codex was killed (SIGKILL).");
const lost = new Fault("connection_lost", "The connection was lost.");

function facts(startedAtMs = 0): LiveFacts {
  return { handleId: "h", pid: 1, codexVersion: "0", codexHome: "/c", startedAtMs, endsWithApp: false };
}

function history(...events: ((session: Session) => SessionEvent)[]): {
  session: Session;
  effects: SessionEffect[];
} {
  let session = newSession;
  let effects: SessionEffect[] = [];
  for (const event of events) [session, effects] = decide(session, event(session));
  return { session, effects };
}

const needed = (): SessionEvent => ({ type: "needed", atMs: 0 });
const launched = ({ generation, connection }: Session): SessionEvent => ({
  type: "launched",
  generation,
  connection,
  facts: facts(),
});
const closeIt = (): SessionEvent => ({ type: "close" });
const closed = ({ generation }: Session): SessionEvent => ({ type: "closed", generation, fault: null });
const exited =
  (atMs: number, shown = true) =>
  ({ generation }: Session): SessionEvent => ({ type: "exited", generation, fault: gone, atMs, shown });

describe("a session", () => {
  test("that two callers need at once is launched once", () => {
    const { session, effects } = history(needed, needed);
    expect(session.state.phase).toBe("starting");
    expect(session.generation).toBe(1);
    expect(effects).toEqual([]);
  });

  test("that is live answers a need at once", () => {
    const { effects } = history(needed, launched, needed);
    expect(effects).toEqual([{ type: "settle", fault: null }]);
  });

  test("closed while it starts: the launch's late success changes nothing", () => {
    const starting = history(needed).session;
    const closing = decide(starting, { type: "close" })[0];
    const [session, effects] = decide(closing, launched(starting));
    expect(session.state.phase).toBe("closing");
    expect(effects).toEqual([]);
    expect(decide(session, closed(session))[0].state.phase).toBe("stopped");
  });

  test("whoever waits for a session that is closed on purpose is told so", () => {
    const { effects } = history(needed, closeIt);
    expect(effects.map((effect) => effect.type)).toEqual(["close", "settle"]);
    expect(effects[1]).toMatchObject({ fault: { code: "session_closed" } });
  });

  test("restarted while it closes: one close, then one start", () => {
    const { session, effects } = history(needed, launched, closeIt, () => ({ type: "restart" }), closed);
    expect(session.state.phase).toBe("starting");
    expect(session.generation).toBe(2);
    expect(effects).toEqual([{ type: "launch", generation: 2, connection: session.connection }]);
  });

  test("a close that left something behind does not start a second process over it", () => {
    const { session } = history(needed, launched, () => ({ type: "restart" }));
    const left = new Fault("process_not_ended", "It did not end.");
    const [stopped, effects] = decide(session, { type: "closed", generation: 1, fault: left });
    expect(stopped.state).toMatchObject({ phase: "stopped", fault: left });
    expect(effects).toEqual([{ type: "settle", fault: left }]);
  });

  test("a lost connection is made anew: at once first, then with growing pauses, without end", () => {
    let { session } = history(needed, launched);
    const delays: number[] = [];
    let [next, effects] = decide(session, {
      type: "connectionLost",
      generation: 1,
      connection: session.connection,
      fault: lost,
    });
    for (let attempt = 0; attempt < 20; attempt += 1) {
      session = next;
      const effect = effects[0];
      if (effect?.type !== "reconnect") throw new Error("no reconnect");
      delays.push(effect.delayMs);
      [next, effects] = decide(session, {
        type: "reconnectFailed",
        generation: 1,
        connection: session.connection,
        fault: lost,
      });
    }
    expect(delays.slice(0, 4)).toEqual([0, 100, 250, 500]);
    expect(delays.at(-1)).toBe(5_000);
    const [live] = decide(next, { type: "reconnected", generation: 1, connection: next.connection });
    expect(live.state.phase).toBe("live");
  });

  test("what an older connection still says is ignored", () => {
    const live = history(needed, launched).session;
    const stale = {
      type: "connectionLost",
      generation: 1,
      connection: live.connection,
      fault: lost,
    } as const;
    const [reconnecting] = decide(live, stale);
    expect(decide(reconnecting, stale)).toEqual([reconnecting, []]);
  });

  test("a death is followed by a search for what it left, and a restart when it is shown", () => {
    const { session, effects } = history(needed, launched, exited(5_000));
    expect(session.state).toMatchObject({ phase: "stopped", fault: gone, broken: false });
    expect(effects.map((effect) => effect.type)).toEqual(["reap", "restartLater", "settle"]);
  });

  test("a death that nobody sees waits for the next need", () => {
    const { session, effects } = history(needed, launched, exited(5_000, false));
    expect(effects.map((effect) => effect.type)).toEqual(["reap", "settle"]);
    expect(decide(session, needed())[0].state.phase).toBe("starting");
  });

  test(`more than ${maxQuickDeaths} quick deaths stop the automatic restarts until a person restarts`, () => {
    let session = newSession;
    for (let death = 0; death <= maxQuickDeaths; death += 1) {
      [session] = decide(session, needed());
      [session] = decide(session, launched(session));
      [session] = decide(session, exited(1_000 + death)(session));
    }
    expect(session.state).toMatchObject({ phase: "stopped", broken: true });
    expect(decide(session, needed())[1]).toEqual([{ type: "settle", fault: gone }]);
    const [restarted] = decide(session, { type: "restart" });
    expect(restarted.state.phase).toBe("starting");
    expect(restarted.quickDeathsAtMs).toEqual([]);
  });

  test("a death after a long life is not counted", () => {
    const { session } = history(needed, launched, exited(quickDeathMs + 1));
    expect(session.quickDeathsAtMs).toEqual([]);
  });
});

describe("over random histories", () => {
  const kinds = fc.constantFrom(
    "needed",
    "restart",
    "close",
    "launched",
    "launchFailed",
    "connectionLost",
    "reconnected",
    "reconnectFailed",
    "exited",
    "closed",
    "restartDue",
  );
  const step = fc.record({ kind: kinds, stale: fc.boolean(), shown: fc.boolean() });

  /** An event as the interpreter could send it now, or one that is late. */
  function eventOf(
    { kind, stale, shown }: { kind: string; stale: boolean; shown: boolean },
    session: Session,
    atMs: number,
  ): SessionEvent {
    const generation = session.generation - (stale ? 1 : 0);
    const connection = session.connection - (stale ? 1 : 0);
    switch (kind) {
      case "needed":
        return { type: "needed", atMs };
      case "restart":
        return { type: "restart" };
      case "close":
        return { type: "close" };
      case "launched":
        return { type: "launched", generation, connection, facts: facts(atMs) };
      case "launchFailed":
        return { type: "launchFailed", generation, fault: gone, atMs };
      case "connectionLost":
        return { type: "connectionLost", generation, connection, fault: lost };
      case "reconnected":
        return { type: "reconnected", generation, connection };
      case "reconnectFailed":
        return { type: "reconnectFailed", generation, connection, fault: lost };
      case "exited":
        return { type: "exited", generation, fault: gone, atMs, shown };
      case "closed":
        return { type: "closed", generation, fault: null };
      default:
        return { type: "restartDue", generation, atMs };
    }
  }

  test("no launch happens before the process before it was closed, failed or died", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let session = newSession;
        let mayLive = 0;
        steps.forEach((one, index) => {
          const event = eventOf(one, session, index * 1_000);
          const before = session;
          const [next, effects] = decide(session, event);
          session = next;
          const fresh = !("generation" in event) || event.generation === before.generation;
          if (fresh && before !== next) {
            if (event.type === "closed" || event.type === "launchFailed") mayLive = 0;
            if (event.type === "exited" && next.state.phase === "stopped") mayLive = 0;
          }
          for (const effect of effects) {
            if (effect.type !== "launch") continue;
            expect(mayLive, "a second process").toBe(0);
            mayLive = 1;
          }
        });
      }),
      { numRuns: 2_000 },
    );
  });

  test("a stale event never changes anything", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), step, (steps, last) => {
        let session = newSession;
        steps.forEach((one, index) => {
          [session] = decide(session, eventOf(one, session, index * 1_000));
        });
        const late = eventOf({ ...last, stale: true }, session, 0);
        if ("generation" in late) expect(decide(session, late)).toEqual([session, []]);
      }),
      { numRuns: 1_000 },
    );
  });
});
