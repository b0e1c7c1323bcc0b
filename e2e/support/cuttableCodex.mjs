#!/usr/bin/env node
// The real codex behind a socket that can be cut: codex listens on P.real, and this program passes what comes at P through
// to it, byte by byte. Told so at P.control, it breaks every connection and takes P away ("cut"), or is there again ("mend");
// both are answered with "done" once they are. What is not about listening is codex's own.
//
// Race: a connection is being made while it is cut: it is among the sockets that are broken from the moment it was taken.

import { spawn } from "node:child_process";
import { chmodSync, existsSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";

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
  answerOrders(`${path}.control`, { cut: () => proxy.cut(), mend: () => proxy.mend(path) });
}

/** @param {string} target */
function passThrough(target) {
  /** @type {Set<import("node:net").Socket>} */
  const sockets = new Set();
  const server = createServer((near) => {
    const far = connect(target);
    for (const [one, other] of /** @type {const} */ ([
      [near, far],
      [far, near],
    ])) {
      sockets.add(one);
      one.on("error", () => other.destroy());
      one.once("close", () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  return {
    /** @returns {Promise<void>} */
    cut: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
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
 * @param {Record<string, () => Promise<void>>} orders
 */
function answerOrders(at, orders) {
  createServer((socket) => {
    socket.setEncoding("utf8").on("data", async (/** @type {string} */ order) => {
      await orders[order.trim()]?.();
      socket.end("done");
    });
  }).listen(at);
}

/** @param {string} file */
async function untilThere(file) {
  while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 5));
}
