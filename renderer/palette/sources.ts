// Where what the palette lists comes from: the commands, and this window's copy of what main says.

import type { ThreadRow, WorkspaceView } from "../../preload/contract/app";
import type { RunRow, ScriptRow } from "../../preload/contract/cells";
import type { TerminalRow } from "../../preload/contract/terminals";
import { openScript, runScript } from "../cells/actions";
import { workspaceForRuns } from "../cells/whereRuns";
import { environmentLook, whereWords } from "../environments/environmentLook";
import { agentState, agentTree } from "../inspector/agentTree";
import { goToSearch } from "../search/searchStore";
import { settings } from "../settings/catalog";
import type { Command } from "../shell/command";
import { commands } from "../shell/commands";
import { leftRunningCommands } from "../shell/leftRunningCommands";
import { scriptCommands } from "../shell/scriptCommands";
import { instantWords } from "../state/age";
import type { AppCopy } from "../state/appCopy";
import { appCopy } from "../state/appStore";
import { call } from "../state/connection";
import { goToEnvironments, goToRun, goToScript, goToThread, goToWorkspace } from "../state/navigation";
import { runsUnderWay, stopRun } from "../state/runActions";
import { shownCopy } from "../state/threadStore";
import { attempt } from "../state/toasts";
import { showDialog } from "../state/uiStore";
import { isUnderWay, lookOf, runTones } from "../state/words";
import { goToTerminal } from "../terminals/placing";
import { terminalLook, terminalNames } from "../terminals/terminalWords";
import { runShownHere, runShownIn } from "../threadPlace/placeActions";
import { placeCommands } from "../threadPlace/placeCommands";
import { whyItStays } from "../threadPlace/words";
import { type AnySource, type Entry, recentOnes, source } from "./entries";
import { type PaletteMode, prefixes } from "./prefixes";

/** A word for what can be done comes before a title in which it happens to be; one that begins with it comes first. */
const commandBonus = 3;

export function sourcesOf(mode: PaletteMode, recent: readonly string[]): AnySource[] {
  const copy = appCopy();
  switch (mode) {
    case "help":
      return [helpSource()];
    case "commands":
      return [commandSource(recent, true), settingSource(true)];
    case "threads":
      return copy ? [threadSource(copy, true), agentSource(copy, true)] : [];
    case "files":
    case "text":
      return [];
    case "all":
      if (!copy) return [commandSource(recent, false)];
      return [
        runSource(copy),
        threadSource(copy, false),
        commandSource(recent, false),
        agentSource(copy, false),
        scriptSource(copy),
        workspaceSource(copy),
        environmentSource(copy),
        terminalSource(copy),
        settingSource(false),
      ];
    default:
      return mode satisfies never;
  }
}

/** What is searched for in all threads is offered whatever else is found. */
export const searchEntryId = "search everywhere";

export function searchEntry(query: string): Entry {
  return {
    id: searchEntryId,
    title: `Search in all threads for “${query}”`,
    look: { icon: "search" },
    shortcut: "mod+shift+f",
    run: () => goToSearch(query),
  };
}

function helpSource(): AnySource {
  return source({
    heading: "What can be typed",
    values: prefixes,
    atFirst: prefixes,
    titleOf: ({ words }) => words,
    besideOf: ({ prefix, mode }) => `${prefix} ${mode}`,
    idOf: ({ prefix }) => `prefix ${prefix}`,
    entryOf: ({ prefix, words }) => ({
      id: `prefix ${prefix}`,
      title: words,
      look: { icon: "help" },
      beside: prefix,
      mono: true,
      typed: prefix,
    }),
    most: prefixes.length,
  });
}

function commandSource(recent: readonly string[], alone: boolean): AnySource {
  const isUsable = (command: Command) => command.id !== "palette" && (command.usable?.() ?? true);
  const usual = commands.filter(isUsable);
  // Those of single environments and scripts are many: they are for who looks for one. What still runs comes first of what is
  // as good: who types "kill" means that.
  const values = [...commandsOfLeftRunning(), ...usual, ...commandsOfPlaces(), ...commandsOfScripts()];
  const idOf = ({ id }: Command) => `command ${id}`;
  return source({
    heading: "Commands",
    values,
    atFirst: recentOnes(alone ? values : usual, recent, idOf),
    titleOf: ({ title }) => title,
    besideOf: ({ keywords }) => keywords ?? "",
    idOf,
    entryOf: (command) => ({
      id: idOf(command),
      title: command.title,
      look: null,
      shortcut: command.shortcuts?.[0],
      run: command.run,
    }),
    bonus: commandBonus,
    most: alone ? 40 : 8,
  });
}

function settingSource(alone: boolean): AnySource {
  return source({
    heading: "Settings",
    values: settings,
    ...(alone && { atFirst: settings }),
    titleOf: ({ title }) => title,
    besideOf: ({ keywords, section }) => `settings ${section} ${keywords ?? ""}`,
    idOf: ({ id }) => `setting ${id}`,
    entryOf: ({ id, title, section }) => ({
      id: `setting ${id}`,
      title,
      look: { icon: "setting" },
      beside: `in the settings: ${section}`,
      run: () => showDialog({ kind: "settings", section, settingId: id }),
    }),
    most: alone ? 12 : 5,
  });
}

const lastRows = new WeakMap<object, { mains: readonly ThreadRow[]; all: readonly ThreadRow[] }>();

/** The newest first. Sorted once for each state of the list, not with each letter. */
function sortedRows(copy: AppCopy) {
  let sorted = lastRows.get(copy.rows);
  if (!sorted) {
    const all = [...copy.rows.values()].sort((a, b) => b.updatedAtMs - a.updatedAtMs);
    sorted = { all, mains: all.filter((row) => !row.archived && row.parentThreadId === null) };
    lastRows.set(copy.rows, sorted);
  }
  return sorted;
}

function threadSource(copy: AppCopy, alone: boolean): AnySource {
  const names = new Map(copy.app.workspaces.map(({ id, name }) => [id, name]));
  const { all, mains } = sortedRows(copy);
  return source<ThreadRow>({
    heading: "Threads",
    headingAtFirst: "Recent threads",
    values: alone ? all : all.filter((row) => !row.archived),
    atFirst: mains.slice(0, alone ? 50 : 5),
    titleOf: ({ title }) => title,
    besideOf: ({ workspaceId }) => names.get(workspaceId) ?? "",
    idOf: ({ threadId }) => `thread ${threadId}`,
    entryOf(row) {
      const look = lookOf(row);
      const words = [row.archived ? "archived" : look.brief, names.get(row.workspaceId) ?? null];
      return {
        id: `thread ${row.threadId}`,
        title: row.title,
        look: { dot: look.tone },
        beside: words.filter((each) => each !== null).join(" · "),
        run: () => goToThread(row.workspaceId, row.threadId),
      };
    },
    most: alone ? 50 : 12,
    recentFirst: true,
  });
}

function agentSource(copy: AppCopy, alone: boolean): AnySource {
  const threadId = shownCopy()?.head.threadId ?? null;
  const nodes = threadId === null ? [] : agentTree(copy.rows, threadId);
  return source({
    heading: "Agents of this thread",
    values: nodes,
    ...(alone && { atFirst: nodes }),
    titleOf: ({ agent, row }) => agent.name ?? row.title,
    besideOf: ({ row }) => `agent ${row.title}`,
    // It is among the threads as well.
    idOf: ({ row }) => `agent ${row.threadId}`,
    entryOf: ({ agent, row }) => ({
      id: `agent ${row.threadId}`,
      title: agent.name ?? row.title,
      look: { dot: lookOf(row).tone },
      beside: `agent · ${agentState(row)}`,
      run: () => goToThread(row.workspaceId, row.threadId),
    }),
    most: 6,
  });
}

function scriptSource(copy: AppCopy): AnySource {
  return source<ScriptRow>({
    heading: "Scripts",
    values: copy.app.scripts,
    titleOf: ({ name }) => name,
    besideOf: ({ summary }) => summary ?? "",
    idOf: ({ scriptId }) => `script ${scriptId}`,
    entryOf: ({ scriptId, name, summary }) => ({
      id: `script ${scriptId}`,
      title: name,
      look: { icon: "script" },
      beside: summary ?? "",
      run: () => goToScript(scriptId),
    }),
    most: 6,
  });
}

function runSource(copy: AppCopy): AnySource {
  const { runs } = copy.app;
  return source<RunRow>({
    heading: "Runs",
    headingAtFirst: "Scripts that run",
    values: runs,
    atFirst: runs.filter(({ state }) => isUnderWay(state)).slice(0, 5),
    titleOf: ({ scriptName }) => scriptName,
    idOf: ({ runId }) => `run ${runId}`,
    entryOf: ({ runId, scriptName, state, workspaceName, startedAtMs }) => ({
      id: `run ${runId}`,
      title: scriptName,
      look: { dot: runTones[state] },
      beside: `${state} · ${workspaceName} · ${instantWords(startedAtMs)}`,
      run: () => goToRun(runId),
    }),
    most: 6,
    recentFirst: true,
  });
}

function workspaceSource(copy: AppCopy): AnySource {
  const { workspaces } = copy.app;
  return source<WorkspaceView>({
    heading: "Workspaces",
    values: workspaces,
    atFirst: workspaces.slice(0, 6),
    titleOf: ({ name }) => name,
    besideOf: ({ path }) => path,
    idOf: ({ id }) => `workspace ${id}`,
    entryOf: ({ id, name, path, gone }) => ({
      id: `workspace ${id}`,
      title: name,
      look: { icon: gone ? "gone" : "folder" },
      beside: path,
      mono: true,
      run: () => goToWorkspace(id),
    }),
    most: 6,
  });
}

function environmentSource(copy: AppCopy): AnySource {
  const { environments } = copy.app;
  return source({
    heading: "Environments",
    values: environments,
    atFirst: environments.slice(0, 6),
    titleOf: ({ name }) => name,
    besideOf: ({ registry }) => `environment ${whereWords(registry)}`,
    idOf: ({ environmentId }) => `environment ${environmentId}`,
    entryOf(environment) {
      const look = environmentLook(environment);
      return {
        id: `environment ${environment.environmentId}`,
        title: environment.name,
        look: { dot: look.tone },
        beside: `${look.words} · ${whereWords(environment.registry)}`,
        run: () => goToEnvironments(environment.environmentId),
      };
    },
    most: 6,
  });
}

function terminalSource(copy: AppCopy): AnySource {
  const { terminals, environments, workspaces } = copy.app;
  const placeNames = new Map([
    ...environments.map(({ environmentId, name }) => [environmentId, name] as const),
    ...workspaces.map(({ id, name }) => [id, name] as const),
  ]);
  const placeOf = ({ place }: TerminalRow) =>
    place.kind === "workspace" ? place.workspaceId : place.environmentId;
  // Shells are numbered where they are.
  const names = new Map<string, string>();
  for (const placeId of placeNames.keys()) {
    const here = terminals.filter((row) => placeOf(row) === placeId);
    for (const [terminalId, name] of terminalNames(here)) names.set(terminalId, name);
  }
  return source({
    heading: "Terminals",
    values: terminals,
    titleOf: ({ terminalId }) => names.get(terminalId) ?? "Terminal",
    besideOf: (row) => `terminal ${placeNames.get(placeOf(row)) ?? ""}`,
    idOf: ({ terminalId }) => `terminal ${terminalId}`,
    entryOf: (row) => ({
      id: `terminal ${row.terminalId}`,
      title: names.get(row.terminalId) ?? "Terminal",
      look: { icon: "terminal" },
      beside: [terminalLook(row).word, placeNames.get(placeOf(row))].filter(Boolean).join(" · "),
      run: () => goToTerminal(row),
    }),
    most: 6,
  });
}

function commandsOfPlaces(): Command[] {
  const head = shownCopy()?.head;
  const copy = appCopy();
  if (!head || !copy) return [];
  const row = head.threadId === null ? undefined : copy.rows.get(head.threadId);
  const why = whyItStays({ running: head.run !== null, isAgent: (row?.parentThreadId ?? null) !== null });
  return placeCommands(head.environment, why !== null, copy.app.environments, {
    runIn: runShownIn,
    runHere: runShownHere,
    addOne: () => goToEnvironments(),
  });
}

function commandsOfLeftRunning(): Command[] {
  const head = shownCopy()?.head;
  const rows = [...(appCopy()?.rows.values() ?? [])];
  const elsewhere = rows.filter(({ threadId }) => threadId !== head?.threadId);
  return leftRunningCommands(head?.leftRunning ?? [], elsewhere, {
    stop({ itemId }) {
      if (head) void attempt(call("commands.stop", { threadKey: head.key, itemId }));
    },
    show: ({ workspaceId, threadId }) => goToThread(workspaceId, threadId),
  });
}

function commandsOfScripts(): Command[] {
  const scripts = workspaceForRuns() === null ? [] : (appCopy()?.app.scripts ?? []);
  return scriptCommands(scripts, runsUnderWay(), {
    run(scriptId) {
      openScript(scriptId);
      void runScript(scriptId);
    },
    stop: (runId) => void stopRun(runId, false),
  });
}
