// Connections that come to nothing: none of them is left open, and none is used. The executor answers when the test says so.

import { expect, it } from "vitest";
import { asFault } from "../../fault";
import { toFaultView } from "../../faultView";
import { DisconnectedFault } from "./disconnected";
import type { ProcessSpec } from "./executorProcess";
import type { ProcessEvent } from "./processStream";
import { controlledClient, type TestExecutorLine } from "./testExecutor";
import { TestGate } from "./testGate";

/** Until a line is open and its handshake has begun. */
async function shakingHands(lines: TestExecutorLine[], count = 1): Promise<TestExecutorLine> {
  for (;;) {
    const line = lines[count - 1];
    if (line?.sent.some(({ method }) => method === "initialize")) return line;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const sameSession = { sessionId: "one" };

const spec: ProcessSpec = {
  argv: ["/bin/true"],
  cwd: "file:///",
  env: {},
  inherits: "none",
  terminal: false,
  input: false,
};

it("a handshake that is refused leaves no connection", async () => {
  const { client, clock, lines } = controlledClient({}, false);
  const getting = expect(client.get()).rejects.toMatchObject({ code: "codex_error", message: "not you" });
  const line = await shakingHands(lines);
  line.say({ id: line.last("initialize").id, error: { code: -32600, message: "not you" } });
  await getting;
  expect(line.isOpen).toBe(false);
  expect(clock.pendingCount).toBe(0);
});

it("an answer that is none leaves no connection", async () => {
  const { client, lines } = controlledClient({}, false);
  const getting = expect(client.get()).rejects.toMatchObject({ code: "executor_answer_unknown" });
  (await shakingHands(lines)).answer("initialize", { session: 7 });
  await getting;
  expect(lines[0]?.isOpen).toBe(false);
});

it("a handshake that was answered and is given up before anybody knows of it leaves no connection", async () => {
  const { client, clock, lines } = controlledClient({}, false);
  const getting = expect(client.get()).rejects.toBeInstanceOf(DisconnectedFault);
  const line = await shakingHands(lines);
  line.answer("initialize", sameSession);
  client.close();
  await getting;
  await new Promise((resolve) => setImmediate(resolve));
  expect(line.isOpen).toBe(false);
  expect(client.current).toBeNull();
  expect(clock.pendingCount).toBe(0);
});

it("a connection that is lost right after its handshake is a failure, and not a session", async () => {
  const { client, lines } = controlledClient({}, false);
  const getting = expect(client.get()).rejects.toMatchObject({ reason: "lost" });
  const line = await shakingHands(lines);
  line.answer("initialize", sameSession);
  line.cut();
  await getting;
  expect(client.state).toMatchObject({ phase: "disconnected", fault: { reason: "lost" } });
});

it("a handshake that is not answered is given up at its deadline", async () => {
  const { client, clock, lines } = controlledClient({}, false);
  const getting = expect(client.get()).rejects.toMatchObject({ code: "connect_timeout" });
  const line = await shakingHands(lines);
  clock.advance(10_000);
  await getting;
  expect(line.isOpen).toBe(false);
  expect(clock.pendingCount).toBe(0);
});

it("a key store that does not answer is given up at its deadline, before anything is connected to", async () => {
  const asked = new TestGate();
  const { client, clock, lines, target } = controlledClient({
    credentials: { get: () => asked.pass().then(() => null) },
  });
  target.credential = { kind: "stored", name: "box" };
  const getting = expect(client.get()).rejects.toMatchObject({ code: "credential_timeout" });
  await asked.reached;
  clock.advance(30_000);
  await getting;
  expect(lines).toEqual([]);
});

it("an executor that begins another session instead of resuming this one has lost it", async () => {
  const { client, lines } = controlledClient({}, false);
  const getting = client.get();
  const first = await shakingHands(lines);
  first.answer("initialize", sameSession);
  const session = await getting;
  first.cut();
  const second = await shakingHands(lines, 2);
  expect(second.last("initialize").params).toMatchObject({ resumeSessionId: "one" });
  const waiting = session.calls.call("environment/status", {});
  const outcome = expect(waiting).rejects.toMatchObject({
    reason: "restarted",
    cause: { code: "session_unknown" },
  });
  second.answer("initialize", { sessionId: "two" });
  await outcome;
  expect(session.hasEnded).toBe(true);
  expect(second.isOpen).toBe(false);
  client.close();
});

it("a session that cannot be written down is not used", async () => {
  const { client, lines } = controlledClient({
    records: {
      sessionBegan() {
        throw new Error("the disk is full");
      },
      sessionEnded() {},
      processStarting() {},
      processEnded() {},
    },
  });
  await expect(client.get()).rejects.toThrow("the disk is full");
  expect(lines[0]?.isOpen).toBe(false);
});

it("words of an executor that are longer than any are not taken", async () => {
  const { client, lines } = controlledClient({}, false);
  const getting = expect(client.get()).rejects.toMatchObject({ code: "executor_answer_unknown" });
  (await shakingHands(lines)).answer("initialize", { sessionId: "s".repeat(1_000_000) });
  await getting;
  const probing = client.refresh();
  const line = await shakingHands(lines, 2);
  line.answer("initialize", sameSession);
  await untilSent(line, "environment/status");
  line.answer("environment/status", { status: "s".repeat(1_000_000) });
  const fault = await probing.catch((error: unknown) => error);
  expect(fault).toMatchObject({ code: "executor_answer_unknown" });
  expect(JSON.stringify(toFaultView(asFault(fault))).length).toBeLessThan(1_000);
  client.close();
});

it("a process whose executor tells its events in no order is lost, and costs no more than what may wait", async () => {
  const { client, lines } = controlledClient();
  const session = await client.get();
  const line = await shakingHands(lines);
  const told: ProcessEvent[] = [];
  const starting = session.start(spec, (event) => told.push(event));
  const { processId } = line.last("process/start").params;
  line.answer("process/start", { processId });
  await starting;
  const chunk = Buffer.alloc(700_000).toString("base64");
  const say = (seq: unknown) =>
    line.say({ method: "process/output", params: { processId, seq, stream: "stdout", chunk } });
  for (const seq of [0, -1, 1.5, 5, 9]) say(seq);
  line.answer("process/read", { chunks: [], nextSeq: 1, exited: false, closed: false });
  await new Promise((resolve) => setImmediate(resolve));
  expect(told).toMatchObject([{ type: "lost", fault: { code: "process_output_lost" } }]);
  say(1);
  expect(told).toHaveLength(1);
  client.close();
});

async function untilSent(line: TestExecutorLine, method: string): Promise<void> {
  while (!line.sent.some((message) => message.method === method)) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
