// One terminal on the screen: the emulator, what it is written with, and what the person types, copies and pastes. Whatever a
// program prints is text to look at: it sets no title, reaches no clipboard, and opens no link by itself.
//
// Races settled here:
// - The screen is closed while its emulator still takes output: nothing of it is heard any more (outputWriter.ts).
// - A program is shown again that wants to hear who has the keyboard: the emulator would tell it at once; what it says while old
//   output is shown again is not sent.

import { Terminal } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";
import type { TerminalRow } from "../../preload/contract/terminals";
import { onMac, pressMatches } from "../ui/keys";
import { Announcer } from "./announcer";
import { MarkLimit } from "./marks";
import { OutputWriter, type Sink } from "./outputWriter";
import { onlyAnswerWhen } from "./questions";
import { followTerminalTheme, terminalTheme } from "./terminalTheme";

export interface ScreenOptions {
  row: TerminalRow;
  /** The accessible name of what is typed into. */
  label: string;
  fontPx: number;
  typed(bytes: Uint8Array): void;
  copy(text: string): void;
  openLink(url: string): void;
  /** It holds as many lines as it can: those before them are gone from it. */
  full(): void;
  /** The keyboard is to go elsewhere in this window. */
  leave(): void;
}

export const scrollbackLines = 5_000;
const focusReports = new Set(["\u001b[I", "\u001b[O"]);

export class Screen {
  readonly writer: OutputWriter;
  readonly #options: ScreenOptions;
  readonly #terminal: Terminal;
  readonly #announcer: Announcer;
  readonly #stopFollowing: () => void;
  #untaken = 0;

  constructor(box: HTMLElement, options: ScreenOptions) {
    this.#options = options;
    const { row, fontPx } = options;
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
          options.openLink(url);
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
    this.#terminal.dispose();
  }

  #sink(marks: MarkLimit): Sink {
    return {
      write: (piece, taken) => {
        const bounded = typeof piece === "string" ? piece : marks.limit(piece);
        this.#announcer.comes(bounded);
        this.#untaken += 1;
        this.#terminal.write(bounded, () => {
          this.#untaken -= 1;
          if (this.#untaken === 0) this.#announcer.taken();
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
    if (pressMatches(event, "f6") || pressMatches(event, "shift+f6")) return false;
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
