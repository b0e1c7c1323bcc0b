// Does what the run machine decides, and asks after a turn of which nothing is heard.
//
// Races settled here:
// - A lost completion, or a lost idle status, or both: after a while of silence the thread's status is read. What is read
//   about one run says nothing about the next one. Where the next turn begins before that, its beginning says it.
// - Stop is answered after the turn has ended anyway, or never: only a turn that still runs is worth a word.
// - codex does not have the thread loaded any more: then nothing runs in it.
// - codex is so late with its record of the turn that nobody waits for it any more: it is asked again.
// - The ledger cannot take the end of a turn, or is closed already, when its record comes or fails: that is logged.

import type { Timer } from "../clock";
import { asFault } from "../fault";
import { toFaultView } from "../faultView";
import type { Connection } from "../supervisor/connection";
import type { RunningThread, ThreadHost } from "./host";
import type { RunEffect } from "./runMachine";
import { note } from "./threadEvents";
import { isNothingToInterrupt, isNotLoaded } from "./threadFaults";

/** What the watch needs of its thread. */
export interface WatchedThread extends RunningThread {
  /** The connection over which codex tells us about the thread: loaded by us, or, as a child agent, by its parent. */
  readonly heardOver: Connection | null;
  forgetLoaded(): void;
  /** A status that codex told, by itself or when asked. */
  statusTold(status: unknown): void;
  /** A turn has ended and nothing but its record says how. */
  listAgain(turnId: string | null): Promise<void>;
}

/** After this long without a word from codex about a running turn, its status is read. */
const silenceMs = 5_000;
const readDeadlineMs = 10_000;
const interruptDeadlineMs = 10_000;

export class TurnWatch {
  readonly #host: ThreadHost;
  readonly #thread: WatchedThread;
  #settle: Timer | null = null;
  #silence: Timer | null = null;
  #lastWordAtMs = 0;
  #reading = false;
  #listings = 0;

  constructor(host: ThreadHost, thread: WatchedThread) {
    this.#host = host;
    this.#thread = thread;
  }

  /** A turn is over, and codex has not said yet how it ended. */
  get endIsOwed(): boolean {
    return this.#thread.state.isEndOwed || this.#listings > 0;
  }

  /** codex has said something about the thread. */
  heard(atMs: number): void {
    this.#lastWordAtMs = atMs;
  }

  perform(effects: RunEffect[], owedTurnId: string | null): void {
    for (const effect of effects) {
      switch (effect.type) {
        case "interrupt":
          this.#interrupt(effect.turnId);
          break;
        case "settleAfter":
          this.#settle?.cancel();
          this.#settle = this.#host.clock.after(effect.graceMs, () => {
            this.#settle = null;
            this.#thread.run({ type: "graceOver" });
          });
          break;
        case "listTurns":
          this.#listings += 1;
          this.#thread
            .listAgain(owedTurnId)
            .catch((error: unknown) => {
              const { threadId } = this.#thread;
              this.#host.log.error("the end of a turn could not be noted", {
                threadId,
                error: asFault(error).code,
              });
            })
            .finally(() => {
              this.#listings -= 1;
            });
          break;
        default:
          effect satisfies never;
      }
    }
    this.#watchSilence();
  }

  dispose(): void {
    this.#settle?.cancel();
    this.#silence?.cancel();
    this.#settle = null;
    this.#silence = null;
  }

  #interrupt(turnId: string): void {
    const { heardOver, threadId, state } = this.#thread;
    // Sent again when the turn is found still running after the next load.
    if (heardOver === null || threadId === null) return;
    const params = { threadId, turnId: state.reviews.workOf(turnId) };
    this.#thread
      .awaited(heardOver.client.request("turn/interrupt", params, { deadlineMs: interruptDeadlineMs }))
      .catch((error: unknown) => {
        if (state.runningTurnId !== turnId || this.#thread.heardOver !== heardOver) return;
        if (!isNothingToInterrupt(error)) {
          const words = `Stop was not confirmed by codex: ${asFault(error).message}`;
          note(state, this.#host.clock.nowMs(), "warning", words);
        }
        this.#readStatus();
      });
  }

  #readStatus(): void {
    const { heardOver, threadId, state } = this.#thread;
    if (heardOver === null || threadId === null || this.#reading) return;
    const { runCount } = state;
    const isSameRun = () =>
      state.running && state.runCount === runCount && this.#thread.heardOver === heardOver;
    this.#reading = true;
    const answer = heardOver.client.request(
      "thread/read",
      { threadId },
      {
        deadlineMs: readDeadlineMs,
        onAnswer: ({ thread }) => {
          if (isSameRun()) this.#thread.statusTold(thread.status);
        },
      },
    );
    this.#thread
      .awaited(answer)
      .catch((error: unknown) => {
        this.#host.log.warn("status could not be read", { error: asFault(error).code });
        if (!isSameRun() || !isNotLoaded(error)) return;
        this.#thread.forgetLoaded();
        this.#thread.statusTold({ type: "notLoaded" });
      })
      .finally(() => {
        this.#reading = false;
      });
  }

  /** The folder of a running turn may be taken away underneath it: nobody else would say so. */
  #checkFolder(): void {
    const { workspaceId, state } = this.#thread;
    this.#host.folder(workspaceId).then(
      () => {
        if (state.facts.fault?.code === "folder_gone") state.update({ fault: null });
      },
      (error: unknown) => {
        if (state.running) state.update({ fault: toFaultView(asFault(error)) });
      },
    );
  }

  #watchSilence(): void {
    if (!this.#thread.state.running) {
      this.#silence?.cancel();
      this.#silence = null;
      return;
    }
    if (this.#silence !== null) return;
    const quietMs = this.#host.clock.nowMs() - this.#lastWordAtMs;
    this.#silence = this.#host.clock.after(Math.max(silenceMs - quietMs, 0) || silenceMs, () => {
      this.#silence = null;
      if (this.#host.clock.nowMs() - this.#lastWordAtMs >= silenceMs) {
        this.#readStatus();
        this.#checkFolder();
      }
      this.#watchSilence();
    });
  }
}
