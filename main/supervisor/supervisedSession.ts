// Performs what the session machine decides, and tells it what came of it. One object for each session (a workspace and
// its launch profile); sessions never wait for each other.
//
// Who promises what:
// - A launch that is under way when the session is closed is cancelled and awaited, and what it made is closed: no process
//   can slip out between "spawned" and "known".
// - What a connection says is passed on only while that connection is the session's current one.
// - Everybody who waits in `need` gets an answer: each launch, reconnect and close has a deadline below this file.

import type { Clock, Timer } from "../clock";
import { asFault, Fault } from "../fault";
import type { Log } from "../log";
import type { Connection } from "./connection";
import {
  decide,
  type LiveFacts,
  newSession,
  type Session,
  type SessionEffect,
  type SessionEvent,
  type SessionState,
} from "./sessionMachine";

export interface ConnectionEvents {
  notification(method: string, params: unknown): void;
  request(request: { id: number | string; method: string; params: unknown }): void;
  closed(fault: Fault): void;
}

/** One process tree that was started for a session. */
export interface SessionProcess {
  readonly handleId: string;
  /** Connects and shakes hands. Rejects with a Fault by its own deadline. */
  connect(events: ConnectionEvents): Promise<{ connection: Connection; close(): void }>;
  /** Resolves once with the reason, when the leader has exited. Never rejects. */
  readonly exited: Promise<Fault>;
  /** Ends the whole tree in bounded time. Null: nothing is left of it. Safe to call twice. */
  close(): Promise<Fault | null>;
  /** The leader is dead: ends what it left behind. Null: nothing is left of it. */
  reap(): Promise<Fault | null>;
}

export interface SessionOptions {
  clock: Clock;
  log: Log;
  /** Spawns a process; on failure nothing of it is left. Rejects with a Fault by its own deadline. */
  launch(signal: AbortSignal): Promise<SessionProcess>;
  /** Somebody looks at something of this session. */
  isShown(): boolean;
  onState(state: SessionState): void;
  onConnected(connection: Connection): void;
  onConnectionLost(): void;
  onProcessGone(handleId: string, fault: Fault): void;
  onNotification(connection: Connection, method: string, params: unknown): void;
  onRequest(connection: Connection, request: { id: number | string; method: string; params: unknown }): void;
}

interface Waiter {
  resolve(connection: Connection): void;
  reject(fault: Fault): void;
}

export class SupervisedSession {
  readonly #options: SessionOptions;
  #session: Session = newSession;
  #waiters: Waiter[] = [];
  #process: SessionProcess | null = null;
  #connection: { number: number; connection: Connection; close(): void } | null = null;
  /** The number of the connection that is being made or is there; what others say is dropped. */
  #attempt = 0;
  #early: (() => void) | null = null;
  #launching: { abort: AbortController; settled: Promise<void> } | null = null;
  #timer: Timer | null = null;
  #idle: (() => void)[] = [];

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  get state(): SessionState {
    return this.#session.state;
  }

  /** The live connection; null while there is none. */
  get connection(): Connection | null {
    return this.#session.state.phase === "live" ? (this.#connection?.connection ?? null) : null;
  }

  /** The live connection, started or awaited if need be. Rejects with the Fault that says why there is none. */
  need(): Promise<Connection> {
    const { connection } = this;
    if (connection) return Promise.resolve(connection);
    return new Promise((resolve, reject) => {
      this.#waiters.push({ resolve, reject });
      this.#take({ type: "needed", atMs: this.#options.clock.nowMs() });
    });
  }

  /** A new process in place of this one, whatever happened before. */
  restart(): Promise<Connection> {
    return new Promise((resolve, reject) => {
      this.#take({ type: "restart" });
      this.#waiters.push({ resolve, reject });
      this.#take({ type: "needed", atMs: this.#options.clock.nowMs() });
    });
  }

  /** Resolves when the session is stopped; a close that left something behind is the state's fault. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#idle.push(resolve);
      this.#take({ type: "close" });
      this.#settleIdle();
    });
  }

  #take(event: SessionEvent): void {
    const before = this.#session.state;
    const [session, effects] = decide(this.#session, event);
    this.#session = session;
    if (session.state !== before) this.#options.onState(session.state);
    for (const effect of effects) this.#perform(effect);
    this.#settleIdle();
  }

  #perform(effect: SessionEffect): void {
    switch (effect.type) {
      case "launch":
        this.#launch(effect.generation, effect.connection);
        break;
      case "reconnect":
        this.#timer?.cancel();
        this.#timer = this.#options.clock.after(effect.delayMs, () => this.#reconnect(effect));
        break;
      case "close":
        this.#close(effect.generation);
        break;
      case "reap":
        this.#reap();
        break;
      case "restartLater":
        this.#timer?.cancel();
        this.#timer = this.#options.clock.after(effect.delayMs, () =>
          this.#take({
            type: "restartDue",
            generation: effect.generation,
            atMs: this.#options.clock.nowMs(),
          }),
        );
        break;
      case "settle":
        this.#settle(effect.fault);
        break;
      default:
        effect satisfies never;
    }
  }

  #launch(generation: number, connection: number): void {
    this.#timer?.cancel();
    const abort = new AbortController();
    const settled = this.#startProcess(generation, connection, abort.signal)
      .catch((error: unknown) => {
        const fault = asFault(error);
        this.#options.log.warn("launch failed", { code: fault.code, message: fault.message });
        this.#take({ type: "launchFailed", generation, fault, atMs: this.#options.clock.nowMs() });
      })
      .finally(() => {
        if (this.#launching?.abort === abort) this.#launching = null;
      });
    this.#launching = { abort, settled };
  }

  async #startProcess(generation: number, number: number, signal: AbortSignal): Promise<void> {
    const process = await this.#options.launch(signal);
    this.#process = process;
    process.exited.then((fault) => this.#exited(generation, process, fault));
    try {
      // A codex that hangs at its start must not hold up its own end.
      const facts = await unlessAborted(this.#connect(process, generation, number), signal);
      if (signal.aborted) return;
      this.#take({ type: "launched", generation, connection: number, facts });
      this.#announce();
    } catch (error) {
      // Whoever closes the session ends the process too; a launch that fails on its own has to do it here.
      if (!signal.aborted) {
        const left = await process.close();
        if (left) this.#options.log.error("a failed launch left something behind", { message: left.message });
        this.#process = null;
      }
      throw error;
    }
  }

  async #connect(process: SessionProcess, generation: number, number: number): Promise<LiveFacts> {
    this.#attempt = number;
    // What comes together with the handshake's answer waits until there is a connection to say it on.
    let early: (() => void)[] | null = [];
    const pass = (tell: (connection: Connection) => void) => {
      if (this.#attempt !== number) return;
      if (early) early.push(() => pass(tell));
      else if (this.#connection) tell(this.#connection.connection);
    };
    const opened = await process.connect({
      notification: (method, params) =>
        pass((connection) => this.#options.onNotification(connection, method, params)),
      request: (request) => pass((connection) => this.#options.onRequest(connection, request)),
      closed: (fault) => {
        if (this.#attempt !== number || this.#connection?.number !== number) return;
        this.#connection = null;
        this.#options.onConnectionLost();
        this.#take({ type: "connectionLost", generation, connection: number, fault });
      },
    });
    if (this.#attempt !== number) {
      opened.close();
      throw new Fault("connection_lost", "The connection was given up.", { retryable: true });
    }
    this.#connection = { number, ...opened };
    this.#early = () => {
      const waiting = early ?? [];
      early = null;
      for (const tell of waiting) tell();
    };
    return opened.connection.facts;
  }

  #reconnect(effect: { generation: number; connection: number }): void {
    const { generation, connection } = effect;
    const process = this.#process;
    if (!process) return;
    this.#connect(process, generation, connection).then(
      () => {
        this.#take({ type: "reconnected", generation, connection });
        this.#announce();
      },
      (error: unknown) => {
        this.#take({ type: "reconnectFailed", generation, connection, fault: asFault(error) });
      },
    );
  }

  /** Everybody learns of the connection first, then of what came over it already. */
  #announce(): void {
    const { connection } = this;
    if (connection) this.#options.onConnected(connection);
    const tellEarly = this.#early;
    this.#early = null;
    tellEarly?.();
  }

  #exited(generation: number, process: SessionProcess, fault: Fault): void {
    if (this.#process !== process) return;
    const wasUp = this.#session.state.phase === "live" || this.#session.state.phase === "lost";
    if (wasUp) {
      this.#dropConnection();
      this.#options.onProcessGone(process.handleId, fault);
    }
    const { clock, isShown } = this.#options;
    this.#take({ type: "exited", generation, fault, atMs: clock.nowMs(), shown: isShown() });
  }

  #close(generation: number): void {
    this.#timer?.cancel();
    this.#closeProcess().then(
      (fault) => this.#take({ type: "closed", generation, fault }),
      (error: unknown) => this.#take({ type: "closed", generation, fault: asFault(error) }),
    );
  }

  async #closeProcess(): Promise<Fault | null> {
    const launching = this.#launching;
    launching?.abort.abort();
    await launching?.settled;
    const process = this.#process;
    // Nothing is heard any more; the connection itself is closed with the process, which must be searched for its children
    // before its input ends.
    this.#connection = null;
    this.#attempt = 0;
    if (!process) return null;
    const fault = await process.close();
    this.#process = null;
    this.#options.onProcessGone(
      process.handleId,
      new Fault("session_closed", "codex was stopped.", { retryable: true }),
    );
    return fault;
  }

  #reap(): void {
    const process = this.#process;
    this.#process = null;
    process?.reap().then(
      (fault) => {
        if (fault) this.#options.log.error("something of a dead process is left", { message: fault.message });
      },
      (error: unknown) => this.#options.log.error("reaping failed", { message: asFault(error).message }),
    );
  }

  #dropConnection(): void {
    const connection = this.#connection;
    this.#connection = null;
    this.#attempt = 0;
    connection?.close();
  }

  #settle(fault: Fault | null): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    const { connection } = this;
    for (const waiter of waiters) {
      if (fault) waiter.reject(fault);
      else if (connection) waiter.resolve(connection);
      else
        waiter.reject(new Fault("connection_lost", "The connection to codex was lost.", { retryable: true }));
    }
  }

  #settleIdle(): void {
    if (this.#session.state.phase !== "stopped" || this.#idle.length === 0) return;
    const idle = this.#idle;
    this.#idle = [];
    for (const resolve of idle) resolve();
  }
}

/** Rejects as soon as the signal is aborted; what comes of the work then is nobody's. */
function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const aborted = () => reject(new Fault("session_closed", "The session was closed.", { retryable: true }));
    if (signal.aborted) aborted();
    signal.addEventListener("abort", aborted, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", aborted));
  });
}
