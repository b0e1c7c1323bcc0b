// On the real codex: exec-servers that are started when they are needed, ended, killed, and found again; and nothing of them left.

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../../clock";
import { connectWebSocket } from "../../codex/webSocketTransport";
import { markerVariable } from "../../supervisor/handleTree";
import type { ExecutorTarget } from "../client/executorTarget";
import { toFileUri } from "../client/fileUri";
import { gone, isAlive } from "../client/testExecServer";
import { execServerProfileId } from "./execServerLaunch";
import { TestLocalServers } from "./testLocalServers";

let at: TestLocalServers;

beforeEach(() => {
  at = new TestLocalServers();
});
afterEach(() => at.leave());

const lookUp = (resuming: string | null = null): Promise<ExecutorTarget> =>
  at.servers.registry("here").lookUp(new AbortController().signal, resuming);
const handle = (handleId: string) => at.run.ledger.handles.get(handleId);
const privateFiles = () => readdirSync(join(at.root, "sockets"));

function tokenOf({ credential }: ExecutorTarget): string {
  if (credential.kind !== "token") throw new Error("there is no token");
  return credential.token.reveal();
}

/** Starts something in it that goes on when the exec-server is killed, and returns its pid. */
async function leaveBehind(): Promise<number> {
  const environment = at.run.environments.get("here");
  if (!environment) throw new Error("the environment is not set");
  let text = "";
  let told: (pid: number) => void = () => {};
  const pid = new Promise<number>((resolve) => {
    told = resolve;
  });
  await environment.start(
    {
      argv: ["/bin/sh", "-c", "setsid sleep 86400 & echo $!; wait"],
      cwd: toFileUri(at.root),
      env: {},
      inherits: "all",
      terminal: false,
      input: false,
    },
    (event) => {
      if (event.type !== "output") return;
      text += Buffer.from(event.bytes).toString();
      const line = /^(\d+)\n/.exec(text);
      if (line) told(Number(line[1]));
    },
  );
  return pid;
}

describe("a local exec-server", () => {
  test("is started by the first who asks where it is, once for all, and answers to its token only", async () => {
    expect(at.view.state).toBe("stopped");
    const [first, second] = await Promise.all([lookUp(), lookUp()]);
    expect(second).toEqual(first);
    expect(at.run.ledger.handles.listNotGone()).toHaveLength(1);
    const record = handle(first.identity);
    expect(record).toMatchObject({ state: "running", sessionId: "here", profileId: "exec-server" });
    expect(record?.command.workingDirectory).toBe(join(at.root, "person"));
    expect(at.view).toMatchObject({ state: "running", pid: record?.facts?.pid, fault: null, hasLog: true });
    expect([...at.run.watched]).toEqual([first.identity]);
    expect((await at.run.environments.get("here")?.info())?.version).toMatch(/^\d+\.\d+/);

    const place = { kind: "url", url: first.url, token: null } as const;
    const handlers = { onMessage() {}, onClosed() {} };
    await expect(connectWebSocket(place, handlers, { clock: systemClock })).rejects.toMatchObject({
      code: "connect_rejected",
    });
    const token = tokenOf(first);
    expect(token.length).toBeGreaterThan(30);
    const pid = record?.facts?.pid;
    for (const place of [
      `/proc/${pid}/cmdline`,
      `/proc/${pid}/environ`,
      join(at.root, "holdfast.db"),
      at.servers.logPath("here") ?? "",
    ]) {
      expect(readFileSync(place, "latin1"), place).not.toContain(token);
    }
    expect(JSON.stringify(first)).not.toContain(token);
  });

  test("is ended with all that runs in it, and nothing of it is left", async () => {
    const { identity } = await lookUp();
    const left = await leaveBehind();
    await at.servers.stop("here");
    expect(at.view).toMatchObject({ state: "stopped", pid: null, fault: null, hasLog: true });
    await gone(left);
    expect(await at.marked(identity)).toBe(0);
    expect(handle(identity)?.state).toBe("gone");
    expect(at.run.cleanups.list()).toEqual([]);
    expect(privateFiles()).toEqual([]);
    expect([...at.run.watched]).toEqual([]);
  });

  test("that was stopped is not started again for a session that was in it, but for the next use", async () => {
    const environment = at.run.environments.get("here");
    await environment?.probe();
    const { identity } = await lookUp();
    const ended = new Promise<void>((resolve) =>
      at.onEnvironment(({ phase }) => phase === "disconnected" && resolve()),
    );
    await at.servers.stop("here");
    await ended;
    expect(at.view.state).toBe("stopped");
    await environment?.probe();
    expect(environment?.state).toMatchObject({ phase: "connected" });
    expect((await lookUp()).identity).not.toBe(identity);
  });

  test("that is killed says so; what it left is ended, and the next use starts another", async () => {
    const environment = at.run.environments.get("here");
    const left = await leaveBehind();
    const { identity } = await lookUp();
    const ended = new Promise<void>((resolve) =>
      at.onEnvironment(({ phase }) => phase === "disconnected" && resolve()),
    );
    process.kill(handle(identity)?.facts?.pid ?? 0, "SIGKILL");
    await Promise.all([at.shows({ state: "stopped" }), ended]);
    expect(at.view.fault?.message).toContain("codex exec-server was killed (SIGKILL)");
    expect(environment?.state).toMatchObject({ phase: "disconnected" });
    await gone(left);
    expect(at.run.ledger.handles.listNotGone(), "nothing is started by itself").toEqual([]);

    const next = await lookUp();
    expect(next.identity).not.toBe(identity);
    expect(at.view).toMatchObject({ state: "running", fault: null });
    await environment?.probe();
    expect(handle(identity)).toMatchObject({ state: "gone", exit: { signal: "SIGKILL" } });
  });

  test("that cannot be started: whoever waits is told why, and the next who asks starts it anew", async () => {
    const script = join(at.root, "broken");
    writeFileSync(script, "#!/bin/sh\necho 'Error: no luck today' >&2\nexit 7\n", { mode: 0o755 });
    at.binaryPath = script;
    const outcomes = await Promise.allSettled([lookUp(), lookUp()]);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ reason: { code: "codex_exited" } });
      expect(String((outcome as PromiseRejectedResult).reason.message)).toContain("no luck today");
    }
    expect(at.view.fault?.message).toContain("codex exec-server ended with exit code 7 before it was ready");
    expect(readFileSync(at.servers.logPath("here") ?? "", "utf8")).toContain("no luck today");
    expect(readdirSync(join(at.root, "logs")), "one attempt for both").toHaveLength(1);
    expect(privateFiles()).toEqual([]);
    at.binaryPath = join(at.root, "nothing");
    await expect(lookUp()).rejects.toMatchObject({ code: "codex_not_startable" });
    expect(privateFiles()).toEqual([]);
    at.binaryPath = null;
    await lookUp();
    expect(at.view).toMatchObject({ state: "running", fault: null });
  });

  test("that ends again and again is only started by hand any more", async () => {
    const script = join(at.root, "broken");
    writeFileSync(script, "#!/bin/sh\nexit 7\n", { mode: 0o755 });
    at.binaryPath = script;
    for (let time = 0; time < 4; time += 1) await expect(lookUp()).rejects.toThrow("exit code 7");
    const tried = readdirSync(join(at.root, "logs")).length;
    await expect(lookUp()).rejects.toMatchObject({ hint: expect.stringContaining("Start it by hand") });
    expect(at.view.fault?.hint).toContain("Start it by hand");
    expect(readdirSync(join(at.root, "logs"))).toHaveLength(tried);
    at.binaryPath = null;
    await at.servers.start("here");
    expect(at.view.state).toBe("running");
  });

  test("that is stopped while it starts: whoever waits is told, and nothing is left", async () => {
    const told = expect(lookUp()).rejects.toMatchObject({ code: "exec_server_stopped" });
    await at.shows({ state: "starting" });
    await at.servers.stop("here");
    await told;
    expect(at.run.ledger.handles.listNotGone()).toEqual([]);
    expect(at.view).toMatchObject({ state: "stopped", fault: null });
  });

  test("is not started for an environment that is not set", async () => {
    at.names.clear();
    await expect(lookUp()).rejects.toMatchObject({ code: "environment_unknown" });
    await expect(at.servers.start("here")).rejects.toMatchObject({ code: "environment_unknown" });
    expect(at.run.ledger.handles.isEmpty).toBe(true);
  });
});

describe("after Holdfast was killed, the next one", () => {
  test("uses the same exec-server again, and ends it as its own", async () => {
    const before = await lookUp();
    at.again();
    const after = await lookUp();
    expect(after).toEqual(before);
    expect(tokenOf(after)).toBe(tokenOf(before));
    expect(at.view).toMatchObject({ state: "running", pid: handle(before.identity)?.facts?.pid });
    expect([...at.run.watched]).toEqual([before.identity]);
    await at.servers.stop("here");
    expect(await at.marked(before.identity)).toBe(0);
    expect(handle(before.identity)?.state).toBe("gone");
  });

  test("notices the death of one that it did not start", async () => {
    const { identity } = await lookUp();
    at.again();
    const left = await leaveBehind();
    process.kill(handle(identity)?.facts?.pid ?? 0, "SIGKILL");
    const { fault } = await at.shows({ state: "stopped" });
    expect(fault?.message).toContain("codex exec-server ended");
    await gone(left);
    expect((await lookUp()).identity).not.toBe(identity);
  });

  test("ends one whose environment is not set any more", async () => {
    const { identity } = await lookUp();
    at.names.clear();
    at.again();
    await at.isGone(identity);
    expect(await at.marked(identity)).toBe(0);
    expect(at.run.cleanups.list()).toEqual([]);
  });

  test("ends one that does not take its token, and starts another", async () => {
    const { identity } = await lookUp();
    for (const name of privateFiles()) writeFileSync(join(at.root, "sockets", name), "another token");
    at.again();
    const next = await lookUp();
    expect(next.identity).not.toBe(identity);
    expect(handle(identity)?.state).toBe("gone");
    expect(await at.marked(identity)).toBe(0);
  });

  test("ends one that was started and never known by its pid", async () => {
    const handleId = randomUUID();
    at.run.ledger.handles.intend({
      handleId,
      sessionId: "here",
      workspaceId: "",
      profileId: execServerProfileId,
      marker: handleId,
      command: { file: "codex", args: [], workingDirectory: "/" },
      channel: { kind: "loopback", tokenFile: join(at.root, "sockets", "token") },
      teardown: null,
      logPath: null,
    });
    const child = spawn("sleep", ["86400"], { env: { [markerVariable]: handleId }, stdio: "ignore" });
    const ended = once(child, "exit");
    at.again();
    await Promise.all([ended, at.isGone(handleId)]);
    expect(at.view.state).toBe("stopped");
  });

  test("leaves alone what it was told to keep", async () => {
    const { identity } = await lookUp();
    await at.servers.closeAll((environmentId) => environmentId === "here");
    expect(handle(identity)?.state).toBe("running");
    expect(isAlive(handle(identity)?.facts?.pid ?? 0)).toBe(true);
    await expect(lookUp()).rejects.toMatchObject({ code: "shutting_down" });
    at.again();
    expect((await lookUp()).identity).toBe(identity);
  });
});

test("an exec-server that runs is closed when everything is", async () => {
  const { identity } = await lookUp();
  await at.servers.closeAll(() => false);
  expect(handle(identity)?.state).toBe("gone");
  expect(await at.marked(identity)).toBe(0);
  await expect(at.servers.start("here")).rejects.toMatchObject({ code: "shutting_down" });
  rmSync(at.servers.logPath("here") ?? "");
});
