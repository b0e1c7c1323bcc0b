// The interpreter: what it makes of processes, connections, timers and listeners. What the session decides is tested in
// sessionMachine.test.ts, what becomes of it with a ledger in sessionSeed.test.ts.

import { describe, expect, test } from "vitest";
import { ManualClock } from "../clock";
import { asFault, Fault } from "../fault";
import { silentLog } from "../log";
import type { Connection } from "./connection";
import {
  type ConnectionEvents,
  type SessionOptions,
  type SessionProcess,
  SupervisedSession,
} from "./supervisedSession";
import { cut, killed, settled, stubborn } from "./testSupervisor";

/** Something that is decided by the test, at the moment that the test chooses. */
function gate<Value>() {
  let open: (value: Value) => void = () => {};
  let fail: (error: unknown) => void = () => {};
  const promise = new Promise<Value>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  promise.catch(() => undefined);
  return { promise, open, fail };
}

class FakeProcess implements SessionProcess {
  readonly handleId: string;
  readonly exit = gate<Fault>();
  readonly exited = this.exit.promise;
  readonly connects: { events: ConnectionEvents; done: ReturnType<typeof gate<void>>; closes: number }[] = [];
  closes = 0;
  alive = true;
  closeFault: Fault | null = null;

  constructor(handleId: string) {
    this.handleId = handleId;
  }

  async connect(events: ConnectionEvents) {
    const attempt = { events, done: gate<void>(), closes: 0 };
    this.connects.push(attempt);
    await attempt.done.promise;
    const { handleId } = this;
    const facts = {
      handleId,
      pid: 1,
      codexVersion: "0",
      codexHome: "/c",
      startedAtMs: 0,
      endsWithApp: false,
    };
    const connection: Connection = { handleId, client: {} as Connection["client"], facts };
    const close = () => {
      attempt.closes += 1;
    };
    return { connection, close };
  }

  async close() {
    this.closes += 1;
    if (!this.closeFault) this.alive = false;
    return this.closeFault;
  }
}

function stage(listeners: Partial<SessionOptions> = {}) {
  const clock = new ManualClock();
  const launches: ReturnType<typeof gate<FakeProcess>>[] = [];
  const signals: AbortSignal[] = [];
  const heard: string[] = [];
  const errors: string[] = [];
  const session = new SupervisedSession({
    clock,
    log: { ...silentLog, error: (message) => errors.push(message) },
    launch: (signal) => {
      const launch = gate<FakeProcess>();
      launches.push(launch);
      signals.push(signal);
      return launch.promise;
    },
    verify: async () => {},
    close: (process) => process.close(),
    isShown: () => true,
    onState: (state) => heard.push(state.phase),
    onConnected: () => heard.push("connected"),
    onConnectionLost: () => heard.push("connection lost"),
    onProcessGone: (handleId) => heard.push(`gone ${handleId}`),
    onNotification: (_connection, method) => heard.push(method),
    onRequest: (_connection, request) => heard.push(`request ${request.id}`),
    ...listeners,
  });
  /** The launch that is under way makes a process. */
  const spawn = async () => {
    const process = new FakeProcess(`h${launches.length}`);
    launches.at(-1)?.open(process);
    await settled();
    return process;
  };
  return { clock, session, spawn, launches, signals, heard, errors };
}

async function started(listeners: Partial<SessionOptions> = {}) {
  const at = stage(listeners);
  const need = at.session.need();
  const process = await at.spawn();
  process.connects[0]?.done.open();
  return { ...at, process, connection: await need };
}

describe("a launch", () => {
  test("that fails tells every caller why, and leaves nothing", async () => {
    const at = stage();
    const callers = [at.session.need(), at.session.need()].map((call) => call.catch(asFault));
    at.launches[0]?.fail(killed);
    expect(await Promise.all(callers)).toEqual([killed, killed]);
    expect(at.session.state).toMatchObject({ phase: "stopped", fault: killed });
    expect(at.session.ownsProcesses).toBe(false);
  });

  test("whose handshake fails closes the process that was started for it", async () => {
    const at = stage();
    const need = at.session.need();
    const process = await at.spawn();
    process.connects[0]?.done.fail(cut);
    await expect(need).rejects.toBe(cut);
    expect(process.alive).toBe(false);
  });

  test("whose process cannot be closed again is owned by the session", async () => {
    const at = stage({
      close: async () => {
        throw new Error("the ledger is closed");
      },
    });
    const need = at.session.need();
    const process = await at.spawn();
    process.connects[0]?.done.fail(cut);
    await expect(need).rejects.toBe(cut);
    expect(at.session.owns(process.handleId)).toBe(true);
  });

  test("that is given up is awaited, and what it made is closed", async () => {
    const at = stage();
    const need = at.session.need();
    const close = at.session.close(false);
    await expect(need).rejects.toMatchObject({ code: "session_closed" });
    expect(at.signals[0]?.aborted).toBe(true);
    const process = await at.spawn();
    expect(await close).toBeNull();
    expect(process.alive).toBe(false);
    expect(at.session.connection).toBeNull();
  });

  test("that is given up while codex hangs at its start does not wait for an answer that never comes", async () => {
    const at = stage();
    const need = at.session.need();
    const process = await at.spawn();
    expect(await at.session.close(false)).toBeNull();
    await expect(need).rejects.toMatchObject({ code: "session_closed" });
    expect(process.closes).toBe(1);
    process.connects[0]?.done.open();
    process.connects[0]?.events.notification("late", {});
    await settled();
    expect(at.session.state.phase).toBe("stopped");
    expect(at.heard).not.toContain("late");
  });

  test("whose process dies while it is verified is given up: its death is not lost", async () => {
    const verify = gate<void>();
    const at = await started({ verify: () => verify.promise });
    const replace = at.session.replace();
    await settled();
    const next = await at.spawn();
    next.connects[0]?.done.open();
    await settled();
    next.exit.open(killed);
    await expect(replace).rejects.toBe(killed);
    verify.open();
    await settled();
    expect(next.closes).toBe(1);
    expect(at.session.connection).toBe(at.connection);
  });
});

describe("what a connection says", () => {
  test("together with the handshake's answer is told after the connection, in its order", async () => {
    const at = stage();
    const need = at.session.need();
    const process = await at.spawn();
    process.connects[0]?.events.notification("configWarning", {});
    process.connects[0]?.events.request({ id: 7, method: "approve", params: {} });
    process.connects[0]?.done.open();
    await need;
    expect(at.heard).toEqual(["starting", "live", "connected", "configWarning", "request 7"]);
  });

  test("by a new process waits until the one before it is closed", async () => {
    const closing = gate<null>();
    const at = await started({ close: () => closing.promise });
    const replace = at.session.replace();
    await settled();
    const next = await at.spawn();
    next.connects[0]?.done.open();
    await settled();
    next.connects[0]?.events.notification("early", {});
    at.process.connects[0]?.events.notification("late", {});
    expect(at.heard).not.toContain("early");
    closing.open(null);
    await replace;
    expect(at.heard.slice(-4)).toEqual(["live", "gone h1", "connected", "early"]);
    expect(at.heard).not.toContain("late");
  });

  test("after it was lost is not heard, and it is made anew on the same process", async () => {
    const at = await started();
    const old = at.process.connects[0]?.events;
    old?.closed(cut);
    expect(at.session.state).toMatchObject({ phase: "lost", fault: cut });
    const waiting = at.session.need();
    at.clock.advance(0);
    old?.notification("late", {});
    await settled();
    at.process.connects[1]?.done.open();
    expect(await waiting).toBe(at.session.connection);
    expect(at.heard).toEqual([
      "starting",
      "live",
      "connected",
      "connection lost",
      "lost",
      "live",
      "connected",
    ]);
    expect(at.process.closes).toBe(0);
  });

  test("of a connection made anew too late is not heard: it is closed", async () => {
    const at = await started();
    at.process.connects[0]?.events.closed(cut);
    at.clock.advance(0);
    at.process.closeFault = stubborn;
    await at.session.close(false);
    at.process.connects[1]?.done.open();
    await settled();
    expect(at.process.connects[1]?.closes).toBe(1);
    at.process.connects[1]?.events.notification("late", {});
    expect(at.heard).not.toContain("late");
    expect(at.clock.pendingCount).toBe(0);
  });
});

describe("a death", () => {
  test("is told once, what is left is ended, and it is started again while somebody looks", async () => {
    const at = await started();
    at.process.connects[0]?.events.closed(cut);
    at.process.exit.open(killed);
    await settled();
    expect(at.process.closes).toBe(1);
    expect(at.heard.filter((word) => word === "gone h1")).toHaveLength(1);
    expect(at.launches).toHaveLength(1);
    at.clock.advance(500);
    expect(at.launches).toHaveLength(2);
    expect(at.clock.pendingCount).toBe(0);
  });

  test("and a close before it is started again: it stays closed", async () => {
    const at = await started();
    at.process.exit.open(killed);
    await settled();
    expect(await at.session.close(true)).toBeNull();
    expect(at.clock.pendingCount).toBe(0);
    at.clock.advance(60_000);
    expect(at.launches).toHaveLength(1);
  });
});

describe("whoever hears of something", () => {
  test("may wish something at once: that comes after it, with all its effects", async () => {
    const wishes: Promise<unknown>[] = [];
    const at = stage({
      onState: ({ phase }) => {
        if (phase === "starting") wishes.push(at.session.close(false));
      },
    });
    await expect(at.session.need()).rejects.toMatchObject({ code: "session_closed" });
    expect(at.signals[0]?.aborted).toBe(true);
    at.launches[0]?.fail(killed);
    expect(await Promise.all(wishes)).toEqual([null]);
  });

  test("may fail: the session goes on, and its callers are answered", async () => {
    const fail = () => {
      throw new Error("a window has gone");
    };
    const at = await started({
      onState: fail,
      onConnected: fail,
      onConnectionLost: fail,
      onNotification: fail,
    });
    at.process.connects[0]?.events.closed(cut);
    at.clock.advance(0);
    await settled();
    at.process.connects[1]?.events.notification("early", {});
    at.process.connects[1]?.done.open();
    await settled();
    expect(at.session.state.phase).toBe("live");
    expect(at.process.closes).toBe(0);
    expect(new Set(at.errors)).toEqual(new Set(["something failed in a session"]));
  });
});

describe("when Holdfast leaves", () => {
  test("the process goes on, nothing is heard of it any more, and nobody waits", async () => {
    const at = await started();
    const replace = at.session.replace();
    at.session.leave();
    await expect(replace).rejects.toMatchObject({ code: "shutting_down" });
    await expect(at.session.need()).rejects.toMatchObject({ code: "shutting_down" });
    at.process.connects[0]?.events.notification("late", {});
    at.process.exit.open(new Fault("codex_exited", "codex ended."));
    await settled();
    expect(at.heard).not.toContain("late");
    expect(at.process.closes).toBe(0);
    expect(at.session.connection).toBeNull();
    expect(await at.session.close(true)).toMatchObject({ code: "shutting_down" });
  });
});
