// Where a terminal's command runs: an environment, or whatever else can run one. The book of terminals knows no more of it.

import type { Fault } from "../fault";

export interface TerminalSize {
  columns: number;
  rows: number;
}

export interface TerminalRequest extends TerminalSize {
  /** A command line; null: the shell itself. */
  command: string | null;
  /** A full path there; null: where that place starts. */
  cwd: string | null;
}

export type PlaceEvent =
  | { type: "output"; bytes: Uint8Array }
  /** Output that nobody has any more. */
  | { type: "gap" }
  /** The command has ended; more of its output may follow. */
  | { type: "exited"; exitCode: number }
  /** The last one: nothing more can come. */
  | { type: "closed" }
  /** The last one: what becomes of it is not known any more. */
  | { type: "lost"; fault: Fault };

export interface PlaceProcess {
  /** Sent once: rejects when it is not known whether it arrived. In the order of the calls. */
  write(bytes: Uint8Array): Promise<void>;
  /** As Ctrl-C does. */
  interrupt(): Promise<void>;
  /** Only where the place is `resizable`. Called for one size after the other. */
  resize?(size: TerminalSize): Promise<void>;
  /** Only where it can be known: a shell, nothing runs in it, and it waits for a command. */
  isIdle?(): Promise<boolean>;
  /** Asks for its end, with all that it has started. Resolves when that was asked; `closed` follows. */
  end(): Promise<void>;
}

export interface TerminalPlace {
  /** Its terminals can change their size while they run. */
  readonly resizable: boolean;
  /**
   * `tell` hears every event once, in order, perhaps before this resolves. Rejects when nothing runs, or when that is not known,
   * which the Fault says. Ends in bounded time.
   */
  start(
    request: TerminalRequest,
    tell: (event: PlaceEvent) => void,
  ): Promise<{ process: PlaceProcess; cwd: string }>;
}
