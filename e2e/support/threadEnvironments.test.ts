// Threads of environments with the real codex and real exec-servers: where the commands of each run, whatever goes away.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startExecServer, type TestExecServer } from "../../main/environments/client/testExecServer";
import { functionCall, message, shell } from "./modelServer";
import { RealThreads } from "./testRealThreads";

let real: RealThreads;
let servers: TestExecServer[] = [];
/** The process that started each command, in their order. */
let parents: number[] = [];

const until = (look: () => unknown) => expect.poll(look, { interval: 10 });
const agents = ["multi_agent = true", "multi_agent_v2 = true"];

beforeEach(async () => {
  parents = [];
  servers = [];
  real = await RealThreads.make({ extraLines: agents });
  real.model.handle(({ body }) => {
    const last = (body.input as { type: string; output?: unknown; content?: unknown }[]).at(-1);
    const words = JSON.stringify(last?.content ?? "");
    if (last?.type === "function_call_output") {
      const parent = /parent (\d+)/.exec(JSON.stringify(last.output))?.[1];
      if (parent !== undefined) parents.push(Number(parent));
      return message("Done.");
    }
    if (words.includes("start an agent"))
      return functionCall(
        "spawn_agent",
        { task_name: "kid", message: "work", fork_turns: "none" },
        "collaboration",
      );
    if (words.includes("ask the agent"))
      return functionCall("followup_task", { target: "kid", message: "work" }, "collaboration");
    // An agent has answered, and its thread goes on.
    if (last?.type === "agent_message" && !words.includes("NEW_TASK")) return message("Noted.");
    return shell("echo parent $PPID");
  });
  real.compose();
  await real.threads.setSettings(real.threadKey, {
    model: null,
    effort: null,
    sandbox: "danger-full-access",
    approvalPolicy: "never",
  });
});

afterEach(async () => {
  await real.end();
  for (const server of servers) await server.stop();
});

async function started(environmentId = "box", folder?: string): Promise<TestExecServer> {
  const server = await startExecServer();
  servers.push(server);
  real.places.set(environmentId, { url: server.url, identity: `executor ${servers.length}` });
  if (folder === undefined) await choose({ environmentId, cwd: server.folder });
  return server;
}

const choose = (choice: { environmentId: string; cwd: string } | null) =>
  real.threads.environments.choose(real.threadKey, choice);

/** Sends it and waits until its turn is over. Returns what has started its commands. */
async function ran(text: string): Promise<number[]> {
  const before = parents.length;
  real.send(text);
  await over();
  return parents.slice(before);
}

async function over(): Promise<void> {
  await until(() => [real.head.run, real.head.submissions]).toEqual([null, []]);
  real.threadKey = real.runtime.threadId ?? real.threadKey;
}

describe("the commands of a thread", () => {
  it("run in its environment, and again after codex was killed", async () => {
    const box = await started();
    expect(real.head.environment).toMatchObject({ name: "The box", state: "not used yet", fault: null });
    expect(await ran("one")).toEqual([box.pid]);
    expect(real.head.environment).toMatchObject({ state: "connected" });
    await real.killCodex();
    expect(real.head.environment).toMatchObject({ state: "not used yet" });
    expect(await ran("two")).toEqual([box.pid]);
    expect(await ran("three")).toEqual([box.pid]);
  });

  it("run there after both were killed", async () => {
    const box = await started();
    await ran("one");
    await real.killBoth();
    real.threads.open(real.threadKey, () => undefined);
    await until(() => real.head.residency).toBe("loaded");
    expect(await ran("two")).toEqual([box.pid]);
  });

  it("run where its executor is now, in the same folder, whether the one before lives or not", async () => {
    const first = await started();
    expect(await ran("one")).toEqual([first.pid]);
    const second = await started("box", first.folder);
    expect(await ran("two")).toEqual([second.pid]);
    await second.kill();
    const third = await started("box", first.folder);
    expect(await ran("three")).toEqual([third.pid]);
    expect(real.head.environment).toMatchObject({ state: "connected", fault: null });
  });

  it("run nowhere while it cannot be reached", async () => {
    const box = await started();
    await ran("one");
    await box.kill();
    await until(() => real.head.environment?.state).toBe("disconnected");
    const clientId = real.send("two");
    await until(() => real.head.submissions).toMatchObject([{ text: "two", state: "undelivered" }]);
    expect(real.head.submissions[0]?.fault?.code).toBe("environment_not_reached");
    expect(real.head.environment?.fault?.code).toBe("environment_not_reached");
    expect(real.asked).toHaveLength(2);
    const again = await started("box", box.folder);
    await choose({ environmentId: "box", cwd: again.folder });
    real.runtime.delivery.resend(clientId);
    await over();
    expect(parents).toEqual([box.pid, again.pid]);
  });

  it("run nowhere once it was removed, until this machine is chosen", async () => {
    const box = await started();
    await ran("one");
    real.places.delete("box");
    real.threads.environments.environmentsChanged();
    expect(real.head.environment?.name).toBeNull();
    const clientId = real.send("two");
    await until(() => real.head.submissions).toMatchObject([{ state: "undelivered" }]);
    expect(real.head.submissions[0]?.fault?.code).toBe("environment_removed");
    await real.killCodex();
    real.runtime.delivery.resend(clientId);
    await until(() => real.head.submissions).toMatchObject([{ state: "undelivered" }]);
    expect(parents).toEqual([box.pid]);
    await choose(null);
    real.runtime.delivery.resend(clientId);
    await over();
    expect(parents).toEqual([box.pid, real.codexPid]);
  });

  it("run on this machine in a thread of the same codex that has chosen nothing", async () => {
    const box = await started();
    expect(await ran("one")).toEqual([box.pid]);
    real.compose();
    await real.threads.setSettings(real.threadKey, { ...real.head.settings, sandbox: "danger-full-access" });
    expect(await ran("two")).toEqual([real.codexPid]);
    const { thread } = (await (
      await real.connect()
    ).client.request("thread/read", {
      threadId: real.threadKey,
    })) as { thread: { environments: { environmentId: string }[] } };
    expect(thread.environments.map(({ environmentId }) => environmentId)).toEqual(["local"]);
  });

  it("run at the place that was chosen last", async () => {
    const box = await started();
    expect(await ran("one")).toEqual([box.pid]);
    await choose(null);
    expect(await ran("two")).toEqual([real.codexPid]);
    await choose({ environmentId: "box", cwd: box.folder });
    expect(await ran("three")).toEqual([box.pid]);
  });

  it("run there in a fork of it", async () => {
    const box = await started();
    await ran("one");
    real.threadKey = await real.threads.actions.fork(real.threadKey, null);
    real.threads.open(real.threadKey, () => undefined);
    expect(await ran("two")).toEqual([box.pid]);
  });

  it("of a review run there, also as the first thing after codex was killed", async () => {
    const box = await started();
    await ran("one");
    await real.killCodex();
    await real.threads.actions.review(real.threadKey, { type: "custom", instructions: "Look." });
    await until(() => parents).toEqual([box.pid, box.pid]);
    await over();
    await real.threads.actions.compact(real.threadKey);
    await over();
    expect(await ran("two")).toEqual([box.pid]);
  });

  it("of its agents run there, also after codex was killed", async () => {
    const box = await started();
    await ran("start an agent");
    await until(() => parents).toEqual([box.pid]);
    await real.killCodex();
    await ran("ask the agent");
    await until(() => parents).toEqual([box.pid, box.pid]);
    await expect(choose(null)).rejects.toMatchObject({ code: "agents_stay" });
  });
});

describe("an agent", () => {
  it("that is opened before its thread has gone on there is only read, and works there afterwards", async () => {
    const box = await started();
    await ran("start an agent");
    await until(() => parents).toEqual([box.pid]);
    const kid = real.threads.rows.all.find(({ parentThreadId }) => parentThreadId !== null)?.threadId ?? "";
    await real.killCodex();
    await real.runtime.load();
    await expect(real.threads.runtime(kid).load()).rejects.toMatchObject({ code: "agent_waits" });
    await ran("ask the agent");
    await until(() => parents).toEqual([box.pid, box.pid]);
    await real.threads.runtime(kid).load();
    await ran("ask the agent");
    await until(() => parents).toEqual([box.pid, box.pid, box.pid]);
  });
});

describe("an executor with a token", () => {
  it.each([
    { given: "the right words", outcome: "runs there" },
    { given: "others", outcome: "undelivered" },
    { given: undefined, outcome: "undelivered" },
  ])("$given: $outcome", async ({ given, outcome }) => {
    const folder = await mkdtemp(join(tmpdir(), "holdfast-token-"));
    const file = join(folder, "token");
    await writeFile(file, "the right words", { mode: 0o600 });
    try {
      const box = await startExecServer(["--ws-auth", "capability-token", "--ws-token-file", file]);
      servers.push(box);
      real.places.set("box", { url: box.url, identity: "executor", ...(given && { token: given }) });
      await choose({ environmentId: "box", cwd: box.folder });
      if (outcome === "runs there") {
        expect(await ran("one")).toEqual([box.pid]);
        return;
      }
      real.send("one");
      await until(() => real.head.submissions).toMatchObject([{ state: "undelivered" }]);
      const { fault } = real.head.submissions[0] ?? {};
      expect(fault).toMatchObject({ code: "environment_not_reached" });
      expect(fault?.detail).toContain("401");
      expect(parents).toEqual([]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe("what waits in codex's queue", () => {
  it("is Holdfast's when an environment is chosen, and runs there, once and in order", async () => {
    real.model.queue([real.model.hold("go"), ...message("Begun.")]);
    real.send("begin");
    await real.model.gate("go").reached;
    for (const text of ["one", "two"]) real.send(text, "queue");
    await until(() => real.waiting).toEqual(["one", "two"]);
    await expect(choose(null)).rejects.toMatchObject({ code: "turn_running" });
    await real.runtime.stop();
    real.model.gate("go").release();
    await until(() => real.head.followUps.held).toBe("stopped");
    const box = await started();
    expect(real.waiting).toEqual(["one", "two"]);
    expect(real.head.followUps.keeper).toBe("holdfast");
    await real.killCodex();
    await real.runtime.followUpChanges.resume();
    await until(() => real.head.followUps.entries).toEqual([]);
    await over();
    expect(parents).toEqual([box.pid, box.pid]);
    expect(real.asked.filter((_, at) => at % 2 === 1)).toEqual(["one", "two"]);
  });

  it("from another program is Holdfast's too, and runs there", async () => {
    const box = await started();
    real.model.queue([real.model.hold("go"), ...message("Begun.")]);
    real.send("begin");
    await real.model.gate("go").reached;
    const { client } = await real.connect();
    const { threadId } = real.runtime;
    await client.request("thread/queue/add", {
      threadId: threadId ?? "",
      clientUserMessageId: "another program's",
      input: [{ type: "text", text: "two", text_elements: [] }],
    });
    await until(() => real.waiting).toEqual(["two"]);
    await until(() => real.ledger.submissions.get("another program's")?.place).toBe(1);
    await real.killCodex();
    await real.runtime.load();
    await until(() => parents).toEqual([box.pid]);
    await over();
    expect(real.asked.at(-1)).toBe("two");
  });

  it("and is begun by codex before it was told the environment, is stopped before it has run anything", async () => {
    await started();
    await ran("one");
    await real.killCodex();
    await real.runtime.load();
    real.model.queue([real.model.hold("late"), ...shell("echo parent $PPID")]);
    const { client } = await real.connect();
    await client.request("thread/queue/add", {
      threadId: real.threadKey,
      clientUserMessageId: "another program's",
      input: [{ type: "text", text: "two", text_elements: [] }],
    });
    await until(() => real.head.state).toBe("interrupted");
    real.model.gate("late").release();
    await over();
    expect(parents).toHaveLength(1);
    const notes = real.runtime.state.snapshot().items.filter(({ kind }) => kind === "notice");
    expect(notes).toMatchObject([{ tone: "error" }]);
  });
});
