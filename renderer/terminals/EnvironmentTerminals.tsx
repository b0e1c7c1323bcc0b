// The terminals of one environment: the list of them as small tabs, and the one that is shown.
//
// Race: the terminal that is shown goes off the list, closed here or by another window. The one beside it is shown then; if it was
// closed here, the keyboard goes to that one, or to the command field after the last. Which is told first, that it is off the list
// or that closing it is done, is not known: what is left without the keyboard meanwhile finds the tab or the field as the nearest.

import { Tabs as Base } from "@base-ui/react/tabs";
import { SquareTerminal } from "lucide-react";
import { useEffect, useRef } from "react";
import { isInEnvironment, type TerminalRow } from "../../preload/contract/terminals";
import { useApp } from "../state/appStore";
import { useLayout } from "../state/uiStore";
import { Drawn } from "../ui/Drawn";
import { EmptyState } from "../ui/EmptyState";
import { StatusDot } from "../ui/StatusDot";
import { closeTerminal, showTerminal } from "./actions";
import { giveKeyboard } from "./keyboard";
import { RunCommand } from "./RunCommand";
import { TerminalPane } from "./TerminalPane";
import { terminalLook, terminalNames } from "./terminalWords";

export function EnvironmentTerminals({ environmentId }: { environmentId: string }) {
  const all = useApp((app) => app.terminals);
  const usualFolder = useApp(
    (app) => app.environments.find((each) => each.environmentId === environmentId)?.info?.folder ?? null,
  );
  const isReconnecting = useApp(
    (app) =>
      app.environments.find((each) => each.environmentId === environmentId)?.connection.state ===
      "reconnecting",
  );
  const wanted = useLayout((layout) => layout.environments.terminalId);
  const place = useRef<HTMLDivElement>(null);
  const rows = all.filter((row) => isInEnvironment(row, environmentId));
  const shown = rows.find(({ terminalId }) => terminalId === wanted) ?? rows.at(-1);
  const names = terminalNames(rows);
  return (
    <div ref={place} className="flex h-full min-h-0 flex-col">
      <RunCommand
        key={environmentId}
        place={{ kind: "environment", environmentId }}
        usualFolder={usualFolder}
      />
      {shown ? (
        <Base.Root
          value={shown.terminalId}
          onValueChange={(terminalId) => showTerminal(shown.place, String(terminalId))}
          className="flex min-h-0 flex-1 flex-col"
        >
          <TerminalTabs
            rows={rows}
            names={names}
            shownId={shown.terminalId}
            isReconnecting={isReconnecting}
          />
          <Base.Panel
            key={shown.terminalId}
            value={shown.terminalId}
            tabIndex={-1}
            className="flex min-h-0 flex-1 flex-col overflow-y-auto"
          >
            <TerminalPane
              row={shown}
              name={names.get(shown.terminalId) ?? ""}
              isReconnecting={isReconnecting}
              onClose={() => void close(shown, names.get(shown.terminalId) ?? "", rows, place.current)}
              onLeave={() => focusTab(place.current)}
            />
          </Base.Panel>
        </Base.Root>
      ) : (
        <EmptyState icon={<SquareTerminal aria-hidden size={24} />} title="No terminals">
          Run a command, or open a shell: it runs in this environment, and goes on when this window is closed
          or loaded again.
        </EmptyState>
      )}
    </div>
  );
}

interface TerminalTabsProps {
  rows: readonly TerminalRow[];
  names: ReadonlyMap<string, string>;
  shownId: string;
  isReconnecting: boolean;
}

function TerminalTabs({ rows, names, shownId, isReconnecting }: TerminalTabsProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const tabs = [...(list.current?.querySelectorAll<HTMLElement>('[role="tab"]') ?? [])];
    const shown = tabs.find(({ dataset }) => dataset.terminal === shownId);
    shown?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [shownId]);
  return (
    <Base.List
      ref={list}
      aria-label="Terminals"
      activateOnFocus
      className="flex shrink-0 gap-1 overflow-x-auto border-b border-line px-3 py-1.5 [scrollbar-width:none]"
    >
      {rows.map((row) => {
        const name = names.get(row.terminalId) ?? "";
        const { tone, word } = terminalLook(row, isReconnecting);
        return (
          <Base.Tab
            key={row.terminalId}
            value={row.terminalId}
            data-terminal={row.terminalId}
            data-keyboard-stop={row.terminalId === shownId ? "" : undefined}
            aria-label={`${name}, ${word}`}
            title={name}
            className="flex h-6 max-w-64 min-w-0 shrink-0 items-center gap-1.5 rounded-s px-2 text-s text-ink-2 hover:bg-hover data-active:bg-sel data-active:text-ink"
          >
            <StatusDot tone={tone} />
            <span className={row.command === null ? "truncate" : "truncate font-mono text-xs"}>{name}</span>
            <Drawn className="shrink-0 text-xs text-ink-3" text={word} />
          </Base.Tab>
        );
      })}
    </Base.List>
  );
}

async function close(
  row: TerminalRow,
  name: string,
  rows: readonly TerminalRow[],
  place: HTMLElement | null,
): Promise<void> {
  const index = rows.indexOf(row);
  const next = rows[index + 1] ?? rows[index - 1];
  if (!(await closeTerminal(row, name))) return;
  if (next === undefined) {
    place?.querySelector<HTMLElement>("input")?.focus();
    return;
  }
  showTerminal(next.place, next.terminalId);
  giveKeyboard(next.terminalId);
}

function focusTab(place: HTMLElement | null): void {
  place?.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')?.focus();
}
