// Brings what the person sent to codex: exactly once, or visibly not at all, with its text kept.
//
// Races settled here:
// - The same press of Send twice: one client id, recorded once; the second is told "done" and sends nothing.
// - Several messages at once: one after another, in the order in which they were recorded.
// - The connection breaks before the request was written: it goes over the next one. It breaks between request and answer:
//   delivery is unknown, and nothing is sent again. Once the thread is loaded and idle, codex's record and queue are
//   searched for the client id; only then the message is delivered, waits in the queue, or comes back. A message that may
//   be there is also searched for before a person's "send again" sends it.
// - codex dies after it has shown the message and before it has kept it: the message is only settled once its turn has
//   ended, or codex lists it in an ended turn. Found in neither, it comes back, and what was shown of it is taken out.
// - codex drains its queue just when it is looked into: nothing is concluded before the thread has been idle for a moment.
// - It was held to be lost and is seen after all: what was seen outweighs, in the ledger and here.

import type { Attachment } from "../../preload/contract/items";
import type { SubmissionView } from "../../preload/contract/thread";
import type { Timer } from "../clock";
import type { Turn } from "../codex/protocol/v2/Turn";
import { asFault, Fault } from "../fault";
import type { NewSubmission, SubmissionKind } from "../ledger/submissionsLedger";
import type { Connection } from "../supervisor/connection";
import { handOver } from "./handOver";
import type { RunningThread, ThreadHost } from "./host";
import { findKeptMessages, messagesIn } from "./keptMessages";
import {
  newOutgoing,
  notKeptFault,
  notMadeFault,
  notSentFault,
  type Outgoing,
  stoppedFault,
  unansweredFault,
  viewOutgoing,
} from "./outgoing";
import { deliveryUnknown, isConnectionLost, isNotLoaded, neverLeft, threadFault } from "./threadFaults";

/** What delivery needs of its thread. */
export interface DeliveringThread extends RunningThread {
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

/** How long the thread has to be idle before a message that is nowhere counts as not kept. */
const lookAfterMs = 1_000;
const lookAgainMs = 10_000;
/** A connection that goes away again and again; the session has its own limits. */
const maxAttempts = 4;

export class Delivery {
  readonly #host: ThreadHost;
  readonly #thread: DeliveringThread;
  readonly #open = new Map<string, Outgoing>();
  #queue: Promise<void> = Promise.resolve();
  #look: Timer | null = null;
  #looking = false;

  constructor(host: ThreadHost, thread: DeliveringThread) {
    this.#host = host;
    this.#thread = thread;
    for (const record of host.submissions.listOpenOf(thread.threadId ?? thread.key)) {
      const { state, createdAtMs, fault } = record;
      const outgoing = newOutgoing(record, createdAtMs);
      this.#open.set(record.clientId, { ...outgoing, state, fault, mayBeThere: state !== "recorded" });
    }
    // Recorded and never tried: it certainly has not left. What was tried is settled by codex's record, after a load.
    for (const outgoing of this.#open.values()) {
      if (outgoing.state === "recorded") this.#comeBack(outgoing, notSentFault());
    }
    if (this.#open.size > 0) this.#show();
  }

  /** A message is being handed to codex right now. */
  get underWay(): boolean {
    return [...this.#open.values()].some((outgoing) => outgoing.underWay);
  }

  /** Something is neither settled nor given back. */
  get hasOpen(): boolean {
    return [...this.#open.values()].some((outgoing) => outgoing.state !== "undelivered");
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
    const submission: NewSubmission = {
      clientId: message.clientId,
      threadKey: this.#thread.threadId ?? this.#thread.key,
      threadId: this.#thread.threadId,
      workspaceId: this.#thread.workspaceId,
      profileId: this.#host.profileId(this.#thread.workspaceId),
      kind: message.mode,
      text: message.text,
      attachments: message.attachments,
      settings: this.#thread.state.facts.settings,
    };
    if (!this.#host.submissions.record(submission)) return false;
    this.#enqueue(newOutgoing(submission, this.#host.clock.nowMs()));
    return true;
  }

  /** The person wants an undelivered message to be sent after all. Its client id stays, so codex's record can tell. */
  resend(clientId: string): void {
    const { submission, createdAtMs, mayBeThere } = this.#undelivered(clientId);
    this.#enqueue({ ...newOutgoing(submission, createdAtMs), mayBeThere });
  }

  takeBack(clientId: string): { text: string; attachments: Attachment[] } {
    const { submission } = this.#undelivered(clientId);
    const { text, attachments } = submission;
    // First, so that the text is in one place at least at every moment.
    this.#host.takenBack(this.#thread, text, attachments);
    this.#host.submissions.discarded(clientId);
    this.#open.delete(clientId);
    this.#show();
    return { text, attachments };
  }

  /** An item of the transcript has begun or ended: is it a message of ours? */
  itemShown(): void {
    let changed = false;
    for (const [clientId, outgoing] of this.#open) {
      const item = this.#thread.state.transcript.sentMessage(clientId);
      if (!item || outgoing.seenInTurn === item.turnId) continue;
      outgoing.seenInTurn = item.turnId;
      if (outgoing.state === "undelivered") outgoing.state = "sent";
      outgoing.fault = null;
      changed = true;
    }
    if (changed) this.#show();
  }

  /** codex has said that the turn has ended: what it has shown in it, it has kept. */
  turnEnded(turnId: string): void {
    for (const [clientId, outgoing] of this.#open) {
      if (outgoing.seenInTurn === turnId) this.#settle(clientId, turnId);
    }
    this.#show();
  }

  /** codex's record of the newest turns has come, and the run is as codex says. */
  listed(turns: Turn[]): void {
    for (const [clientId, { turnId, turnEnded }] of messagesIn(turns)) {
      const outgoing = this.#open.get(clientId);
      if (outgoing) this.#found(outgoing, turnId, turnEnded || !this.#thread.state.running);
    }
    this.#show();
    this.#lookSoon(lookAfterMs);
  }

  /** Nothing runs any more, whatever told so. */
  runEnded(): void {
    this.#lookSoon(lookAfterMs);
  }

  /** codex does not know the thread: what may have been in it is not there. */
  threadLost(): void {
    for (const outgoing of this.#doubtful()) this.#comeBack(outgoing, notKeptFault());
    this.#show();
  }

  dispose(): void {
    this.#look?.cancel();
    this.#look = null;
  }

  #enqueue(outgoing: Outgoing): void {
    outgoing.underWay = true;
    this.#open.set(outgoing.submission.clientId, outgoing);
    if (outgoing.submission.kind === "turn" && !this.#thread.state.running) {
      outgoing.asked = true;
      this.#thread.run({ type: "asked", atMs: this.#host.clock.nowMs() });
    }
    this.#show();
    this.#queue = this.#queue
      .then(() => this.#deliver(outgoing))
      .catch((error: unknown) => {
        // The ledger, most likely: nothing was sent that is not written down.
        this.#host.log.error("a message could not be delivered", { error: asFault(error).message });
        if (this.#isPending(outgoing)) this.#comeBack(outgoing, asFault(error));
      })
      .finally(() => {
        outgoing.underWay = false;
        this.#show();
        this.#lookSoon(lookAfterMs);
        this.#thread.settled();
      });
  }

  async #deliver(outgoing: Outgoing): Promise<void> {
    let reloaded = false;
    for (let attempt = 1; this.#isPending(outgoing); attempt += 1) {
      const outcome = await this.#tryToDeliver(outgoing);
      if (outcome === "done" || !this.#isPending(outgoing)) return;
      const mayTryAgain = outcome.next === "reload" ? !reloaded : outcome.next === "again";
      if (!mayTryAgain || attempt === maxAttempts) {
        this.#comeBack(outgoing, threadFault(outcome.error, this.#host.configFault));
        return;
      }
      if (outcome.next === "reload") {
        reloaded = true;
        this.#thread.forgetLoaded();
      }
    }
  }

  /** Nothing has been seen of it, and it has not come back. */
  #isPending(outgoing: Outgoing): boolean {
    return this.#open.get(outgoing.submission.clientId) === outgoing && outgoing.seenInTurn === null;
  }

  async #tryToDeliver(outgoing: Outgoing): Promise<Attempt> {
    const thread = this.#thread;
    let connection: Connection;
    try {
      connection = await thread.ready();
      // codex does not look whether the folder is still there, and would work in an empty one.
      await this.#host.folder(thread.workspaceId);
      if (outgoing.mayBeThere && (await this.#isThere(outgoing, connection))) return "done";
    } catch (error) {
      return { next: isConnectionLost(error) ? "again" : "fail", error };
    }
    if (!this.#isPending(outgoing)) return "done";
    if (outgoing.asked && thread.state.stopping) return { next: "fail", error: stoppedFault() };
    const { threadId } = thread;
    if (threadId === null) return { next: "again", error: notMadeFault() };
    const { submission } = outgoing;
    this.#host.submissions.sending(submission.clientId);
    outgoing.state = "sending";
    this.#show();
    try {
      const turnId = await handOver({
        connection,
        thread,
        threadId,
        submission,
        nowMs: () => this.#host.clock.nowMs(),
        asking: () => {
          outgoing.asked = true;
        },
      });
      outgoing.mayBeThere = true;
      if (this.#open.get(submission.clientId) !== outgoing) return "done";
      this.#keep(() => this.#host.submissions.sent(submission.clientId, turnId));
      outgoing.state = "sent";
      return "done";
    } catch (error) {
      if (neverLeft(error)) return { next: "again", error };
      if (isNotLoaded(error)) return { next: "reload", error };
      if (!deliveryUnknown(error)) return { next: "fail", error };
      this.#unanswered(outgoing, asFault(error));
      return "done";
    }
  }

  #unanswered(outgoing: Outgoing, fault: Fault): void {
    outgoing.mayBeThere = true;
    outgoing.fault = unansweredFault(fault);
    this.#host.log.info("delivery unknown", { clientId: outgoing.submission.clientId, code: fault.code });
    if (outgoing.asked) this.#thread.run({ type: "unanswered" });
    this.#show();
  }

  async #isThere(outgoing: Outgoing, connection: Connection): Promise<boolean> {
    const { threadId } = this.#thread;
    if (threadId === null) return false;
    const { clientId } = outgoing.submission;
    const kept = await findKeptMessages(connection, threadId, outgoing.createdAtMs);
    const place = kept.inTurns.get(clientId);
    if (place) this.#found(outgoing, place.turnId, place.turnEnded || !kept.isActive);
    else if (kept.queued.has(clientId)) this.#isQueued(outgoing);
    else return outgoing.seenInTurn !== null;
    return true;
  }

  /** What has left and has neither been seen in a turn that goes on, nor settled. */
  #doubtful(): Outgoing[] {
    return [...this.#open.values()].filter(({ state, underWay, seenInTurn }) => {
      if (underWay || (state !== "sending" && state !== "sent")) return false;
      return seenInTurn === null || this.#thread.state.transcript.turn(seenInTurn)?.status !== "running";
    });
  }

  #lookSoon(afterMs: number): void {
    if (this.#look !== null || this.#looking || this.#doubtful().length === 0) return;
    this.#look = this.#host.clock.after(afterMs, () => {
      this.#look = null;
      this.#lookNow().catch((error: unknown) => {
        const fault = asFault(error);
        this.#host.log.warn("sent messages could not be looked up", { code: fault.code });
        // A lost connection comes back with a load, and that looks again.
        if (!isConnectionLost(fault)) this.#lookSoon(lookAgainMs);
      });
    });
  }

  async #lookNow(): Promise<void> {
    const { threadId, loadedOn, state } = this.#thread;
    const doubtful = this.#doubtful();
    // The end of the turn, or the next load, looks again.
    if (doubtful.length === 0 || state.running || loadedOn === null || threadId === null) return;
    const { runCount } = state;
    this.#looking = true;
    let kept: Awaited<ReturnType<typeof findKeptMessages>>;
    try {
      const sinceMs = Math.min(...doubtful.map((outgoing) => outgoing.createdAtMs));
      kept = await findKeptMessages(loadedOn, threadId, sinceMs);
    } finally {
      this.#looking = false;
    }
    const isStillIdle = !state.running && state.runCount === runCount && !kept.isActive;
    const undecided = new Set(this.#doubtful());
    for (const outgoing of doubtful) {
      if (!undecided.has(outgoing)) continue;
      const { clientId } = outgoing.submission;
      const place = kept.inTurns.get(clientId);
      if (place) this.#found(outgoing, place.turnId, place.turnEnded || isStillIdle);
      else if (kept.queued.has(clientId)) this.#isQueued(outgoing);
      else if (isStillIdle) this.#comeBack(outgoing, notKeptFault());
    }
    this.#show();
    if (kept.isActive && !state.running) this.#lookSoon(lookAgainMs);
    this.#thread.settled();
  }

  #found(outgoing: Outgoing, turnId: string, isKept: boolean): void {
    if (isKept) this.#settle(outgoing.submission.clientId, turnId);
    else {
      outgoing.seenInTurn = turnId;
      outgoing.state = "sent";
      outgoing.fault = null;
    }
  }

  #isQueued(outgoing: Outgoing): void {
    const { clientId } = outgoing.submission;
    this.#keep(() => {
      if (outgoing.state !== "sent") this.#host.submissions.sending(clientId);
      this.#host.submissions.sent(clientId, null);
    });
    outgoing.state = "sent";
    outgoing.fault = null;
    outgoing.submission = { ...outgoing.submission, kind: "queue" };
    if (outgoing.asked) this.#thread.run({ type: "refused" });
    outgoing.asked = false;
  }

  #settle(clientId: string, turnId: string): void {
    this.#keep(() => this.#host.submissions.delivered(clientId, turnId));
    this.#open.delete(clientId);
  }

  /** For what is true whether it can be written down or not: the next start finds it unsettled, and looks for it again. */
  #keep(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#host.log.error("what became of a message could not be written down", {
        error: asFault(error).message,
      });
    }
  }

  /** It waits for the person, with the reason. What was shown of it as part of the conversation is taken out. */
  #comeBack(outgoing: Outgoing, fault: Fault): void {
    const { clientId } = outgoing.submission;
    if (this.#open.get(clientId) !== outgoing) return;
    const item = this.#thread.state.transcript.sentMessage(clientId);
    if (item) this.#thread.state.publish(this.#thread.state.transcript.remove([item.id]), true);
    outgoing.seenInTurn = null;
    outgoing.fault = fault;
    outgoing.state = "undelivered";
    this.#keep(() => this.#host.submissions.undelivered(clientId, fault));
    if (outgoing.asked) this.#thread.run({ type: "refused" });
    outgoing.asked = false;
    this.#show();
  }

  #undelivered(clientId: string): Outgoing {
    const outgoing = this.#open.get(clientId);
    if (outgoing?.state === "undelivered" && !outgoing.underWay) return outgoing;
    throw new Fault("not_undelivered", "This message has been delivered or is on its way.", {
      hint: "Look at the end of the conversation.",
    });
  }

  #show(): void {
    const submissions: SubmissionView[] = [];
    for (const outgoing of this.#open.values()) {
      // Once codex shows it as part of the conversation, the conversation shows it.
      if (this.#thread.state.transcript.sentMessage(outgoing.submission.clientId)) continue;
      submissions.push(viewOutgoing(outgoing));
    }
    this.#thread.state.update({ submissions });
  }
}
