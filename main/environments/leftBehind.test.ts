// What an earlier run has left in environments, with a real exec-server.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Clock, ManualClock, systemClock } from "../clock";
import type { LeftSession } from "../ledger/executorRecordsLedger";
import { silentLog } from "../log";
import { connectExecutor, openExecutor } from "./client/executorConnection";
import { type ProcessSpec, startParams } from "./client/executorProcess";
import { checkedTarget } from "./client/executorTarget";
import { toFileUri } from "./client/fileUri";
import { recoveryMs } from "./client/sessionRecovery";
import { gone, isAlive, startExecServer, type TestExecServer } from "./client/testExecServer";
import { endLeftBehind } from "./leftBehind";
import { executorGone, type Registry } from "./registries/registry";

let executor: TestExecServer;
const ending = { current: new AbortController() };

beforeEach(async () => {
  executor = await startExecServer();
  ending.current = new AbortController();
});

afterEach(() => executor.stop());

const credentials = { get: async () => null };

function registryOf(url: string, identity = "box"): Registry & { lookups: (string | null)[] } {
  const lookups: (string | null)[] = [];
  return {
    deadlineMs: 1_000,
    lookups,
    async lookUp(_signal, resuming) {
      lookups.push(resuming);
      return checkedTarget({ url, identity }, "The test");
    },
  };
}

function end(left: LeftSession[], registry: Registry | null, clock: Clock = systemClock): Promise<void> {
  return endLeftBehind(left, {
    clock,
    log: silentLog,
    random: () => 0,
    registry: () => registry,
    credentials: () => credentials,
    connect: connectExecutor,
    signal: ending.current.signal,
  });
}

/** A run of Holdfast that has begun this, and is gone. */
async function leave(): Promise<{ left: LeftSession; pid: number }> {
  const { client, sessionId } = await openExecutor(
    checkedTarget({ url: executor.url, identity: "box" }, "The test"),
    {
      clock: systemClock,
      log: silentLog,
      random: () => 0,
      credentials,
      connect: connectExecutor,
      signal: new AbortController().signal,
      resumeSessionId: null,
      onNotification() {},
      onClosed() {},
    },
  );
  const cwd = toFileUri(executor.folder);
  const argv: ProcessSpec["argv"] = ["/bin/sh", "-c", "echo $$ > pid.new; mv pid.new pid; exec sleep 1000"];
  const spec: ProcessSpec = { argv, cwd, env: {}, inherits: "core", terminal: true, input: true };
  await client.requestUntyped("process/start", startParams("left", spec));
  const pid = await written(join(executor.folder, "pid"));
  client.close();
  const processes = [{ processId: "left", argv, cwd, beganAtMs: 0 }];
  return { left: { environmentId: "env", sessionId, identity: "box", processes }, pid };
}

async function written(path: string): Promise<number> {
  for (;;) {
    try {
      return Number(await readFile(path, "utf8"));
    } catch {
      // Not yet.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

it("what still runs is ended, over a session that is asked for by its name", async () => {
  const { left, pid } = await leave();
  expect(isAlive(pid)).toBe(true);
  const registry = registryOf(executor.url);
  await end([left], registry);
  await gone(pid);
  expect(new Set(registry.lookups)).toEqual(new Set(["box"]));
});

it("a session that the executor knows no more has ended, and is asked for once", async () => {
  const registry = registryOf(executor.url);
  const clock = new ManualClock();
  const left = { environmentId: "env", sessionId: "no such session", identity: "box", processes: [] };
  await end([left], registry, clock);
  expect(registry.lookups).toEqual(["box"]);
  // The line takes a moment to be closed.
  while (clock.pendingCount > 0) await new Promise((resolve) => setImmediate(resolve));
});

it("another executor in its place, one that is gone, and an environment that was removed are not asked", async () => {
  const { left, pid } = await leave();
  const clock = new ManualClock();
  await end([left], registryOf(executor.url, "another"), clock);
  await end([left], { deadlineMs: 1_000, lookUp: () => Promise.reject(executorGone(null)) }, clock);
  await end([left], null, clock);
  expect(isAlive(pid)).toBe(true);
  expect(clock.pendingCount).toBe(0);
  await end([left], registryOf(executor.url));
  await gone(pid);
});

it("one that cannot be reached is tried for as long as it keeps a session, and not after Holdfast has ended", async () => {
  const left = { environmentId: "env", sessionId: "one", identity: "box", processes: [] };
  for (const stop of ["time is up", "Holdfast ends"]) {
    const clock = new ManualClock();
    let lookups = 0;
    let told = () => {};
    const failing: Registry = {
      deadlineMs: 1_000,
      async lookUp() {
        lookups += 1;
        told();
        throw new Error("no way there");
      },
    };
    let isOver = false;
    const over = end([left], failing, clock).finally(() => {
      isOver = true;
    });
    while (lookups < 3) {
      const asked = new Promise<void>((resolve) => {
        told = resolve;
      });
      // The pause after the last attempt begins once that has failed.
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(2_000);
      await asked;
    }
    expect(isOver).toBe(false);
    if (stop === "time is up") clock.advance(recoveryMs);
    else ending.current.abort();
    await over;
    expect(lookups).toBe(3);
    expect(clock.pendingCount).toBe(0);
  }
});
