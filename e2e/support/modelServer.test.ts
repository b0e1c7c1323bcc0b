// The scripted model server with the real codex: what end-to-end tests rely on.

import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { codexBinary, type Message, processesWith, TestAppServer } from "../../main/demo/testAppServer";
import { type CodexHome, createCodexHome } from "./codexHome";
import {
  cut,
  failure,
  functionCall,
  type ModelServer,
  message,
  partOf,
  patch,
  plan,
  reasoning,
  reply,
  shell,
  startModelServer,
  streamed,
} from "./modelServer";

let model: ModelServer;
let home: CodexHome;
let workspace: string;
let server: TestAppServer;
let threadId: string;

beforeEach(async () => {
  model = await startModelServer();
  home = await createCodexHome({ baseUrl: model.baseUrl });
  workspace = await realpath(await mkdtemp(path.join(tmpdir(), "holdfast-workspace-")));
  server = await TestAppServer.launch({
    command: await codexBinary(),
    // What the person's shell says when it starts, on a busy machine, would be among what commands say.
    environment: { CODEX_HOME: home.path, HOME: home.path },
    cwd: workspace,
  });
  const { thread } = (await server.request("thread/start", { cwd: workspace })) as { thread: { id: string } };
  threadId = thread.id;
});

afterEach(async () => {
  await server.close();
  await model.close();
  try {
    // codex reads the shell's start-up files in a process that can outlive it for a moment.
    await expect.poll(() => processesWith(home.path)).toEqual([]);
    expect(model.complaints).toEqual([]);
  } finally {
    await home.remove();
    await rm(workspace, { recursive: true, force: true });
  }
});

function completed(messages: Message[]): Record<string, unknown>[] {
  return messages
    .filter((one) => one.method === "item/completed")
    .map((one) => one.params?.item as Record<string, unknown>);
}

test("every builder is what codex takes it for", async () => {
  server.onRequest = () => ({ decision: "accept" });
  model.queue(
    reply(
      reasoning("**One**", "two"),
      streamed("Hello there", 3),
      plan([{ step: "a", status: "in_progress" }]),
    ),
    shell("echo out"),
    shell("echo asked", { escalate: { justification: "May I?" } }),
    patch("*** Begin Patch\n*** Add File: new.txt\n+hello\n*** End Patch"),
    functionCall("exec_command", { cmd: "echo called" }),
    message("Done."),
  );
  const messages = await server.turn(threadId, "go");
  const items = completed(messages).map((item) => [
    item.type,
    item.text ?? item.aggregatedOutput ?? item.status,
  ]);
  expect(items.slice(1)).toEqual([
    ["reasoning", undefined],
    ["agentMessage", "Hello there"],
    ["commandExecution", "out\n"],
    ["commandExecution", "asked\n"],
    ["fileChange", "completed"],
    ["commandExecution", "called\n"],
    ["agentMessage", "Done."],
  ]);
  expect(messages.filter((one) => one.method === "turn/plan/updated")).toHaveLength(1);
  expect(messages.filter((one) => one.method === "warning")).toEqual([]);
  expect(model.requests).toHaveLength(6);
  expect(model.requests[0]?.lastUserText).toBe("go");
  expect(model.requests[5]?.outputsSinceUser).toHaveLength(5);
  expect(model.unexpected).toEqual([]);
});

test("a gate holds a turn where it stands, and may be opened before or after it is reached", async () => {
  model.queue(
    reply(partOf("Half"), [model.hold("middle")], streamed(" whole", 1)),
    reply([model.hold("early")], message("Second.")),
  );
  const turn = server.turn(threadId, "first");
  await model.gate("middle").reached;
  await server.find((one) => one.method === "item/agentMessage/delta");
  expect(server.messages.some((one) => one.method === "turn/completed")).toBe(false);
  model.gate("middle").release();
  expect(completed(await turn).at(-1)).toMatchObject({ text: "Half whole" });
  model.gate("early").release();
  expect(completed(await server.turn(threadId, "second")).at(-1)).toMatchObject({ text: "Second." });
  await model.gate("early").reached;
});

test("errors, a cut, and a request without a reply fail the turn", async () => {
  model.queue(failure(400, "No."), reply(partOf("Half"), cut()));
  for (const text of ["refused", "cut", "nothing queued"]) {
    const messages = await server.turn(threadId, text);
    const end = messages.find((one) => one.method === "turn/completed");
    expect(end?.params?.turn).toMatchObject({ status: "failed" });
  }
  expect(model.unexpected.map((request) => request.lastUserText)).toEqual(["nothing queued"]);
  model.handle((request) => message(`You said ${request.lastUserText}.`));
  expect(completed(await server.turn(threadId, "well")).at(-1)).toMatchObject({ text: "You said well." });
  expect((await model.request(3)).lastUserText).toBe("well");
});

test("the hash of a home's config tells whether anybody touched it", async () => {
  const before = await home.configHash();
  expect(await home.configHash()).toBe(before);
  await server.request("config/value/write", {
    keyPath: "model_reasoning_effort",
    value: "high",
    mergeStrategy: "replace",
  });
  expect(await home.configHash()).not.toBe(before);
});
