// Brings what the person sent to codex: exactly once, or visibly not at all, with its text kept.
//
// Races settled here:
// - The same press of Send twice: one client id, recorded once; the second is told "done" and sends nothing.
// - Several messages at once: one after another, in the order in which they were recorded.
// - The connection breaks before the request was written: it goes over the next one. It breaks between request and answer:
//   delivery is unknown, and nothing is sent again. Once the thread is loaded and idle, codex's record and queue are
//   searched for the client id (messageSearch.ts); only then the message is delivered, waits in the queue, or comes back. A
//   message that may be there is also searched for before a person's "send again" sends it.
// - codex dies after it has shown the message and before it has kept it: the message is only settled once its turn has
//   ended, or codex lists it in an ended turn. Found in neither, it comes back, and what was shown of it is taken out.
// - The place where the thread works cannot be reached, or changes meanwhile: nothing has left then.
// - A message of the ledger's queue is taken up just when somebody else has begun a turn: it stays where it is.
// - codex takes up a follow-up just before it can be held: its turn is stopped at its start, and it is queued once more. If
//   codex keeps the stopped turn, the words stand there too, without an answer.

import { randomUUID } from "node:crypto";
import type { Attachment } from "../../preload/contract/items";
import type { FollowUpsView } from "../../preload/contract/thread";
import type { QueuedSubmission } from "../codex/protocol/v2/QueuedSubmission";
import type { Turn } from "../codex/protocol/v2/Turn";
import { asFault, type Fault } from "../fault";
import type { SubmissionKind } from "../ledger/submissionsLedger";
import type { Connection } from "../supervisor/connection";
import { isNotPlaced } from "./environments/environmentFaults";
import { type HandedOver, handOver, type PlacedThread, wayOf } from "./handOver";
import type { ThreadHost } from "./host";
import { messagesIn } from "./keptMessages";
import { MessageSearch } from "./messageSearch";
import {
  newOutgoing,
  notKeptFault,
  notMadeFault,
  notSentFault,
  type Outgoing,
  stoppedFault,
  unansweredFault,
} from "./outgoing";
import type { OutgoingMessages } from "./outgoingMessages";
import { note } from "./threadEvents";
import { deliveryUnknown, isConnectionLost, isNotLoaded, neverLeft, threadFault } from "./threadFaults";

/** What delivery needs of the thread's queue. */
interface Queue {
  readonly keeper: FollowUpsView["keeper"];
  /** Something waits in it, as far as is known. */
  readonly isWaited: boolean;
  /** What waits is sent without anybody's doing. */
  readonly isGoingOn: boolean;
  /** The message just waits. */
  isQueued(clientId: string): boolean;
  added(entry: QueuedSubmission): void;
  putFirst(clientId: string): Promise<void>;
  changedInCodex(): void;
  codexHasNone(): void;
  /** A message that had been taken from it was refused. */
  refused(): void;
}

/** What delivery needs of its thread. */
export interface DeliveringThread extends PlacedThread {
  readonly followUps: Queue;
  /** Loads the thread in codex, or makes it there. */
  ready(): Promise<Connection>;
  /** The connection on which it is loaded now. */
  readonly loadedOn: Connection | null;
  /** codex says that it does not have the thread loaded. */
  forgetLoaded(): void;
  /** Nothing is on its way any more. */
  settled(): void;
}

type Attempt =
  /** It has left, or need not leave. */
  | "done"
  /** It certainly has not left. "again": over the next connection; "reload": once the thread is loaded anew. */
  | { next: "again" | "reload" | "fail"; error: unknown };

/** A connection that goes away again and again; the session has its own limits. */
const maxAttempts = 4;

export class Delivery {
  readonly #host: ThreadHost;
  readonly #thread: DeliveringThread;
  readonly #messages: OutgoingMessages;
  readonly #search: MessageSearch;
  #queue: Promise<void> = Promise.resolve();

  constructor(host: ThreadHost, thread: DeliveringThread, messages: OutgoingMessages) {
    this.#host = host;
    this.#thread = thread;
    this.#messages = messages;
    this.#search = new MessageSearch(host, thread, messages);
    // Recorded and never tried: it certainly has not left. What was tried is settled by codex's record, after a load.
    for (const outgoing of messages.all) {
      if (outgoing.state === "recorded" && !outgoing.waitsHere) messages.comeBack(outgoing, notSentFault());
    }
  }

  /** A message is being handed to codex right now. */
  get underWay(): boolean {
    return this.#messages.all.some((outgoing) => outgoing.underWay);
  }

  /** Something is neither settled nor given back, and does not just wait in a queue. */
  get hasOpen(): boolean {
    return this.#messages.all.some(
      ({ state, submission }) =>
        state !== "undelivered" && !this.#thread.followUps.isQueued(submission.clientId),
    );
  }

  /**
   * The text is on disk when this returns; bringing it to codex goes on afterwards. False: this message is known already.
   * Throws Fault when it could not be written down.
   */
  send(message: {
    clientId: string;
    text: string;
    attachments: Attachment[];
    mode: SubmissionKind;
  }): boolean {
    const outgoing = this.#messages.record(message);
    if (outgoing === null) return false;
    this.#enqueue(outgoing);
    return true;
  }

  /** The person wants an undelivered message to be sent after all. Its client id stays, so codex's record can tell. */
  resend(clientId: string): void {
    const { submission, createdAtMs, mayBeThere, byRun } = this.#messages.undelivered(clientId);
    this.#enqueue({ ...newOutgoing(submission, createdAtMs, byRun), mayBeThere });
  }

  takeBack(clientId: string): { text: string; attachments: Attachment[] } {
    const outgoing = this.#messages.undelivered(clientId);
    const { text, attachments } = outgoing.submission;
    // First, so that the text is in one place at least at every moment.
    this.#host.takenBack(this.#thread, text, attachments);
    this.#messages.discard(outgoing);
    return { text, attachments };
  }

  /** A message that waits in no queue of codex's is to leave now: as a turn of its own, or into the running one. */
  release(outgoing: Outgoing, wish: "turn" | "steer"): void {
    outgoing.submission = { ...outgoing.submission, kind: wish };
    outgoing.isReleased = true;
    // Its place was in the queue; else it would be put there again, and be taken again.
    outgoing.isPutBack = false;
    outgoing.mayBeThere = false;
    outgoing.fault = null;
    this.#enqueue(outgoing);
  }

  /** Nothing is being handed over any more. */
  get atRest(): Promise<void> {
    return this.#queue;
  }

  /**
   * codex had begun this turn with a message that was to wait, and has been stopped at its start: the message waits again,
   * before all others. One that codex has kept is a new one; one that it may not have kept is looked for first.
   */
  putBack(turnId: string): void {
    const { state, followUps } = this.#thread;
    const items = state.transcript.itemsOf(turnId);
    // It has been worked on: what it did is not done again.
    if (items.some(({ kind }) => kind !== "user" && kind !== "notice")) return;
    const messages = items.flatMap((item) => (item.kind === "user" ? [item] : []));
    const said = messages.flatMap(({ clientId, ...item }) =>
      clientId === null ? [] : { ...item, clientId },
    );
    // Nothing waits in a queue without a client id: another program had begun the turn.
    if (said.length < messages.length) return;
    const atMs = this.#host.clock.nowMs();
    for (const { clientId, text, attachments, byRun } of said) {
      const written = this.#host.submissions.get(clientId) ?? { text, attachments };
      const copyId = randomUUID();
      if (byRun) this.#host.runMarks.message(byRun.runId, copyId);
      const copy = this.#messages.record({
        clientId: copyId,
        text: written.text,
        attachments: written.attachments,
        mode: "queue",
      });
      if (copy) this.#enqueue({ ...copy, isPutBack: true });
    }
    if (said.length > 0) {
      note(
        state,
        atMs,
        "info",
        "codex had begun with this follow-up just as the turn before failed. It waits again.",
      );
      return;
    }
    const gone = this.#messages.doubtful.find(
      ({ way, submission }) => way === "queue" && !followUps.isQueued(submission.clientId),
    );
    if (gone === undefined) return;
    const { submission, createdAtMs, byRun } = gone;
    this.#enqueue({ ...newOutgoing(submission, createdAtMs, byRun), mayBeThere: true, isPutBack: true });
  }

  /** An item of the transcript has begun or ended: is it a message of ours? */
  itemShown(): void {
    for (const outgoing of this.#messages.all) {
      const item = this.#thread.state.transcript.sentMessage(outgoing.submission.clientId);
      if (!item || outgoing.seenInTurn === item.turnId) continue;
      this.#messages.seen(outgoing, item.turnId);
    }
  }

  /** codex has said that the turn has ended: what it has shown in it, it has kept. */
  turnEnded(turnId: string): void {
    for (const outgoing of this.#messages.all) {
      if (outgoing.seenInTurn === turnId) this.#messages.settle(outgoing, turnId);
    }
  }

  /** codex's record of the newest turns has come, and the run is as codex says. */
  listed(turns: Turn[]): void {
    for (const [clientId, { turnId, turnEnded }] of messagesIn(turns)) {
      const outgoing = this.#messages.get(clientId);
      if (outgoing) this.#messages.found(outgoing, turnId, turnEnded || !this.#thread.state.running);
    }
    this.#search.soon();
  }

  /** Nothing runs any more, whatever told so. */
  runEnded(): void {
    this.#search.soon();
  }

  /** A message may be with codex, and nobody will say so. */
  lookSoon(): void {
    this.#search.soon();
  }

  /** codex does not know the thread: what may have been in it is not there. */
  threadLost(): void {
    for (const outgoing of this.#messages.doubtful) this.#messages.comeBack(outgoing, notKeptFault());
  }

  dispose(): void {
    this.#search.dispose();
  }

  #enqueue(outgoing: Outgoing): void {
    outgoing.underWay = true;
    if (
      outgoing.submission.kind === "turn" &&
      !this.#thread.state.running &&
      this.#way(outgoing) === "turn"
    ) {
      outgoing.asked = true;
      this.#thread.run({ type: "asked", atMs: this.#host.clock.nowMs() });
    }
    this.#messages.put(outgoing);
    this.#queue = this.#queue
      .then(() => this.#deliver(outgoing))
      .catch((error: unknown) => {
        // The ledger, most likely: nothing was sent that is not written down.
        this.#host.log.error("a message could not be delivered", { error: asFault(error).message });
        if (this.#messages.isPending(outgoing)) this.#refused(outgoing, asFault(error));
      })
      .finally(() => {
        outgoing.underWay = false;
        this.#messages.shown();
        this.#search.soon();
        this.#thread.settled();
      });
  }

  async #deliver(outgoing: Outgoing): Promise<void> {
    let reloaded = false;
    for (let attempt = 1; this.#messages.isPending(outgoing); attempt += 1) {
      const outcome = await this.#tryToDeliver(outgoing);
      if (outcome === "done" || !this.#messages.isPending(outgoing)) return;
      const mayTryAgain = outcome.next === "reload" ? !reloaded : outcome.next === "again";
      if (!mayTryAgain || attempt === maxAttempts) {
        this.#refused(outgoing, threadFault(outcome.error, this.#host.configFault));
        return;
      }
      if (outcome.next === "reload") {
        reloaded = true;
        this.#thread.forgetLoaded();
      }
    }
  }

  #refused(outgoing: Outgoing, fault: Fault): void {
    // What waits behind it would fare no better.
    if (outgoing.isReleased) this.#thread.followUps.refused();
    this.#messages.comeBack(outgoing, fault);
  }

  #way({ submission, isReleased, isPutBack }: Outgoing): SubmissionKind {
    if (isPutBack) return "queue";
    const { followUps, place, state } = this.#thread;
    if (state.phase === "running" && place.isElsewhere) return "queue";
    const none = { isWaited: false, isGoingOn: false };
    return wayOf(this.#thread, submission.kind, isReleased ? none : followUps);
  }

  async #tryToDeliver(outgoing: Outgoing): Promise<Attempt> {
    const thread = this.#thread;
    let connection: Connection;
    try {
      connection = await thread.ready();
      // codex does not look whether the folder is still there, and would work in an empty one.
      await this.#host.folder(thread.workspaceId);
      if (this.#way(outgoing) === "turn") await thread.place.prepare(connection);
      if (outgoing.mayBeThere && (await this.#search.isThere(outgoing, connection))) return "done";
    } catch (error) {
      return { next: isConnectionLost(error) ? "again" : "fail", error };
    }
    if (!this.#messages.isPending(outgoing)) return "done";
    if (outgoing.asked && thread.state.stopping) return { next: "fail", error: stoppedFault() };
    const { threadId } = thread;
    if (threadId === null) return { next: "again", error: notMadeFault() };
    const way = this.#way(outgoing);
    if (way === "queue" && thread.followUps.keeper === "holdfast") {
      this.#messages.waitHere(outgoing);
      return "done";
    }
    const { submission } = outgoing;
    this.#messages.leaving(outgoing, way);
    try {
      const handedOver = await handOver(
        {
          connection,
          thread,
          threadId,
          submission,
          queuesHere: thread.followUps.keeper === "holdfast",
          nowMs: () => this.#host.clock.nowMs(),
          asking: () => {
            outgoing.asked = true;
          },
        },
        way,
      );
      await this.#handedOver(outgoing, handedOver);
      return "done";
    } catch (error) {
      if (neverLeft(error) || isNotPlaced(error)) return { next: "again", error };
      if (isNotLoaded(error)) return { next: "reload", error };
      if (!deliveryUnknown(error)) return { next: "fail", error };
      this.#unanswered(outgoing, asFault(error));
      return "done";
    }
  }

  async #handedOver(outgoing: Outgoing, handedOver: HandedOver): Promise<void> {
    if (handedOver.way === "none" || handedOver.way === "here") {
      if (handedOver.way === "none") this.#thread.followUps.codexHasNone();
      this.#messages.waitHere(outgoing);
      return;
    }
    outgoing.mayBeThere = true;
    if (!this.#messages.isOpen(outgoing)) return;
    if (handedOver.way !== "queue") {
      this.#messages.answered(outgoing, handedOver.turnId, handedOver.way);
      return;
    }
    this.#messages.answered(outgoing, null, "queue");
    const { followUps } = this.#thread;
    if (handedOver.entry === null) followUps.changedInCodex();
    else {
      followUps.added(handedOver.entry);
      if (outgoing.isPutBack) await followUps.putFirst(outgoing.submission.clientId);
    }
  }

  #unanswered(outgoing: Outgoing, fault: Fault): void {
    outgoing.mayBeThere = true;
    outgoing.fault = unansweredFault(fault);
    this.#host.log.info("delivery unknown", { clientId: outgoing.submission.clientId, code: fault.code });
    if (outgoing.asked) this.#thread.run({ type: "unanswered" });
    this.#messages.shown();
  }
}
