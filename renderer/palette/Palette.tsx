import { Dialog as Base } from "@base-ui/react/dialog";
import { Command as Cmd } from "cmdk";
import { FileCode, Folder, FolderX, Search } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { ThreadRow, WorkspaceView } from "../../preload/contract/app";
import { openScript, runScript } from "../cells/actions";
import { workspaceForRuns } from "../cells/whereRuns";
import { environmentLook, whereWords } from "../environments/environmentLook";
import { commands } from "../shell/commands";
import { scriptCommands } from "../shell/scriptCommands";
import { instantWords } from "../state/age";
import { appCopy } from "../state/appStore";
import { goToEnvironments, goToRun, goToScript, goToThread, goToWorkspace } from "../state/navigation";
import { runsUnderWay, stopRun } from "../state/runActions";
import { shownCopy } from "../state/threadStore";
import { isUnderWay, lookOf, runTones } from "../state/words";
import { runShownHere, runShownIn } from "../threadPlace/placeActions";
import { placeCommands } from "../threadPlace/placeCommands";
import { whyItStays } from "../threadPlace/words";
import { cx } from "../ui/cx";
import { backdropClass, popupClass } from "../ui/Dialog";
import { Kbd } from "../ui/Kbd";
import { StatusDot } from "../ui/StatusDot";
import { rank } from "./rank";

/** Everything by name: commands, threads, scripts and their runs, workspaces, environments. */
export function Palette({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={backdropClass} />
        <Base.Popup className={cx(popupClass, "top-[12vh] max-h-[70vh] max-w-150")}>
          <Base.Title className="sr-only">Command palette</Base.Title>
          {open && <Choices onClose={onClose} />}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

function Choices({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState("");
  const { usable, threads, scripts, runs, workspaces, environments } = choicesFor(typed);
  const nothing = [usable, threads, scripts, runs, workspaces, environments].every(
    ({ length }) => length === 0,
  );
  const run = (action: () => void) => () => {
    onClose();
    action();
  };
  const commandGroup = usable.length > 0 && (
    <Group key="commands" heading="Commands">
      {usable.map((command) => (
        <Choice key={command.id} value={`command ${command.id}`} onSelect={run(command.run)}>
          <span className="flex-1 truncate">{command.title}</span>
          {command.shortcuts?.[0] !== undefined && <Kbd keys={command.shortcuts[0]} />}
        </Choice>
      ))}
    </Group>
  );
  const threadGroup = threads.length > 0 && (
    <Group key="threads" heading={typed === "" ? "Recent threads" : "Threads"}>
      {threads.map(({ row, workspace }) => {
        const look = lookOf(row.state, row.unread);
        return (
          <Choice
            key={row.threadId}
            value={`thread ${row.threadId}`}
            onSelect={run(() => goToThread(row.workspaceId, row.threadId))}
          >
            <span className="grid w-4 place-items-center">
              <StatusDot tone={look.tone} />
            </span>
            <span className="flex-1 truncate">{row.title}</span>
            <span className="max-w-50 truncate text-s text-ink-3">
              {look.brief !== null && `${look.brief} · `}
              {workspace?.name}
            </span>
          </Choice>
        );
      })}
    </Group>
  );
  const scriptGroup = scripts.length > 0 && (
    <Group key="scripts" heading="Scripts">
      {scripts.map((script) => (
        <Choice
          key={script.scriptId}
          value={`script ${script.scriptId}`}
          onSelect={run(() => goToScript(script.scriptId))}
        >
          <span aria-hidden className="grid w-4 place-items-center text-ink-3">
            <FileCode size={14} />
          </span>
          <span className="shrink-0 truncate">{script.name}</span>
          <span className="min-w-0 flex-1 truncate text-right text-s text-ink-3">{script.summary}</span>
        </Choice>
      ))}
    </Group>
  );
  const runGroup = runs.length > 0 && (
    <Group key="runs" heading={typed === "" ? "Scripts that run" : "Runs"}>
      {runs.map((each) => (
        <Choice key={each.runId} value={`run ${each.runId}`} onSelect={run(() => goToRun(each.runId))}>
          <span className="grid w-4 place-items-center">
            <StatusDot tone={runTones[each.state]} />
          </span>
          <span className="flex-1 truncate">{each.scriptName}</span>
          <span className="max-w-60 truncate text-s text-ink-3">
            {each.state} · {each.workspaceName} · {instantWords(each.startedAtMs)}
          </span>
        </Choice>
      ))}
    </Group>
  );
  const workspaceGroup = workspaces.length > 0 && (
    <Group key="workspaces" heading="Workspaces">
      {workspaces.map((workspace) => (
        <Choice
          key={workspace.id}
          value={`workspace ${workspace.id}`}
          onSelect={run(() => goToWorkspace(workspace.id))}
        >
          <span aria-hidden className="grid w-4 place-items-center text-ink-3">
            {workspace.gone ? <FolderX size={14} /> : <Folder size={14} />}
          </span>
          <span className="truncate">{workspace.name}</span>
          <span className="min-w-0 flex-1 truncate text-right font-mono text-xs text-ink-3">
            {workspace.path}
          </span>
        </Choice>
      ))}
    </Group>
  );
  const environmentGroup = environments.length > 0 && (
    <Group key="environments" heading="Environments">
      {environments.map((environment) => {
        const look = environmentLook(environment);
        return (
          <Choice
            key={environment.environmentId}
            value={`environment ${environment.environmentId}`}
            onSelect={run(() => goToEnvironments(environment.environmentId))}
          >
            <span className="grid w-4 place-items-center">
              <StatusDot tone={look.tone} />
            </span>
            <span className="shrink-0 truncate">{environment.name}</span>
            <span className="min-w-0 flex-1 truncate text-right text-s text-ink-3">
              {look.words} · {whereWords(environment.registry)}
            </span>
          </Choice>
        );
      })}
    </Group>
  );
  return (
    <Cmd label="Command palette" shouldFilter={false} loop className="flex min-h-0 flex-col">
      <div className="flex h-11 shrink-0 items-center gap-2.5 border-b border-line px-4">
        <Search aria-hidden size={16} className="text-ink-3" />
        <Cmd.Input
          value={typed}
          onValueChange={setTyped}
          placeholder="A command, a thread, a script, a workspace, an environment…"
          className="flex-1 bg-transparent text-l outline-none focus-visible:outline-none"
        />
      </div>
      <Cmd.List className="min-h-0 flex-1 overflow-y-auto p-1.5 [scroll-padding-block:8px]">
        {nothing && <p className="py-8 text-center text-ink-3">Nothing is called that.</p>}
        {typed === ""
          ? [runGroup, threadGroup, commandGroup, workspaceGroup, environmentGroup]
          : [commandGroup, threadGroup, scriptGroup, runGroup, workspaceGroup, environmentGroup]}
      </Cmd.List>
    </Cmd>
  );
}

function commandsOfPlaces() {
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

function commandsOfScripts() {
  const scripts = workspaceForRuns() === null ? [] : (appCopy()?.app.scripts ?? []);
  return scriptCommands(scripts, runsUnderWay(), {
    run(scriptId) {
      openScript(scriptId);
      void runScript(scriptId);
    },
    stop: (runId) => void stopRun(runId, false),
  });
}

interface ThreadChoice {
  row: ThreadRow;
  workspace: WorkspaceView | undefined;
}

function choicesFor(typed: string) {
  const copy = appCopy();
  const usable = rank(
    // Those of single environments and scripts are many: they are for who looks for one.
    [...commands, ...(typed === "" ? [] : [...commandsOfPlaces(), ...commandsOfScripts()])].filter(
      (command) => command.id !== "palette" && (command.usable?.() ?? true),
    ),
    typed,
    (command) => command.title,
    typed === "" ? 40 : 8,
    (command) => command.keywords ?? "",
  );
  if (!copy) return { usable, threads: [], scripts: [], runs: [], workspaces: [], environments: [] };
  const byId = new Map(copy.app.workspaces.map((workspace) => [workspace.id, workspace]));
  const rows = [...copy.rows.values()]
    .filter((row) => !row.archived && (typed !== "" || row.parentThreadId === null))
    .sort((a, b) => b.updatedAtMs - a.updatedAtMs);
  const threads: ThreadChoice[] = rank(rows, typed, (row) => row.title, typed === "" ? 5 : 12).map((row) => ({
    row,
    workspace: byId.get(row.workspaceId),
  }));
  const workspaces = rank(
    copy.app.workspaces,
    typed,
    (each) => each.name,
    6,
    (each) => each.path,
  );
  const { scripts: allScripts, runs: allRuns } = copy.app;
  const scripts =
    typed === ""
      ? []
      : rank(
          allScripts,
          typed,
          (script) => script.name,
          6,
          (script) => script.summary ?? "",
        );
  const runs =
    typed === ""
      ? allRuns.filter((each) => isUnderWay(each.state)).slice(0, 5)
      : rank(allRuns, typed, (each) => each.scriptName, 6);
  const environments = rank(
    copy.app.environments,
    typed,
    (each) => each.name,
    6,
    (each) => `environment ${whereWords(each.registry)}`,
  );
  return { usable, threads, scripts, runs, workspaces, environments };
}

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Cmd.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-semibold [&_[cmdk-group-heading]]:text-ink-3"
    >
      {children}
    </Cmd.Group>
  );
}

interface ChoiceProps {
  value: string;
  onSelect: () => void;
  children: ReactNode;
}

function Choice({ value, onSelect, children }: ChoiceProps) {
  return (
    <Cmd.Item
      value={value}
      onSelect={onSelect}
      className="flex h-8 items-center gap-2 rounded-s px-2.5 data-[selected=true]:bg-sel"
    >
      {children}
    </Cmd.Item>
  );
}
