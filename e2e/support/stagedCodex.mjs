#!/usr/bin/env node
// The real codex behind a socket at which one moment can be staged: Holdfast asks for a thread just when codex unloads it. codex
// listens on P.real, and this program passes the messages that come at P on to it. After the order "stage" at P.control, the next
// thread/resume waits until the thread has been loaded over the same connection; then it is passed on right behind the word
// that leaves the thread again, so that codex reads both at once. The order "refusals" is answered with how often codex has
// said that a thread is closing. codex is to be configured to unload at once. What is not about listening is codex's own.

import { spawn } from "node:child_process";
import { chmodSync, existsSync, rmSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import WebSocket, { WebSocketServer } from "ws";

const real = process.env.STAGED_REAL_CODEX ?? "";
const args = process.argv.slice(2);
const address = args.find((argument) => argument.startsWith("unix://"));
const path = address?.slice("unix://".length);
const codex = spawn(
  real,
  args.map((argument) => (argument === address ? `${argument}.real` : argument)),
  { stdio: "inherit" },
);
let isStaged = false;
let refusals = 0;

process.on("SIGTERM", () => codex.kill("SIGTERM"));
codex.once("error", (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(127);
});
codex.once("exit", (code, signal) => {
  if (path !== undefined) {
    for (const ending of ["", ".real", ".control"]) rmSync(path + ending, { force: true });
  }
  if (signal === null) process.exit(code ?? 1);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});

if (path !== undefined) {
  while (!existsSync(`${path}.real`)) await new Promise((resolve) => setTimeout(resolve, 5));
  const http = createHttpServer();
  new WebSocketServer({ server: http, maxPayload: 0, perMessageDeflate: false }).on("connection", passOn);
  http.listen(path, () => chmodSync(path, 0o600));
  createServer((socket) => {
    socket.setEncoding("utf8").on("data", (/** @type {string} */ order) => {
      if (order.trim() === "stage") isStaged = true;
      socket.end(`${refusals}`);
    });
  }).listen(`${path}.control`);
}

/** @param {WebSocket} near */
function passOn(near) {
  const far = new WebSocket(`ws+unix://${path}.real:/`, { maxPayload: 0, perMessageDeflate: false });
  /** What this program has asked for itself, by id. @type {Map<string, () => void>} */
  const own = new Map();
  /** In the order of the wire, whatever one of them waits for. @type {Promise<unknown>} */
  let sending = new Promise((resolve) => far.once("open", resolve));
  /** @param {string} method @param {object} params */
  const ask = (method, params) =>
    new Promise((resolve) => {
      const id = `staged ${method}`;
      own.set(id, () => resolve(null));
      far.send(JSON.stringify({ id, method, params }));
    });
  near.on("message", (data) => {
    const text = data.toString();
    sending = sending.then(async () => {
      if (isStaged && text.includes('"thread/resume"')) {
        isStaged = false;
        const { threadId } = JSON.parse(text).params;
        await ask("thread/resume", { threadId, excludeTurns: true });
        void ask("thread/unsubscribe", { threadId });
      }
      far.send(text);
    });
  });
  far.on("message", (data) => {
    const text = data.toString();
    if (text.includes("is closing; retry")) refusals += 1;
    const asked = text.includes('"staged ') ? own.get(JSON.parse(text).id) : undefined;
    if (asked) asked();
    else near.send(text);
  });
  far.on("error", () => near.terminate());
  near.on("error", () => far.terminate());
  far.once("close", () => near.close());
  near.once("close", () => far.close());
}
