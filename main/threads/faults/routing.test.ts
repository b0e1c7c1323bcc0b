// Events that are about something else than what is on screen, that come twice, or in an unlucky order.

import { expect } from "vitest";
import {
  agentItem,
  codexThread,
  codexTurn,
  commandApproval,
  commandItem,
  resumed,
  runningCommand,
  userItem,
} from "../testCodexData";
import {
  addThread,
  begin,
  bench,
  codex,
  complete,
  finish,
  later,
  opened,
  past,
  runtime,
  say,
  shown,
  start,
  status,
  T,
  text,
} from "../testRuntime";
import { settle } from "../testThreads";
import { ends, expectAtRest, faults, prepareFaults, recordIs, said, send } from "./testFaults";

prepareFaults();

const C = "agent-1";
const inChild = (method: string, more: object = {}) => codex().say(method, { threadId: C, ...more });
const named = {
  marker: () =>
    codex().say("thread/started", { thread: codexThread(C, { parentThreadId: T, source: "subAgent" }) }),
  item: () =>
    finish("t2", {
      type: "collabAgentToolCall",
      id: "c",
      tool: "spawnAgent",
      status: "completed",
      senderThreadId: T,
      receiverThreadIds: [C],
      prompt: "Look",
      agentsStates: {},
    }),
  thread: () => codex().say("thread/started", { thread: codexThread(C) }),
};
const childWorks = () => {
  inChild("thread/status/changed", { status: { type: "active", activeFlags: [] } });
  inChild("turn/started", { turn: codexTurn("c1") });
};
const childAsks = () => codex().ask(8, "item/commandExecution/requestApproval", commandApproval(C, "c1"));

faults("an agent's thread", [
  ...(
    [
      ["by its marker", ["marker"]],
      ["by its parent's conversation, without a marker", ["item"]],
      ["by the conversation first and by itself later", ["item", "thread"]],
      ["by itself first and by the conversation later", ["thread", "item"]],
      ["twice by both", ["marker", "item", "marker", "item"]],
    ] as const
  ).map(([how, order]) => ({
    name: `told ${how}: under its parent, never at the top, once`,
    async play() {
      await opened();
      begin("t2");
      for (const one of order) named[one]();
      childWorks();
      expect(bench.threads.rows.get(C)?.parentThreadId).toBe(T);
      expect(bench.threads.rows.all.filter(({ threadId }) => threadId === C)).toHaveLength(1);
      inChild("turn/completed", { turn: codexTurn("c1", "completed") });
      ends("t2");
    },
  })),
  {
    name: "of which nobody has told is no thread at the top either",
    async play() {
      await opened();
      childWorks();
      expect(bench.threads.rows.get(C)).toBeNull();
    },
  },
  {
    name: "asks while its parent is open: seen at both and in the list of all; answered there once",
    async play() {
      const window = await opened();
      begin("t2");
      named.item();
      childWorks();
      childAsks();
      expect(window.head.state).toBe("waiting for approval");
      expect(bench.threads.rows.get(C)?.state).toBe("waiting for approval");
      expect(bench.waiting).toHaveLength(1);
      bench.threads.answer({ requestKey: bench.waiting[0]?.key ?? "", decisionId: "accept" });
      inChild("serverRequest/resolved", { requestId: 8 });
      expect(window.head.state).toBe("running");
      inChild("turn/completed", { turn: codexTurn("c1", "completed") });
      ends("t2");
      expectAtRest(window);
    },
  },
  {
    name: "asks while a third thread is open: seen in the list of all, and at its parent as soon as that is opened",
    async play() {
      addThread("third");
      const third = await opened("third");
      begin("t2");
      named.item();
      childWorks();
      childAsks();
      expect(third.head.requests).toEqual([]);
      expect(bench.waiting.map(({ threadId }) => threadId)).toEqual([C]);
      recordIs([codexTurn("t2", "inProgress")], { status: "active" });
      const window = await opened();
      expect(window.head.requests).toHaveLength(1);
      inChild("turn/completed", { turn: codexTurn("c1", "interrupted") });
      expect(bench.waiting).toEqual([]);
      recordIs([codexTurn("t2", "completed")]);
      ends("t2");
    },
  },
  {
    name: "goes on after its parent has ended, and is not running any more once it has ended itself",
    async play() {
      const window = await opened();
      begin("t2");
      named.item();
      childWorks();
      ends("t2");
      expectAtRest(window);
      expect(bench.rows.get(C)).toMatch(/running/);
      inChild("thread/status/changed", { status: { type: "idle" } });
      inChild("turn/completed", { turn: codexTurn("c1", "completed") });
      expect(bench.rows.get(C)).not.toMatch(/running/);
    },
  },
]);

faults("text that is told twice", [
  {
    name: "live and in the record of a resume that is asked for in mid-message: shown once",
    async play() {
      const window = await opened();
      begin("t2");
      start("t2", agentItem("m", ""));
      text("t2", "m", "Hello wo");
      await bench.cut();
      bench.hold("thread/resume");
      await bench.reconnect();
      text("t2", "m", "rld");
      const running = codexTurn("t2", "inProgress", [agentItem("m", "Hello world")]);
      codex()
        .only("thread/resume")
        .answer(resumed(T, [past, running], { status: "active" }));
      await settle();
      finish("t2", agentItem("m", "Hello world"));
      expect(window.texts).toEqual([...shown, "agent completed: Hello world"]);
      recordIs([codexTurn("t2", "completed", [agentItem("m", "Hello world")])]);
      ends("t2");
      await runtime().reload();
      expect(window.texts).toEqual([...shown, "agent completed: Hello world"]);
    },
  },
  {
    name: "as pieces and as a whole, and as a whole again: the whole replaces the pieces",
    async play() {
      const window = await opened();
      begin("t2");
      start("t2", agentItem("m", ""));
      for (const piece of ["Eva", "lu"]) text("t2", "m", piece);
      for (let time = 0; time < 3; time += 1) finish("t2", agentItem("m", "Evaluate"));
      text("t2", "m", "ate");
      expect(window.texts).toEqual([...shown, "agent completed: Evaluate"]);
      ends("t2");
    },
  },
  {
    name: "with its turn's start and end, three times over: one turn, one message, one end",
    async play() {
      const window = await opened();
      for (let time = 0; time < 3; time += 1) {
        begin("t2");
        said("t2", "Go", null);
        ends("t2");
      }
      expectAtRest(window);
      expect(window.texts).toEqual([...shown, "user completed: Go"]);
      expect(window.copy.turns.map(({ id }) => id)).toEqual(["t1", "t2"]);
    },
  },
  {
    name: "by a message of ours that the record has under another id",
    async play() {
      const window = await opened();
      const id = send("Go");
      await settle();
      codex()
        .only("turn/start")
        .answer({ turn: codexTurn("t2") });
      begin("t2");
      said("t2", "Go", id);
      recordIs([codexTurn("t2", "completed", [userItem("another", "Go", id)])]);
      ends("t2");
      await runtime().reload();
      expect(window.texts).toEqual([...shown, "user completed: Go"]);
    },
  },
  {
    name: "by the output of a command, after its end: the end counts",
    async play() {
      const window = await opened();
      begin("t2");
      start("t2", runningCommand("c"));
      say("item/commandExecution/outputDelta", { turnId: "t2", itemId: "c", delta: "one " });
      finish("t2", commandItem("c", "one two"));
      say("item/commandExecution/outputDelta", { turnId: "t2", itemId: "c", delta: "two" });
      expect(window.texts.at(-1)).toBe("command completed: make > one two");
      ends("t2");
    },
  },
  {
    name: "by a failure as an error and as the turn's end: one failure",
    async play() {
      const window = await opened();
      const error = { message: "No capacity", codexErrorInfo: "other", additionalDetails: null };
      begin("t2");
      say("error", { turnId: "t2", willRetry: false, error });
      status("systemError");
      say("turn/completed", { turn: codexTurn("t2", "failed", [], { error }) });
      expect(window.head.state).toBe("failed");
      expect(window.texts).toEqual(shown);
      expect(window.copy.turns.at(-1)?.fault?.message).toBe("No capacity");
    },
  },
]);

const full = {
  approvalPolicy: "never",
  sandbox: { type: "dangerFullAccess" },
  model: "big",
  reasoningEffort: "high",
};
const careful = {
  approvalPolicy: "untrusted",
  sandbox: { type: "readOnly", networkAccess: false },
  model: "small",
};

faults("the settings of two threads", [
  {
    name: "stay apart: each turn says its own, over a restart of codex too, and as codex reports them",
    async play() {
      addThread("other");
      const rule = (of: Record<string, object>) =>
        bench.rule("thread/resume", ({ params }) => ({
          ...resumed(params.threadId, []),
          ...of[params.threadId],
        }));
      rule({ [T]: full, other: careful });
      const [one, two] = [await opened(), await opened("other")];
      const askedOf = async (key: string, turnId: string) => {
        send("Go", "turn", key);
        await later(1_000);
        const { params } = codex().last("turn/start");
        codex()
          .last("turn/start")
          .answer({ turn: codexTurn(turnId) });
        codex().say("turn/completed", { threadId: key, turn: codexTurn(turnId, "completed") });
        await settle();
        return [params.threadId, params.model, params.approvalPolicy, params.sandboxPolicy];
      };
      expect(await askedOf(T, "t2")).toEqual([T, "big", "never", full.sandbox]);
      expect(await askedOf("other", "o2")).toEqual(["other", "small", "untrusted", careful.sandbox]);
      await bench.kill();
      // Stricter than it was: that is what counts, and what is shown.
      rule({ [T]: { ...full, ...careful }, other: careful });
      await bench.reconnect();
      expect(one.head.settings).toMatchObject({ sandbox: "read-only", approvalPolicy: "untrusted" });
      expect(two.head.settings).toMatchObject({ model: "small", sandbox: "read-only" });
      expect(await askedOf(T, "t3")).toEqual([T, "small", "untrusted", careful.sandbox]);
    },
  },
  {
    name: "change only where codex says so",
    async play() {
      addThread("other");
      const [one, two] = [await opened(), await opened("other")];
      const before = two.head.settings;
      say("thread/settings/updated", {
        threadSettings: { model: "o9", effort: "low", sandboxPolicy: full.sandbox, approvalPolicy: "never" },
      });
      expect(one.head.settings).toMatchObject({ model: "o9", approvalPolicy: "never" });
      expect(two.head.settings).toEqual(before);
    },
  },
  {
    name: "that codex refuses are shown as they were",
    async play() {
      const window = await opened();
      const before = window.head.settings;
      bench.rule("thread/settings/update", () => new Error("sandbox mode not allowed by requirements"));
      await expect(runtime().setSettings({ ...before, sandbox: "danger-full-access" })).rejects.toThrow(
        /not allowed/,
      );
      expect(window.head.settings).toEqual(before);
    },
  },
]);

faults("events that are not what they should be", [
  ...[
    ["turn/started", {}],
    ["turn/started", { turn: { id: null } }],
    ["turn/completed", { turn: null }],
    ["item/started", { turnId: "t2", item: null }],
    ["item/completed", { turnId: 7, item: { id: "x" } }],
    ["item/completed", { turnId: "t2", item: { type: "futureItem", id: "f", shine: 7 } }],
    ["item/agentMessage/delta", { turnId: "t2", itemId: null, delta: "x" }],
    ["item/agentMessage/delta", { turnId: "t2", itemId: "m", delta: { not: "words" } }],
    ["thread/status/changed", { status: null }],
    ["thread/status/changed", { status: { type: "hibernating" } }],
    ["thread/tokenUsage/updated", { tokenUsage: { last: {}, total: null } }],
    ["turn/plan/updated", { plan: "none" }],
    ["error", {}],
    ["thread/settings/updated", {}],
    ["thread/futureThing", { anything: [1, 2, 3] }],
  ].map(([method, params]) => ({
    name: `${method} with ${JSON.stringify(params)}: the turn goes on, and ends`,
    async play() {
      const window = await opened();
      begin("t2");
      say(String(method), params as object);
      expect(window.head.run?.turnId).toBe("t2");
      finish("t2", agentItem("m", "Said"));
      ends("t2");
      expectAtRest(window);
      expect(window.texts).toContain("agent completed: Said");
    },
  })),
  {
    name: "the end of a turn before its start: ended, and it does not begin again",
    async play() {
      const window = await opened();
      complete("t2");
      begin("t2");
      expectAtRest(window);
      expect(window.statusOf("t2")).toBe("completed");
    },
  },
]);
