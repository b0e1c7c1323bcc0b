// Scripts and runs, one below the other.

import { MoreHorizontal, Plus, Search, X } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { useApp } from "../../state/appStore";
import { isUnderWay } from "../../state/words";
import { IconButton } from "../../ui/IconButton";
import { MenuButton, MenuItem } from "../../ui/Menu";
import { forgetEndedRuns, newScript } from "../actions";
import type { CellsShown } from "../cellsView";
import { RowList } from "./RowList";
import { cellsRows, filterFrom, runsAtOnce } from "./rows";

export function CellsList({ shown }: { shown: CellsShown }) {
  const scripts = useApp((app) => app.scripts);
  const runs = useApp((app) => app.runs);
  const [filter, setFilter] = useState("");
  const [mostRuns, setMostRuns] = useState(runsAtOnce);
  const canFilter = runs.length >= filterFrom;
  const rows = useMemo(
    () => cellsRows(scripts, runs, canFilter ? filter : "", mostRuns),
    [scripts, runs, canFilter, filter, mostRuns],
  );
  const scriptGroups = useMemo(
    () => [
      { label: null, rows: rows.own },
      ...(rows.shipped.length > 0 ? [{ label: "Came with Holdfast", rows: rows.shipped }] : []),
    ],
    [rows],
  );
  const runGroups = useMemo(() => [{ label: null, rows: rows.runs }], [rows]);
  const hasEnded = runs.some((run) => !isUnderWay(run.state));
  return (
    <div
      data-pane="cells-list"
      className="flex h-full min-h-0 flex-col scroll-slim overflow-y-auto overscroll-contain bg-panel pb-3 pl-1.5"
    >
      <Heading label="Scripts">
        <IconButton label="New script" size="s" icon={<Plus size={15} />} onClick={() => void newScript()} />
      </Heading>
      {rows.own.length === 0 && <Note>None of your own yet.</Note>}
      <RowList
        label="Scripts"
        groups={scriptGroups}
        selected={shown.kind === "script" ? `script ${shown.scriptId}` : null}
      />
      <Heading label="Runs">
        {hasEnded && (
          <MenuButton
            align="end"
            button={<IconButton label="More about runs" size="s" icon={<MoreHorizontal size={15} />} />}
          >
            <MenuItem onSelect={() => void forgetEndedRuns()}>Forget all that have ended…</MenuItem>
          </MenuButton>
        )}
      </Heading>
      {canFilter && <Filter filter={filter} onChange={setFilter} />}
      {rows.runs.length === 0 ? (
        <Note>{runs.length === 0 ? "Nothing has been run yet." : "No run is like that."}</Note>
      ) : (
        <RowList
          label="Runs"
          groups={runGroups}
          selected={shown.kind === "start" || shown.runId === null ? null : `run ${shown.runId}`}
          onMore={() => setMostRuns(mostRuns + runsAtOnce)}
        />
      )}
    </div>
  );
}

function Heading({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="mt-2 flex h-7 shrink-0 items-center justify-between pr-1 pl-2.5">
      <h2 className="text-xs font-semibold text-ink-3">{label}</h2>
      {children}
    </div>
  );
}

function Note({ children }: { children: ReactNode }) {
  return <p className="px-2.5 py-1 text-s text-pretty text-ink-3">{children}</p>;
}

function Filter({ filter, onChange }: { filter: string; onChange(filter: string): void }) {
  return (
    <div className="mx-1 mb-1 flex h-6 shrink-0 items-center gap-1.5 rounded-s border border-line bg-canvas px-2 text-ink-3 focus-within:border-field-line focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-focus hover:border-line-strong">
      <Search aria-hidden size={12} className="shrink-0" />
      <input
        type="search"
        data-keyboard-stop
        aria-label="Find a run"
        placeholder="Find"
        spellCheck={false}
        autoComplete="off"
        value={filter}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || event.nativeEvent.isComposing || filter === "") return;
          event.preventDefault();
          onChange("");
        }}
        className="min-w-0 flex-1 bg-transparent text-s text-ink outline-none focus-visible:outline-none [&::-webkit-search-cancel-button]:hidden"
      />
      {filter !== "" && (
        <IconButton label="Clear" size="xs" icon={<X size={12} />} onClick={() => onChange("")} />
      )}
    </div>
  );
}
