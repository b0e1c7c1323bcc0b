// What codex says about one thread: who of the thread's parts is told of what, and in which order.

import { asFault } from "../fault";
import type { Delivery } from "./delivery";
import type { ThreadPlace } from "./environments/threadPlace";
import type { FailedTurns } from "./failedTurns";
import type { FollowUps } from "./followUps/followUps";
import type { Hearing } from "./hearing";
import type { RunningThread, ThreadHost } from "./host";
import type { KeptFacts } from "./keptFacts";
import type { LeftRunning } from "./leftRunning";
import { recordOf, wordsOrNull } from "./loose";
import { loginCompletedMethod, type McpServers, startupStatusMethod } from "./mcpServers";
import type { Reverting } from "./reverting";
import type { ShownAgain } from "./shownAgain";
import { applyNotification, turnIdIn } from "./threadEvents";
import type { ThreadLoader } from "./threadLoader";

/** The thread whose parts these are. */
export interface NotifiedThread extends RunningThread {
  readonly delivery: Delivery;
  readonly followUps: FollowUps;
  readonly place: ThreadPlace;
  readonly leftRunning: LeftRunning;
  statusTold(status: unknown): void;
  turnOver(turnId: string | null): void;
}

export interface NotifiedParts {
  keptFacts: KeptFacts;
  failedTurns: FailedTurns;
  loader: ThreadLoader;
  reverting: Reverting;
  shownAgain: ShownAgain;
  mcpServers: McpServers;
  hearing: Hearing;
}

export class ThreadNotifications {
  readonly #host: ThreadHost;
  readonly #thread: NotifiedThread;
  readonly #parts: NotifiedParts;

  constructor(host: ThreadHost, thread: NotifiedThread, parts: NotifiedParts) {
    this.#host = host;
    this.#thread = thread;
    this.#parts = parts;
  }

  heard(method: string, params: unknown, nowMs: number): void {
    const thread = this.#thread;
    const { keptFacts, failedTurns, loader, reverting, shownAgain, mcpServers, hearing } = this.#parts;
    if (method === "turn/started" && thread.state.isSucceededBy(turnIdIn(params)))
      thread.statusTold({ type: "idle" });
    const event = applyNotification(thread.state, method, params, nowMs);
    keptFacts.heard(method, params);
    thread.place.heard(method, params);
    if (event) thread.run(event);
    switch (method) {
      case "item/started":
      case "item/completed":
        thread.delivery.itemShown();
        thread.followUps.itemShown();
        if (method === "item/completed")
          thread.leftRunning.itemEnded(wordsOrNull(recordOf(recordOf(params).item).id));
        break;
      case "turn/completed": {
        const turnId = turnIdIn(params);
        if (turnId !== null) thread.delivery.turnEnded(turnId);
        thread.turnOver(turnId);
        break;
      }
      case "turn/started": {
        const turnId = turnIdIn(params) ?? "";
        if (thread.place.isMisplaced()) thread.run({ type: "stop" });
        thread.followUps.turnStarted(turnId);
        break;
      }
      case "error":
        failedTurns.heard(recordOf(params));
        break;
      case "thread/queue/changed":
        thread.followUps.changedInCodex();
        break;
      case "thread/status/changed":
        failedTurns.statusTold(recordOf(params).status);
        thread.statusTold(recordOf(params).status);
        break;
      case "thread/closed":
        // The status before it says the same, and may be lost.
        thread.statusTold({ type: "notLoaded" });
        if (!loader.isLoading && !reverting.underWay) shownAgain.unloaded();
        break;
      case "thread/reverted":
        loader.listCut().catch((error: unknown) => {
          this.#host.log.warn("a reverted thread could not be listed", { error: asFault(error).code });
        });
        break;
      case startupStatusMethod:
        mcpServers.told(recordOf(params), hearing.last);
        break;
      case loginCompletedMethod:
        mcpServers.loginCompleted(recordOf(params));
        break;
      default:
    }
  }
}

/** codex tells it to those who are subscribed to the thread, and to nobody else. */
export function isSubscribersOnly(method: string): boolean {
  return method.startsWith("turn/") || method.startsWith("item/");
}
