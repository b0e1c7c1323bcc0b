// What codex said while nobody listened, and what it was saying when it was killed.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Fault } from "../fault";
import { upToDate } from "./keptItem";
import { lingerMs } from "./linger";
import {
  agentItem,
  codexThread,
  codexTurn,
  commandApproval,
  commandItem,
  listed,
  resumed,
  runningCommand,
  userItem,
} from "./testCodexData";
import { settle, TestThreads } from "./testThreads";

const T = "thread-1";
let bench: TestThreads;

beforeEach(async () => {
  bench = new TestThreads();
  bench.rule("thread/resume", () => resumed(T, [theTurn("inProgress")], { status: "active" }));
  bench.rule("thread/queue/list", () => listed([]));
  bench.rule("thread/turns/list", () => listed([]));
  bench.rule("thread/read", () => ({ thread: codexThread(T) }));
  bench.rule("thread/unsubscribe", () => ({ status: "unsubscribed" }));
  bench.ledger.threads.upsert([
    {
      threadId: T,
      workspaceId: bench.workspaceId,
      profileId: "user",
      title: "Title",
      preview: "Hello",
      createdAtMs: 1,
      updatedAtMs: 1,
      archived: false,
      lastKnownState: "idle",
      parentThreadId: null,
      source: "app",
    },
  ]);
  bench.threads.rows.remember(bench.workspaceId);
  await bench.reconnect();
});

afterEach(() => bench.end());

/** As codex lists it: without what runs. */
const theTurn = (status: string, more: Record<string, unknown>[] = []) =>
  codexTurn("t1", status, [userItem("u", "Do it"), ...more]);

async function opened() {
  const window = bench.open(T);
  await settle();
  return window;
}

const say = (method: string, more: object) => bench.codex.say(method, { threadId: T, turnId: "t1", ...more });
const begin = (item: object) => say("item/started", { item, startedAtMs: 5 });
const end = (item: object) => say("item/completed", { item, completedAtMs: 9 });
const delta = (itemId: string, text: string) => say("item/agentMessage/delta", { itemId, delta: text });
const output = (itemId: string, text: string) =>
  say("item/commandExecution/outputDelta", { itemId, delta: text });
const complete = (how = "completed") =>
  bench.codex.say("turn/completed", { threadId: T, turn: codexTurn("t1", how) });
const onRecord = () =>
  bench.ledger.runningItems
    .list(T)
    .flatMap(({ itemId, kind, textSoFar }) => (kind === "fact" ? [] : `${itemId}: ${textSoFar}`));

async function later(byMs: number) {
  await settle();
  for (let left = byMs; left > 0; left -= 1_000) {
    bench.clock.advance(Math.min(left, 1_000));
    await settle();
  }
}

/** Holdfast is killed and started again; the thread is shown. */
async function again(options: { codexLives: boolean }) {
  await bench.restart(options);
  await bench.reconnect();
  return opened();
}

const codexKilled = () => bench.rule("thread/resume", () => resumed(T, [theTurn("interrupted")]));

describe("Holdfast is killed while codex works", () => {
  it("and the message that was being written goes on behind a gap, until its end replaces all of it", async () => {
    await opened();
    begin(agentItem("m", ""));
    delta("m", "What was on the screen");
    await later(1_000);
    const window = await again({ codexLives: true });
    expect(window.texts).toEqual(["user completed: Do it", "agent running: What was on the screen[…]"]);
    delta("m", " and then");
    expect(window.texts.at(-1)).toBe("agent running: What was on the screen[…] and then");
    end(agentItem("m", "What was on the screen, what was missed, and then"));
    expect(window.texts).toEqual([
      "user completed: Do it",
      "agent completed: What was on the screen, what was missed, and then",
    ]);
    complete();
    await later(1_000);
    expect(onRecord()).toEqual([]);
  });

  it("and the command that ran is known, although nothing of it had been said yet", async () => {
    await opened();
    begin(runningCommand("c"));
    const window = await again({ codexLives: true });
    expect(window.texts.at(-1)).toBe("command running: make > […]");
    output("c", "end of it\n");
    expect(window.texts.at(-1)).toBe("command running: make > […]end of it\n");
    end(commandItem("c", "all of it\nend of it\n"));
    expect(window.texts.at(-1)).toBe("command completed: make > all of it\nend of it\n");
    expect(window.copy.items).toHaveLength(2);
  });

  it("and the command that waits for the person has no gap: it has not run", async () => {
    await opened();
    begin(runningCommand("call_1"));
    bench.codex.ask(7, "item/commandExecution/requestApproval", commandApproval(T, "t1"));
    const window = await again({ codexLives: true });
    expect(window.texts.at(-1)).toBe("command running: make > ");
    bench.codex.ask(7, "item/commandExecution/requestApproval", commandApproval(T, "t1"));
    expect(window.texts.at(-1)).toBe("command running: make > ");
    expect(window.head.requests).toHaveLength(1);
  });

  it("and the command that had been allowed, which codex asks about again, has none either", async () => {
    await opened();
    begin(runningCommand("call_1"));
    bench.codex.ask(7, "item/commandExecution/requestApproval", commandApproval(T, "t1"));
    const [request] = bench.threads.requests.waiting;
    bench.threads.answer({ requestKey: request?.key ?? "", decisionId: "accept", answers: {} });
    const window = await again({ codexLives: true });
    expect(window.texts.at(-1), "it may have run").toBe("command running: make > […]");
    bench.codex.ask(7, "item/commandExecution/requestApproval", commandApproval(T, "t1"));
    expect(window.texts.at(-1)).toBe("command running: make > ");
    expect(window.head.requests).toEqual([]);
  });

  it("and what has ended meanwhile is what codex has recorded", async () => {
    await opened();
    begin(agentItem("m", ""));
    delta("m", "Half");
    await later(1_000);
    expect(onRecord()).toEqual(["t1/m: Half"]);
    bench.rule("thread/resume", () => resumed(T, [theTurn("completed", [agentItem("m", "Half and half")])]));
    const window = await again({ codexLives: true });
    expect(window.texts).toEqual(["user completed: Do it", "agent completed: Half and half"]);
    await later(1_000);
    expect(onRecord()).toEqual([]);
  });

  it("and reasoning, a plan, a file change and a tool call are known as well", async () => {
    await opened();
    begin({ type: "reasoning", id: "r", summary: [], content: [] });
    say("item/reasoning/summaryTextDelta", { itemId: "r", delta: "I think", summaryIndex: 0 });
    begin({ type: "plan", id: "p", text: "" });
    say("item/plan/delta", { itemId: "p", delta: "First this" });
    const changes = [{ path: "/home/ada/engine/a", kind: { type: "add" }, diff: "+one\n" }];
    begin({ type: "fileChange", id: "f", changes, status: "inProgress" });
    begin({
      type: "mcpToolCall",
      id: "x",
      server: "s",
      tool: "t",
      status: "inProgress",
      arguments: { a: 1 },
    });
    await later(1_000);
    const before = bench.threads.runtime(T).state.transcript.items;
    const window = await again({ codexLives: true });
    // Where text grows, some may have come meanwhile.
    const [reasoning, plan, ...rest] = before.slice(1);
    expect(window.copy.items.slice(1)).toEqual([
      { ...reasoning, summaryGaps: ["I think".length], contentGaps: [0] },
      { ...plan, gaps: ["First this".length] },
      ...rest,
    ]);
    expect(window.copy.items.map(({ kind }) => kind)).toEqual([
      "user",
      "reasoning",
      "plan",
      "fileChange",
      "toolCall",
    ]);
  });

  it("and a message whose id codex had used before in the turn stays a message of its own", async () => {
    await opened();
    begin(agentItem("m", ""));
    end(agentItem("m", "The first"));
    begin(agentItem("m", ""));
    delta("m", "The sec");
    await later(1_000);
    bench.rule("thread/resume", () =>
      resumed(T, [theTurn("inProgress", [agentItem("m", "The first")])], { status: "active" }),
    );
    const window = await again({ codexLives: true });
    delta("m", "ond");
    end(agentItem("m", "The second"));
    expect(window.texts.slice(1)).toEqual(["agent completed: The first", "agent completed: The second"]);
  });

  it("twice: the gap stays one, and the text is what was seen in both lives", async () => {
    await opened();
    begin(agentItem("m", ""));
    delta("m", "One");
    await later(1_000);
    await again({ codexLives: true });
    delta("m", " two");
    await later(1_000);
    const window = await again({ codexLives: true });
    expect(window.texts.at(-1)).toBe("agent running: One[…] two[…]");
  });
});

describe("codex is killed", () => {
  it("with Holdfast: what ran is shown as interrupted, where it was, at this start and every later one", async () => {
    await opened();
    begin(runningCommand("c1"));
    output("c1", "so far");
    begin(runningCommand("c2"));
    end(commandItem("c2", "done"));
    begin(agentItem("m", ""));
    delta("m", "Half");
    await later(1_000);
    bench.rule("thread/resume", () => resumed(T, [theTurn("interrupted", [commandItem("c2", "done")])]));
    const expected = [
      "user completed: Do it",
      "command lost: make > so far[…]",
      "command completed: make > done",
      "agent lost: Half[…]",
    ];
    for (const life of [2, 3, 4]) {
      const window = await again({ codexLives: false });
      expect(window.texts, `in life ${life}`).toEqual(expected);
      expect(window.head.state).toBe("interrupted");
      await later(1_000);
    }
    expect(onRecord()).toEqual(["t1/c1: so far", "t1/m: Half"]);
  });

  it("alone: what was on the screen stays, also when the thread is let go and loaded again", async () => {
    const window = await opened();
    begin(agentItem("m", ""));
    delta("m", "Half");
    codexKilled();
    await bench.kill();
    expect(window.texts.at(-1)).toBe("agent lost: Half[…]");
    await bench.reconnect();
    expect(window.texts).toEqual(["user completed: Do it", "agent lost: Half[…]"]);
    bench.close(window);
    await later(lingerMs);
    expect(bench.threads.runtime(T).state.transcript.isEmpty).toBe(true);
    expect((await opened()).texts).toEqual(["user completed: Do it", "agent lost: Half[…]"]);
  });

  it("before it wrote the turn down: the turn is shown as far as it was heard", async () => {
    await opened();
    bench.codex.say("turn/started", { threadId: T, turn: codexTurn("t2") });
    say("item/started", { turnId: "t2", item: agentItem("m", "Half"), startedAtMs: 1_700_000_002_000 });
    bench.rule("thread/resume", () => resumed(T, [theTurn("completed")]));
    const window = await again({ codexLives: false });
    expect(window.texts).toEqual(["user completed: Do it", "agent lost: Half[…]"]);
    expect(window.copy.turns.map(({ id, status }) => `${id} ${status}`)).toEqual([
      "t1 completed",
      "t2 interrupted",
    ]);
  });

  it("after many more turns: what was lost comes with its page", async () => {
    await opened();
    begin(agentItem("m", ""));
    delta("m", "Half");
    await later(1_000);
    const t2 = codexTurn("t2", "completed", [userItem("u2", "Go on")]);
    bench.rule("thread/resume", () => resumed(T, [t2], { nextCursor: "older" }));
    const window = await again({ codexLives: false });
    expect(window.texts).toEqual(["user completed: Go on"]);
    bench.rule("thread/turns/list", () => listed([theTurn("interrupted")]));
    await bench.threads.runtime(T).loadOlder();
    expect(window.texts).toEqual(["user completed: Do it", "agent lost: Half[…]", "user completed: Go on"]);
  });
});

describe("a command that goes on in the background after its turn", () => {
  const terminal = { itemId: "c", processId: "1", command: "make", cwd: "/", osPid: null };

  beforeEach(async () => {
    bench.rule("thread/backgroundTerminals/list", () => ({ data: [terminal], nextCursor: null }));
    await opened();
    begin(runningCommand("c"));
    output("c", "serving\n");
    complete();
    await later(1_000);
    bench.rule("thread/resume", () => resumed(T, [theTurn("completed")]));
  });

  it("still does when only Holdfast was killed", async () => {
    const window = await again({ codexLives: true });
    expect(window.texts.at(-1)).toBe("command running: make > serving\n[…]");
    output("c", "more\n");
    expect(window.texts.at(-1)).toBe("command running: make > serving\n[…]more\n");
  });

  it("does no more when codex was killed as well", async () => {
    bench.rule("thread/backgroundTerminals/list", () => ({ data: [], nextCursor: null }));
    const window = await again({ codexLives: false });
    expect(window.texts.at(-1)).toBe("command lost: make > serving\n[…]");
    expect(window.head.state).toBe("idle");
  });
});

it("what a person stopped in the middle stays on the screen after a reload", async () => {
  await opened();
  begin(agentItem("m", ""));
  delta("m", "Half");
  complete("interrupted");
  await later(1_000);
  codexKilled();
  expect((await again({ codexLives: true })).texts.at(-1)).toBe("agent lost: Half");
});

describe("the record", () => {
  it("has an item as soon as it begins, and its text at most once a second", async () => {
    await opened();
    const writes: string[][] = [];
    const { runningItems } = bench.ledger;
    const update = runningItems.update.bind(runningItems);
    runningItems.update = (threadId, running, ended) => {
      writes.push([
        ...running.map(({ textSoFar }) => textSoFar),
        ...(ended ?? []).map((id) => `${id} ended`),
      ]);
      update(threadId, running, ended);
    };
    begin(agentItem("m", ""));
    expect(writes).toEqual([[""]]);
    for (let count = 0; count < 1_000; count += 1) {
      delta("m", "a");
      bench.clock.advance(1);
    }
    expect(writes).toEqual([[""], ["a".repeat(1_000)]]);
    delta("m", "b");
    end(agentItem("m", "all"));
    await later(1_000);
    expect(writes.slice(2)).toEqual([["t1/m ended"]]);
    await later(5_000);
    expect(writes).toHaveLength(3);
  });

  it("has no more of a text than a window holds, and is written less often the longer it is", async () => {
    const window = await opened();
    begin(agentItem("m", ""));
    delta("m", `begin${"a".repeat(300_000)}`);
    await later(5_000);
    expect(onRecord()[0]).toHaveLength("t1/m: ".length);
    await later(2_000);
    expect(onRecord()[0]).toBe(`t1/m: ${"a".repeat(200_000)}`);
    expect(window.texts.at(-1)).toContain("begin");
    expect((await again({ codexLives: true })).texts.at(-1)).toBe(
      `agent running: […]${"a".repeat(200_000)}[…]`,
    );
  });

  it("is up to date for whoever looks for something in it, however it ended a moment ago", async () => {
    await opened();
    const found = (words: string) =>
      upToDate(bench.threads.all, bench.ledger.runningItems)
        .search(words, 9)
        .map(({ text }) => text);
    begin(agentItem("m", ""));
    delta("m", "Not written yet");
    expect(onRecord()).toEqual(["t1/m: "]);
    expect(found("written yet")).toEqual(["Not written yet"]);
    delta("m", ", and cut off");
    complete("interrupted");
    expect(found("cut off")).toEqual(["Not written yet, and cut off"]);
  });

  it("is kept from memory when the app ends in order", async () => {
    await opened();
    begin(agentItem("m", ""));
    delta("m", "The last words");
    bench.threads.dispose();
    expect(onRecord()).toEqual(["t1/m: The last words"]);
  });

  it("that cannot be written does not keep the conversation from going on, and is written later", async () => {
    const window = await opened();
    const { runningItems } = bench.ledger;
    const update = runningItems.update.bind(runningItems);
    runningItems.update = () => {
      throw new Fault("ledger_full", "The disk is full.");
    };
    begin(agentItem("m", ""));
    delta("m", "On ");
    await later(1_000);
    delta("m", "and on");
    expect(window.texts.at(-1)).toBe("agent running: On and on");
    runningItems.update = update;
    await later(1_000);
    expect(onRecord()).toEqual(["t1/m: On and on"]);
  });

  it("is written at the latest when the thread is let go", async () => {
    const window = await opened();
    const { runningItems } = bench.ledger;
    const update = runningItems.update.bind(runningItems);
    begin(agentItem("m", ""));
    runningItems.update = () => {
      throw new Fault("ledger_full", "The disk is full.");
    };
    delta("m", "Half");
    complete("interrupted");
    await later(1_000);
    codexKilled();
    bench.close(window);
    await later(lingerMs - 1_000);
    runningItems.update = update;
    await later(1_000);
    expect(bench.threads.runtime(T).state.transcript.isEmpty).toBe(true);
    expect((await opened()).texts.at(-1)).toBe("agent lost: Half");
  });

  it("that an older version wrote tells that something is missing, as well as it knows", async () => {
    const base = { turnId: "t1", startedAtMs: 1, completedAtMs: null };
    const message = { ...base, id: "t1/m", kind: "agent", status: "lost", text: "", phase: null, gap: true };
    const reasoning = { ...base, id: "t1/r", kind: "reasoning", status: "lost", summary: "", content: "" };
    const output = { text: "", droppedUnits: 10 };
    const command = { ...base, id: "t1/c", kind: "command", status: "lost", command: "make", cwd: "/" };
    const facts = { purpose: null, exitCode: null, durationMs: null, byAgent: true, gap: true };
    const place = { after: null, handleId: null };
    bench.ledger.runningItems.update(T, [
      {
        turnId: "t1",
        itemId: "t1/r",
        kind: "reasoning",
        item: { item: reasoning, ...place },
        textSoFar: "Hm",
      },
      { turnId: "t1", itemId: "t1/m", kind: "agent", item: { item: message, ...place }, textSoFar: "Half" },
      {
        turnId: "t1",
        itemId: "t1/c",
        kind: "command",
        item: { item: { ...command, ...facts, output }, ...place },
        textSoFar: "out",
      },
    ]);
    codexKilled();
    const window = await opened();
    expect(window.texts.slice(1).sort()).toEqual([
      "agent lost: Half[…]",
      "command lost: make > out[…]",
      "reasoning lost: Hm",
    ]);
  });

  it("that another version wrote, and this one cannot read, is left out", async () => {
    bench.ledger.runningItems.update(T, [
      { turnId: "t1", itemId: "t1/x", kind: "hologram", item: { item: { kind: "hologram" } }, textSoFar: "" },
      { turnId: "t1", itemId: "t1/y", kind: "agent", item: null, textSoFar: "" },
    ]);
    expect((await opened()).texts).toEqual(["user completed: Do it"]);
  });

  it("goes with the thread", async () => {
    await opened();
    begin(agentItem("m", ""));
    bench.codex.say("thread/deleted", { threadId: T });
    expect(onRecord()).toEqual([]);
  });
});
