// What it runs on: versions, codex's file, the login shell, the ledger, windows, files, settings, the log. Pure.

import type { RawDiagnostics } from "./rawDiagnostics";
import { bytesWords, facts, ofPart, type Section, timeWords, unknownHere } from "./section";

export function systemSections(raw: RawDiagnostics): Section[] {
  return [
    {
      id: "versions",
      title: "Versions",
      facts: [
        ...facts(Object.entries(raw.versions)),
        ...facts([
          ["Process", raw.main.pid],
          ["Started", timeWords(raw.main.startedAtMs)],
          ["Memory", bytesWords(raw.main.residentBytes)],
          ["Data folder", raw.main.home],
          ["Account", raw.account.state],
        ]),
      ],
    },
    codex(raw),
    login(raw),
    ledger(raw),
    {
      id: "windows",
      title: "Windows",
      table: {
        columns: ["Window", "State", "Page", "Workspace"],
        rows: raw.windows.map(({ id, state, page, workspaceId }) => [id, state, page, workspaceId ?? "none"]),
      },
    },
    ofPart(raw.resources, { id: "resources", title: "Open files and listeners" }, (resources) => ({
      facts: facts([
        ["Open files", resources.openFiles ?? unknownHere],
        ["Windows that are told of changes", resources.subscribers],
        [
          "What keeps the process busy",
          Object.entries(resources.active)
            .map(([kind, many]) => `${kind} ${many}`)
            .join(", ") || "nothing",
        ],
        ...resources.allowed.map(({ name, value }) => [name, value] as const),
      ]),
    })),
    { id: "limits", title: "Limits", facts: raw.limits },
    folders(raw),
    {
      id: "settings",
      title: "Settings",
      texts: [{ title: "As they hold now", text: JSON.stringify(raw.settings, null, 2) }],
    },
    {
      id: "variables",
      title: "Environment variables that matter",
      note: Object.keys(raw.main.variables).length === 0 ? "None is set." : null,
      facts: facts(Object.entries(raw.main.variables)),
    },
    ofPart(raw.log, { id: "log", title: "Last errors and warnings" }, ({ path, bytes, problems, more }) => ({
      note: problems.length === 0 ? "There is none in the newest part of the log." : null,
      facts: facts([
        ["Log", path],
        ["Size", bytesWords(bytes)],
        ["Not shown", more > 0 ? `${more} older ones` : null],
      ]),
      texts: problems.map(({ at, level, text }) => ({
        title: `${level === "error" ? "Error" : "Warning"}, ${at}`,
        text,
      })),
    })),
  ];
}

function codex({ codex: view, binary }: RawDiagnostics): Section {
  const tried = view.state === "searching" ? [] : view.tried;
  return {
    id: "codex",
    title: "codex",
    note: view.state === "searching" ? "It is being looked for." : null,
    facts: facts([
      ["Version", view.state === "found" ? view.version : null],
      ["Path", view.state === "found" ? view.path : null],
      ["Found by", view.state === "found" ? view.origin : null],
      ["Why it cannot be used", view.state === "missing" ? view.fault.message : null],
      ["File", binaryWords(binary)],
    ]),
    table:
      tried.length === 0
        ? null
        : {
            columns: ["Looked in", "Place", "Outcome"],
            rows: tried.map(({ origin, place, outcome }) => [origin, place, outcome]),
          },
  };
}

function binaryWords(binary: RawDiagnostics["binary"]): string | null {
  if ("failed" in binary) return `could not be looked at: ${binary.failed}`;
  const { found, now } = binary.value;
  if (found === null) return null;
  const then = `${bytesWords(found.bytes)}, changed ${timeWords(found.modifiedAtMs)}`;
  if (now === null) return `gone since Holdfast found it (${then}). Check codex again.`;
  const isSame =
    now.bytes === found.bytes && now.modifiedAtMs === found.modifiedAtMs && now.inode === found.inode;
  return isSame
    ? `${then}; unchanged since Holdfast found it`
    : `changed on disk since Holdfast found it (${then}; now ${bytesWords(now.bytes)}, changed ${timeWords(now.modifiedAtMs)}). Check codex again, then restart the sessions.`;
}

const loginWords: Record<RawDiagnostics["login"]["kind"], string> = {
  login: "read from the login shell",
  own: "the one that Holdfast was started with",
  failed: "the login shell did not answer; the one that Holdfast was started with is used",
  unknown: "not read yet",
};

function login({ login: { kind, shell, tookMs, why, failures, path, names } }: RawDiagnostics): Section {
  return {
    id: "login",
    title: "Login environment",
    facts: facts([
      ["Environment", loginWords[kind]],
      ["Shell", shell],
      ["Took", tookMs === null ? null : `${Math.round(tookMs)} ms`],
      ["Why", why],
      ["Variables", names],
      ["PATH", path],
      ...failures.map((failure) => ["Tried", failure] as const),
    ]),
  };
}

function ledger({ ledger: part, ledgerCheck }: RawDiagnostics): Section {
  const check = ledgerCheck && [
    [
      "Integrity check",
      ledgerCheck.problems.length === 0
        ? `sound, ${timeWords(ledgerCheck.atMs)} (${Math.round(ledgerCheck.tookMs)} ms)`
        : `${ledgerCheck.problems.length} problems, ${timeWords(ledgerCheck.atMs)}`,
    ] as const,
  ];
  return ofPart(part, { id: "ledger", title: "Ledger" }, ({ path, bytes, walBytes, version, tables }) => ({
    facts: facts([
      ["Path", path],
      ["Size", bytesWords(bytes)],
      ["Write-ahead log", bytesWords(walBytes)],
      ["Version of its tables", version],
      ...(check ?? [["Integrity check", "not run since the start, which checks it briefly"] as const]),
    ]),
    table: { columns: ["Table", "Rows"], rows: tables.map(({ name, rows }) => [name, String(rows)]) },
    texts:
      ledgerCheck && ledgerCheck.problems.length > 0
        ? [{ title: "What is wrong with it", text: ledgerCheck.problems.join("\n") }]
        : [],
  }));
}

function folders({ folders: measured }: RawDiagnostics): Section {
  const section = { id: "folders", title: "Folders" };
  if (measured === null) return { ...section, note: "Not measured yet." };
  return {
    ...section,
    note: `Measured ${timeWords(measured.atMs)}.`,
    table: {
      columns: ["Folder", "Size", "Files"],
      rows: measured.sizes.map(({ name, bytes, files, incomplete }) => [
        name,
        `${bytesWords(bytes)}${incomplete ? " or more" : ""}`,
        String(files),
      ]),
    },
  };
}
