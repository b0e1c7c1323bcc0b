// How the fake is reached, like the real binary: newline-delimited JSON over stdio, or a WebSocket with one message a text
// frame on a unix socket that only its user may use. Over stdio the end of input is the end of the process.

/** @import { Connection } from "./fakeTypes" */

import { chmodSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { WebSocketServer } from "ws";

const maxPayloadBytes = 512 * 1024 * 1024;

/**
 * Resolves when the fake can be reached. Whoever gets a connection sets its `onText` and `onClosed`.
 * @param {string} address
 * @param {(connection: Connection) => void} onConnection
 * @param {() => void} onInputEnd
 * @returns {Promise<void>}
 */
export async function listen(address, onConnection, onInputEnd) {
  if (address === "stdio://") return listenOnStdio(onConnection, onInputEnd);
  if (address.startsWith("unix://")) return listenOnSocket(address.slice("unix://".length), onConnection);
  throw new Error(`The fake codex cannot listen on ${address}`);
}

/** @param {(connection: Connection) => void} onConnection @param {() => void} onInputEnd */
function listenOnStdio(onConnection, onInputEnd) {
  /** @type {Connection} */
  const connection = {
    send: (text) => process.stdout.write(`${text}\n`),
    drop: () => process.stdout.destroy(),
    onText: () => {},
    onClosed: () => {},
  };
  // Whoever read our output has gone; the end of input follows.
  process.stdout.on("error", () => {});
  onConnection(connection);
  let rest = "";
  process.stdin.setEncoding("utf8");
  process.stdin.on("data", (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim() !== "") connection.onText(line);
  });
  process.stdin.on("close", () => {
    connection.onClosed();
    onInputEnd();
  });
}

/** @param {string} path @param {(connection: Connection) => void} onConnection @returns {Promise<void>} */
function listenOnSocket(path, onConnection) {
  const server = createServer();
  const sockets = new WebSocketServer({ server, perMessageDeflate: false, maxPayload: maxPayloadBytes });
  sockets.on("connection", (socket) => {
    /** @type {Connection} */
    const connection = {
      send: (text) => {
        if (socket.readyState === socket.OPEN) socket.send(text);
      },
      drop: () => socket.terminate(),
      onText: () => {},
      onClosed: () => {},
    };
    // A socket that breaks is seen as its close.
    socket.on("error", () => {});
    socket.on("message", (data) => connection.onText(String(data)));
    socket.on("close", () => connection.onClosed());
    onConnection(connection);
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, () => {
      chmodSync(path, 0o600);
      // Like the real one: removed when it ends in order, left behind when it is killed.
      process.on("exit", () => rmSync(path, { force: true }));
      resolve();
    });
  });
}
