import { expect, it } from "vitest";
import type { TerminalRow } from "../../preload/contract/terminals";
import type { Threads } from "../threads/threads";
import { openTerminals } from "./environmentUse";
import { openWork } from "./openWork";

const settings = { threadUnloadMinutes: null, unattendedMinutes: 10 };
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
    openWork(noThreads, { scripts: [], terminals: openTerminals(terminals), settings }, () => true);
  const over = [terminal("ended", "ls"), terminal("lost", "make"), terminal("failed", "cd")];
  expect(work(over)).toBeNull();
  const open = [...over, terminal("running", "npm test"), terminal("starting", null)];
  expect(work(open)).toMatchObject({
    terminals: ["npm test", "a shell"],
    canKeep: false,
  });
});

it("commands that agents have left running can go on with their session, also when no turn runs", () => {
  const thread = (workspaceId: string, command: string) => ({
    workspaceId,
    state: {
      running: false,
      facts: {
        title: command,
        requests: [],
        followUps: { entries: [] },
        leftRunning: [{ itemId: command, key: null, command, processId: "1", stopping: false }],
      },
    },
  });
  const threads = { all: [thread("a", "npm run dev"), thread("demo", "make")] } as unknown as Threads;
  const others = { scripts: [], terminals: [] };
  const work = (changed: { threadUnloadMinutes?: number; unattendedMinutes?: number } = {}) =>
    openWork(threads, { ...others, settings: { ...settings, ...changed } }, (id) => id !== "demo");
  expect(work({ threadUnloadMinutes: 2 })?.keptMinutes, "codex unloads the thread before").toBe(2);
  expect(work({ unattendedMinutes: 60 })?.keptMinutes, "codex unloads it by itself").toBe(30);
  expect(work()).toEqual({
    running: [],
    waiting: [],
    queued: [],
    ...others,
    commands: ["make"],
    commandsToKeep: ["npm run dev"],
    keptMinutes: 10,
    endsWithApp: [],
    canKeep: true,
    kept: ["a"],
  });
});
