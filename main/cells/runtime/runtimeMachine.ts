// All cells of one session as decisions: who is admitted, and when a shutdown is over. No I/O.
//
// Races settled here:
// - A cell is to be admitted while the runtime shuts down: it is refused. One that was admitted before, and has not even
//   begun, is ended like any other; none is in between.
// - Several shutdowns at once, or after a drop: all of them wait for the same last cell.
// - A cell ends by itself while it is being ended: it goes once.

import { Fault } from "../../fault";
import { type CellLimits, limitText } from "./limits";

export interface RuntimeState {
  isOpen: boolean;
  /** Those whose delegate has not returned from their end. */
  cells: ReadonlySet<string>;
  /** Those who wait for the end of all. */
  waiting: readonly number[];
}

export type RuntimeHappening =
  | { type: "execute"; cellId: string; limits: CellLimits }
  | { type: "cellGone"; cellId: string }
  /** Null: nobody waits for its end (a drop). */
  | { type: "shutdown"; id: number | null };

export type RuntimeEffect =
  | { type: "admit"; cellId: string }
  | { type: "refuse"; fault: Fault }
  | { type: "forsake"; cellId: string }
  | { type: "settle"; ids: readonly number[] };

export const openRuntime: RuntimeState = { isOpen: true, cells: new Set(), waiting: [] };

export function decideRuntime(
  runtime: RuntimeState,
  happening: RuntimeHappening,
): [RuntimeState, RuntimeEffect[]] {
  switch (happening.type) {
    case "execute": {
      const { cellId, limits } = happening;
      if (!runtime.isOpen) return refuse(runtime, shuttingDown());
      if (runtime.cells.size >= limits.cells) {
        return refuse(runtime, new Fault("too_many_cells", limitText("cells", limits)));
      }
      return [{ ...runtime, cells: new Set(runtime.cells).add(cellId) }, [{ type: "admit", cellId }]];
    }
    case "cellGone": {
      const cells = new Set(runtime.cells);
      cells.delete(happening.cellId);
      return settle({ ...runtime, cells });
    }
    case "shutdown": {
      const ended = runtime.isOpen ? [...runtime.cells] : [];
      const waiting = happening.id === null ? runtime.waiting : [...runtime.waiting, happening.id];
      const [settled, effects] = settle({ ...runtime, isOpen: false, waiting });
      return [settled, [...ended.map((cellId) => ({ type: "forsake", cellId }) as const), ...effects]];
    }
    default:
      return happening satisfies never;
  }
}

function settle(runtime: RuntimeState): [RuntimeState, RuntimeEffect[]] {
  if (runtime.cells.size > 0 || runtime.waiting.length === 0) return [runtime, []];
  return [{ ...runtime, waiting: [] }, [{ type: "settle", ids: runtime.waiting }]];
}

function refuse(runtime: RuntimeState, fault: Fault): [RuntimeState, RuntimeEffect[]] {
  return [runtime, [{ type: "refuse", fault }]];
}

function shuttingDown(): Fault {
  return new Fault("shutting_down", "No script can be started any more: this session is ending.");
}
