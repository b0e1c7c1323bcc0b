// What scripts can do, with the real codex and a scripted model.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { failure, message, reply, shell } from "../../../e2e/support/modelServer";
import { RealThreads } from "../../../e2e/support/testRealThreads";
import { listProcesses } from "../../../scripts/setup/processes.mjs";
import { systemClock } from "../../clock";
import { asFault } from "../../fault";
import { TestVerbs } from "./testVerbs";

let real: RealThreads;
let script: TestVerbs;

beforeEach(async () => {
  real = await RealThreads.make();
  script = new TestVerbs({
    workspaceId: real.workspaceId,
    folder: real.cwd,
    threads: real.threads,
    clock: systemClock,
    marks: real.runMarks,
    connect: () => real.connect(),
  });
});

afterEach(async () => {
  await script.verbs.closed("run-1");
  await real.end();
});

describe("threads of a script", () => {
  it("two are started at once, waited for and read; they are told as the script's", async () => {
    real.model.handle((request) =>
      message(`Done: ${JSON.stringify(request.body).includes("first task") ? 1 : 2}`),
    );
    const [first, second] = await Promise.all([
      script.call("startThread", { text: "first task" }),
      script.call("startThread", { text: "second task" }),
    ]);
    expect(first.threadId).not.toBe(second.threadId);
    const [one, two] = await Promise.all([
      script.call("waitForTurn", first),
      script.call("waitForTurn", second),
    ]);
    expect(one).toMatchObject({ status: "completed", answer: "Done: 1", error: null });
    expect(two).toMatchObject({ status: "completed", answer: "Done: 2", error: null });
    expect(await script.call("readThread", second)).toEqual({
      title: "second task",
      state: "idle",
      turns: [
        {
          turnId: two.turnId,
          status: "completed",
          items: [
            { kind: "Script", text: "second task" },
            { kind: "Agent", text: "Done: 2" },
          ],
        },
      ],
      hasOlder: false,
    });
    const { head, transcript } = real.threads.runtime(first.threadId).state;
    const byRun = { runId: "run-1", scriptName: "Script of run-1" };
    expect(head.startedByRun).toEqual(byRun);
    expect(transcript.items[0]).toMatchObject({ kind: "user", byRun });
    const listed = await script.call("listThreads", {});
    expect(listed.map(({ threadId }) => threadId).sort()).toEqual([first.threadId, second.threadId].sort());
  });
});

describe("a thread at work", () => {
  const until = (look: () => unknown) => expect.poll(look, { interval: 10 });

  /** A thread whose first turn stands still at a gate. */
  async function standing(gate: string): Promise<string> {
    real.model.queue(reply([real.model.hold(gate)], message("First.")));
    const { threadId } = await script.call("startThread", { text: "begin" });
    await real.model.gate(gate).reached;
    return threadId;
  }

  it("takes a message into its turn, and a follow-up after it; the wait is over after both", async () => {
    const threadId = await standing("one");
    await script.call("sendMessage", { threadId, text: "and this" });
    await script.call("queueFollowUp", { threadId, text: "next" });
    const waiting = script.call("waitForTurn", { threadId });
    real.model.queue(reply(message("Steered.")), reply([real.model.hold("two")], message("Second.")));
    real.model.gate("one").release();
    await real.model.gate("two").reached;
    await until(() => real.threads.runtime(threadId).state.runningTurnId).not.toBeNull();
    real.model.gate("two").release();
    const outcome = await waiting;
    expect(outcome).toMatchObject({ status: "completed", answer: "Second." });
    const { turns } = await script.call("readThread", { threadId });
    const [first, second] = turns.map(({ items }) => items.map(({ kind, text }) => `${kind}: ${text}`));
    expect(first).toContain("Script: and this");
    expect([first?.at(0), first?.at(-1)]).toEqual(["Script: begin", "Agent: Steered."]);
    expect(second).toEqual(["Script: next", "Agent: Second."]);
  });

  it("is interrupted; its follow-up is held, and the wait is over", async () => {
    const threadId = await standing("one");
    await script.call("queueFollowUp", { threadId, text: "next" });
    const waiting = script.call("waitForTurn", { threadId });
    expect(await script.call("interrupt", { threadId })).toEqual({ interrupted: true });
    expect(await waiting).toMatchObject({ status: "interrupted" });
    real.model.gate("one").release();
    expect(real.threads.runtime(threadId).state.head.followUps).toMatchObject({ held: "stopped" });
    const { turns } = await script.call("readThread", { threadId });
    expect(turns[0]?.items.map(({ kind, text }) => `${kind}: ${text}`)).toContain(
      "Notice: Stopped by the script Script of run-1",
    );
  });

  it("fails: the wait says why", async () => {
    real.model.queue(failure(400, "The model is out of order."));
    const { threadId } = await script.call("startThread", { text: "begin" });
    const outcome = await script.call("waitForTurn", { threadId });
    expect(outcome).toMatchObject({
      status: "failed",
      answer: "",
      error: expect.stringContaining("out of order"),
    });
  });

  it("loses its process: the turn is told as interrupted, and the thread goes on in the next one", async () => {
    real.model.queue(reply(shell("echo begun")), reply([real.model.hold("two")], message("Never said.")));
    const { threadId } = await script.call("startThread", { text: "begin" });
    await real.model.gate("two").reached;
    const waiting = script.call("waitForTurn", { threadId });
    await real.killCodex();
    expect(await waiting).toMatchObject({ status: "interrupted", answer: "", error: "codex was killed." });
    real.model.gate("two").release();
    real.model.queue(reply(message("Again.")));
    await script.call("sendMessage", { threadId, text: "once more" });
    expect(await script.call("waitForTurn", { threadId })).toMatchObject({
      status: "completed",
      answer: "Again.",
    });
  });
});

describe("a command of a script", () => {
  it("runs in the workspace's folder and in its sandbox, and says how it ended", async () => {
    const command = ["sh", "-c", "pwd; echo grüß >&2; exit 3"];
    expect(await script.call("runCommand", { command })).toEqual({
      exitCode: 3,
      stdout: `${real.cwd}\n`,
      stderr: "grüß\n",
      isCut: false,
    });
    const outside = await script.call("runCommand", { command: ["touch", "/var/tmp/holdfast-outside"] });
    expect(outside.exitCode).toBe(1);
    expect(outside.stderr).toContain("Read-only file system");
  });

  /** A command whose grandchild has left its group and its session, once both run. `asleep` finds them. */
  async function sleeping(runId = "run-1"): Promise<{ end: Promise<unknown>; asleep(): number }> {
    const seconds = `${20_000 + Math.floor(Math.random() * 60_000)}.25`;
    const asleep = () => listProcesses().filter(({ command }) => command === `sleep ${seconds}`).length;
    const command = ["sh", "-c", `setsid sleep ${seconds} & trap "" TERM; sleep ${seconds}`];
    const end = script
      .call("runCommand", { command }, { runId })
      .catch((error: unknown) => asFault(error).code);
    await expect.poll(asleep).toBe(2);
    return { end, asleep };
  }

  it("is ended with its run, with everything that it has begun", async () => {
    const { end, asleep } = await sleeping();
    await script.verbs.closed("run-1");
    expect(await end).toBe("run_ended");
    await expect.poll(asleep).toBe(0);
  });

  it("is ended by codex when the connection goes", async () => {
    const { end, asleep } = await sleeping();
    real.isToBeCut = (method) => method === "thread/loaded/list";
    await expect(real.connection?.client.request("thread/loaded/list", {})).rejects.toThrow();
    real.isToBeCut = () => false;
    expect(await end).toBe("connection_lost");
    await expect.poll(asleep).toBe(0);
    expect(await script.call("runCommand", { command: ["echo", "again"] })).toMatchObject({
      stdout: "again\n",
    });
  });

  it("dies with its app-server", async () => {
    const { end, asleep } = await sleeping();
    await real.killCodex();
    expect(await end).toBe("connection_lost");
    await expect.poll(asleep).toBe(0);
  });

  it("is ended when its time is over, and only as much as is kept of what it wrote", async () => {
    const writes = "head -c 3000000 /dev/zero | tr '\\0' a; echo trouble >&2";
    const running = script.call("runCommand", {
      command: ["sh", "-c", `${writes}; sleep 300`],
      timeoutMs: 1_500,
    });
    await expect(running).rejects.toMatchObject({ code: "timeout" });
    const all = await script.call("runCommand", { command: ["sh", "-c", writes] });
    expect(all).toMatchObject({ exitCode: 0, stderr: "trouble\n", isCut: true });
    expect(all.stdout.slice(0, 1024 * 1024)).toBe("a".repeat(1024 * 1024));
    expect(all.stdout.length).toBeLessThan(1024 * 1024 + 100);
  });

  it("that is not there cannot be started", async () => {
    await expect(script.call("runCommand", { command: ["no-such-command"] })).rejects.toMatchObject({
      code: "command_not_started",
      message: "“no-such-command” could not be started: No such file or directory",
    });
  });
});
