// Asks one app-server whether a turn runs in it. The connection stays open between two questions: codex tells every client,
// subscribed to a thread or not, when a thread becomes active, so a turn that fits in between is seen as well. (Requests
// for approval go to subscribers only; should one come here all the same, it stays unanswered, which is no answer.)
//
// Races settled here:
// - The connection is lost: the next question makes a new one. Only when the process is not there any more, with this pid
//   and start time, is it dead.
// - It hangs, at whatever point: the whole question has one deadline, after which the connection is given up too.
// - A thread is unloaded between being listed and being read: codex refuses to read it. If no other one is active,
//   the question counts as unanswered; the next one does not come upon it.
// - It has not opened its socket yet: it does not answer, and is asked again like any other.
// - Its socket was removed while the connection to it goes on: nobody else can reach it any more. A turn is brought to its end; but
//   while a thread waits for a person, which then is for ever, it counts as idle.

import { readFile, stat } from "node:fs/promises";
import type { Clock } from "../../clock";
import { handshake } from "../../codex/handshake";
import type { ThreadLoadedListResponse } from "../../codex/protocol/v2/ThreadLoadedListResponse";
import { openRpcClient, type RpcClient } from "../../codex/rpcClient";
import { RpcFault } from "../../codex/rpcFault";
import { connectWebSocket, type SocketAddress } from "../../codex/webSocketTransport";
import { asFault, Fault } from "../../fault";
import type { Log } from "../../log";
import { leadsNowhere } from "../homeMark";
import { systemProcessTable } from "../processTree";
import type { Answer } from "./watchdogMachine";
import type { OwnedServer, ServerChannel } from "./watchdogMessages";

export interface InquiryOptions {
  clock: Clock;
  log: Log;
  /** A thread has become active. */
  onStirred(): void;
  deadlineMs?: number;
}

const usualDeadlineMs = 10_000;

export class ServerInquiry {
  readonly #server: OwnedServer;
  readonly #options: InquiryOptions;
  #client: RpcClient | null = null;

  constructor(server: OwnedServer, options: InquiryOptions) {
    this.#server = server;
    this.#options = options;
  }

  /** One at a time. Rejects only when the system's processes cannot be looked at. */
  async ask(): Promise<Answer> {
    const { clock, log, deadlineMs = usualDeadlineMs } = this.#options;
    const { handleId, pid, startTime } = this.#server;
    const cancel = new AbortController();
    const timer = clock.after(deadlineMs, () =>
      cancel.abort(new Fault("deadline", `codex did not answer within ${deadlineMs} ms.`)),
    );
    try {
      return await this.#question(cancel.signal);
    } catch (error) {
      const fault = asFault(error);
      this.close();
      if ((await systemProcessTable(clock).startTime(pid)) !== startTime) return "dead";
      log.warn("an app-server does not answer", { handleId, code: fault.code, message: fault.message });
      return "none";
    } finally {
      timer.cancel();
    }
  }

  /** Ends the connection; not while a question is under way. */
  close(): void {
    this.#client?.close();
    this.#client = null;
  }

  async #question(signal: AbortSignal): Promise<"busy" | "idle"> {
    const client = await this.#connected(signal);
    let cursor: string | null = null;
    let refused: RpcFault | null = null;
    let isAtWork = false;
    const isReachable = await canBeReached(this.#server.channel);
    do {
      const page: ThreadLoadedListResponse = await client.request(
        "thread/loaded/list",
        { cursor },
        { signal },
      );
      for (const threadId of page.data) {
        try {
          const params = { threadId, includeTurns: false };
          const { thread } = await client.request("thread/read", params, { signal });
          if (thread.status.type !== "active") continue;
          if (isReachable) return "busy";
          if (thread.status.activeFlags.length > 0) return "idle";
          isAtWork = true;
        } catch (error) {
          // Of this thread nothing is known; another one may still be active.
          if (!(error instanceof RpcFault)) throw error;
          refused = error;
        }
      }
      cursor = page.nextCursor;
    } while (cursor !== null);
    if (isAtWork) return "busy";
    if (refused) throw refused;
    return "idle";
  }

  async #connected(signal: AbortSignal): Promise<RpcClient> {
    if (this.#client?.isOpen) return this.#client;
    const { clock, log, onStirred, deadlineMs = usualDeadlineMs } = this.#options;
    const address = await addressOf(this.#server.channel);
    const client = await openRpcClient(
      (handlers) => connectWebSocket(address, handlers, { clock, signal, deadlineMs }),
      {
        clock,
        log,
        random: Math.random,
        onNotification: (method, params) => {
          if (method === "thread/status/changed" && isActive(params)) onStirred();
        },
        // Taken, and left to whoever adopts the server.
        onRequest: () => true,
        onClosed() {},
      },
    );
    this.#client = client;
    await handshake(client, { version: "watchdog", deadlineMs, signal });
    return client;
  }
}

/** By whoever comes. */
async function canBeReached(channel: ServerChannel): Promise<boolean> {
  if (channel.kind === "stdio") return false;
  try {
    // The path of a socket is a link of codex's, and what it leads to may be what was removed.
    await stat(channel.kind === "socket" ? channel.path : channel.tokenFile);
    return true;
  } catch (error) {
    return !leadsNowhere(error);
  }
}

async function addressOf(channel: ServerChannel): Promise<SocketAddress> {
  switch (channel.kind) {
    case "socket":
      return { kind: "unix", path: channel.path };
    case "loopback":
      if (channel.port === null) throw new Fault("no_address", "codex has not said where it listens.");
      return { kind: "loopback", port: channel.port, token: await readFile(channel.tokenFile, "utf8") };
    case "stdio":
      throw new Fault("no_address", "A codex on stdio has no address.");
    default:
      return channel satisfies never;
  }
}

function isActive(params: unknown): boolean {
  if (typeof params !== "object" || params === null || !("status" in params)) return false;
  const { status } = params;
  return typeof status === "object" && status !== null && "type" in status && status.type === "active";
}
