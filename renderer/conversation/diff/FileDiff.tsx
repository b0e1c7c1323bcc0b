import { FileMinus, FilePen, FilePlus, FileSymlink, FileText, SquareArrowOutUpRight } from "lucide-react";
import { useMemo, useState } from "react";
import type { FileChange, ItemStatus } from "../../../preload/contract/items";
import { openPathInEditor } from "../../files/openInEditor";
import { openPath } from "../../files/openPath";
import { useWorkspace } from "../../state/appStore";
import { call } from "../../state/connection";
import { useHead, useThreadKey } from "../../state/threadStore";
import { attempt } from "../../state/toasts";
import { Button } from "../../ui/Button";
import { IconButton } from "../../ui/IconButton";
import { CopyButton } from "../CopyButton";
import { useKeptFold } from "../items/Article";
import { Card } from "../items/Card";
import { useStatusWords } from "../items/StatusMark";
import { count } from "../time/durations";
import { DiffView } from "./DiffView";
import { type ParsedDiff, parseDiff } from "./parseDiff";
import { shownPath } from "./shownPath";

/** A longer diff is folded to its head. */
const mostLinesLeftOpen = 200;
const mostDrawnLines = 2_000;

const icons = {
  add: <FilePlus aria-hidden size={14} className="text-ok" />,
  delete: <FileMinus aria-hidden size={14} className="text-bad" />,
  update: <FilePen aria-hidden size={14} className="text-ink-3" />,
  move: <FileSymlink aria-hidden size={14} className="text-ink-3" />,
};
const words = { add: "added", delete: "deleted", update: "edited", move: "moved" };

export interface FileDiffProps {
  /** The item that the change belongs to. */
  itemId: string;
  turnId: string;
  change: FileChange;
  status: ItemStatus;
  /** Folded at first when there are many. */
  usuallyOpen: boolean;
}

export function FileDiff({ itemId, turnId, change, status, usuallyOpen }: FileDiffProps) {
  const { path } = change;
  const folder = useWorkspace(useHead((head) => head.workspaceId))?.path;
  const shown = shownPath(path, folder);
  const threadKey = useThreadKey();
  const [whole, setWhole] = useState<string | null>(null);
  const [loading, setLoading] = useState(false);
  const cut = whole === null && change.diff.droppedUnits > 0;
  const text = whole ?? change.diff.text;
  const parsed = useMemo(() => parseDiff(text, change.change, cut), [text, change.change, cut]);
  const loadWhole = async () => {
    setLoading(true);
    const loaded = await attempt(call("items.fullText", { threadKey, itemId, part: `diff:${path}` }));
    setLoading(false);
    if (loaded) setWhole(loaded.text);
  };
  const [open, setOpen] = useKeptFold(`diff:${path}`, usuallyOpen && parsed.lineCount <= mostLinesLeftOpen);
  const [all, setAll] = useKeptFold(`all:${path}`, false);
  const kind = change.movedTo !== null ? "move" : change.change;
  const bad = useStatusWords({ status, turnId });
  const parts = splitPath(shown);
  const counts = `${change.added} added, ${change.removed} removed`;
  return (
    <Card
      mark={icons[kind]}
      title={
        <span className="flex min-w-0 items-baseline gap-2">
          <span className="sr-only">{words[kind]} </span>
          <span className="flex min-w-0 font-mono text-s" title={path}>
            <span className="truncate text-ink-3">{parts.folder}</span>
            <span className="shrink-0 text-ink">{parts.name}</span>
          </span>
          {change.movedTo !== null && (
            <span className="min-w-0 truncate font-mono text-s text-ink-2">
              → {shownPath(change.movedTo, folder)}
            </span>
          )}
        </span>
      }
      facts={
        <>
          {bad && <span className={status === "failed" ? "text-bad" : "text-warn"}>{bad}</span>}
          {status === "running" && <span>being written</span>}
          {kind !== "update" && <span>{words[kind]}</span>}
          <span aria-hidden className="text-ok">
            +{change.added}
          </span>
          <span aria-hidden className="text-bad">
            −{change.removed}
          </span>
        </>
      }
      tools={
        <>
          {kind !== "delete" && (
            <IconButton
              label="Open file"
              size="xs"
              icon={<FileText size={13} />}
              onClick={() => openPath(change.movedTo ?? path, firstChangedLine(parsed))}
            />
          )}
          {kind !== "delete" && (
            <IconButton
              label="Open in my editor"
              size="xs"
              icon={<SquareArrowOutUpRight size={12} />}
              onClick={() => openPathInEditor(change.movedTo ?? path, firstChangedLine(parsed))}
            />
          )}
          <CopyButton label="Copy path" size="xs" text={() => change.movedTo ?? path} />
        </>
      }
      fold={
        parsed.lineCount > 0 ? { open, setOpen, label: `${shown}, ${words[kind]}, ${counts}` } : undefined
      }
    >
      {open && parsed.lineCount > 0 && (
        <div className="border-t border-line">
          {cut && (
            <p className="flex items-center gap-2 border-b border-line px-1.5 py-0.5 text-s text-ink-3">
              <Button size="s" tone="quiet" busy={loading} onClick={() => void loadWhole()}>
                Load the whole diff
              </Button>
              Its beginning is not shown.
            </p>
          )}
          <DiffView
            diff={parsed}
            path={shownPath(change.movedTo ?? path, folder)}
            mostLines={all ? Number.POSITIVE_INFINITY : mostDrawnLines}
          />
          {!all && parsed.lineCount > mostDrawnLines && (
            <div className="border-t border-line px-1 py-0.5">
              <Button size="s" tone="quiet" onClick={() => setAll(true)}>
                Show all {count(parsed.lineCount, "line")}
              </Button>
            </div>
          )}
        </div>
      )}
    </Card>
  );
}

/** Of the file as it is after the change; null for a whole new one. */
function firstChangedLine({ hunks }: ParsedDiff): number | null {
  for (const { lines } of hunks) {
    const at = lines.findIndex(({ kind }) => kind !== "context");
    // What follows a line that was taken out stands where that was.
    const line = lines.slice(at).find(({ newNumber }) => newNumber !== null)?.newNumber;
    if (at !== -1 && line != null) return line > 1 ? line : null;
  }
  return null;
}

function splitPath(path: string): { folder: string; name: string } {
  const at = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  return { folder: path.slice(0, at + 1), name: path.slice(at + 1) };
}
