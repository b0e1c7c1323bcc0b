// Threads that are stuck in a run, or are shown as running although they are not.

import { expect } from "vitest";
import { agentItem, codexThread, codexTurn, commandApproval, userItem } from "../testCodexData";
import { begin, bench, codex, complete, later, opened, say, shown, status, T } from "../testRuntime";
import { settle } from "../testThreads";
import { ends, expectAtRest, faults, prepareFaults, recordIs, said, send } from "./testFaults";

prepareFaults();

const steps = (...all: (() => void)[]) => {
  for (const one of all) one();
};

/** Holdfast was killed while the thread ran, and codex with it. */
async function leftRunning(): Promise<void> {
  await opened();
  begin("t2");
  await bench.restart({ codexLives: false });
}

faults("a thread that was running when Holdfast went away", [
  {
    name: "and whose last turn codex lists as going on although it is idle: interrupted, and can be used",
    async play() {
      await leftRunning();
      recordIs([codexTurn("t2", "inProgress")]);
      await bench.reconnect();
      const window = await opened();
      expectAtRest(window, "interrupted");
      expect(window.statusOf("t2")).toBe("interrupted");
    },
  },
  {
    name: "is not loaded in the list before anybody has opened it, not running",
    async play() {
      await leftRunning();
      expect(bench.rows.get(T)).toBe("Title: not loaded");
      await bench.reconnect();
      await bench.threads.adopted(bench.workspaceId, null);
      expect(bench.rows.get(T)).toBe("Title: not loaded");
    },
  },
  {
    name: "and comes back with a system error and its last turn going on: interrupted",
    async play() {
      await leftRunning();
      recordIs([codexTurn("t2", "inProgress")], { status: "systemError" });
      await bench.reconnect();
      expectAtRest(await opened(), "interrupted");
    },
  },
  {
    name: "and was archived: its row is not running either, and unarchiving makes it usable",
    async play() {
      await opened();
      begin("t2");
      codex().say("thread/archived", { threadId: T });
      await bench.restart({ codexLives: false });
      expect(bench.rows.get(T)).toBe("Title: not loaded");
      await bench.reconnect();
      const window = await opened();
      bench.rule("thread/unarchive", () => ({ thread: codexThread(T) }));
      recordIs([codexTurn("t2", "interrupted")]);
      await bench.threads.actions.unarchive(T);
      expectAtRest(window, "interrupted");
    },
  },
  {
    name: "and is idle with a completed last turn: nothing turns, and what is written next goes out",
    async play() {
      await leftRunning();
      recordIs([codexTurn("t2", "completed")]);
      await bench.reconnect();
      const window = await opened();
      expectAtRest(window);
      await later(20_000);
      expectAtRest(window);
    },
  },
  {
    name: "and whose last turn has a status that nobody knows: it does not run",
    async play() {
      await leftRunning();
      recordIs([codexTurn("t2", "hibernating")]);
      await bench.reconnect();
      expectAtRest(await opened());
    },
  },
]);

faults("the end of a turn that is lost", [
  {
    name: "the completion, with the status told: over at once, and the record says how",
    async play() {
      const window = await opened();
      begin("t2");
      recordIs([codexTurn("t2", "completed", [agentItem("m2", "Done")])]);
      status("idle");
      expect(window.head.run).toBeNull();
      await later(2_000);
      expectAtRest(window);
      expect(window.texts).toEqual([...shown, "agent completed: Done"]);
    },
  },
  {
    name: "the completion and the status: over within seconds, since codex says that it is idle",
    async play() {
      const window = await opened();
      begin("t2");
      recordIs([codexTurn("t2", "completed")]);
      await later(8_000);
      expectAtRest(window);
    },
  },
  {
    name: "nothing, the turn only takes long and says nothing: it goes on as long as codex says active",
    async play() {
      const window = await opened();
      bench.rule("thread/read", () => ({
        thread: codexThread(T, { status: { type: "active", activeFlags: [] } }),
      }));
      begin("t2");
      await later(120_000);
      expect(window.head.run?.turnId).toBe("t2");
      recordIs([codexTurn("t2", "completed")]);
      ends("t2");
      expectAtRest(window);
    },
  },
  {
    name: "the status, with the completion told: over at once",
    async play() {
      const window = await opened();
      begin("t2");
      complete("t2");
      expectAtRest(window);
    },
  },
  {
    name: "the completion of a failed turn: the record says that it failed, and why",
    async play() {
      const window = await opened();
      begin("t2");
      const error = { message: "At capacity", codexErrorInfo: "serverOverloaded", additionalDetails: null };
      recordIs([codexTurn("t2", "failed", [], { error })]);
      status("systemError");
      await later(2_000);
      expectAtRest(window, "failed");
      expect(window.copy.turns.at(-1)?.fault?.message).toBe("At capacity");
    },
  },
  {
    name: "with a request that waits: the request is gone with it",
    async play() {
      const window = await opened();
      begin("t2");
      codex().ask(0, "item/commandExecution/requestApproval", commandApproval(T, "t2"));
      recordIs([codexTurn("t2", "interrupted")]);
      status("idle");
      await later(2_000);
      expectAtRest(window, "interrupted");
    },
  },
  {
    name: "codex unloads the thread and says only that: the turn is over, as its record says",
    async play() {
      const window = await opened();
      begin("t2");
      recordIs([codexTurn("t2", "interrupted")]);
      say("thread/closed");
      await later(2_000);
      expectAtRest(window, "interrupted");
      expect(window.statusOf("t2")).toBe("interrupted");
    },
  },
  {
    name: "in a thread that nobody looks at: its row comes to rest too",
    async play() {
      const window = await opened();
      begin("t2");
      bench.close(window);
      recordIs([codexTurn("t2", "completed")]);
      await later(8_000);
      expect(bench.rows.get(T)).toMatch(/idle|not loaded/);
    },
  },
]);

faults("a turn that is over before its answer has come", [
  {
    name: "all of it before the answer, in one piece",
    async play() {
      const window = await opened();
      const id = send("Go");
      await settle();
      const asked = codex().only("turn/start");
      steps(
        () => status("active"),
        () => begin("t2"),
        () => said("t2", "Go", id),
        () => say("item/agentMessage/delta", { turnId: "t2", itemId: "m", delta: "Quick" }),
        () => ends("t2"),
        () => asked.answer({ turn: codexTurn("t2") }),
      );
      await later(2_000);
      expectAtRest(window);
      expect(bench.ledger.submissions.get(id)?.state).toBe("delivered");
    },
  },
  ...[
    ["an answer without a turn's id", { turn: {} }],
    ["an answer without a turn", {}],
    ["an answer that names another turn than the events", { turn: codexTurn("t77") }],
    ["an answer that is null", null],
  ].map(([what, answer]) => ({
    name: `${what}: the events are believed`,
    async play() {
      const window = await opened();
      const id = send("Go");
      await settle();
      codex().only("turn/start").answer(answer);
      begin("t2");
      said("t2", "Go", id);
      expect(window.head.run?.turnId).toBe("t2");
      recordIs([codexTurn("t2", "completed", [userItem("u-t2", "Go", id)])]);
      ends("t2");
      await later(10_000);
      expectAtRest(window);
      expect(window.sending).toEqual([]);
    },
  })),
  {
    name: "its end alone was heard, not its start: over, and delivered",
    async play() {
      const window = await opened();
      const id = send("Go");
      await settle();
      recordIs([codexTurn("t2", "completed", [userItem("u-t2", "Go", id)])]);
      complete("t2");
      codex()
        .only("turn/start")
        .answer({ turn: codexTurn("t2") });
      await later(10_000);
      expectAtRest(window);
      expect(window.sending).toEqual([]);
    },
  },
  {
    name: "a refusal after the events: what was seen counts",
    async play() {
      const window = await opened();
      const id = send("Go");
      await settle();
      begin("t2");
      said("t2", "Go", id);
      codex().only("turn/start").refuse("internal error");
      await settle();
      expect(window.sending).toEqual([]);
      ends("t2");
      await settle();
      expectAtRest(window);
    },
  },
]);
