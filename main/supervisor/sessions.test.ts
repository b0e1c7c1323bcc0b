import { describe, expect, test } from "vitest";
import { ManualClock } from "../clock";
import type { RpcClient } from "../codex/rpcClient";
import { Fault } from "../fault";
import { silentLog } from "../log";
import type { Connection } from "./connection";
import { Sessions } from "./sessions";
import type { ConnectionEvents, SessionProcess } from "./supervisedSession";
import { settled, stubborn } from "./testSupervisor";

/** Lives and answers at once, unless it is told to hang. */
class Process implements SessionProcess {
  readonly handleId: string;
  readonly exited = new Promise<Fault>(() => {});
  alive = true;
  closes = 0;
  closeFault: Fault | null = null;
  isProbeAnswered: Fault | null = null;
  isClientClosed = false;

  constructor(handleId: string) {
    this.handleId = handleId;
  }

  async connect(_events: ConnectionEvents) {
    const { handleId } = this;
    const facts = {
      handleId,
      pid: 1,
      codexVersion: "0",
      codexHome: "/c",
      startedAtMs: 0,
      endsWithApp: false,
    };
    const client = {
      request: async () => {
        if (this.isProbeAnswered) throw this.isProbeAnswered;
      },
      close: () => {
        this.isClientClosed = true;
      },
    } as unknown as RpcClient;
    const connection: Connection = { handleId, client, facts };
    return { connection, close: () => {} };
  }

  async close() {
    this.closes += 1;
    if (!this.closeFault) this.alive = false;
    return this.closeFault;
  }
}

function stage(ready: Promise<void> = Promise.resolve()) {
  const processes = new Map<string, Process[]>();
  const hanging = new Set<string>();
  const sessions = new Sessions({
    ready,
    make: (workspaceId) => ({
      clock: new ManualClock(),
      log: silentLog,
      launch: async (signal) => {
        if (hanging.has(workspaceId)) {
          await new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => reject(signal.reason));
          });
        }
        const own = processes.get(workspaceId) ?? [];
        const process = new Process(`${workspaceId}-${own.length}`);
        processes.set(workspaceId, [...own, process]);
        return process;
      },
      verify: async () => {},
      close: (process) => process.close(),
      isShown: () => true,
      onState: () => {},
      onConnected: () => {},
      onConnectionLost: () => {},
      onProcessGone: () => {},
      onNotification: () => {},
      onRequest: () => {},
    }),
  });
  const of = (workspaceId: string) => processes.get(workspaceId) ?? [];
  return { sessions, of, hanging };
}

describe("sessions", () => {
  test("never wait for each other: one that hangs at its start delays no other", async () => {
    const { sessions, hanging } = stage();
    hanging.add("hung");
    const never = sessions.need("hung");
    const others = await Promise.all(["a", "b", "c"].map((id) => sessions.need(id)));
    expect(others.map(({ handleId }) => handleId)).toEqual(["a-0", "b-0", "c-0"]);
    expect(sessions.state("hung")).toEqual({ phase: "starting" });
    expect(sessions.live).toEqual(["a", "b", "c"]);
    await sessions.closeAll(() => false);
    await expect(never).rejects.toMatchObject({ code: "session_closed" });
  });

  test("start nothing before it is known what an earlier run has left", async () => {
    let isReady = () => {};
    const { sessions, of } = stage(
      new Promise((resolve) => {
        isReady = resolve;
      }),
    );
    const need = sessions.need("a");
    const kept = new Process("kept");
    const adopted = sessions.adopt("a", kept);
    await settled();
    isReady();
    expect((await need).handleId).toBe("kept");
    expect((await adopted).handleId).toBe("kept");
    expect(of("a")).toEqual([]);
  });

  test("are closed after those who needed them before it was known what an earlier run has left", async () => {
    let isReady = () => {};
    const { sessions } = stage(
      new Promise((resolve) => {
        isReady = resolve;
      }),
    );
    const need = sessions.need("a").catch((error: unknown) => error);
    const closed = sessions.close("a");
    isReady();
    expect(await closed).toBeNull();
    expect(await need).toMatchObject({ code: "session_closed" });
    expect(sessions.live).toEqual([]);
  });

  test("own what an earlier run could not end, and try it again", async () => {
    const { sessions } = stage();
    const left = new Process("left");
    sessions.restore("a", [{ process: left, fault: stubborn }]);
    left.closeFault = stubborn;
    await expect(sessions.need("a")).rejects.toMatchObject({ code: "process_cleanup_pending" });
    left.closeFault = null;
    expect(await sessions.clean("left")).toBeNull();
    expect(left.alive).toBe(false);
    expect(sessions.clean("left")).toBeUndefined();
    expect((await sessions.need("a")).handleId).toBe("a-0");
  });

  test("are restarted by a replacement while they live, by an end and a start when not", async () => {
    const { sessions, of } = stage();
    expect((await sessions.restart("a")).handleId).toBe("a-0");
    expect((await sessions.restart("a")).handleId).toBe("a-1");
    expect(of("a").map(({ alive }) => alive)).toEqual([false, true]);
  });

  test("are closed with Holdfast, except those that are kept; nothing starts afterwards", async () => {
    const { sessions, of } = stage();
    await Promise.all([sessions.need("kept"), sessions.need("a"), sessions.need("stubborn")]);
    const [unclosed] = of("stubborn");
    if (unclosed) unclosed.closeFault = stubborn;
    await sessions.closeAll((id) => id === "kept");
    expect(of("kept").map(({ alive, closes }) => [alive, closes])).toEqual([[true, 0]]);
    expect(of("a").map(({ alive }) => alive)).toEqual([false]);
    expect(sessions.connection("kept")).toBeNull();
    await expect(sessions.need("kept")).rejects.toMatchObject({ code: "shutting_down" });
    await expect(sessions.need("b")).rejects.toMatchObject({ code: "shutting_down" });
  });

  test("that are left while somebody waits for them: he is told", async () => {
    const { sessions, hanging } = stage();
    hanging.add("a");
    const need = sessions.need("a");
    await settled();
    await sessions.closeAll(() => true);
    await expect(need).rejects.toMatchObject({ code: "shutting_down" });
  });

  test("are probed: only one that does not answer in time is given up", async () => {
    const { sessions, of } = stage();
    await sessions.need("a");
    const [process] = of("a");
    if (!process) throw new Error("nothing was started");
    process.isProbeAnswered = new Fault("codex_error", "Not now.");
    sessions.probe("a");
    await settled();
    expect(process.isClientClosed).toBe(false);
    process.isProbeAnswered = new Fault("deadline", "codex did not answer in time.");
    sessions.probe("a");
    await settled();
    expect(process.isClientClosed).toBe(true);
  });
});
