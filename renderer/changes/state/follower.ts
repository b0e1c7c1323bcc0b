// This window's copy of what is changed in a repository, kept up to date for as long as somebody shows it.
//
// Races, and what settles each:
// - Several reasons to look come at once (a turn ends, the window gets the keyboard, something was staged): one look is
//   under way, and at most one more follows it, which has seen everything.
// - The person goes to another workspace while a look is under way: each workspace has its own follower, and one that nobody
//   shows any more drops what comes late.
// - A look fails for a moment: what was known stays, with the fault beside it, until a look works.
// - Main says that something has changed while a look is under way: its revision is newer than what that look brings, so
//   another one follows.

import type { CallResult } from "../../../preload/contract";
import type { FaultView } from "../../../preload/contract/fault";
import { faultOf } from "../../state/callFault";

export type Listing = CallResult<"changes.list">;

export interface ChangesMain {
  list(workspaceId: string): Promise<Listing>;
  /** Answers when there may be something newer than `revision`; null: there was nothing for a while. */
  next(workspaceId: string, revision: number): Promise<number | null>;
  /** Returns what cancels it. */
  after(ms: number, run: () => void): () => void;
}

export interface ChangesView {
  listing: Listing | null;
  /** Why the last look did not work. */
  fault: FaultView | null;
  looking: boolean;
  /** Counts the looks that have brought something: what is drawn from the folder is drawn anew then. */
  looks: number;
}

const firstRetryMs = 500;
const lastRetryMs = 15_000;

export class ChangesFollower {
  readonly workspaceId: string;
  readonly #main: ChangesMain;
  readonly #changed: (view: ChangesView) => void;
  #view: ChangesView = { listing: null, fault: null, looking: false, looks: 0 };
  #wanted = false;
  #follows = 0;
  #failures = 0;
  #cancelRetry = () => {};

  constructor(workspaceId: string, main: ChangesMain, changed: (view: ChangesView) => void) {
    this.workspaceId = workspaceId;
    this.#main = main;
    this.#changed = changed;
  }

  get view(): ChangesView {
    return this.#view;
  }

  follow(): void {
    this.#follows += 1;
    this.look();
    void this.#listen(this.#follows);
  }

  unfollow(): void {
    this.#follows += 1;
    this.#cancelRetry();
  }

  /** Looks at the folder now, or once more after the look that is under way. */
  look(): void {
    if (this.#view.looking) {
      this.#wanted = true;
      return;
    }
    void this.#look();
  }

  async #look(): Promise<void> {
    this.#wanted = false;
    this.#set({ looking: true });
    try {
      const listing = await this.#main.list(this.workspaceId);
      this.#set({ listing, fault: null, looking: false, looks: this.#view.looks + 1 });
    } catch (error) {
      this.#set({ fault: faultOf(error), looking: false });
    }
    if (this.#wanted) void this.#look();
  }

  /** Ends once following has ended or begun anew. */
  async #listen(follow: number): Promise<void> {
    await this.#settled();
    while (follow === this.#follows) {
      try {
        const seen = this.#view.listing?.revision ?? 0;
        const revision = await this.#main.next(this.workspaceId, seen);
        this.#failures = 0;
        if (follow !== this.#follows) return;
        if (revision !== null && revision !== this.#view.listing?.revision) await this.#lookUntil(revision);
      } catch (error) {
        // Nothing is lost by hearing later: looking by hand and coming back to the window still work.
        console.warn("Changes in the folder cannot be heard of", faultOf(error).message);
        await this.#pause();
      }
    }
  }

  /** Waits for a look that knows of this revision, so that the same news is not asked for again and again. */
  async #lookUntil(revision: number): Promise<void> {
    const looks = this.#view.looks;
    this.look();
    await this.#settled();
    const { listing } = this.#view;
    // A look that failed, or that brought something older than what was told: later, not at once.
    if (this.#view.looks === looks || (listing !== null && listing.revision < revision)) await this.#pause();
  }

  #settled(): Promise<void> {
    return new Promise((resolve) => {
      const wait = () => {
        if (this.#view.looking || this.#wanted) this.#whenSettled.push(wait);
        else resolve();
      };
      wait();
    });
  }

  readonly #whenSettled: (() => void)[] = [];

  #pause(): Promise<void> {
    const inMs = Math.min(lastRetryMs, firstRetryMs * 2 ** this.#failures);
    this.#failures += 1;
    return new Promise((resolve) => {
      const cancel = this.#main.after(inMs, resolve);
      this.#cancelRetry = () => {
        cancel();
        resolve();
      };
    });
  }

  #set(part: Partial<ChangesView>): void {
    this.#view = { ...this.#view, ...part };
    this.#changed(this.#view);
    if (!this.#view.looking) for (const wake of this.#whenSettled.splice(0)) queueMicrotask(wake);
  }
}
