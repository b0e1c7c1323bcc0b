import type { GridHunk, GridLine } from "./rows";

/** Something that can be done with a hunk, or with the lines of it that are chosen. */
export interface PartAction {
  id: "stage" | "unstage" | "discard";
  key: string;
  label: string;
  tone: "default" | "danger";
  run(hunk: GridHunk, lines: readonly GridLine[] | null): void;
}
