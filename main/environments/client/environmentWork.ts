// What takes time in connecting to an environment: asking the registry, connecting, resuming. Each of them has a number, can be
// cancelled by it, and tells what came of it with that number.
//
// Races settled here:
// - It is cancelled: nothing of it is told, and a connection that it has made, or still makes, is closed. Cancelling after the
//   end of it is nothing.
// - The connection is lost between the moment it was made and the moment it is told: what is told is the failure.
// - The session ends while it is being resumed: that cancels the resumption, and with it whatever is still being read.

import type { Clock } from "../../clock";
import type { RpcClient } from "../../codex/rpcClient";
import { internalErrorCode, overloadedCode, RpcFault } from "../../codex/rpcFault";
import type { TransportClosed } from "../../codex/transport";
import { asFault, Fault } from "../../fault";
import type { Log } from "../../log";
import { lookUpWithin, type Registry } from "../registries/registry";
import { DisconnectedFault } from "./disconnected";
import type { EnvironmentEvent, ResumeVerdict } from "./environmentState";
import {
  type ConnectExecutor,
  type Credentials,
  type ExecutorConnection,
  openExecutor,
} from "./executorConnection";
import { stillAttachedCode, unknownSessionWords } from "./executorProtocol";
import { ExecutorSession } from "./executorSession";
import type { ExecutorTarget } from "./executorTarget";
import type { EnvironmentRecords } from "./records";

export interface EnvironmentWorkOptions {
  environmentId: string;
  clock: Clock;
  log: Log;
  random: () => number;
  /** Asked for at each lookup, so that what the person changes holds for the next one. */
  registry(): Registry;
  credentials: Credentials;
  connect: ConnectExecutor;
  records: EnvironmentRecords;
}

/** The executor's answer may be better in a moment. Any other refusal of a session is its last word. */
export const passingCodes = [stillAttachedCode, overloadedCode, internalErrorCode];

export class EnvironmentWork {
  readonly #options: EnvironmentWorkOptions;
  readonly #tell: (event: EnvironmentEvent) => void;
  readonly #running = new Map<number, AbortController>();
  readonly #resumed = new Map<number, RpcClient>();

  constructor(options: EnvironmentWorkOptions, tell: (event: EnvironmentEvent) => void) {
    this.#options = options;
    this.#tell = tell;
  }

  cancel(id: number): void {
    this.#running.get(id)?.abort(new DisconnectedFault("superseded"));
    this.#running.delete(id);
  }

  async lookUp(lookup: number, resuming: string | null): Promise<void> {
    const { registry, clock } = this.#options;
    const { signal } = this.#begin(lookup);
    try {
      const target = await lookUpWithin(registry(), clock, signal, resuming);
      if (this.#finish(lookup)) this.#tell({ type: "found", lookup, target });
    } catch (error) {
      if (this.#finish(lookup)) this.#tell({ type: "notFound", lookup, fault: asFault(error) });
    }
  }

  /** `made` takes the session right before it is told that it is connected. */
  async connect(
    attempt: number,
    target: ExecutorTarget,
    made: (session: ExecutorSession) => void,
  ): Promise<void> {
    const { signal } = this.#begin(attempt);
    let session: ExecutorSession | null = null;
    let connection: ExecutorConnection;
    try {
      connection = await this.#open(target, signal, {
        resumeSessionId: null,
        onNotification: (method, params) => session?.receive(method, params),
        onClosed: (reason) => this.#lost(attempt, attempt, reason),
      });
    } catch (error) {
      if (this.#finish(attempt)) this.#tell({ type: "connectFailed", attempt, fault: asFault(error) });
      return;
    }
    const { client } = connection;
    if (!this.#finish(attempt)) {
      client.close();
      return;
    }
    try {
      if (!client.isOpen) throw new DisconnectedFault("lost");
      session = this.#newSession(connection, target);
      made(session);
    } catch (error) {
      client.close();
      this.#tell({ type: "connectFailed", attempt, fault: asFault(error) });
      return;
    }
    this.#tell({ type: "connected", attempt });
  }

  async resume(
    what: { session: number; connection: number; target: ExecutorTarget },
    session: ExecutorSession,
  ): Promise<void> {
    const { connection: id } = what;
    const { signal } = this.#begin(id);
    let client: RpcClient | null = null;
    const failed = (fault: Fault, verdict: ResumeVerdict) => {
      client?.close();
      if (this.#finish(id)) {
        this.#tell({ type: "resumeFailed", session: what.session, connection: id, fault, verdict });
      }
    };
    try {
      const connection = await this.#open(what.target, signal, {
        resumeSessionId: session.sessionId,
        onNotification: (method, params) => session.receive(method, params),
        onClosed: (reason) => this.#lost(what.session, id, reason),
      });
      client = connection.client;
      if (connection.sessionId !== session.sessionId) {
        failed(
          new Fault("session_unknown", "The executor has begun another session in its place."),
          "not known",
        );
        return;
      }
      await unlessClosed(session.catchUp(client), client, signal);
    } catch (error) {
      failed(asFault(error), verdictOf(error));
      return;
    }
    if (!client.isOpen) {
      failed(new DisconnectedFault("lost"), "try again");
    } else if (!this.#finish(id)) {
      client.close();
    } else {
      this.#resumed.set(id, client);
      this.#tell({ type: "resumed", session: what.session, connection: id });
    }
  }

  takeResumed(connection: number): RpcClient | undefined {
    const client = this.#resumed.get(connection);
    this.#resumed.delete(connection);
    return client;
  }

  /** Throws when it cannot be written down; then it is not used. */
  #newSession(
    { client, sessionId, info }: ExecutorConnection,
    { identity }: ExecutorTarget,
  ): ExecutorSession {
    const { clock, log, records, environmentId } = this.#options;
    records.sessionBegan({ environmentId, sessionId, identity });
    return new ExecutorSession({ sessionId, client, info, clock, log, records });
  }

  #open(
    target: ExecutorTarget,
    signal: AbortSignal,
    how: {
      resumeSessionId: string | null;
      onNotification(method: string, params: unknown): void;
      onClosed(reason: TransportClosed): void;
    },
  ): Promise<ExecutorConnection> {
    const { clock, log, random, credentials, connect } = this.#options;
    return openExecutor(target, { clock, log, random, credentials, connect, signal, ...how });
  }

  #lost(session: number, connection: number, reason: TransportClosed): void {
    const detail = "detail" in reason ? reason.detail : undefined;
    const fault = new Fault("connection_lost", "The connection to the environment was lost.", {
      detail,
      retryable: true,
    });
    this.#tell({ type: "connectionLost", session, connection, fault });
  }

  #begin(id: number): AbortController {
    const controller = new AbortController();
    this.#running.set(id, controller);
    return controller;
  }

  /** False: it was cancelled. */
  #finish(id: number): boolean {
    return this.#running.delete(id);
  }
}

function verdictOf(error: unknown): ResumeVerdict {
  if (!(error instanceof RpcFault) || passingCodes.includes(error.rpcCode)) return "try again";
  return error.message.startsWith(unknownSessionWords) ? "not known" : "refused";
}

/** Cancelled in the middle: the connection is closed, and whatever is asked over it fails with that. */
async function unlessClosed(work: Promise<void>, client: RpcClient, signal: AbortSignal): Promise<void> {
  const close = () => client.close();
  signal.addEventListener("abort", close, { once: true });
  if (signal.aborted) close();
  try {
    await work;
  } finally {
    signal.removeEventListener("abort", close);
  }
}
