// The list of environments. The keyboard stays on the list itself and the row that it is on is named by
// `aria-activedescendant`.

import { Network, Plus } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { EnvironmentView } from "../../../preload/contract/environments";
import { useApp } from "../../state/appStore";
import { cx } from "../../ui/cx";
import { Drawn } from "../../ui/Drawn";
import { IconButton } from "../../ui/IconButton";
import { MenuButton, MenuItem, type MenuPlace, MenuSeparator, PlacedMenu } from "../../ui/Menu";
import { StatusDot } from "../../ui/StatusDot";
import {
  connectToAnotherMachine,
  newEnvironment,
  removeEnvironment,
  runOneHere,
  showEnvironment,
} from "../actions";
import { EnvironmentMenu } from "../EnvironmentMenu";
import { environmentLook, whereWords } from "../environmentLook";
import { listKey, typeAhead } from "./listKeys";
import { useTyped } from "./useTyped";

export function EnvironmentList({ shownId }: { shownId: string | null }) {
  const environments = useApp((app) => app.environments);
  return (
    <div
      data-pane="environments-list"
      className="flex h-full min-h-0 flex-col scroll-slim overflow-y-auto overscroll-contain bg-panel pb-3 pl-1.5"
    >
      <div className="mt-2 flex h-7 shrink-0 items-center justify-between pr-1 pl-2.5">
        <h2 className="text-xs font-semibold text-ink-3">Environments</h2>
        <NewMenu />
      </div>
      {environments.length === 0 ? (
        <p className="px-2.5 py-1 text-s text-pretty text-ink-3">None yet: commands run on this machine.</p>
      ) : (
        <Rows environments={environments} shownId={shownId} />
      )}
    </div>
  );
}

function NewMenu() {
  return (
    <MenuButton
      align="end"
      button={<IconButton label="New environment" size="s" icon={<Plus size={15} />} />}
    >
      <MenuItem onSelect={() => void runOneHere()}>Run one on this machine</MenuItem>
      <MenuItem icon={<Network size={14} />} onSelect={connectToAnotherMachine}>
        Connect to another machine…
      </MenuItem>
      <MenuSeparator />
      <MenuItem onSelect={() => newEnvironment("fixed")}>Add by address…</MenuItem>
      <MenuItem onSelect={() => newEnvironment("file")}>Add by file…</MenuItem>
      <MenuItem onSelect={() => newEnvironment("command")}>Add by command…</MenuItem>
    </MenuButton>
  );
}

interface RowsProps {
  environments: readonly EnvironmentView[];
  shownId: string | null;
}

function Rows({ environments, shownId }: RowsProps) {
  const [activeId, setActiveId] = useState<string | null>(shownId);
  const [menu, setMenu] = useState<{ environmentId: string; place: MenuPlace } | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const typed = useTyped();
  const indexOf = (id: string | null) => environments.findIndex((each) => each.environmentId === id);
  const found = indexOf(activeId);
  const active = found === -1 ? Math.max(indexOf(shownId), 0) : found;
  const activeRow = environments[active];
  const menuRow = environments.find((each) => each.environmentId === menu?.environmentId);

  // Another one was chosen, from wherever: the keyboard continues from it.
  useEffect(() => setActiveId(shownId), [shownId]);

  const moveTo = (index: number) => {
    const row = environments[index];
    if (!row) return;
    setActiveId(row.environmentId);
    document.getElementById(rowId(row.environmentId))?.scrollIntoView({ block: "nearest" });
  };
  const openMenu = (row: EnvironmentView, place: MenuPlace | null) => {
    setActiveId(row.environmentId);
    const at = document.getElementById(rowId(row.environmentId))?.getBoundingClientRect();
    setMenu({
      environmentId: row.environmentId,
      place: place ?? { x: (at?.left ?? 0) + 20, y: (at?.bottom ?? 0) - 4 },
    });
  };
  const press = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    const action = listKey(environments.length, active, event);
    if (!action || !activeRow) return;
    // There is nothing above a list of environments.
    if (action.do === "up") return;
    event.preventDefault();
    switch (action.do) {
      case "move":
        moveTo(action.to);
        return;
      case "open":
        showEnvironment(activeRow.environmentId);
        return;
      case "menu":
        openMenu(activeRow, null);
        return;
      case "remove":
        void removeEnvironment(activeRow.environmentId);
        return;
      case "type":
        moveTo(
          typeAhead(
            environments.map(({ name }) => name),
            active,
            typed(action.letter, event.timeStamp),
          ),
        );
        return;
      default:
        return action satisfies never;
    }
  };
  return (
    <>
      <div
        ref={box}
        role="listbox"
        aria-label="Environments"
        tabIndex={0}
        data-pane-stop
        data-keyboard-stop
        aria-activedescendant={activeRow ? rowId(activeRow.environmentId) : undefined}
        onKeyDown={press}
        className="group/list outline-none focus-visible:outline-none"
      >
        {environments.map((environment) => (
          <Row
            key={environment.environmentId}
            environment={environment}
            active={environment === activeRow}
            selected={environment.environmentId === shownId}
            onMenu={(place) => openMenu(environment, place)}
          />
        ))}
      </div>
      <PlacedMenu
        place={menu?.place ?? null}
        onClose={() => setMenu(null)}
        label="Environment"
        returnFocus={box}
      >
        {menuRow && <EnvironmentMenu environment={menuRow} />}
      </PlacedMenu>
    </>
  );
}

interface RowProps {
  environment: EnvironmentView;
  active: boolean;
  selected: boolean;
  onMenu: (place: MenuPlace) => void;
}

function Row({ environment, active, selected, onMenu }: RowProps) {
  const { environmentId, name, registry } = environment;
  const { tone, words } = environmentLook(environment);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list around it has the keyboard
    // biome-ignore lint/a11y/useFocusableInteractive: the list names the active row instead of focusing it
    <div
      id={rowId(environmentId)}
      role="option"
      aria-selected={selected}
      aria-label={`${name}, ${words}`}
      aria-keyshortcuts="Enter Delete Shift+F10"
      title={whereWords(registry)}
      onClick={() => showEnvironment(environmentId)}
      onContextMenu={(event) => {
        event.preventDefault();
        onMenu({ x: event.clientX, y: event.clientY });
      }}
      className={cx(
        "grid h-[44px] grid-cols-[14px_minmax(0,1fr)] content-center gap-x-2 rounded-s px-2.5",
        selected ? "bg-sel" : "hover:bg-hover",
        active &&
          "group-focus-visible/list:outline-2 group-focus-visible/list:-outline-offset-2 group-focus-visible/list:outline-focus",
      )}
    >
      <StatusDot tone={tone} className="self-center justify-self-center" />
      <span className="truncate">{name}</span>
      <Drawn text={words} className="col-start-2 truncate text-xs text-ink-3 tabular" />
    </div>
  );
}

function rowId(environmentId: string): string {
  return `environment-${environmentId.replaceAll(/\s/g, "-")}`;
}
