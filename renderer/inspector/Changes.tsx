import "../conversation/diff/diff.css";
import { ChevronRight, FileMinus, FilePen, FilePlus, FileSymlink, FileX, PanelsTopLeft } from "lucide-react";
import { useId, useMemo, useState } from "react";
import { CommentsStrip } from "../changes/comments/CommentsStrip";
import { fileKey } from "../changes/list/files";
import { DiffView } from "../conversation/diff/DiffView";
import { parseDiff } from "../conversation/diff/parseDiff";
import { useStatusWords } from "../conversation/items/StatusMark";
import { OlderTurns } from "../conversation/list/OlderTurns";
import { count } from "../conversation/time/durations";
import { useWorkspace } from "../state/appStore";
import { goToChanges } from "../state/navigation";
import { useHead, useThread } from "../state/threadStore";
import { changeLayout, useLayout } from "../state/uiStore";
import { Button } from "../ui/Button";
import { cx } from "../ui/cx";
import { Segmented } from "../ui/Segmented";
import {
  type ChangedFile,
  changedFiles,
  type FileEdit,
  type FileFate,
  pathIn,
  splitPath,
} from "./changedFiles";
import { FolderChanges } from "./FolderChanges";
import { fileChangeItems } from "./kindSelect";
import { NothingListed, useKnownPart } from "./knownPart";
import { LineCounts } from "./Section";

/** A longer diff is drawn in part until all of it is asked for. */
const mostDrawnLines = 400;

const fates: Record<FileFate, { word: string; icon: typeof FilePen; className: string }> = {
  added: { word: "added", icon: FilePlus, className: "text-ok" },
  edited: { word: "edited", icon: FilePen, className: "text-ink-3" },
  deleted: { word: "deleted", icon: FileMinus, className: "text-bad" },
  moved: { word: "moved", icon: FileSymlink, className: "text-ink-3" },
  dropped: { word: "added, then deleted", icon: FileX, className: "text-ink-3" },
};

/** What the thread has changed, or what differs in the folder; the page has both with everything that can be done. */
export function Changes() {
  const tab = useLayout((layout) => layout.changesTab);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)]">
      <div className="flex flex-wrap items-center justify-between gap-2 px-3 pt-2">
        <Segmented
          label="Whose changes"
          value={tab}
          options={tabs}
          onChange={(changesTab) => changeLayout({ changesTab })}
        />
        <Button
          size="s"
          icon={<PanelsTopLeft aria-hidden size={13} />}
          onClick={() => goToChanges(null, { source: tab })}
        >
          Open review
        </Button>
      </div>
      {tab === "thread" ? <ThreadChanges /> : <FolderChanges />}
      <CommentsStrip
        onShow={(path) => goToChanges(null, { source: "folder", file: fileKey("unstaged", path) })}
      />
    </div>
  );
}

const tabs = [
  { value: "thread", label: "This thread" },
  { value: "folder", label: "Working tree" },
] as const;

function ThreadChanges() {
  const items = useThread(fileChangeItems);
  const known = useKnownPart();
  const workspace = useWorkspace(useHead((head) => head.workspaceId));
  const { files, added, removed } = useMemo(() => changedFiles(items), [items]);
  if (files.length === 0) {
    return (
      <NothingListed
        known={known}
        icon={<FilePen aria-hidden size={20} />}
        none="No file was changed"
        noneSoFar="No file was changed in the turns that are loaded"
        unknown="What was changed is not known"
      >
        Every file that codex changes in this thread will be listed here, with what is different in it.
      </NothingListed>
    );
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] py-2">
      <div className="flex items-baseline justify-between gap-3 px-4 py-1.5 text-xs">
        <h2 className="font-semibold tracking-[0.02em] text-ink-3">
          {count(files.length, "file")} changed{" "}
          {known === "all" ? "in this thread" : "in the turns that are loaded"}
        </h2>
        <LineCounts added={added} removed={removed} />
      </div>
      <ul>
        {files.map((file) => (
          <FileRow key={file.edits[0]?.key} file={file} folder={workspace?.path ?? null} />
        ))}
      </ul>
      {known === "part" && (
        <div className="grid justify-items-start gap-1 px-4 pt-2 text-s text-pretty text-ink-3">
          <p>Older turns of this thread are not loaded; what they changed is not in the list.</p>
          <OlderTurns />
        </div>
      )}
    </div>
  );
}

function FileRow({ file, folder }: { file: ChangedFile; folder: string | null }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const fate = fates[file.fate];
  const shown = pathIn(folder, file.path);
  const { folder: inFolder, name } = splitPath(shown);
  const Icon = fate.icon;
  return (
    <li>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
        title={file.path}
        className="ring-inset flex min-h-(--h-row) w-full min-w-0 items-center gap-2 py-1 pr-4 pl-3 text-left text-s transition-colors hover:bg-hover"
      >
        <ChevronRight
          aria-hidden
          size={14}
          className={cx("-mr-1 shrink-0 text-ink-3 transition-transform", open && "rotate-90")}
        />
        <Icon aria-hidden size={14} className={cx("shrink-0", fate.className)} />
        <span className="flex min-w-0 flex-1 items-baseline font-mono">
          <span className="min-w-0 truncate text-ink-3">{inFolder}</span>
          <span
            className={cx(
              "max-w-full shrink-0 truncate text-ink",
              (file.fate === "deleted" || file.fate === "dropped") && "line-through decoration-ink-3",
            )}
          >
            {name}
          </span>
        </span>
        <span className={cx("shrink-0 text-xs text-ink-3", file.fate === "edited" && "sr-only")}>
          {fate.word}
        </span>
        {file.writing && <span className="shrink-0 text-xs text-warn">not written yet</span>}
        <LineCounts added={file.added} removed={file.removed} />
      </button>
      {open && (
        <div id={id} className="border-y border-line bg-raised">
          {file.movedFrom !== null && (
            <p className="px-4 py-1 font-mono text-xs break-all text-ink-3">
              from {pathIn(folder, file.movedFrom)}
            </p>
          )}
          {file.edits.map((edit, index) => (
            <Edit key={edit.key} edit={edit} number={index + 1} of={file.edits.length} />
          ))}
        </div>
      )}
    </li>
  );
}

function Edit({ edit, number, of }: { edit: FileEdit; number: number; of: number }) {
  const [all, setAll] = useState(false);
  const { path, movedTo, change, diff } = edit.change;
  const cut = diff.droppedUnits > 0;
  const parsed = useMemo(() => parseDiff(diff.text, change, cut), [diff.text, change, cut]);
  const word = useStatusWords(edit);
  return (
    <div className={cx(number > 1 && "border-t border-line")}>
      {(of > 1 || word !== null) && (
        <p className="flex justify-between gap-3 px-4 py-1 text-xs text-ink-3">
          {of > 1 && (
            <span>
              Edit {number} of {of}
            </span>
          )}
          {word !== null && <span className="text-warn">{word}</span>}
        </p>
      )}
      {cut && (
        <p className="px-4 py-1 text-s text-ink-3">The beginning of this diff is too long to be shown.</p>
      )}
      {parsed.lineCount === 0 ? (
        <p className="px-4 py-1.5 text-s text-ink-3">No lines are different.</p>
      ) : (
        <DiffView
          diff={parsed}
          path={movedTo ?? path}
          mostLines={all ? Number.POSITIVE_INFINITY : mostDrawnLines}
        />
      )}
      {!all && parsed.lineCount > mostDrawnLines && (
        <div className="border-t border-line px-2 py-0.5">
          <Button size="s" tone="quiet" onClick={() => setAll(true)}>
            Show all {count(parsed.lineCount, "line")}
          </Button>
        </div>
      )}
    </div>
  );
}
