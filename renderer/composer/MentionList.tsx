import { FileText } from "lucide-react";
import { useEffect, useRef } from "react";
import { cx } from "../ui/cx";
import { Spinner } from "../ui/Spinner";
import type { FoundFile, Mention } from "./useMention";

export function optionId(listId: string, index: number): string {
  return `${listId}-${index}`;
}

export interface MentionListProps {
  mention: Mention;
  listId: string;
  /** Of the field. */
  side: "above" | "below";
}

export function MentionList({ mention, listId, side }: MentionListProps) {
  const active = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the option that is active is scrolled to when another one is
  useEffect(() => active.current?.scrollIntoView({ block: "nearest" }), [mention.active, mention.found]);
  if (!mention.open) return null;
  const { found } = mention;
  return (
    <div
      className={cx(
        side === "above" ? "bottom-full mb-1.5" : "top-full mt-1.5",
        "absolute inset-x-0 z-20 animate-fade overflow-hidden rounded-m border border-line-strong bg-raised shadow-pop",
      )}
    >
      <div
        id={listId}
        role="listbox"
        aria-label="Files"
        className="max-h-64 overflow-y-auto p-1 empty:hidden"
      >
        {found?.files.map((file, index) => (
          <div
            key={file.path}
            ref={index === mention.active ? active : null}
            id={optionId(listId, index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === mention.active}
            onPointerMove={() => index !== mention.active && mention.setActive(index)}
            // The field keeps the keyboard.
            onPointerDown={(event) => event.preventDefault()}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => mention.choose(index)}
            onKeyDown={undefined}
            className={cx(
              "flex h-7 items-center gap-2 rounded-s px-2",
              index === mention.active && "bg-hover",
            )}
          >
            <FileText aria-hidden size={14} className="shrink-0 text-ink-3" />
            <FilePath file={file} />
          </div>
        ))}
      </div>
      <p
        role="status"
        className={cx(
          found !== null && found.files.length > 0 && "sr-only",
          "flex h-9 items-center gap-2 px-3 text-s text-ink-3",
        )}
      >
        {found === null && <Spinner />}
        {found === null
          ? "Looking for files…"
          : found.failed
            ? "Files cannot be searched right now."
            : found.files.length === 0
              ? "No file is called that."
              : `${found.files.length} files`}
      </p>
    </div>
  );
}

/** The letters that were looked for stand out; the folder is cut first where there is no room. */
export function FilePath({ file }: { file: FoundFile }) {
  const nameAt = file.path.length - file.name.length;
  const marked = new Set(file.indices);
  const letters = (from: number, to: number) =>
    runsOf(file.path, from, to, marked).map((run) =>
      run.marked ? (
        <b key={run.at} className="font-semibold text-accent">
          {run.text}
        </b>
      ) : (
        <span key={run.at}>{run.text}</span>
      ),
    );
  return (
    <span className="flex min-w-0 items-baseline gap-2 font-mono text-s">
      <span className="shrink-0 text-ink">{letters(nameAt, file.path.length)}</span>
      <span className="truncate text-xs text-ink-3">{letters(0, Math.max(0, nameAt - 1))}</span>
    </span>
  );
}

interface Run {
  at: number;
  text: string;
  marked: boolean;
}

function runsOf(text: string, from: number, to: number, marks: ReadonlySet<number>): Run[] {
  const runs: Run[] = [];
  for (let at = from; at < to; at += 1) {
    const marked = marks.has(at);
    const last = runs.at(-1);
    if (last && last.marked === marked) last.text += text[at];
    else runs.push({ at, text: text[at] ?? "", marked });
  }
  return runs;
}
