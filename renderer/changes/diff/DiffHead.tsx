// The head above a difference: which file, what became of it, and what can be done with all of it.

import {
  ChevronDown,
  ChevronUp,
  Columns2,
  Minus,
  Plus,
  Rows2,
  SquareArrowOutUpRight,
  Undo2,
} from "lucide-react";
import type { ReactNode } from "react";
import { LineCounts } from "../../inspector/Section";
import { changeLayout, useLayout } from "../../state/uiStore";
import { Chip } from "../../ui/Chip";
import { IconButton } from "../../ui/IconButton";
import { discardFiles, openEntry, stageFiles, unstageFiles } from "../actions";
import { type FileEntry, isGone, splitPath } from "../list/files";
import { stateLook } from "../list/stateLook";

export interface DiffHeadProps {
  workspaceId: string;
  entry: FileEntry;
  onFile: (by: 1 | -1) => void;
  more?: ReactNode;
}

export function DiffHead({ workspaceId, entry, onFile, more }: DiffHeadProps) {
  const panes = useLayout((layout) => layout.changesPanes);
  const { folder, name } = splitPath(entry.path);
  const { icon: Icon, className } = stateLook(entry.state);
  return (
    <header className="@container flex h-9 shrink-0 items-center gap-2 border-b border-line bg-panel pr-1.5 pl-3">
      <Icon aria-hidden size={14} className={`shrink-0 ${className}`} />
      <h2 className="flex min-w-0 items-baseline font-mono text-s" title={entry.path}>
        <span className="min-w-0 truncate text-ink-3 [direction:rtl]">
          <bdi>{folder}</bdi>
        </span>
        <span className="shrink-0 truncate font-medium text-ink">{name}</span>
      </h2>
      <span className="shrink-0 text-xs text-ink-3">{entry.state}</span>
      {entry.note !== null && (
        <Chip tone={entry.group === "conflicts" ? "warn" : "plain"} className="@max-[560px]:hidden">
          {entry.note}
        </Chip>
      )}
      {entry.added !== null && entry.removed !== null && (
        <span className="shrink-0 text-xs whitespace-nowrap @max-[520px]:hidden">
          <LineCounts added={entry.added} removed={entry.removed} />
        </span>
      )}
      <span className="flex-1" />
      {more}
      {!isGone(entry) && (
        <IconButton
          label={`Open ${name} in my editor`}
          shortcut="o"
          size="s"
          icon={<SquareArrowOutUpRight size={13} />}
          onClick={() => openEntry(workspaceId, entry, null)}
        />
      )}
      {!entry.inert && entry.group === "unstaged" && (
        <>
          <IconButton
            label={`Discard the changes in ${name}`}
            size="s"
            icon={<Undo2 size={14} />}
            onClick={() => void discardFiles(workspaceId, [entry])}
          />
          <IconButton
            label={`Stage ${name}`}
            size="s"
            icon={<Plus size={15} />}
            onClick={() => void stageFiles(workspaceId, [entry])}
          />
        </>
      )}
      {!entry.inert && entry.group === "conflicts" && (
        <IconButton
          label={`Mark ${name} as solved`}
          size="s"
          icon={<Plus size={15} />}
          onClick={() => void stageFiles(workspaceId, [entry])}
        />
      )}
      {!entry.inert && entry.group === "staged" && (
        <IconButton
          label={`Unstage ${name}`}
          size="s"
          icon={<Minus size={15} />}
          onClick={() => void unstageFiles(workspaceId, [entry])}
        />
      )}
      <span aria-hidden className="mx-0.5 h-4 w-px bg-line" />
      <IconButton
        label={panes.split ? "Show one version below the other" : "Show both versions side by side"}
        size="s"
        icon={panes.split ? <Rows2 size={14} /> : <Columns2 size={14} />}
        onClick={() => changeLayout({ changesPanes: { ...panes, split: !panes.split } })}
      />
      <IconButton
        label="Previous file"
        shortcut="["
        size="s"
        icon={<ChevronUp size={15} />}
        onClick={() => onFile(-1)}
      />
      <IconButton
        label="Next file"
        shortcut="]"
        size="s"
        icon={<ChevronDown size={15} />}
        onClick={() => onFile(1)}
      />
    </header>
  );
}
