// How codex is told to listen, how its address is learned, and how both are kept on record.

import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../clock";
import type { SocketAddress } from "../codex/webSocketTransport";
import { Fault } from "../fault";
import type { HandleChannel } from "../ledger/handlesLedger";
import { readLogHead } from "./logTail";

export type Channel =
  | { kind: "socket"; address: Extract<SocketAddress, { kind: "unix" }> }
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

export function channelOnRecord(channel: Channel): HandleChannel {
  switch (channel.kind) {
    case "socket":
      return { kind: "socket", path: channel.address.path };
    case "loopback":
      return { kind: "loopback", tokenFile: channel.tokenFile };
    case "stdio":
      return { kind: "stdio" };
    default:
      return channel satisfies never;
  }
}

/** A token that cannot be read any more is empty: codex refuses it, and the process is ended like one that hangs. */
export function recordedChannel(record: HandleChannel): Channel {
  switch (record.kind) {
    case "socket":
      return { kind: "socket", address: { kind: "unix", path: record.path } };
    case "loopback":
      return { kind: "loopback", token: readToken(record.tokenFile), tokenFile: record.tokenFile };
    case "stdio":
      return { kind: "stdio" };
    default:
      return record satisfies never;
  }
}

function readToken(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    // See above.
    return "";
  }
}

const lookEveryMs = 25;

/** The port that codex says it listens on; null when it has not said so yet. */
export function portInLog(logPath: string): number | null {
  const port = /ws:\/\/127\.0\.0\.1:(\d+)/.exec(readLogHead(logPath))?.[1];
  return port === undefined ? null : Number(port);
}

/** codex prints the port that it got when it starts. Rejects with a Fault at the deadline, or with the signal's reason. */
export function loopbackPort(
  logPath: string,
  options: { clock: Clock; signal: AbortSignal; deadlineMs: number },
): Promise<number> {
  const { clock, signal, deadlineMs } = options;
  const untilMs = clock.nowMs() + deadlineMs;
  return new Promise((resolve, reject) => {
    const look = () => {
      if (signal.aborted) return reject(signal.reason);
      const port = portInLog(logPath);
      if (port !== null) return resolve(port);
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
