// One terminal on this machine: how it stands, what can be done with it, and its screen, which has all the room there is.

import {
  ArrowDownToLine,
  CircleStop,
  Eraser,
  MessageSquareQuote,
  OctagonX,
  PencilLine,
  Search,
  X,
} from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { TerminalRow } from "../../preload/contract/terminals";
import { Button } from "../ui/Button";
import { IconButton } from "../ui/IconButton";
import { Later, LaterPart } from "../ui/later";
import { Status } from "../ui/StatusDot";
import { TextField } from "../ui/TextField";
import { endTerminal, interruptTerminal, renameTerminal } from "./actions";
import { askCodexAbout } from "./askCodex";
import { FindBar } from "./FindBar";
import { bringToFront } from "./inFront";
import { giveKeyboard } from "./keyboard";
import type { Screen } from "./screen";
import type { FillOptions, TerminalScreenProps } from "./TerminalScreen";
import { isOver, terminalLook } from "./terminalWords";

const screenPart = new LaterPart<TerminalScreenProps>(
  async () => (await import("./TerminalScreen")).TerminalScreen,
);
const fontPx = 13;

export interface WorkspaceTerminalPaneProps {
  row: TerminalRow;
  workspaceId: string;
  name: string;
  isRenaming: boolean;
  onRename: (isRenaming: boolean) => void;
  onClose: () => void;
  onLeave: () => void;
}

export function WorkspaceTerminalPane({
  row,
  workspaceId,
  name,
  isRenaming,
  onRename,
  onClose,
  onLeave,
}: WorkspaceTerminalPaneProps) {
  const { terminalId } = row;
  const [screen, setScreen] = useState<Screen | null>(null);
  const [hasSelection, setHasSelection] = useState(false);
  const [isAtEnd, setIsAtEnd] = useState(true);
  const [findAsked, setFindAsked] = useState(0);
  const find = useCallback(() => setFindAsked((asked) => asked + 1), []);
  const fills = useMemo<FillOptions>(
    () => ({ onScreen: setScreen, onSelected: setHasSelection, onAtEnd: setIsAtEnd, onFind: find }),
    [find],
  );
  useEffect(() => {
    if (screen !== null) return bringToFront({ terminalId, screen, find });
  }, [terminalId, screen, find]);
  const { tone, words } = terminalLook(row);
  const over = isOver(row);
  const back = () => giveKeyboard(terminalId);
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="flex min-h-9 shrink-0 flex-wrap items-center justify-end gap-x-2 gap-y-1 border-b border-line px-3 py-1">
        {isRenaming ? (
          <Rename
            name={row.name ?? name}
            onDone={(next) => {
              if (next !== null) void renameTerminal(terminalId, next);
              onRename(false);
              back();
            }}
          />
        ) : (
          <div role="status" aria-label="Terminal" className="min-w-32 flex-1">
            <Status tone={tone} word={words} wraps className="text-s" />
            {row.cwd !== null && (
              <p className="truncate font-mono text-xs text-ink-3 selectable" title={row.cwd}>
                {row.cwd}
              </p>
            )}
          </div>
        )}
        <div className="flex shrink-0 items-center">
          <IconButton
            size="s"
            label="Ask codex about what is selected"
            icon={<MessageSquareQuote size={15} />}
            disabled={!hasSelection}
            onClick={() => void askCodexAbout(screen?.selection ?? "", workspaceId)}
          />
          <IconButton
            size="s"
            label="Find in the terminal"
            shortcut="mod+shift+f"
            icon={<Search size={15} />}
            onClick={find}
          />
          <IconButton
            size="s"
            label="Clear"
            icon={<Eraser size={15} />}
            onClick={() => {
              screen?.clear();
              back();
            }}
          />
          <IconButton
            size="s"
            label="Rename the terminal"
            icon={<PencilLine size={15} />}
            onClick={() => onRename(true)}
          />
          <IconButton
            size="s"
            label="Interrupt, as Ctrl+C does"
            icon={<CircleStop size={15} />}
            disabled={over}
            onClick={() => void interruptTerminal(terminalId)}
          />
          <IconButton
            size="s"
            label="End it with what it has started"
            icon={<OctagonX size={15} />}
            disabled={over || row.ending}
            onClick={() => void endTerminal(terminalId)}
          />
          <IconButton size="s" label="Close the terminal" icon={<X size={15} />} onClick={onClose} />
        </div>
      </div>
      <div className="relative flex min-h-0 flex-1 flex-col">
        <Later part={screenPart} props={{ row, label: `Terminal: ${name}`, fontPx, onLeave, fills }} />
        {/* Over the screen: one that became smaller would lose what is selected on it. */}
        {findAsked > 0 && screen !== null && (
          <FindBar
            screen={screen}
            asked={findAsked}
            onClose={() => {
              setFindAsked(0);
              back();
            }}
          />
        )}
        {!isAtEnd && (
          <div className="absolute right-5 bottom-2 z-20">
            <Button
              size="s"
              icon={<ArrowDownToLine aria-hidden size={13} />}
              onClick={() => {
                screen?.scrollToEnd();
                back();
              }}
            >
              To the end
            </Button>
          </div>
        )}
      </div>
      <p className="shrink-0 border-t border-line px-3 py-1 text-xs text-ink-3">
        Outside codex's sandbox. Shift+Escape leaves it.
      </p>
    </div>
  );
}

/** `onDone` null: it is called what it was. */
function Rename({ name, onDone }: { name: string; onDone: (name: string | null) => void }) {
  const [text, setText] = useState(name);
  const box = useRef<HTMLFormElement>(null);
  const isDone = useRef(false);
  const done = (next: string | null) => {
    if (isDone.current) return;
    isDone.current = true;
    onDone(next);
  };
  useEffect(() => box.current?.querySelector("input")?.select(), []);
  return (
    <form
      ref={box}
      className="min-w-32 flex-1"
      onSubmit={(event) => {
        event.preventDefault();
        done(text);
      }}
    >
      <TextField
        label="Name of the terminal"
        hideLabel
        value={text}
        onChange={setText}
        maxLength={200}
        placeholder="Empty: as it calls itself"
        onBlur={() => done(text === name ? null : text)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          event.stopPropagation();
          done(null);
        }}
      />
    </form>
  );
}
