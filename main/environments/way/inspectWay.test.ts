import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { WayStep } from "../../../preload/contract/environments";
import { ManualClock } from "../../clock";
import { bundledBinary } from "../../codex/codexPackage";
import { silentLog } from "../../log";
import { Secret } from "../client/secret";
import { startExecServer } from "../client/testExecServer";
import { inspectWay } from "./inspectWay";
import { tryPort } from "./tryPort";
import { portStep } from "./wayWords";

const token = "tok-of-the-build-box";
const clock = new ManualClock();
let folder: string;
/** Ends what a test has started, the newest first. */
let endings: (() => Promise<unknown>)[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast-way-"));
  endings = [];
});

afterEach(async () => {
  for (const end of endings.reverse()) await end();
  await rm(folder, { recursive: true });
  // Each connection that was closed is gone in the end, with its timer.
  while (clock.pendingCount > 0) await new Promise((resolve) => setImmediate(resolve));
});

function inspect(url: string, given: string | null = null, here: string | null = "0.171.0") {
  const options = { clock, log: silentLog, codexVersion: async () => here };
  return inspectWay({ url, token: given === null ? null : new Secret(given) }, options);
}

/** As `step: outcome`, up to the first that was not tried. */
function told(steps: WayStep[]): string[] {
  expect(steps.map(({ step }) => step)).toEqual([
    "address",
    "port",
    "server",
    "token",
    "handshake",
    "version",
  ]);
  const tried = steps.filter(({ outcome }) => outcome !== "not tried");
  // Nothing is tried after a failure, and everything before it was.
  expect(steps.slice(0, tried.length)).toEqual(tried);
  return tried.map(({ step, outcome }) => `${step}: ${outcome}`);
}

async function execServer(args: string[] = []): Promise<string> {
  const { url, stop } = await startExecServer(args);
  endings.push(stop);
  return url;
}

async function guardedExecServer(): Promise<string> {
  const file = join(folder, "token");
  await writeFile(file, token);
  return execServer(["--ws-auth", "capability-token", "--ws-token-file", file]);
}

async function listening(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  endings.push(() => new Promise((resolve) => server.close(resolve)));
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function closedPort(): Promise<string> {
  const url = await listening(createServer());
  await endings.pop()?.();
  return url;
}

const inOrder = ["address: ok", "port: ok", "server: ok", "token: ok", "handshake: ok", "version: ok"];

describe("an exec-server", () => {
  it("is reached, and it is said that it asks for no token", async () => {
    const steps = await inspect(await execServer());
    expect(told(steps)).toEqual(inOrder);
    expect(steps[3]).toMatchObject({
      text: "It asks for no token.",
      hint: expect.stringContaining("--ws-auth"),
    });
    expect(steps[5]?.text).toBe("codex 0.171.0, the same as here.");
  });

  it("that asks for a token is reached with it", async () => {
    const steps = await inspect(await guardedExecServer(), token);
    expect(told(steps)).toEqual(inOrder);
    expect(steps[3]?.text).toBe("The token is accepted.");
    expect(JSON.stringify(steps)).not.toContain(token);
  });

  it.each([
    ["the wrong token", "wrong", "The token is not accepted."],
    ["no token", null, "It asks for a token, and none is given."],
  ])("that asks for a token is not reached with %s", async (_what, given, text) => {
    const steps = await inspect(await guardedExecServer(), given);
    expect(told(steps)).toEqual(["address: ok", "port: ok", "server: ok", "token: failed"]);
    expect(steps[3]).toMatchObject({ text, hint: expect.stringContaining("--ws-token-file") });
  });

  it("that takes any token is said to do so", async () => {
    const steps = await inspect(await execServer(), "any");
    expect(steps[3]).toMatchObject({ outcome: "warning", text: "It asks for no token: any is accepted." });
    expect(steps[4]?.outcome).toBe("ok");
  });

  it.each([
    ["0.170.0", { outcome: "warning", text: "codex 0.171.0 there, codex 0.170.0 here." }],
    [null, { outcome: "ok", text: "codex 0.171.0. Which codex is used here is not known." }],
  ])("is of another version than the codex here (%s)", async (here, version) => {
    expect((await inspect(await execServer(), null, here))[5]).toMatchObject(version);
  });

  it("is not found under a path", async () => {
    const steps = await inspect(`${await execServer()}/elsewhere`);
    expect(told(steps)).toEqual(["address: ok", "port: ok", "server: ok", "token: failed"]);
    expect(steps[3]?.text).toBe("What answers does not take WebSocket connections (HTTP 404).");
  });
});

describe("the address", () => {
  it.each([
    ["build box", null, "The address is not an address."],
    ["http://127.0.0.1:4711", null, "The address must begin with ws:// or wss://."],
    ["ws://ada:secret@127.0.0.1:4711", null, "The address must not have a name or a password in it."],
    [
      "ws://build-box.example:4711",
      token,
      "A token is not sent to another machine over a line that others can read.",
    ],
  ])("%s is refused before anything is tried", async (url, given, text) => {
    const steps = await inspect(url, given);
    expect(told(steps)).toEqual(["address: failed"]);
    expect(steps[0]?.text).toBe(text);
    expect(steps[1]).toEqual({ step: "port", outcome: "not tried", text: "Not tried.", hint: null });
  });
});

describe("the port", () => {
  it("at which nothing listens points to the tunnel", async () => {
    const url = await closedPort();
    const steps = await inspect(url);
    expect(told(steps)).toEqual(["address: ok", "port: failed"]);
    expect(steps[1]?.text).toBe(`Nothing listens at port ${new URL(url).port} of this machine.`);
    expect(steps[1]?.hint).toContain("ssh tunnel");
  });

  it("that does not answer is given up after a while", async () => {
    const { port } = new URL(await listening(createServer((socket) => socket.destroy())));
    const trying = tryPort({ host: "127.0.0.1", port: Number(port) }, { clock, deadlineMs: 5_000 });
    // Before the system can say anything.
    clock.advance(5_000);
    expect(await trying).toEqual({ kind: "no answer" });
  });

  it("of another machine has words of its own", () => {
    const place = { host: "build-box", port: 4711, isHere: false };
    const kinds = ["nothing listens", "no answer", "no such machine"] as const;
    const texts = kinds.map((kind) => portStep({ kind }, place).text);
    expect(texts).toEqual([
      "Nothing listens at port 4711 of build-box.",
      "There is no answer from port 4711 of build-box.",
      "There is no machine of the name build-box.",
    ]);
  });
});

describe("what answers and is no exec-server", () => {
  it.each([
    ["a page for everything", 200, "<p>hello</p>"],
    ["not found", 404, ""],
  ])("a web server that says %s", async (_what, status, body) => {
    const server = createHttpServer((_request, response) => response.writeHead(status).end(body));
    const steps = await inspect(await listening(server));
    expect(told(steps)).toEqual(["address: ok", "port: ok", "server: failed"]);
    expect(steps[2]?.text).toBe(`A web server answers there, not as an exec-server does (HTTP ${status}).`);
  });

  it("codex app-server", async () => {
    const steps = await inspect(await appServer());
    expect(told(steps)).toEqual(["address: ok", "port: ok", "server: failed"]);
    expect(steps[2]?.text).toContain("codex app-server");
  });

  it("something that says nothing is given up after a while, and never gets the token", async () => {
    let received = "";
    let hear: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      hear = resolve;
    });
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.on("data", (text) => {
        received += text;
        hear();
      });
    });
    const inspecting = inspect(await listening(server), token);
    await asked;
    clock.advance(5_000);
    const steps = await inspecting;
    expect(told(steps)).toEqual(["address: ok", "port: ok", "server: failed"]);
    expect(steps[2]?.text).toBe("Something takes the connection and says nothing.");
    expect(received).toContain("GET /readyz");
    expect(received).not.toContain(token);
  });

  it("something that closes the connection at once, as a tunnel with nothing at its other end", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => socket.destroy());
    });
    const steps = await inspect(await listening(server));
    expect(told(steps)).toEqual(["address: ok", "port: ok", "server: failed"]);
    expect(steps[2]?.hint).toContain("at its other end");
  });

  it("something that speaks another language", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.resume();
      socket.end("220 mail.example ready\r\n");
    });
    const steps = await inspect(await listening(server));
    expect(steps[2]).toMatchObject({
      outcome: "failed",
      text: "Something answers there that is no exec-server.",
    });
  });
});

async function appServer(): Promise<string> {
  const binary = await bundledBinary(process.cwd(), process);
  if (binary === null) throw new Error("This project's codex is not installed for this system.");
  const child = spawn(binary, ["app-server", "--listen", "ws://127.0.0.1:0"], {
    env: { ...process.env, CODEX_HOME: folder },
    stdio: ["ignore", "ignore", "pipe"],
  });
  endings.push(async () => {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  });
  return printedAddress(child);
}

function printedAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    child.stderr?.on("data", (text) => {
      said += text;
      const url = /ws:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
      if (url !== undefined) resolve(url);
    });
    child.on("exit", () => reject(new Error(`The app-server ended: ${said}`)));
  });
}
