// What a person does with the follow-ups of one thread: edits, moves, deletes one, sends one now, lets them go on.
//
// Races settled here:
// - codex takes an entry up just when it is changed, or another client has changed it: codex's answer tells; the caller hears
//   "gone", and nothing is done. Two changes at once are made one after another.
// - An edit is written down before it is sent: what comes back after a crash is what the person wrote last. Where codex had
//   taken the entry up before, what it took stays written down.
// - The answer to a deletion is lost: where codex lists the entry still, it waits on; where codex has it nowhere, it is
//   deleted, and does not come back.
// - An entry is to be steered into the running turn: written down as leaving, taken out of codex's queue, and sent only when
//   codex says that it was still there. Wherever that is cut off, the message is looked for by its client id, and comes
//   back when codex has it nowhere.
// - The turn ends, or one begins, while an entry is being sent now: it goes by the other way.
// - The person says go while what codex has taken up too early is being stopped: it goes on once that is over.

import { asFault, Fault } from "../../fault";
import type { Connection } from "../../supervisor/connection";
import type { ThreadHost } from "../host";
import type { Outgoing } from "../outgoing";
import { deliveryUnknown, isNotLoaded, threadFault } from "../threadFaults";
import type { Written } from "../userInput";
import { adopt } from "./adopt";
import { isAnotherSet, isNotQueued, isTurnActive } from "./codexQueue";
import type { FollowUps, QueueingThread } from "./followUps";
import { rewritten } from "./queuedInput";
import type { CodexEntry } from "./queueMachine";

/** `gone`: it has been sent or deleted meanwhile; nothing was done. */
export type FollowUpOutcome = "changed" | "gone";

export interface ChangedThread extends QueueingThread {
  readonly followUps: FollowUps;
  /** Loads the thread in codex. */
  ready(): Promise<Connection>;
  forgetLoaded(): void;
}

type Place = { in: "codex"; entry: CodexEntry } | { in: "ledger"; outgoing: Outgoing };

export class FollowUpChanges {
  readonly #host: ThreadHost;
  readonly #thread: ChangedThread;
  #last: Promise<unknown> = Promise.resolve();

  constructor(host: ThreadHost, thread: ChangedThread) {
    this.#host = host;
    this.#thread = thread;
  }

  edit(clientId: string, written: Written): Promise<FollowUpOutcome> {
    return this.#change(clientId, async (place) => {
      if (place.in === "codex") return this.#editInCodex(place.entry, written);
      this.#thread.messages.rewrite(place.outgoing, written.text, written.attachments);
      return "changed";
    });
  }

  /** Puts it before another one; null, or one that is gone: at the end, or as the first. */
  move(clientId: string, beforeClientId: string | null): Promise<FollowUpOutcome> {
    return this.#change(clientId, async (place) => {
      if (place.in === "codex") return this.#moveInCodex(clientId, beforeClientId, "once more");
      const { messages } = this.#thread;
      messages.arrange(moved(messages.here, clientId, beforeClientId));
      return "changed";
    });
  }

  delete(clientId: string): Promise<FollowUpOutcome> {
    return this.#change(clientId, async (place) => {
      const { messages, followUps } = this.#thread;
      if (place.in === "ledger") {
        messages.discard(place.outgoing);
        return "changed";
      }
      const outgoing = messages.get(clientId);
      try {
        if (!(await this.#takeOut(place.entry))) return "gone";
      } catch (error) {
        if (outgoing && deliveryUnknown(error)) outgoing.isUnwanted = true;
        throw error;
      }
      followUps.removed(clientId);
      if (outgoing && messages.isOpen(outgoing)) messages.deleted(outgoing);
      return "changed";
    });
  }

  /** Steers the running turn with it; where none runs, starts a turn with it. */
  sendNow(clientId: string): Promise<FollowUpOutcome> {
    return this.#change(clientId, async (place) => {
      const { state, delivery } = this.#thread;
      if (place.in === "ledger") {
        delivery.release(place.outgoing, state.running ? "steer" : "turn");
        return "changed";
      }
      await this.#thread.followUps.heldBack();
      if (this.#thread.place.keepsQueueHere) return this.#sendFromHere(clientId);
      if (!state.running) {
        const outcome = await this.#start(place.entry.id);
        if (outcome !== "busy") return outcome;
      }
      return this.#steer(place.entry);
    });
  }

  /** What was in codex's queue until now, where the thread was given another place. */
  async #sendFromHere(clientId: string): Promise<FollowUpOutcome> {
    const { state, delivery, followUps } = this.#thread;
    await followUps.moveHere(await this.#ready());
    const place = this.#here(clientId);
    if (place?.in !== "ledger") return "gone";
    delivery.release(place.outgoing, state.running ? "steer" : "turn");
    return "changed";
  }

  /** The person says go. */
  resume(): Promise<void> {
    return this.#inOrder(async () => {
      const { followUps, messages, state } = this.#thread;
      const connection = await this.#ready();
      await followUps.moveHere(connection);
      await followUps.list("if unknown");
      await followUps.heldBack();
      await this.#thread.delivery.atRest;
      if (state.running) return;
      followUps.resumed();
      if (messages.here.length === 0 && followUps.inCodex.length > 0) await this.#start(null);
    });
  }

  async #editInCodex(entry: CodexEntry, written: Written): Promise<FollowUpOutcome> {
    const { messages, followUps } = this.#thread;
    const outgoing = messages.get(entry.clientId);
    const before = outgoing?.submission;
    if (outgoing) messages.rewrite(outgoing, written.text, written.attachments);
    try {
      const { queuedSubmission } = await this.#ask(({ client }, threadId) =>
        client.request("thread/queue/update", {
          threadId,
          queuedSubmissionId: entry.id,
          input: rewritten(entry.input, written, before?.attachments ?? null),
        }),
      );
      if (queuedSubmission) followUps.updated(queuedSubmission);
      return "changed";
    } catch (error) {
      if (outgoing && before && !deliveryUnknown(error) && messages.isOpen(outgoing))
        messages.rewrite(outgoing, before.text, before.attachments);
      if (!isNotQueued(error)) throw error;
      await followUps.list("anew");
      return "gone";
    }
  }

  async #moveInCodex(
    clientId: string,
    beforeClientId: string | null,
    retry: "once more" | "no more",
  ): Promise<FollowUpOutcome> {
    const { followUps } = this.#thread;
    const { inCodex } = followUps;
    if (!inCodex.some((entry) => entry.clientId === clientId)) return "gone";
    const order = moved(
      inCodex.map((entry) => entry.clientId),
      clientId,
      beforeClientId,
    );
    const idOf = new Map(inCodex.map((entry) => [entry.clientId, entry.id]));
    try {
      await this.#ask(({ client }, threadId) =>
        client.request("thread/queue/reorder", {
          threadId,
          queuedSubmissionIds: order.flatMap((id) => idOf.get(id) ?? []),
        }),
      );
    } catch (error) {
      if (!isAnotherSet(error) || retry === "no more") throw error;
      await followUps.list("anew");
      return this.#moveInCodex(clientId, beforeClientId, "no more");
    }
    followUps.arranged(order);
    return "changed";
  }

  /** False: it was not there any more. */
  async #takeOut(entry: CodexEntry): Promise<boolean> {
    const { deleted } = await this.#ask(({ client }, threadId) =>
      client.request("thread/queue/delete", { threadId, queuedSubmissionId: entry.id }),
    );
    if (!deleted) await this.#thread.followUps.list("anew");
    return deleted;
  }

  async #steer(entry: CodexEntry): Promise<FollowUpOutcome> {
    const { messages, followUps, delivery } = this.#thread;
    const outgoing = messages.get(entry.clientId) ?? adopt(messages, entry);
    if (outgoing === null) {
      throw new Fault("not_ours", "Another program has queued this message, and only it can send it now.", {
        hint: "Wait until the turn has ended; codex sends it then.",
      });
    }
    outgoing.underWay = true;
    try {
      messages.leaving(outgoing, "steer");
      if (!(await this.#takeOut(entry))) {
        if (messages.isPending(outgoing)) messages.answered(outgoing, null, "queue");
        return "gone";
      }
    } catch (error) {
      // Unknown: it is there or nowhere, and looked for. Otherwise it is still there.
      if (!deliveryUnknown(error) && messages.isPending(outgoing)) messages.answered(outgoing, null, "queue");
      throw error;
    } finally {
      outgoing.underWay = false;
      messages.shown();
      delivery.lookSoon();
    }
    followUps.removed(entry.clientId);
    if (messages.isPending(outgoing)) delivery.release(outgoing, "steer");
    return "changed";
  }

  /** `busy`: a turn runs after all. `id` null: the first one. */
  async #start(queuedSubmissionId: string | null): Promise<FollowUpOutcome | "busy"> {
    const thread = this.#thread;
    const nowMs = () => this.#host.clock.nowMs();
    thread.run({ type: "asked", atMs: nowMs() });
    try {
      await this.#ask(({ client }, threadId) =>
        client.request(
          "thread/queue/start",
          { threadId, queuedSubmissionId },
          {
            onAnswer: ({ turn }) => thread.run({ type: "answered", turnId: turn?.id ?? null, atMs: nowMs() }),
          },
        ),
      );
      return "changed";
    } catch (error) {
      thread.run({ type: deliveryUnknown(error) ? "unanswered" : "refused" });
      if (isTurnActive(error)) return "busy";
      await thread.followUps.list("anew");
      if (isNotQueued(error)) return "gone";
      throw error;
    }
  }

  async #ready(): Promise<Connection> {
    try {
      return await this.#thread.ready();
    } catch (error) {
      throw threadFault(error, this.#host.configFault);
    }
  }

  async #ask<Answer>(
    request: (connection: Connection, threadId: string) => Promise<Answer>,
  ): Promise<Answer> {
    const thread = this.#thread;
    const once = async () => {
      const connection = await this.#ready();
      return thread.awaited(request(connection, thread.threadId ?? ""));
    };
    try {
      return await once();
    } catch (error) {
      if (!isNotLoaded(error)) throw error;
      thread.forgetLoaded();
      return once();
    }
  }

  #change(clientId: string, change: (place: Place) => Promise<FollowUpOutcome>): Promise<FollowUpOutcome> {
    const { followUps } = this.#thread;
    return this.#inOrder(() =>
      followUps.changing(clientId, async () => {
        const place = this.#here(clientId) ?? (await this.#inCodex(clientId));
        return place === null ? "gone" : change(place);
      }),
    );
  }

  #here(clientId: string): Place | null {
    const outgoing = this.#thread.messages.get(clientId);
    return outgoing?.waitsHere && !outgoing.underWay ? { in: "ledger", outgoing } : null;
  }

  async #inCodex(clientId: string): Promise<Place | null> {
    const { followUps, messages } = this.#thread;
    await this.#ready();
    await followUps.list("if unknown");
    const entry = followUps.inCodex.find((one) => one.clientId === clientId);
    if (entry) return { in: "codex", entry };
    if (messages.get(clientId)?.underWay) {
      throw new Fault("not_queued_yet", "This message is just being handed to codex.", {
        hint: "Try again in a moment.",
        retryable: true,
      });
    }
    return null;
  }

  #inOrder<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work).catch((error: unknown) => {
      throw threadFault(error, this.#host.configFault);
    });
    // Whoever asked for it hears of its failure; the next one does not mind.
    this.#last = done.catch((error: unknown) => {
      this.#host.log.info("a follow-up could not be changed", { error: asFault(error).code });
    });
    return done;
  }
}

function moved(order: readonly string[], clientId: string, beforeClientId: string | null): string[] {
  const others = order.filter((other) => other !== clientId);
  // What it was to be put before has been taken up: then it is the next one.
  const at = beforeClientId === null ? others.length : Math.max(0, others.indexOf(beforeClientId));
  return [...others.slice(0, at), clientId, ...others.slice(at)];
}
