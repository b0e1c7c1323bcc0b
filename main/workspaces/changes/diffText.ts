// Reads the difference of one file as git writes it, in bytes: what a line is made of must come out again exactly.

export interface RawLine {
  kind: "context" | "added" | "removed";
  /** Without the "\n", with a "\r" before it. */
  bytes: Buffer;
  /** False: the file ends here without one. */
  hasNewline: boolean;
}

export interface RawHunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  heading: Buffer;
  /** Fewer than the counts say when more of them were not wanted. */
  lines: RawLine[];
}

export interface RawDiff {
  /** null: not there on that side. */
  oldMode: string | null;
  newMode: string | null;
  /** The names of the contents; null: not there, or there is no difference in content. */
  oldSha: string | null;
  newSha: string | null;
  renamedFrom: boolean;
  isBinary: boolean;
  /** A file became a link or the other way round: git writes the one as deleted and the other as new. */
  isTypeChange: boolean;
  hunks: RawHunk[];
  added: number;
  removed: number;
  /** Lines were left out. */
  isCut: boolean;
}

export interface DiffBounds {
  lines: number;
  bytes: number;
}

export const everything: DiffBounds = {
  lines: Number.POSITIVE_INFINITY,
  bytes: Number.POSITIVE_INFINITY,
};

const hunkLook = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?/;

/** How many files git has written of, and the difference of all that it wrote. null: there is none. */
export function readDiff(output: Buffer, bounds: DiffBounds): { diff: RawDiff; files: number } | null {
  const reader = new DiffReader(output, bounds);
  reader.read();
  return reader.files === 0 ? null : { diff: reader.diff, files: reader.files };
}

class DiffReader {
  readonly diff: RawDiff = {
    oldMode: null,
    newMode: null,
    oldSha: null,
    newSha: null,
    renamedFrom: false,
    isBinary: false,
    isTypeChange: false,
    hunks: [],
    added: 0,
    removed: 0,
    isCut: false,
  };
  files = 0;
  readonly #output: Buffer;
  #at = 0;
  #linesLeft: number;
  #bytesLeft: number;

  constructor(output: Buffer, bounds: DiffBounds) {
    this.#output = output;
    this.#linesLeft = bounds.lines;
    this.#bytesLeft = bounds.bytes;
  }

  read(): void {
    for (let line = this.#next(); line !== null; line = this.#next()) {
      const text = line.toString("latin1");
      if (text.startsWith("diff --git ")) this.files += 1;
      else if (this.files === 0) continue;
      else if (text.startsWith("@@ ")) this.#hunk(line, text);
      else this.#header(text);
    }
    this.diff.isTypeChange = this.files > 1 && this.diff.oldMode !== this.diff.newMode;
  }

  #header(line: string): void {
    const { diff } = this;
    const mode = /^(old mode|new mode|deleted file mode|new file mode) (\d+)$/.exec(line);
    if (mode) {
      if (mode[1] === "old mode" || mode[1] === "deleted file mode") diff.oldMode = mode[2] ?? null;
      else diff.newMode = mode[2] ?? null;
      return;
    }
    const index = /^index ([0-9a-f]+)\.\.([0-9a-f]+)(?: (\d+))?$/.exec(line);
    if (index) {
      // Of the second one that is written of a file, only what is new counts.
      diff.oldSha ??= shaOf(index[1]);
      diff.newSha = shaOf(index[2]);
      if (index[3] !== undefined) diff.oldMode = diff.newMode = index[3];
    } else if (line.startsWith("rename from ")) diff.renamedFrom = true;
    else if (line.startsWith("Binary files ")) diff.isBinary = true;
  }

  #hunk(line: Buffer, text: string): void {
    const found = hunkLook.exec(text);
    if (!found) return;
    const [whole, oldStart, oldLines = "1", newStart, newLines = "1"] = found;
    const hunk: RawHunk = {
      oldStart: Number(oldStart),
      oldLines: Number(oldLines),
      newStart: Number(newStart),
      newLines: Number(newLines),
      heading: line.subarray(whole.length),
      lines: [],
    };
    const isWanted = this.#linesLeft > 0 && this.#bytesLeft > 0;
    if (isWanted) this.diff.hunks.push(hunk);
    else this.diff.isCut = true;
    let { oldLines: old, newLines: now } = hunk;
    let last: RawLine | null = null;
    while (old > 0 || now > 0 || this.#output[this.#at] === 0x5c) {
      const bytes = this.#next();
      if (bytes === null) return;
      if (bytes[0] === 0x5c) {
        // "\ No newline at end of file": of the line before.
        if (last) last.hasNewline = false;
        continue;
      }
      const kind = bytes[0] === 0x2b ? "added" : bytes[0] === 0x2d ? "removed" : "context";
      if (kind !== "added") old -= 1;
      if (kind !== "removed") now -= 1;
      if (kind !== "context") this.diff[kind] += 1;
      last = { kind, bytes: bytes.subarray(1), hasNewline: true };
      if (isWanted && this.#linesLeft > 0 && this.#bytesLeft > 0) hunk.lines.push(last);
      else this.diff.isCut = true;
      this.#linesLeft -= 1;
      this.#bytesLeft -= bytes.length;
    }
  }

  #next(): Buffer | null {
    if (this.#at >= this.#output.length) return null;
    const end = this.#output.indexOf(0x0a, this.#at);
    const to = end < 0 ? this.#output.length : end;
    const line = this.#output.subarray(this.#at, to);
    this.#at = to + 1;
    return line;
  }
}

function shaOf(text: string | undefined): string | null {
  return text === undefined || /^0+$/.test(text) ? null : text;
}
