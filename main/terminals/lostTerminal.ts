// A terminal of an earlier run that went away while it was open. All that there is of it is what was run, and where.

import type { TerminalPlace as PlaceName } from "../../preload/contract/terminals";
import { Fault } from "../fault";
import type { TerminalPlace } from "./place";

export interface LostTerminal {
  place: PlaceName;
  command: string | null;
  cwd: string;
  startedAtMs: number;
}

/** Where nothing starts, since it is lost already. */
export const lostPlace: TerminalPlace = {
  async start(_request, tell) {
    const fault = new Fault("holdfast_went_away", "Holdfast went away while it ran.", {
      hint: "What still runs of it is ended; what it has printed is not kept.",
    });
    tell({ type: "lost", fault });
    throw fault;
  },
};
