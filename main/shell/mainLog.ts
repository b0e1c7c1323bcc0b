// Holdfast's own log: one JSON object a line, in a file that only the person can read, in three files of five megabytes.
// Each line is written at once: what was logged just before a crash is what one wants to read after it. A log that
// cannot be written never stops the app; it says so once on stderr, and in the log when it works again.

import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import type { Clock } from "../clock";
import type { Log } from "../log";
import { isSecretName, redactText } from "../redact";

export interface MainLogOptions {
  path: string;
  clock: Clock;
  /** The size at which a new file is begun, and how many files there are in all. */
  fileBytes?: number;
  files?: number;
  /** Where it is said that the log cannot be written. */
  complain?(line: string): void;
}

type Level = "info" | "warn" | "error";

const textUnits = 4000;
const listEntries = 50;
const depth = 6;

export class MainLog implements Log {
  readonly #options: Required<MainLogOptions>;
  #file: number | null = null;
  #bytes = 0;
  #lost = 0;
  #closed = false;

  constructor(options: MainLogOptions) {
    this.#options = {
      fileBytes: 5 * 1024 * 1024,
      files: 3,
      complain: (line) => process.stderr.write(`${line}\n`),
      ...options,
    };
  }

  info(message: string, facts?: Record<string, unknown>): void {
    this.#write("info", message, facts);
  }

  warn(message: string, facts?: Record<string, unknown>): void {
    this.#write("warn", message, facts);
  }

  error(message: string, facts?: Record<string, unknown>): void {
    this.#write("error", message, facts);
  }

  /** Makes sure that everything is on disk. What is logged afterwards is written still, into the same file. */
  flush(): void {
    if (this.#file === null) return;
    try {
      fsyncSync(this.#file);
    } catch (error) {
      this.#failed(error);
    }
  }

  close(): void {
    this.flush();
    this.#closed = true;
    this.#closeFile();
  }

  #write(level: Level, message: string, facts?: Record<string, unknown>): void {
    if (this.#closed) return;
    try {
      if (this.#lost > 0 && this.#file === null) {
        const lost = this.#lost;
        this.#put("warn", "Lines of this log were lost", { lost });
        this.#lost = 0;
      }
      this.#put(level, message, facts);
    } catch (error) {
      this.#failed(error);
    }
  }

  #put(level: Level, message: string, facts?: Record<string, unknown>): void {
    const at = new Date(this.#options.clock.nowMs()).toISOString();
    const entry = {
      at,
      level,
      message: redactText(message),
      ...(facts && { facts: writable(facts, depth) }),
    };
    const line = Buffer.from(`${JSON.stringify(entry)}\n`);
    if (this.#file !== null && this.#bytes > 0 && this.#bytes + line.length > this.#options.fileBytes) {
      this.#closeFile();
      this.#makeRoom();
    }
    this.#file ??= this.#open();
    writeSync(this.#file, line);
    this.#bytes += line.length;
  }

  #open(): number {
    const { path, fileBytes } = this.#options;
    const file = openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT, 0o600);
    const { size, mode } = fstatSync(file);
    if (process.platform !== "win32" && (mode & 0o077) !== 0) fchmodSync(file, 0o600);
    if (size < fileBytes) {
      this.#bytes = size;
      return file;
    }
    closeSync(file);
    this.#makeRoom();
    this.#bytes = 0;
    return openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT, 0o600);
  }

  /** main.log becomes main.log.1, that becomes main.log.2, and so on; the oldest goes. */
  #makeRoom(): void {
    const { path, files } = this.#options;
    const name = (nth: number) => (nth === 0 ? path : `${path}.${nth}`);
    rmSync(name(files - 1), { force: true });
    for (let nth = files - 2; nth >= 0; nth -= 1) {
      try {
        renameSync(name(nth), name(nth + 1));
      } catch (error) {
        // There may be fewer files than allowed.
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      }
    }
    this.#bytes = 0;
  }

  #closeFile(): void {
    const file = this.#file;
    this.#file = null;
    if (file === null) return;
    try {
      closeSync(file);
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    this.#lost += 1;
    if (this.#lost === 1) {
      this.#options.complain(`holdfast: ${this.#options.path} cannot be written: ${String(error)}`);
    }
    const file = this.#file;
    this.#file = null;
    if (file === null) return;
    try {
      closeSync(file);
    } catch {
      // It is given up because it does not work; that closing it does not work either adds nothing.
    }
  }
}

/** Facts as plain, bounded data without secrets. */
function writable(value: unknown, levels: number): unknown {
  switch (typeof value) {
    case "string":
      return value.length > textUnits
        ? `${redactText(value.slice(0, textUnits))}... (${value.length} units)`
        : redactText(value);
    case "number":
    case "boolean":
    case "undefined":
      return value;
    case "object":
      return value === null ? null : levels === 0 ? "..." : writableObject(value, levels - 1);
    default:
      return String(value);
  }
}

function writableObject(value: object, levels: number): unknown {
  if (Array.isArray(value)) {
    const some = value.slice(0, listEntries).map((entry) => writable(entry, levels));
    return value.length > listEntries ? [...some, `... (${value.length} entries)`] : some;
  }
  if (ArrayBuffer.isView(value)) return `(${value.byteLength} bytes)`;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "no date" : value.toISOString();
  if (value instanceof Error) {
    const { name, message, stack, cause, ...more } = value;
    return writableFields({ name, message, stack, cause, ...more }, levels);
  }
  if (value instanceof Map || value instanceof Set) return writable([...value], levels);
  return writableFields(value, levels);
}

function writableFields(value: object, levels: number): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value).slice(0, listEntries)) {
    if (field === undefined) continue;
    fields[name] = isSecretName(name) && field !== null ? "[redacted]" : writable(field, levels);
  }
  return fields;
}
