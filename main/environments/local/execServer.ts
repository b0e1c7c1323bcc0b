// One `codex exec-server` of this machine, as a process that Holdfast supervises: reached over a loopback port that it chooses,
// with a token that only this user can read. Holdfast keeps one connection of its own to it, over which nothing is asked: it
// shows that the exec-server answers, and its loss that something has happened. Whoever uses the environment has others.
//
// Races: those of every process that is owned (ownedProcess.ts).

import { connectWebSocket } from "../../codex/webSocketTransport";
import { Fault } from "../../fault";
import type { Connection } from "../../supervisor/connection";
import { loopbackPort } from "../../supervisor/listening";
import { type OwnedContext, type OwnedFacts, OwnedProcess } from "../../supervisor/ownedProcess";
import type { ConnectionEvents, SessionProcess } from "../../supervisor/supervisedSession";
import { type ConnectExecutor, openExecutor } from "../client/executorConnection";
import type { ExecutorTarget } from "../client/executorTarget";
import { Secret } from "../client/secret";

export interface ExecServerContext extends OwnedContext {
  /** Holdfast's home: everything that it starts carries it. */
  owner: string;
  /** It has been spawned and is on record, or was found again. */
  onStarted(server: LocalServer): void;
}

/** An exec-server, as whoever supervises it needs it. */
export interface LocalServer extends SessionProcess {
  readonly facts: ExecServerFacts;
  /** Where it listens; null until it has answered. */
  readonly target: ExecutorTarget | null;
  /** To be called when there is a reason to doubt that it lives. */
  noticeDeath(): void;
}

export interface ExecServerFacts extends OwnedFacts {
  environmentId: string;
}

export const execServerName = "codex exec-server";

const startDeadlineMs = 30_000;
/** A process that has been up already answers soon, or does not work any more. */
const adoptDeadlineMs = 10_000;

/** No keep-alive: on this machine a connection does not die without a word. */
const connectLocally: ConnectExecutor = (place, handlers, options) =>
  connectWebSocket({ kind: "url", ...place }, handlers, options);

export class ExecServer extends OwnedProcess<ExecServerFacts> implements LocalServer {
  protected readonly program = execServerName;
  readonly #context: ExecServerContext;
  #target: ExecutorTarget | null = null;
  #closeConnection: () => void = () => {};

  constructor(context: ExecServerContext, facts: ExecServerFacts) {
    super(context, facts);
    this.#context = context;
  }

  get target(): ExecutorTarget | null {
    return this.#target;
  }

  connect(events: ConnectionEvents): Promise<{ connection: Connection; close(): void }> {
    return this.whileItLives(async (signal) => {
      const { clock, log } = this.#context;
      const target = await this.#findTarget(signal);
      const { client, info } = await openExecutor(target, {
        clock,
        log,
        random: Math.random,
        credentials: { get: async () => null },
        connect: connectLocally,
        signal,
        resumeSessionId: null,
        onNotification: events.notification,
        onClosed: (reason) => {
          const detail = reason.by === "holdfast" ? "Holdfast closed it." : reason.detail;
          events.closed(
            new Fault("connection_lost", "The connection to the exec-server was lost.", {
              detail,
              retryable: true,
            }),
          );
          this.noticeDeath();
        },
      });
      this.#target = target;
      this.#closeConnection = () => client.close();
      this.phase = "running";
      const { handleId, leader, startedAtMs } = this.facts;
      const facts = {
        handleId,
        pid: leader?.pid ?? 0,
        codexVersion: info?.version ?? "unknown",
        // It does not say it.
        codexHome: "",
        startedAtMs,
        endsWithApp: false,
      };
      return { connection: { handleId, client, facts }, close: () => client.close() };
    });
  }

  protected closeConnection(): void {
    this.#closeConnection();
  }

  /** Its launch makes nothing but files, which go with it. */
  protected async tearDown(): Promise<void> {}

  async #findTarget(signal: AbortSignal): Promise<ExecutorTarget> {
    const { child, channel, logPath, handleId } = this.facts;
    if (channel.kind !== "loopback") {
      throw new Fault("no_address", "It is not on record where the exec-server listens.");
    }
    const deadlineMs = child ? startDeadlineMs : adoptDeadlineMs;
    const port = await loopbackPort(logPath, { clock: this.#context.clock, signal, deadlineMs });
    return {
      url: `ws://127.0.0.1:${port}`,
      // Another process is another executor.
      identity: handleId,
      registration: handleId,
      credential: { kind: "token", token: new Secret(channel.token) },
    };
  }
}
