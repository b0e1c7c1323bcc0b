// What of the account's allowance is used, as codex says it: read when somebody looks or an account has come, and kept up to
// date by what codex tells by itself after each turn. Nothing waits for it, and nothing is asked at intervals.
//
// Races settled here:
// - Two ask at once: one request, both get its end.
// - codex tells something while a read is under way: it is taken in at once, and the answer, which may be older, does not take it
//   back. What the answer alone has (credits, the limits of other models) is taken from it.
// - The session that is asked is closed before it answers (the one of no workspace, once a workspace has its own): another one
//   is asked, once.
// - The account changes while a read is under way: its answer is about the one before and is dropped.

import { isDeepStrictEqual } from "node:util";
import type { LimitsView } from "../../preload/contract/codexPage";
import type { Clock } from "../clock";
import { asFault } from "../fault";
import type { AccountClient } from "./account";
import { mergeRateLimits, type RateLimits, unknownLimits } from "./rateLimits";

const readDeadlineMs = 20_000;

export interface LimitBookOptions {
  clock: Clock;
  /** Of the person's own codex. Rejects with a Fault when there is none. */
  client(): Promise<AccountClient>;
  onChange(limits: LimitsView | null): void;
}

export class LimitBook {
  readonly #options: LimitBookOptions;
  #limits: RateLimits = unknownLimits;
  #reading: Promise<void> | null = null;
  /** What was told since the read began. */
  #told: unknown[] = [];
  #account = 0;

  constructor(options: LimitBookOptions) {
    this.#options = options;
  }

  /** Rejects with what codex says against it; what was known stays. */
  read(): Promise<void> {
    if (this.#reading) return this.#reading;
    const reading = this.#read().finally(() => {
      if (this.#reading === reading) this.#reading = null;
    });
    this.#reading = reading;
    return reading;
  }

  /** Of the person's own codex, whatever it is about. */
  notification(method: string, params: unknown): void {
    if (method !== "account/rateLimits/updated") return;
    if (this.#reading) this.#told.push(params);
    this.#take(mergeRateLimits(this.#limits, params));
  }

  /** Another account, or none: nothing is known of its limits. */
  accountChanged(): void {
    this.#account += 1;
    this.#told = [];
    // A read for the one before is no read for this one.
    this.#reading = null;
    if (this.#limits === unknownLimits) return;
    this.#limits = unknownLimits;
    this.#options.onChange(null);
  }

  async #read(): Promise<void> {
    const account = this.#account;
    this.#told = [];
    const answer = await this.#ask().catch((error: unknown) => {
      if (asFault(error).code !== "connection_lost") throw error;
      return this.#ask();
    });
    if (account !== this.#account) return;
    this.#take(this.#told.reduce<RateLimits>(mergeRateLimits, mergeRateLimits(this.#limits, answer)));
  }

  async #ask(): Promise<unknown> {
    const client = await this.#options.client();
    return client.request("account/rateLimits/read", {}, { deadlineMs: readDeadlineMs });
  }

  #take(limits: RateLimits): void {
    // codex tells so too that it knows nothing: of a provider that has no limits, after each turn.
    if (isDeepStrictEqual(limits, unknownLimits)) return;
    this.#limits = limits;
    this.#options.onChange({ ...limits, atMs: this.#options.clock.nowMs() });
  }
}
