// Random histories of a codex that streams: over a real socket, with gulps and with pieces told as one, they come to what codex
// has said, in its order; and a line that ends in the middle has told a beginning of it.

import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate, setTimeout } from "node:timers/promises";
import fc from "fast-check";
import { expect, it } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { systemClock } from "../clock";
import { silentLog } from "../log";
import { openRpcClient } from "./rpcClient";
import { connectWebSocket } from "./webSocketTransport";

const said = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("piece"),
      item: fc.constantFrom("a", "b"),
      length: fc.constantFrom(0, 1, 7, 9_000),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("event", "ask", "answer") }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("pause"), ms: fc.constantFrom(0, 1, 3, 9, 12) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("large"), bytes: fc.constantFrom(70_000, 3_000_000) }),
  },
);
type Said = { kind: string; item?: string; length?: number; ms?: number; bytes?: number };
const endings = fc.constantFrom("closes", "ends the line", "cuts the line", "is closed by us");

/** What there was of each text when something else was told. */
class Story {
  readonly told: string[] = [];
  #texts: Record<string, number> = {};
  piece(item: string, length: number): void {
    this.#texts[item] = (this.#texts[item] ?? 0) + length;
  }
  tell(what: string): void {
    this.told.push(`${what} a${this.#texts.a ?? 0} b${this.#texts.b ?? 0}`);
  }
}

async function play(history: readonly Said[], ending: string): Promise<void> {
  const path = join(tmpdir(), `hf-${randomUUID().slice(0, 8)}.sock`);
  const http = createServer().listen(path);
  const server = new WebSocketServer({ server: http });
  await once(http, "listening");
  const peer: Promise<WebSocket> = once(server, "connection").then(([socket]) => socket);
  const heard = new Story();
  const expected = new Story();
  let closed = () => {};
  const over = new Promise<void>((resolve) => (closed = resolve));
  const client = await openRpcClient(
    (handlers) => connectWebSocket({ kind: "unix", path }, handlers, { clock: systemClock }),
    {
      clock: systemClock,
      log: silentLog,
      random: Math.random,
      atEndOfRead: queueMicrotask,
      onNotification: (method, params) => {
        const { itemId = "", delta = "" } = params as { itemId?: string; delta?: string };
        if (method === "item/agentMessage/delta") heard.piece(itemId, delta.length);
        else heard.tell(method);
      },
      onRequest: ({ id }) => {
        heard.tell(`asks ${id}`);
        return client.respond(id, {}) || true;
      },
      onClosed: () => closed(),
    },
  );
  const codex = await peer;
  const asked: number[] = [];
  codex.on("message", (data) => {
    const { id, method } = JSON.parse(String(data));
    if (method) asked.push(id);
  });
  codex.on("error", () => {});
  const send = (message: object) => codex.send(JSON.stringify(message));
  let count = 0;
  for (const { kind, item = "", length = 0, ms = 0, bytes = 0 } of history) {
    count += 1;
    if (kind === "pause") await (ms === 0 ? setImmediate() : setTimeout(ms));
    else if (kind === "piece") {
      expected.piece(item, length);
      send({
        method: "item/agentMessage/delta",
        params: { threadId: "t", itemId: item, delta: "x".repeat(length) },
      });
    } else if (kind === "ask") {
      expected.tell(`asks ${count}`);
      send({ id: count, method: "item/tool/requestUserInput", params: {} });
    } else if (kind === "answer") {
      const name = `answer ${count}`;
      const asks = asked.length;
      client.requestUntyped("thread/list", {}, { onAnswer: () => heard.tell(name) }).catch(() => {});
      while (asked.length === asks) await setImmediate();
      expected.tell(name);
      send({ id: asked.at(-1), result: {} });
    } else {
      expected.tell("turn/completed");
      send({ method: "turn/completed", params: { large: "y".repeat(bytes) } });
    }
  }
  if (ending === "closes") codex.close(1000);
  else if (ending === "ends the line") (codex as unknown as { _socket: { end(): void } })._socket.end();
  else if (ending === "cuts the line") codex.terminate();
  else client.close();
  await over;
  const whole = ending === "closes" || ending === "ends the line";
  expect(heard.told).toEqual(whole ? expected.told : expected.told.slice(0, heard.told.length));
  codex.terminate();
  server.close();
  await new Promise((resolve) => http.close(resolve));
}

it("come to what codex has said", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(said, { minLength: 5, maxLength: 60 }), endings, (history, ending) =>
      play(history as Said[], ending),
    ),
    { numRuns: 40 },
  );
});
