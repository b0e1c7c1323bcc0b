// Commands of scripts: what they are begun with, what they write, and that none of them outlives its run.

import { beforeEach, describe, expect, it } from "vitest";
import { asFault, Fault } from "../../fault";
import { bench, codex, later, prepareBench } from "../../threads/testRuntime";
import { settle } from "../../threads/testThreads";
import type { ToolResult } from "../tools/tools";
import { TestVerbs } from "./testVerbs";

prepareBench();

let script: TestVerbs;

beforeEach(() => {
  script = TestVerbs.over(bench);
});

type Result = ToolResult<"runCommand">;

async function run(args: object = {}, asked: { signal?: AbortSignal; runId?: string } = {}) {
  const seen: { end: Result | Fault | null } = { end: null };
  script.call("runCommand", { command: ["make", "all"], ...args }, asked).then(
    (result) => {
      seen.end = result;
    },
    (error: unknown) => {
      seen.end = asFault(error);
    },
  );
  await settle();
  return seen;
}

const exec = () => codex().only("command/exec");
const terminate = () => codex().only("command/exec/terminate");
const ends = (exitCode: number) => exec().answer({ exitCode, stdout: "", stderr: "" });

function writes(bytes: Buffer | string, { stream = "stdout", capReached = false } = {}): void {
  const { processId } = exec().params;
  const deltaBase64 = Buffer.from(bytes).toString("base64");
  codex().say("command/exec/outputDelta", { processId, stream, deltaBase64, capReached });
}

describe("a command", () => {
  it("runs in the folder, with what codex's configuration allows, and gives what it wrote", async () => {
    const seen = await run();
    expect(exec().params).toMatchObject({
      command: ["make", "all"],
      cwd: bench.folder,
      sandboxPolicy: null,
      streamStdoutStderr: true,
    });
    writes("out");
    writes("trouble\n", { stream: "stderr" });
    codex().say("command/exec/outputDelta", { processId: "another", stream: "stdout", deltaBase64: "eA==" });
    writes("put\n");
    ends(2);
    await settle();
    expect(seen.end).toEqual({ exitCode: 2, stdout: "output\n", stderr: "trouble\n", isCut: false });
  });

  it("has no more rights than the person gives to new threads", async () => {
    bench.newThreadSettings = { ...bench.newThreadSettings, sandbox: "read-only" };
    await run();
    expect(exec().params).toMatchObject({ sandboxPolicy: { type: "readOnly", networkAccess: false } });
    ends(0);
    await settle();
  });

  it("may write a character in two pieces, and much more than is kept", async () => {
    const seen = await run();
    const umlaut = Buffer.from("ü");
    writes(Buffer.concat([Buffer.from("gr"), umlaut.subarray(0, 1)]));
    writes(Buffer.concat([umlaut.subarray(1), Buffer.from("n")]), { capReached: true });
    ends(0);
    await settle();
    expect(seen.end).toEqual({
      exitCode: 0,
      stdout: "grün\n[There was more output, which is left out here.]",
      stderr: "",
      isCut: true,
    });
  });

  it("that the sandbox cannot begin is an error", async () => {
    const seen = await run({ command: ["mak"] });
    writes(
      "\nthread 'main' (2) panicked at linux-sandbox/src/linux_run_main.rs:1361:5:\nFailed to execvp mak: No such file or directory (os error 2)\nstack backtrace:\n",
      { stream: "stderr" },
    );
    ends(101);
    await settle();
    expect(seen.end).toMatchObject({
      code: "command_not_started",
      message: "“mak” could not be started: No such file or directory",
    });
  });

  it("that cannot be begun without a sandbox is the same error", async () => {
    const seen = await run({ command: ["mak"] });
    exec().refuse("failed to spawn command: No such file or directory (os error 2)", -32603);
    await settle();
    expect(seen.end).toMatchObject({ message: "“mak” could not be started: No such file or directory" });
  });

  it("that says 101 itself has just failed", async () => {
    const seen = await run();
    writes("thread 'main' panicked at src/main.rs:1:1:\n", { stream: "stderr" });
    ends(101);
    await settle();
    expect(seen.end).toMatchObject({ exitCode: 101 });
  });
});

describe("a command is ended", () => {
  it("when its time is over, with what it wrote last", async () => {
    const seen = await run({ timeoutMs: 5_000 });
    writes("still at it\n");
    await later(5_000);
    expect(seen.end).toMatchObject({
      code: "timeout",
      message: "The command was ended after 5 s. It wrote last:\nstill at it\n",
    });
    expect(terminate().params).toEqual({ processId: exec().params.processId });
    expect(script.verbs.usesSession(bench.workspaceId)).toBe(true);
    terminate().answer({});
    ends(137);
    await settle();
    expect(script.verbs.usesSession(bench.workspaceId)).toBe(false);
  });

  it("when the call is given up, and the run is not over before the command is", async () => {
    const controller = new AbortController();
    const seen = await run({}, { signal: controller.signal });
    controller.abort(new Fault("stopped", "Stopped."));
    await settle();
    expect(seen.end).toMatchObject({ code: "stopped" });
    let isClosed = false;
    void script.verbs.closed("run-1").then(() => {
      isClosed = true;
    });
    await settle();
    expect(isClosed).toBe(false);
    ends(137);
    await settle();
    expect(isClosed).toBe(true);
    for (const asked of codex().all("command/exec/terminate")) asked.refuse("no active command/exec");
    await settle();
  });

  it("when its run has ended, and no other run's", async () => {
    const [mine, other] = [await run({}, { runId: "run-1" }), await run({}, { runId: "run-2" })];
    const [first, second] = codex().all("command/exec");
    const closed = script.verbs.closed("run-1");
    await settle();
    expect(mine.end).toMatchObject({ code: "run_ended" });
    expect(terminate().params).toEqual({ processId: first?.params.processId });
    first?.answer({ exitCode: 137, stdout: "", stderr: "" });
    terminate().answer({});
    await closed;
    expect(other.end).toBeNull();
    second?.answer({ exitCode: 0, stdout: "", stderr: "" });
    await settle();
    expect(other.end).toMatchObject({ exitCode: 0 });
  });

  it("before it has begun, when the session has only just been asked for", async () => {
    await bench.kill();
    bench.holdConnections();
    const seen = await run();
    expect(script.verbs.usesSession(bench.workspaceId)).toBe(true);
    await script.verbs.closed("run-1");
    expect(seen.end).toMatchObject({ code: "run_ended" });
    await bench.letConnect();
    expect(codex().all("command/exec")).toEqual([]);
    expect(script.verbs.usesSession(bench.workspaceId)).toBe(false);
  });

  it("with its connection", async () => {
    const seen = await run();
    await bench.cut();
    expect(seen.end).toMatchObject({ code: "connection_lost" });
    expect(seen.end).toMatchObject({
      message: "The connection to codex was lost, and codex has ended the command.",
    });
    await script.verbs.closed("run-1");
  });
});

it("that codex does not answer at all is given up at its limit, and asked to end again with the run", async () => {
  const seen = await run({ timeoutMs: 1_000 });
  await later(1_000);
  expect(seen.end).toMatchObject({ code: "timeout" });
  let isClosed = false;
  const close = () =>
    void script.verbs.closed("run-1").then(() => {
      isClosed = true;
    });
  close();
  await later(10_000);
  expect(codex().all("command/exec/terminate")).toHaveLength(1);
  close();
  await settle();
  expect(codex().all("command/exec/terminate")).toHaveLength(2);
  expect(isClosed).toBe(false);
  await later(20_000);
  expect(isClosed).toBe(true);
});
