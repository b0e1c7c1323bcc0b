// A file of the workspace, to be read: over the window, so that one is back where one was when it is closed.

import { Dialog as Base } from "@base-ui/react/dialog";
import { AtSign, Copy, FolderOpen, RotateCw, Search, SquareArrowOutUpRight, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { languageOfPath } from "../conversation/highlight/languageNames";
import { useHighlight } from "../conversation/highlight/useHighlight";
import { byteWords } from "../conversation/time/durations";
import { useWorkspace } from "../state/appStore";
import { copyText, reveal } from "../state/threadActions";
import { showDialog } from "../state/uiStore";
import { Button } from "../ui/Button";
import { cx } from "../ui/cx";
import { backdropClass, popupClass } from "../ui/Dialog";
import { IconButton } from "../ui/IconButton";
import { pressMatches } from "../ui/keys";
import { Notice } from "../ui/Notice";
import { Spinner } from "../ui/Spinner";
import { FileLines } from "./FileLines";
import { filePlace } from "./filePlace";
import { shownLineCount } from "./fileText";
import { canMention, mentionFile } from "./mention";
import { openInEditor } from "./openInEditor";
import { type FileHandle, useFile } from "./useFile";
import "../conversation/highlight/tokens.css";

export interface FileDialogProps {
  workspaceId: string;
  /** From the workspace's folder, or whole. */
  path: string;
  line: number | null;
  onClose: () => void;
}

export function FileDialog({ workspaceId, path, line, onClose }: FileDialogProps) {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Base.Root open onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={backdropClass} />
        <Base.Popup
          ref={popup}
          initialFocus={() => popup.current?.querySelector<HTMLElement>("[data-file-text]") ?? popup.current}
          className={cx(popupClass, "top-[5vh] h-[88vh] max-w-240 outline-none focus-visible:outline-none")}
        >
          <Shown key={`${workspaceId} ${path}`} {...{ workspaceId, path, line, onClose }} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

function Shown({ workspaceId, path, line: first, onClose }: FileDialogProps) {
  const [place, setPlace] = useState({ line: first, goes: 0 });
  const file = useFile(workspaceId, path, place.line);
  const workspace = useWorkspace(workspaceId);
  const lineField = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => setPlace((before) => ({ line: first, goes: before.goes + 1 })), [first]);
  const { text } = file;
  // What colours it takes its time to be loaded: that begins before the text is there.
  useHighlight("", languageOfPath(filePlace(path).path), false);
  // The text comes after the dialog: the keyboard goes to it if it has not gone elsewhere.
  const isHere = text !== null;
  useEffect(() => {
    const { activeElement } = document;
    const dialog = box.current?.parentElement;
    if (isHere && (activeElement === dialog || activeElement === document.body))
      box.current?.querySelector<HTMLElement>("[data-file-text]")?.focus();
  }, [isHere]);
  const shownPath = text?.path ?? path;
  const name = shownPath.split(/[\\/]/).at(-1) ?? shownPath;
  const folder = shownPath.slice(0, Math.max(0, shownPath.length - name.length));
  const edit = () =>
    void openInEditor({ workspaceId, path: text?.fullPath ?? filePlace(path).path, line: place.line });
  const count = text?.lines ? shownLineCount(text.lines) : 0;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut of everything in it
    <div
      ref={box}
      className="flex min-h-0 flex-1 flex-col"
      onKeyDown={(event) => {
        if (pressMatches(event.nativeEvent, "mod+alt+o")) {
          event.preventDefault();
          edit();
          return;
        }
        if (!pressMatches(event.nativeEvent, "mod+g")) return;
        event.preventDefault();
        lineField.current?.focus();
        lineField.current?.select();
      }}
    >
      <header className="@container flex min-h-11 items-center border-b border-line pr-2 pl-4">
        <div className="flex min-w-0 flex-1 items-center gap-2">
          <Base.Title
            className="flex min-w-0 flex-1 items-baseline gap-2 font-mono text-s"
            title={text?.fullPath ?? path}
          >
            <span className="min-w-0 shrink-[2] truncate text-m font-semibold">{name}</span>
            <span className="hidden min-w-0 shrink-[20] truncate text-ink-3 @xl:inline">
              {workspace && `${workspace.name} · `}
              {folder}
            </span>
          </Base.Title>
          {text && (
            <span className="hidden shrink-0 text-s text-ink-3 tabular @2xl:inline">
              {text.lines !== null &&
                `${count.toLocaleString("en")}${text.nextByte === null ? "" : "+"} lines · `}
              {byteWords(text.bytes)}
            </span>
          )}
          {text?.lines && (
            <GoToLine
              field={lineField}
              count={count}
              onGo={(line) => setPlace(({ goes }) => ({ line, goes: goes + 1 }))}
            />
          )}
          {text && canMention(workspaceId) && (
            <IconButton
              label="Mention in message"
              icon={<AtSign size={15} />}
              onClick={() => {
                onClose();
                mentionFile(text.path, text.fullPath);
              }}
            />
          )}
          {text && (
            <>
              <IconButton
                label="Open in my editor"
                shortcut="mod+alt+o"
                icon={<SquareArrowOutUpRight size={14} />}
                onClick={edit}
              />
              <IconButton
                label="Copy path"
                icon={<Copy size={15} />}
                onClick={() => void copyText(text.fullPath, "Path")}
              />
              <IconButton
                label="Show in folder"
                icon={<FolderOpen size={15} />}
                onClick={() => void reveal(text.fullPath)}
              />
            </>
          )}
          <IconButton
            label="Read the file again"
            icon={file.reading ? <Spinner /> : <RotateCw size={15} />}
            onClick={file.again}
          />
          <Base.Close render={<IconButton label="Close" shortcut="escape" icon={<X size={16} />} />} />
        </div>
      </header>
      <Content file={file} path={path} place={place} />
    </div>
  );
}

interface GoToLineProps {
  field: React.RefObject<HTMLInputElement | null>;
  count: number;
  onGo: (line: number) => void;
}

function GoToLine({ field, count, onGo }: GoToLineProps) {
  const [typed, setTyped] = useState("");
  return (
    <input
      ref={field}
      aria-label="Go to line"
      aria-keyshortcuts="Control+G"
      placeholder="Line"
      inputMode="numeric"
      value={typed}
      title={`1 to ${count}`}
      onChange={(event) => setTyped(event.target.value.replaceAll(/\D/g, "").slice(0, 7))}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || event.nativeEvent.isComposing || Number(typed) < 1) return;
        event.preventDefault();
        onGo(Number(typed));
      }}
      className="h-6 w-16 shrink-0 rounded-s border border-field-line bg-raised px-2 text-s tabular focus-visible:outline-2 focus-visible:outline-focus"
    />
  );
}

interface ContentProps {
  file: FileHandle;
  path: string;
  place: { line: number | null; goes: number };
}

function Content({ file, path, place }: ContentProps) {
  const { text, fault, reading } = file;
  if (fault && text === null) return <Failed file={file} path={path} />;
  if (text === null) {
    return (
      <p role="status" className="flex animate-late items-center gap-2 p-5 text-ink-2">
        <Spinner /> Reading the file…
      </p>
    );
  }
  if (text.lines === null) {
    return (
      <p className="p-5 text-ink-2">
        It is not shown: it is no text, or not in UTF-8. “Show in folder” leads to it.
      </p>
    );
  }
  if (text.bytes === 0) return <p className="p-5 text-ink-3">The file is empty.</p>;
  const missing =
    place.line !== null && text.nextByte === null && place.line > shownLineCount(text.lines)
      ? place.line
      : null;
  return (
    <>
      {fault && (
        <div className="p-3">
          <Notice
            live
            tone="error"
            title={fault.message}
            hint={fault.hint}
            actions={<Button onClick={file.again}>Try again</Button>}
          />
        </div>
      )}
      {missing !== null && (
        <p role="status" className="shrink-0 border-b border-line bg-raised px-4 py-1.5 text-s text-warn">
          It has no line {missing} any more: it may have changed since.
        </p>
      )}
      <FileLines
        label={`Text of ${text.path}`}
        path={text.path}
        lines={text.lines}
        line={place.line}
        goes={place.goes}
      />
      {text.nextByte !== null && (
        <div className="flex shrink-0 items-center gap-3 border-t border-line bg-raised px-4 py-1.5 text-s text-ink-2">
          <span className="min-w-0 flex-1">
            This is its beginning, {byteWords(text.nextByte)} of {byteWords(text.bytes)}.
          </span>
          <Button size="s" busy={reading} onClick={file.more}>
            Read further
          </Button>
        </div>
      )}
    </>
  );
}

function Failed({ file, path }: { file: FileHandle; path: string }) {
  const { fault } = file;
  if (!fault) return null;
  const name = filePlace(path).path.split(/[\\/]/).at(-1) ?? path;
  return (
    <div className="p-4">
      <Notice
        live
        tone="error"
        title={fault.message}
        hint={fault.hint}
        detail={fault.detail}
        actions={
          <>
            <Button onClick={file.again}>Try again</Button>
            {fault.code === "file_gone" && (
              <Button
                icon={<Search aria-hidden size={13} />}
                onClick={() => showDialog({ kind: "palette", typed: `@${name}` })}
              >
                Look for {name}
              </Button>
            )}
            {fault.path !== undefined && (
              <Button
                icon={<FolderOpen aria-hidden size={13} />}
                onClick={() => fault.path !== undefined && void reveal(fault.path)}
              >
                Show in folder
              </Button>
            )}
          </>
        }
      />
    </div>
  );
}
