// Performs what the lifecycle machine decides. Owns the deadline of shutting down and of telling of a failure; everything
// that it is given may hang, throw or come back late.
//
// Races, and what settles each:
// - The person quits before it is known what is at work, which goes on since an earlier run: that is found out first, within
//   bounds, and then the person is asked about it. A signal or a failure does not wait.
// - The app is started again meanwhile: then it is not to end.

import type { Clock, Timer } from "../clock";
import type { Log } from "../log";
import {
  decideLifecycle,
  type LifecycleEffect,
  type LifecycleEvent,
  type LifecycleState,
  type OpenWork,
  type QuitReason,
  type Relaunch,
  type WorkChoice,
} from "./lifecycle";

export interface ShutDownRequest {
  reason: QuitReason;
  work: WorkChoice;
  /** The app ends after this time whatever happens. */
  deadlineMs: number;
}

export interface EndingOptions {
  clock: Clock;
  log: Log;
  /** null: nothing is open. */
  openWork(): OpenWork | null;
  /** Resolves when `openWork` knows of everything; null: it does. */
  untilWorkIsKnown(): Promise<void> | null;
  /** Asks the person; `withdrawn` is aborted when nobody needs the answer any more. */
  ask(openWork: OpenWork, withdrawn: AbortSignal): Promise<WorkChoice | "cancel">;
  bringUp(): void;
  /** Opens a window (and the folder) because the app was started once more. */
  open(folder: string | null): void;
  /** Takes the windows away at once, so that the app feels ended, and then shuts everything down. */
  shutDown(request: ShutDownRequest): Promise<void>;
  /** Resolves when the person has seen that the app has failed and ends. */
  tell(failure: unknown): Promise<void>;
  /** Ends the process. */
  end(exitCode: number, relaunch: Relaunch | null): void;
}

/** How long the message about a failure may keep the process alive after everything has been shut down. */
export const tellDeadlineMs = 20_000;

/** How long the person who quits waits for that at most. */
export const knownWithinMs = 5_000;

export class Ending {
  readonly #options: EndingOptions;
  #state: LifecycleState = { phase: "running" };
  #question: AbortController | null = null;
  #timers: Timer[] = [];
  #failure: unknown = null;
  /** The person has quit, and it is being found out what that would touch. */
  #findingOut: Timer | null = null;

  constructor(options: EndingOptions) {
    this.#options = options;
  }

  /** True once the process may end: nothing is held up any more. */
  get hasEnded(): boolean {
    return this.#state.phase === "ended";
  }

  get isRunning(): boolean {
    return this.#state.phase === "running" || this.#state.phase === "asking";
  }

  quit(reason: QuitReason, exitCode = 0): void {
    const known =
      reason === "person" && this.#state.phase === "running" ? this.#options.untilWorkIsKnown() : null;
    if (known === null) this.#quitNow(reason, exitCode);
    else this.#quitWhen(known);
  }

  #quitWhen(known: Promise<void>): void {
    const { clock, log } = this.#options;
    if (this.#findingOut !== null) return;
    log.info("Quit was asked for, and it is found out first what is at work");
    const timer = clock.after(knownWithinMs, () => goOn());
    const goOn = () => {
      if (this.#findingOut !== timer) return;
      this.#notFindingOut();
      this.#quitNow("person", 0);
    };
    this.#findingOut = timer;
    void known.then(goOn);
  }

  #notFindingOut(): void {
    this.#findingOut?.cancel();
    this.#findingOut = null;
  }

  #quitNow(reason: QuitReason, exitCode: number): void {
    const openWork = reason === "person" && this.#state.phase === "running" ? this.#openWork() : null;
    this.#options.log.info("Quit was asked for", { reason, phase: this.#state.phase });
    this.#take({ type: "quit", reason, exitCode, openWork });
  }

  /** Something was thrown that nobody caught. */
  fail(failure: unknown): void {
    this.#failure = failure;
    this.quit("failure", 1);
  }

  launchedAgain(folder: string | null): void {
    this.#notFindingOut();
    this.#take({ type: "launched again", folder });
  }

  #openWork(): OpenWork | null {
    try {
      return this.#options.openWork();
    } catch (error) {
      this.#options.log.error("What is open could not be found out", { error });
      return null;
    }
  }

  #take(event: LifecycleEvent): void {
    const [state, effects] = decideLifecycle(this.#state, event);
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: LifecycleEffect): void {
    const { log } = this.#options;
    switch (effect.type) {
      case "ask":
        this.#ask(effect.openWork);
        return;
      case "bring up question":
        this.#options.bringUp();
        return;
      case "withdraw question":
        this.#question?.abort();
        return;
      case "tell of failure":
        this.#within(
          tellDeadlineMs,
          () => this.#options.tell(this.#failure),
          () => this.#take({ type: "told" }),
        );
        return;
      case "shut down": {
        const { reason, work, deadlineMs } = effect;
        log.info("Shutting down", { reason, work });
        this.#within(
          deadlineMs,
          () => this.#options.shutDown({ reason, work, deadlineMs }),
          () => this.#take({ type: "shut down" }),
        );
        return;
      }
      case "open":
        this.#options.open(effect.folder);
        return;
      case "end":
        this.#notFindingOut();
        for (const timer of this.#timers.splice(0)) timer.cancel();
        log.info("Ended", { exitCode: effect.exitCode });
        this.#options.end(effect.exitCode, effect.relaunch);
        return;
      default: {
        const unknown: never = effect;
        throw new Error(`An effect that is not known: ${JSON.stringify(unknown)}`);
      }
    }
  }

  #ask(openWork: OpenWork): void {
    const question = new AbortController();
    this.#question = question;
    const answered = (choice: WorkChoice | "cancel") => {
      if (this.#question !== question) return;
      this.#question = null;
      if (!question.signal.aborted) this.#take({ type: "answered", choice });
    };
    this.#options.ask(openWork, question.signal).then(answered, (error: unknown) => {
      // Without a question nobody has agreed to anything: the app goes on.
      this.#options.log.error("The person could not be asked", { error });
      answered("cancel");
    });
  }

  /** Runs `task` and calls `after` once: when it has settled, or when its time is up. */
  #within(deadlineMs: number, task: () => Promise<void>, after: () => void): void {
    let settled = false;
    const settle = () => {
      if (settled) return;
      settled = true;
      timer.cancel();
      after();
    };
    const timer = this.#options.clock.after(deadlineMs, () => {
      this.#options.log.error("Not done in time; the app ends all the same", { deadlineMs });
      settle();
    });
    this.#timers.push(timer);
    // The call itself may throw as well as what it promises.
    new Promise<void>((resolve) => resolve(task())).then(settle, (error: unknown) => {
      this.#options.log.error("Failed on the way to the end; the app ends all the same", { error });
      settle();
    });
  }
}
