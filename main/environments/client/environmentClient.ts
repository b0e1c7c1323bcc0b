// Performs what the environment's machine decides, and tells it what came of it. One object for each environment, for as long
// as there is that environment: sessions, connections and executors come and go behind it.
//
// Who promises what:
// - What is cancelled is over at once: its answer is not told, and a connection that it still makes is closed.
// - Events are taken one after another, each with all its effects, also those that come of an effect; so a session that is
//   ended has failed all that was asked of it before anybody hears of the one in its place.
// - A connection that is lost before its session is in use makes the attempt fail, since nobody would hear of it later.
// - Every caller gets an answer: each lookup, connection and probe has a deadline below this file, a recovery has one here, and
//   who still waits at the end is told so.

import type { Timer } from "../../clock";
import { asFault, type Fault } from "../../fault";
import { decide } from "./environmentMachine";
import {
  type ConnectionState,
  connectionStateOf,
  type EnvironmentEffect,
  type EnvironmentEvent,
  newEnvironment,
  type Startup,
} from "./environmentState";
import { EnvironmentWork, type EnvironmentWorkOptions } from "./environmentWork";
import type { ExecutorSession } from "./executorSession";
import { sameConnectionState } from "./sameConnectionState";
import { recoveryMs } from "./sessionRecovery";

export interface EnvironmentClientOptions extends EnvironmentWorkOptions {
  /** From 0 up to 1, for jitter. */
  random: () => number;
  onState(state: ConnectionState): void;
}

interface Caller<Value> {
  resolve(value: Value): void;
  reject(fault: Fault): void;
}

const firstRetryMs = 100;
const lastRetryMs = 2_000;

export class EnvironmentClient {
  readonly #options: EnvironmentClientOptions;
  #state = newEnvironment;
  #shown: ConnectionState = connectionStateOf(newEnvironment);
  #lastCaller = 0;
  readonly #inbox: EnvironmentEvent[] = [];
  #isTaking = false;
  readonly #sessions = new Map<number, ExecutorSession>();
  readonly #gets = new Map<number, Caller<ExecutorSession>>();
  readonly #refreshes = new Map<number, Caller<void>>();
  readonly #work: EnvironmentWork;
  /** Of the recovery that is under way. */
  #timers: Timer[] = [];

  constructor(options: EnvironmentClientOptions) {
    this.#options = options;
    this.#work = new EnvironmentWork(options, (event) => this.#happens(event));
  }

  get state(): ConnectionState {
    return this.#shown;
  }

  get startup(): Startup {
    return this.#state.startup;
  }

  /** The session in use, connected to if need be. Rejects with the Fault that says why there is none. */
  get(): Promise<ExecutorSession> {
    return this.#ask(this.#gets, (caller) => ({ type: "get", caller }));
  }

  /** To be asked for after the registry has learnt of a replacement. Resolves when the executor itself has answered. */
  refresh(): Promise<void> {
    return this.#ask(this.#refreshes, (caller) => ({ type: "refresh", caller }));
  }

  /** Ends the session, and whatever is under way; the next who needs one connects anew. */
  letGo(): void {
    this.#happens({ type: "letGo" });
  }

  /** Ends the session; nothing is connected to any more. */
  close(): void {
    this.#happens({ type: "close" });
  }

  /** The session, if there is one, also while it is being recovered. */
  get current(): ExecutorSession | null {
    const { session } = this.#state;
    return session === null || session.phase.name === "ended"
      ? null
      : (this.#sessions.get(session.id) ?? null);
  }

  #ask<Value>(
    callers: Map<number, Caller<Value>>,
    eventFor: (caller: number) => EnvironmentEvent,
  ): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.#lastCaller += 1;
      callers.set(this.#lastCaller, { resolve, reject });
      this.#happens(eventFor(this.#lastCaller));
    });
  }

  #happens(event: EnvironmentEvent): void {
    this.#inbox.push(event);
    if (this.#isTaking) return;
    this.#isTaking = true;
    try {
      for (let next = this.#inbox.shift(); next; next = this.#inbox.shift()) {
        const [state, effects] = decide(this.#state, next);
        this.#state = state;
        for (const effect of effects) this.#perform(effect);
        this.#show();
      }
    } finally {
      this.#isTaking = false;
    }
  }

  #show(): void {
    const state = connectionStateOf(this.#state);
    if (sameConnectionState(state, this.#shown)) return;
    this.#shown = state;
    const { log, environmentId } = this.#options;
    log.info("environment", { environmentId, phase: state.phase, fault: faultOf(state)?.code });
    try {
      this.#options.onState(state);
    } catch (error) {
      log.error("who watches an environment failed", { error: asFault(error).message });
    }
  }

  #perform(effect: EnvironmentEffect): void {
    switch (effect.type) {
      case "lookUp":
        void this.#work.lookUp(effect.lookup, effect.resuming ?? null);
        return;
      case "connect":
        void this.#work.connect(effect.attempt, effect.target, (session) =>
          this.#sessions.set(effect.attempt, session),
        );
        return;
      case "resume": {
        const session = this.#sessions.get(effect.session);
        if (session) void this.#work.resume(effect, session);
        return;
      }
      case "cancelLookup":
        this.#work.cancel(effect.lookup);
        return;
      case "cancelConnect":
        this.#work.cancel(effect.attempt);
        return;
      case "cancelResume":
        this.#work.cancel(effect.connection);
        return;
      case "suspend":
        this.#sessions.get(effect.session)?.suspend();
        return;
      case "use": {
        const client = this.#work.takeResumed(effect.connection);
        if (client) this.#sessions.get(effect.session)?.use(client);
        return;
      }
      case "limitRecovery":
        this.#after(recoveryMs, { ...effect, type: "recoveryDue" });
        return;
      case "retryLater":
        this.#after(this.#pauseMs(effect.attempt), { ...effect, type: "retryDue" });
        return;
      case "stopTimers":
        for (const timer of this.#timers) timer.cancel();
        this.#timers = [];
        return;
      case "end":
        this.#sessions.get(effect.session)?.end(effect.fault);
        this.#sessions.delete(effect.session);
        return;
      case "probe":
        void this.#probe(effect.session);
        return;
      case "give": {
        const session = this.#sessions.get(effect.session);
        for (const caller of effect.callers) if (session) take(this.#gets, caller)?.resolve(session);
        return;
      }
      case "refuse":
        for (const caller of effect.callers) take(this.#gets, caller)?.reject(effect.fault);
        return;
      case "refreshed": {
        const caller = take(this.#refreshes, effect.caller);
        if (effect.fault === null) caller?.resolve();
        else caller?.reject(effect.fault);
        return;
      }
      default:
        effect satisfies never;
    }
  }

  async #probe(session: number): Promise<void> {
    let fault: Fault | null = null;
    try {
      await this.#sessions.get(session)?.calls.probe();
    } catch (error) {
      fault = asFault(error);
    }
    this.#happens({ type: "probed", session, fault });
  }

  #after(delayMs: number, event: EnvironmentEvent): void {
    this.#timers.push(this.#options.clock.after(delayMs, () => this.#happens(event)));
  }

  /** From half to the whole of a doubling pause, so that not everybody who was cut off comes back at once. */
  #pauseMs(attempt: number): number {
    const longestMs = Math.min(firstRetryMs * 2 ** (attempt - 1), lastRetryMs);
    return longestMs * (0.5 + this.#options.random() / 2);
  }
}

function faultOf(state: ConnectionState): Fault | null {
  return "fault" in state ? state.fault : null;
}

function take<Value>(callers: Map<number, Caller<Value>>, id: number): Caller<Value> | undefined {
  const caller = callers.get(id);
  callers.delete(id);
  return caller;
}
