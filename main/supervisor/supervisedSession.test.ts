import { describe, expect, test } from "vitest";
import { ManualClock } from "../clock";
import { Fault } from "../fault";
import { silentLog } from "../log";
import type { Connection } from "./connection";
import { type ConnectionEvents, type SessionProcess, SupervisedSession } from "./supervisedSession";

const killed = new Fault("codex_exited", "codex was killed (SIGKILL).");

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
  readonly connects: { events: ConnectionEvents; done: ReturnType<typeof gate<void>> }[] = [];
  closes = 0;
  reaps = 0;
  alive = true;
  closeResult: Fault | null = null;

  constructor(handleId: string) {
    this.handleId = handleId;
  }

  async connect(events: ConnectionEvents) {
    const done = gate<void>();
    this.connects.push({ events, done });
    await done.promise;
    const { handleId } = this;
    const facts = {
      handleId,
      pid: 1,
      codexVersion: "0",
      codexHome: "/c",
      startedAtMs: 0,
      endsWithApp: false,
    };
    const connection = { handleId, client: {} as Connection["client"], facts };
    return { connection, close: () => {} };
  }

  async close() {
    this.closes += 1;
    if (!this.closeResult) this.alive = false;
    return this.closeResult;
  }

  async reap() {
    this.reaps += 1;
    this.alive = false;
    return null;
  }
}

function stage() {
  const clock = new ManualClock();
  const processes: FakeProcess[] = [];
  const launches: ReturnType<typeof gate<FakeProcess>>[] = [];
  const heard: string[] = [];
  const session = new SupervisedSession({
    clock,
    log: silentLog,
    launch: () => {
      const launch = gate<FakeProcess>();
      launches.push(launch);
      return launch.promise;
    },
    isShown: () => true,
    onState: (state) => heard.push(state.phase),
    onConnected: () => heard.push("connected"),
    onConnectionLost: () => heard.push("connection lost"),
    onProcessGone: () => heard.push("process gone"),
    onNotification: (_connection, method) => heard.push(method),
    onRequest: (_connection, request) => heard.push(`request ${request.id}`),
  });
  const spawn = (index = launches.length - 1) => {
    const process = new FakeProcess(`handle-${processes.length}`);
    processes.push(process);
    launches[index]?.open(process);
    return process;
  };
  const live = () => processes.filter((process) => process.alive).length;
  return { clock, session, spawn, launches, processes, heard, live };
}

const settled = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

async function started(at: ReturnType<typeof stage>) {
  const need = at.session.need();
  const process = at.spawn();
  await settled();
  process.connects[0]?.done.open();
  return { process, connection: await need };
}

describe("a supervised session", () => {
  test("two starts at once: both callers get the one process", async () => {
    const at = stage();
    const both = Promise.all([at.session.need(), at.session.need()]);
    const process = at.spawn();
    await settled();
    process.connects[0]?.done.open();
    const [first, second] = await both;
    expect(first).toBe(second);
    expect(at.launches).toHaveLength(1);
    expect(at.live()).toBe(1);
  });

  test("what comes together with the handshake's answer is heard, after everybody knows the connection", async () => {
    const at = stage();
    const need = at.session.need();
    const process = at.spawn();
    await settled();
    process.connects[0]?.events.notification("configWarning", {});
    process.connects[0]?.done.open();
    await need;
    await settled();
    expect(at.heard).toEqual(["starting", "live", "connected", "configWarning"]);
  });

  test("a launch that fails tells every caller why, and leaves nothing", async () => {
    const at = stage();
    const need = at.session.need();
    at.launches[0]?.fail(killed);
    await expect(need).rejects.toBe(killed);
    expect(at.session.state).toMatchObject({ phase: "stopped", fault: killed });
  });

  test("a handshake that fails closes the process that was started for it", async () => {
    const at = stage();
    const need = at.session.need();
    const process = at.spawn();
    await settled();
    process.connects[0]?.done.fail(killed);
    await expect(need).rejects.toBe(killed);
    expect(process.closes).toBe(1);
    expect(at.live()).toBe(0);
  });

  test("closed while it starts: the launch is awaited and what it made is closed", async () => {
    const at = stage();
    const need = at.session.need();
    const close = at.session.close();
    const process = at.spawn();
    await settled();
    process.connects[0]?.done.open();
    await close;
    await expect(need).rejects.toMatchObject({ code: "session_closed" });
    expect(at.live()).toBe(0);
    expect(at.session.connection).toBeNull();
  });

  test("closed while codex hangs at its start: the end does not wait for an answer that never comes", async () => {
    const at = stage();
    const need = at.session.need();
    const process = at.spawn();
    await settled();
    await at.session.close();
    await expect(need).rejects.toMatchObject({ code: "session_closed" });
    expect(process.closes).toBe(1);
    process.connects[0]?.done.open();
    await settled();
    expect(at.session.connection).toBeNull();
    expect(at.session.state.phase).toBe("stopped");
  });

  test("a lost connection is made anew on the same process, and nothing of the old one is heard any more", async () => {
    const at = stage();
    const { process } = await started(at);
    const old = process.connects[0]?.events;
    old?.closed(new Fault("connection_lost", "Lost."));
    expect(at.session.state.phase).toBe("lost");
    at.clock.advance(0);
    old?.notification("late", {});
    await settled();
    process.connects[1]?.done.open();
    await settled();
    expect(at.session.state.phase).toBe("live");
    expect(at.heard).not.toContain("late");
    expect(at.live()).toBe(1);
  });

  test("a death is reaped, told once, and followed by a new start while something is shown", async () => {
    const at = stage();
    const { process } = await started(at);
    process.exit.open(killed);
    await settled();
    expect(process.reaps).toBe(1);
    expect(at.heard.filter((word) => word === "process gone")).toHaveLength(1);
    at.clock.advance(10_000);
    expect(at.launches).toHaveLength(2);
  });

  test("closing twice is closing once", async () => {
    const at = stage();
    const { process } = await started(at);
    await Promise.all([at.session.close(), at.session.close()]);
    expect(process.closes).toBe(1);
    expect(at.clock.pendingCount).toBe(0);
  });

  test("a restart closes the old process before the new one is launched", async () => {
    const at = stage();
    const { process } = await started(at);
    const again = at.session.restart();
    await settled();
    expect(process.alive).toBe(false);
    const next = at.spawn();
    await settled();
    next.connects[0]?.done.open();
    const connection = await again;
    expect(connection.handleId).toBe(next.handleId);
    expect(at.live()).toBe(1);
  });

  test("a close that leaves something behind is said, and no process is started over it", async () => {
    const at = stage();
    const { process } = await started(at);
    process.closeResult = new Fault("process_not_ended", "It did not end.");
    const again = at.session.restart();
    await expect(again).rejects.toMatchObject({ code: "process_not_ended" });
    expect(at.launches).toHaveLength(1);
  });
});
