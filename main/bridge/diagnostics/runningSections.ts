// What runs: sessions, processes, threads, environments, terminals, and what is owed. Pure.

import type { HandleFacts, RawDiagnostics, SessionFacts } from "./rawDiagnostics";
import { bytesWords, facts, modeWords, ofPart, type Section, timeWords, unknownHere } from "./section";

export function runningSections(raw: RawDiagnostics): Section[] {
  return [
    ofPart(raw.sessions, { id: "sessions", title: "Sessions" }, (sessions) => ({
      note: sessions.length === 0 ? "No session was started." : null,
      texts: sessions.map((session) => ({ title: session.workspace, text: sessionText(session) })),
    })),
    ofPart(raw.handles, { id: "processes", title: "Processes that Holdfast owns" }, (handles) => ({
      note: handles.length === 0 ? "None." : null,
      table: handles.length === 0 ? null : handleTable(handles),
    })),
    watchdog(raw),
    {
      id: "cleanups",
      title: "Pending cleanup",
      note: raw.cleanups.length === 0 ? "Nothing is owed." : null,
      texts: raw.cleanups.map((cleanup) => ({
        title: cleanup.title,
        text: [
          cleanup.reason,
          `since ${timeWords(cleanup.sinceMs)}, ${cleanup.attempts} attempts, next ${timeWords(cleanup.nextAttemptAtMs)}`,
          cleanup.fault ? `${cleanup.fault.code}: ${cleanup.fault.message}` : "",
          cleanup.fault?.detail ?? "",
        ]
          .filter((line) => line !== "")
          .join("\n"),
      })),
    },
    ofPart(raw.threads, { id: "threads", title: "Threads in memory" }, (threads) => ({
      note: threads.length === 0 ? "None." : null,
      table:
        threads.length === 0
          ? null
          : {
              columns: ["Thread", "Workspace", "State", "Residency", "Windows", "Turns held"],
              rows: threads.map((thread) => [
                thread.threadId,
                thread.workspaceId,
                thread.state,
                thread.residency,
                String(thread.subscribers),
                String(thread.turns),
              ]),
            },
    })),
    environments(raw),
    terminals(raw),
  ];
}

function sessionText({ state, fault, process, gauges }: SessionFacts): string {
  const lines = facts([
    ["state", state],
    ["fault", fault],
    ["pid", process?.pid],
    ["handle", process?.handleId],
    ["started", process ? timeWords(process.startedAtMs) : null],
    ["codex", process?.codexVersion],
    ["codex home", process?.codexHome],
    ["memory", process ? bytesWords(process.residentBytes) : null],
    ["socket", process && (process.socket ? process.socket.path : "none: it ends with Holdfast")],
    ["socket mode", process?.socket && modeWords(process.socket.mode)],
    ["log", process?.logPath],
    ["codex's own count", process && (gauges ? gaugeWords(gauges) : "it did not say")],
  ]);
  return lines.map(({ name, value }) => `${name}: ${value}`).join("\n");
}

function gaugeWords(gauges: readonly { name: string; value: number }[]): string {
  return gauges.map(({ name, value }) => `${name} ${value}`).join(", ") || "nothing";
}

function handleTable(handles: readonly HandleFacts[]) {
  return {
    columns: ["Process", "What", "State", "Lives", "Memory", "Started", "Workspace", "Handle", "Command"],
    rows: handles.map((handle) => [
      handle.pid === null ? "unknown" : String(handle.pid),
      handle.profileId,
      handle.state,
      handle.alive === null ? unknownHere : handle.alive ? "yes" : "no",
      bytesWords(handle.residentBytes),
      timeWords(handle.startedAtMs ?? handle.intendedAtMs),
      handle.workspaceId,
      handle.handleId,
      handle.command,
    ]),
  };
}

function watchdog({ handles }: RawDiagnostics): Section {
  const section = { id: "watchdog", title: "Watchdog" };
  return ofPart(handles, section, (all) => {
    const own = all.filter(({ profileId }) => profileId === "watchdog");
    const current = own.at(-1);
    if (!current) return { note: "It is started with the first session." };
    return {
      facts: facts([
        ["Process", current.pid],
        ["State", current.state],
        ["Lives", current.alive === null ? unknownHere : current.alive ? "yes" : "no"],
        ["Started", timeWords(current.startedAtMs)],
        ["Memory", bytesWords(current.residentBytes)],
        ["Log", current.logPath],
      ]),
    };
  });
}

function environments({ environments: all }: RawDiagnostics): Section {
  return {
    id: "environments",
    title: "Environments and exec-servers",
    note: all.length === 0 ? "None is set." : null,
    table:
      all.length === 0
        ? null
        : {
            columns: ["Environment", "Kind", "Connection", "Exec-server", "Version", "Last check", "Trouble"],
            rows: all.map(({ environmentId, registry, connection, server, info, check }) => [
              environmentId,
              registry.kind,
              connection.state,
              server === null
                ? "elsewhere"
                : "pid" in server && server.pid !== null
                  ? `${server.state}, process ${server.pid}`
                  : server.state,
              info?.version ?? "unknown",
              check === null ? "never" : timeWords(check.atMs),
              ("fault" in connection ? connection.fault?.message : null) ?? check?.fault?.message ?? "",
            ]),
          },
  };
}

function terminals({ terminals: all }: RawDiagnostics): Section {
  return {
    id: "terminals",
    title: "Terminals",
    note: all.length === 0 ? "None is open." : null,
    table:
      all.length === 0
        ? null
        : {
            columns: ["Terminal", "Where", "State", "Exit code", "Started"],
            rows: all.map((terminal) => [
              terminal.terminalId,
              placeWords(terminal.place),
              terminal.state,
              terminal.exitCode === null ? "" : String(terminal.exitCode),
              timeWords(terminal.startedAtMs),
            ]),
          },
  };
}

/** Whatever kinds of places there are. */
function placeWords(place: Record<string, unknown>): string {
  return Object.values(place).map(String).join(" ");
}
