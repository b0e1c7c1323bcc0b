// All sessions: one for each workspace and its launch profile. They share nothing but this map, so that one that hangs
// delays no other.

import { Fault } from "../fault";
import type { Connection } from "./connection";
import type { SessionState } from "./sessionMachine";
import { type SessionOptions, SupervisedSession } from "./supervisedSession";

const probeDeadlineMs = 5_000;

export class Sessions {
  readonly #sessions = new Map<string, SupervisedSession>();
  readonly #make: (workspaceId: string) => SessionOptions;
  #closing = false;

  constructor(make: (workspaceId: string) => SessionOptions) {
    this.#make = make;
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

  async need(workspaceId: string): Promise<Connection> {
    return this.#session(workspaceId).need();
  }

  async restart(workspaceId: string): Promise<Connection> {
    return this.#session(workspaceId).restart();
  }

  /** Asks a live connection something cheap; one that does not answer is given up and made anew. */
  probe(workspaceId: string): void {
    const connection = this.connection(workspaceId);
    connection?.client.request("thread/loaded/list", {}, { deadlineMs: probeDeadlineMs }).catch(() => {
      connection.client.close();
    });
  }

  async close(workspaceId: string): Promise<void> {
    await this.#sessions.get(workspaceId)?.close();
  }

  /** Nothing starts afterwards. Resolves when every session is stopped; each close is bounded. */
  async closeAll(): Promise<void> {
    this.#closing = true;
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
  }

  #session(workspaceId: string): SupervisedSession {
    if (this.#closing) throw new Fault("shutting_down", "Holdfast is shutting down.");
    let session = this.#sessions.get(workspaceId);
    if (!session) {
      session = new SupervisedSession(this.#make(workspaceId));
      this.#sessions.set(workspaceId, session);
    }
    return session;
  }
}
