import {
  ArrowDown,
  ArrowUp,
  Copy,
  Ellipsis,
  FileText,
  GripVertical,
  ImageIcon,
  Pencil,
  Send,
  Trash2,
} from "lucide-react";
import { type HTMLAttributes, type KeyboardEvent, useRef, useState } from "react";
import type { Attachment } from "../../preload/contract/items";
import type { FollowUpView } from "../../preload/contract/thread";
import { RunByline } from "../conversation/RunByline";
import { copyText } from "../state/threadActions";
import { useThreadKey } from "../state/threadStore";
import { cx } from "../ui/cx";
import { IconButton } from "../ui/IconButton";
import { MenuButton, MenuItem, type MenuPlace, MenuSeparator, PlacedMenu } from "../ui/Menu";
import { Spinner } from "../ui/Spinner";
import { deleteFollowUp, sendFollowUpNow } from "./followUps";
import { entryName, stateWords } from "./words";

export interface FollowUpRowProps {
  entry: FollowUpView;
  place: number;
  of: number;
  running: boolean;
  /** Tab comes to this row; the arrows lead to the others. */
  isStop: boolean;
  describedBy: string;
  dragging: boolean;
  /** What is dragged would come to stand there. */
  dropLine: "above" | "below" | null;
  handlers: HTMLAttributes<HTMLLIElement>;
  onFocus: () => void;
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  onEdit: () => void;
  onStep: (by: 1 | -1) => void;
}

const dropLook = {
  above:
    "before:absolute before:inset-x-0 before:-top-[5px] before:h-0.5 before:rounded-full before:bg-accent",
  below: "after:absolute after:inset-x-0 after:-bottom-[5px] after:h-0.5 after:rounded-full after:bg-accent",
};

export function FollowUpRow(props: FollowUpRowProps) {
  const { entry, place, of, isStop, dragging, dropLine } = props;
  const [menuAt, setMenuAt] = useState<MenuPlace | null>(null);
  const row = useRef<HTMLLIElement>(null);
  return (
    <li
      ref={row}
      data-row={entry.clientId}
      tabIndex={isStop ? 0 : -1}
      aria-label={entryName(entry, place, of)}
      aria-describedby={props.describedBy}
      {...props.handlers}
      onFocus={props.onFocus}
      onKeyDown={props.onKeyDown}
      onDoubleClick={props.onEdit}
      onContextMenu={(event) => {
        if (!event.currentTarget.contains(event.target as Node)) return;
        event.preventDefault();
        setMenuAt({ x: event.clientX, y: event.clientY });
      }}
      className={cx(
        "group relative flex min-w-0 gap-1.5 rounded-m border border-line bg-raised py-1.5 pr-2.5 pl-1.5 transition-colors hover:border-line-strong",
        dragging && "opacity-45",
        dropLine !== null && dropLook[dropLine],
      )}
    >
      <Grip entry={entry} place={place} />
      <div className="grid min-w-0 flex-1 gap-1">
        <p className="line-clamp-3 break-words whitespace-pre-wrap">
          {entry.text.trim() === "" ? <span className="text-ink-3">No text</span> : entry.text}
        </p>
        <Attachments attachments={entry.attachments} />
        {entry.byRun && <RunByline run={entry.byRun} />}
      </div>
      <Actions {...props} />
      <PlacedMenu place={menuAt} onClose={() => setMenuAt(null)} label="Follow-up" returnFocus={row}>
        <Items {...props} />
      </PlacedMenu>
    </li>
  );
}

/** Its place; what it can be held by, while one points at it; a ring while something is done with it. */
function Grip({ entry, place }: { entry: FollowUpView; place: number }) {
  const doing = stateWords(entry.state);
  return (
    <span
      data-grip
      title={doing ?? undefined}
      className="grid h-5 w-4 shrink-0 cursor-grab touch-none place-items-center text-s text-ink-3 tabular *:[grid-area:1/1]"
    >
      {doing !== null && <Spinner />}
      {doing === null && (
        <>
          <span aria-hidden className="group-hover:opacity-0">
            {place}
          </span>
          <GripVertical aria-hidden size={14} className="opacity-0 group-hover:opacity-100" />
        </>
      )}
    </span>
  );
}

/** Named in the row's own name by their number. */
function Attachments({ attachments }: { attachments: readonly Attachment[] }) {
  if (attachments.length === 0) return null;
  return (
    <p className="flex min-w-0 flex-wrap gap-x-2.5 gap-y-0.5 text-xs text-ink-3">
      {attachments.map(({ kind, path, name }, at) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: several can be without a path, and none has a state
          key={`${at} ${kind} ${path}`}
          title={path}
          className="flex max-w-full min-w-0 items-center gap-1"
        >
          {kind === "image" ? (
            <ImageIcon aria-hidden size={12} className="shrink-0" />
          ) : (
            <FileText aria-hidden size={12} className="shrink-0" />
          )}
          <span className="truncate">{name}</span>
        </span>
      ))}
    </p>
  );
}

/** Over the end of the first line, for the row that is pointed at or has the keyboard: so they take room from no text. */
function Actions(props: FollowUpRowProps) {
  const { entry, isStop, onEdit } = props;
  const threadKey = useThreadKey();
  const tabIndex = isStop ? undefined : -1;
  return (
    <div
      data-no-drag
      className="absolute top-[3px] right-1 flex rounded-s bg-raised pl-1 opacity-0 shadow-[-8px_0_8px_var(--color-raised)] transition-opacity group-focus-within:opacity-100 group-hover:opacity-100 has-data-popup-open:opacity-100 [@media(hover:none)]:opacity-100"
    >
      <IconButton
        size="s"
        label="Edit"
        tabIndex={tabIndex}
        icon={<Pencil aria-hidden size={13} />}
        onClick={onEdit}
      />
      <IconButton
        size="s"
        label="Send now"
        tabIndex={tabIndex}
        icon={<Send aria-hidden size={13} />}
        onClick={() => void sendFollowUpNow(threadKey, entry.clientId)}
      />
      <IconButton
        size="s"
        label="Delete"
        tabIndex={tabIndex}
        icon={<Trash2 aria-hidden size={13} />}
        onClick={() => void deleteFollowUp(threadKey, entry)}
      />
      <MenuButton
        align="end"
        button={
          <IconButton size="s" label="More" tabIndex={tabIndex} icon={<Ellipsis aria-hidden size={14} />} />
        }
      >
        <Items {...props} />
      </MenuButton>
    </div>
  );
}

function Items({ entry, place, of, running, onEdit, onStep }: FollowUpRowProps) {
  const threadKey = useThreadKey();
  return (
    <>
      <MenuItem icon={<Pencil size={14} />} shortcut="enter" onSelect={onEdit}>
        Edit
      </MenuItem>
      <MenuItem
        icon={<Send size={14} />}
        description={running ? "Steers the running turn with it" : "Starts a turn with it"}
        onSelect={() => void sendFollowUpNow(threadKey, entry.clientId)}
      >
        Send now
      </MenuItem>
      <MenuItem icon={<Copy size={14} />} onSelect={() => void copyText(entry.text, "Text")}>
        Copy text
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        icon={<ArrowUp size={14} />}
        shortcut="alt+arrowup"
        disabled={place === 1}
        onSelect={() => onStep(-1)}
      >
        Move up
      </MenuItem>
      <MenuItem
        icon={<ArrowDown size={14} />}
        shortcut="alt+arrowdown"
        disabled={place === of}
        onSelect={() => onStep(1)}
      >
        Move down
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        icon={<Trash2 size={14} />}
        shortcut="delete"
        onSelect={() => void deleteFollowUp(threadKey, entry)}
      >
        Delete
      </MenuItem>
    </>
  );
}
