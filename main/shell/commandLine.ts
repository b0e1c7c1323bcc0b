// What was asked for on the command line: `holdfast [FOLDER]`, `--version`, `--help`.

import { resolve } from "node:path";

export type CommandLine =
  | { kind: "open"; folder: string | null; hidden: boolean }
  | { kind: "version" }
  | { kind: "help" }
  | { kind: "error"; message: string };

export const helpText = `Usage: holdfast [FOLDER]

Opens Holdfast, and FOLDER as a workspace in it.

Options:
  --hidden    open no window, if Holdfast is set to stay in the tray
  --version   print the version and exit
  --help      print this and exit

Environment:
  HOLDFAST_HOME    folder for all of Holdfast's own data
  HOLDFAST_CODEX   path of the codex binary
  CODEX_HOME       codex's own folder; passed on to codex
`;

/** Holdfast starts at login: where it stays in the tray, no window comes up. */
export const hiddenSwitch = "--hidden";

/** Switches that belong to Electron, Chromium or Node, which read them from the same command line. */
const foreignSwitches = [
  /^--(no-)?sandbox$/,
  /^--(disable|enable|force|use|ignore|allow|remote|inspect|ozone|gpu|gtk|proxy|host|trace|log|js|autoplay)(-[a-z0-9-]+)?(=.*)?$/,
  /^--(no-zygote|in-process-gpu|single-process|headless|incognito|lang|user-data-dir|password-store|class|test-type)(=.*)?$/,
  /^--(v|vmodule|debug|expose[-_]gc|no-first-run|no-default-browser-check|no-experiments|original-process-start-time)(=.*)?$/,
  /^--(secure|standard|cors|fetch|service-worker|streaming|code-cache|bypasscsp)-schemes(=.*)?$/,
  /^--(squirrel|crash|field-trial|password|metrics|process|render|touch|window|start|high-dpi)-[a-z0-9-]+(=.*)?$/,
  /^-psn_\d+_\d+$/,
];

/**
 * What the person wrote, out of the whole of `process.argv`. When Electron runs an app from a folder (`electron FOLDER
 * ...`), everything up to that folder is Electron's own.
 */
export function userArguments(argv: readonly string[], runsFromFolder: boolean): string[] {
  const rest = argv.slice(1);
  if (!runsFromFolder) return rest;
  while (rest.length > 0) {
    const first = rest.shift() ?? "";
    if (first === "-r" || first === "--require") rest.shift();
    else if (!first.startsWith("-")) break;
  }
  return rest;
}

/** `folder` comes back absolute; whether it exists is for whoever opens it to say. */
export function parseCommandLine(args: readonly string[], workingFolder: string): CommandLine {
  const folders: string[] = [];
  let onlyFolders = false;
  let hidden = false;
  let asked: CommandLine | null = null;
  for (const arg of args) {
    if (onlyFolders || !arg.startsWith("-")) folders.push(arg);
    else if (arg === "--") onlyFolders = true;
    else if (arg === hiddenSwitch) hidden = true;
    else if (arg === "--version" || arg === "-v") asked ??= { kind: "version" };
    else if (arg === "--help" || arg === "-h") asked ??= { kind: "help" };
    else if (!foreignSwitches.some((known) => known.test(arg))) {
      return { kind: "error", message: `unknown option ${arg}` };
    }
  }
  if (asked) return asked;
  const [folder, another] = folders;
  if (another !== undefined) {
    return { kind: "error", message: `one folder can be opened at a time, not also ${another}` };
  }
  if (folder === "") return { kind: "error", message: "the folder's name is empty" };
  return { kind: "open", folder: folder === undefined ? null : resolve(workingFolder, folder), hidden };
}

/** What the app is to be started with once more, for another folder: the same switches, not the same folder. */
export function relaunchArguments(
  argv: readonly string[],
  runsFromFolder: boolean,
  folder: string | null,
): string[] {
  const own = userArguments(argv, runsFromFolder);
  const before = argv.slice(1, argv.length - own.length);
  const ends = own.indexOf("--");
  const switches = (ends < 0 ? own : own.slice(0, ends)).filter(
    (arg) => arg.startsWith("-") && arg !== hiddenSwitch,
  );
  return [...before, ...switches, ...(folder === null ? [] : ["--", folder])];
}
