// Pieces of one text that come together are handed over as one. A model says thousands of pieces a second, each goes through
// all parts of its thread, and none of them has more to do for a long piece than for a short one.
//
// Races settled here:
// - Anything else comes behind a piece: the piece is handed over first, so that the order of the wire holds for each thread.
// - Nothing comes behind it: it is handed over before anything else happens, at the end of the read that brought it. So it is
//   never late, and what waits is never more than one read.
// - Pieces of several texts come in turn: those of each are joined, in the order in which the texts came first.

type Params = Record<string, unknown>;

/** In each of them `delta` is text, and everything else says what it belongs to. */
const streamed = new Set([
  "item/agentMessage/delta",
  "item/plan/delta",
  "item/reasoning/summaryTextDelta",
  "item/reasoning/textDelta",
  "item/commandExecution/outputDelta",
]);

export class Pieces {
  readonly #handOver: (method: string, params: unknown) => void;
  readonly #atEndOfRead: (task: () => void) => void;
  #waiting = new Map<unknown, { method: string; params: Params }>();

  constructor(handOver: (method: string, params: unknown) => void, atEndOfRead: (task: () => void) => void) {
    this.#handOver = handOver;
    this.#atEndOfRead = atEndOfRead;
  }

  /** False: it is no piece of a text. `params` become this class's own. */
  take(method: string, params: unknown): boolean {
    if (!streamed.has(method) || typeof params !== "object" || params === null) return false;
    const piece = params as Params;
    if (typeof piece.delta !== "string") return false;
    const waiting = this.#waiting.get(piece.itemId);
    if (waiting && waiting.method === method && isOfSameText(waiting.params, piece)) {
      waiting.params.delta = `${waiting.params.delta}${piece.delta}`;
      return true;
    }
    if (waiting) this.flush();
    if (this.#waiting.size === 0) this.#atEndOfRead(() => this.flush());
    this.#waiting.set(piece.itemId, { method, params: piece });
    return true;
  }

  flush(): void {
    if (this.#waiting.size === 0) return;
    const waiting = this.#waiting;
    this.#waiting = new Map();
    for (const { method, params } of waiting.values()) this.#handOver(method, params);
  }
}

function isOfSameText(one: Params, other: Params): boolean {
  for (const name in other) {
    if (name !== "delta" && one[name] !== other[name]) return false;
  }
  return true;
}
