import { EventEmitter, once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { ManualClock } from "../clock";
import { gulpMs, gulpOptions, readInGulps } from "./gulps";

describe("a line", () => {
  class TestLine extends EventEmitter {
    isPaused = false;
    pause(): void {
      this.isPaused = true;
    }
    resume(): void {
      this.isPaused = false;
    }
    comes(bytes: number): void {
      this.emit("data", { length: bytes });
    }
  }

  let clock: ManualClock;
  let line: TestLine;

  beforeEach(() => {
    clock = new ManualClock();
    line = new TestLine();
    readInGulps(line, line, clock);
  });

  it("is read at once where something comes alone, and so is what comes after it", () => {
    for (let count = 0; count < 5; count += 1) {
      line.comes(100);
      expect(line.isPaused).toBe(false);
      clock.advance(gulpMs + 1);
    }
    expect(clock.pendingCount).toBe(0);
  });

  it("is held for a gulp where something comes close behind, again and again", () => {
    line.comes(100);
    for (let gulp = 0; gulp < 5; gulp += 1) {
      line.comes(100);
      expect(line.isPaused).toBe(true);
      clock.advance(gulpMs - 1);
      expect(line.isPaused).toBe(true);
      clock.advance(1);
      expect(line.isPaused).toBe(false);
    }
  });

  it("is read on where much comes at once", () => {
    line.comes(64 * 1024);
    line.comes(64 * 1024);
    expect(line.isPaused).toBe(false);
    line.comes(10);
    expect(line.isPaused).toBe(true);
  });

  it("leaves nothing when it closes while it is held", () => {
    line.comes(100);
    line.comes(100);
    line.emit("close");
    expect(clock.pendingCount).toBe(0);
  });
});

describe.skipIf(process.platform === "win32")("a WebSocket that is read in gulps", () => {
  async function connected() {
    const folder = await mkdtemp(join(tmpdir(), "holdfast-gulps-"));
    const path = join(folder, "s");
    const http = createServer();
    const sockets = new WebSocketServer({ server: http });
    http.listen(path);
    await once(http, "listening");
    const line = connect({ path, ...gulpOptions });
    const client = new WebSocket("ws://localhost/", { createConnection: () => line });
    const [[server]] = (await Promise.all([once(sockets, "connection"), once(client, "open")])) as [
      [WebSocket],
      unknown,
    ];
    onTestFinished(async () => {
      client.terminate();
      server.terminate();
      sockets.close();
      await new Promise((resolve) => http.close(resolve));
      await rm(folder, { recursive: true });
    });
    const heard: string[] = [];
    client.on("message", (data) => heard.push(String(data)));
    return { line, client, server, heard };
  }

  /** Both ends are of this process: what was sent has come when the loop has gone round. */
  async function says(server: WebSocket, text: string): Promise<void> {
    await new Promise<void>((resolve, reject) =>
      server.send(text, (error) => (error ? reject(error) : resolve())),
    );
    await setImmediate();
    await setImmediate();
  }

  it("is not read at all while it is held, but for one piece, and then all at once", async () => {
    const { line, client, server, heard } = await connected();
    const clock = new ManualClock();
    readInGulps(client, line, clock);
    await says(server, "0");
    await says(server, "1");
    expect(heard).toEqual(["0", "1"]);
    await says(server, "2");
    const readBefore = line.bytesRead;
    let reads = 0;
    line.on("data", () => {
      reads += 1;
    });
    for (let count = 3; count < 50; count += 1) await says(server, `${count}`);
    expect(line.bytesRead).toBe(readBefore);
    expect(heard).toEqual(["0", "1"]);
    for (let gulp = 0; gulp < 2; gulp += 1) {
      clock.advance(gulpMs);
      await setImmediate();
      await setImmediate();
    }
    expect(heard).toEqual(Array.from({ length: 50 }, (_, count) => `${count}`));
    expect(reads).toBe(2);
  });

  it("says all that came before it was cut", async () => {
    const { line, client, server, heard } = await connected();
    const clock = new ManualClock();
    readInGulps(client, line, clock);
    for (let count = 0; count < 5; count += 1) await says(server, `${count}`);
    server.close();
    const closed = once(client, "close");
    for (let gulp = 0; gulp < 4; gulp += 1) {
      clock.advance(gulpMs);
      await setImmediate();
      await setImmediate();
    }
    await closed;
    expect(heard).toEqual(["0", "1", "2", "3", "4"]);
    expect(clock.pendingCount).toBe(0);
  });
});
