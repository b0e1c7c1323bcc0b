// What is open on the page of cells at the moment, which nobody keeps.

import { create } from "zustand";

interface CellsStore {
  renaming: { scriptId: string; where: "list" | "head" } | null;
  /** In a page too narrow for it, the list lies over the rest. */
  listOver: boolean;
  /** The script that a run of is being started. */
  starting: string | null;
  /** A line that is to be shown in its script. `source`: the text in which it has that number. */
  asked: { scriptId: string; source: string; line: number; column: number } | null;
  /** The script whose text is to have the keyboard once it is there. */
  focusing: string | null;
}

export const cellsStore = create<CellsStore>(() => ({
  renaming: null,
  listOver: false,
  starting: null,
  asked: null,
  focusing: null,
}));
