import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect, promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ManualClock, systemClock } from "../../clock";
import { Fault } from "../../fault";
import { gone, isAlive } from "../client/testExecServer";
import { makeRegistry } from "./makeRegistry";
import { lookUpWithin, type Registry, type RegistryConfig, registryConfigSchema } from "./registry";

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast-registries-"));
  path = join(folder, "environment.json");
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

const ask = (config: RegistryConfig, signal = new AbortController().signal) =>
  lookUpWithin(
    makeRegistry(config, { clock: systemClock, env: async () => process.env }),
    systemClock,
    signal,
  );

const node = (script: string, deadlineMs?: number): RegistryConfig => ({
  kind: "command",
  command: process.execPath,
  args: ["-e", script],
  deadlineMs,
});

const answer = { url: "ws://127.0.0.1:4711", identity: "box", registration: "7", added: "later" };
const target = {
  url: "ws://127.0.0.1:4711",
  identity: "box",
  registration: "7",
  credential: { kind: "none" },
};

describe("a fixed registry", () => {
  it("answers what is set; without an identity whatever listens there is the executor", async () => {
    await expect(ask({ kind: "fixed", url: "ws://127.0.0.1:4711" })).resolves.toEqual({
      url: "ws://127.0.0.1:4711",
      identity: "ws://127.0.0.1:4711",
      registration: "ws://127.0.0.1:4711",
      credential: { kind: "none" },
    });
    const credential = { stored: "box" };
    await expect(
      ask({ kind: "fixed", url: "wss://box.example", identity: "box", credential }),
    ).resolves.toMatchObject({ identity: "box", credential: { kind: "stored", name: "box" } });
  });

  it.each([
    ["http://box", "must begin with ws:// or wss://"],
    ["box:1", "must begin with ws:// or wss://"],
    ["nowhere", "is not an address"],
    ["ws://ada:secret@box", "must not have a name or a password in it"],
  ])("cannot be set to %s: it %s", (url, problem) => {
    const { success, error } = registryConfigSchema.safeParse({ kind: "fixed", url });
    expect(success).toBe(false);
    expect(error?.issues[0]?.message).toBe(problem);
    expect(inspect(error)).not.toContain("secret");
  });

  it("cannot be set to send a credential over a line that others can read", () => {
    const credential = { stored: "box" };
    const isAllowed = (url: string) =>
      registryConfigSchema.safeParse({ kind: "fixed", url, credential }).success;
    const safe = ["wss://box.example", "ws://127.0.0.1:1", "ws://localhost:1", "ws://[::1]:1"];
    const unsafe = [
      "ws://box.example",
      "ws://10.0.0.1:1",
      "ws://127.0.0.1.example",
      "ws://localhost.example",
    ];
    expect(safe.map(isAllowed)).toEqual(safe.map(() => true));
    expect(unsafe.map(isAllowed)).toEqual(unsafe.map(() => false));
  });
});

describe("a registry file", () => {
  const file = () => ask({ kind: "file", path });

  it("is read at every lookup", async () => {
    await writeFile(path, JSON.stringify(answer));
    await expect(file()).resolves.toEqual(target);
    await writeFile(path, JSON.stringify({ ...answer, identity: "other" }));
    await expect(file()).resolves.toMatchObject({ identity: "other" });
  });

  it("that is being written is read again", async () => {
    const clock = new ManualClock();
    const registry = makeRegistry({ kind: "file", path }, { clock, env: async () => ({}) });
    await writeFile(path, JSON.stringify(answer).slice(0, 20));
    const asking = registry.lookUp(new AbortController().signal, null);
    while (clock.pendingCount === 0) await new Promise((resolve) => setImmediate(resolve));
    await writeFile(path, JSON.stringify(answer));
    clock.advance(50);
    await expect(asking).resolves.toEqual(target);
    expect(clock.pendingCount).toBe(0);
  });

  it("that is not there, or no file, says so", async () => {
    await expect(file()).rejects.toMatchObject({ code: "registry_unreadable", path });
    await expect(ask({ kind: "file", path: folder })).rejects.toThrow(`${folder} cannot be read`);
    await promisify(execFile)("mkfifo", [path]);
    await expect(file()).rejects.toThrow("it is not a file");
  });

  it.each([
    ["UTF-8 with its mark", Buffer.from(`\ufeff${JSON.stringify(answer)}\n`)],
    ["UTF-16, as some shells write it", Buffer.from(`\ufeff${JSON.stringify(answer)}\r\n`, "utf16le")],
  ])("may be written as %s", async (_what, bytes) => {
    await writeFile(path, bytes);
    const clock = new ManualClock();
    const registry = makeRegistry({ kind: "file", path }, { clock, env: async () => ({}) });
    // Read once: it does not look as if it were being written.
    await expect(registry.lookUp(new AbortController().signal, null)).resolves.toEqual(target);
    const print = node(`process.stdout.write(require("fs").readFileSync(${JSON.stringify(path)}))`);
    await expect(ask(print)).resolves.toEqual(target);
  });

  it("that is too long is not read", async () => {
    await writeFile(path, JSON.stringify({ ...answer, more: "x".repeat(70_000) }));
    await expect(file()).rejects.toThrow("more than 64 KiB");
  });

  it.each([
    ["", "it is empty"],
    ["{ no", "it is not JSON"],
    ["[]", "expected object"],
    ['{"identity": "box"}', '"url" is missing'],
    ['{"url": "ws://127.0.0.1:1"}', '"identity" is missing'],
    ['{"url": "ws://127.0.0.1:1", "identity": ""}', '"identity" must not be empty'],
    ['{"url": "http://x", "identity": "box"}', '"url" must begin with ws:// or wss://'],
    [
      '{"url": "ws://127.0.0.1:1", "identity": "box", "credential": "sesame"}',
      '"credential" must be {"stored"',
    ],
    [
      '{"url": "ws://127.0.0.1:1", "identity": "box", "credential": {"token": "sesame\\nopen"}}',
      '"credential.token" must not be empty, or have spaces',
    ],
    [
      '{"url": "ws://box.example:1", "identity": "box", "credential": {"token": "sesame"}}',
      '"url" must be wss://, or on this machine',
    ],
  ])("that says %s is wrong, and why: %s", async (text, problem) => {
    await writeFile(path, text);
    const fault = await file().catch((error: unknown) => error);
    expect(fault).toMatchObject({ code: "registry_invalid", retryable: true });
    expect((fault as Fault).message).toContain(problem);
    expect(inspect(fault)).not.toContain("sesame");
  });

  it("may hold a token, which is never shown", async () => {
    await writeFile(path, JSON.stringify({ ...answer, credential: { token: "sesame" } }));
    const found = await file();
    expect(found.credential.kind === "token" && found.credential.token.reveal()).toBe("sesame");
    for (const shown of [
      inspect(found, { depth: 9 }),
      JSON.stringify(found),
      `${Object.values(found.credential)}`,
    ]) {
      expect(shown).toContain("[redacted]");
      expect(shown).not.toContain("sesame");
    }
  });
});

describe("a registry command", () => {
  it("prints the same JSON", async () => {
    await expect(ask(node(`console.log(${JSON.stringify(JSON.stringify(answer))})`))).resolves.toEqual(
      target,
    );
  });

  it.each([
    [node("process.exit(3)"), "ended with code 3"],
    [node("process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000)"), "ended by SIGTERM"],
    [
      node("process.stdout.write('x'.repeat(70000)); setInterval(() => {}, 1000)"),
      "printed more than 64 KiB",
    ],
    [
      { kind: "command", command: "/nowhere", args: [] } satisfies RegistryConfig,
      'The command "/nowhere", which says where the environment is, cannot be started: there is no such program.',
    ],
  ])("that fails says how (%#)", async (config, problem) => {
    const fault = await ask(config).catch((error: unknown) => error);
    expect(fault).toMatchObject({ code: "registry_command_failed" });
    expect((fault as Fault).message).toContain(problem);
  });

  it("that prints something else says what is wrong, and what it said beside it is kept for the person", async () => {
    await expect(ask(node("console.log('{}')"))).rejects.toMatchObject({ code: "registry_invalid" });
    const complaint = node(
      "console.log('{\"token\": \"sesame\"}'); console.error('no such host'); process.exit(1)",
    );
    const fault = await ask(complaint).catch((error: unknown) => error);
    expect((fault as Fault).detail).toContain("no such host");
    expect(inspect(fault)).not.toContain("sesame");
  });

  it.each([
    ["at its end", 2_000, ""],
    ["and something after it", 450, " is wrong\\nlook at line 1"],
    ["of which only the end was kept", 9_000, " is wrong"],
  ])("that complains of a token gives away none of it: %s", async (_where, length, after) => {
    const config = node(
      `console.error('{"token": "' + "sesame".repeat(${length}).slice(0, ${length}) + '"}${after}'); process.exit(1)`,
    );
    const fault = (await ask(config).catch((error: unknown) => error)) as Fault;
    expect(inspect(fault)).not.toContain("sesame");
    if (after !== "") expect(fault.detail).toContain("is wrong");
  });

  it.each(["its time is over", "nobody waits any more"])("is ended when %s", async (why) => {
    const isTime = why === "its time is over";
    const waiter = new AbortController();
    const clock = new ManualClock();
    const config = node(
      `require("fs").writeFileSync(${JSON.stringify(path)}, String(process.pid)); setInterval(() => {}, 1000)`,
      1_500,
    );
    const registry = makeRegistry(config, { clock, env: async () => process.env });
    const asking = lookUpWithin(registry, clock, waiter.signal);
    const outcome = expect(asking).rejects.toMatchObject({
      code: isTime ? expect.stringMatching(/^registry_(timeout|command_failed)$/) : "superseded",
    });
    const pid = await pidIn(path);
    expect(isAlive(pid)).toBe(true);
    if (isTime) clock.advance(1_500);
    else waiter.abort(new Fault("superseded", "Nobody waits."));
    await outcome;
    await gone(pid);
  });
});

it("a registry that does not answer is given up at its deadline, and its late answer is dropped", async () => {
  const clock = new ManualClock();
  const registry: Registry = { deadlineMs: 5_000, lookUp: () => new Promise(() => {}) };
  const asking = lookUpWithin(registry, clock, new AbortController().signal);
  const outcome = expect(asking).rejects.toMatchObject({ code: "registry_timeout", retryable: true });
  clock.advance(5_000);
  await outcome;
  expect(clock.pendingCount).toBe(0);
});

/** Once it is written there. */
async function pidIn(file: string): Promise<number> {
  for (;;) {
    const pid = Number(await readFile(file, "utf8").catch(() => ""));
    if (pid > 0) return pid;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
