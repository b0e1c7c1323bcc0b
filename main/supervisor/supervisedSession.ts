// Performs what the session machine decides, and tells it what came of it. One object for each session (a workspace and
// its launch profile); sessions never wait for each other.
//
// Who promises what:
// - A launch that is aborted is awaited, and what it made is closed before it answers: no process can slip out between
//   "spawned" and "known".
// - What a connection says is passed on only while that connection is the session's current one. What a new process says
//   before it is announced waits, and is told right after.
// - Every caller gets an answer: each launch, reconnect and close has a deadline below this file, and who still waits when
//   Holdfast leaves is told so.
// - A new process dies before it is in use: its launch is given up, since a death that is told too early would be lost.
// - Whoever hears of something wishes something (a state is told, and it is closed at once): events are taken one after
//   another, each with all its effects. Whoever hears of something fails: that changes nothing for anybody else.
// - What a connection says that is not used after all, or not any more, is dropped, and not kept waiting.

import type { Clock, Timer } from "../clock";
import { asFault, Fault } from "../fault";
import type { Log } from "../log";
import type { Connection } from "./connection";
import { decide } from "./sessionMachine";
import {
  generationOf,
  isUsable,
  newSession,
  ownedHandles,
  type Session,
  type SessionEffect,
  type SessionEvent,
  type SessionState,
  sameState,
  stateOf,
} from "./sessionState";
import { closedFault } from "./sessionTasks";
import { unlessAborted } from "./unlessAborted";

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
  /**
   * Ends what is left of the tree in bounded time. Null: nothing is left of it. Two callers at once share one attempt; after
   * one that failed the next is a new one.
   */
  close(): Promise<Fault | null>;
}

export interface SessionOptions {
  clock: Clock;
  log: Log;
  /** Spawns a process; on failure nothing of it is left. Rejects with a Fault by its own deadline. */
  launch(signal: AbortSignal): Promise<SessionProcess>;
  /** A new process has shaken hands and is to replace one that is in use: rejects when it cannot do its work. */
  verify(connection: Connection, signal: AbortSignal): Promise<void>;
  /** Closes a process, on record: see cleanups.ts. */
  close(process: SessionProcess): Promise<Fault | null>;
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
  resolve(): void;
  reject(fault: Fault): void;
}

/** A connection that was made: what comes over it waits until it is announced. */
interface Opened {
  number: number;
  connection: Connection;
  close(): void;
  /** null once it has been announced. */
  early: ((connection: Connection) => void)[] | null;
  /** It was lost before it was in use. */
  lost: Fault | null;
}

export class SupervisedSession {
  readonly #options: SessionOptions;
  readonly #processes = new Map<string, SessionProcess>();
  readonly #waiters = new Map<number, Waiter>();
  #session: Session;
  #lastId = 0;
  #state: SessionState = { phase: "stopped", fault: null, broken: false };
  #current: Opened | null = null;
  /** Of a launch that is under way. */
  #candidate: { generation: number; abort: AbortController; opened: Opened | null } | null = null;
  #reconnectTimer: Timer | null = null;
  #restartTimer: Timer | null = null;
  readonly #inbox: SessionEvent[] = [];
  #isTaking = false;
  #left = false;

  /** `retired`: processes of an earlier run that could not be ended. */
  constructor(options: SessionOptions, retired: { process: SessionProcess; fault: Fault }[] = []) {
    this.#options = options;
    for (const { process } of retired) this.#processes.set(process.handleId, process);
    this.#session = newSession(retired.map(({ process, fault }) => ({ handleId: process.handleId, fault })));
  }

  get state(): SessionState {
    return this.#state;
  }

  /** The live connection; null while there is none. */
  get connection(): Connection | null {
    return isUsable(this.#session) && !this.#left ? (this.#current?.connection ?? null) : null;
  }

  /** What it owns, or is about to: nothing is left to close when this is false. */
  get ownsProcesses(): boolean {
    return this.#session.task !== null || ownedHandles(this.#session).length > 0;
  }

  owns(handleId: string): boolean {
    return ownedHandles(this.#session).includes(handleId);
  }

  /** The live connection, started or awaited if need be. Rejects with the Fault that says why there is none. */
  need(): Promise<Connection> {
    const { connection } = this;
    return connection ? Promise.resolve(connection) : this.#connected((id) => ({ type: "needed", id }));
  }

  /** A new process in place of this one, which goes on if the new one cannot take over. */
  replace(): Promise<Connection> {
    return this.#connected((id) => ({ type: "replace", id }));
  }

  /** Ends this process, whatever happens then, and starts a new one. */
  restart(): Promise<Connection> {
    return this.#connected((id) => ({ type: "restart", id }));
  }

  /** Uses a process of an earlier run. Rejects when it cannot be used; it is closed then. */
  adopt(process: SessionProcess): Promise<Connection> {
    this.#processes.set(process.handleId, process);
    return this.#connected((id) => ({ type: "adopt", id, handleId: process.handleId }));
  }

  /** Resolves when it is over: null, or what could not be ended and stays owned. */
  close(everything: boolean): Promise<Fault | null> {
    return this.#closed((id) => ({ type: "close", id, everything }));
  }

  /** One more attempt at a handle whose close has failed. Null: it is owed no more. */
  clean(handleId: string): Promise<Fault | null> {
    return this.#closed((id) => ({ type: "clean", id, handleId }));
  }

  /** Holdfast ends and the process goes on: nothing is heard of it any more, and nothing is done about it. */
  leave(): void {
    this.#left = true;
    this.#restartTimer?.cancel();
    this.#mute();
    this.#settle([...this.#waiters.keys()], leftFault());
  }

  #connected(event: (id: number) => SessionEvent): Promise<Connection> {
    return this.#wish(event).then(() => {
      const { connection } = this;
      if (connection) return connection;
      throw new Fault("connection_lost", "The connection to codex was lost.", { retryable: true });
    });
  }

  #closed(event: (id: number) => SessionEvent): Promise<Fault | null> {
    return this.#wish(event).then(
      () => null,
      (fault: unknown) => asFault(fault),
    );
  }

  #wish(event: (id: number) => SessionEvent): Promise<void> {
    this.#lastId += 1;
    const id = this.#lastId;
    if (this.#left) return Promise.reject(leftFault());
    return new Promise((resolve, reject) => {
      this.#waiters.set(id, { resolve, reject });
      this.#take(event(id));
    });
  }

  #take(event: SessionEvent): void {
    this.#inbox.push(event);
    if (this.#isTaking) return;
    this.#isTaking = true;
    for (let next = this.#inbox.shift(); next; next = this.#inbox.shift()) this.#takeOne(next);
    this.#isTaking = false;
  }

  #takeOne(event: SessionEvent): void {
    if (this.#left) return;
    const [session, effects] = decide(this.#session, event);
    this.#session = session;
    const state = stateOf(session);
    const isNews = !sameState(state, this.#state);
    this.#state = state;
    if (isNews) this.#safely("telling the state", () => this.#options.onState(state));
    for (const effect of effects) this.#safely(effect.type, () => this.#perform(effect));
  }

  /** What fails here is a defect of whoever was told; the rest is done all the same. */
  #safely(doing: string, task: () => void): void {
    try {
      task();
    } catch (error) {
      const { message, detail } = asFault(error);
      this.#options.log.error("something failed in a session", { doing, error: message, detail });
    }
  }

  #perform(effect: SessionEffect): void {
    switch (effect.type) {
      case "launch":
        this.#begin(effect, (signal) => this.#options.launch(signal));
        break;
      case "adopt":
        this.#begin({ ...effect, replacing: false }, async () => this.#process(effect.handleId));
        break;
      case "abort":
        if (this.#candidate?.generation === effect.generation) this.#candidate.abort.abort(closedFault());
        break;
      case "reconnect":
        this.#reconnectTimer?.cancel();
        this.#reconnectTimer = this.#options.clock.after(effect.delayMs, () => {
          this.#reconnect(effect.generation, effect.connection);
        });
        break;
      case "mute":
        this.#mute();
        break;
      case "use":
        this.#use(effect.generation);
        break;
      case "close":
        this.#close(effect.handleId);
        break;
      case "gone":
        this.#options.onProcessGone(effect.handleId, effect.fault);
        break;
      case "announce":
        this.#announce();
        break;
      case "restartLater":
        this.#restartTimer = this.#options.clock.after(effect.delayMs, () => {
          this.#take({ type: "restartDue", generation: effect.generation });
        });
        break;
      case "cancelRestart":
        this.#restartTimer?.cancel();
        break;
      case "settle":
        this.#settle(effect.ids, effect.fault);
        break;
      default:
        effect satisfies never;
    }
  }

  #begin(
    { generation, connection, replacing }: { generation: number; connection: number; replacing: boolean },
    make: (signal: AbortSignal) => Promise<SessionProcess>,
  ): void {
    const abort = new AbortController();
    const candidate = { generation, abort, opened: null };
    this.#candidate = candidate;
    this.#bringUp(candidate, connection, replacing, make).catch((error: unknown) => {
      // Its own failures are answered by it; this one is a defect, and the machine must not wait for ever.
      const fault = asFault(error);
      this.#options.log.error("a launch has failed in a way that it should not", { error: fault.message });
      this.#take({ type: "launchFailed", generation, fault, atMs: this.#nowMs(), left: null });
    });
  }

  async #bringUp(
    candidate: { generation: number; abort: AbortController; opened: Opened | null },
    number: number,
    replacing: boolean,
    make: (signal: AbortSignal) => Promise<SessionProcess>,
  ): Promise<void> {
    const { generation, abort } = candidate;
    const { log } = this.#options;
    let process: SessionProcess | null = null;
    try {
      const made = await make(abort.signal);
      process = made;
      this.#processes.set(made.handleId, made);
      made.exited.then((fault) => {
        if (this.#candidate === candidate) abort.abort(fault);
        this.#exited(generation, fault);
      });
      // A codex that hangs at its start must not hold up its own end.
      const opening = this.#open(made, generation, number);
      const opened = await unlessAborted(opening, abort.signal, drop);
      if (opened.lost) throw opened.lost;
      candidate.opened = opened;
      const { connection } = opened;
      if (replacing) await unlessAborted(this.#options.verify(connection, abort.signal), abort.signal);
      abort.signal.throwIfAborted();
      this.#take({ type: "launched", generation, connection: number, facts: connection.facts });
    } catch (error) {
      const fault = asFault(abort.signal.aborted ? abort.signal.reason : error);
      log.warn("launch failed", { code: fault.code, message: fault.message });
      if (candidate.opened) drop(candidate.opened);
      candidate.opened = null;
      const left = process && (await this.#end(process));
      if (this.#candidate === candidate) this.#candidate = null;
      this.#take({
        type: "launchFailed",
        generation,
        fault,
        atMs: this.#nowMs(),
        left: process && left ? { handleId: process.handleId, fault: left } : null,
      });
    }
  }

  async #open(process: SessionProcess, generation: number, number: number): Promise<Opened> {
    let opened: Opened | null = null;
    let lost: Fault | null = null;
    // What comes together with the handshake's answer waits until there is a connection to say it on.
    const early: Opened["early"] = [];
    const pass = (tell: (connection: Connection) => void) => {
      const waiting = opened ? opened.early : early;
      if (waiting) waiting.push(tell);
      else if (opened && this.#current === opened) tell(opened.connection);
    };
    const { connection, close } = await process.connect({
      notification: (method, params) => pass((over) => this.#options.onNotification(over, method, params)),
      request: (request) => pass((over) => this.#options.onRequest(over, request)),
      closed: (fault) => {
        lost = fault;
        if (!opened) return;
        opened.lost = fault;
        if (this.#current === opened) this.#lost(opened, generation);
        else if (this.#candidate?.opened === opened) this.#candidate.abort.abort(fault);
      },
    });
    opened = { number, connection, close, early, lost };
    return opened;
  }

  #lost(opened: Opened, generation: number): void {
    const { number, early, lost } = opened;
    this.#current = null;
    if (early === null)
      this.#safely("telling the loss of a connection", () => this.#options.onConnectionLost());
    const fault =
      lost ?? new Fault("connection_lost", "The connection to codex was lost.", { retryable: true });
    this.#take({ type: "connectionLost", generation, connection: number, fault, atMs: this.#nowMs() });
  }

  #reconnect(generation: number, number: number): void {
    const { current } = this.#session;
    if (generationOf(current) !== generation || !("facts" in current)) return;
    const process = this.#processes.get(current.facts.handleId);
    if (!process) return;
    this.#open(process, generation, number).then(
      (opened) => {
        const isStale =
          this.#session.connection !== number || generationOf(this.#session.current) !== generation;
        if (isStale || this.#left) {
          drop(opened);
          opened.close();
          return;
        }
        this.#current = opened;
        this.#take({ type: "reconnected", generation, connection: number });
        if (opened.lost && this.#current === opened) this.#lost(opened, generation);
      },
      (error: unknown) => {
        const fault = asFault(error);
        this.#take({ type: "reconnectFailed", generation, connection: number, fault, atMs: this.#nowMs() });
      },
    );
  }

  #use(generation: number): void {
    const candidate = this.#candidate;
    if (candidate?.generation !== generation) return;
    this.#candidate = null;
    this.#current = candidate.opened;
  }

  /** Everybody learns of the connection first, then of what came over it already. */
  #announce(): void {
    const opened = this.#current;
    // What is done next may end it already: then nobody needs to know of it.
    if (!opened || !isUsable(this.#session)) return;
    this.#safely("telling a connection", () => this.#options.onConnected(opened.connection));
    const early = opened.early ?? [];
    opened.early = null;
    for (const tell of early) {
      if (this.#current === opened) this.#safely("telling what was said", () => tell(opened.connection));
    }
  }

  /** The connection itself is closed with its process, which is searched for what it has started before its input ends. */
  #mute(): void {
    this.#reconnectTimer?.cancel();
    if (this.#current) drop(this.#current);
    this.#current = null;
  }

  #exited(generation: number, fault: Fault): void {
    this.#take({
      type: "exited",
      generation,
      fault,
      atMs: this.#nowMs(),
      shown: this.#options.isShown(),
    });
  }

  #close(handleId: string): void {
    this.#end(this.#process(handleId)).then((fault) => this.#take({ type: "closeEnded", handleId, fault }));
  }

  /** Never rejects: what could not be tried is owned as what could not be ended. */
  async #end(process: SessionProcess): Promise<Fault | null> {
    try {
      const fault = await this.#options.close(process);
      if (!fault) this.#processes.delete(process.handleId);
      return fault;
    } catch (error) {
      return asFault(error);
    }
  }

  #nowMs(): number {
    return this.#options.clock.nowMs();
  }

  #process(handleId: string): SessionProcess {
    const process = this.#processes.get(handleId);
    if (!process) throw new Error(`the session does not know the handle ${handleId}`);
    return process;
  }

  #settle(ids: number[], fault: Fault | null): void {
    for (const id of ids) {
      const waiter = this.#waiters.get(id);
      this.#waiters.delete(id);
      if (!waiter) this.#options.log.error("a caller of a session was answered twice", { id });
      else if (fault) waiter.reject(fault);
      else waiter.resolve();
    }
  }
}

/** What it says is not kept waiting for anybody any more. */
function drop(opened: Opened): void {
  opened.early = null;
}

function leftFault(): Fault {
  return new Fault("shutting_down", "Holdfast is shutting down.");
}
