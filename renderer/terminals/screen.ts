// One terminal on the screen: the emulator, what it is written with, and what the person types, copies and pastes. Whatever a
// program prints is text to look at: it sets no title, reaches no clipboard, and opens no link by itself.
//
// Races settled here:
// - The screen is closed while its emulator still takes output: nothing of it is heard any more (outputWriter.ts).
// - A program is shown again that wants to hear who has the keyboard: the emulator would tell it at once; what it says while old
//   output is shown again is not sent.

import { type ILink, Terminal } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";
import type { TerminalRow } from "../../preload/contract/terminals";
import { onMac, pressMatches } from "../ui/keys";
import { Announcer } from "./announcer";
import { type Cell, cellsOf, lineAt } from "./bufferLines";
import { findMatches, nextMatch } from "./findText";
import type { Room, TerminalSize } from "./fit";
import { MarkLimit } from "./marks";
import { OutputWriter, type Sink } from "./outputWriter";
import { plainPaste } from "./paste";
import { onlyAnswerWhen } from "./questions";
import { followTerminalTheme, terminalTheme } from "./terminalTheme";
import { webLinks } from "./webLinks";

export interface ScreenOptions {
  row: TerminalRow;
  /** The accessible name of what is typed into. */
  label: string;
  fontPx: number;
  typed(bytes: Uint8Array): void;
  copy(text: string): void;
  /** `isPlain`: it stands there as it is opened. A link of a program's own says one thing and may lead to another. */
  openLink(url: string, isPlain: boolean): void;
  /** What is pasted goes in only if this says so. */
  mayPaste(text: string, isBracketed: boolean): Promise<boolean>;
  /** Something is selected, or nothing any more. */
  selected(hasSelection: boolean): void;
  /** The end of what was printed is in view, or not any more. */
  atEnd(isAtEnd: boolean): void;
  /** It holds as many lines as it can: those before them are gone from it. */
  full(): void;
  /** Words are to be found on it. False: there is no way to do that here. */
  find(): boolean;
  /** The keyboard is to go elsewhere in this window. */
  leave(): void;
}

export const scrollbackLines = 5_000;
/** Handled by the window, also while the keyboard is in a terminal. */
const windowKeys = ["f6", "shift+f6", "ctrl+`", "ctrl+shift+`", "mod+alt+j"] as const;

export interface Found {
  /** Which it is, from 1; 0: there is none. */
  index: number;
  count: number;
}

const focusReports = new Set(["\u001b[I", "\u001b[O"]);

export class Screen {
  readonly writer: OutputWriter;
  readonly #options: ScreenOptions;
  readonly #terminal: Terminal;
  readonly #announcer: Announcer;
  readonly #stopFollowing: () => void;
  readonly #box: HTMLElement;
  #size: TerminalSize;
  #untaken = 0;
  #isAtEnd = true;

  constructor(box: HTMLElement, options: ScreenOptions) {
    this.#options = options;
    const { row, fontPx } = options;
    this.#size = { columns: row.columns, rows: row.rows };
    const terminal = new Terminal({
      cols: row.columns,
      rows: row.rows,
      scrollback: scrollbackLines,
      fontFamily: getComputedStyle(box).getPropertyValue("--font-mono"),
      fontSize: fontPx,
      fontWeightBold: 600,
      cursorBlink: false,
      // What a program picks is read on our grounds only if it differs enough from them.
      minimumContrastRatio: 4.5,
      drawBoldTextInBrightColors: false,
      // What is no sequence at all is the program's affair: told one by one, random bytes would keep the window busy.
      logLevel: "off",
      macOptionIsMeta: false,
      rightClickSelectsWord: false,
      theme: terminalTheme(box),
      linkHandler: {
        activate: (event, url) => {
          event.preventDefault();
          if (isMeant(event)) options.openLink(url, false);
        },
      },
    });
    this.#terminal = terminal;
    this.writer = new OutputWriter(this.#sink(new MarkLimit()), scrollbackLines + row.rows);
    onlyAnswerWhen(terminal.parser, () => this.writer.answers);
    const encoder = new TextEncoder();
    terminal.onData((text) => {
      if (this.writer.isRepeating && focusReports.has(text)) return;
      options.typed(encoder.encode(text));
    });
    terminal.onBinary((text) => options.typed(Uint8Array.from(text, (unit) => unit.charCodeAt(0))));
    terminal.attachCustomKeyEventHandler((event) => this.#press(event));
    terminal.onSelectionChange(() => options.selected(terminal.hasSelection()));
    terminal.onScroll(() => this.#tellEnd());
    terminal.registerLinkProvider({
      provideLinks: (row, provide) => provide(this.#linksIn(row - 1)),
    });
    box.addEventListener("paste", this.#paste, { capture: true });
    this.#box = box;
    terminal.open(box);
    this.#announcer = new Announcer(terminal);
    terminal.textarea?.setAttribute("aria-label", options.label);
    this.#stopFollowing = followTerminalTheme(() => {
      terminal.options.theme = terminalTheme(box);
    });
  }

  focus(): void {
    this.#terminal.focus();
  }

  /** As large as main says that it is: all windows show the same. */
  resize(size: TerminalSize): void {
    this.#size = size;
    // Old output that is being shown again has the size that it was drawn for.
    if (!this.writer.isSized) this.#resizeTo(size);
  }

  #resizeTo({ columns, rows }: TerminalSize): void {
    if (columns !== this.#terminal.cols || rows !== this.#terminal.rows) this.#terminal.resize(columns, rows);
  }

  /** How large a character is drawn. */
  get character(): Room {
    const drawn = this.#box.querySelector(".xterm-screen")?.getBoundingClientRect();
    const { cols, rows } = this.#terminal;
    return { widthPx: (drawn?.width ?? 0) / cols, heightPx: (drawn?.height ?? 0) / rows };
  }

  get selection(): string {
    return this.#terminal.getSelection();
  }

  /** What has scrolled away goes; the line that is being typed stays. The program hears nothing of it. */
  clear(): void {
    this.#terminal.clear();
  }

  scrollToEnd(): void {
    this.#terminal.scrollToBottom();
  }

  /** Selects the next one from what is selected on, and brings it into view. `isNew`: from the newest on. */
  find(words: string, by: 1 | -1, isNew: boolean): Found {
    const buffer = this.#terminal.buffer.active;
    const matches = findMatches(buffer, words);
    const start = this.#terminal.getSelectionPosition()?.start;
    const from: Cell | null = isNew || start === undefined ? null : start;
    const index = nextMatch(matches, from, by);
    const match = index === null ? undefined : matches[index];
    if (index === null || match === undefined) {
      this.#terminal.clearSelection();
      return { index: 0, count: 0 };
    }
    const { first, cells } = match;
    this.#terminal.select(first.x, first.y, cells);
    const { viewportY } = buffer;
    const isInView = first.y >= viewportY && first.y < viewportY + this.#terminal.rows;
    if (!isInView) this.#terminal.scrollToLine(Math.max(0, first.y - Math.floor(this.#terminal.rows / 2)));
    return { index: index + 1, count: matches.length };
  }

  set fontPx(fontPx: number) {
    this.#terminal.options.fontSize = fontPx;
  }

  /** Nothing runs any more that could be typed to. */
  set isOver(isOver: boolean) {
    this.#terminal.options.disableStdin = isOver;
    this.#terminal.options.cursorInactiveStyle = isOver ? "none" : "outline";
  }

  close(): void {
    this.#stopFollowing();
    this.writer.close();
    this.#announcer.close();
    this.#box.removeEventListener("paste", this.#paste, { capture: true });
    this.#terminal.dispose();
  }

  /** Before the emulator hears of it. */
  readonly #paste = (event: ClipboardEvent): void => {
    const text = plainPaste(event.clipboardData?.getData("text/plain") ?? "");
    event.preventDefault();
    event.stopPropagation();
    if (text === "") return;
    const terminal = this.#terminal;
    void this.#options.mayPaste(text, terminal.modes.bracketedPasteMode).then((may) => {
      if (may && !terminal.options.disableStdin) terminal.paste(text);
      terminal.focus();
    });
  };

  #tellEnd(): void {
    const { viewportY, baseY } = this.#terminal.buffer.active;
    const isAtEnd = viewportY >= baseY;
    if (isAtEnd === this.#isAtEnd) return;
    this.#isAtEnd = isAtEnd;
    this.#options.atEnd(isAtEnd);
  }

  #linksIn(y: number): ILink[] {
    const buffer = this.#terminal.buffer.active;
    const line = lineAt(buffer, y);
    return webLinks(line.text).flatMap(({ url, start, end }) => {
      const cells = cellsOf(buffer, line, start, end);
      if (cells === null) return [];
      const { first, last } = cells;
      return [
        {
          text: url,
          // Counted from 1 there.
          range: { start: { x: first.x + 1, y: first.y + 1 }, end: { x: last.x + 1, y: last.y + 1 } },
          activate: (event: MouseEvent) => {
            if (isMeant(event)) this.#options.openLink(url, true);
          },
        },
      ];
    });
  }

  #sink(marks: MarkLimit): Sink {
    return {
      resize: (size) => this.#resizeTo(size ?? this.#size),
      write: (piece, taken) => {
        const bounded = typeof piece === "string" ? piece : marks.limit(piece);
        this.#announcer.comes(bounded);
        this.#untaken += 1;
        this.#terminal.write(bounded, () => {
          this.#untaken -= 1;
          if (this.#untaken === 0) {
            this.#announcer.taken();
            this.#tellEnd();
          }
          if (this.#terminal.buffer.normal.length >= scrollbackLines + this.#terminal.rows)
            this.#options.full();
          taken();
        });
      },
    };
  }

  /** False: it is not the program's. */
  #press(event: KeyboardEvent): boolean {
    if (event.type !== "keydown") return true;
    if (windowKeys.some((key) => pressMatches(event, key))) return false;
    if (pressMatches(event, "mod+shift+f")) {
      // Elsewhere in the window it is for finding something else.
      if (this.#options.find()) event.preventDefault();
      return false;
    }
    if (pressMatches(event, "shift+escape")) {
      event.preventDefault();
      this.#options.leave();
      return false;
    }
    if (onMac) return true;
    if (pressMatches(event, "mod+shift+c")) {
      // Also with nothing selected: elsewhere in the window this key means something else.
      event.preventDefault();
      const selected = this.#terminal.getSelection();
      if (selected !== "") this.#options.copy(selected);
      return false;
    }
    // The page pastes, which the emulator hears of.
    return !pressMatches(event, "mod+shift+v");
  }
}

/** A plain click is for selecting, and for programs that know of a mouse. */
function isMeant(event: MouseEvent): boolean {
  return onMac ? event.metaKey : event.ctrlKey;
}
