// The text of a whole thread in one of its forms, piece by piece: a beginning, then something for each turn, then an end.

import type { ExportFormat } from "../../../preload/contract/finding";
import type { Thread } from "../../codex/protocol/v2/Thread";
import type { Turn } from "../../codex/protocol/v2/Turn";
import { markdownHead, markdownTurn } from "./markdown";

export interface ThreadText {
  begin(thread: Thread, exportedAtMs: number): string;
  /** `number`: counted from 1. */
  turn(turn: Turn, number: number): string;
  end(): string;
}

export const threadTexts: Record<ExportFormat, ThreadText> = {
  markdown: {
    begin: markdownHead,
    turn: markdownTurn,
    end: () => "",
  },
  /** codex's own thread and turns, with all that they have. */
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
    turn: (turn, number) => `${number === 1 ? "" : ","}\n${JSON.stringify(turn, null, 2)}`,
    end: () => "\n  ]\n}\n",
  },
};
