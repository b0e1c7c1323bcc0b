// Performs what watchdogMachine.ts decides, and feeds back what came of it.
//
// Race: an answer comes after its server was dropped, or a timer after its reason has gone: the machine ignores both. So it does
// what is found out about the home once nothing is watched.

import type { Clock, Timer } from "../../clock";
import { asFault, type Fault } from "../../fault";
import type { Log } from "../../log";
import { type Answer, decide, newWatch, type WatchEffect, type WatchEvent } from "./watchdogMachine";
import type { OwnedServer } from "./watchdogMessages";

export interface WatchdogWorld {
  clock: Clock;
  log: Log;
  /** Bounded in time. */
  ask(server: OwnedServer): Promise<Answer>;
  /** Ends all that belongs to it; null: nothing is left. Bounded in time. */
  end(server: OwnedServer): Promise<Fault | null>;
  /** True only when it is certain. Never rejects. */
  isHomeGone(): Promise<boolean>;
  exit(): void;
}

export class WatchdogLoop {
  readonly #world: WatchdogWorld;
  #watch = newWatch();
  #look: Timer | null = null;

  constructor(world: WatchdogWorld) {
    this.#world = world;
  }

  handle(event: WatchEvent): void {
    const [watch, effects] = decide(this.#watch, event);
    this.#watch = watch;
    if (event.type === "owner gone" && watch.owner === "gone" && watch.watched.length > 0) {
      this.#world.log.info("Holdfast has gone", { servers: watch.watched.length });
    }
    if (event.type === "home looked for" && watch.owner === "gone" && watch.home === "gone") {
      this.#world.log.warn("Holdfast's home has gone: nobody comes back", { servers: watch.watched.length });
    }
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: WatchEffect): void {
    const { clock } = this.#world;
    switch (effect.type) {
      case "ask":
        void this.#ask(effect.server);
        return;
      case "end":
        void this.#end(effect.server);
        return;
      case "wait":
        // Never cancelled: whatever it was for, a server that is watched has no other timer, and one that is not ignores it.
        clock.after(effect.delayMs, () => this.handle({ type: "due", handleId: effect.handleId }));
        return;
      case "look for home":
        this.#look = clock.after(effect.delayMs, () => void this.#lookForHome());
        return;
      case "exit":
        this.#look?.cancel();
        this.#world.exit();
        return;
      default:
        effect satisfies never;
    }
  }

  async #lookForHome(): Promise<void> {
    this.handle({ type: "home looked for", isGone: await this.#world.isHomeGone() });
  }

  async #ask(server: OwnedServer): Promise<void> {
    const { handleId } = server;
    const { clock, log, ask } = this.#world;
    const answer = await ask(server).catch((error: unknown): Answer => {
      log.error("asking an app-server failed", { handleId, message: asFault(error).message });
      return "none";
    });
    this.handle({ type: "answered", handleId, answer, atMs: clock.nowMs() });
  }

  async #end(server: OwnedServer): Promise<void> {
    const { kind, handleId, pid } = server;
    const { log, end } = this.#world;
    log.info(`ending an ${kind} that nobody owns`, { handleId, pid });
    const left = await end(server).catch((error: unknown) => asFault(error));
    if (left) log.error(`an ${kind} did not end`, { handleId, pid, message: left.message });
    else log.info(`nothing is left of an ${kind}`, { handleId, pid });
    this.handle({ type: "end tried", handleId, succeeded: left === null });
  }
}
