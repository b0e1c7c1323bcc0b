// A command that an agent has left running after its turn: what is shown of it, what ends it, and what it keeps from ending.

import { beforeEach, describe, expect, it } from "vitest";
import { Fault } from "../fault";
import { lingerMs } from "./linger";
import {
  agentItem,
  codexThread,
  codexTurn,
  commandItem,
  listed,
  resumed,
  runningCommand,
  userItem,
} from "./testCodexData";
import {
  begin,
  bench,
  codex,
  complete,
  finish,
  later,
  opened,
  past,
  prepareBench,
  runtime,
  start,
  status,
  T,
} from "./testRuntime";
import { settle } from "./testThreads";

prepareBench();

const list = "thread/backgroundTerminals/list";
const terminate = "thread/backgroundTerminals/terminate";
const terminal = (itemId: string) => ({
  itemId,
  processId: `process of ${itemId}`,
  command: "make",
  cwd: "/home/ada/engine",
  osPid: null,
  cpuPercent: null,
  rssKb: null,
});
let running: string[];

beforeEach(() => {
  running = ["c"];
  bench.rule(list, () => ({ data: running.map(terminal), nextCursor: null }));
  bench.rule(terminate, () => ({ terminated: true }));
});

/** A turn in which a command begins, and which ends before it. */
async function left(how = "completed") {
  const window = await opened();
  begin("t2");
  start("t2", runningCommand("c"));
  complete("t2", how);
  await settle();
  return window;
}

const shownOf = (window: Awaited<ReturnType<typeof opened>>) =>
  window.head.leftRunning.map(({ key, processId, stopping }) => ({ key, processId, stopping }));
const one = { key: "t2/c", processId: "process of c", stopping: false };

it("is shown from the end of the turn to its own", async () => {
  const window = await left();
  expect(shownOf(window)).toEqual([one]);
  expect(window.head.state).toBe("idle");
  expect(bench.threads.rows.get(T)?.leftRunning).toEqual(["make"]);
  finish("t2", commandItem("c", "done\n"));
  expect(window.head.leftRunning).toEqual([]);
  expect(bench.threads.rows.get(T)?.leftRunning).toBeUndefined();
  expect(window.texts.at(-1)).toBe("command completed: make > done\n");
});

it("is shown before codex has said what it can be stopped by, and when codex never does", async () => {
  bench.rule(list, () => new Error("no"));
  const window = await left();
  expect(shownOf(window)).toEqual([{ ...one, processId: null }]);
  await expect(runtime().leftRunning.stop("c")).rejects.toMatchObject({ code: "command_not_stoppable" });
  expect(codex().all(terminate)).toEqual([]);
});

it("is stopped by the id that codex gave, and shown until codex has told its end", async () => {
  const window = await left();
  bench.hold(terminate);
  const stopped = runtime().leftRunning.stop("c");
  await settle();
  expect(shownOf(window)).toEqual([{ ...one, stopping: true }]);
  expect(codex().only(terminate).params).toEqual({ threadId: T, processId: "process of c" });
  running = [];
  codex().only(terminate).answer({ terminated: true });
  await stopped;
  await settle();
  expect(window.copy.items.at(-1), "before codex has told its end").toMatchObject({
    status: "failed",
    stopped: true,
  });
  finish("t2", commandItem("c", null, { status: "failed", exitCode: -1 }));
  await settle();
  expect(window.head.leftRunning).toEqual([]);
  expect(window.copy.items.at(-1)).toMatchObject({ status: "failed", exitCode: null, stopped: true });
  await runtime().leftRunning.stop("c");
  expect(codex().all(terminate), "it has ended already").toHaveLength(1);
});

it("is stopped with everything else when the person ends that, also in a turn that runs, and has not failed then", async () => {
  const window = await left();
  begin("t3");
  start("t3", runningCommand("d"));
  runtime().leftRunning.allStopped();
  finish("t2", commandItem("c", null, { status: "failed", exitCode: -1 }));
  finish("t3", commandItem("d", null, { status: "failed", exitCode: -1 }));
  const ended = window.copy.items.filter(({ kind }) => kind === "command");
  expect(ended).toMatchObject([
    { status: "failed", stopped: true },
    { status: "failed", stopped: true },
  ]);
});

it("that codex could not be asked to stop can be stopped again", async () => {
  const window = await left();
  bench.rule(terminate, () => new Error("no"));
  await expect(runtime().leftRunning.stop("c")).rejects.toMatchObject({ code: "codex_error" });
  expect(shownOf(window)).toEqual([one]);
  expect(window.copy.items.at(-1)).toMatchObject({ status: "running", stopped: false });
});

it("is stopped once, however often that is asked for", async () => {
  const window = await left();
  bench.hold(terminate);
  const stopped = [runtime().leftRunning.stop("c"), runtime().leftRunning.stop("c")];
  await settle();
  expect(codex().all(terminate)).toHaveLength(1);
  codex().only(terminate).answer({ terminated: true });
  await Promise.all(stopped);
  expect(shownOf(window)).toEqual([{ ...one, stopping: true }]);
});

it.each([
  ["was", [], [], { status: "failed", stopped: true }],
  ["was not", ["c"], [one], { status: "running", stopped: false }],
])(
  "of which codex did not say whether it %s stopped, since the connection went",
  async (_, still, views, item) => {
    const window = await left();
    bench.hold(terminate);
    const stopped = expect(runtime().leftRunning.stop("c")).rejects.toMatchObject({
      code: "connection_lost",
    });
    await settle();
    await bench.cut();
    await stopped;
    expect(shownOf(window)).toEqual([{ ...one, stopping: true }]);
    running = still;
    bench.rule("thread/resume", () => resumed(T, [past, codexTurn("t2", "completed")]));
    await bench.reconnect();
    await settle();
    expect(shownOf(window)).toEqual(views);
    expect(window.copy.items.at(-1)).toMatchObject(item);
  },
);

it("whose stopping codex does not answer can be stopped again", async () => {
  const window = await left();
  bench.hold(terminate);
  bench.hold(list);
  const stopped = expect(runtime().leftRunning.stop("c")).rejects.toBeInstanceOf(Fault);
  await later(11_000);
  await stopped;
  await later(11_000);
  expect(shownOf(window)).toEqual([one]);
});

it("that ends while codex answers does not come back with the answer, and an answer that was overtaken says nothing", async () => {
  const window = await opened();
  bench.hold(list);
  begin("t2");
  start("t2", runningCommand("c"));
  complete("t2");
  begin("t3");
  start("t3", runningCommand("d"));
  complete("t3");
  await settle();
  const [first, second] = codex().all(list);
  finish("t2", commandItem("c", "done\n"));
  second?.answer({ data: ["c", "d", "older"].map(terminal), nextCursor: null });
  await settle();
  first?.answer({ data: [terminal("c")], nextCursor: null });
  await settle();
  expect(shownOf(window)).toEqual([
    { key: null, processId: "process of older", stopping: false },
    { key: "t3/d", processId: "process of d", stopping: false },
  ]);
});

it("runs again in the conversation when it outlives a Stop of its turn", async () => {
  const window = await left("interrupted");
  expect(window.texts.at(-1)).toMatch(/^command running/);
  expect(shownOf(window)).toEqual([one]);
});

it("is cut off with a turn that was stopped, if codex does not name it", async () => {
  running = [];
  const window = await left("interrupted");
  expect(window.texts.at(-1)).toMatch(/^command lost/);
  expect(window.head.leftRunning).toEqual([]);
});

it("keeps its thread loaded, and its session from being closed, until it ends", async () => {
  const window = await left();
  bench.close(window);
  await later(lingerMs * 3);
  expect(codex().all("thread/unsubscribe")).toEqual([]);
  expect(bench.threads.keepsSession(bench.workspaceId)).toBe(true);
  expect(bench.threads.isQuiet(bench.workspaceId), "codex is not restarted without a question").toBe(false);
  finish("t2", commandItem("c", "done\n"));
  await later(lingerMs + 1_000);
  expect(codex().all("thread/unsubscribe")).toHaveLength(1);
  expect(bench.threads.isQuiet(bench.workspaceId)).toBe(true);
});

it("has ended with its process", async () => {
  const window = await left();
  await bench.kill();
  expect(window.head.leftRunning).toEqual([]);
  expect(window.texts.at(-1)).toMatch(/^command lost/);
});

it("has ended when codex unloads the thread", async () => {
  const window = await left();
  bench.rule("thread/resume", () => new Fault("codex_error", "no"));
  status("notLoaded");
  expect(window.head.leftRunning).toEqual([]);
  expect(window.texts.at(-1)).toMatch(/^command lost/);
});

it.each([
  ["goes on", ["c"], [one], /^command running/],
  ["has ended unheard", [], [], /^command lost/],
])("is asked about after a cut of the connection: it %s", async (_, still, views, words) => {
  const window = await left();
  await bench.cut();
  running = still;
  bench.rule("thread/resume", () => resumed(T, [past, codexTurn("t2", "completed")]));
  await bench.reconnect();
  await settle();
  expect(shownOf(window)).toEqual(views);
  expect(window.texts.at(-1)).toMatch(words);
});

it("is found by the next Holdfast in a codex that lives, which keeps its thread loaded", async () => {
  await left();
  await bench.restart({ codexLives: true });
  bench.rule("thread/resume", () => resumed(T, [past, codexTurn("t2", "completed")]));
  bench.rule("thread/loaded/list", () => ({ data: [T], nextCursor: null }));
  bench.rule("thread/read", () => ({ thread: codexThread(T, { status: { type: "idle" } }) }));
  const connection = await bench.connect();
  await bench.threads.adopted(bench.workspaceId, connection);
  await settle();
  expect(codex().all("thread/resume")).toHaveLength(1);
  expect(bench.threads.rows.get(T)?.leftRunning).toEqual(["make"]);
  running = [];
  finish("t2", commandItem("c", "done\n"));
  expect(bench.threads.rows.get(T)?.leftRunning).toBeUndefined();
});

it("is not there any more for the next Holdfast when codex is not", async () => {
  await left();
  await bench.restart({ codexLives: false });
  bench.rule("thread/resume", () => resumed(T, [past, codexTurn("t2", "completed")]));
  running = [];
  await bench.reconnect();
  const window = await opened();
  await settle();
  expect(window.head.leftRunning).toEqual([]);
  expect(window.texts.at(-1)).toMatch(/^command lost/);
});

describe("one that the person has stopped is shown as stopped, in its place before the answer,", () => {
  const killed = commandItem("c", "up\n", { status: "failed", exitCode: -1 });
  // As codex lists it: by its end.
  const listedTurn = codexTurn("t2", "completed", [
    userItem("u2", "Serve it"),
    agentItem("m2", "It is up."),
    killed,
  ]);
  const itemsOf = ({ copy }: Awaited<ReturnType<typeof opened>>) =>
    copy.items.flatMap((item) => {
      if (item.turnId !== "t2") return [];
      if (item.kind !== "command") return [item.kind];
      return [`${item.status}, ${item.stopped ? "stopped" : "by itself"}, exit ${item.exitCode}`];
    });
  const expected = ["user", "failed, stopped, exit null", "agent"];

  async function stopped() {
    const window = await opened();
    begin("t2");
    finish("t2", userItem("u2", "Serve it"));
    start("t2", runningCommand("c"));
    finish("t2", agentItem("m2", "It is up."));
    complete("t2");
    await settle();
    await runtime().leftRunning.stop("c");
    return window;
  }

  async function ended() {
    const window = await stopped();
    running = [];
    finish("t2", killed);
    await later(1_000);
    bench.rule("thread/resume", () => resumed(T, [past, listedTurn]));
    return window;
  }

  it("while it is shown, and over the next connection", async () => {
    const window = await ended();
    expect(itemsOf(window)).toEqual(expected);
    await bench.cut();
    await bench.reconnect();
    expect(itemsOf(window)).toEqual(expected);
  });

  it("when the thread was unloaded and loaded again", async () => {
    bench.close(await ended());
    await later(lingerMs);
    expect(runtime().state.transcript.isEmpty).toBe(true);
    expect(itemsOf(await opened())).toEqual(expected);
  });

  it("after every later start", async () => {
    await ended();
    bench.rule("thread/turns/list", () => listed([past, listedTurn]));
    for (const codexLives of [true, false, false]) {
      await bench.restart({ codexLives });
      await bench.reconnect();
      expect(itemsOf(await opened())).toEqual(expected);
      await later(1_000);
    }
  });

  it("with an older page", async () => {
    await ended();
    await bench.restart({ codexLives: false });
    bench.rule("thread/resume", () => resumed(T, [codexTurn("t3", "completed")], { nextCursor: "older" }));
    await bench.reconnect();
    const window = await opened();
    bench.rule("thread/turns/list", () => listed([listedTurn]));
    await runtime().loadOlder();
    expect(itemsOf(window)).toEqual(expected);
  });

  it("also when its process went before it could tell the end", async () => {
    const window = await stopped();
    await bench.kill();
    expect(itemsOf(window)).toEqual(expected);
    await bench.restart({ codexLives: false });
    running = [];
    bench.rule("thread/resume", () =>
      resumed(T, [past, codexTurn("t2", "completed", listedTurn.items.slice(0, 2))]),
    );
    await bench.reconnect();
    const again = await opened();
    await settle();
    expect(itemsOf(again)).toEqual(expected);
  });
});

it("keeps its place before the answer when it ended by itself, long after its turn", async () => {
  const window = await opened();
  begin("t2");
  finish("t2", userItem("u2", "Build it"));
  start("t2", runningCommand("c"));
  finish("t2", agentItem("m2", "It is being built."));
  complete("t2");
  const ended = commandItem("c", "built\n");
  finish("t2", ended);
  await later(1_000);
  const record = [userItem("u2", "Build it"), agentItem("m2", "It is being built."), ended];
  bench.rule("thread/resume", () => resumed(T, [past, codexTurn("t2", "completed", record)]));
  const { texts } = window;
  expect(texts.at(-2)).toBe("command completed: make > built\n");
  await bench.cut();
  await bench.reconnect();
  expect(window.texts, "over the next connection").toEqual(texts);
  for (const life of [2, 3]) {
    await bench.restart({ codexLives: false });
    await bench.reconnect();
    expect((await opened()).texts, `in life ${life}`).toEqual(texts);
    await later(1_000);
  }
});
