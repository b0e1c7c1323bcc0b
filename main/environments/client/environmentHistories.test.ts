// The machine over random histories: whatever is asked, answered, lost or late, in any order. What must hold is checked after
// each step, and once everything that is under way has ended.

import fc from "fast-check";
import { expect, test } from "vitest";
import { Fault } from "../../fault";
import { decide } from "./environmentMachine";
import {
  type EnvironmentEffect,
  type EnvironmentEvent,
  type EnvironmentState,
  newEnvironment,
} from "./environmentState";
import type { ExecutorTarget } from "./executorTarget";

type Step =
  | { do: "get" | "refresh" | "let go" | "close" }
  /** Something that is under way ends. */
  | { do: "finish"; which: number; well: boolean; identity: string; registration: string; final: boolean }
  /** The connection of a session is lost, or that of one that was given up says so. */
  | { do: "lose"; which: number; old: boolean }
  | { do: "pause is over" | "time is over" }
  /** Something that was cancelled answers all the same. */
  | { do: "late"; which: number; well: boolean };

const which = fc.nat({ max: 5 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("get" as const) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("refresh" as const) }) },
  {
    weight: 24,
    arbitrary: fc.record({
      do: fc.constant("finish" as const),
      which,
      well: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.constant(false)),
      identity: fc.constantFrom("a", "a", "a", "b"),
      registration: fc.constantFrom("1", "1", "2"),
      final: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("let go" as const) }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant("lose" as const), which, old: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("pause is over" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("time is over" as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("late" as const), which, well: fc.boolean() }) },
);

type Work =
  | { kind: "lookup"; id: number }
  | { kind: "connect"; id: number; identity: string }
  | { kind: "resume"; id: number; session: number; identity: string }
  | { kind: "probe"; id: number };

const fault = new Fault("broken", "It is broken.");

class History {
  state: EnvironmentState = newEnvironment;
  readonly #work: Work[] = [];
  readonly #cancelled: Work[] = [];
  readonly #identities = new Map<number, string>();
  readonly #ended = new Set<number>();
  /** The connection of each session, also of those that have ended. */
  readonly #connections = new Map<number, number>();
  readonly #gets = new Set<number>();
  readonly #refreshes: number[] = [];
  /** Sessions that have answered a probe since the refresh at the head of the line was begun. */
  #proven: number | null = null;
  #limits = 0;
  #lastCaller = 0;

  take(step: Step): void {
    switch (step.do) {
      case "get":
        this.#gets.add(++this.#lastCaller);
        this.#happens({ type: "get", caller: this.#lastCaller });
        return;
      case "refresh":
        this.#refreshes.push(++this.#lastCaller);
        this.#happens({ type: "refresh", caller: this.#lastCaller });
        return;
      case "let go":
        this.#happens({ type: "letGo" });
        expect(this.state).toMatchObject({ attempt: null, refresh: null, queue: [] });
        expect(["ended", undefined]).toContain(this.state.session?.phase.name);
        return;
      case "close":
        this.#happens({ type: "close" });
        return;
      case "finish": {
        const [work] = this.#work.splice(step.which % Math.max(1, this.#work.length), 1);
        if (work) this.#happens(this.#outcome(work, step));
        return;
      }
      case "lose": {
        const sessions = [...this.#connections].filter(([id]) => this.#ended.has(id) === step.old);
        const [session, connection] = sessions[step.which % Math.max(1, sessions.length)] ?? [];
        if (session === undefined || connection === undefined) return;
        const event: EnvironmentEvent = { type: "connectionLost", session, connection, fault };
        if (step.old) this.#changesNothing(event);
        else this.#happens(event);
        return;
      }
      case "pause is over":
      case "time is over": {
        const { session } = this.state;
        if (session?.phase.name !== "recovering") return;
        const { recovery } = session.phase;
        const type = step.do === "pause is over" ? "retryDue" : "recoveryDue";
        this.#happens({ type, session: session.id, recovery });
        return;
      }
      case "late": {
        const work = this.#cancelled[step.which % Math.max(1, this.#cancelled.length)];
        const outcome = { well: step.well, identity: "a", registration: "1", final: true };
        if (work) this.#changesNothing(this.#outcome(work, outcome));
        return;
      }
      default:
        step satisfies never;
    }
  }

  /** Nothing new is asked, and everything goes well. */
  rest(): void {
    for (let round = 0; round < 400; round += 1) {
      if (this.#work.length === 0 && this.state.session?.phase.name !== "recovering") break;
      this.take({ do: "pause is over" });
      this.take({ do: "finish", which: 0, well: true, identity: "a", registration: "1", final: false });
    }
    expect(this.#work).toEqual([]);
    expect([...this.#gets]).toEqual([]);
    expect(this.#refreshes).toEqual([]);
    expect(this.state).toMatchObject({ attempt: null, refresh: null, queue: [] });
    expect(this.state.session?.phase.name).not.toBe("recovering");
    if (this.state.startup.phase !== "not started" && !this.state.closed) {
      expect(this.state.startup.phase).toBe("finished");
    }
  }

  #outcome(
    work: Work,
    { well, identity, registration, final }: Omit<Extract<Step, { do: "finish" }>, "do" | "which">,
  ): EnvironmentEvent {
    switch (work.kind) {
      case "lookup": {
        const credential: ExecutorTarget["credential"] = { kind: "none" };
        const target = { url: "ws://127.0.0.1:1", identity, registration, credential };
        if (well) return { type: "found", lookup: work.id, target };
        return { type: "notFound", lookup: work.id, fault };
      }
      case "connect":
        if (well) return { type: "connected", attempt: work.id };
        return { type: "connectFailed", attempt: work.id, fault };
      case "resume": {
        const { id: connection, session } = work;
        if (well) return { type: "resumed", session, connection };
        return {
          type: "resumeFailed",
          session,
          connection,
          fault,
          verdict: final ? "not known" : "try again",
        };
      }
      case "probe":
        return { type: "probed", session: work.id, fault: well ? null : fault };
      default:
        return work satisfies never;
    }
  }

  #changesNothing(event: EnvironmentEvent): void {
    const [state, effects] = decide(this.state, event);
    expect(state).toBe(this.state);
    expect(effects).toEqual([]);
  }

  #happens(event: EnvironmentEvent): void {
    const [state, effects] = decide(this.state, event);
    if (event.type === "connected" && state.session?.id === event.attempt) {
      // The one before it is ended before another takes its place.
      for (const id of this.#connections.keys()) expect(this.#ended).toContain(id);
      this.#connections.set(event.attempt, event.attempt);
    }
    if (event.type === "probed" && event.fault === null) this.#proven = event.session;
    this.state = state;
    for (const effect of effects) this.#perform(effect);
    this.#check();
  }

  #perform(effect: EnvironmentEffect): void {
    switch (effect.type) {
      case "lookUp":
        this.#work.push({ kind: "lookup", id: effect.lookup });
        return;
      case "connect":
        this.#work.push({ kind: "connect", id: effect.attempt, identity: effect.target.identity });
        this.#identities.set(effect.attempt, effect.target.identity);
        return;
      case "resume":
        this.#mustBeCurrent(effect.session);
        // Never at another executor.
        expect(effect.target.identity).toBe(this.#identities.get(effect.session));
        this.#work.push({
          kind: "resume",
          id: effect.connection,
          session: effect.session,
          identity: effect.target.identity,
        });
        return;
      case "probe":
        this.#mustBeCurrent(effect.session);
        expect(this.state.session?.phase.name).toBe("live");
        this.#work.push({ kind: "probe", id: effect.session });
        return;
      case "cancelLookup":
        this.#cancel("lookup", effect.lookup);
        return;
      case "cancelConnect":
        this.#cancel("connect", effect.attempt);
        return;
      case "cancelResume":
        this.#cancel("resume", effect.connection);
        return;
      case "suspend":
        this.#mustBeCurrent(effect.session);
        return;
      case "use":
        this.#mustBeCurrent(effect.session);
        this.#connections.set(effect.session, effect.connection);
        return;
      case "limitRecovery":
        this.#limits += 1;
        return;
      case "retryLater":
        this.#mustBeCurrent(effect.session);
        return;
      case "stopTimers":
        this.#limits -= 1;
        return;
      case "end":
        expect(this.#ended).not.toContain(effect.session);
        expect(this.#connections.keys()).toContain(effect.session);
        this.#ended.add(effect.session);
        return;
      case "give":
        this.#mustBeCurrent(effect.session);
        for (const caller of effect.callers) expect(this.#gets.delete(caller)).toBe(true);
        return;
      case "refuse":
        for (const caller of effect.callers) expect(this.#gets.delete(caller)).toBe(true);
        return;
      case "refreshed":
        expect(this.#refreshes.shift()).toBe(effect.caller);
        // It has succeeded because the executor itself has answered, and that is the one in use.
        if (effect.fault === null) expect(this.#proven).toBe(this.state.session?.id);
        this.#proven = null;
        return;
      default:
        effect satisfies never;
    }
  }

  #mustBeCurrent(session: number): void {
    expect(this.state.session?.id).toBe(session);
    expect(this.#ended).not.toContain(session);
  }

  #cancel(kind: Work["kind"], id: number): void {
    const index = this.#work.findIndex((work) => work.kind === kind && work.id === id);
    expect(index).not.toBe(-1);
    this.#cancelled.push(...this.#work.splice(index, 1));
  }

  #check(): void {
    const { session, attempt, closed } = this.state;
    expect(this.#limits).toBe(session?.phase.name === "recovering" ? 1 : 0);
    // An attempt is made only while there is no session to be used.
    if (attempt !== null) expect(session === null || session.phase.name === "ended").toBe(true);
    if (session !== null) expect(this.#ended.has(session.id)).toBe(session.phase.name === "ended");
    for (const id of this.#connections.keys()) if (id !== session?.id) expect(this.#ended).toContain(id);
    const lookups = this.#work.filter(({ kind }) => kind === "lookup").length;
    // One for whoever needs a session or for its recovery, and one for a refresh.
    expect(lookups).toBeLessThanOrEqual(2);
    expect(
      this.#work.filter(({ kind }) => kind === "connect" || kind === "resume").length,
    ).toBeLessThanOrEqual(1);
    if (closed) {
      expect(this.#gets.size + this.#refreshes.length).toBe(0);
      expect(this.#work.filter(({ kind }) => kind !== "probe")).toEqual([]);
    }
  }
}

test("whatever happens, in any order", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: "max" }), fc.boolean(), (steps, closes) => {
      const history = new History();
      for (const one of steps) history.take(one);
      if (closes) history.take({ do: "close" });
      history.rest();
    }),
    { numRuns: 400 },
  );
});
