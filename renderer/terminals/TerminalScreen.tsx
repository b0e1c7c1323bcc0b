// The screen of one terminal. Main keeps what was printed: whoever shows a terminal gets that first and then what follows.

import "../conversation/ansi/ansi.css";
import "./terminal.css";
import { useEffect, useRef, useState } from "react";
import type { FaultView } from "../../preload/contract/fault";
import type { TerminalRow } from "../../preload/contract/terminals";
import { faultOf } from "../state/callFault";
import { call, connection } from "../state/connection";
import { copyText } from "../state/threadActions";
import { cx } from "../ui/cx";
import { Notice } from "../ui/Notice";
import { openTerminalLink } from "./actions";
import { fitInto } from "./fitInto";
import { onKeyboard } from "./keyboard";
import { mayPaste } from "./paste";
import { Screen, scrollbackLines } from "./screen";
import { isOver } from "./terminalWords";
import { Typing } from "./typing";
import { withRest } from "./withRest";

export interface TerminalScreenProps {
  row: TerminalRow;
  /** The accessible name of what is typed into. */
  label: string;
  fontPx: number;
  onLeave: () => void;
  /** It has all the room that there is, and as many columns and rows as fit. Left out: its size is its place's. */
  fills?: FillOptions;
}

export interface FillOptions {
  onScreen(screen: Screen | null): void;
  onSelected(hasSelection: boolean): void;
  onAtEnd(isAtEnd: boolean): void;
  /** Words are to be found on it. */
  onFind(): void;
}

type Trouble =
  /** What was typed did not arrive, or nobody knows whether it did. */
  { what: "typing"; fault: FaultView } | { what: "showing"; fault: FaultView };

/** The window holds so many lines, and main so many bytes. */
const cutWords = `Only the end of what it has printed is kept: at most ${scrollbackLines.toLocaleString("en")} lines, and 1 MiB.`;

export function TerminalScreen({ row, label, fontPx, onLeave, fills }: TerminalScreenProps) {
  const { terminalId, columns, rows } = row;
  const isFilling = fills !== undefined;
  const box = useRef<HTMLDivElement>(null);
  const screen = useRef<Screen | null>(null);
  const now = useRef<Shown>({ row, label, fontPx, onLeave, fills });
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  /** Something that was printed before is not on it any more. */
  const [isCut, setIsCut] = useState(false);

  useEffect(() => {
    now.current = { row, label, fontPx, onLeave, fills };
    if (!screen.current) return;
    screen.current.isOver = isOver(row);
    screen.current.fontPx = fontPx;
  }, [row, label, fontPx, onLeave, fills]);

  useEffect(() => screen.current?.resize({ columns, rows }), [columns, rows]);

  useEffect(() => {
    const place = box.current;
    if (!place) return;
    let stop = () => {};
    let isGone = false;
    const begin = () => {
      if (isGone) return;
      const stopShowing = show(terminalId, place, now, screen, { setTrouble, setIsCut });
      const stopFitting = isFilling
        ? fitInto(
            place,
            () => screen.current,
            () => now.current.row,
          )
        : () => {};
      stop = () => {
        stopFitting();
        stopShowing();
      };
    };
    // The size of a character is measured once. A font that cannot be loaded is replaced by another, which has its size too.
    document.fonts.load(`${now.current.fontPx}px "JetBrains Mono Variable"`).then(begin, begin);
    return () => {
      isGone = true;
      stop();
    };
  }, [terminalId, isFilling]);

  return (
    <>
      {trouble !== null && <TroubleNotice trouble={trouble} onDismiss={() => setTrouble(null)} />}
      <div
        className={cx(
          "terminal-screen overflow-x-auto overflow-y-hidden bg-canvas",
          isFilling ? "min-h-0 flex-1 py-1 pl-2" : "mx-4 shrink-0 rounded-m border border-line p-2",
        )}
        ref={box}
      />
      {isCut && !isFilling && <p className="shrink-0 px-4 pt-2 text-xs text-ink-3">{cutWords}</p>}
    </>
  );
}

function TroubleNotice({ trouble, onDismiss }: { trouble: Trouble; onDismiss: () => void }) {
  const { what, fault } = trouble;
  const title = what === "typing" ? `What was typed did not arrive: ${fault.message}` : fault.message;
  return (
    <Notice
      tone={what === "typing" ? "error" : "warning"}
      title={title}
      hint={fault.hint ?? null}
      detail={fault.detail ?? null}
      onDismiss={onDismiss}
      live
      className="mx-4 mb-2"
    />
  );
}

type Shown = TerminalScreenProps;

interface Telling {
  setTrouble: (trouble: Trouble | null) => void;
  setIsCut: (isCut: boolean) => void;
}

/** Returns what ends it. */
function show(
  terminalId: string,
  box: HTMLElement,
  now: { current: Shown },
  held: { current: Screen | null },
  { setTrouble, setIsCut }: Telling,
): () => void {
  const { row, label, fontPx, fills } = now.current;
  const screen = new Screen(box, {
    row,
    label,
    fontPx,
    typed: (bytes) =>
      typingOf(terminalId).type(bytes, (error) => setTrouble({ what: "typing", fault: faultOf(error) })),
    copy: (text) => void copyText(text, "Selection"),
    openLink: (url, isPlain) => void openTerminalLink(url, isPlain),
    mayPaste,
    selected: (hasSelection) => now.current.fills?.onSelected(hasSelection),
    atEnd: (isAtEnd) => now.current.fills?.onAtEnd(isAtEnd),
    full: () => setIsCut(true),
    find() {
      now.current.fills?.onFind();
      return now.current.fills !== undefined;
    },
    leave: () => now.current.onLeave(),
  });
  screen.isOver = isOver(row);
  held.current = screen;
  fills?.onScreen(screen);
  const subscription = connection.subscribe(
    { topic: "terminal", terminalId },
    {
      snapshot(snapshot) {
        setTrouble(null);
        if (snapshot.earlierBytes > 0) setIsCut(true);
        void screen.writer.snapshot(snapshot);
      },
      changes: (list) => withRest(() => screen.writer.changes(list)),
      failed(fault) {
        // One that has just been taken off the list is gone from the window in a moment.
        if (fault.code !== "terminal_unknown") setTrouble({ what: "showing", fault });
      },
    },
  );
  const stopListening = onKeyboard(terminalId, () => screen.focus());
  return () => {
    stopListening();
    subscription.close();
    fills?.onScreen(null);
    screen.close();
    held.current = null;
  };
}

/** Of terminals that were typed into and have not taken all of it: also when they are shown elsewhere in between. */
const typings = new Map<string, Typing>();

window.addEventListener("pagehide", () => {
  for (const typing of typings.values()) typing.leave();
});

function typingOf(terminalId: string): Typing {
  const known = typings.get(terminalId);
  if (known !== undefined) return known;
  const typing = new Typing({
    send: (bytes) => call("terminals.write", { terminalId, bytes }),
    idle: () => typings.delete(terminalId),
  });
  typings.set(terminalId, typing);
  return typing;
}
