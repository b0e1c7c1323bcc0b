// The whole demo with the real codex.

import { mkdtemp, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Clock, ManualClock, systemClock } from "../clock";
import type { Log } from "../log";
import { suggestionHeading } from "../workspaces/changes/suggestion";
import { type Demo, startDemo } from "./demo";
import { naturalPace, noPace, type Pace } from "./demoSpeech";
import { messageFor } from "./demoSuggestion";
import { fateOf } from "./demoTour";
import { codexBinary, type Message, processesWith, TestAppServer } from "./testAppServer";

let home = "";
let demo: Demo | null = null;
let server: TestAppServer | null = null;
let warnings: string[] = [];
/** What codex asked of its proxy, that is, of any address but this computer's. */
let outside: string[] = [];
let proxy: Server | null = null;

const log: Log = {
  info() {},
  warn: (message) => warnings.push(message),
  error: (message) => warnings.push(message),
};

beforeEach(async () => {
  home = await realpath(await mkdtemp(path.join(tmpdir(), "holdfast-demo-")));
  warnings = [];
  outside = [];
  proxy = createServer((socket) => {
    // A client that takes offence at this proxy is the one that is looked for.
    socket.on("error", () => undefined);
    socket.on("data", (chunk: Buffer) => {
      outside.push(chunk.toString("utf8").split("\r\n")[0] ?? "");
      socket.destroy();
    });
  });
  await new Promise<void>((resolve) => proxy?.listen(0, "127.0.0.1", resolve));
});

afterEach(async () => {
  await server?.close();
  await demo?.close();
  await new Promise((resolve) => proxy?.close(resolve));
  server = null;
  demo = null;
  try {
    // What codex started ends with it, but not in the same instant.
    await expect.poll(() => processesWith(home)).toEqual([]);
    expect(outside).toEqual([]);
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
});

/** `worktree`: codex runs in one of the demo's project. */
async function open({
  worktree,
  ...options
}: {
  clock?: Clock;
  pace?: Pace;
  worktree?: string;
} = {}): Promise<{
  demo: Demo;
  server: TestAppServer;
}> {
  demo = await startDemo({ home, clock: systemClock, log, pace: noPace, ...options });
  if (worktree) {
    await execa("git", ["worktree", "add", "--quiet", "-b", "try", worktree], { cwd: demo.workspacePath });
  }
  server = await TestAppServer.launch({
    command: await codexBinary(),
    args: demo.configOverrides.flatMap((override) => ["-c", override]),
    environment: { ...demo.environment, CODEX_HOME: demo.codexHome, ...viaProxy() },
    cwd: worktree ?? demo.workspacePath,
  });
  return { demo, server };
}

function viaProxy(): Record<string, string> {
  const port = (proxy?.address() as AddressInfo | null | undefined)?.port;
  const address = `http://127.0.0.1:${port}`;
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap((name) => [name, name.toLowerCase()]);
  return {
    ...Object.fromEntries(names.map((name) => [name, address])),
    NO_PROXY: "127.0.0.1",
    no_proxy: "127.0.0.1",
  };
}

async function newThread(on: TestAppServer, cwd: string): Promise<string> {
  const { thread } = (await on.request("thread/start", { cwd })) as { thread: { id: string } };
  return thread.id;
}

type Item = Record<string, unknown> & { type: string };

/** The completed items of a turn but the person's own. */
function itemsOf(messages: Message[]): Item[] {
  return messages
    .filter((message) => message.method === "item/completed")
    .map((message) => message.params?.item as Item)
    .filter((item) => item.type !== "userMessage");
}

function lastText(messages: Message[]): string {
  return String(itemsOf(messages).findLast((item) => item.type === "agentMessage")?.text);
}

function turnStatus(messages: Message[]): unknown {
  const completed = messages.find((message) => message.method === "turn/completed");
  return (completed?.params?.turn as Item | undefined)?.status;
}

function plansOf(messages: Message[]): { step: string; status: string }[][] {
  return messages
    .filter((message) => message.method === "turn/plan/updated")
    .map((message) => message.params?.plan as { step: string; status: string }[]);
}

async function commits(workspace: string): Promise<string[]> {
  const { stdout } = await execa("git", ["log", "--format=%s"], { cwd: workspace });
  return stdout.split("\n");
}

test("the tour plans, runs a command, edits, asks once and, allowed, commits", async () => {
  const { demo, server } = await open();
  const asked: Message[] = [];
  server.onRequest = (request) => {
    asked.push(request);
    return { decision: "accept" };
  };
  const thread = await newThread(server, demo.workspacePath);
  const messages = await server.turn(thread, "Build me a `boat`");

  expect(turnStatus(messages)).toBe("completed");
  expect(asked.map((request) => request.method)).toEqual(["item/commandExecution/requestApproval"]);
  expect(asked[0]?.params?.reason).toContain("May I commit this edit");
  const items = itemsOf(messages);
  expect(items.map((item) => item.type)).toEqual([
    "reasoning",
    "agentMessage",
    "agentMessage",
    "commandExecution",
    "agentMessage",
    "fileChange",
    "agentMessage",
    "commandExecution",
    "agentMessage",
    "agentMessage",
  ]);
  expect(new Set(items.map((item) => item.id)).size).toBe(items.length);
  expect(String(items[1]?.text)).toContain("You wrote “Build me a boat”.");
  expect(items[3]).toMatchObject({ status: "completed", exitCode: 0 });
  expect(String(items[3]?.aggregatedOutput)).toContain("greeting.mjs");
  expect(items[5]).toMatchObject({ status: "completed" });
  expect(await readFile(path.join(demo.workspacePath, "greeting.mjs"), "utf8")).toContain("Good $");
  expect(await commits(demo.workspacePath)).toEqual(["Greet by the time of day", "Postcards, as they came"]);
  expect(plansOf(messages).map((plan) => plan.map((step) => step.status).join(" "))).toEqual([
    "inProgress pending pending pending",
    "completed inProgress pending pending",
    "completed completed inProgress pending",
    "completed completed completed completed",
  ]);
  const deltas = messages.filter((message) => message.method === "item/agentMessage/delta");
  expect(deltas.length).toBeGreaterThan(100);
  expect(lastText(messages)).toContain("```js");
  expect(lastText(messages)).toContain("you agreed");
  expect(server.messages.filter((message) => message.method === "warning")).toEqual([]);
  expect(warnings).toEqual([]);
});

test("in a worktree of its project the demo is the same, and leaves the project as it is", async () => {
  const worktree = path.join(home, "worktrees", "try");
  const { demo, server } = await open({ worktree });
  server.onRequest = () => ({ decision: "accept" });
  const { thread, approvalPolicy, sandbox } = (await server.request("thread/start", { cwd: worktree })) as {
    thread: { id: string };
    approvalPolicy: string;
    sandbox: { type: string };
  };
  expect({ approvalPolicy, sandbox: sandbox.type }).toEqual({
    approvalPolicy: "on-request",
    sandbox: "workspaceWrite",
  });
  const messages = await server.turn(thread.id, "Build me a boat");
  expect(turnStatus(messages)).toBe("completed");
  expect(await readFile(path.join(worktree, "greeting.mjs"), "utf8")).toContain("Good $");
  expect(await commits(worktree)).toEqual(["Greet by the time of day", "Postcards, as they came"]);
  expect(await commits(demo.workspacePath)).toEqual(["Postcards, as they came"]);
  expect(await readFile(path.join(demo.workspacePath, "greeting.mjs"), "utf8")).not.toContain("Good $");
  expect(server.messages.filter((message) => message.method === "warning")).toEqual([]);
  expect(warnings).toEqual([]);
});

test("the tour goes on when its question is declined, and later turns each do one thing", async () => {
  const { demo, server } = await open();
  server.onRequest = () => ({ decision: "decline" });
  const thread = await newThread(server, demo.workspacePath);

  const tour = await server.turn(thread, "hello");
  expect(turnStatus(tour)).toBe("completed");
  expect(itemsOf(tour).filter((item) => item.status === "declined")).toHaveLength(1);
  expect(lastText(tour)).toContain("you declined, so it was not done");
  expect(await commits(demo.workspacePath)).toEqual(["Postcards, as they came"]);

  const note = await server.turn(thread, "Remember the *milk*");
  expect(itemsOf(note).map((item) => item.type)).toEqual(["agentMessage", "fileChange", "agentMessage"]);
  const change = itemsOf(note).find((item) => item.type === "fileChange")?.changes as { path: string }[];
  expect(await readFile(change[0]?.path ?? "", "utf8")).toContain("you wrote: “Remember the milk”");

  const long = await server.turn(thread, "`long`");
  expect(turnStatus(long)).toBe("completed");
  expect(long.filter((message) => message.method === "item/agentMessage/delta").length).toBeGreaterThan(500);

  const fail = await server.turn(thread, "Fail!");
  expect(turnStatus(fail)).toBe("failed");
  const error = fail.find((message) => message.method === "error")?.params;
  expect(error).toMatchObject({ willRetry: false });
  expect(JSON.stringify(error?.error)).toContain("failed on purpose");

  const from = server.messages.length;
  await server.request("thread/compact/start", { threadId: thread });
  await server.find((message) => message.method === "turn/completed", from);
  expect(turnStatus(server.messages.slice(from))).toBe("completed");
  expect(warnings).toEqual([]);
});

test("the tour tells a command that has failed from one that was declined", async () => {
  const { demo, server } = await open();
  await writeFile(path.join(demo.workspacePath, ".git", "index.lock"), "");
  server.onRequest = () => ({ decision: "accept" });
  const thread = await newThread(server, demo.workspacePath);

  const tour = await server.turn(thread, "hello");

  expect(turnStatus(tour)).toBe("completed");
  expect(itemsOf(tour).filter((item) => item.status === "declined")).toEqual([]);
  expect(lastText(tour)).toContain("the command was run, and failed");
  expect(await commits(demo.workspacePath)).toEqual(["Postcards, as they came"]);
});

test.each([
  [null, "unanswered"],
  ["Wall time: 0.1 seconds\naborted by user", "unanswered"],
  ["Process exited with code 0", "done"],
  ["Process exited with code 128", "failed"],
  ["exec_command failed: rejected by user", "declined"],
  ["approval policy is Never; reject command", "refused"],
  ["exec_command failed: exec-server transport disconnected", "not run"],
])("of a step that codex answers with %j it says that it was %s", (output, fate) => {
  expect(fateOf(output)).toBe(fate);
});

test("a review is of what is not committed, in the form that codex asks for", async () => {
  const { demo, server } = await open();
  server.onRequest = () => ({ decision: "decline" });
  const thread = await newThread(server, demo.workspacePath);
  const review = async (target: object) => {
    const from = server.messages.length;
    await server.request("review/start", { threadId: thread, target, delivery: "inline" });
    await server.find((message) => message.method === "turn/completed", from);
    const items = itemsOf(server.messages.slice(from));
    expect(items.map((item) => item.type)).not.toContain("fileChange");
    return String(items.find((item) => item.type === "exitedReviewMode")?.review);
  };
  expect(await review({ type: "uncommittedChanges" })).toContain("Nothing is different");

  await server.turn(thread, "tour");
  const found = await review({ type: "uncommittedChanges" });
  expect(found).toContain("I looked at `greeting.mjs`.");
  expect(found).toContain(`The hour is that of the sender — ${demo.workspacePath}/greeting.mjs:3-3`);
  expect(found).not.toContain('"findings"');
  const { stdout: sha } = await execa("git", ["rev-parse", "HEAD"], { cwd: demo.workspacePath });
  expect(await review({ type: "commit", sha, title: null })).toContain("`README.md`");
  expect(await review({ type: "baseBranch", branch: "master" })).toContain("greeting.mjs");
  // A turn after a review is one of the demo's own again.
  expect(lastText(await server.turn(thread, "fine"))).toContain("Done: `notes/note-");
  const withNote = await review({ type: "custom", instructions: "Look at the notes." });
  expect(withNote).toMatch(/I looked at `notes\/note-\w+\.md`, `greeting\.mjs`/);
  expect(warnings).toEqual([]);
});

test("a turn that was ended at the question is spoken of in the next one", async () => {
  const { demo, server } = await open();
  server.onRequest = () => ({ decision: "cancel" });
  const thread = await newThread(server, demo.workspacePath);
  expect(turnStatus(await server.turn(thread, "hello"))).toBe("interrupted");
  const next = await server.turn(thread, "and now?");
  expect(lastText(next)).toContain("You said no to my question");
  const later = await server.turn(thread, "fine");
  expect(lastText(later)).toContain("Done: `notes/note-");
});

test("a message that is put into the tour is heard, and the tour goes on", async () => {
  const { demo, server } = await open();
  const thread = await newThread(server, demo.workspacePath);
  const input = (text: string) => [{ type: "text", text, text_elements: [] }];
  const { turn } = await server.request("turn/start", { threadId: thread, input: input("hello") });
  const question = await server.find((message) => message.method?.endsWith("requestApproval") ?? false);
  const expectedTurnId = (turn as { id: string }).id;
  await server.request("turn/steer", { threadId: thread, expectedTurnId, input: input("long") });
  server.send({ id: question.id, result: { decision: "accept" } });
  await server.find((message) => message.method === "turn/completed");
  const texts = itemsOf(server.messages).map((item) => String(item.text));
  expect(texts.filter((text) => text.includes("You added “long”."))).toHaveLength(1);
  expect(lastText(server.messages)).toContain("That was the tour");
});

test("stop ends a long answer in the middle of a word", async () => {
  const clock = new ManualClock();
  const { demo, server } = await open({ clock, pace: naturalPace });
  const thread = await newThread(server, demo.workspacePath);
  const input = [{ type: "text", text: "long", text_elements: [] }];
  const { turn } = await server.request("turn/start", { threadId: thread, input });
  const delta = (message: Message) => /delta$/i.test(message.method ?? "");
  await server.find((message) => message.method === "turn/started");
  // The breath, and the limit of every wait, are what the clock holds.
  await expect.poll(() => clock.pendingCount).toBe(2);
  clock.advance(naturalPace.breathMs);
  await server.find(delta);
  await server.request("turn/interrupt", { threadId: thread, turnId: (turn as { id: string }).id });
  await server.find((message) => message.method === "turn/completed");
  expect(turnStatus(server.messages)).toBe("interrupted");
  expect(server.messages.filter(delta).length).toBeLessThan(3);
  await expect.poll(() => clock.pendingCount).toBe(0);
  expect(warnings).toEqual([]);
});

test("without git, the question is about a line outside the workspace", async () => {
  const { demo, server } = await open();
  await rm(path.join(demo.workspacePath, ".git"), { recursive: true });
  server.onRequest = () => ({ decision: "accept" });
  const thread = await newThread(server, demo.workspacePath);
  const tour = await server.turn(thread, "hello");
  expect(turnStatus(tour)).toBe("completed");
  expect(await readFile(path.join(home, "demo", "allowed.txt"), "utf8")).toContain("allowed");
});

test("a thread goes on after a restart, on another port when the first is taken", async () => {
  const first = await open();
  first.server.onRequest = () => ({ decision: "accept" });
  const thread = await newThread(first.server, first.demo.workspacePath);
  await first.server.turn(thread, "hello");
  await first.server.close();
  await first.demo.close();

  const again = await open();
  expect(again.demo.configOverrides).toEqual(first.demo.configOverrides);
  expect(again.demo.environment).toEqual(first.demo.environment);
  await again.server.close();
  await again.demo.close();

  const port = Number(/:(\d+)\//.exec(first.demo.configOverrides[0] ?? "")?.[1]);
  const squatter = createServer().listen(port, "127.0.0.1");
  try {
    const moved = await open();
    expect(moved.demo.configOverrides).not.toEqual(first.demo.configOverrides);
    moved.server.onRequest = () => ({ decision: "accept" });
    await moved.server.request("thread/resume", { threadId: thread, excludeTurns: true });
    const note = await moved.server.turn(thread, "still there?");
    expect(lastText(note)).toContain("Done: `notes/note-");
    const second = await moved.server.turn(thread, "tour");
    expect(turnStatus(second)).toBe("completed");
    expect(await readFile(path.join(moved.demo.workspacePath, "greeting.mjs"), "utf8")).toContain("farewell");
    expect((await commits(moved.demo.workspacePath))[0]).toBe("Add a farewell");
    const third = await moved.server.turn(thread, "tour");
    expect(lastText(third)).toContain("there is a new note, `notes/visit-");
  } finally {
    squatter.close();
  }
});

test("commands do not see the token, and nothing is fetched from elsewhere", async () => {
  const { demo, server } = await open();
  const thread = await newThread(server, demo.workspacePath);
  const from = server.messages.length;
  await server.request("thread/shellCommand", { threadId: thread, command: "env" });
  await server.find((message) => message.method === "turn/completed", from);
  const [ran] = itemsOf(server.messages.slice(from));
  expect(String(ran?.aggregatedOutput)).toContain("PATH=");
  expect(String(ran?.aggregatedOutput)).not.toContain("HOLDFAST_DEMO_TOKEN");
  const { requiresOpenaiAuth } = await server.request("account/read", {});
  expect(requiresOpenaiAuth).toBe(false);
});

test("what the person changed stays, and what is secret is private", async () => {
  demo = await startDemo({ home, clock: systemClock, log, pace: noPace });
  const greeting = path.join(demo.workspacePath, "greeting.mjs");
  await writeFile(greeting, "// mine\n");
  await rm(path.join(demo.workspacePath, "print.mjs"));
  await demo.close();
  const config = path.join(demo.codexHome, "config.toml");
  await writeFile(config, `${await readFile(config, "utf8")}\n# added by codex\n`);

  demo = await startDemo({ home, clock: systemClock, log, pace: noPace });
  expect(await readFile(greeting, "utf8")).toBe("// mine\n");
  await expect(stat(path.join(demo.workspacePath, "print.mjs"))).rejects.toThrow("ENOENT");
  expect(await readFile(config, "utf8")).toContain("# added by codex");
  if (process.platform !== "win32") {
    expect((await stat(demo.codexHome)).mode & 0o777).toBe(0o700);
    expect((await stat(config)).mode & 0o777).toBe(0o600);
    expect((await stat(path.join(home, "demo", "model-server.json"))).mode & 0o777).toBe(0o600);
  }
  const base = /"(.+)"/.exec(demo.configOverrides[0] ?? "")?.[1];
  const answer = await fetch(`${base}/responses`, { method: "POST", body: "{}" });
  expect(answer.status).toBe(401);
});

test("a commit's message is worded from what is changed", async () => {
  const { demo, server } = await open();
  const { instructions, text } = {
    instructions: `${suggestionHeading}\n\nYou write the message.`,
    text: "The difference:\n\ndiff --git a/README.md b/README.md\nindex 1..2 100644\n@@ -1 +1 @@\n-a\n+b",
  };
  const { thread } = (await server.request("thread/start", {
    cwd: demo.workspacePath,
    ephemeral: true,
    developerInstructions: instructions,
    environments: [],
  })) as { thread: { id: string } };
  expect(JSON.parse(lastText(await server.turn(thread.id, text)))).toEqual({ message: "Change README.md" });
});

test.each([
  ["diff --git a/x/new.txt b/x/new.txt\nnew file mode 100644", "Add new.txt"],
  ["diff --git a/gone b/gone\ndeleted file mode 100644", "Remove gone"],
  [
    "What is changed:\n\n\n\nNew files:\n\n- a b\n- c\n\nThe difference:\n\n",
    "Add a b and another file\n\n- Add a b\n- Add c",
  ],
  ["nothing that it knows", "Change files"],
])("of %j it says %j", (question, said) => {
  expect(messageFor(question)).toBe(said);
});
