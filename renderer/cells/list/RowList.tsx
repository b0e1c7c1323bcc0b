// One list of rows: scripts, or runs. The keyboard stays on the list itself and the row that it is on is named by
// `aria-activedescendant`.

import { type KeyboardEvent, type MouseEvent, useEffect, useMemo, useRef, useState } from "react";
import { instantWords } from "../../state/age";
import { forgetRun } from "../../state/runActions";
import { isUnderWay } from "../../state/words";
import { cx } from "../../ui/cx";
import { Drawn } from "../../ui/Drawn";
import { type MenuPlace, PlacedMenu } from "../../ui/Menu";
import { deleteScript, openRun, openScript } from "../actions";
import { cellsStore } from "../cellsStore";
import { RunMenu, ScriptMenu } from "./menus";
import { RunRowView } from "./RunRowView";
import { type CellsRow, rowKey, typeAhead } from "./rows";
import { ScriptRowView } from "./ScriptRowView";

const typePauseMs = 600;

export interface RowListProps {
  label: string;
  groups: readonly { label: string | null; rows: readonly CellsRow[] }[];
  /** The key of the row of what is shown. */
  selected: string | null;
  onMore?: () => void;
}

export function RowList({ label, groups, selected, onMore }: RowListProps) {
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const [menu, setMenu] = useState<{ key: string; place: MenuPlace } | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const typed = useRef({ text: "", atMs: 0 });
  const rows = useMemo(() => groups.flatMap((group) => group.rows), [groups]);
  const found = rows.findIndex((row) => row.key === activeKey);
  const chosen = rows.findIndex((row) => row.key === selected);
  const active = found === -1 ? Math.max(chosen, 0) : found;
  const activeRow = rows[active];
  const menuRow = rows.find((each) => each.key === menu?.key);

  // Something else was chosen, from wherever: the keyboard continues from it.
  useEffect(() => {
    if (selected !== null) setActiveKey(selected);
  }, [selected]);
  // An ended rename gives the keyboard back to the list.
  useEffect(
    () =>
      cellsStore.subscribe((now, before) => {
        const ended = before.renaming?.where === "list" && now.renaming === null;
        if (ended && box.current?.contains(document.activeElement)) box.current.focus();
      }),
    [],
  );

  const open = (row: CellsRow) => {
    setActiveKey(row.key);
    if (row.kind === "more") {
      onMore?.();
      return;
    }
    if (row.kind === "script") openScript(row.script.scriptId);
    else openRun(row.run.runId);
    cellsStore.setState({ listOver: false });
  };
  const moveTo = (index: number) => {
    const row = rows[index];
    if (!row) return;
    setActiveKey(row.key);
    document.getElementById(rowId(row.key))?.scrollIntoView({ block: "nearest" });
  };
  const openMenu = (row: CellsRow, place: MenuPlace | null) => {
    if (row.kind === "more") return;
    setActiveKey(row.key);
    const at = document.getElementById(rowId(row.key))?.getBoundingClientRect();
    setMenu({ key: row.key, place: place ?? { x: (at?.left ?? 0) + 20, y: (at?.bottom ?? 0) - 4 } });
  };
  const remove = (row: CellsRow) => {
    if (row.kind === "run" && isUnderWay(row.run.state)) return;
    moveTo(active + 1 < rows.length ? active + 1 : active - 1);
    if (row.kind === "script") void deleteScript(row.script.scriptId);
    else if (row.kind === "run") void forgetRun(row.run);
  };
  const press = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    const action = rowKey(rows, active, event);
    if (!action) return;
    event.preventDefault();
    switch (action.do) {
      case "move":
        moveTo(action.to);
        return;
      case "open":
        open(action.row);
        if (action.row.kind === "script") cellsStore.setState({ focusing: action.row.script.scriptId });
        return;
      case "menu":
        openMenu(action.row, null);
        return;
      case "rename":
        if (action.row.kind !== "script") return;
        cellsStore.setState({ renaming: { scriptId: action.row.script.scriptId, where: "list" } });
        return;
      case "delete":
        remove(action.row);
        return;
      case "type": {
        const held = typed.current;
        const goesOn = event.timeStamp - held.atMs < typePauseMs && held.text !== action.letter;
        typed.current = { text: goesOn ? held.text + action.letter : action.letter, atMs: event.timeStamp };
        moveTo(typeAhead(rows, active, typed.current.text));
        return;
      }
      default: {
        const unknown: never = action;
        return unknown;
      }
    }
  };

  return (
    <>
      <div
        ref={box}
        role="listbox"
        aria-label={label}
        tabIndex={0}
        data-pane-stop={label === "Scripts" ? "" : undefined}
        data-keyboard-stop
        aria-activedescendant={activeRow ? rowId(activeRow.key) : undefined}
        onKeyDown={press}
        className="group/list outline-none focus-visible:outline-none"
      >
        {groups.map((group, index) => {
          const views = group.rows.map((row) => (
            <Row
              key={row.key}
              row={row}
              active={row.key === activeRow?.key}
              selected={row.key === selected}
              onOpen={() => open(row)}
              onMenu={(event) => {
                event.preventDefault();
                openMenu(row, { x: event.clientX, y: event.clientY });
              }}
            />
          ));
          if (group.label === null) return views;
          return (
            // biome-ignore lint/a11y/useSemanticElements: a group of options; <fieldset> is one of fields
            <div key={group.label} role="group" aria-label={group.label}>
              <div
                aria-hidden
                className={cx("px-2.5 pb-0.5 text-xs text-ink-3", index > 0 ? "pt-2.5" : "pt-1")}
              >
                {group.label}
              </div>
              {views}
            </div>
          );
        })}
      </div>
      <PlacedMenu
        place={menu?.place ?? null}
        onClose={() => setMenu(null)}
        label={menuRow?.kind === "run" ? "Run" : "Script"}
        returnFocus={box}
      >
        {menuRow?.kind === "script" && <ScriptMenu script={menuRow.script} where="list" />}
        {menuRow?.kind === "run" && <RunMenu run={menuRow.run} />}
      </PlacedMenu>
    </>
  );
}

interface RowProps {
  row: CellsRow;
  active: boolean;
  selected: boolean;
  onOpen: () => void;
  onMenu: (event: MouseEvent) => void;
}

function Row({ row, active, selected, onOpen, onMenu }: RowProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list around it has the keyboard
    // biome-ignore lint/a11y/useFocusableInteractive: the list names the active row instead of focusing it
    <div
      id={rowId(row.key)}
      role="option"
      aria-selected={selected}
      aria-label={accessibleName(row)}
      aria-keyshortcuts={row.kind === "more" ? undefined : "Enter Delete Shift+F10"}
      title={title(row)}
      onClick={onOpen}
      onContextMenu={onMenu}
      className={cx(
        "rounded-s",
        row.kind === "run" ? "h-[44px]" : "h-7",
        selected ? "bg-sel" : "hover:bg-hover",
        active &&
          "group-focus-visible/list:outline-2 group-focus-visible/list:-outline-offset-2 group-focus-visible/list:outline-focus",
      )}
    >
      {row.kind === "script" && <ScriptRowView script={row.script} />}
      {row.kind === "run" && <RunRowView run={row.run} />}
      {row.kind === "more" && (
        <div className="flex h-full items-center gap-1 pl-8 text-s text-accent">
          Show more <Drawn text={`(${row.left})`} />
        </div>
      )}
    </div>
  );
}

function accessibleName(row: CellsRow): string {
  switch (row.kind) {
    case "script":
      return row.script.name;
    case "run":
      return `${row.run.scriptName}, ${row.run.state}, in ${row.run.workspaceName}`;
    case "more":
      return `Show more runs, ${row.left} left`;
    default: {
      const unknown: never = row;
      return unknown;
    }
  }
}

function title(row: CellsRow): string | undefined {
  if (row.kind === "script") return row.script.summary ?? undefined;
  if (row.kind === "run") return `${row.run.scriptName}, started ${instantWords(row.run.startedAtMs)}`;
  return undefined;
}

function rowId(key: string): string {
  return `cells-${key.replaceAll(/\s/g, "-")}`;
}
