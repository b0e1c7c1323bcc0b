// What to do when a window's page has crashed: load it again, unless it does nothing but crash.

export const crashWindowMs = 60_000;
export const crashesAllowed = 3;

export class CrashGuard {
  #crashesMs: number[] = [];

  /** "ask": it has crashed so often within a minute that loading it again by itself would only go round in circles. */
  crashed(nowMs: number): "reload" | "ask" {
    this.#crashesMs = this.#crashesMs.filter((atMs) => nowMs - atMs < crashWindowMs);
    this.#crashesMs.push(nowMs);
    return this.#crashesMs.length < crashesAllowed ? "reload" : "ask";
  }

  /** The person wants to try again. */
  reset(): void {
    this.#crashesMs = [];
  }
}
