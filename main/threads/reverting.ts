// Takes the newest turns out of a thread's history. Files stay as they are.
//
// Races settled here:
// - codex ends whatever runs to cut the history, even when it then refuses. So nothing is cut while anything runs or waits,
//   and what is sent meanwhile waits until the cut is over.
// - codex lets go of its queue once the turn that was stopped has gone, without asking: as long as follow-ups wait, nothing
//   is cut.
// - The connection or Holdfast goes away between request and answer: what is being cut is written down first, and codex's
//   record of turns says afterwards whether it was. Only then does the message become part of the draft; it is in one place
//   at least at every moment.
// - codex says of the thread on the way that it is not loaded; it is again before the answer, and nothing is loaded anew.
// - Somebody else cuts the thread, or codex tells of our own cut a second time: the record is listed, and rules.

import { z } from "zod";
import { attachmentSchema } from "../../preload/contract/items";
import { asFault, Fault } from "../fault";
import type { Connection } from "../supervisor/connection";
import type { RunningThread, ThreadHost } from "./host";
import { recordOf } from "./loose";
import { deliveryUnknown, isWithoutTurns, threadFault } from "./threadFaults";

/** What reverting needs of its thread. */
export interface RevertingThread extends RunningThread {
  /** A turn runs, a request waits, or a message is on its way. */
  readonly atWork: boolean;
  /** `hasOpen`: something that was sent is neither settled nor given back. */
  readonly delivery: { readonly hasOpen: boolean };
  /** Loads the thread, without waiting for what is being reverted. */
  load(): Promise<Connection>;
  /** These turns have gone. */
  reverted(turnIds: string[]): void;
  settled(): void;
}

/** No item has such an id: those name their turn first. */
const intentId = "revert";
const intentSchema = z.object({
  turnId: z.string(),
  /** As codex lists it: another one for a review. */
  codexTurnId: z.string(),
  text: z.string(),
  attachments: z.array(attachmentSchema),
});
type Intent = z.infer<typeof intentSchema>;

const turnsPerPage = 100;
const maxPages = 100;

export class Reverting {
  readonly #host: ThreadHost;
  readonly #thread: RevertingThread;
  #current: Promise<void> | null = null;

  constructor(host: ThreadHost, thread: RevertingThread) {
    this.#host = host;
    this.#thread = thread;
  }

  get underWay(): boolean {
    return this.#current !== null;
  }

  /** Resolves when nothing is being cut. Never rejects. */
  async over(): Promise<void> {
    await this.#current?.catch(() => undefined);
  }

  revert(beforeTurnId: string): Promise<void> {
    if (this.#current !== null) {
      return Promise.reject(new Fault("reverting", "This thread is being reverted already."));
    }
    const current = this.#revert(beforeTurnId).finally(() => {
      this.#current = null;
      this.#thread.settled();
    });
    this.#current = current;
    return current;
  }

  /** codex's record of the newest turns has come: was something being cut when the connection, or Holdfast, went away? */
  listed(connection: Connection): void {
    if (this.#current !== null) return;
    const intent = this.#intent();
    if (intent === null) return;
    this.#current = this.#lookAfter(intent, connection)
      .then(() => undefined)
      .catch((error: unknown) => {
        // The next load looks again.
        this.#host.log.warn("what became of a revert could not be found out", { error: asFault(error).code });
      })
      .finally(() => {
        this.#current = null;
        this.#thread.settled();
      });
  }

  async #revert(beforeTurnId: string): Promise<void> {
    const { state } = this.#thread;
    this.#check();
    const connection = await this.#thread.load();
    this.#check();
    const { threadId } = this.#thread;
    if (threadId === null || state.transcript.turn(beforeTurnId) === null) {
      throw new Fault("turn_unknown", "This turn is not in the conversation any more.", {
        hint: "It may have been reverted in another window.",
      });
    }
    const codexTurnId = state.reviews.workOf(beforeTurnId);
    const intent = { turnId: beforeTurnId, codexTurnId, ...this.#messagesOf(beforeTurnId) };
    this.#keep(threadId, intent);
    try {
      await this.#thread.awaited(
        connection.client.request(
          "thread/revert",
          { threadId, beforeTurnId: codexTurnId },
          { onAnswer: () => this.#cut(intent) },
        ),
      );
    } catch (error) {
      if (!deliveryUnknown(error)) {
        this.#forget(threadId);
        throw threadFault(error, this.#host.configFault);
      }
      if (!(await this.#askAgain(intent, error))) throw notRevertedFault(error);
    }
  }

  #check(): void {
    const { atWork, delivery, state } = this.#thread;
    if (atWork) {
      throw new Fault("turn_running", "This thread is at work, so nothing can be taken out of it.", {
        hint: "Stop it, or wait for its end; then revert.",
      });
    }
    if (state.facts.followUps.entries.length > 0) {
      throw new Fault(
        "follow_ups_wait",
        "Follow-ups wait in this thread. Reverting would let codex send them.",
        {
          hint: "Send or delete them first; then revert.",
        },
      );
    }
    if (delivery.hasOpen) {
      throw new Fault("message_under_way", "A message of this thread is not confirmed yet.", {
        hint: "Wait until it is, or take it back; then revert.",
        retryable: true,
      });
    }
  }

  /** What the person wrote in this turn, as it was written: what codex shows may be shortened, and has no sizes of images. */
  #messagesOf(turnId: string): Pick<Intent, "text" | "attachments"> {
    const messages = this.#thread.state.transcript.itemsOf(turnId).flatMap((item) => {
      if (item.kind !== "user") return [];
      return [(item.clientId !== null && this.#host.submissions.get(item.clientId)) || item];
    });
    return {
      text: messages
        .map(({ text }) => text)
        .filter((text) => text !== "")
        .join("\n\n"),
      attachments: messages.flatMap(({ attachments }) => attachments).filter(({ path }) => path !== ""),
    };
  }

  /** Whether it was cut. */
  async #askAgain(intent: Intent, cause: unknown): Promise<boolean> {
    try {
      return await this.#lookAfter(intent, await this.#thread.load());
    } catch (error) {
      throw new Fault("revert_unknown", "codex has not confirmed that it reverted the thread.", {
        hint: "Holdfast looks again as soon as codex answers. The message is kept until then.",
        detail: asFault(error).message,
        cause,
      });
    }
  }

  async #lookAfter(intent: Intent, connection: Connection): Promise<boolean> {
    const { threadId } = this.#thread;
    if (threadId === null) return false;
    const isThere = await isListed(connection, threadId, intent.codexTurnId);
    if (isThere) this.#forget(threadId);
    else this.#cut(intent);
    return !isThere;
  }

  #cut({ turnId, text, attachments }: Intent): void {
    const { threadId, state } = this.#thread;
    if (threadId === null) return;
    if (text !== "" || attachments.length > 0) this.#host.takenBack(this.#thread, text, attachments);
    this.#forget(threadId);
    const { changes, turnIds } = state.transcript.cutBefore(turnId);
    state.publish(changes, true);
    this.#thread.reverted(turnIds);
  }

  #keep(threadId: string, intent: Intent): void {
    const { turnId } = intent;
    this.#host.runningItems.update(threadId, [
      { turnId, itemId: intentId, kind: "fact", item: { value: intent }, textSoFar: "" },
    ]);
  }

  #forget(threadId: string): void {
    try {
      this.#host.runningItems.update(threadId, [], [intentId]);
    } catch (error) {
      // The next load finds it, and looks again.
      this.#host.log.error("the end of a revert could not be written down", {
        error: asFault(error).message,
      });
    }
  }

  #intent(): Intent | null {
    const { threadId } = this.#thread;
    if (threadId === null) return null;
    try {
      const record = this.#host.runningItems.list(threadId).find(({ itemId }) => itemId === intentId);
      return record ? (intentSchema.safeParse(recordOf(record.item).value).data ?? null) : null;
    } catch (error) {
      this.#host.log.error("a kept revert could not be read", { error: asFault(error).message });
      return null;
    }
  }
}

/** codex's turn ids (UUIDv7) are in order of time, and it lists the newest first. */
async function isListed(connection: Connection, threadId: string, turnId: string): Promise<boolean> {
  let cursor: string | null = null;
  try {
    for (let page = 0; page < maxPages; page += 1) {
      const answer: { data: { id: string }[]; nextCursor: string | null } = await connection.client.request(
        "thread/turns/list",
        { threadId, limit: turnsPerPage, itemsView: "notLoaded", cursor },
      );
      if (answer.data.some(({ id }) => id === turnId)) return true;
      cursor = answer.nextCursor;
      const oldest = answer.data.at(-1);
      if (cursor === null || (oldest !== undefined && oldest.id < turnId)) break;
    }
  } catch (error) {
    if (!isWithoutTurns(error)) throw error;
  }
  return false;
}

function notRevertedFault(cause: unknown): Fault {
  return new Fault("not_reverted", "codex did not revert the thread.", {
    hint: "Nothing was changed. Try again.",
    retryable: true,
    cause,
  });
}
