// One terminal: what its place says of it, what is asked of it, and who waits. The decisions are in terminalMachine.ts.
//
// Races settled here:
// - It is written to before it is started: what is written waits, in its order, and fails if nothing was started.
// - It ends while something is being written: the place says what became of that, and nothing is written again.
// - Who waits for its end waits for a bounded time. That changes nothing about the end itself: it is still asked for, and still
//   comes when the place can do it.
// - Its size changes many times while a window is dragged, or before it is started: it is given the newest one, and while one is
//   being set no other, so that the last one stays.

import type { TerminalRow } from "../../preload/contract/terminals";
import type { Clock, Timer } from "../clock";
import { asFault, Fault } from "../fault";
import { toFaultView } from "../faultView";
import type { PlaceEvent, PlaceProcess, TerminalPlace, TerminalRequest, TerminalSize } from "./place";
import { decide, newTerminal, type TerminalEffect, type TerminalEvent } from "./terminalMachine";
import { type OpenTerminal, type TerminalListener, TerminalOutput } from "./terminalOutput";
import { TerminalTitle } from "./terminalTitle";

export interface TerminalOptions {
  terminalId: string;
  /** As the window named it. */
  placeName: TerminalRow["place"];
  place: TerminalPlace;
  request: TerminalRequest;
  clock: Clock;
  /** Of one that was started by an earlier run; left out: now. */
  startedAtMs?: number;
  changed(): void;
  /** It is over and goes off the list. */
  removed(): void;
}

interface Waiter {
  resolve(): void;
  reject(fault: Fault): void;
}

const endingMs = 8_000;
const titlePauseMs = 150;
/** What is being written and was not taken yet. */
const mostWritingBytes = 4 * 1024 * 1024;

export class Terminal {
  readonly #options: TerminalOptions;
  readonly #output: TerminalOutput;
  readonly #startedAtMs: number;
  #state = newTerminal;
  #cwd: string | null;
  #endedAtMs: number | null = null;
  readonly #process: Promise<PlaceProcess>;
  #waiters: Waiter[] = [];
  #writingBytes = 0;
  #size: TerminalSize;
  #setSize: TerminalSize;
  #sizing: Promise<void> | null = null;
  readonly #title = new TerminalTitle();
  #titleTimer: Timer | null = null;
  #name: string | null = null;

  constructor(options: TerminalOptions) {
    this.#options = options;
    this.#output = new TerminalOutput(options.clock);
    this.#startedAtMs = options.startedAtMs ?? options.clock.nowMs();
    this.#cwd = options.request.cwd;
    this.#size = pick(options.request);
    this.#output.resized(this.#size);
    this.#setSize = this.#size;
    this.#process = this.#start();
    // Whoever needs the process hears why there is none; the state says it to everybody else.
    this.#process.catch(() => undefined);
  }

  get isOver(): boolean {
    return this.#state.phase === "over";
  }

  get endedAtMs(): number | null {
    return this.#endedAtMs;
  }

  get row(): TerminalRow {
    const { terminalId, placeName, place, request } = this.#options;
    return {
      terminalId,
      place: placeName,
      command: request.command,
      name: this.#name,
      title: this.#title.title,
      cwd: this.#cwd,
      ...this.#stateOfRow(),
      startedAtMs: this.#startedAtMs,
      endedAtMs: this.#endedAtMs,
      ...this.#size,
      resizable: place.resizable && !this.isOver,
    };
  }

  /** Rejects when that cannot be found out. */
  async isIdle(): Promise<boolean> {
    if (this.#state.phase === "over" || !this.#state.isStarted) return false;
    return (await (await this.#process).isIdle?.()) ?? false;
  }

  open(listener: TerminalListener): OpenTerminal {
    return this.#output.open(listener);
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#writingBytes + bytes.length > mostWritingBytes) {
      throw new Fault("terminal_input_full", "This terminal has not taken what was typed before yet.", {
        hint: "Wait a moment, then send it again.",
        retryable: true,
      });
    }
    this.#writingBytes += bytes.length;
    try {
      await (await this.#running()).write(bytes);
    } finally {
      this.#writingBytes -= bytes.length;
    }
  }

  /** Resolves when what runs in it has this size, or a newer one. Throws Fault `terminal_size_fixed`. */
  async resize(size: TerminalSize): Promise<void> {
    if (!this.#options.place.resizable) {
      throw new Fault("terminal_size_fixed", "The size of this terminal cannot be changed.");
    }
    if (this.isOver || isSame(size, this.#size)) return;
    this.#size = pick(size);
    this.#options.changed();
    this.#sizing ??= this.#resize().finally(() => {
      this.#sizing = null;
    });
    await this.#sizing;
  }

  /** Empty: what it is called by itself. */
  rename(name: string): void {
    this.#name = name === "" ? null : name;
    this.#options.changed();
  }

  async interrupt(): Promise<void> {
    await (await this.#running()).interrupt();
  }

  /** Resolves when it is over. Rejects when it could not be asked, or has not ended in time: it is ended all the same. */
  end(): Promise<void> {
    return this.#ended("end");
  }

  /** The same, and it goes off the list as soon as it is over. */
  close(): Promise<void> {
    return this.#ended("close");
  }

  #ended(wish: "end" | "close"): Promise<void> {
    return new Promise((resolve, reject) => {
      let timer: Timer | null = null;
      const settled = () => {
        timer?.cancel();
        this.#waiters = this.#waiters.filter((other) => other !== waiter);
      };
      const waiter: Waiter = {
        resolve: () => {
          settled();
          resolve();
        },
        reject: (fault) => {
          settled();
          reject(fault);
        },
      };
      if (!this.isOver) {
        this.#waiters.push(waiter);
        timer = this.#options.clock.after(endingMs, () => {
          this.#happens({ type: "waitedFor" });
          // Nothing when it is over by that.
          waiter.reject(stillEnding(wish));
        });
      }
      this.#happens({ type: "wished", wish });
      if (this.isOver) waiter.resolve();
    });
  }

  async #start(): Promise<PlaceProcess> {
    const { place, request } = this.#options;
    try {
      const { process, cwd } = await place.start(request, (event) => this.#hear(event));
      this.#cwd = cwd;
      this.#happens({ type: "started" });
      return process;
    } catch (error) {
      const fault = asFault(error);
      this.#happens({ type: "notStarted", fault });
      throw fault;
    }
  }

  /** Some programs set it many times a second. */
  #tellTitle(): void {
    this.#titleTimer ??= this.#options.clock.after(titlePauseMs, () => {
      this.#titleTimer = null;
      this.#options.changed();
    });
  }

  async #resize(): Promise<void> {
    const process = await this.#running();
    while (!this.isOver && !isSame(this.#setSize, this.#size)) {
      const size = this.#size;
      // Before it is told: what it draws for the new size may come before the answer.
      this.#output.resized(size);
      await process.resize?.(size);
      this.#setSize = size;
    }
  }

  async #running(): Promise<PlaceProcess> {
    const process = await this.#process;
    if (this.isOver) throw new Fault("terminal_over", "What ran in this terminal has ended.");
    return process;
  }

  #hear(event: PlaceEvent): void {
    switch (event.type) {
      case "output":
        this.#output.add(event.bytes);
        if (this.#title.read(event.bytes)) this.#tellTitle();
        return;
      case "gap":
        this.#output.gap();
        return;
      default:
        this.#happens(event);
    }
  }

  #happens(event: TerminalEvent): void {
    const [state, effects] = decide(this.#state, event);
    const isChanged = state !== this.#state;
    if (state.phase === "over") this.#endedAtMs ??= this.#options.clock.nowMs();
    this.#state = state;
    if (isChanged) this.#options.changed();
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: TerminalEffect): void {
    switch (effect.type) {
      case "end":
        this.#process
          .then((process) => process.end())
          .catch((error: unknown) => this.#happens({ type: "notEnded", fault: asFault(error) }));
        return;
      case "tellOver":
        for (const { resolve } of this.#waiters) resolve();
        return;
      case "tellNotEnded":
        for (const { reject } of this.#waiters) reject(effect.fault);
        return;
      case "remove":
        this.#options.removed();
        return;
      default:
        effect satisfies never;
    }
  }

  #stateOfRow(): Pick<TerminalRow, "state" | "exitCode" | "fault" | "ending"> {
    const state = this.#state;
    if (state.phase === "live") {
      const { isStarted, exitCode, wish } = state;
      return { state: isStarted ? "running" : "starting", exitCode, fault: null, ending: wish !== "none" };
    }
    const { ending } = state;
    switch (ending.how) {
      case "ended":
        return { state: "ended", exitCode: ending.exitCode, fault: null, ending: false };
      case "lost":
        return { state: "lost", exitCode: ending.exitCode, fault: toFaultView(ending.fault), ending: false };
      case "failed":
        return { state: "failed", exitCode: null, fault: toFaultView(ending.fault), ending: false };
      default:
        return ending satisfies never;
    }
  }
}

function pick({ columns, rows }: TerminalSize): TerminalSize {
  return { columns, rows };
}

function isSame(one: TerminalSize, other: TerminalSize): boolean {
  return one.columns === other.columns && one.rows === other.rows;
}

function stillEnding(wish: "end" | "close"): Fault {
  return new Fault("terminal_still_ending", "This terminal was asked to end, and has not ended yet.", {
    hint: wish === "close" ? "It goes off the list when it has." : "The list says when it has.",
    retryable: true,
  });
}
