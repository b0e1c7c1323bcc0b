import { describe, expect, it } from "vitest";
import type { TerminalRow } from "../../preload/contract/terminals";
import { terminalLook, terminalNames } from "./terminalWords";

const row = (more: Partial<TerminalRow> = {}): TerminalRow => ({
  terminalId: "a",
  place: { kind: "environment", environmentId: "box" },
  command: null,
  cwd: "/",
  state: "running",
  exitCode: null,
  ending: false,
  fault: null,
  startedAtMs: 0,
  endedAtMs: null,
  columns: 80,
  rows: 24,
  name: null,
  title: null,
  resizable: false,
  ...more,
});

it("while its environment is reconnecting, nobody says that it runs, nor anything else of one that is over", () => {
  expect(terminalLook(row(), true)).toEqual({
    tone: "warn",
    word: "reconnecting…",
    words: "Reconnecting: what it prints comes when it is connected again",
  });
  expect(terminalLook(row({ exitCode: 0 }), true).word).toBe("reconnecting…");
  for (const state of ["starting", "ended", "lost", "failed"] as const) {
    expect(terminalLook(row({ state }), true)).toEqual(terminalLook(row({ state })));
  }
});

describe("a terminal is called", () => {
  it("by what was run, on one line; shells by their number", () => {
    const rows = [
      row({ terminalId: "1" }),
      row({ terminalId: "2", command: "make\ntest" }),
      row({ terminalId: "3" }),
      row({ terminalId: "4", command: " ls " }),
    ];
    expect([...terminalNames(rows).values()]).toEqual(["Shell", "make …", "Shell 2", "ls"]);
  });
});

describe("how a terminal stands", () => {
  const fault = { code: "gone", message: "The executor was replaced.", retryable: false };

  it.each([
    [{ state: "starting" }, "Starting…"],
    [{ state: "starting", ending: true }, "It is ended as soon as it has started"],
    [{}, "Running"],
    [{ ending: true }, "Ending…"],
    [{ exitCode: 1 }, "Ended with 1; what it has started still runs"],
    [{ state: "ended", exitCode: 0 }, "Ended with 0"],
    [{ state: "ended" }, "Ended"],
    [{ state: "lost", fault }, "Lost: The executor was replaced."],
    [{ state: "failed", fault }, "Not started: The executor was replaced."],
  ] as [Partial<TerminalRow>, string][])("%o: %s", (more, words) => {
    expect(terminalLook(row(more)).words).toBe(words);
  });

  it("never by colour alone: what did not go well has another word, too", () => {
    expect(terminalLook(row({ state: "ended", exitCode: 0 }))).toMatchObject({
      tone: "idle",
      word: "ended with 0",
    });
    expect(terminalLook(row({ state: "ended", exitCode: 2 }))).toMatchObject({
      tone: "warn",
      word: "ended with 2",
    });
  });
});
