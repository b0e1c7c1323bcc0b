// How many turns codex is asked for at once. It counts turns, not bytes, and one command of its record may be megabytes long:
// what comes in one message has to be read in one go, which nothing else in main can interrupt. So a message has few turns,
// fewer where they are heavy, and more again behind them. Small ones cost codex next to nothing (3 ms each).

/** Of outputs of 5 MB that one follows the other, these are 25 MB: read within a tenth of a second. */
export const mostTurns = 5;
/** More than that is heavy. Commands that codex has run itself leave 64 KiB each. */
export const heavyUnits = 4 * 1024 * 1024;

export class PieceSize {
  #turns = mostTurns;

  get turns(): number {
    return this.#turns;
  }

  /** So many turns came, and were as long as this together. */
  heard(turns: number, units: number): void {
    const fit = Math.floor((heavyUnits * Math.max(1, turns)) / Math.max(1, units));
    this.#turns = Math.max(1, Math.min(fit, this.#turns * 2, mostTurns));
  }
}
