// The connection to an executor is lost and comes back: the session, its processes, and what was asked of it meanwhile.

import { watch } from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { toFileUri } from "./fileUri";
import { recoveryMs } from "./sessionRecovery";
import { shell, TestListener, TestWorld } from "./testEnvironment";
import { startExecServer } from "./testExecServer";

let world: TestWorld;

beforeEach(async () => {
  world = await TestWorld.open();
  // An executor may notice that a line was cut a moment after we have.
  world.retriesAtOnce = true;
});

afterEach(async () => {
  await world.close();
});

/** Resolves when there is such a file. */
async function exists(path: string): Promise<void> {
  const changes = watch(dirname(path));
  try {
    for (;;) {
      const changed = new Promise((resolve) => changes.once("change", resolve));
      if (await stat(path).catch(() => null)) return;
      await changed;
    }
  } finally {
    changes.close();
  }
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}\n`).join("");
/** Prints a number for each line that it is given. */
const counter = shell('i=0; while read -r line; do i=$((i+1)); echo "$i"; done', { input: true });
/** Prints numbers as fast as it can. */
const printer = (count: number) => shell(`i=0; while [ $i -lt ${count} ]; do i=$((i+1)); echo $i; done`);

describe("a process printing numbers through a cut connection", () => {
  it("every number once, in order", async () => {
    const { line } = await world.registered("same");
    const session = await world.client.get();
    const listener = new TestListener();
    await session.start(printer(20_000), listener.tell);
    for (const text of ["\n100\n", "\n5000\n", "\n12000\n"]) {
      await listener.until(({ text: said }) => said.includes(text));
      await line.cut();
      await session.calls.call("environment/status", {});
    }
    await listener.ended();
    expect(listener.text).toBe(numbers(20_000));
    expect(listener.events.filter(({ type }) => type === "exited")).toMatchObject([{ exitCode: 0 }]);
    expect(listener.events.at(-1)).toMatchObject({ type: "closed" });
    const seqs = listener.events.map((event) => ("seq" in event ? event.seq : 0));
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    expect(await world.client.get()).toBe(session);
    expect(line.count("initialize")).toBe(4);
    expect(line.count("process/start")).toBe(1);
  });

  it("what it printed while nobody was connected is read after the resume", async () => {
    const { line, server } = await world.registered("same");
    const session = await world.client.get();
    const listener = new TestListener();
    const file = `${server.folder}/go`;
    await session.start(
      shell(`echo before; until [ -e ${file} ]; do :; done; echo behind >&2`),
      listener.tell,
    );
    await listener.until(({ text }) => text === "before\n");
    const stalled = world.registry.holdNext();
    await line.cut();
    await stalled.reached;
    await writeFile(file, "");
    expect(world.client.state).toMatchObject({ phase: "reconnecting", attempt: 1 });
    stalled.open();
    await listener.ended();
    expect(listener.events.map((event) => ("seq" in event ? event.seq : null))).toEqual([1, 2, 3, 4]);
    // The executor may notice the end of the process before it has read its last output, and numbers them so.
    const missed = listener.events.slice(1, 3);
    expect(missed).toContainEqual(
      expect.objectContaining({ type: "output", stream: "stderr", bytes: Buffer.from("behind\n") }),
    );
    expect(missed).toContainEqual(expect.objectContaining({ type: "exited", exitCode: 0 }));
    expect(listener.events.at(-1)).toMatchObject({ type: "closed" });
  });

  it("what the executor did not keep is told as a gap, and the rest goes on", async () => {
    const { line, server } = await world.registered("same");
    const session = await world.client.get();
    const listener = new TestListener();
    const [go, done] = [`${server.folder}/go`, `${server.folder}/done`];
    const flood = `echo before; until [ -e ${go} ]; do :; done; head -c 3000000 /dev/zero | tr '\\0' x; echo; : > ${done}; read -r line; echo "$line"`;
    const process = await session.start(shell(flood, { input: true }), listener.tell);
    await listener.until(({ text }) => text === "before\n");
    const stalled = world.registry.holdNext();
    await line.cut();
    await stalled.reached;
    await writeFile(go, "");
    await exists(done);
    stalled.open();
    await process.write(Buffer.from("still here\n"));
    await listener.ended();
    const gaps = listener.events.filter((event) => event.type === "gap");
    expect(gaps).toHaveLength(1);
    expect(gaps[0]).toMatchObject({ fromSeq: 2 });
    expect(listener.text.endsWith("xxx\nstill here\n")).toBe(true);
    const seqs = listener.events.flatMap((event) => ("seq" in event ? [event.seq] : []));
    expect(seqs.slice(1)).toEqual(seqs.slice(1).map((_, index) => (gaps[0]?.toSeq ?? 0) + 1 + index));
  });
});

describe("what is asked while the connection is lost", () => {
  it("waits, and goes out in order over the next one", async () => {
    const { line } = await world.registered("same");
    const session = await world.client.get();
    const listener = new TestListener();
    const process = await session.start(counter, listener.tell);
    const stalled = world.registry.holdNext();
    await line.cut();
    await stalled.reached;
    const writes = ["a\n", "b\n", "c\n"].map((text) => process.write(Buffer.from(text)));
    const reading = session.calls.call("fs/getMetadata", { path: toFileUri("/") });
    expect(line.count("process/write")).toBe(0);
    stalled.open();
    await Promise.all(writes);
    await expect(reading).resolves.toMatchObject({ isDirectory: true });
    expect(line.sent.slice(-4).map(({ method }) => method)).toEqual([
      "process/write",
      "process/write",
      "process/write",
      "fs/getMetadata",
    ]);
    await listener.until(({ text }) => text === numbers(3));
    await process.terminate();
  });

  it("is asked of nobody when the executor itself is to answer now", async () => {
    const { line } = await world.registered("same");
    const session = await world.client.get();
    const stalled = world.registry.holdNext();
    await line.cut();
    await stalled.reached;
    await expect(session.calls.probe()).rejects.toMatchObject({ reason: "recovering" });
    stalled.open();
    await session.calls.call("environment/status", {});
    await session.calls.probe();
  });

  it("is read again when the answer was lost", async () => {
    const { line } = await world.registered("same");
    const session = await world.client.get();
    line.cutAt("fs/getMetadata", "after");
    await expect(session.calls.call("fs/getMetadata", { path: toFileUri("/") })).resolves.toMatchObject({
      isDirectory: true,
    });
    expect(line.count("fs/getMetadata")).toBe(2);
  });

  it("is never done again when it may have been done", async () => {
    const { line } = await world.registered("same");
    const session = await world.client.get();
    const listener = new TestListener();
    const process = await session.start(counter, listener.tell);
    line.cutAt("process/write", "after");
    await expect(process.write(Buffer.from("a\n"))).rejects.toMatchObject({
      code: "environment_disconnected",
      reason: "lost",
      mayHaveHappened: true,
    });
    await process.write(Buffer.from("b\n"));
    await listener.until(({ text }) => text === numbers(2));
    expect(line.count("process/write")).toBe(2);
    await process.terminate();
    await listener.ended();
    expect(listener.text).toBe(numbers(2));
  });
});

describe("a start whose answer was lost", () => {
  it("is not sent again: the executor knows the process, and it is the one that was asked for", async () => {
    const { line, server } = await world.registered("same");
    const session = await world.client.get();
    const listener = new TestListener();
    line.cutAt("process/start", "after");
    const process = await session.start(
      shell(`echo started >> ${server.folder}/starts; read -r line; echo "$line"`, { input: true }),
      listener.tell,
    );
    await process.write(Buffer.from("hello\n"));
    await listener.ended();
    expect(listener.text).toBe("hello\n");
    expect(line.count("process/start")).toBe(1);
    expect(await readFile(`${server.folder}/starts`, "utf8")).toBe("started\n");
  });

  it("is known not to have been started when the executor never had it", async () => {
    const { line } = await world.registered("same");
    const session = await world.client.get();
    const listener = new TestListener();
    line.cutAt("process/start", "before");
    await expect(session.start(counter, listener.tell)).rejects.toMatchObject({
      code: "environment_disconnected",
      reason: "lost",
      mayHaveHappened: false,
    });
    expect(line.count("process/start")).toBe(0);
    expect(listener.events).toEqual([]);
    expect(session.processIds).toEqual([]);
  });
});

describe("a recovery that does not succeed", () => {
  it("is tried again, with pauses, and ends the session when its time is over", async () => {
    const { line } = await world.registered("same");
    const session = await world.client.get();
    const listener = new TestListener();
    const process = await session.start(counter, listener.tell);
    line.refuses = true;
    await line.cut();
    const waiting = session.calls.call("fs/getMetadata", { path: toFileUri("/") });
    const failing = expect(waiting).rejects.toMatchObject({
      reason: "lost",
      cause: { code: "recovery_timeout" },
    });
    world.retriesAtOnce = false;
    for (let attempt = 2; attempt < 6; attempt += 1) {
      await world.until((state) => state.phase === "reconnecting" && state.attempt === attempt);
      world.clock.advance(2_000);
    }
    expect(session.hasEnded).toBe(false);
    world.clock.advance(recoveryMs);
    await failing;
    expect(session.hasEnded).toBe(true);
    await listener.ended();
    expect(listener.events.at(-1)).toMatchObject({ type: "lost", fault: { reason: "lost" } });
    expect(world.client.state).toMatchObject({ phase: "disconnected" });
    await expect(process.write(Buffer.from("a\n"))).rejects.toMatchObject({ mayHaveHappened: false });
    line.refuses = false;
    expect(await world.client.get()).not.toBe(session);
  });

  it("ends at once when the executor does not know the session: it was started anew", async () => {
    const executor = await world.registered("same");
    const session = await world.client.get();
    const listener = new TestListener();
    await session.start(counter, listener.tell);
    const anew = await startExecServer();
    try {
      const stalled = world.registry.holdNext();
      await executor.line.cut();
      await stalled.reached;
      // The same address and name, another process.
      await world.registry.rewrite({ url: anew.url, identity: "same", registration: "again" });
      stalled.fail(new Error("try once more"));
      await world.until((state) => state.phase === "disconnected");
      expect(session.hasEnded).toBe(true);
      const { state } = world.client;
      const fault = state.phase === "disconnected" ? state.fault : null;
      expect(fault).toMatchObject({
        code: "environment_replaced",
        message: "The executor of this environment was restarted or replaced.",
        hint: "What ran in the one before is lost. The next use connects to the one that is there now.",
      });
      expect(fault?.detail).toBeUndefined();
      await listener.ended();
      expect(listener.events.at(-1)).toMatchObject({ type: "lost", fault: { reason: "restarted" } });
      const next = await world.client.get();
      expect(next.sessionId).not.toBe(session.sessionId);
      await next.calls.probe();
    } finally {
      await anew.stop();
    }
  });
});
