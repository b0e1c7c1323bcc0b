// The client side of codex's JSON-RPC over one connection. It lives exactly as long as that connection: a reconnect makes a
// new one, so nothing of an old connection (an id, a late answer, a server request) can be mistaken for something of a new one.
//
// Races settled here:
// - Answer, deadline, cancellation, end of the connection: the first one settles a request and takes it out of the table; the
//   others find nothing. An answer that comes afterwards is counted and dropped.
// - The end of the connection: a request that was handed to the transport may have arrived (`written` is true); one that
//   comes later certainly did not.
// - codex is overloaded (-32001) and has done nothing: the same request goes out again, under a new id, within its deadline.
// - An answer and the notifications behind it come in one chunk: a promise is heard only after all of them were handed over.
//   Who needs the order of the wire takes the answer in `onAnswer`.
// - A message comes while the connection is still being made: it waits until the client is complete.
// - Pieces of streamed text are joined within one read (`pieces.ts`); whatever comes behind them comes after them.

import type { Clock } from "../clock";
import { asFault, Fault } from "../fault";
import type { Log } from "../log";
import { type IncomingRequest, IncomingRequests } from "./incomingRequests";
import { Pieces } from "./pieces";
import type { RequestId } from "./protocol/RequestId";
import type { RpcMethod, RpcParams, RpcResult } from "./protocolMethods";
import { deadlineOf } from "./rpcDeadlines";
import { overloadedCode, RequestFault, type RequestFaultCode, RpcFault } from "./rpcFault";
import { type RpcMessage, readMessage, writeMessage } from "./rpcMessage";
import type { Transport, TransportClosed, TransportHandlers } from "./transport";

export interface RequestOptions<Result = unknown> {
  /** Over all attempts. The default depends on the method (`rpcDeadlines.ts`). */
  deadlineMs?: number;
  signal?: AbortSignal;
  /** Sent at most once, also when the answer is that there is too much to do. */
  once?: boolean;
  /**
   * Called with the result in the order of the wire: before any message that came after it is handed over. `units` is how
   * long the message was, in UTF-16 units.
   */
  onAnswer?(result: Result, units: number): void;
}

export interface RpcCounters {
  readonly lateAnswers: number;
  readonly strayAnswers: number;
  readonly malformedMessages: number;
  readonly unknownRequests: number;
  readonly handlerErrors: number;
  readonly retries: number;
}

export interface RpcClient {
  /**
   * Written before this returns. Rejects with an RpcFault (codex refused), a RequestFault (no usable answer), or the Fault
   * with which `signal` was aborted.
   */
  request<M extends RpcMethod>(
    method: M,
    params: RpcParams<M>,
    options?: RequestOptions<RpcResult<M>>,
  ): Promise<RpcResult<M>>;
  /** For methods that the protocol of this build does not have. */
  requestUntyped(method: string, params: unknown, options?: RequestOptions): Promise<unknown>;
  /** Also tells `listener` of the notifications of this method, in the order of the wire. Returns what ends that. */
  listen(method: string, listener: (params: unknown) => void): () => void;
  /** False when the connection has ended. */
  notify(method: string, params?: unknown): boolean;
  /** True when this call was the one that answered. */
  respond(id: RequestId, result: unknown): boolean;
  respondError(id: RequestId, code: number, message: string): boolean;
  /** Ends the connection; `onClosed` is called before this returns. */
  close(): void;
  readonly isOpen: boolean;
  /** Bytes that codex has not taken yet. */
  readonly bufferedBytes: number;
  readonly counters: RpcCounters;
}

export interface RpcClientOptions {
  clock: Clock;
  log: Log;
  /** From 0 up to 1, for jitter. */
  random: () => number;
  onNotification(method: string, params: unknown): void;
  /** True: it will be answered with `respond` or `respondError`. False: it is refused as unknown. */
  onRequest(request: IncomingRequest): boolean;
  /** A request was refused, since nobody took it. */
  onUnknownRequest?(request: IncomingRequest): void;
  /** Called once, after every pending request was rejected. */
  onClosed(reason: TransportClosed): void;
  /**
   * Runs a task before anything else happens, once all that one read brought was handed to the client: then pieces of one text
   * that came in it are told as one. Without it each is told by itself.
   */
  atEndOfRead?(task: () => void): void;
  /** Above this nothing more is sent to a codex that does not read. */
  maxBufferedBytes?: number;
}

/** Resolves with the client of an open connection. Rejects with what `connect` rejects with. */
export async function openRpcClient(
  connect: (handlers: TransportHandlers) => Promise<Transport> | Transport,
  options: RpcClientOptions,
): Promise<RpcClient> {
  const client = new Client(options);
  client.attach(await connect(client));
  return client;
}

interface Pending {
  method: string;
  succeed(result: unknown, units: number): void;
  fail(fault: Error): void;
  failAs(code: RequestFaultCode, cause?: unknown): void;
}

const maxAttempts = 6;
const firstRetryMs = 100;
const lastRetryMs = 2_000;
const defaultMaxBufferedBytes = 64 * 1024 * 1024;
/** Of a flood only the beginning is written down; the counters tell the rest. */
const maxLoggedProblems = 20;

class Client implements RpcClient, TransportHandlers {
  readonly #options: RpcClientOptions;
  #transport: Transport | null = null;
  /** What came before the transport was known; null afterwards. */
  #early: string[] | null = [];
  #closed: TransportClosed | null = null;
  #ended = false;
  #nextId = 1;
  #loggedProblems = 0;
  readonly #pending = new Map<RequestId, Pending>();
  /** Requests that codex was too busy for and that wait for their next attempt. */
  readonly #pauses = new Set<(fault: Fault) => void>();
  readonly #listeners = new Set<{ method: string; listener(params: unknown): void }>();
  readonly #incoming: IncomingRequests;
  readonly #pieces: Pieces | null;
  readonly #counters = {
    lateAnswers: 0,
    strayAnswers: 0,
    malformedMessages: 0,
    unknownRequests: 0,
    handlerErrors: 0,
    retries: 0,
  };

  constructor(options: RpcClientOptions) {
    this.#options = options;
    this.#pieces = options.atEndOfRead
      ? new Pieces((method, params) => {
          if (!this.#ended) this.#notified(method, params);
        }, options.atEndOfRead)
      : null;
    this.#incoming = new IncomingRequests({
      onRequest: (request) => options.onRequest(request),
      onUnknown: (request) => {
        this.#counters.unknownRequests += 1;
        this.#logProblem("codex asked for something unknown", { method: request.method });
        try {
          options.onUnknownRequest?.(request);
        } catch (error) {
          this.#handlerFailed(request.method, error);
        }
      },
      onHandlerError: ({ method }, error) => this.#handlerFailed(method, error),
      send: (message) => this.#send(message),
    });
  }

  attach(transport: Transport): void {
    this.#transport = transport;
    const early = this.#early ?? [];
    this.#early = null;
    for (const text of early) this.#handle(readMessage(text), text.length);
    if (this.#closed !== null) this.#end(this.#closed);
  }

  get isOpen(): boolean {
    return this.#closed === null;
  }

  get counters(): RpcCounters {
    return this.#counters;
  }

  get bufferedBytes(): number {
    return this.#transport?.bufferedBytes ?? 0;
  }

  request<M extends RpcMethod>(
    method: M,
    params: RpcParams<M>,
    options: RequestOptions<RpcResult<M>> = {},
  ): Promise<RpcResult<M>> {
    // The protocol promises the type; checking each answer would cost more than it is worth, so readers tolerate surprises.
    return this.requestUntyped(method, params, options as RequestOptions) as Promise<RpcResult<M>>;
  }

  async requestUntyped(method: string, params: unknown, options: RequestOptions = {}): Promise<unknown> {
    const { clock, random } = this.#options;
    const untilMs = clock.nowMs() + (options.deadlineMs ?? deadlineOf(method));
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(method, params, untilMs, options);
      } catch (error) {
        if (!(error instanceof RpcFault) || error.rpcCode !== overloadedCode) throw error;
        if (options.once || attempt === maxAttempts) throw error;
        // From half to the whole of a doubling delay, so that clients that were refused together do not return together.
        const delayMs = Math.min(firstRetryMs * 2 ** (attempt - 1), lastRetryMs) * (0.5 + random() / 2);
        if (clock.nowMs() + delayMs >= untilMs) throw error;
        this.#counters.retries += 1;
        await this.#pause(method, delayMs, options.signal);
      }
    }
  }

  listen(method: string, listener: (params: unknown) => void): () => void {
    const entry = { method, listener };
    this.#listeners.add(entry);
    return () => {
      this.#listeners.delete(entry);
    };
  }

  notify(method: string, params?: unknown): boolean {
    return this.#send({ method, params });
  }

  respond(id: RequestId, result: unknown): boolean {
    return this.#incoming.respond(id, result);
  }

  respondError(id: RequestId, code: number, message: string): boolean {
    return this.#incoming.respondError(id, code, message);
  }

  close(): void {
    this.#transport?.close();
  }

  onMessage(text: string): void {
    if (this.#early === null) this.#handle(readMessage(text), text.length);
    else this.#early.push(text);
  }

  onClosed(reason: TransportClosed): void {
    this.#closed = reason;
    // Otherwise `attach` comes to it, after what was said before the end.
    if (this.#early === null) this.#end(reason);
  }

  #attempt(method: string, params: unknown, untilMs: number, options: RequestOptions): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const { clock, maxBufferedBytes = defaultMaxBufferedBytes } = this.#options;
      const { signal, onAnswer } = options;
      if (signal?.aborted) throw this.#cancellation(method, false, signal);
      if (this.bufferedBytes > maxBufferedBytes) throw this.#fault("codex_busy", method, false);
      const id = this.#nextId++;
      // In the table before it is sent: nothing says that the answer cannot come while it is being sent.
      let written = true;
      const settle = () => {
        this.#pending.delete(id);
        timer.cancel();
        signal?.removeEventListener("abort", cancelled);
      };
      const fail = (fault: Error) => {
        settle();
        reject(fault);
      };
      const failAs = (code: RequestFaultCode, cause?: unknown) =>
        fail(this.#fault(code, method, written, cause));
      const cancelled = () => fail(this.#cancellation(method, written, signal));
      const timer = clock.after(untilMs - clock.nowMs(), () => failAs("deadline"));
      signal?.addEventListener("abort", cancelled);
      this.#pending.set(id, {
        method,
        fail,
        failAs,
        succeed: (result, units) => {
          settle();
          try {
            onAnswer?.(result, units);
            resolve(result);
          } catch (error) {
            reject(error);
          }
        },
      });
      try {
        written = this.#send({ id, method, params });
        if (!written) failAs("connection_lost");
      } catch (error) {
        // Parameters that JSON cannot express.
        fail(asFault(error));
      }
    });
  }

  #pause(method: string, delayMs: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        this.#pauses.delete(fail);
        timer.cancel();
        signal?.removeEventListener("abort", cancelled);
      };
      const fail = (fault: Fault) => {
        settle();
        reject(fault);
      };
      const cancelled = () => fail(this.#cancellation(method, false, signal));
      const timer = this.#options.clock.after(delayMs, () => {
        settle();
        resolve();
      });
      this.#pauses.add(fail);
      signal?.addEventListener("abort", cancelled);
      // Either may have happened between the refusal and this call, which is a microtask later.
      if (this.#closed !== null) fail(this.#fault("connection_lost", method, false, this.#closed));
      else if (signal?.aborted) cancelled();
    });
  }

  #send(message: object): boolean {
    return this.#closed === null && this.#transport !== null && this.#transport.send(writeMessage(message));
  }

  #handle(message: RpcMessage, units: number): void {
    if (message.kind === "notification" && this.#pieces?.take(message.method, message.params)) return;
    this.#pieces?.flush();
    // Whoever was told of what came before may have closed the connection.
    if (this.#ended) return;
    switch (message.kind) {
      case "notification":
        if (message.method === "serverRequest/resolved") this.#incoming.resolvedElsewhere(message.params);
        this.#notified(message.method, message.params);
        return;
      case "request":
        this.#incoming.receive({ id: message.id, method: message.method, params: message.params });
        return;
      case "result":
        this.#takePending(message.id)?.succeed(message.result, units);
        return;
      case "error": {
        const pending = this.#takePending(message.id);
        const { code, message: words, data } = message.error;
        pending?.fail(new RpcFault(pending.method, code, words, data));
        return;
      }
      case "malformed": {
        this.#counters.malformedMessages += 1;
        const pending = message.id === null ? undefined : this.#pending.get(message.id);
        this.#logProblem("message from codex not understood", { why: message.why, method: pending?.method });
        pending?.failAs("malformed_answer", message.why);
        return;
      }
      default:
        message satisfies never;
    }
  }

  #notified(method: string, params: unknown): void {
    this.#tell(method, params, (told) => this.#options.onNotification(method, told));
    if (this.#listeners.size === 0) return;
    for (const { listener, method: wanted } of [...this.#listeners]) {
      if (wanted === method) this.#tell(method, params, listener);
    }
  }

  #tell(method: string, params: unknown, listener: (params: unknown) => void): void {
    try {
      listener(params);
    } catch (error) {
      this.#handlerFailed(method, error);
    }
  }

  #takePending(id: RequestId): Pending | undefined {
    const pending = this.#pending.get(id);
    if (pending !== undefined) return pending;
    const wasOurs = typeof id === "number" && id > 0 && id < this.#nextId;
    this.#counters[wasOurs ? "lateAnswers" : "strayAnswers"] += 1;
    return undefined;
  }

  #end(reason: TransportClosed): void {
    if (this.#ended) return;
    this.#pieces?.flush();
    this.#ended = true;
    this.#incoming.connectionEnded();
    for (const pending of [...this.#pending.values()]) pending.failAs("connection_lost", reason);
    for (const fail of [...this.#pauses]) fail(this.#fault("connection_lost", "", false, reason));
    this.#options.onClosed(reason);
  }

  #handlerFailed(method: string, error: unknown): void {
    this.#counters.handlerErrors += 1;
    this.#logProblem("handling a message from codex failed", { method, error: asFault(error).detail });
  }

  #logProblem(message: string, facts: Record<string, unknown>): void {
    this.#loggedProblems += 1;
    if (this.#loggedProblems <= maxLoggedProblems) this.#options.log.warn(message, facts);
  }

  /** A caller that aborts with a Fault knows why better than we do. */
  #cancellation(method: string, written: boolean, signal: AbortSignal | undefined): Fault {
    const reason: unknown = signal?.reason;
    return reason instanceof Fault ? reason : this.#fault("cancelled", method, written, reason);
  }

  #fault(code: RequestFaultCode, method: string, written: boolean, cause?: unknown): RequestFault {
    const detail = this.#closed !== null && "detail" in this.#closed ? this.#closed.detail : undefined;
    const retryable = code !== "cancelled";
    return new RequestFault(code, method, written, wordsFor(code, method), { cause, detail, retryable });
  }
}

function wordsFor(code: RequestFaultCode, method: string): string {
  switch (code) {
    case "connection_lost":
      return "The connection to codex was lost before it answered.";
    case "deadline":
      return `codex did not answer in time (${method}).`;
    case "cancelled":
      return "The request was cancelled.";
    case "codex_busy":
      return "codex does not take any more requests at the moment.";
    case "malformed_answer":
      return `codex's answer could not be understood (${method}).`;
  }
}
