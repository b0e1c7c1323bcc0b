// What each codex process has been told of environments. One process knows an environment by an id of ours, and never
// forgets it; it opens a connection of its own to it.
//
// codex goes on with an executor that it has for an id, whatever it is told of that id later. So a place has an id for as
// long as it is the same one (address, identity and token) and codex is connected to it; else it gets a new id.
//
// Races settled here:
// - Two threads of one process need the same place at once: it is added once, and both wait for that, and fail with it.
// - It is at another place by the time the answer comes: each use asks anew, and a thread takes what it was told.
// - codex has lost its executor, and may wait for it for longer than a turn can: it is added anew before a turn is begun.
// - A process goes while something is being added to it: what was added is forgotten with it.

import { createHash, randomUUID } from "node:crypto";
import { asFault, Fault } from "../../fault";
import type { Connection } from "../../supervisor/connection";
import { isUnknownMethod } from "../threadFaults";
import { notReachedFault, removedFault, unsupportedFault } from "./environmentFaults";
import type { EnvironmentSource } from "./environmentSource";

/** How long codex tries to connect. */
const connectTimeoutMs = 10_000;
/** For codex's word about it. */
const reachDeadlineMs = 20_000;

const idPrefix = "holdfast.";

interface Added {
  /** Under which id codex has it; rejects when codex could not connect to it. */
  id: Promise<string>;
  /** codex has not answered yet. */
  isUnderWay: boolean;
}

/** The environment that codex knows by this id; null: it is none of ours. */
export function environmentOf(codexId: string): string | null {
  if (!codexId.startsWith(idPrefix)) return null;
  return codexId.slice(idPrefix.length, codexId.lastIndexOf("."));
}

export class CodexEnvironments {
  readonly #source: EnvironmentSource;
  /** By process and place. */
  readonly #added = new Map<string, Map<string, Added>>();

  constructor(source: EnvironmentSource) {
    this.#source = source;
  }

  /**
   * Asks where the environment is now and has this codex connect to it there. Returns the id by which this codex knows it.
   * Rejects with the Fault that says why nothing can run there; nothing was begun then.
   */
  async reach(connection: Connection, environmentId: string): Promise<string> {
    if (this.#source.name(environmentId) === null) throw removedFault();
    const { url, identity, token } = await this.#source.locate(environmentId);
    const place = JSON.stringify([environmentId, url, identity, token && digest(token.reveal())]);
    const known = this.#of(connection).get(place);
    if (known?.isUnderWay) return known.id;
    if (known) {
      const codexId = await known.id.catch(() => null);
      if (codexId !== null && (await this.#isConnected(connection, environmentId, codexId))) return codexId;
    }
    const added = this.#of(connection);
    // Another thread may have added it anew meanwhile.
    const current = added.get(place);
    if (current && current !== known) return current.id;
    const adding = { id: this.#add(connection, environmentId, url, token), isUnderWay: true };
    added.set(place, adding);
    try {
      return await adding.id;
    } catch (error) {
      if (added.get(place) === adding) added.delete(place);
      throw error;
    } finally {
      adding.isUnderWay = false;
    }
  }

  /** The process has ended. */
  forget(handleId: string): void {
    this.#added.delete(handleId);
  }

  #of({ handleId }: Connection): Map<string, Added> {
    const known = this.#added.get(handleId);
    if (known) return known;
    const added = new Map<string, Added>();
    this.#added.set(handleId, added);
    return added;
  }

  async #isConnected(connection: Connection, environmentId: string, codexId: string): Promise<boolean> {
    const params = { environmentId: codexId };
    try {
      const { status } = await connection.client.request("environment/status", params);
      return status === "ready";
    } catch (error) {
      throw this.#faultOf(environmentId, error);
    }
  }

  async #add(
    connection: Connection,
    environmentId: string,
    url: string,
    token: { reveal(): string } | null,
  ): Promise<string> {
    const { client } = connection;
    const codexId = `${idPrefix}${environmentId}.${randomUUID().slice(0, 8)}`;
    try {
      await client.request("environment/add", {
        environmentId: codexId,
        execServerUrl: url,
        connectTimeoutMs,
        ...(token && { authBearerToken: token.reveal() }),
      });
      // It is answered once codex is connected, and refused with the reason why it is not.
      await client.request("environment/info", { environmentId: codexId }, { deadlineMs: reachDeadlineMs });
      return codexId;
    } catch (error) {
      throw this.#faultOf(environmentId, error);
    }
  }

  /** Never one that says that a message may have been delivered: none was sent. */
  #faultOf(environmentId: string, error: unknown): Fault {
    const fault = asFault(error);
    if (isUnknownMethod(error)) return unsupportedFault(error);
    if (fault.code === "connection_lost") {
      return new Fault("connection_lost", fault.message, { retryable: true, cause: error });
    }
    return notReachedFault(this.#source.name(environmentId) ?? environmentId, fault.message, error);
  }
}

function digest(token: string): string {
  return createHash("sha256").update(token).digest("base64");
}
