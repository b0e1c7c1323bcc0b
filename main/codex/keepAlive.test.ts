import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { ManualClock } from "../clock";
import type { Transport, TransportClosed } from "./transport";
import { connectWebSocket } from "./webSocketTransport";

let server: WebSocketServer;
let clock: ManualClock;

beforeEach(async () => {
  clock = new ManualClock();
});

afterEach(async () => {
  for (const client of server.clients) client.terminate();
  await new Promise((resolve) => server.close(resolve));
  // Our end closes a moment after the other one; then nothing of it is left.
  while (clock.pendingCount > 0) await new Promise((resolve) => setImmediate(resolve));
});

async function connected(autoPong: boolean) {
  server = new WebSocketServer({ port: 0, host: "127.0.0.1", autoPong });
  await once(server, "listening");
  const accepted = once(server, "connection") as Promise<[WebSocket]>;
  const heard: string[] = [];
  let closed: (reason: TransportClosed) => void = () => {};
  const closing = new Promise<TransportClosed>((resolve) => {
    closed = resolve;
  });
  const transport: Transport = await connectWebSocket(
    { kind: "url", url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`, token: null },
    { onMessage: (text) => heard.push(text), onClosed: (reason) => closed(reason) },
    { clock, keepAlive: { everyMs: 10_000, patienceMs: 5_000 } },
  );
  const [other] = await accepted;
  return { transport, other, heard, closing };
}

it("the other end does not answer: the connection is lost", async () => {
  const { other, closing } = await connected(false);
  const asked = once(other, "ping");
  clock.advance(10_000);
  await asked;
  clock.advance(5_000);
  await expect(closing).resolves.toMatchObject({
    by: "failure",
    detail: "the connection broke: nothing was heard for 5 s",
  });
});

it("anything that comes is an answer", async () => {
  const { transport, other, heard, closing } = await connected(false);
  for (const text of ["a", "b", "c"]) {
    const asked = once(other, "ping");
    clock.advance(10_000);
    await asked;
    other.send(text);
    while (heard.at(-1) !== text) await new Promise((resolve) => setImmediate(resolve));
    clock.advance(5_000);
  }
  transport.close();
  await expect(closing).resolves.toEqual({ by: "holdfast" });
  await once(other, "close");
});

it("it ends with the connection", async () => {
  const { transport, other } = await connected(true);
  transport.close();
  await once(other, "close");
});
