#!/usr/bin/env node
// The real codex behind a socket that can be cut: codex listens on P.real, and this program passes what comes at P through
// to it, byte by byte. Told so at P.control, it breaks every connection and takes P away ("cut"), or is there again ("mend");
// both are answered with "done" once they are. Two more are answered at once and cut by themselves, the next time that this
// method is asked for: "cut-at-request METHOD" before codex has the request, "cut-at-answer METHOD" after codex has answered
// it and before anybody hears of that. What is not about listening is codex's own.
//
// Race: a connection is being made while it is cut: it is among the sockets that are broken from the moment it was taken.

import { spawn } from "node:child_process";
import { chmodSync, existsSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { frameReader } from "./webSocketFrames.mjs";

const real = process.env.CUTTABLE_REAL_CODEX ?? "";
const args = process.argv.slice(2);
const address = args.find((argument) => argument.startsWith("unix://"));
const path = address?.slice("unix://".length);
const codex = spawn(
  real,
  args.map((argument) => (argument === address ? `${argument}.real` : argument)),
  { stdio: "inherit" },
);

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
  const proxy = passThrough(`${path}.real`);
  await untilThere(`${path}.real`);
  await proxy.mend(path);
  answerOrders(`${path}.control`, {
    cut: () => proxy.cut(),
    mend: () => proxy.mend(path),
    "cut-at-request": async (method) => proxy.cutAt({ method, what: "request" }),
    "cut-at-answer": async (method) => proxy.cutAt({ method, what: "answer" }),
  });
}

/** @param {string} target */
function passThrough(target) {
  /** @type {Set<import("node:net").Socket>} */
  const sockets = new Set();
  /** @type {{ method: string, what: "request" | "answer" } | null} */
  let awaited = null;
  const cut = () =>
    new Promise((/** @type {(value: void) => void} */ resolve) => {
      awaited = null;
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  const server = createServer((near) => {
    const far = connect(target);
    /** @type {unknown} The id of the request whose answer is not to come through. */
    let cutAtId = null;
    const fromNear = frameReader((message) => {
      if (message.method === undefined || message.method !== awaited?.method) return "pass";
      if (awaited.what === "request") return "cut";
      cutAtId = message.id;
      return "pass";
    });
    const fromFar = frameReader((message) =>
      cutAtId !== null && message.id === cutAtId && message.method === undefined ? "cut" : "pass",
    );
    for (const [one, other, read] of /** @type {const} */ ([
      [near, far, fromNear],
      [far, near, fromFar],
    ])) {
      sockets.add(one);
      one.on("error", () => other.destroy());
      one.once("close", () => {
        sockets.delete(one);
        other.destroy();
      });
      // Heard before it is passed on: what it says is not passed on any more once all is cut.
      one.on("data", (bytes) => {
        if (read(bytes) === "cut") void cut();
        else other.write(bytes);
      });
      one.once("end", () => other.end());
    }
  });
  return {
    cut,
    /** @param {{ method: string, what: "request" | "answer" }} at */
    cutAt(at) {
      awaited = at;
    },
    /** @param {string} at @returns {Promise<void>} */
    mend: (at) =>
      new Promise((resolve) => {
        server.listen(at, () => {
          chmodSync(at, 0o600);
          resolve();
        });
      }),
  };
}

/**
 * @param {string} at
 * @param {Record<string, (argument: string) => Promise<void>>} orders
 */
function answerOrders(at, orders) {
  createServer((socket) => {
    socket.setEncoding("utf8").on("data", async (/** @type {string} */ order) => {
      const [name = "", argument = ""] = order.trim().split(" ");
      await orders[name]?.(argument);
      socket.end("done");
    });
  }).listen(at);
}

/** @param {string} file */
async function untilThere(file) {
  while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 5));
}
