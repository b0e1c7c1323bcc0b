// How codex is told to listen, and how its address is learned.

import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../clock";
import type { SocketAddress } from "../codex/webSocketTransport";
import { Fault } from "../fault";
import { readLogTail } from "./logTail";

export type Channel =
  | { kind: "socket"; address: SocketAddress }
  /** A loopback port that codex chooses, protected by a token in a private file. */
  | { kind: "loopback"; token: string; tokenFile: string }
  | { kind: "stdio" };

export function listenArguments(
  kind: Channel["kind"],
  sockets: string,
  handleId: string,
): { channel: Channel; args: string[] } {
  const name = handleId.replaceAll("-", "").slice(0, 16);
  switch (kind) {
    case "socket": {
      const path = join(sockets, `${name}.sock`);
      return { channel: { kind, address: { kind: "unix", path } }, args: ["--listen", `unix://${path}`] };
    }
    case "loopback": {
      const token = randomBytes(32).toString("base64url");
      const tokenFile = join(sockets, `${name}.token`);
      writeFileSync(tokenFile, token, { mode: 0o600, flag: "wx" });
      const args = [
        "--listen",
        "ws://127.0.0.1:0",
        "--ws-auth",
        "capability-token",
        "--ws-token-file",
        tokenFile,
      ];
      return { channel: { kind, token, tokenFile }, args };
    }
    case "stdio":
      return { channel: { kind }, args: [] };
    default:
      return kind satisfies never;
  }
}

const lookEveryMs = 25;

/** codex prints the port that it got. Rejects with a Fault at the deadline, or with the signal's reason. */
export function loopbackPort(
  logPath: string,
  options: { clock: Clock; signal: AbortSignal; deadlineMs: number },
): Promise<number> {
  const { clock, signal, deadlineMs } = options;
  const untilMs = clock.nowMs() + deadlineMs;
  return new Promise((resolve, reject) => {
    const look = () => {
      if (signal.aborted) return reject(signal.reason);
      const port = /ws:\/\/127\.0\.0\.1:(\d+)/.exec(readLogTail(logPath))?.[1];
      if (port !== undefined) return resolve(Number(port));
      if (clock.nowMs() >= untilMs) {
        return reject(
          new Fault("connect_timeout", "codex did not say in time where it listens.", { retryable: true }),
        );
      }
      clock.after(lookEveryMs, look);
    };
    look();
  });
}
