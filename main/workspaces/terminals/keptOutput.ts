// The end of what a terminal has printed, in a file: what is left of it when Holdfast goes away. The file is there only while
// something may run in the terminal, and only its owner can read it. Its first line says how large the terminal was: what was
// drawn is only right at that size.
//
// Races settled here:
// - It prints without end: the file is written once a second at most, and has a bound.
// - It prints while it is written, and then nothing more: that is written after the next second.
// - Holdfast dies while it is written: it is written beside the old one and put in its place.
// - It is removed while it is being written: what is written last is removed too.

import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock, Timer } from "../../clock";
import { asFault } from "../../fault";
import type { Log } from "../../log";
import type { TerminalSize } from "../../terminals/place";
import { Scrollback } from "../../terminals/scrollback";

const mostBytes = 64 * 1024;
const pauseMs = 1_000;
const ending = ".out";
const sizeLine = /^holdfast terminal (\d{1,4})x(\d{1,4})\n/;
const longestSizeLine = 40;

export class KeptOutputs {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #log: Log;

  constructor(options: { folder: string; clock: Clock; log: Log }) {
    this.#folder = options.folder;
    this.#clock = options.clock;
    this.#log = options.log;
  }

  of(terminalId: string): KeptOutput {
    return new KeptOutput(join(this.#folder, `${terminalId}${ending}`), this.#clock, (error) => {
      // The terminal works without it.
      this.#log.warn("a terminal's output is not kept", { terminalId, error: asFault(error).message });
    });
  }

  /** For the start. Null: there is none. `size`: null where nobody has written it. */
  read(terminalId: string): { output: Uint8Array; size: TerminalSize | null } | null {
    try {
      const file = readFileSync(join(this.#folder, `${terminalId}${ending}`));
      const line = sizeLine.exec(file.toString("latin1", 0, longestSizeLine));
      if (line === null) return { output: file, size: null };
      return {
        output: file.subarray(line[0].length),
        size: { columns: Number(line[1]), rows: Number(line[2]) },
      };
    } catch (error) {
      const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
      if (!isMissing) this.#log.warn("a terminal's output cannot be read", { error: asFault(error).message });
      return null;
    }
  }

  /** For the start: the folder is there, and in it only what belongs to these. */
  keepOnly(terminalIds: ReadonlySet<string>): void {
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      for (const name of readdirSync(this.#folder)) {
        if (!terminalIds.has(name.slice(0, -ending.length)))
          rmSync(join(this.#folder, name), { force: true });
      }
    } catch (error) {
      this.#log.warn("the folder of terminals cannot be used", { error: asFault(error).message });
    }
  }
}

export class KeptOutput {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #failed: (error: unknown) => void;
  readonly #scrollback = new Scrollback(mostBytes);
  #timer: Timer | null = null;
  #writing: Promise<void> = Promise.resolve();
  #isOver = false;
  #hasMore = false;
  #hasPrinted = false;
  #hasFailed = false;
  #size: TerminalSize | null = null;

  constructor(path: string, clock: Clock, failed: (error: unknown) => void) {
    this.#path = path;
    this.#clock = clock;
    this.#failed = failed;
  }

  add(bytes: Uint8Array): void {
    if (this.#isOver) return;
    this.#hasPrinted = true;
    this.#scrollback.add(bytes);
    this.#hasMore = true;
    this.#writeSoon();
  }

  /** It is so large from here on. */
  sized({ columns, rows }: TerminalSize): void {
    if (this.#isOver) return;
    this.#size = { columns, rows };
    // Of one that has printed nothing there is nothing to draw.
    if (!this.#hasPrinted) return;
    this.#hasMore = true;
    this.#writeSoon();
  }

  /** Never rejects. */
  async remove(): Promise<void> {
    this.#isOver = true;
    this.#timer?.cancel();
    await this.#writing;
    await rm(this.#path, { force: true }).catch(this.#failed);
  }

  #writeSoon(): void {
    this.#timer ??= this.#clock.after(pauseMs, () => {
      this.#hasMore = false;
      this.#writing = this.#write().finally(() => {
        this.#timer = null;
        if (this.#hasMore && !this.#isOver) this.#writeSoon();
      });
    });
  }

  async #write(): Promise<void> {
    const beside = `${this.#path}.new`;
    try {
      const { bytes } = this.#scrollback.read();
      const size = this.#size && `holdfast terminal ${this.#size.columns}x${this.#size.rows}\n`;
      await writeFile(beside, size === null ? bytes : Buffer.concat([Buffer.from(size), bytes]), {
        mode: 0o600,
      });
      await rename(beside, this.#path);
    } catch (error) {
      if (!this.#hasFailed) this.#failed(error);
      this.#hasFailed = true;
    }
  }
}
