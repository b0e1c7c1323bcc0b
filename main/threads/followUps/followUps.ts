// The follow-ups of one thread as they are: does what the queue machine decides, and says what waits. What a person wants
// of what waits is in changes.ts.
//
// Races settled here:
// - A list that was asked for over a connection that is gone, or before the thread was let go, says nothing.
// - codex has something in its queue that is known to have been sent or deleted: it is taken out there, so that it is not
//   sent again.
// - Another client edits what we have queued: what comes back after a crash is what was written last.

import type { FollowUpsView, SubmissionView } from "../../../preload/contract/thread";
import type { Timer } from "../../clock";
import type { QueuedSubmission } from "../../codex/protocol/v2/QueuedSubmission";
import { asFault } from "../../fault";
import type { QueueHold } from "../../ledger/queueHoldsLedger";
import type { Connection } from "../../supervisor/connection";
import type { Delivery } from "../delivery";
import type { PlacedThread } from "../handOver";
import type { ThreadHost } from "../host";
import { viewOutgoing } from "../outgoing";
import type { OutgoingMessages } from "../outgoingMessages";
import { isNothingToInterrupt, isUnknownMethod } from "../threadFaults";
import { entryOf, listQueue } from "./codexQueue";
import { moveHere } from "./moveHere";
import { rewrittenIn } from "./queuedInput";
import {
  type CodexEntry,
  decideQueue,
  holdToKeep,
  isHoldingBack,
  isSettling,
  type LastTurn,
  newQueue,
  type QueueEffect,
  type QueueEvent,
  type QueueState,
  type TurnEnd,
} from "./queueMachine";
import { isInCodex, keeperOf, viewFollowUps } from "./queueView";

/** What follow-ups need of their thread. */
export interface QueueingThread extends PlacedThread {
  readonly delivery: Delivery;
  readonly messages: OutgoingMessages;
  /** The connection over which codex tells us about the thread. */
  readonly heardOver: Connection | null;
  /** Nothing is on its way any more. */
  settled(): void;
}

/** How long codex has to take the next one up by itself. */
const settleAfterMs = 1_000;

export class FollowUps {
  readonly #host: ThreadHost;
  readonly #thread: QueueingThread;
  readonly #changing = new Set<string>();
  /** Client ids of what has been seen in codex's queue and not been said yet. */
  readonly #hasWaited = new Set<string>();
  #queue: QueueState;
  #keptHold: QueueHold | null;
  #settle: Timer | null = null;
  #atRest: (() => void)[] = [];
  #moving: Promise<void> = Promise.resolve();
  /** The list that is being asked for. */
  #listing: Promise<void> | null = null;

  constructor(host: ThreadHost, thread: QueueingThread) {
    this.#host = host;
    this.#thread = thread;
    this.#keptHold = thread.threadId === null ? null : host.queueHolds.get(thread.threadId);
    this.#queue = newQueue(this.#keptHold, thread.place.keepsQueueHere);
  }

  /** The thread may work at another place than before. */
  placeChanged(): void {
    const here = this.#thread.place.keepsQueueHere;
    if (here !== this.#queue.isKeptHere) this.#decide({ type: "kept", here });
  }

  /**
   * Where codex is not to send by itself what waits, takes that out of its queue. Rejects when some of it may still be there.
   */
  moveHere(connection: Connection): Promise<void> {
    const moved = this.#moving.then(async () => {
      if (!this.#queue.isKeptHere || !this.#queue.codexHasQueue) return;
      await moveHere(this.#host, this.#thread, connection, (clientId) => this.removed(clientId));
    });
    // Whoever asked for it hears of its failure; the next one tries again.
    this.#moving = moved.catch(() => undefined);
    return moved;
  }

  get keeper(): FollowUpsView["keeper"] {
    return keeperOf(this.#queue);
  }

  /** Something waits in a queue, as far as is known. */
  get isWaited(): boolean {
    const { inCodex, here } = this.#queue;
    if (inCodex.length > 0 || here.length > 0) return true;
    return this.#thread.messages.all.some((outgoing) => isInCodex(this.#queue, outgoing));
  }

  /** What waits is sent without anybody's doing. */
  get isGoingOn(): boolean {
    return this.#queue.hold === null && this.isWaited;
  }

  /** What waits may be sent without anybody's doing: the thread has to stay loaded for it. */
  get mayGoOn(): boolean {
    const { hold } = this.#queue;
    return hold !== "stopped" && hold !== "failed" && this.isWaited;
  }

  get inCodex(): readonly CodexEntry[] {
    return this.#queue.inCodex;
  }

  /** The message just waits. */
  isQueued(clientId: string): boolean {
    const outgoing = this.#thread.messages.get(clientId);
    if (outgoing === null || outgoing.underWay) return false;
    return outgoing.waitsHere || isInCodex(this.#queue, outgoing);
  }

  loaded(): void {
    this.#decide({ type: "loaded", last: this.#last() });
  }

  unloaded(isProcessGone = false): void {
    this.#listing = null;
    this.#decide({ type: "unloaded", isProcessGone });
  }

  /** codex does not know the thread: it has nothing of it. */
  lost(): void {
    this.#decide({ type: "listed", entries: [] });
  }

  changedInCodex(): void {
    this.#decide({ type: "changed" });
  }

  codexHasNone(): void {
    this.#decide({ type: "unlisted", because: "unknown method" });
  }

  added(entry: QueuedSubmission): void {
    this.#decide({ type: "added", entry: entryOf(entry) });
  }

  /** Before all others, as it was before codex took it up too early. Never rejects: it then waits behind them. */
  async putFirst(clientId: string): Promise<void> {
    const { heardOver, threadId } = this.#thread;
    const first = this.#queue.inCodex.find((entry) => entry.clientId === clientId);
    if (!first || heardOver === null || threadId === null) return;
    const order = [first, ...this.#queue.inCodex.filter((entry) => entry !== first)];
    try {
      const queuedSubmissionIds = order.map(({ id }) => id);
      await heardOver.client.request("thread/queue/reorder", { threadId, queuedSubmissionIds });
      this.arranged(order.map((entry) => entry.clientId));
    } catch (error) {
      const facts = { threadId, clientId, error: asFault(error).code };
      this.#host.log.warn("a follow-up that was put back could not be put first", facts);
    }
  }

  updated(entry: QueuedSubmission): void {
    this.#decide({ type: "updated", entry: entryOf(entry) });
  }

  removed(clientId: string): void {
    this.#decide({ type: "removed", clientId });
  }

  arranged(clientIds: readonly string[]): void {
    this.#decide({ type: "arranged", clientIds });
  }

  /** The run is as it is now. Called often. */
  ran(): void {
    const { phase } = this.#thread.state;
    if (phase !== this.#queue.run) this.#decide({ type: "run", phase });
  }

  /** Stop is about to be sent. */
  stopping(): void {
    this.#decide({ type: "stopping" });
  }

  /** The turn has failed, and is not over yet. */
  failing(turnId: string): void {
    this.#decide({ type: "failing", turnId });
  }

  /** Whether what waits has to be kept from being taken up when the running turn fails. */
  get isToBeHeld(): boolean {
    const [after] = decideQueue(this.#queue, { type: "failing", turnId: "" });
    return after !== this.#queue;
  }

  turnStarted(turnId: string): void {
    this.#decide({ type: "turnStarted", turnId });
  }

  turnOver(turnId: string | null): void {
    this.#decide({ type: "turnOver", how: this.#endOf(turnId) });
  }

  /** A message that was taken from the ledger's queue has been refused. */
  refused(): void {
    this.#decide({ type: "refused" });
  }

  resumed(): void {
    this.#decide({ type: "resumed" });
  }

  /** An item of the transcript has begun or ended: what is said does not wait any more, whatever is told of the queue. */
  itemShown(): void {
    for (const clientId of [...this.#hasWaited]) {
      const item = this.#thread.state.transcript.sentMessage(clientId);
      if (item === null) continue;
      this.#hasWaited.delete(clientId);
      this.removed(clientId);
      this.#decide({ type: "takenUp", turnId: item.turnId });
    }
  }

  /** Something has changed about a message of ours. */
  messagesChanged(): void {
    const { messages } = this.#thread;
    const known = new Set(this.#queue.inCodex.map(({ clientId }) => clientId));
    const arriving = messages.all.filter(
      ({ state: at, way, seenInTurn, submission }) =>
        way === "queue" &&
        (at === "sending" || at === "sent") &&
        seenInTurn === null &&
        !known.has(submission.clientId) &&
        !this.#isSaid(submission.clientId),
    );
    const isClear = messages.all.every(
      (outgoing) =>
        outgoing.state === "undelivered" ||
        outgoing.seenInTurn !== null ||
        this.isQueued(outgoing.submission.clientId),
    );
    this.#decide({ type: "ours", here: messages.here, arriving: arriving.length, isClear });
  }

  /** It is being edited, moved or the like until the promise is settled. */
  async changing<Result>(clientId: string, change: () => Promise<Result>): Promise<Result> {
    this.#changing.add(clientId);
    this.#show();
    try {
      return await change();
    } finally {
      this.#changing.delete(clientId);
      this.#show();
    }
  }

  /** Resolves when nothing that codex has taken up although it was held is being stopped. */
  async heldBack(): Promise<void> {
    while (isHoldingBack(this.#queue)) await new Promise<void>((resolve) => this.#atRest.push(resolve));
  }

  /** codex's queue as it is from now on, or as it is known if it is known at all. */
  async list(how: "anew" | "if unknown"): Promise<void> {
    if (how === "if unknown" && this.#queue.isListed && this.#listing === null) return;
    if (how === "anew" || this.#listing === null) this.#decide({ type: "changed" });
    while (this.#listing !== null) await this.#listing;
  }

  dispose(): void {
    this.#settle?.cancel();
    this.#settle = null;
  }

  #decide(event: QueueEvent): void {
    const [queue, effects] = decideQueue(this.#queue, event);
    this.#queue = queue;
    for (const { clientId } of queue.inCodex) this.#hasWaited.add(clientId);
    this.#keepHold();
    this.#watchSettling();
    if (!isHoldingBack(queue)) for (const go of this.#atRest.splice(0)) go();
    for (const effect of effects) this.#perform(effect);
    this.#show();
  }

  #perform(effect: QueueEffect): void {
    switch (effect.type) {
      case "list":
        this.#list();
        break;
      case "interrupt":
        this.#interrupt(effect.turnId);
        break;
      case "putBack":
        this.#thread.delivery.putBack(effect.turnId);
        break;
      case "take": {
        const outgoing = this.#thread.messages.get(effect.clientId);
        if (outgoing) this.#thread.delivery.release(outgoing, "turn");
        break;
      }
      default:
        effect satisfies never;
    }
  }

  #list(): void {
    const { heardOver, threadId } = this.#thread;
    if (heardOver === null || threadId === null) {
      this.#decide({ type: "unlisted", because: "failed" });
      return;
    }
    const listing: Promise<void> = listQueue(heardOver, threadId).then(
      (all) => {
        const entries = all.filter(({ clientId }) => !this.#isSaid(clientId));
        this.#listed(listing, { type: "listed", entries });
      },
      (error: unknown) => {
        const because = isUnknownMethod(error) ? "unknown method" : "failed";
        if (because === "failed")
          this.#host.log.info("follow-ups could not be listed", { threadId, error: asFault(error).code });
        this.#listed(listing, { type: "unlisted", because });
      },
    );
    this.#listing = listing;
  }

  #listed(listing: Promise<void>, event: Extract<QueueEvent, { type: "listed" | "unlisted" }>): void {
    if (this.#listing !== listing) return;
    this.#listing = null;
    this.#decide(event);
    if (event.type === "listed") for (const entry of event.entries) this.#compare(entry);
    if (this.#queue.isKeptHere && this.#queue.inCodex.length > 0) this.#moveSoon();
    this.#thread.delivery.lookSoon();
    this.#thread.settled();
  }

  /** Another program has queued it. */
  #moveSoon(): void {
    const { heardOver, threadId } = this.#thread;
    if (heardOver === null) return;
    this.moveHere(heardOver).catch((error: unknown) => {
      // What codex makes a turn of all the same is stopped at its start.
      this.#host.log.warn("codex's queue could not be emptied", { threadId, error: asFault(error).code });
    });
  }

  /** Makes what we know of the message that codex lists agree with that. */
  #compare({ id, clientId, input }: CodexEntry): void {
    const { messages } = this.#thread;
    const outgoing = messages.get(clientId);
    if (outgoing === null) {
      const state = this.#host.submissions.get(clientId)?.state;
      if (state === "delivered" || state === "discarded") this.#takeOut(id, clientId);
      return;
    }
    if (outgoing.underWay || outgoing.seenInTurn !== null || this.#changing.has(clientId)) return;
    if (outgoing.state !== "sent" || outgoing.way !== "queue" || outgoing.isUnwanted)
      messages.isQueued(outgoing);
    const written = rewrittenIn(outgoing.submission, input);
    if (written) messages.rewrite(outgoing, written.text, written.attachments);
  }

  #takeOut(queuedSubmissionId: string, clientId: string): void {
    const { heardOver, threadId } = this.#thread;
    if (heardOver === null || threadId === null) return;
    this.removed(clientId);
    heardOver.client
      .request("thread/queue/delete", { threadId, queuedSubmissionId })
      .then(({ deleted }) => {
        if (deleted) this.#host.log.info("a settled message was still queued", { threadId, clientId });
      })
      .catch((error: unknown) => {
        this.#host.log.warn("a settled message could not be taken out of the queue", {
          threadId,
          clientId,
          error: asFault(error).code,
        });
      });
  }

  #interrupt(turnId: string): void {
    const { heardOver, threadId, state } = this.#thread;
    if (heardOver === null || threadId === null) return;
    const params = { threadId, turnId: state.reviews.workOf(turnId) };
    heardOver.client.request("turn/interrupt", params).catch((error: unknown) => {
      // It has ended by itself: what is taken up after it is interrupted in its turn.
      if (isNothingToInterrupt(error)) return;
      this.#host.log.warn("the queue could not be held", { threadId, turnId, error: asFault(error).code });
    });
  }

  #keepHold(): void {
    const { threadId } = this.#thread;
    const hold = holdToKeep(this.#queue);
    if (hold === this.#keptHold || threadId === null) return;
    try {
      this.#host.queueHolds.set(threadId, hold);
      this.#keptHold = hold;
    } catch (error) {
      this.#host.log.error("that follow-ups are held could not be written down", {
        threadId,
        error: asFault(error).message,
      });
    }
  }

  #watchSettling(): void {
    if (!isSettling(this.#queue)) {
      this.#settle?.cancel();
      this.#settle = null;
    } else if (this.#settle === null) {
      this.#settle = this.#host.clock.after(settleAfterMs, () => {
        this.#settle = null;
        this.#decide({ type: "settled", last: this.#last() });
        this.#thread.settled();
      });
    }
  }

  #last(): LastTurn {
    return this.#thread.state.transcript.lastTurn?.status ?? null;
  }

  #endOf(turnId: string | null): TurnEnd {
    const { transcript } = this.#thread.state;
    const turn = turnId === null ? transcript.lastTurn : transcript.turn(turnId);
    return turn === null || turn.status === "running" ? "unknown" : turn.status;
  }

  #isSaid(clientId: string): boolean {
    return this.#thread.state.transcript.sentMessage(clientId) !== null;
  }

  #show(): void {
    const { messages, state } = this.#thread;
    const isSaid = (clientId: string) => this.#isSaid(clientId);
    const followUps = viewFollowUps({
      queue: this.#queue,
      messages: messages.all,
      changing: this.#changing,
      isSaid,
    });
    const waiting = new Set(followUps.entries.map(({ clientId }) => clientId));
    // Once codex shows it as part of the conversation, the conversation shows it.
    const submissions: SubmissionView[] = messages.all
      .filter(({ submission: { clientId } }) => !waiting.has(clientId) && !isSaid(clientId))
      .map(viewOutgoing);
    state.update({ submissions, followUps });
  }
}
