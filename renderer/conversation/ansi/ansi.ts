// Reads the output of commands as a terminal would show it at rest: colours and weights become spans, a carriage return
// writes over its line, everything else that steers a terminal is left out. The result is text and styles, never markup,
// so whatever a command prints can be shown safely.

/** A colour: one of the terminal's sixteen (0 to 15), or red, green and blue. */
export type AnsiColour = number | { r: number; g: number; b: number };

export interface AnsiStyle {
  fg: AnsiColour | null;
  bg: AnsiColour | null;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
  strike: boolean;
  inverse: boolean;
}

export interface AnsiSpan {
  text: string;
  style: AnsiStyle | null;
}

export type AnsiLine = AnsiSpan[];

const plain: AnsiStyle = {
  fg: null,
  bg: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  strike: false,
  inverse: false,
};

/** Writing over a line costs a cell for each character; beyond this a line keeps growing at its end instead. */
const longestOverwrittenLine = 4_000;

const escapeCode = 0x1b;
const bell = 0x07;

interface Sequence {
  /** Where reading goes on. */
  end: number;
  /** The last character of a control sequence ("m", "K", ...); null for any other kind of escape. */
  final: string | null;
  params: string;
}

/** Reads one escape sequence that starts at `start`; one that is cut off at the end of the text is swallowed. */
function readEscape(text: string, start: number): Sequence {
  const kind = text[start + 1];
  if (kind === "[") {
    let at = start + 2;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      if (code >= 0x40 && code <= 0x7e) {
        return { end: at + 1, final: text.charAt(at), params: text.slice(start + 2, at) };
      }
      if (code < 0x20 || code > 0x3f) return { end: at, final: null, params: "" };
      at++;
    }
    return { end: text.length, final: null, params: "" };
  }
  if (kind === "]" || kind === "P" || kind === "_" || kind === "^" || kind === "X") {
    for (let at = start + 2; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === bell) return { end: at + 1, final: null, params: "" };
      if (code === escapeCode) return { end: text[at + 1] === "\\" ? at + 2 : at, final: null, params: "" };
      // No title or link goes over a line end: this one was never closed.
      if (code === 0x0a) return { end: at, final: null, params: "" };
    }
    return { end: text.length, final: null, params: "" };
  }
  if (kind === "(" || kind === ")" || kind === "#" || kind === "%") {
    return { end: Math.min(start + 3, text.length), final: null, params: "" };
  }
  return { end: Math.min(start + 2, text.length), final: null, params: "" };
}

function paletteColour(index: number): AnsiColour | null {
  if (!(index >= 0 && index <= 255)) return null;
  if (index < 16) return index;
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return { r: grey, g: grey, b: grey };
  }
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40);
  const cube = index - 16;
  return { r: level(Math.floor(cube / 36)), g: level(Math.floor(cube / 6) % 6), b: level(cube % 6) };
}

/** The colour that follows a 38 or 48, and how many parameters it takes. */
function extendedColour(params: number[], at: number): { colour: AnsiColour | null; taken: number } {
  if (params[at] === 5) return { colour: paletteColour(params[at + 1] ?? -1), taken: 2 };
  if (params[at] === 2) {
    const [r = 0, g = 0, b = 0] = params
      .slice(at + 1, at + 4)
      .map((part) => Math.min(255, Math.max(0, part)));
    return { colour: { r, g, b }, taken: 4 };
  }
  return { colour: null, taken: params.length - at };
}

/** What `ESC [ params m` makes of a style. */
export function applySgr(style: AnsiStyle, paramText: string): AnsiStyle {
  // Colons separate the parts of one colour; the empty colour space of "38:2::r:g:b" has no counterpart here.
  const normal = paramText.replace(/([34]8):2::/g, "$1:2:").replaceAll(":", ";");
  const params = normal === "" ? [0] : normal.split(";").map((part) => (part === "" ? 0 : Number(part)));
  const next = { ...style };
  for (let at = 0; at < params.length; at++) {
    const code = params[at] ?? 0;
    if (code === 0) Object.assign(next, plain);
    else if (code === 1) next.bold = true;
    else if (code === 2) next.dim = true;
    else if (code === 3) next.italic = true;
    else if (code === 4 || code === 21) next.underline = true;
    else if (code === 7) next.inverse = true;
    else if (code === 9) next.strike = true;
    else if (code === 22) {
      next.bold = false;
      next.dim = false;
    } else if (code === 23) next.italic = false;
    else if (code === 24) next.underline = false;
    else if (code === 27) next.inverse = false;
    else if (code === 29) next.strike = false;
    else if (code >= 30 && code <= 37) next.fg = code - 30;
    else if (code >= 90 && code <= 97) next.fg = code - 90 + 8;
    else if (code === 39) next.fg = null;
    else if (code >= 40 && code <= 47) next.bg = code - 40;
    else if (code >= 100 && code <= 107) next.bg = code - 100 + 8;
    else if (code === 49) next.bg = null;
    else if (code === 38 || code === 48) {
      const { colour, taken } = extendedColour(params, at + 1);
      if (code === 38) next.fg = colour;
      else next.bg = colour;
      at += taken;
    }
  }
  return next;
}

function sameColour(a: AnsiColour | null, b: AnsiColour | null): boolean {
  if (a === null || b === null || typeof a === "number" || typeof b === "number") return a === b;
  return a.r === b.r && a.g === b.g && a.b === b.b;
}

function sameStyle(a: AnsiStyle, b: AnsiStyle): boolean {
  return (
    a === b ||
    (sameColour(a.fg, b.fg) &&
      sameColour(a.bg, b.bg) &&
      a.bold === b.bold &&
      a.dim === b.dim &&
      a.italic === b.italic &&
      a.underline === b.underline &&
      a.strike === b.strike &&
      a.inverse === b.inverse)
  );
}

/** One line as it is being written: runs of text, and cells only while something is written over. */
class LineWriter {
  #spans: { text: string; style: AnsiStyle }[] = [];
  #cells: { char: string; style: AnsiStyle }[] | null = null;
  #column = 0;

  write(text: string, style: AnsiStyle): void {
    if (text === "") return;
    if (this.#cells) {
      for (const char of text) {
        this.#cells[this.#column] = { char, style };
        this.#column++;
      }
      return;
    }
    const last = this.#spans.at(-1);
    if (last && sameStyle(last.style, style)) last.text += text;
    else this.#spans.push({ text, style });
  }

  moveTo(column: number): void {
    const cells = this.#toCells();
    if (cells === null) return;
    this.#column = Math.min(Math.max(0, column), cells.length);
  }

  back(): void {
    const cells = this.#toCells();
    if (cells !== null) this.#column = Math.max(0, this.#column - 1);
  }

  erase(mode: number): void {
    const cells = this.#toCells();
    if (cells === null) return;
    if (mode === 2) cells.length = 0;
    else if (mode === 0) cells.length = Math.min(cells.length, this.#column);
    if (this.#column > cells.length) this.#column = cells.length;
  }

  finish(): AnsiLine {
    const line: AnsiLine = [];
    const add = (text: string, style: AnsiStyle) => {
      const own = sameStyle(style, plain) ? null : style;
      const last = line.at(-1);
      if (
        last &&
        (last.style === own || (last.style !== null && own !== null && sameStyle(last.style, own)))
      ) {
        last.text += text;
      } else line.push({ text, style: own });
    };
    if (this.#cells) for (const cell of this.#cells) add(cell.char, cell.style);
    else for (const span of this.#spans) add(span.text, span.style);
    this.#spans = [];
    this.#cells = null;
    this.#column = 0;
    return line;
  }

  #toCells(): { char: string; style: AnsiStyle }[] | null {
    if (this.#cells) return this.#cells;
    const length = this.#spans.reduce((sum, span) => sum + span.text.length, 0);
    if (length > longestOverwrittenLine) return null;
    this.#cells = this.#spans.flatMap((span) => [...span.text].map((char) => ({ char, style: span.style })));
    this.#spans = [];
    this.#column = this.#cells.length;
    return this.#cells;
  }
}

/** Reads `text` into lines of styled spans. A line end at the very end opens no further line. */
export function parseAnsi(text: string): AnsiLine[] {
  const lines: AnsiLine[] = [];
  const line = new LineWriter();
  let style = plain;
  let at = 0;
  let runStart = 0;
  let open = false;
  const flushRun = () => {
    if (at > runStart) {
      line.write(text.slice(runStart, at), style);
      open = true;
    }
  };
  while (at < text.length) {
    const code = text.charCodeAt(at);
    // Printable text and tabs make up the runs; C1 controls (0x80 to 0x9f) steer terminals too and are dropped.
    if ((code >= 0x20 && code !== 0x7f && !(code >= 0x80 && code <= 0x9f)) || code === 0x09) {
      at++;
      continue;
    }
    flushRun();
    if (code === 0x0a) {
      lines.push(line.finish());
      open = false;
      at++;
    } else if (code === 0x0d) {
      if (text.charCodeAt(at + 1) !== 0x0a) line.moveTo(0);
      at++;
    } else if (code === 0x08) {
      line.back();
      at++;
    } else if (code === escapeCode) {
      const sequence = readEscape(text, at);
      if (sequence.final === "m") style = applySgr(style, sequence.params);
      else if (sequence.final === "K") line.erase(Number(sequence.params) || 0);
      else if (sequence.final === "G") line.moveTo((Number(sequence.params) || 1) - 1);
      at = sequence.end;
    } else at++;
    runStart = at;
  }
  flushRun();
  if (open) lines.push(line.finish());
  return lines;
}

/** The text alone, without anything that steers a terminal: what copying gives. */
export function stripAnsi(text: string): string {
  return parseAnsi(text)
    .map((line) => line.map((span) => span.text).join(""))
    .join("\n");
}

/** The end of `text`: at most `maxLines` lines and `maxUnits` units, cut at a line end; and how many lines came before. */
export function tailOf(text: string, maxLines: number, maxUnits: number): { tail: string; hidden: boolean } {
  let from = text.length;
  if (text.endsWith("\n")) from--;
  let lines = 0;
  while (from > 0) {
    const previous = text.lastIndexOf("\n", from - 1);
    if (text.length - previous - 1 > maxUnits && lines > 0) break;
    lines++;
    from = Math.max(0, previous);
    if (previous === -1) return cutAt(text, 0, maxUnits);
    if (lines === maxLines) return cutAt(text, previous + 1, maxUnits);
  }
  return cutAt(text, from === 0 ? 0 : from + 1, maxUnits);
}

function cutAt(text: string, start: number, maxUnits: number): { tail: string; hidden: boolean } {
  const from = Math.max(start, text.length - maxUnits);
  return { tail: text.slice(from), hidden: from > 0 };
}
