// New versions of Holdfast. Off unless the installed app names a feed: a package that was built without one, and a checkout,
// ask nobody. A version is downloaded only when the person says so, and takes the place of this one when Holdfast is quit, so
// that nothing which is at work is cut off for it.
//
// Races, and what settles each:
// - A look is asked for while one goes on, or while a version is being downloaded: there is one at a time, and whoever has asked
//   is told what comes of it.
// - A version was declined, and the next look finds the same: it is not offered again by itself, only when the person looks.
// - The feed takes a connection and says nothing, at whatever point: a look has a deadline, and a download one that each piece
//   which comes puts off. The request is given up then, so that it is not what the next look waits for.

import type { Clock, Timer } from "../clock";
import { asFault, Fault } from "../fault";
import type { Log } from "../log";

export interface Updater {
  /** The version that the feed has, when it is newer than this one; null: none is. Rejects when the feed cannot be read. */
  newer(): Promise<string | null>;
  /** Resolves when it is there whole and checked; it is installed when the app quits. `came` is called with each piece. */
  download(came: () => void): Promise<void>;
  /** Ends every request that is under way: what waits for one rejects, now or later. */
  giveUp(): void;
}

/** What the person is asked and told. */
export interface UpdateWords {
  offer(version: string): Promise<boolean>;
  /** True: quit now, which may still ask about what is at work. */
  ready(version: string): Promise<boolean>;
  nothingNew(): Promise<void>;
  failed(error: unknown): Promise<void>;
}

export interface UpdatesOptions {
  updater: Updater;
  words: UpdateWords;
  quit(): void;
  clock: Clock;
  log: Log;
}

const firstLookMs = 60_000;
const lookEveryMs = 24 * 60 * 60_000;
const lookDeadlineMs = 30_000;
/** Without a piece of it. At its end it is checked and unpacked, which takes a slow disk a while. */
const silenceDeadlineMs = 120_000;

export class Updates {
  readonly #options: UpdatesOptions;
  #timer: Timer | null = null;
  #going: Promise<void> | null = null;
  #askedBy: "person" | "clock" = "clock";
  #declined: string | null = null;
  #downloaded: string | null = null;

  constructor(options: UpdatesOptions) {
    this.#options = options;
  }

  begin(): void {
    this.#next(firstLookMs);
  }

  end(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }

  /** Never rejects. The person is told what comes of it, whatever it is. */
  look(): Promise<void> {
    this.#askedBy = "person";
    return this.#look();
  }

  #next(afterMs: number): void {
    this.#timer?.cancel();
    this.#timer = this.#options.clock.after(afterMs, () => {
      this.#next(lookEveryMs);
      void this.#look();
    });
  }

  #look(): Promise<void> {
    this.#going ??= this.#run().finally(() => {
      this.#going = null;
      this.#askedBy = "clock";
    });
    return this.#going;
  }

  async #run(): Promise<void> {
    const { updater, words, quit, log } = this.#options;
    try {
      const version = this.#downloaded ?? (await this.#within(lookDeadlineMs, () => updater.newer()));
      if (version === null) {
        if (this.#askedBy === "person") await words.nothingNew();
        return;
      }
      if (version !== this.#downloaded) {
        if (this.#askedBy === "clock" && version === this.#declined) return;
        if (!(await words.offer(version))) {
          this.#declined = version;
          return;
        }
        log.info("A new version is downloaded", { version });
        await this.#within(silenceDeadlineMs, (came) => updater.download(came));
        this.#downloaded = version;
      } else if (this.#askedBy === "clock") return;
      if (await words.ready(version)) quit();
    } catch (error) {
      log.warn("A new version could not be had", { error: asFault(error).message });
      if (this.#askedBy === "person") {
        await words.failed(error).catch((failure: unknown) => {
          log.error("A message could not be shown", { error: failure });
        });
      }
    }
  }

  /** `task` calls what it is given whenever something has come: its time then begins anew. */
  #within<Value>(limitMs: number, task: (came: () => void) => Promise<Value>): Promise<Value> {
    const { updater, clock } = this.#options;
    return new Promise((resolve, reject) => {
      let isOver = false;
      const start = () =>
        clock.after(limitMs, () => {
          isOver = true;
          reject(silentFault(limitMs));
          updater.giveUp();
        });
      let timer = start();
      const came = () => {
        if (isOver) return;
        timer.cancel();
        timer = start();
      };
      task(came)
        .then(resolve, reject)
        .finally(() => {
          isOver = true;
          timer.cancel();
        });
    });
  }
}

function silentFault(limitMs: number): Fault {
  return new Fault(
    "updates_silent",
    `The server that new versions come from has said nothing for ${limitMs / 1_000} seconds.`,
    { retryable: true },
  );
}
