// One connection to an exec-server, from the socket to the finished handshake: a new session, or one that is resumed.
//
// Races settled here:
// - Whoever wanted it changes its mind at any point of it: the socket is closed, and nothing comes of it any more.
// - The connection is lost between the handshake and the moment somebody takes it: `isOpen` says so.

import type { Clock } from "../../clock";
import { openRpcClient, type RpcClient } from "../../codex/rpcClient";
import type { Transport, TransportClosed, TransportHandlers } from "../../codex/transport";
import { connectWebSocket } from "../../codex/webSocketTransport";
import { asFault, Fault } from "../../fault";
import type { Log } from "../../log";
import { unlessAborted } from "../../supervisor/unlessAborted";
import { DisconnectedFault } from "./disconnected";
import { answers, checkedAnswer, type EnvironmentInfo, toInfo } from "./executorProtocol";
import type { Credential, ExecutorTarget } from "./executorTarget";
import type { Secret } from "./secret";

/** The platform's key store, or whatever keeps credentials. Asked at every connection; nothing of it is kept. */
export interface Credentials {
  /** Null: there is none of this name. */
  get(name: string): Promise<Secret | null>;
}

/** Opens the line. Replaced in tests that need no real one. */
export type ConnectExecutor = (
  place: { url: string; token: string | null },
  handlers: TransportHandlers,
  options: { clock: Clock; signal: AbortSignal; deadlineMs: number },
) => Promise<Transport>;

export interface ExecutorConnection {
  client: RpcClient;
  sessionId: string;
  /** Null: this version does not say it in its first answer. */
  info: EnvironmentInfo | null;
}

export interface OpenExecutorOptions {
  clock: Clock;
  log: Log;
  random: () => number;
  credentials: Credentials;
  connect: ConnectExecutor;
  signal: AbortSignal;
  resumeSessionId: string | null;
  onNotification(method: string, params: unknown): void;
  onClosed(reason: TransportClosed): void;
}

const credentialMs = 30_000;
const connectMs = 10_000;
const initializeMs = 10_000;

export const connectExecutor: ConnectExecutor = (place, handlers, options) =>
  connectWebSocket({ kind: "url", ...place }, handlers, {
    ...options,
    keepAlive: { everyMs: 10_000, patienceMs: 10_000 },
  });

/**
 * Rejects with `connect_failed`, `connect_timeout`, `connect_rejected`, `credential_missing`, `credential_timeout`,
 * `executor_answer_unknown`, or the reason of `signal`; an RpcFault means that the executor refuses the session. Then nothing is
 * left open.
 */
export async function openExecutor(
  target: ExecutorTarget,
  options: OpenExecutorOptions,
): Promise<ExecutorConnection> {
  const token = await tokenWithin(target.credential, options);
  const client = await openLine(target.url, token, options);
  try {
    return await shakeHands(client, options);
  } catch (error) {
    client.close();
    throw inWords(error);
  }
}

async function openLine(
  url: string,
  token: Secret | null,
  { clock, log, random, signal, connect, onNotification, onClosed }: OpenExecutorOptions,
): Promise<RpcClient> {
  const place = { url, token: token?.reveal() ?? null };
  try {
    return await openRpcClient(
      (handlers) => connect(place, handlers, { clock, signal, deadlineMs: connectMs }),
      {
        clock,
        log,
        random,
        onNotification,
        // An exec-server asks nothing, and ends a connection on which it is answered.
        onRequest: () => true,
        onClosed,
      },
    );
  } catch (error) {
    throw inWords(error);
  }
}

async function shakeHands(
  client: RpcClient,
  { signal, resumeSessionId }: OpenExecutorOptions,
): Promise<ExecutorConnection> {
  const params = { clientName: "holdfast", ...(resumeSessionId === null ? {} : { resumeSessionId }) };
  const answer = await client.requestUntyped("initialize", params, {
    once: true,
    deadlineMs: initializeMs,
    signal,
  });
  const { sessionId, environmentInfo } = checkedAnswer("initialize", answers.initialize, answer);
  client.notify("initialized", {});
  return { client, sessionId, info: environmentInfo ? toInfo(environmentInfo) : null };
}

/** What the transport says of codex, said of an environment. */
function inWords(error: unknown): Error {
  const fault = asFault(error);
  const { detail, retryable, cause } = fault;
  switch (fault.code) {
    case "connect_failed":
      return new Fault("connect_failed", "The exec-server of this environment cannot be reached.", {
        hint: "Look whether codex exec-server runs there, and whether the way to it is open.",
        detail,
        retryable,
        cause,
      });
    case "connect_timeout":
    case "deadline":
      return new Fault("connect_timeout", "The exec-server of this environment does not answer.", {
        detail,
        retryable: true,
        cause,
      });
    case "connection_lost":
      return new DisconnectedFault("lost", { cause: fault });
    default:
      return fault;
  }
}

/** The key store may ask the person, and may hang. */
export async function tokenWithin(
  credential: Credential,
  { clock, signal, credentials }: Pick<OpenExecutorOptions, "clock" | "signal" | "credentials">,
): Promise<Secret | null> {
  const timeout = new AbortController();
  const timer = clock.after(credentialMs, () =>
    timeout.abort(
      new Fault("credential_timeout", "The credential of the environment could not be read in time.", {
        retryable: true,
      }),
    ),
  );
  try {
    return await unlessAborted(tokenOf(credential, credentials), AbortSignal.any([signal, timeout.signal]));
  } finally {
    timer.cancel();
  }
}

async function tokenOf(credential: Credential, credentials: Credentials): Promise<Secret | null> {
  switch (credential.kind) {
    case "none":
      return null;
    case "token":
      return credential.token;
    case "stored": {
      const token = await credentials.get(credential.name);
      if (token !== null) return token;
      throw new Fault("credential_missing", `There is no credential "${credential.name}" on this machine.`, {
        hint: "Enter it on the page of the environment.",
      });
    }
    default:
      return credential satisfies never;
  }
}
