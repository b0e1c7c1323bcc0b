// The terminals of this run of Holdfast, in the order in which they were opened, wherever their commands run; before them what an
// earlier run has left open when it went away.
//
// Races settled here:
// - Something is asked of one that has just gone off the list: `terminal_unknown`. That it be closed, it is: two windows may ask.
// - Holdfast ends while some are still being started: what is started later is ended by its place, which ends then too.
// - A command is begun in a shell right after it was found idle: it counts as idle for that one question.
// - Many end: the oldest that are over make room. One that runs never goes by itself.

import { randomUUID } from "node:crypto";
import type { CallParams } from "../../preload/contract";
import {
  isTerminalOpen,
  type TerminalPlace as PlaceName,
  type TerminalRow,
} from "../../preload/contract/terminals";
import type { Clock } from "../clock";
import { asFault, Fault } from "../fault";
import type { Log } from "../log";
import { type LostTerminal, lostPlace } from "./lostTerminal";
import type { TerminalPlace, TerminalSize } from "./place";
import { Terminal, type TerminalOptions } from "./terminal";
import type { OpenTerminal, TerminalListener } from "./terminalOutput";

export interface TerminalsOptions {
  clock: Clock;
  log: Log;
  /** Throws the Fault that says why there is no such place. */
  place(name: PlaceName): TerminalPlace;
  changed(terminals: TerminalRow[]): void;
}

const mostOver = 50;
export const mostLive = 50;
const usualSize = { columns: 80, rows: 24 };

export class Terminals {
  readonly #options: TerminalsOptions;
  readonly #terminals = new Map<string, Terminal>();
  readonly #stories = new Map<string, string>();
  #idle: ReadonlySet<string> = new Set();
  #isEnding = false;

  constructor(options: TerminalsOptions) {
    this.#options = options;
  }

  get rows(): TerminalRow[] {
    return [...this.#terminals.values()].map(({ row }) => row);
  }

  /** Those that would cut something off with them, as of the last look for idle ones. */
  get atWork(): TerminalRow[] {
    return this.rows.filter((row) => isTerminalOpen(row) && !this.#idle.has(row.terminalId));
  }

  /** Looks which of them are but a shell that waits for a command. Null: none is open. Never rejects. */
  lookForIdle(): Promise<void> | null {
    const live = [...this.#terminals].filter(([, { isOver }]) => !isOver);
    return live.length === 0 ? null : this.#look(live);
  }

  async #look(live: readonly (readonly [string, Terminal])[]): Promise<void> {
    const idle = await Promise.all(
      live.map(async ([terminalId, terminal]) => {
        try {
          return (await terminal.isIdle()) ? [terminalId] : [];
        } catch (error) {
          const { message } = asFault(error);
          this.#options.log.warn("what runs in a terminal cannot be found out", {
            terminalId,
            error: message,
          });
          return [];
        }
      }),
    );
    this.#idle = new Set(idle.flat());
  }

  /** Throws Fault `terminal_unknown`. */
  open(terminalId: string, listener: TerminalListener): OpenTerminal {
    return this.#get(terminalId).open(listener);
  }

  /** It is listed when this returns. Throws Fault `too_many_terminals`, or what `place` throws. */
  start({ place: placeName, command, cwd, size = usualSize }: CallParams<"terminals.open">): string {
    const place = this.#options.place(placeName);
    const live = [...this.#terminals.values()].filter(({ isOver }) => !isOver);
    if (this.#isEnding || live.length >= mostLive) throw tooMany();
    const terminalId = this.#add({ placeName, place, request: { command, cwd, ...size } });
    this.#show();
    return terminalId;
  }

  /** For the start, before any is started: what was open when an earlier run went away is listed, and over. */
  listLost(lost: readonly LostTerminal[]): void {
    if (lost.length === 0) return;
    for (const { place, command, cwd, startedAtMs, output, size } of lost) {
      const request = { command, cwd, ...(size ?? usualSize) };
      this.#add({ placeName: place, place: lostPlace(output), request, startedAtMs });
    }
    this.#makeRoom();
    this.#show();
  }

  async write(terminalId: string, bytes: Uint8Array): Promise<void> {
    await this.#get(terminalId).write(bytes);
  }

  async resize(terminalId: string, size: TerminalSize): Promise<void> {
    await this.#get(terminalId).resize(size);
  }

  rename(terminalId: string, name: string): void {
    this.#get(terminalId).rename(name);
  }

  async interrupt(terminalId: string): Promise<void> {
    await this.#get(terminalId).interrupt();
  }

  /** Resolves when it is over, within a few seconds; rejects when it is not by then. */
  async end(terminalId: string): Promise<void> {
    await this.#get(terminalId).end();
  }

  async close(terminalId: string): Promise<void> {
    await this.#terminals.get(terminalId)?.close();
  }

  /** Takes those that are over off the list, of a place that is off it too. */
  forget(isMeant: (row: TerminalRow) => boolean): void {
    for (const [terminalId, terminal] of this.#terminals) {
      if (terminal.isOver && isMeant(terminal.row)) this.#forget(terminalId);
    }
    this.#show();
  }

  /** Ends all that run. Bounded; never rejects. */
  async shutDown(): Promise<void> {
    this.#isEnding = true;
    const live = [...this.#terminals.values()].filter(({ isOver }) => !isOver);
    for (const outcome of await Promise.allSettled(live.map((terminal) => terminal.end()))) {
      if (outcome.status === "rejected") {
        this.#options.log.warn("a terminal has not ended", { error: asFault(outcome.reason).code });
      }
    }
  }

  #add(what: Pick<TerminalOptions, "placeName" | "place" | "request" | "startedAtMs">): string {
    const terminalId = randomUUID();
    const terminal = new Terminal({
      ...what,
      terminalId,
      clock: this.#options.clock,
      changed: () => this.#changed(terminalId),
      removed: () => {
        if (this.#forget(terminalId)) this.#show();
      },
    });
    this.#terminals.set(terminalId, terminal);
    this.#options.log.info("terminal", { terminalId, place: what.placeName, state: terminal.row.state });
    return terminalId;
  }

  #get(terminalId: string): Terminal {
    const terminal = this.#terminals.get(terminalId);
    if (terminal === undefined) {
      throw new Fault("terminal_unknown", "There is no such terminal any more.", { detail: terminalId });
    }
    return terminal;
  }

  #changed(terminalId: string): void {
    const terminal = this.#terminals.get(terminalId);
    if (terminal === undefined) return;
    const { state, exitCode, fault, ending } = terminal.row;
    // Its title and its size change often, and are nothing to write down.
    const story = `${state} ${exitCode} ${ending}`;
    if (this.#stories.get(terminalId) !== story) {
      this.#stories.set(terminalId, story);
      this.#options.log.info("terminal", { terminalId, state, exitCode, fault: fault?.code });
    }
    this.#makeRoom();
    this.#show();
  }

  #makeRoom(): void {
    const over = [...this.#terminals].filter(([, { isOver }]) => isOver);
    over.sort(([, a], [, b]) => (a.endedAtMs ?? 0) - (b.endedAtMs ?? 0));
    for (const [terminalId] of over.slice(0, Math.max(0, over.length - mostOver))) {
      this.#forget(terminalId);
    }
  }

  #forget(terminalId: string): boolean {
    this.#stories.delete(terminalId);
    return this.#terminals.delete(terminalId);
  }

  #show(): void {
    this.#options.changed(this.rows);
  }
}

function tooMany(): Fault {
  return new Fault("too_many_terminals", `At most ${mostLive} terminals can run at once.`, {
    hint: "End some of them first.",
  });
}
