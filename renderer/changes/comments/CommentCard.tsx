// One comment beside its lines, or in the list of all of them: what it says, and a field while it is written.

import { Pencil, Trash2 } from "lucide-react";
import { useEffect, useRef } from "react";
import type { FaultView } from "../../../preload/contract/fault";
import { belongsToInputMethod } from "../../composer/keys";
import { Button } from "../../ui/Button";
import { Chip } from "../../ui/Chip";
import { cx } from "../../ui/cx";
import { IconButton } from "../../ui/IconButton";
import { pressMatches } from "../../ui/keys";
import { Said } from "../../ui/Said";
import {
  closeComment,
  deleteComment,
  editComment,
  keepAsNew,
  type ShownComment,
  writeComment,
} from "./comments";
import { type Placed, rangeWords } from "./placeComments";

const standingWords = {
  here: null,
  moved: "its lines have moved",
  outdated: "outdated: its lines have changed",
  elsewhere: "its lines are not shown",
} as const;

export interface CommentCardProps {
  comment: ShownComment;
  placed: Placed | null;
  /** In the list: the file is said, too. */
  onShow?: () => void;
}

export function CommentCard({ comment, placed, onShow }: CommentCardProps) {
  const { commentId, path, text, edit } = comment;
  const where = rangeWords({ ...comment, ...(placed?.standing === "moved" ? placed : {}) });
  const words = placed === null ? null : standingWords[placed.standing];
  const name = `Comment on ${path}, ${where}`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: one of several, no group of fields
    <div
      role="group"
      aria-label={words === null ? name : `${name}, ${words}`}
      className="rounded-m border border-line-strong bg-canvas text-m shadow-low"
    >
      <div className="flex min-h-7 items-center gap-2 pr-1 pl-2.5 text-s text-ink-2">
        {onShow ? (
          <button
            type="button"
            onClick={onShow}
            className="flex min-w-0 items-baseline gap-1.5 rounded-xs hover:text-ink"
          >
            <span className="truncate font-mono text-xs">{path}</span>
            <span className="shrink-0">{where}</span>
          </button>
        ) : (
          <span className="truncate">{capital(where)}</span>
        )}
        {words !== null && (
          <Chip tone={placed?.standing === "outdated" ? "warn" : "plain"} className="shrink">
            {words}
          </Chip>
        )}
        <span className="flex-1" />
        {edit === null && (
          <IconButton
            label="Edit the comment"
            size="s"
            icon={<Pencil size={13} />}
            onClick={() => editComment(comment)}
          />
        )}
        <IconButton
          label="Delete the comment"
          size="s"
          icon={<Trash2 size={13} />}
          onClick={() => void deleteComment(commentId)}
        />
      </div>
      {edit === null ? (
        <p className="px-2.5 pb-2 break-words whitespace-pre-wrap selectable">{text}</p>
      ) : (
        <Editor commentId={commentId} text={text} label={name} fault={edit.fault} gone={edit.gone} />
      )}
    </div>
  );
}

interface EditorProps {
  commentId: string;
  text: string;
  label: string;
  fault: FaultView | null;
  gone: boolean;
}

function Editor({ commentId, text, label, fault, gone }: EditorProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const composedAtMs = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const { current } = field;
    current?.focus({ preventScroll: true });
    current?.setSelectionRange(current.value.length, current.value.length);
  }, []);
  const done = () => {
    const grid = field.current?.closest<HTMLElement>('[role="grid"]');
    void closeComment(commentId);
    grid?.focus({ preventScroll: true });
  };
  return (
    <div className="grid gap-1.5 px-2.5 pb-2">
      <textarea
        ref={field}
        aria-label={label}
        value={text}
        rows={2}
        maxLength={20_000}
        placeholder="What should be different here?"
        onChange={(event) => writeComment(commentId, event.target.value)}
        onCompositionEnd={(event) => {
          composedAtMs.current = event.timeStamp;
        }}
        onKeyDown={(event) => {
          const press = { ...pick(event.nativeEvent) };
          if (belongsToInputMethod(press, composedAtMs.current)) return;
          if (pressMatches(event, "mod+enter") || event.key === "Escape") {
            event.preventDefault();
            event.stopPropagation();
            done();
          }
        }}
        className={cx(
          "max-h-60 min-h-12 w-full resize-none field-sizing-content overflow-y-auto rounded-s border border-field-line bg-raised px-2 py-1 text-m",
          "focus-visible:outline-2 focus-visible:-outline-offset-1 focus-visible:outline-focus",
        )}
      />
      {fault && (
        <p role="alert" className="text-s text-bad">
          <Said>{[fault.message, fault.hint].filter(Boolean).join(" ")}</Said>
        </p>
      )}
      {gone && (
        <p role="alert" className="flex items-center gap-2 text-s text-warn">
          It was sent or deleted in another window.
          <Button size="s" onClick={() => keepAsNew(commentId)}>
            Keep this as a new comment
          </Button>
        </p>
      )}
      <div className="flex items-center gap-2">
        <Button size="s" shortcut="mod+enter" onClick={done}>
          Done
        </Button>
        <span className="text-s text-ink-3">Kept as you type; sent with the others.</span>
      </div>
    </div>
  );
}

function pick({
  key,
  code,
  ctrlKey,
  metaKey,
  altKey,
  shiftKey,
  repeat,
  isComposing,
  keyCode,
  timeStamp,
}: globalThis.KeyboardEvent) {
  return { key, code, ctrlKey, metaKey, altKey, shiftKey, repeat, isComposing, keyCode, timeStamp };
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
