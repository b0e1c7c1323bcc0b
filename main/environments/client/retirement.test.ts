// What was asked of a session when it ends: the order of things, with an executor that answers when the test says so.

import { describe, expect, it } from "vitest";
import type { ExecutorSession } from "./executorSession";
import { shell, TestListener } from "./testEnvironment";
import { controlledClient, type TestExecutorLine } from "./testExecutor";

async function connected() {
  const { client, clock, lines } = controlledClient();
  const session = await client.get();
  const [line] = lines;
  if (!line) throw new Error("no connection was made");
  return { client, clock, session, line };
}

/** A process that runs when the session ends, and when its listener hears of that. */
async function running(session: ExecutorSession, line: TestExecutorLine, heard: string[]) {
  const listener = new TestListener();
  const starting = session.start(shell("unused"), (event) => {
    listener.tell(event);
    heard.push(`process ${event.type}`);
  });
  line.answer("process/start", {});
  return { process: await starting, listener };
}

const gone = { code: "environment_disconnected", reason: "closed", mayHaveHappened: true };

describe.each([
  ["is late", false],
  ["has arrived and was not handed over yet", true],
])("a session ends while the answer %s", (_when, isQueued) => {
  it("a change fails as disconnected, before any process is told", async () => {
    const { client, clock, session, line } = await connected();
    const heard: string[] = [];
    const { listener } = await running(session, line, heard);
    const removal = session.calls.call("fs/remove", { path: "file:///gone", recursive: false, force: false });
    const outcome = expect(removal).rejects.toMatchObject(gone);
    removal.catch(() => heard.push("call"));
    if (isQueued) line.answer("fs/remove", {});
    client.close();
    if (!isQueued) line.say({ id: line.last("fs/remove").id, result: {} });
    await outcome;
    await listener.ended();
    expect(heard).toEqual(["call", "process lost"]);
    expect(line.sent.filter(({ method }) => method === "fs/remove")).toHaveLength(1);
    expect(clock.pendingCount).toBe(0);
  });

  it("a start fails as disconnected, and nothing more is heard of its process", async () => {
    const { client, clock, session, line } = await connected();
    const heard: string[] = [];
    const { listener } = await running(session, line, heard);
    const silent = new TestListener();
    const start = session.start(shell("unused"), silent.tell);
    const outcome = expect(start).rejects.toMatchObject(gone);
    start.catch(() => heard.push("call"));
    if (isQueued) line.answer("process/start", {});
    client.close();
    if (!isQueued) line.say({ id: line.last("process/start").id, result: {} });
    await outcome;
    await listener.ended();
    expect(heard).toEqual(["call", "process lost"]);
    expect(silent.events).toEqual([]);
    expect(session.processIds).toEqual([]);
    expect(clock.pendingCount).toBe(0);
  });
});

it("a call whose answer was handed over has succeeded, whatever comes next", async () => {
  const { client, session, line } = await connected();
  const removal = session.calls.call("fs/remove", { path: "file:///gone", recursive: false, force: false });
  line.answer("fs/remove", {});
  await expect(removal).resolves.toEqual({});
  client.close();
});

it("a listener that fails keeps nobody else from hearing of the end", async () => {
  const { client, session, line } = await connected();
  const failing = session.start(shell("unused"), () => {
    throw new Error("this listener is broken");
  });
  line.answer("process/start", {});
  await failing;
  const { listener } = await running(session, line, []);
  client.close();
  await listener.ended();
  expect(listener.events).toMatchObject([{ type: "lost" }]);
});

it("a start that is not answered in time is given up, and what may run of it is ended", async () => {
  const { client, clock, session, line } = await connected();
  const silent = new TestListener();
  const start = session.start(shell("unused"), silent.tell);
  const outcome = expect(start).rejects.toMatchObject({ code: "deadline" });
  clock.advance(30_000);
  await outcome;
  const { processId } = line.last("process/start").params;
  expect(line.last("process/terminate").params).toEqual({ processId });
  line.say({ method: "process/output", params: { processId, seq: 1, stream: "stdout", chunk: "aGk=" } });
  expect(silent.events).toEqual([]);
  client.close();
});

it("an executor that says it has too much to do is not sent a change twice", async () => {
  const { client, clock, session, line } = await connected();
  const removal = session.calls.call("fs/remove", { path: "file:///gone", recursive: false, force: false });
  const outcome = expect(removal).rejects.toMatchObject({ rpcCode: -32001 });
  line.say({ id: line.last("fs/remove").id, error: { code: -32001, message: "busy" } });
  await outcome;
  clock.advance(60_000);
  expect(line.sent.filter(({ method }) => method === "fs/remove")).toHaveLength(1);
  client.close();
});
