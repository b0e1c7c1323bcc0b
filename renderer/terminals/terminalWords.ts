// A terminal in words: its name in the list, and how it stands. Pure.

import type { TerminalRow } from "../../preload/contract/terminals";
import type { DotTone } from "../ui/StatusDot";

/** By id: what the person calls it, what it says that it is, what was run, and shells by their number. */
export function terminalNames(rows: readonly TerminalRow[]): Map<string, string> {
  const names = new Map<string, string>();
  let shells = 0;
  for (const { terminalId, command, name, title } of rows) {
    if (command === null) shells += 1;
    const shell = shells === 1 ? "Shell" : `Shell ${shells}`;
    names.set(terminalId, name ?? title ?? (command === null ? shell : oneLine(command)));
  }
  return names;
}

function oneLine(command: string): string {
  const [first = "", ...rest] = command.trim().split("\n");
  return rest.length === 0 ? first : `${first} …`;
}

export interface TerminalLook {
  tone: DotTone;
  /** For the list. */
  word: string;
  /** For the one that is shown. */
  words: string;
}

/** `isReconnecting`: its environment has lost its connection, and is being connected to again. */
export function terminalLook(row: TerminalRow, isReconnecting = false): TerminalLook {
  const { state, exitCode, fault, ending } = row;
  switch (state) {
    case "starting":
      return ending
        ? { tone: "busy", word: "ending…", words: "It is ended as soon as it has started" }
        : { tone: "busy", word: "starting…", words: "Starting…" };
    case "running":
      if (ending) return { tone: "busy", word: "ending…", words: "Ending…" };
      if (isReconnecting) {
        return {
          tone: "warn",
          word: "reconnecting…",
          words: "Reconnecting: what it prints comes when it is connected again",
        };
      }
      return exitCode === null
        ? { tone: "ok", word: "running", words: "Running" }
        : {
            tone: "ok",
            word: `ended with ${exitCode}`,
            words: `Ended with ${exitCode}; what it has started still runs`,
          };
    case "ended": {
      const words = exitCode === null ? "ended" : `ended with ${exitCode}`;
      return { tone: exitCode === 0 ? "idle" : "warn", word: words, words: capital(words) };
    }
    case "lost":
      return { tone: "bad", word: "lost", words: `Lost: ${fault?.message ?? "nobody knows why"}` };
    case "failed":
      return {
        tone: "bad",
        word: "not started",
        words: `Not started: ${fault?.message ?? "nobody knows why"}`,
      };
    default:
      return state satisfies never;
  }
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function isOver({ state }: TerminalRow): boolean {
  return state === "ended" || state === "lost" || state === "failed";
}

/** Said where there is room beside the size. */
export function sizeWords({ columns, rows }: TerminalRow): string {
  return `${columns} columns, ${rows} rows: an exec-server's terminals have one size`;
}
