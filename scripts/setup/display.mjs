// A display for machines that have none: an Xvfb of our own, which ends when we do, however that happens.
//
// The server picks its number itself and tells it through a pipe, so no other server can be in the way. It is started by
// a shell that waits for the end of its input, which is a pipe from us: when we end, even by SIGKILL, the pipe closes and
// the shell ends the server by its process id. Both are in a process session of their own, so that Ctrl-C in a terminal
// reaches the app first and the display goes after it. Only who can read the private authority file can connect.

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { SetupError } from "./report.mjs";

const startTimeoutMs = 20_000;
const endTimeoutMs = 5_000;

/**
 * First argument: the folder of the authority file. The others are the server's. The shell says nothing itself: when we
 * have gone, saying something would end it by SIGPIPE before it has cleared up.
 */
const keeper = `
folder=$1
shift
Xvfb "$@" </dev/null &
server=$!
exec 3>&- 2>/dev/null
cat >/dev/null
kill "$server"
wait "$server"
rm -rf "$folder"
`;

export function hasDisplay() {
  return process.platform !== "linux" || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/**
 * @typedef {object} Display
 * @property {Record<string, string>} env what a program needs to find it
 * @property {() => Promise<void>} close ends it and waits until it has gone
 */

/**
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<Display>}
 */
export async function openDisplay(env = process.env) {
  const folder = mkdtempSync(path.join(tmpdir(), "holdfast-display-"));
  const authority = path.join(folder, "authority");
  writeFileSync(authority, authorityFile(randomBytes(16)), { mode: 0o600 });
  const args = [
    "-displayfd",
    "3",
    "-screen",
    "0",
    "1600x1000x24",
    "-nolisten",
    "tcp",
    "-noreset",
    "-auth",
    authority,
  ];
  const child = spawn("/bin/sh", ["-c", keeper, "sh", folder, ...args], {
    env,
    detached: true,
    stdio: ["pipe", "ignore", "pipe", "pipe"],
  });
  let complaint = "";
  child.stderr?.setEncoding("utf8").on("data", (text) => {
    complaint = (complaint + text).slice(-10_000);
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const close = async () => {
    child.stdin?.end();
    const late = setTimeout(() => child.pid && process.kill(-child.pid, "SIGKILL"), endTimeoutMs);
    await ended;
    clearTimeout(late);
  };
  const number = await numberFrom(/** @type {import("node:stream").Readable} */ (child.stdio[3]), child);
  if (number === undefined) {
    await close();
    throw new SetupError("Xvfb could not be started, and this machine has no display.", {
      detail: complaint,
    });
  }
  return { env: { DISPLAY: `:${number}`, XAUTHORITY: authority }, close };
}

/**
 * @param {import("node:stream").Readable} pipe
 * @param {import("node:child_process").ChildProcess} child
 * @returns {Promise<string | undefined>} undefined when the server ended, or said nothing in time
 */
function numberFrom(pipe, child) {
  return new Promise((resolve) => {
    let text = "";
    const timer = setTimeout(() => resolve(undefined), startTimeoutMs);
    const settle = (/** @type {string | undefined} */ number) => {
      clearTimeout(timer);
      resolve(number);
    };
    pipe.setEncoding("utf8").on("data", (more) => {
      text += more;
      const number = /^(\d+)\n/.exec(text)?.[1];
      if (number !== undefined) settle(number);
    });
    pipe.once("close", () => settle(undefined));
    child.once("error", () => settle(undefined));
  });
}

/**
 * One entry of the X authority format: valid for any address and any display number.
 * @param {Buffer} cookie
 */
function authorityFile(cookie) {
  const anyAddress = 0xffff;
  /** @param {Buffer} content */
  const counted = (content) => Buffer.concat([uint16(content.length), content]);
  const nothing = Buffer.alloc(0);
  const scheme = Buffer.from("MIT-MAGIC-COOKIE-1");
  return Buffer.concat([uint16(anyAddress), ...[nothing, nothing, scheme, cookie].map(counted)]);
}

/** @param {number} value */
function uint16(value) {
  const buffer = Buffer.alloc(2);
  buffer.writeUInt16BE(value);
  return buffer;
}
