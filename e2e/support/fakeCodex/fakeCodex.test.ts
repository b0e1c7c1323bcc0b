// What a scenario can make the fake do: each as a client sees it.

import { once } from "node:events";
import { mkdtemp, readdir, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { execa } from "execa";
import { afterEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { systemClock } from "../../../main/clock";
import { createCodexFinder } from "../../../main/codex/findCodex";
import { type Message, processesWith, TestAppServer } from "../../../main/demo/testAppServer";
import { createFakeCodex, type FakeCodex, type FakeScenario } from "./scenario";

const fakes: FakeCodex[] = [];
const servers: TestAppServer[] = [];
const cwd = tmpdir();

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  for (const fake of fakes.splice(0)) {
    try {
      await expect.poll(() => processesWith(fake.codexHome)).toEqual([]);
      expect(await fake.bugs()).toEqual([]);
    } finally {
      await fake.remove();
    }
  }
});

async function made(scenario: FakeScenario): Promise<FakeCodex> {
  const fake = await createFakeCodex(scenario);
  fakes.push(fake);
  return fake;
}

async function launched({ command, environment }: FakeCodex, socketPath?: string): Promise<TestAppServer> {
  const server = await TestAppServer.launch({ command, environment, cwd, socketPath });
  servers.push(server);
  return server;
}

async function started(scenario: FakeScenario) {
  const fake = await made(scenario);
  const server = await launched(fake);
  const { thread } = (await server.request("thread/start", { cwd })) as { thread: { id: string } };
  return { fake, server, threadId: thread.id };
}

const begin = (server: TestAppServer, threadId: string, text = "go") =>
  server.call("turn/start", { threadId, input: [{ type: "text", text, text_elements: [] }] });

const turnIdOf = ({ result }: Message): string => (result as { turn: { id: string } }).turn.id;

const of = (messages: Message[], method: string) => messages.filter((message) => message.method === method);

/** Makes a round trip, so that all that was said before it has come. */
const settled = (server: TestAppServer) => server.request("account/read", {});

test("it has a version, and knows no other commands", async () => {
  const { command, environment } = await made({ version: "0.90.0" });
  expect((await execa(command, ["--version"], { env: environment })).stdout).toBe("codex-cli 0.90.0");
  const refused = await execa(command, ["dance"], { env: environment, reject: false });
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("dance") });
});

test("it is found like the real one", async () => {
  const { command, environment } = await made({ version: "0.90.0" });
  const finder = createCodexFinder({
    clock: systemClock,
    environmentPath: command,
    homeFolder: cwd,
    bundledRoot: null,
  });
  const found = await finder.find({ setting: null, env: { ...process.env, ...environment } });
  expect(found).toMatchObject({ binary: { origin: "environment", version: "0.90.0" } });
});

test("over a socket it outlives its client, and only its user may connect", async () => {
  const fake = await made({ turns: [[{ drop: true }, { gate: "later" }, { message: "Still here." }]] });
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "hf-fake-")));
  try {
    const socketPath = path.join(folder, "s");
    const server = await launched(fake, socketPath);
    expect((await stat(socketPath)).mode & 0o777).toBe(0o600);
    const { thread } = (await server.request("thread/start", { cwd })) as { thread: { id: string } };
    await begin(server, thread.id);
    await fake.until((line) => line.event === "disconnected");
    const again = new WebSocket(`ws+unix://${socketPath}:/`);
    const heard: Message[] = [];
    again.on("message", (data) => heard.push(JSON.parse(String(data)) as Message));
    await once(again, "open");
    const clientInfo = { name: "again", title: null, version: "1" };
    again.send(JSON.stringify({ id: 1, method: "initialize", params: { clientInfo } }));
    again.send(JSON.stringify({ id: 2, method: "thread/resume", params: { threadId: thread.id } }));
    await expect.poll(() => heard.find(({ id }) => id === 2)?.result).toBeDefined();
    expect(heard.find(({ id }) => id === 2)?.result).toMatchObject({
      thread: { status: { type: "active" } },
    });
    await fake.openGate("later");
    await expect.poll(() => of(heard, "turn/completed").length).toBe(1);
    again.close();
  } finally {
    for (const server of servers.splice(0)) expect(await server.close()).toMatchObject({ code: 0 });
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true, force: true });
  }
});

test("an item and a request that no protocol knows", async () => {
  const { fake, server, threadId } = await started({
    turns: [
      [
        { item: { type: "futureItem", id: "f1", shine: 7 } },
        { request: "future/unknownRequest", id: 99, params: { threadId: "$threadId", turnId: "$turnId" } },
        { message: "After the answer." },
      ],
    ],
  });
  const from = server.messages.length;
  await begin(server, threadId);
  const request = await server.find((message) => message.id === 99, from);
  expect(request.params).toMatchObject({ threadId, turnId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  await settled(server);
  expect(of(server.messages, "turn/completed")).toEqual([]);
  server.send({ id: 99, error: { code: -32601, message: "unknown" } });
  await server.find((message) => message.method === "turn/completed", from);
  const items = of(server.messages, "item/completed").map(({ params }) => params?.item);
  expect(items[1]).toMatchObject({ type: "futureItem", shine: 7 });
  const answer = await fake.until(({ received }) => received?.id === 99);
  expect(answer.received?.error).toMatchObject({ code: -32601 });
});

test("noise before and between messages", async () => {
  const fake = await made({
    banner: { stdout: "\u001b[1mWelcome\u001b[0m\n" },
    replies: { initialize: { after: [{ raw: "no JSON" }] } },
  });
  const params = { clientInfo: { name: "n", title: null, version: "1" } };
  const input = `${JSON.stringify({ id: 1, method: "initialize", params })}\n`;
  const { stdout } = await execa(fake.command, ["app-server"], { env: fake.environment, input });
  const lines = stdout.split("\n");
  expect(lines[0]).toContain("Welcome");
  expect(JSON.parse(lines[1] ?? "")).toMatchObject({ id: 1, result: { codexHome: fake.codexHome } });
  expect(lines[2]).toBe("no JSON");
});

test("lost events: the turn is over, and nobody said so", async () => {
  const { server, threadId } = await started({ mute: ["turn/completed"] });
  await begin(server, threadId);
  await server.find(({ params }) => (params?.status as { type?: string } | undefined)?.type === "idle");
  await settled(server);
  expect(of(server.messages, "turn/completed")).toEqual([]);
  const { data } = (await server.request("thread/turns/list", { threadId })) as {
    data: { status: string }[];
  };
  expect(data).toMatchObject([{ status: "completed" }]);
});

test("answers: wrong for the first time, late, or never", async () => {
  const { fake, server, threadId } = await started({
    replies: {
      "thread/resume": [
        { answer: { error: { code: -32600, message: "thread T already has an active writer" } } },
        { before: [{ gate: "late" }] },
      ],
      "model/list": { answer: "none" },
      "future/method": { answer: { result: { fine: true } } },
    },
  });
  await begin(server, threadId);
  expect((await server.call("thread/resume", { threadId })).error?.message).toContain("active writer");
  const late = server.call("thread/resume", { threadId });
  void server.call("model/list", {}).catch(() => "never answered");
  // Delaying one answer delays no other.
  expect(await server.request("future/method", {})).toEqual({ fine: true });
  await fake.until((line) => line.event === "gate");
  await fake.openGate("late");
  expect((await late).result).toMatchObject({ thread: { id: threadId } });
  expect(await fake.received("model/list")).toHaveLength(1);
});

test("events may overtake the answer to the request that caused them", async () => {
  const { server, threadId } = await started({
    replies: { "turn/start": { before: [{ notify: "turn/started", params: { threadId: "$threadId" } }] } },
  });
  const answer = await begin(server, threadId);
  const told = server.messages.findIndex(({ method }) => method === "turn/started");
  expect(server.messages[told]?.params).toEqual({ threadId });
  expect(told).toBeLessThan(server.messages.indexOf(answer));
});

test("it dies in a turn, and the next one has the threads and the turn as interrupted", async () => {
  const { fake, server, threadId } = await started({
    turns: [[{ message: "One." }], [{ message: "Half", unfinished: true }, { die: { signal: "SIGKILL" } }]],
  });
  await server.turn(threadId, "first");
  await begin(server, threadId, "second");
  expect(await server.exited).toMatchObject({ signal: "SIGKILL" });
  await fake.setScenario({});
  const next = await launched(fake);
  const { data } = (await next.request("thread/list", { cwd })) as { data: Message[] };
  expect(data).toMatchObject([{ id: threadId, preview: "first", status: { type: "notLoaded" } }]);
  await next.request("thread/resume", { threadId, excludeTurns: true });
  expect(await next.request("thread/turns/list", { threadId, itemsView: "full" })).toMatchObject({
    data: [
      { status: "interrupted", items: [] },
      { status: "completed", items: [{ type: "userMessage" }, { text: "One." }] },
    ],
  });
});

test("a request nobody has answered is sent again, with its id, to whoever resumes the thread", async () => {
  const { server, threadId } = await started({
    turns: [[{ command: "rm x", approval: { id: "a1" } }, { message: "Done." }]],
  });
  await begin(server, threadId);
  const asked = ({ method }: Message) => method === "item/commandExecution/requestApproval";
  await server.find(asked);
  const from = server.messages.length;
  await server.request("thread/resume", { threadId });
  expect(await server.find(asked, from)).toMatchObject({ id: "a1" });
  server.send({ id: "a1", result: { decision: "accept" } as Record<string, unknown> });
  await server.find(({ method }) => method === "turn/completed");
});

test("a turn without end is interrupted, also while it waits for an answer", async () => {
  const { server, threadId } = await started({
    turns: [[{ end: "never" }], [{ command: "rm x", approval: {} }, { message: "Not said." }]],
  });
  for (const text of ["endless", "asking"]) {
    const from = server.messages.length;
    const turnId = turnIdOf(await begin(server, threadId, text));
    if (text === "asking") await server.find(({ method }) => Boolean(method?.endsWith("requestApproval")));
    await server.request("turn/interrupt", { threadId, turnId });
    const end = await server.find(({ method }) => method === "turn/completed", from);
    expect(end.params?.turn).toMatchObject({ id: turnId, status: "interrupted" });
  }
  await settled(server);
  expect(of(server.messages, "item/completed").filter(({ params }) => params?.text)).toEqual([]);
  expect(of(server.messages, "serverRequest/resolved")).toHaveLength(1);
});

test("a queue is worked off in order, and is held after an interruption", async () => {
  const { server, threadId } = await started({ turns: [[{ end: "never" }], [{ message: "Next." }]] });
  const turnId = turnIdOf(await begin(server, threadId));
  for (const text of ["a", "b"]) {
    const input = [{ type: "text", text, text_elements: [] }];
    await server.request("thread/queue/add", { threadId, input, clientUserMessageId: text });
  }
  await server.request("turn/interrupt", { threadId, turnId });
  await settled(server);
  expect(of(server.messages, "turn/started")).toHaveLength(1);
  await server.request("thread/queue/start", { threadId });
  await expect.poll(() => of(server.messages, "turn/completed").length).toBe(3);
  const prompts = of(server.messages, "item/started")
    .map(({ params }) => params?.item as { type: string; clientId: string })
    .filter(({ type }) => type === "userMessage");
  expect(prompts.map(({ clientId }) => clientId)).toEqual([null, "a", "b"]);
});

test("threads from an earlier life, in pages", async () => {
  const threads = [1, 2, 3].map((n) => ({
    cwd,
    updatedAt: n,
    turns: [{ prompt: `Number ${n}`, answer: "Yes." }],
  }));
  const server = await launched(await made({ threads }));
  const first = (await server.request("thread/list", { cwd, limit: 2 })) as Record<string, unknown>;
  expect(first).toMatchObject({ data: [{ preview: "Number 3" }, { preview: "Number 2" }] });
  const rest = await server.request("thread/list", { cwd, limit: 2, cursor: first.nextCursor });
  expect(rest).toMatchObject({ data: [{ preview: "Number 1" }], nextCursor: null });
});

test("it may not start at all, or not want to end", async () => {
  const refusing = await made({ refuseToStart: { code: 1, stderr: "Error: no.\n" } });
  const refused = await execa(refusing.command, ["app-server"], { env: refusing.environment, reject: false });
  expect(refused).toMatchObject({ exitCode: 1, stderr: "Error: no." });

  const stubborn = await made({ stubborn: true });
  const server = await launched(stubborn);
  servers.splice(0);
  void server.close();
  await stubborn.until((line) => line.event === "endOfInput");
  process.kill(server.pid ?? 0, "SIGTERM");
  await stubborn.until((line) => line.event === "signal");
  process.kill(server.pid ?? 0, "SIGKILL");
  expect(await server.exited).toMatchObject({ signal: "SIGKILL" });
});
