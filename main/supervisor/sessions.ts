// All sessions: one for each workspace and its launch profile. They share nothing but this map, so that one that hangs
// delays no other.
//
// Races settled here:
// - A session is needed while what an earlier run left is still being found out. It waits for that (`ready`), so that a process
//   that lives is adopted before anybody could start another.
// - It is closed while somebody who needs it waits so: the close waits as well, and comes after them. Nobody waits any longer
//   than that, so that what was wished last counts.

import { asFault, Fault } from "../fault";
import type { Connection } from "./connection";
import type { SessionState } from "./sessionState";
import { type SessionOptions, type SessionProcess, SupervisedSession } from "./supervisedSession";

const probeDeadlineMs = 5_000;

export interface SessionsOptions {
  make(workspaceId: string): SessionOptions;
  /** Resolves when it is known what an earlier run has left. Never rejects. */
  ready: Promise<void>;
}

export class Sessions {
  readonly #sessions = new Map<string, SupervisedSession>();
  readonly #options: SessionsOptions;
  #isReady = false;
  /** Why nothing starts any more. */
  #closing: Fault | null = null;

  constructor(options: SessionsOptions) {
    this.#options = options;
    void options.ready.then(() => {
      this.#isReady = true;
    });
  }

  /** Null: this workspace has had no session since the app started. */
  state(workspaceId: string): SessionState | null {
    return this.#sessions.get(workspaceId)?.state ?? null;
  }

  connection(workspaceId: string): Connection | null {
    return this.#sessions.get(workspaceId)?.connection ?? null;
  }

  /** Any live connection of these workspaces, without starting anything. */
  anyConnection(workspaceIds: string[]): Connection | null {
    for (const id of workspaceIds) {
      const connection = this.connection(id);
      if (connection) return connection;
    }
    return null;
  }

  /** Those with a connection that can be used. */
  get live(): string[] {
    return [...this.#sessions].flatMap(([id, session]) => (session.connection ? [id] : []));
  }

  async need(workspaceId: string): Promise<Connection> {
    if (!this.#isReady) await this.#options.ready;
    return this.#session(workspaceId).need();
  }

  /** As `need`, by hand: also when it has died so often that it is not started by itself any more. */
  async needByHand(workspaceId: string): Promise<Connection> {
    if (!this.#isReady) await this.#options.ready;
    const session = this.#session(workspaceId);
    return session.connection ? session.need() : session.restart();
  }

  /** A new process takes the place of a live one only when it has fully answered; else the old one is ended first. */
  async restart(workspaceId: string): Promise<Connection> {
    if (!this.#isReady) await this.#options.ready;
    const session = this.#session(workspaceId);
    return session.connection ? session.replace() : session.restart();
  }

  /** What an earlier run could not end. To be called before the session is used. */
  restore(workspaceId: string, retired: { process: SessionProcess; fault: Fault }[]): void {
    if (this.#sessions.has(workspaceId)) throw new Error(`the session of ${workspaceId} is in use already`);
    this.#sessions.set(workspaceId, new SupervisedSession(this.#options.make(workspaceId), retired));
  }

  /** A living process of an earlier run. Rejects when it cannot be used; it is closed then. */
  async adopt(workspaceId: string, process: SessionProcess): Promise<Connection> {
    return this.#session(workspaceId).adopt(process);
  }

  /** One more attempt at a handle whose close has failed. Undefined: no session owns it. */
  clean(handleId: string): Promise<Fault | null> | undefined {
    return [...this.#sessions.values()].find((session) => session.owns(handleId))?.clean(handleId);
  }

  /** Asks a live connection something cheap; one that does not answer is given up and made anew. */
  probe(workspaceId: string): void {
    const connection = this.connection(workspaceId);
    connection?.client
      .request("thread/loaded/list", {}, { deadlineMs: probeDeadlineMs })
      .catch((error: unknown) => {
        // Whatever else it says, it has answered, or its connection is closed already.
        if (asFault(error).code === "deadline") connection.client.close();
      });
  }

  /** Null: nothing of its process is left. */
  async close(workspaceId: string): Promise<Fault | null> {
    if (!this.#isReady) await this.#options.ready;
    return (await this.#sessions.get(workspaceId)?.close(false)) ?? null;
  }

  /**
   * Nothing starts afterwards; `why` is said to whoever wants one. The sessions that `keeps` names are left as they are, their processes running; of all others
   * everything is closed, with what is retired. Each close is bounded.
   */
  async closeAll(
    keeps: (workspaceId: string) => boolean,
    why = new Fault("shutting_down", "Holdfast is shutting down."),
  ): Promise<void> {
    this.#closing = why;
    await Promise.all(
      [...this.#sessions].map(async ([workspaceId, session]) => {
        if (keeps(workspaceId)) session.leave();
        else await session.close(true);
      }),
    );
  }

  #session(workspaceId: string): SupervisedSession {
    if (this.#closing) throw this.#closing;
    let session = this.#sessions.get(workspaceId);
    if (!session) {
      session = new SupervisedSession(this.#options.make(workspaceId));
      this.#sessions.set(workspaceId, session);
    }
    return session;
  }
}
