// The terminals of one workspace, on this machine: a row of tabs, and the one that is shown. The same in the inspector and, with
// more room, as a page; one of the two at a time, since a terminal has one size.
//
// Race: the terminal that is shown goes off the list, closed here or by another window: the one beside it is shown then, and has
// the keyboard if it was closed here.

import { Tabs as Base } from "@base-ui/react/tabs";
import { Maximize2, Minimize2, Plus, SquareTerminal } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { isInWorkspace, isTerminalOpen, type TerminalRow } from "../../preload/contract/terminals";
import { useApp } from "../state/appStore";
import { useLayout } from "../state/uiStore";
import { Button } from "../ui/Button";
import { Drawn } from "../ui/Drawn";
import { EmptyState } from "../ui/EmptyState";
import { IconButton } from "../ui/IconButton";
import { Kbd } from "../ui/Kbd";
import { keyText } from "../ui/keys";
import { StatusDot } from "../ui/StatusDot";
import { closeTerminal, openTerminal, showTerminal } from "./actions";
import { shownTerminal } from "./inFront";
import { giveKeyboard } from "./keyboard";
import { toggleTerminalsPage } from "./placing";
import { terminalLook, terminalNames } from "./terminalWords";
import { WorkspaceTerminalPane } from "./WorkspaceTerminalPane";

export interface WorkspaceTerminalsProps {
  /** Null: none is shown. */
  workspaceId: string | null;
  /** It is the page, and can be put back into the inspector. */
  onPutBack?: () => void;
}

export function WorkspaceTerminals({ workspaceId, onPutBack }: WorkspaceTerminalsProps) {
  if (workspaceId === null) {
    return (
      <EmptyState compact icon={<SquareTerminal aria-hidden size={20} />} title="No workspace is shown">
        A terminal runs in the folder of a workspace. Open one first.
      </EmptyState>
    );
  }
  return <Terminals workspaceId={workspaceId} onPutBack={onPutBack} />;
}

interface TerminalsProps {
  workspaceId: string;
  onPutBack: (() => void) | undefined;
}

function Terminals({ workspaceId, onPutBack }: TerminalsProps) {
  const all = useApp((app) => app.terminals);
  const isGone = useApp((app) => app.workspaces.find(({ id }) => id === workspaceId)?.gone ?? true);
  const wanted = useLayout((layout) => layout.terminals.terminalId);
  const box = useRef<HTMLDivElement>(null);
  const [renamingId, setRenamingId] = useState<string | null>(null);
  const [isOpening, setIsOpening] = useState(false);
  const rows = all.filter((row) => isInWorkspace(row, workspaceId));
  const shown = shownTerminal(rows, wanted);
  const names = terminalNames(rows);
  const nameOf = ({ terminalId }: TerminalRow) => names.get(terminalId) ?? "";
  const open = async () => {
    setIsOpening(true);
    await openTerminal({ kind: "workspace", workspaceId }, { command: null, cwd: null });
    setIsOpening(false);
  };
  const close = async (row: TerminalRow) => {
    const index = rows.indexOf(row);
    const next = rows[index + 1] ?? rows[index - 1];
    if (!(await closeTerminal(row, nameOf(row)))) return;
    if (next === undefined) {
      box.current?.querySelector<HTMLElement>("[data-new-terminal]")?.focus();
      return;
    }
    showTerminal(next.place, next.terminalId);
    giveKeyboard(next.terminalId);
  };
  const buttons = (
    <div className="flex shrink-0 items-center">
      <IconButton
        size="s"
        label="New terminal"
        shortcut="ctrl+shift+`"
        icon={<Plus size={15} />}
        disabled={isOpening || isGone}
        onClick={() => void open()}
        data-new-terminal=""
      />
      {onPutBack ? (
        <IconButton
          size="s"
          label="Put the terminals back beside the thread"
          shortcut="mod+alt+j"
          icon={<Minimize2 size={14} />}
          onClick={onPutBack}
        />
      ) : (
        <IconButton
          size="s"
          label="Widen: the terminals in the middle"
          shortcut="mod+alt+j"
          icon={<Maximize2 size={14} />}
          onClick={toggleTerminalsPage}
        />
      )}
    </div>
  );
  if (shown === undefined) {
    return (
      <div ref={box} className="flex min-h-0 flex-1 flex-col">
        <div className="flex shrink-0 justify-end border-b border-line px-2 py-1">{buttons}</div>
        <EmptyState
          compact={onPutBack === undefined}
          icon={<SquareTerminal aria-hidden size={20} />}
          title="No terminals"
          actions={
            <Button busy={isOpening} disabled={isGone} onClick={() => void open()}>
              Open a terminal
            </Button>
          }
        >
          A terminal is your own shell in this workspace's folder, outside codex's sandbox. It goes on when
          the window is closed or loaded again. <span className="sr-only">{keyText("ctrl+`")}</span>
          <Kbd keys="ctrl+`" /> shows and hides it.
        </EmptyState>
      </div>
    );
  }
  return (
    <Base.Root
      ref={box}
      value={shown.terminalId}
      onValueChange={(terminalId) => showTerminal(shown.place, String(terminalId))}
      className="flex min-h-0 flex-1 flex-col"
    >
      <div className="flex shrink-0 items-center gap-1 border-b border-line py-1 pr-2 pl-1.5">
        <TabList
          rows={rows}
          nameOf={nameOf}
          shownId={shown.terminalId}
          onRename={(row) => setRenamingId(row.terminalId)}
          onClose={(row) => void close(row)}
        />
        {buttons}
      </div>
      <Base.Panel
        key={shown.terminalId}
        value={shown.terminalId}
        tabIndex={-1}
        className="flex min-h-0 flex-1 flex-col"
      >
        <WorkspaceTerminalPane
          row={shown}
          workspaceId={workspaceId}
          name={nameOf(shown)}
          isRenaming={renamingId === shown.terminalId}
          onRename={(isRenaming) => setRenamingId(isRenaming ? shown.terminalId : null)}
          onClose={() => void close(shown)}
          onLeave={() => focusTab(box.current)}
        />
      </Base.Panel>
    </Base.Root>
  );
}

interface TabListProps {
  rows: readonly TerminalRow[];
  nameOf: (row: TerminalRow) => string;
  shownId: string;
  onRename: (row: TerminalRow) => void;
  onClose: (row: TerminalRow) => void;
}

/** All tabs are equally wide: a title that changes moves nothing. */
function TabList({ rows, nameOf, shownId, onRename, onClose }: TabListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const tab = list.current?.querySelector(`[data-terminal="${CSS.escape(shownId)}"]`);
    tab?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [shownId]);
  const press = (event: KeyboardEvent, row: TerminalRow) => {
    if (event.key !== "F2" && event.key !== "Delete") return;
    event.preventDefault();
    if (event.key === "F2") onRename(row);
    else onClose(row);
  };
  return (
    <Base.List
      ref={list}
      aria-label="Terminals"
      activateOnFocus
      className="flex min-w-0 flex-1 gap-1 overflow-x-auto px-0.5 py-0.5 [scrollbar-width:none]"
    >
      {rows.map((row) => {
        const name = nameOf(row);
        const { tone, word } = terminalLook(row);
        return (
          <Base.Tab
            key={row.terminalId}
            value={row.terminalId}
            data-terminal={row.terminalId}
            data-keyboard-stop={row.terminalId === shownId ? "" : undefined}
            data-pane-stop={row.terminalId === shownId ? "" : undefined}
            aria-label={`${name}, ${word}`}
            title={`${name}, ${word}`}
            onKeyDown={(event) => press(event, row)}
            className="flex h-6 w-32 shrink-0 items-center gap-1.5 rounded-s px-2 text-s text-ink-2 hover:bg-hover data-active:bg-sel data-active:text-ink"
          >
            <StatusDot tone={tone} />
            <span className="min-w-0 flex-1 truncate text-left">{name}</span>
            {!isTerminalOpen(row) && <Drawn className="shrink-0 text-xs text-ink-3" text={shortWord(row)} />}
          </Base.Tab>
        );
      })}
    </Base.List>
  );
}

/** As its name says it, without the code. */
function shortWord({ state }: TerminalRow): string {
  return state === "failed" ? "not started" : state;
}

function focusTab(box: HTMLElement | null): void {
  box?.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')?.focus();
}
