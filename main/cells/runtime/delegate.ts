// Whoever does for a cell what it asks for. The runtime knows no threads: it knows this.

import type { ToolArgs, ToolName, ToolResult } from "../tools/tools";

export interface CellDelegate {
  /**
   * Does one call. `args` has the shape that the tool's schema says. The result is anything that can be written as JSON; a
   * rejection reaches the script as an Error with its message. After `signal` nobody waits for it, and it should end soon.
   */
  call(cellId: string, name: ToolName, args: unknown, signal: AbortSignal): Promise<unknown>;
  /** Tells the person. The script goes on meanwhile; the cell completes when it has been told. */
  notify(cellId: string, text: string, signal: AbortSignal): Promise<void>;
  /** The cell has ended, and so has everything that it asked for. It counts as a cell until this has returned. */
  cellClosed(cellId: string): Promise<void>;
}

/** Who asks, and for how long. */
export interface Asked {
  cellId: string;
  signal: AbortSignal;
}

/** One function for each tool. */
export type ToolVerbs = {
  [Name in ToolName]: (args: ToolArgs<Name>, asked: Asked) => Promise<ToolResult<Name>>;
};

/** Does one call that has been checked against the schema of its tool. */
export function doCall(verbs: ToolVerbs, name: ToolName, args: unknown, asked: Asked): Promise<unknown> {
  const verb = verbs[name] as (args: unknown, asked: Asked) => Promise<unknown>;
  return verb(args, asked);
}
