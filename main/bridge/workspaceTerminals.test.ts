import { expect, it } from "vitest";
import type { TerminalRow } from "../../preload/contract/terminals";
import { openTerminalsOf, terminalsRunFault } from "./workspaceTerminals";

function terminal(place: TerminalRow["place"], state: TerminalRow["state"]): TerminalRow {
  return {
    terminalId: state,
    place,
    command: null,
    name: null,
    title: null,
    cwd: null,
    state,
    exitCode: null,
    ending: false,
    fault: null,
    startedAtMs: 0,
    endedAtMs: null,
    columns: 80,
    rows: 24,
    resizable: true,
  };
}

it("what would end terminals says how many run there, and says nothing when none does", () => {
  const here = { kind: "workspace", workspaceId: "atlas" } as const;
  const rows = [
    terminal(here, "running"),
    terminal(here, "starting"),
    terminal(here, "ended"),
    terminal({ kind: "workspace", workspaceId: "other" }, "running"),
    terminal({ kind: "environment", environmentId: "atlas" }, "running"),
  ];
  expect(openTerminalsOf(rows, "atlas").map(({ state }) => state)).toEqual(["running", "starting"]);
  expect(terminalsRunFault(rows, "atlas", "Close them.")).toMatchObject({
    code: "terminals_run",
    message: "2 terminals run in this workspace.",
    hint: "Close them.",
  });
  expect(terminalsRunFault(rows, "other", "")?.message).toBe("A terminal runs in this workspace.");
  expect(terminalsRunFault(rows, "none", "")).toBeNull();
});
