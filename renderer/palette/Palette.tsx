import { Dialog as Base } from "@base-ui/react/dialog";
import { Command as Cmd } from "cmdk";
import { Folder, FolderX, Search } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { ThreadRow, WorkspaceView } from "../../preload/contract/app";
import { commands } from "../shell/commands";
import { appCopy } from "../state/appStore";
import { goToThread, goToWorkspace } from "../state/navigation";
import { lookOf } from "../state/words";
import { cx } from "../ui/cx";
import { backdropClass, popupClass } from "../ui/Dialog";
import { Kbd } from "../ui/Kbd";
import { StatusDot } from "../ui/StatusDot";
import { rank } from "./rank";

/** Everything by name: commands, threads, workspaces. */
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
  const { usable, threads, workspaces } = choicesFor(typed);
  const nothing = usable.length + threads.length + workspaces.length === 0;
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
  return (
    <Cmd label="Command palette" shouldFilter={false} loop className="flex min-h-0 flex-col">
      <div className="flex h-11 shrink-0 items-center gap-2.5 border-b border-line px-4">
        <Search aria-hidden size={16} className="text-ink-3" />
        <Cmd.Input
          value={typed}
          onValueChange={setTyped}
          placeholder="A command, a thread, a workspace…"
          className="flex-1 bg-transparent text-l outline-none focus-visible:outline-none"
        />
      </div>
      <Cmd.List className="min-h-0 flex-1 overflow-y-auto p-1.5 [scroll-padding-block:8px]">
        {nothing && <p className="py-8 text-center text-ink-3">Nothing is called that.</p>}
        {typed === ""
          ? [threadGroup, commandGroup, workspaceGroup]
          : [commandGroup, threadGroup, workspaceGroup]}
      </Cmd.List>
    </Cmd>
  );
}

interface ThreadChoice {
  row: ThreadRow;
  workspace: WorkspaceView | undefined;
}

function choicesFor(typed: string) {
  const copy = appCopy();
  const usable = rank(
    commands.filter((command) => command.id !== "palette" && (command.usable?.() ?? true)),
    typed,
    (command) => command.title,
    typed === "" ? 40 : 8,
    (command) => command.keywords ?? "",
  );
  if (!copy) return { usable, threads: [], workspaces: [] };
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
  return { usable, threads, workspaces };
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
