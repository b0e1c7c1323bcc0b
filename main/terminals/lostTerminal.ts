// A terminal of an earlier run that went away while it was open. What there is of it is what was run, and where, and
// perhaps the end of what it has printed.

import type { TerminalPlace as PlaceName } from "../../preload/contract/terminals";
import { Fault } from "../fault";
import type { TerminalPlace, TerminalSize } from "./place";

export interface LostTerminal {
  place: PlaceName;
  command: string | null;
  cwd: string;
  startedAtMs: number;
  /** The end of what it has printed; null: nobody has kept it. */
  output: Uint8Array | null;
  /** How large it was; null: nobody knows. */
  size: TerminalSize | null;
}

/** Where nothing starts, since it is lost already. */
export function lostPlace(output: Uint8Array | null): TerminalPlace {
  return {
    resizable: false,
    async start(_request, tell) {
      if (output !== null) tell({ type: "output", bytes: output });
      const kept =
        output === null ? "what it has printed is not kept" : "the end of what it has printed is kept";
      const fault = new Fault("holdfast_went_away", "Holdfast went away while it ran.", {
        hint: `What still runs of it is ended; ${kept}.`,
      });
      tell({ type: "lost", fault });
      throw fault;
    },
  };
}
