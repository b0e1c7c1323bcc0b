// The text of a whole thread in one of its forms, piece by piece: a beginning, then something for each turn, then an end.

import type { ExportFormat } from "../../../preload/contract/finding";
import type { Thread } from "../../codex/protocol/v2/Thread";
import type { Turn } from "../../codex/protocol/v2/Turn";
import type { KeptItem } from "../keptItem";
import { markdownHead, markdownTurn } from "./markdown";

export interface ThreadText {
  begin(thread: Thread, exportedAtMs: number): string;
  /** `number`: counted from 1. `kept`: what was heard of it and codex's record does not have. */
  turn(turn: Turn, number: number, kept: readonly KeptItem[]): string;
  end(): string;
}

export const threadTexts: Record<ExportFormat, ThreadText> = {
  markdown: {
    begin: markdownHead,
    turn: markdownTurn,
    end: () => "",
  },
  /** codex's own thread and turns, with all that they have; what only Holdfast has is in a field that says so. */
  json: {
    begin({ turns: _, ...thread }, exportedAtMs) {
      const head = {
        format: "holdfast-thread",
        version: 1,
        exportedAt: new Date(exportedAtMs).toISOString(),
      };
      const fields = JSON.stringify({ ...head, thread }, null, 2);
      return `${fields.slice(0, fields.lastIndexOf("\n}"))},\n  "turns": [`;
    },
    turn: (turn, number, kept) => {
      const notRecorded = kept.length === 0 ? {} : { notRecordedByCodex: kept.map(({ item }) => item) };
      return `${number === 1 ? "" : ","}\n${JSON.stringify({ ...turn, ...notRecorded }, null, 2)}`;
    },
    end: () => "\n  ]\n}\n",
  },
};
