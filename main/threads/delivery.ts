// Brings what the person sent to codex: exactly once, or visibly not at all, with its text kept.
//
// Races settled here:
// - The same press of Send twice: one client id, recorded once; the second is told "done" and sends nothing.
// - Several messages at once: one after another, in the order in which they were recorded.
// - The connection breaks between request and answer: delivery is unknown. Nothing is sent again; after the reconnect
//   codex's record and queue are searched for the client id, and only then it is delivered or comes back.
// - codex dies after it has shown the message and before it has kept it: the message is only settled once its turn has
//   ended, or codex lists it. Until then a listing without it brings it back as undelivered.
// - A turn starts on its own while a message is on its way: codex would steer that turn without saying so, so a message
//   that is meant for a turn of its own is queued when a turn is known to run.

import type { Attachment } from "../../preload/contract/items";
import type { SubmissionView } from "../../preload/contract/thread";
import type { Turn } from "../codex/protocol/v2/Turn";
import type { UserInput } from "../codex/protocol/v2/UserInput";
import { asFault, Fault } from "../fault";
import { toFaultView } from "../faultView";
import type { NewSubmission, SubmissionKind, SubmissionState } from "../ledger/submissionsLedger";
import type { Connection } from "../supervisor/connection";
import type { HostedThread, ThreadHost } from "./host";
import type { RunEffect } from "./runMachine";
import { sandboxPolicy } from "./settingsView";
import { deliveryUnknown, isNotLoaded, threadFault } from "./threadFaults";

/** What delivery needs of its thread. */
export interface DeliveringThread extends HostedThread {
  /** Loads the thread in codex, or makes it there. */
  ready(): Promise<Connection>;
  /** codex says that it does not have the thread loaded. */
  forgetLoaded(): void;
  performRun(effects: RunEffect[]): void;
}

interface Outgoing {
  submission: NewSubmission;
  state: SubmissionState;
  createdAtMs: number;
  fault: Fault | null;
  /** codex has shown it in a turn that has not been settled. */
  seenInTurn: string | null;
}

export class Delivery {
  readonly #host: ThreadHost;
  readonly #thread: DeliveringThread;
  readonly #open = new Map<string, Outgoing>();
  #queue: Promise<void> = Promise.resolve();
  #underWay = 0;

  constructor(host: ThreadHost, thread: DeliveringThread) {
    this.#host = host;
    this.#thread = thread;
    for (const record of host.submissions.listOpenOf(thread.key)) {
      const { state, createdAtMs } = record;
      const outgoing: Outgoing = {
        submission: record,
        state,
        createdAtMs,
        fault: record.fault,
        seenInTurn: null,
      };
      this.#open.set(record.clientId, outgoing);
      // Recorded and never tried: it certainly has not left. What was tried is settled by codex's record, after a load.
      if (state === "recorded") this.#fail(outgoing, notSentFault());
    }
    if (this.#open.size > 0) this.#show();
  }

  /** A message is being handed to codex right now. */
  get underWay(): boolean {
    return this.#underWay > 0;
  }

  /** Something is neither settled nor given back. */
  get hasOpen(): boolean {
    return [...this.#open.values()].some((outgoing) => outgoing.state !== "undelivered");
  }

  /** The text is on disk when this returns; bringing it to codex goes on afterwards. Throws Fault when it is not. */
  send(message: { clientId: string; text: string; attachments: Attachment[]; mode: SubmissionKind }): void {
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
    if (!this.#host.submissions.record(submission)) return;
    const createdAtMs = this.#host.clock.nowMs();
    this.#enqueue({ submission, state: "recorded", createdAtMs, fault: null, seenInTurn: null });
  }

  /** The person wants an undelivered message to be sent after all. Its client id stays, so codex's record can tell. */
  resend(clientId: string): void {
    const outgoing = this.#undelivered(clientId);
    this.#enqueue({ ...outgoing, fault: null, seenInTurn: null });
  }

  takeBack(clientId: string): { text: string; attachments: Attachment[] } {
    const { submission } = this.#undelivered(clientId);
    this.#host.submissions.discarded(clientId);
    this.#open.delete(clientId);
    this.#show();
    return { text: submission.text, attachments: submission.attachments };
  }

  /** Stop holds what waits in codex's queue; codex does so by itself after an interrupt, so only the view follows. */
  async holdBack(): Promise<void> {
    this.#show();
  }

  /** The transcript has changed: is something settled by it? */
  recordChanged(turnEnded: boolean): void {
    let changed = false;
    for (const [clientId, outgoing] of this.#open) {
      const item = this.#userItem(clientId);
      if (item) {
        outgoing.seenInTurn = item.turnId;
        changed = true;
        const turn = this.#thread.state.transcript.turn(item.turnId);
        if (turn && turn.status !== "running") this.#settle(clientId, item.turnId);
      }
    }
    if (turnEnded && [...this.#open.values()].some((outgoing) => outgoing.state === "sent")) {
      this.#reconcileSoon();
    }
    if (changed) this.#show();
  }

  /** codex's record of the newest turns: the truth about what it has kept. */
  listed(turns: Turn[]): void {
    const kept = new Map<string, string>();
    for (const turn of turns) {
      for (const item of turn.items) {
        if (item.type === "userMessage" && item.clientId) kept.set(item.clientId, turn.id);
      }
    }
    for (const [clientId, outgoing] of this.#open) {
      const turnId = kept.get(clientId);
      if (turnId !== undefined) this.#settle(clientId, turnId);
      else if (outgoing.seenInTurn !== null && !this.#thread.state.running) this.#comesBack(outgoing);
    }
    this.#show();
  }

  /** After a load: what is neither in codex's record nor in its queue has not arrived. */
  async reconcile(connection: Connection): Promise<void> {
    const doubtful = [...this.#open.values()].filter(({ state }) => state === "sending" || state === "sent");
    if (doubtful.length === 0 || this.#underWay > 0 || this.#thread.threadId === null) return;
    const queued = await this.#queuedIds(connection, this.#thread.threadId);
    for (const outgoing of doubtful) {
      const { clientId } = outgoing.submission;
      if (!this.#open.has(clientId)) continue;
      if (queued.has(clientId)) {
        this.#host.submissions.sent(clientId, null);
        outgoing.state = "sent";
        outgoing.submission = { ...outgoing.submission, kind: "queue" };
      } else if (!this.#thread.state.running) this.#comesBack(outgoing);
    }
    this.#show();
  }

  processGone(): void {
    this.#show();
  }

  #reconcileSoon(): void {
    const connection = this.#host.connection(this.#thread.workspaceId);
    if (connection === null) return;
    this.reconcile(connection).catch((error: unknown) => {
      this.#host.log.warn("sent messages could not be looked up", { error: asFault(error).code });
    });
  }

  #enqueue(outgoing: Outgoing): void {
    this.#underWay += 1;
    outgoing.state = "recorded";
    this.#open.set(outgoing.submission.clientId, outgoing);
    const run = outgoing.submission.kind === "turn" && !this.#thread.state.running;
    if (run)
      this.#thread.performRun(this.#thread.state.run({ type: "asked", atMs: this.#host.clock.nowMs() }));
    this.#show();
    this.#queue = this.#queue
      .then(() => this.#deliver(outgoing))
      .catch((error: unknown) => {
        this.#host.log.error("delivery failed in an unforeseen way", { error: asFault(error).message });
        this.#fail(outgoing, asFault(error));
      })
      .finally(() => {
        this.#underWay -= 1;
        this.#show();
      });
  }

  async #deliver(outgoing: Outgoing): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const connection = await this.#thread.ready();
        // False: it has been seen in codex's record meanwhile. Sending it again would run it twice.
        if (outgoing.state !== "sending" && !this.#host.submissions.sending(outgoing.submission.clientId))
          return;
        outgoing.state = "sending";
        this.#show();
        const turnId = await this.#handOver(connection, outgoing.submission);
        this.#host.submissions.sent(outgoing.submission.clientId, turnId);
        outgoing.state = "sent";
        this.recordChanged(false);
        this.#show();
        return;
      } catch (error) {
        // A refusal because the thread is not loaded there is certain to have had no effect: load it and try once more.
        if (attempt === 0 && isNotLoaded(error) && this.#thread.threadId !== null) {
          this.#thread.forgetLoaded();
          continue;
        }
        if (this.#open.get(outgoing.submission.clientId) !== outgoing) return;
        if (outgoing.state === "sending" && deliveryUnknown(error)) {
          this.#host.log.info("delivery unknown", { clientId: outgoing.submission.clientId });
          if (asFault(error).code !== "connection_lost") this.#reconcileSoon();
          return;
        }
        this.#fail(outgoing, threadFault(error, this.#host.configFault));
        return;
      }
    }
  }

  /** Returns the turn that takes it, where codex says so. */
  async #handOver(connection: Connection, submission: NewSubmission): Promise<string | null> {
    const { client } = connection;
    const threadId = this.#thread.threadId ?? "";
    const input = inputOf(submission.text, submission.attachments);
    const clientUserMessageId = submission.clientId;
    const runningTurnId = this.#thread.state.runningTurnId;
    if (submission.kind === "steer" && runningTurnId !== null) {
      try {
        const answer = await client.request("turn/steer", {
          threadId,
          expectedTurnId: runningTurnId,
          clientUserMessageId,
          input,
        });
        return answer.turnId;
      } catch (error) {
        const words = asFault(error).message;
        // The turn ended, or another runs now: what was meant to steer it starts or joins what comes next.
        if (!/no active turn|expected active turn|not steerable/i.test(words)) throw error;
        if (/not steerable|expected active turn/i.test(words)) {
          await client.request("thread/queue/add", { threadId, clientUserMessageId, input });
          return null;
        }
      }
    }
    const busy = runningTurnId !== null || (submission.kind === "queue" && this.#thread.state.running);
    if (busy && submission.kind !== "steer") {
      await client.request("thread/queue/add", { threadId, clientUserMessageId, input });
      return null;
    }
    this.#thread.performRun(this.#thread.state.run({ type: "asked", atMs: this.#host.clock.nowMs() }));
    const { settings } = this.#thread.state.facts;
    const answer = await client.request("turn/start", {
      threadId,
      clientUserMessageId,
      input,
      model: settings.model,
      effort: settings.effort,
      approvalPolicy: settings.approvalPolicy,
      sandboxPolicy: sandboxPolicy(settings.sandbox),
    });
    const turnId = answer.turn?.id ?? null;
    this.#thread.performRun(
      this.#thread.state.run({ type: "answered", turnId, atMs: this.#host.clock.nowMs() }),
    );
    return turnId;
  }

  async #queuedIds(connection: Connection, threadId: string): Promise<Set<string>> {
    const answer = await connection.client.request("thread/queue/list", { threadId });
    return new Set(answer.data.flatMap((entry) => entry.clientUserMessageId ?? []));
  }

  #undelivered(clientId: string): Outgoing {
    const outgoing = this.#open.get(clientId);
    if (outgoing?.state === "undelivered") return outgoing;
    throw new Fault("not_undelivered", "This message has been delivered or is on its way.", {
      hint: "Look at the end of the conversation.",
    });
  }

  #userItem(clientId: string) {
    return this.#thread.state.transcript.items.find(
      (item) => item.kind === "user" && item.clientId === clientId,
    );
  }

  #settle(clientId: string, turnId: string): void {
    this.#host.submissions.delivered(clientId, turnId);
    this.#open.delete(clientId);
  }

  /** codex does not have it. What was shown of it as sent is taken out, and the message waits for the person. */
  #comesBack(outgoing: Outgoing): void {
    const item = this.#userItem(outgoing.submission.clientId);
    if (item) this.#thread.state.publish(this.#thread.state.transcript.remove([item.id]), true);
    outgoing.seenInTurn = null;
    this.#fail(
      outgoing,
      new Fault("not_kept", "codex stopped before it had kept this message.", {
        hint: "Send it again, or take it back to edit it.",
        retryable: true,
      }),
    );
  }

  #fail(outgoing: Outgoing, fault: Fault): void {
    outgoing.fault = fault;
    // False: its userMessage has been seen, which outweighs whatever failed.
    if (!this.#host.submissions.undelivered(outgoing.submission.clientId, fault)) return;
    outgoing.state = "undelivered";
    this.#thread.performRun(this.#thread.state.run({ type: "refused" }));
    this.#show();
  }

  #show(): void {
    const submissions: SubmissionView[] = [];
    for (const { submission, state, createdAtMs, fault } of this.#open.values()) {
      // Once codex shows it as part of the conversation, the conversation shows it.
      if (state !== "undelivered" && this.#userItem(submission.clientId)) continue;
      submissions.push({
        clientId: submission.clientId,
        text: submission.text,
        attachments: submission.attachments,
        mode: submission.kind,
        state: viewState(state),
        createdAtMs,
        fault: fault ? toFaultView(fault) : null,
      });
    }
    this.#thread.state.update({ submissions });
  }
}

function viewState(state: SubmissionState): SubmissionView["state"] {
  if (state === "undelivered") return "undelivered";
  return state === "sent" ? "sent" : "sending";
}

function inputOf(text: string, attachments: Attachment[]): UserInput[] {
  const input: UserInput[] = text === "" ? [] : [{ type: "text", text, text_elements: [] }];
  for (const attachment of attachments) {
    if (attachment.kind === "image") input.push({ type: "localImage", path: attachment.path });
    else input.push({ type: "mention", name: attachment.name, path: attachment.path });
  }
  return input;
}

function notSentFault(): Fault {
  return new Fault("not_sent", "Holdfast ended before this message was sent.", {
    hint: "Send it now, or take it back to edit it.",
    retryable: true,
  });
}
