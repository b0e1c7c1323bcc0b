// A process table for many trees that are ended at once: reading all of the system's processes for each of them, time and again,
// would take longer than their endings. Searches that are asked for together are one search.
//
// Race: a search is asked for while one is under way, which may have passed what is to be found by it. So it joins the next one,
// together with all others that have come by then.

import type { ProcessRow, ProcessTable } from "./processTable";

export function sharedSearches(table: ProcessTable): ProcessTable {
  const lists = new Rounds(() => table.listProcesses());
  const values = new Map<string, Rounds<readonly ProcessRow[], Map<number, string>>>();
  const valuesOf = (name: string, rows: readonly ProcessRow[]) => {
    const known = values.get(name);
    const rounds =
      known ??
      new Rounds((asked: readonly (readonly ProcessRow[])[]) => {
        const byPid = new Map(asked.flat().map((row) => [row.pid, row]));
        return table.valuesOf(name, [...byPid.values()]);
      });
    if (known === undefined) values.set(name, rounds);
    return rounds.ask(rows);
  };
  return {
    ...table,
    listProcesses: () => lists.ask(undefined),
    valuesOf,
    async markedWith({ name, value }, rows) {
      const found = await valuesOf(name, rows);
      return new Set(rows.flatMap(({ pid }) => (found.get(pid) === value ? [pid] : [])));
    },
  };
}

class Rounds<Asked, Answer> {
  readonly #run: (asked: readonly Asked[]) => Promise<Answer>;
  #running: Promise<unknown> = Promise.resolve();
  #next: { asked: Asked[]; answer: Promise<Answer> } | null = null;

  constructor(run: (asked: readonly Asked[]) => Promise<Answer>) {
    this.#run = run;
  }

  /** The answer of a round that begins after this. */
  ask(asked: Asked): Promise<Answer> {
    if (this.#next !== null) {
      this.#next.asked.push(asked);
      return this.#next.answer;
    }
    const all = [asked];
    const begin = () => {
      this.#next = null;
      return this.#run(all);
    };
    // Whether the one before has failed is no matter.
    const answer = this.#running.then(begin, begin);
    this.#running = answer;
    this.#next = { asked: all, answer };
    return answer;
  }
}
