// One codex app-server: reached, and ended with what its launch has prepared. It was started by this run of Holdfast
// (codexLaunch.ts) or by an earlier one (recovery.ts). Its races are those of every process that is owned: ownedProcess.ts.

import { handshake } from "../codex/handshake";
import { openRpcClient, type RpcClient } from "../codex/rpcClient";
import { createStdioTransport } from "../codex/stdioTransport";
import type { Transport, TransportClosed, TransportHandlers } from "../codex/transport";
import { connectWhenReady } from "../codex/webSocketTransport";
import { Fault } from "../fault";
import type { Connection } from "./connection";
import { loopbackPort } from "./listening";
import { type OwnedContext, type OwnedFacts, OwnedProcess } from "./ownedProcess";
import type { ConnectionEvents, SessionProcess } from "./supervisedSession";

/** What every process needs of the rest. */
export interface ProcessContext extends OwnedContext {
  /** Holdfast's own version. */
  version: string;
  /** Its home: everything that it starts carries it. */
  owner: string;
  /** Closes a process on record: see cleanups.ts. Null: nothing is left of it. */
  close(process: CodexProcess): Promise<Fault | null>;
  /** Does what a launch owes, on record. Never rejects. */
  tearDown(handleId: string, profileId: string, owed: unknown): Promise<void>;
  /** It has been spawned and is on record; and again when it has been reached. */
  onStarted(process: CodexProcess): void;
}

export interface ProcessFacts extends OwnedFacts {
  workspaceId: string;
  profileId: string;
  /** What the launch profile has to undo; null: nothing. */
  teardown: unknown;
}

const startDeadlineMs = 30_000;
/** A process that has been up already answers soon, or does not work any more. */
const adoptDeadlineMs = 10_000;
const handshakeDeadlineMs = 20_000;

export class CodexProcess extends OwnedProcess<ProcessFacts> implements SessionProcess {
  protected readonly program = "codex";
  readonly #context: ProcessContext;
  #tornDown: Promise<void> | null = null;
  #client: RpcClient | null = null;

  constructor(context: ProcessContext, facts: ProcessFacts) {
    super(context, facts);
    this.#context = context;
  }

  connect(events: ConnectionEvents): Promise<{ connection: Connection; close(): void }> {
    return this.whileItLives(async (signal) => {
      const { clock, log, version } = this.#context;
      const client = await openRpcClient((handlers) => this.#open(handlers, signal), {
        clock,
        log,
        random: Math.random,
        // What one read brings is handed over at once; microtasks come right after that.
        atEndOfRead: queueMicrotask,
        onNotification: (method, params) => events.notification(method, params),
        onRequest: (request) => {
          events.request(request);
          return true;
        },
        onClosed: (reason) => {
          events.closed(closedFault(reason));
          this.noticeDeath();
        },
      });
      try {
        const deadlineMs = this.facts.child ? handshakeDeadlineMs : adoptDeadlineMs;
        const facts = await handshake(client, { version, deadlineMs, signal });
        this.#client = client;
        return { connection: this.#connected(client, facts), close: () => client.close() };
      } catch (error) {
        client.close();
        throw error;
      }
    });
  }

  /**
   * One more connection, for what belongs to a connection and is to go with it. What codex tells every client is not heard on it.
   * `closed` is called once, also when it was closed here. Rejects with Fault `one_connection_only` where there is no way for more.
   */
  beside(closed: (fault: Fault) => void): Promise<RpcClient> {
    if (this.facts.channel.kind === "stdio") {
      const fault = new Fault(
        "one_connection_only",
        "This codex can only be talked to over one connection.",
        {
          hint: "A newer codex listens on a socket, which takes more. Settings says which one is used.",
        },
      );
      return Promise.reject(fault);
    }
    return this.whileItLives(async (signal) => {
      const { clock, log, version } = this.#context;
      const client = await openRpcClient((handlers) => this.#open(handlers, signal), {
        clock,
        log,
        random: Math.random,
        onNotification() {},
        // For whoever shows the thread that it is about.
        onRequest: () => true,
        onClosed: (reason) => closed(closedFault(reason)),
      });
      try {
        await handshake(client, { version, deadlineMs: adoptDeadlineMs, signal });
        return client;
      } catch (error) {
        client.close();
        throw error;
      }
    });
  }

  protected closeConnection(): void {
    this.#client?.close();
  }

  protected tearDown(): Promise<void> {
    const { handleId, profileId, teardown } = this.facts;
    this.#tornDown ??= this.#context.tearDown(handleId, profileId, teardown);
    return this.#tornDown;
  }

  #connected(client: RpcClient, facts: { codexVersion: string | null; codexHome: string }): Connection {
    if (this.phase === "starting") this.#context.onStarted(this);
    this.phase = "running";
    this.rememberSocket();
    const { channel, handleId, leader, startedAtMs } = this.facts;
    return {
      handleId,
      client,
      facts: {
        handleId,
        pid: leader?.pid ?? 0,
        codexVersion: facts.codexVersion ?? "unknown",
        codexHome: facts.codexHome,
        startedAtMs,
        endsWithApp: channel.kind === "stdio",
      },
    };
  }

  async #open(handlers: TransportHandlers, signal: AbortSignal): Promise<Transport> {
    const { channel, child, logPath } = this.facts;
    const { clock, log } = this.#context;
    if (channel.kind === "stdio") {
      if (!child?.stdin || !child.stdout) {
        throw new Fault("codex_not_startable", "codex has no input or output.");
      }
      return createStdioTransport({ stdin: child.stdin, stdout: child.stdout }, handlers, log);
    }
    const options = { clock, signal, deadlineMs: child ? startDeadlineMs : adoptDeadlineMs };
    if (channel.kind === "socket") return connectWhenReady(channel.address, handlers, options);
    const port = await loopbackPort(logPath, options);
    return connectWhenReady({ kind: "loopback", port, token: channel.token }, handlers, options);
  }
}

function closedFault(reason: TransportClosed): Fault {
  const detail = reason.by === "holdfast" ? "Holdfast closed it." : reason.detail;
  return new Fault("connection_lost", "The connection to codex was lost.", { detail, retryable: true });
}
