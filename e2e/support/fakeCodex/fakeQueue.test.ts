// The fake's queue, where no conversation with the real one can be compared: what it keeps, and what scenarios bend.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type Message, TestAppServer } from "../../../main/demo/testAppServer";
import { createFakeCodex, type FakeCodex, type FakeScenario } from "./scenario";

const cwd = tmpdir();
let fake: FakeCodex | null = null;
const servers: TestAppServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  expect(await fake?.bugs()).toEqual([]);
  await fake?.remove();
});

async function launched(codex: FakeCodex): Promise<TestAppServer> {
  const { command, environment } = codex;
  const server = await TestAppServer.launch({ command, environment, cwd });
  servers.push(server);
  return server;
}

const input = (text: string) => [{ type: "text", text, text_elements: [] }];
const idIn = (answer: Record<string, unknown>, field: string) => (answer[field] as { id: string }).id;
const isStart = ({ method }: Message) => method === "turn/started";
const isEnd = ({ method }: Message) => method === "turn/completed";

/** Its first turn runs, and two entries wait behind it. */
async function queued(scenario: FakeScenario) {
  fake = await createFakeCodex(scenario);
  const server = await launched(fake);
  const threadId = idIn(await server.request("thread/start", { cwd }), "thread");
  const turnId = idIn(await server.request("turn/start", { threadId, input: input("go") }), "turn");
  for (const text of ["a", "b"])
    await server.request("thread/queue/add", { threadId, input: input(text), clientUserMessageId: text });
  const waiting = async (of = server) => {
    const { data } = (await of.request("thread/queue/list", { threadId })) as {
      data: { clientUserMessageId: string }[];
    };
    return data.map(({ clientUserMessageId }) => clientUserMessageId);
  };
  return { fake, server, threadId, turnId, waiting };
}

test("held by an interruption it stays so through a restart, until a turn begins", async () => {
  const made = await queued({ turns: [[{ end: "never" }]] });
  await made.server.request("turn/interrupt", { threadId: made.threadId, turnId: made.turnId });
  await made.server.find(isEnd);
  await made.server.close();
  await made.fake.setScenario({ turns: [[{ message: "Next." }]] });
  const again = await launched(made.fake);
  await again.request("thread/resume", { threadId: made.threadId });
  expect(await made.waiting(again)).toEqual(["a", "b"]);
  await again.request("turn/start", { threadId: made.threadId, input: input("mine") });
  await expect.poll(() => again.messages.filter(isEnd).length).toBe(3);
  expect(await made.waiting(again)).toEqual([]);
});

test("cut off in the middle of a turn it goes on after a restart", async () => {
  const made = await queued({ turns: [[{ message: "Begun." }, { end: "never" }]] });
  await made.server.find(({ method }) => method === "item/completed");
  process.kill(made.server.pid ?? 0, "SIGKILL");
  await made.server.exited;
  const again = await launched(made.fake);
  await again.request("thread/resume", { threadId: made.threadId });
  await again.find(isStart);
  expect(await made.waiting(again)).toEqual(["b"]);
});

test("a failure does not hold it; an interrupt between the error and the end does", async () => {
  const turns: FakeScenario["turns"] = [[{ gate: "go" }, { fail: { message: "No." }, graceMs: 200 }]];
  const made = await queued({ turns: [...turns, [{ end: "never" }]] });
  await made.fake.openGate("go");
  await made.server.find(({ method }) => method === "error");
  await made.server.request("turn/interrupt", { threadId: made.threadId, turnId: made.turnId });
  const end = await made.server.find(isEnd);
  expect(end.params?.turn).toMatchObject({ status: "interrupted" });
  expect(await made.waiting()).toEqual(["a", "b"]);
});

test("a failure that is over at once has the next one taken up", async () => {
  const made = await queued({
    turns: [[{ gate: "go" }, { fail: { message: "No." }, graceMs: 0 }], [{ end: "never" }]],
  });
  await made.fake.openGate("go");
  const end = await made.server.find(isEnd);
  expect(end.params?.turn).toMatchObject({ status: "failed" });
  await made.server.find(isStart, made.server.messages.indexOf(end));
  expect(await made.waiting()).toEqual(["b"]);
});

test("it can be missing, as in an earlier version", async () => {
  fake = await createFakeCodex({ without: ["thread/queue/"] });
  const server = await launched(fake);
  const threadId = idIn(await server.request("thread/start", { cwd }), "thread");
  const { error } = await server.call("thread/queue/list", { threadId });
  expect(error).toMatchObject({
    code: -32600,
    message: expect.stringContaining("unknown variant `thread/queue/list`"),
  });
});

test("an image is read when it is queued, and refused when it is not there", async () => {
  const { server, threadId } = await queued({ turns: [[{ end: "never" }]] });
  const image = (path: string) => [...input("Look"), { type: "localImage", path }];
  const add = (path: string) =>
    server.request("thread/queue/add", { threadId, input: image(path), clientUserMessageId: "c" });
  const folder = await mkdtemp(join(tmpdir(), "fake-queue-"));
  try {
    const path = join(folder, "shot.png");
    await writeFile(path, "png");
    expect(await add(path)).toMatchObject({
      queuedSubmission: { input: [...input("Look"), { type: "image", url: "data:image/png;base64,cG5n" }] },
    });
    await expect(add(join(folder, "gone.png"))).rejects.toThrow("local queued attachment is invalid");
  } finally {
    await rm(folder, { recursive: true });
  }
});
