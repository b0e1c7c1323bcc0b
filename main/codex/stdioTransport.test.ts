import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { type Log, silentLog } from "../log";
import { createStdioTransport } from "./stdioTransport";
import type { TransportClosed } from "./transport";

function overPipes(log: Log = silentLog) {
  const streams = { stdin: new PassThrough(), stdout: new PassThrough() };
  const messages: string[] = [];
  const closes: TransportClosed[] = [];
  const transport = createStdioTransport(
    streams,
    { onMessage: (text) => messages.push(text), onClosed: (reason) => closes.push(reason) },
    log,
  );
  return { ...streams, messages, closes, transport };
}

/** `once` would take the error that comes first for a failure of its own. */
const closed = (stream: PassThrough) => new Promise((resolve) => stream.once("close", resolve));

describe("messages over stdio", () => {
  it("go out one a line and come in one a line", async () => {
    const { stdin, stdout, messages, transport } = overPipes();
    expect(transport.send('{"id":1}')).toBe(true);
    expect(String(stdin.read())).toBe('{"id":1}\n');
    stdout.write('banner\n{"id":1,"res');
    stdout.write('ult":{}}\n{"method":"x"}\n');
    await new Promise((resolve) => setImmediate(resolve));
    expect(messages).toEqual(['{"id":1,"result":{}}', '{"method":"x"}']);
  });

  it("are counted while codex does not read them", () => {
    const { transport } = overPipes();
    for (let at = 0; at < 100; at++) transport.send("x".repeat(1_023));
    expect(transport.bufferedBytes).toBeGreaterThan(50_000);
  });

  it("stop at the end of the output, which is reported once, with what was cut off", async () => {
    const { stdout, stdin, closes, messages, transport } = overPipes();
    stdout.end('{"id":1}\n{"id":2,');
    await closed(stdout);
    stdin.destroy(new Error("EPIPE"));
    await closed(stdin);
    expect(messages).toEqual(['{"id":1}']);
    expect(closes).toEqual([
      { by: "codex", detail: "codex ended its output in the middle of a message, after 8 bytes of it" },
    ]);
    expect(transport.send("{}")).toBe(false);
  });

  it("stop when the output breaks", async () => {
    const { stdout, closes } = overPipes();
    stdout.destroy(new Error("EIO"));
    await closed(stdout);
    expect(closes).toMatchObject([{ by: "failure", detail: "codex's output broke: EIO" }]);
  });

  it("are not handed over after a close, which ends codex's input and drains its output", async () => {
    const { stdin, stdout, closes, messages, transport } = overPipes();
    transport.close();
    transport.close();
    stdout.write('{"id":1}\n');
    expect(closes).toEqual([{ by: "holdfast" }]);
    expect(stdin.writableEnded).toBe(true);
    expect(transport.send("{}")).toBe(false);
    stdout.end("x".repeat(1_000_000));
    await once(stdout, "end");
    expect([messages, closes]).toEqual([[], [{ by: "holdfast" }]]);
  });

  it("leave what was no message in the log, bounded", async () => {
    const warnings: unknown[] = [];
    const { stdout } = overPipes({ ...silentLog, warn: (_message, facts) => warnings.push(facts) });
    stdout.end("one\ntwo\nthree\nfour\n");
    await closed(stdout);
    expect(warnings).toEqual([{ lines: 4, bytes: 15, recent: ["two", "three", "four"] }]);
  });
});

describe.skipIf(process.platform === "win32")("a real process", () => {
  const started: ChildProcess[] = [];
  function start(program: string) {
    const child = spawn("/bin/sh", ["-c", program], { stdio: ["pipe", "pipe", "inherit"] });
    started.push(child);
    const messages: string[] = [];
    const closes: TransportClosed[] = [];
    const transport = createStdioTransport(
      child,
      { onMessage: (text) => messages.push(text), onClosed: (reason) => closes.push(reason) },
      silentLog,
    );
    return { child, messages, closes, transport };
  }

  afterEach(async () => {
    for (const child of started.splice(0)) {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGKILL");
        await once(child, "exit");
      }
      expect(() => process.kill(child.pid ?? 0, 0)).toThrow("ESRCH");
    }
  });

  it("that closes its input and lives on costs a closed transport, not the app", async () => {
    const { child, closes, transport } = start("exec 0<&-; echo '{}'; exec sleep 60");
    await once(child.stdout as NodeJS.ReadableStream, "data");
    transport.send('{"id":1}');
    await new Promise((resolve) => child.stdin?.once("error", resolve));
    expect(closes).toMatchObject([{ by: "failure", detail: expect.stringContaining("EPIPE") }]);
    expect(transport.send('{"id":2}')).toBe(false);
    expect(child.exitCode).toBeNull();
  });

  it("that answers and ends at once is heard to its last message", async () => {
    const { child, messages, closes } = start(`printf '{"a":"%0300000d"}\\n{"b":1}' 0`);
    await once(child, "close");
    expect(messages).toHaveLength(2);
    expect(closes).toEqual([{ by: "codex", detail: "codex ended its output" }]);
  });

  it("ends when its transport is closed", async () => {
    const { child, transport } = start("exec cat");
    transport.close();
    expect(await once(child, "exit")).toEqual([0, null]);
  });
});
