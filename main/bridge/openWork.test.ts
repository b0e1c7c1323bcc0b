import { expect, it } from "vitest";
import type { TerminalRow } from "../../preload/contract/terminals";
import type { Threads } from "../threads/threads";
import { openTerminals } from "./environmentUse";
import { openWork } from "./openWork";

const noThreads = { all: [] } as unknown as Threads;

function terminal(state: TerminalRow["state"], command: string | null): TerminalRow {
  return {
    terminalId: `${state} ${command}`,
    place: { kind: "environment", environmentId: "box" },
    command,
    cwd: null,
    state,
    exitCode: null,
    ending: false,
    fault: null,
    startedAtMs: 0,
    endedAtMs: null,
    name: null,
    title: null,
    resizable: false,
    columns: 80,
    rows: 24,
  };
}

it("what runs in terminals would be cut off, and what is over would not", () => {
  const work = (terminals: TerminalRow[]) =>
    openWork(noThreads, { scripts: [], terminals: openTerminals(terminals) }, () => true);
  const over = [terminal("ended", "ls"), terminal("lost", "make"), terminal("failed", "cd")];
  expect(work(over)).toBeNull();
  const open = [...over, terminal("running", "npm test"), terminal("starting", null)];
  expect(work(open)).toMatchObject({
    terminals: ["npm test", "a shell"],
    canKeep: false,
  });
});
