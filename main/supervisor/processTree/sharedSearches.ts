// A process table for many trees that are ended at once: reading all of the system's processes for each of them, time and again,
// would take longer than their endings. Searches that are asked for together are one search.
//
// Race: a search is asked for while one is under way, which may have passed what is to be found by it. So it joins the next one,
// together with all others that have come by then.

import { markedWith } from "./markedWith";
import type { Marks, ProcessRow, ProcessTable } from "./processTable";

export function sharedSearches(table: ProcessTable): ProcessTable {
  const lists = new Rounds(() => table.listProcesses());
  const marks = new Map<string, Rounds<readonly ProcessRow[], Map<number, Marks>>>();
  const marksOf = (name: string, rows: readonly ProcessRow[]) => {
    const known = marks.get(name);
    const rounds =
      known ??
      new Rounds((asked: readonly (readonly ProcessRow[])[]) => {
        const byPid = new Map(asked.flat().map((row) => [row.pid, row]));
        return table.marksOf(name, [...byPid.values()]);
      });
    if (known === undefined) marks.set(name, rounds);
    return rounds.ask(rows);
  };
  return {
    ...table,
    listProcesses: () => lists.ask(undefined),
    marksOf,
    async markedWith({ name, value }, rows) {
      const found = await marksOf(name, rows);
      const own = rows.flatMap(({ pid }) => {
        const one = found.get(pid);
        return one ? [[pid, one] as const] : [];
      });
      return markedWith(value, new Map(own));
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
