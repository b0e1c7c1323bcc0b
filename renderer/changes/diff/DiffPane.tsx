// The file that is shown: its difference with what it is compared with, or what the thread has done to it.

import { FileQuestion, GitCompareArrows } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useMemo, useState } from "react";
import type { Comparison, FileDiff } from "../../../preload/contract/changes";
import { parseDiff } from "../../conversation/diff/parseDiff";
import type { ChangedFile as ThreadFile } from "../../inspector/changedFiles";
import { useLayout } from "../../state/uiStore";
import { Button } from "../../ui/Button";
import { EmptyState } from "../../ui/EmptyState";
import { Notice } from "../../ui/Notice";
import { Spinner } from "../../ui/Spinner";
import { differenceLoaded, discardPart, openEntry, stagePart, unstagePart } from "../actions";
import { CommentCard } from "../comments/CommentCard";
import { commentOn, rememberPlaces, useComments } from "../comments/comments";
import { placeComments, rangeOf } from "../comments/placeComments";
import type { FileEntry } from "../list/files";
import { lookAgain } from "../state/changesStore";
import { bytesWords, nothingWords } from "./contentWords";
import { DiffGrid } from "./DiffGrid";
import type { PartAction } from "./partAction";
import { type Grid, type GridLine, gridOf, rawOfMain, rawOfThread } from "./rows";
import { type ContextState, useContextLines } from "./useContext";
import { useFileDiff } from "./useFileDiff";

export interface DiffPaneProps {
  workspaceId: string;
  entry: FileEntry;
  onFile: (by: 1 | -1) => void;
}

export function FolderDiff({
  workspaceId,
  entry,
  comparison,
  looks,
  onFile,
}: DiffPaneProps & { comparison: Comparison; looks: number }) {
  const [whole, setWhole] = useState(false);
  const { diff, fault, loading, loads } = useFileDiff(
    workspaceId,
    entry.path,
    entry.oldPath,
    comparison,
    whole,
    looks,
  );
  const content = diff?.content;
  const hunks = content?.kind === "text" ? content.hunks : null;
  const context = useContextLines(workspaceId, comparison, diff);
  const gaps = context?.gaps;
  const grid = useMemo(
    () => hunks && gridOf([{ title: null, hunks: rawOfMain(hunks), ...(gaps ? { gaps } : {}) }]),
    [hunks, gaps],
  );
  const actions = useMemo(
    () => (diff ? partActions(workspaceId, entry, diff) : []),
    [workspaceId, entry, diff],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer is one, whatever it brought
  useEffect(differenceLoaded, [loads]);
  if (fault) {
    return (
      <div className="p-4">
        <Notice
          live
          tone="error"
          title={fault.message}
          hint={fault.hint}
          detail={fault.detail}
          actions={<Button onClick={() => lookAgain(workspaceId)}>Look again</Button>}
        />
      </div>
    );
  }
  if (!diff || !content) return <Waiting />;
  if (!grid || grid.hunks.length === 0) return <NoLines entry={entry} diff={diff} />;
  const left = content.kind === "text" ? content.left : null;
  return (
    <Lines
      workspaceId={workspaceId}
      entry={entry}
      grid={grid}
      actions={actions}
      wholeOnly={diff.wholeOnly}
      context={context}
      onFile={onFile}
      end={
        left !== null && (
          <div className="flex items-center gap-3 border-t border-line px-3 py-2 font-sans text-s text-ink-2">
            {left === "more" ? (
              <>
                <Button size="s" busy={loading && whole} onClick={() => setWhole(true)}>
                  Show the rest
                </Button>
                The difference is long; this is its beginning.
              </>
            ) : (
              "The difference goes on; it is too long to be shown here."
            )}
          </div>
        )
      }
    />
  );
}

/** What the thread's edits did to the file, one after the other. */
export function ThreadDiff({ workspaceId, entry, file, onFile }: DiffPaneProps & { file: ThreadFile }) {
  const { edits } = file;
  const grid = useMemo(() => {
    const sections = edits.map(({ change, status }, at) => {
      const cut = change.diff.droppedUnits > 0;
      const words = [
        edits.length > 1 && `Edit ${at + 1} of ${edits.length}`,
        status === "running" && "not written yet",
        status === "lost" && "it is not known whether it was written",
        cut && "its beginning is too long to be shown",
      ].filter((each) => each !== false);
      return {
        title: words.length === 0 ? null : words.join(", "),
        hunks: rawOfThread(parseDiff(change.diff.text, change.change, cut)),
      };
    });
    return gridOf(sections);
  }, [edits]);
  if (grid.hunks.length === 0) return <Plain title="No lines are different" />;
  return (
    <Lines
      workspaceId={workspaceId}
      entry={entry}
      grid={grid}
      actions={noActions}
      wholeOnly={null}
      context={null}
      onFile={onFile}
    />
  );
}

const noActions: readonly PartAction[] = [];

function partActions(workspaceId: string, entry: FileEntry, diff: FileDiff): readonly PartAction[] {
  if (entry.inert) return noActions;
  if (entry.group === "staged") {
    return [
      {
        id: "unstage",
        key: "u",
        label: "Unstage",
        tone: "default",
        run: (hunk, lines) => unstagePart(workspaceId, diff, hunk, lines),
      },
    ];
  }
  if (entry.group !== "unstaged") return noActions;
  return [
    {
      id: "discard",
      key: "x",
      label: "Discard",
      tone: "danger",
      run: (hunk, lines) => void discardPart(workspaceId, diff, hunk, lines),
    },
    {
      id: "stage",
      key: "s",
      label: "Stage",
      tone: "default",
      run: (hunk, lines) => stagePart(workspaceId, diff, hunk, lines),
    },
  ];
}

interface LinesProps {
  workspaceId: string;
  entry: FileEntry;
  grid: Grid;
  actions: readonly PartAction[];
  wholeOnly: string | null;
  context: ContextState | null;
  onFile: (by: 1 | -1) => void;
  end?: ReactNode;
}

/** The lines with the comments on them. */
function Lines({ workspaceId, entry, grid, actions, wholeOnly, context, onFile, end }: LinesProps) {
  const { path } = entry;
  const split = useLayout((layout) => layout.changesPanes.split);
  const all = useComments();
  const comments = useMemo(() => all.filter((comment) => comment.path === path), [all, path]);
  const placed = useMemo(() => placeComments(grid, comments), [grid, comments]);
  useEffect(() => {
    rememberPlaces(
      comments.flatMap(({ commentId }, at) => {
        const each = placed[at];
        return each ? [[commentId, each] as const] : [];
      }),
    );
  }, [comments, placed]);
  // Which comment stands where decides the rows; what it says does not, and is typed letter by letter.
  const places = comments.map(({ commentId }, at) => `${placed[at]?.below ?? ""} ${commentId}`).join("\n");
  const commentsAt = useMemo(() => {
    const map = new Map<string, string[]>();
    for (const each of places.split("\n")) {
      const [below, commentId] = each.split(" ");
      if (!below || !commentId) continue;
      map.set(below, [...(map.get(below) ?? []), commentId]);
    }
    return map;
  }, [places]);
  const drawComment = (commentId: string) => {
    const at = comments.findIndex((comment) => comment.commentId === commentId);
    const comment = comments[at];
    return comment ? <CommentCard comment={comment} placed={placed[at] ?? null} /> : null;
  };
  const onComment = useCallback(
    (lines: readonly GridLine[]) => {
      const range = rangeOf(path, lines);
      if (range) void commentOn(workspaceId, range);
    },
    [workspaceId, path],
  );
  return (
    <>
      {wholeOnly !== null && actions.length > 0 && (
        <p className="shrink-0 border-b border-line bg-panel px-3 py-1 text-s text-ink-3">{wholeOnly}</p>
      )}
      <DiffGrid
        path={path}
        grid={grid}
        split={split}
        commentsAt={commentsAt}
        drawComment={drawComment}
        actions={actions}
        wholeOnly={wholeOnly}
        context={context}
        onComment={onComment}
        onEditor={(line) => openEntry(workspaceId, entry, line)}
        onFile={onFile}
        end={end}
      />
    </>
  );
}

function NoLines({ entry, diff }: { entry: FileEntry; diff: FileDiff }) {
  const { content } = diff;
  switch (content.kind) {
    case "binary":
      return (
        <Plain title={content.image ? "A picture" : "A binary file"}>
          {bytesWords(content.oldBytes, content.newBytes)}
        </Plain>
      );
    case "submodule":
      return (
        <Plain title="A submodule">
          It was at commit <Sha sha={content.old} /> and is now at <Sha sha={content.new} />.
        </Plain>
      );
    case "too large":
      return (
        <Plain title="Too large to be compared">
          {bytesWords(null, content.bytes)} It can be staged and discarded as a whole.
        </Plain>
      );
    case "same":
      return <Plain title="There is no difference any more" />;
    case "text":
      return <Plain title={nothingWords(entry, diff)} />;
    default:
      return content satisfies never;
  }
}

function Sha({ sha }: { sha: string | null }) {
  return sha === null ? "none" : <code>{sha.slice(0, 10)}</code>;
}

function Plain({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="grid min-h-0 flex-1 content-center bg-raised">
      <EmptyState icon={<FileQuestion aria-hidden size={20} />} title={title}>
        {children}
      </EmptyState>
    </div>
  );
}

function Waiting() {
  return (
    <div className="grid min-h-0 flex-1 place-items-center bg-raised">
      <p role="status" className="flex animate-late items-center gap-2 text-ink-2">
        <Spinner />
        Comparing…
      </p>
    </div>
  );
}

export function NoFile() {
  return (
    <div className="grid min-h-0 flex-1 content-center bg-raised">
      <EmptyState icon={<GitCompareArrows aria-hidden size={20} />} title="No file is chosen">
        Choose one in the list to see what is different in it.
      </EmptyState>
    </div>
  );
}
