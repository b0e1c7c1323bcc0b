// The messages of one thread that are neither settled nor taken back: what is known of each, here and in the ledger.
//
// Races settled here:
// - It was held to be lost and is seen after all: what was seen outweighs, in the ledger and here.
// - What became of it cannot be written down: it is true all the same. The next start finds it unsettled and looks for it.

import type { RunRef } from "../../preload/contract/cells";
import type { Attachment } from "../../preload/contract/items";
import { asFault, Fault } from "../fault";
import type { NewSubmission, SubmissionKind } from "../ledger/submissionsLedger";
import type { RunningThread, ThreadHost } from "./host";
import { newOutgoing, type Outgoing, restoredOutgoing } from "./outgoing";
import { withOwnFiles } from "./ownFiles";
import { withRun } from "./runMarks";

export class OutgoingMessages {
  readonly #host: ThreadHost;
  readonly #thread: RunningThread;
  readonly #changed: () => void;
  readonly #open = new Map<string, Outgoing>();
  /** Client ids of what waits in the ledger's queue, in its order. */
  #here: string[] = [];

  /** `changed` is told of everything that shows. */
  constructor(host: ThreadHost, thread: RunningThread, changed: () => void) {
    this.#host = host;
    this.#thread = thread;
    this.#changed = changed;
    const records = host.submissions.listOpenOf(thread.threadId ?? thread.key);
    for (const record of records)
      this.#open.set(record.clientId, restoredOutgoing(record, this.#runOf(record.clientId)));
    const placed = records.flatMap(({ clientId, place }) => (place === null ? [] : { clientId, place }));
    this.#here = placed.sort((a, b) => a.place - b.place).map(({ clientId }) => clientId);
    thread.state.itemAsShown = (item) =>
      withRun(
        withOwnFiles(item, (clientId) => this.#filesOf(clientId)),
        (clientId) => this.#runOf(clientId),
      );
  }

  get all(): Outgoing[] {
    return [...this.#open.values()];
  }

  get here(): readonly string[] {
    return this.#here;
  }

  get(clientId: string): Outgoing | null {
    return this.#open.get(clientId) ?? null;
  }

  isOpen(outgoing: Outgoing): boolean {
    return this.#open.get(outgoing.submission.clientId) === outgoing;
  }

  /** Nothing has been seen of it, and it has not come back. */
  isPending(outgoing: Outgoing): boolean {
    return this.isOpen(outgoing) && outgoing.seenInTurn === null;
  }

  undelivered(clientId: string): Outgoing {
    const outgoing = this.#open.get(clientId);
    if (outgoing?.state === "undelivered" && !outgoing.underWay) return outgoing;
    throw new Fault("not_undelivered", "This message has been delivered or is on its way.", {
      hint: "Look at the end of the conversation.",
    });
  }

  /** What has left and has neither been seen in a turn that goes on, nor settled. */
  get doubtful(): Outgoing[] {
    return this.all.filter(({ state, underWay, seenInTurn }) => {
      if (underWay || (state !== "sending" && state !== "sent")) return false;
      return seenInTurn === null || this.#thread.state.transcript.turn(seenInTurn)?.status !== "running";
    });
  }

  /** Writes down what the person has sent. Null: it is known already. Throws when it cannot be written. */
  record(message: {
    clientId: string;
    text: string;
    attachments: Attachment[];
    mode: SubmissionKind;
  }): Outgoing | null {
    const thread = this.#thread;
    const submission: NewSubmission = {
      clientId: message.clientId,
      threadKey: thread.threadId ?? thread.key,
      threadId: thread.threadId,
      workspaceId: thread.workspaceId,
      profileId: this.#host.profileId(thread.workspaceId),
      kind: message.mode,
      text: message.text,
      attachments: message.attachments,
      settings: thread.state.facts.settings,
    };
    if (!this.#host.submissions.record(submission)) return null;
    return newOutgoing(submission, this.#host.clock.nowMs(), this.#runOf(message.clientId));
  }

  put(outgoing: Outgoing): void {
    this.#open.set(outgoing.submission.clientId, outgoing);
    this.#changed();
  }

  /** It is about to leave by this way. Throws when that cannot be written. */
  leaving(outgoing: Outgoing, way: SubmissionKind): void {
    const { clientId } = outgoing.submission;
    this.#host.submissions.sending(clientId, way);
    outgoing.state = "sending";
    outgoing.way = way;
    this.#leftHere(outgoing);
    this.#changed();
  }

  answered(outgoing: Outgoing, turnId: string | null, way: SubmissionKind): void {
    this.#keep(() => this.#host.submissions.sent(outgoing.submission.clientId, turnId, way));
    outgoing.state = "sent";
    outgoing.way = way;
    this.#changed();
  }

  /** codex has no queue, and certainly not this message: it waits here. Throws when that cannot be written. */
  waitHere(outgoing: Outgoing): void {
    const { clientId } = outgoing.submission;
    this.#host.submissions.waitHere(clientId);
    outgoing.state = "recorded";
    outgoing.way = "queue";
    outgoing.waitsHere = true;
    outgoing.fault = null;
    const others = this.#here.filter((other) => other !== clientId);
    this.#here = [...others, clientId];
    this.#notAsked(outgoing);
    // It had been taken up, and is still the next one.
    if (outgoing.isReleased && others.length > 0) this.arrange([clientId, ...others]);
    else this.#changed();
  }

  arrange(clientIds: readonly string[]): void {
    this.#host.submissions.arrange(clientIds);
    this.#here = [...clientIds];
    this.#changed();
  }

  rewrite(outgoing: Outgoing, text: string, attachments: Attachment[]): void {
    this.#host.submissions.rewrite(outgoing.submission.clientId, text, attachments);
    outgoing.submission = { ...outgoing.submission, text, attachments };
    this.#changed();
  }

  /** codex shows it in this turn, which goes on. */
  seen(outgoing: Outgoing, turnId: string): void {
    outgoing.seenInTurn = turnId;
    if (outgoing.state === "undelivered") outgoing.state = "sent";
    outgoing.fault = null;
    this.#changed();
  }

  /** Something has changed about one of them that shows. */
  shown(): void {
    this.#changed();
  }

  /** codex has it in its record of this turn. `isKept`: it will not forget it any more. */
  found(outgoing: Outgoing, turnId: string, isKept: boolean): void {
    if (isKept) this.settle(outgoing, turnId);
    else {
      outgoing.seenInTurn = turnId;
      outgoing.state = "sent";
      outgoing.fault = null;
    }
    this.#changed();
  }

  /** codex has it in its queue. */
  isQueued(outgoing: Outgoing): void {
    const { clientId } = outgoing.submission;
    this.#keep(() => {
      if (outgoing.state !== "sent") this.#host.submissions.sending(clientId, "queue");
      this.#host.submissions.sent(clientId, null, "queue");
    });
    outgoing.state = "sent";
    outgoing.way = "queue";
    outgoing.fault = null;
    outgoing.mayBeThere = true;
    outgoing.isUnwanted = false;
    this.#leftHere(outgoing);
    this.#notAsked(outgoing);
    this.#changed();
  }

  settle(outgoing: Outgoing, turnId: string): void {
    this.#keep(() => this.#host.submissions.delivered(outgoing.submission.clientId, turnId));
    this.#forget(outgoing);
  }

  /** The person does not want it to be sent. Throws when that cannot be written. */
  discard(outgoing: Outgoing): void {
    this.#host.submissions.discarded(outgoing.submission.clientId);
    this.#forget(outgoing);
  }

  /** The person did not want it, and codex has it no more. */
  deleted(outgoing: Outgoing): void {
    this.#keep(() => this.#host.submissions.discarded(outgoing.submission.clientId));
    this.#forget(outgoing);
  }

  /** It waits for the person, with the reason. What was shown of it as part of the conversation is taken out. */
  comeBack(outgoing: Outgoing, fault: Fault): void {
    if (!this.isOpen(outgoing)) return;
    const { state } = this.#thread;
    const item = state.transcript.sentMessage(outgoing.submission.clientId);
    if (item) state.publish(state.transcript.remove([item.id]), true);
    outgoing.seenInTurn = null;
    outgoing.fault = fault;
    outgoing.state = "undelivered";
    this.#leftHere(outgoing);
    this.#keep(() => this.#host.submissions.undelivered(outgoing.submission.clientId, fault));
    this.#notAsked(outgoing);
    this.#changed();
    this.#host.cameBack(this.#thread, outgoing.submission.clientId, fault);
  }

  #forget(outgoing: Outgoing): void {
    this.#open.delete(outgoing.submission.clientId);
    this.#leftHere(outgoing);
    this.#changed();
  }

  #leftHere(outgoing: Outgoing): void {
    outgoing.waitsHere = false;
    this.#here = this.#here.filter((clientId) => clientId !== outgoing.submission.clientId);
  }

  /** The run that began with it is not to be. */
  #notAsked(outgoing: Outgoing): void {
    if (outgoing.asked) this.#thread.run({ type: "refused" });
    outgoing.asked = false;
  }

  #filesOf(clientId: string): readonly Attachment[] | null {
    try {
      return this.#host.submissions.get(clientId)?.attachments ?? null;
    } catch (error) {
      // The message is shown as codex has it, rather than not at all.
      this.#host.log.error("what was attached could not be read", { error: asFault(error).message });
      return null;
    }
  }

  #runOf(clientId: string): RunRef | null {
    try {
      return this.#host.runMarks.byMessage(clientId);
    } catch (error) {
      // As above: who has sent it is the least of what is shown.
      this.#host.log.error("it could not be read who has sent a message", { error: asFault(error).message });
      return null;
    }
  }

  #keep(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#host.log.error("what became of a message could not be written down", {
        error: asFault(error).message,
      });
    }
  }
}
