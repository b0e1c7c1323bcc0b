// Closes sessions that nothing has needed for a while. They come back by themselves on the next need; their threads are
// listed all the while.
//
// Race: a session is needed between the look and the close. The close comes first, and the need starts a new process after
// it: nothing that was needed is closed, because what keeps a session (see `isNeeded`) is true before its first request.

import type { Clock, Timer } from "../clock";

export interface IdleReleaseOptions {
  clock: Clock;
  /** 0: never. Read at each look, so that a change counts at once. */
  limitMs(): number;
  /** The sessions that have a process in use. */
  live(): string[];
  /** Something of it is loaded, shown or owed. */
  isNeeded(workspaceId: string): boolean;
  release(workspaceId: string): void;
}

const longestLookMs = 60_000;
const shortestLookMs = 500;

export class IdleRelease {
  readonly #options: IdleReleaseOptions;
  readonly #idleSinceMs = new Map<string, number>();
  #timer: Timer | null = null;

  constructor(options: IdleReleaseOptions) {
    this.#options = options;
    this.#later();
  }

  close(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }

  /** The settings have changed. */
  changed(): void {
    this.#timer?.cancel();
    this.#later();
  }

  /** The session that has been idle for longest, however long; null when every one is needed. */
  longestIdle(): string | null {
    this.#look();
    const [longest] = [...this.#idleSinceMs].sort(([, a], [, b]) => a - b);
    return longest?.[0] ?? null;
  }

  #later(): void {
    const limitMs = this.#options.limitMs();
    const lookMs = limitMs === 0 ? longestLookMs : Math.min(limitMs / 4, longestLookMs);
    this.#timer = this.#options.clock.after(Math.max(shortestLookMs, lookMs), () => {
      this.#look();
      this.#releaseIdle();
      this.#later();
    });
  }

  #look(): void {
    const { clock, live, isNeeded } = this.#options;
    const idle = live().filter((id) => !isNeeded(id));
    for (const id of this.#idleSinceMs.keys()) if (!idle.includes(id)) this.#idleSinceMs.delete(id);
    for (const id of idle) if (!this.#idleSinceMs.has(id)) this.#idleSinceMs.set(id, clock.nowMs());
  }

  #releaseIdle(): void {
    const { clock, limitMs, release } = this.#options;
    const limit = limitMs();
    if (limit === 0) return;
    for (const [id, sinceMs] of this.#idleSinceMs) {
      if (clock.nowMs() - sinceMs < limit) continue;
      this.#idleSinceMs.delete(id);
      release(id);
    }
  }
}
