// The person's own codex (not the demo's), for whatever is asked of it that belongs to no workspace.

import type { Clock } from "../clock";
import type { Connection } from "../supervisor/connection";
import type { Sessions } from "../supervisor/sessions";
import type { Workspaces } from "../workspaces/workspaces";
import { lobbyId } from "./workspaceSessions";

/** At the start the windows say what they show soon: a codex of its own for the account would be one too many. */
const ownSessionMs = 4_000;

interface Places {
  workspaces: Workspaces;
  sessions: Sessions;
}

export class OwnCodex {
  readonly #places: Places;
  /** A session of the person's own is being started or adopted; or none was for so long that none may be. */
  readonly #begun: Promise<void>;
  #begin: () => void = () => {};
  /** The one that was started last knows codex's configuration as it is now; the others as it was when they were started. */
  #newest: string | null = null;

  constructor(places: Places, clock: Clock) {
    this.#places = places;
    this.#begun = new Promise((resolve) => {
      this.#begin = resolve;
      clock.after(ownSessionMs, resolve);
    });
  }

  /** A session of the person's own is being started or adopted. */
  begins(workspaceId: string): void {
    this.#newest = workspaceId;
    this.#begin();
  }

  /** Whatever its folder; started if there is none. */
  async connection(): Promise<Connection> {
    const { workspaces, sessions } = this.#places;
    const own = workspaces.list().flatMap(({ id, demo }) => (demo ? [] : [id]));
    if (own.length > 0) await this.#begun;
    const newestFirst = [...own].sort((a, b) => Number(b === this.#newest) - Number(a === this.#newest));
    const live = sessions.anyConnection([lobbyId, ...newestFirst]);
    if (live) return live;
    const starting = own.find((id) => sessions.state(id)?.phase === "starting");
    const started = starting && (await sessions.need(starting).catch(() => null));
    return started || sessions.need(lobbyId);
  }
}
