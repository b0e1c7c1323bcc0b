// What codex waits for, over all threads, and the one answer that each request gets.
//
// Races settled here:
// - The same request comes again after a reconnect (codex repeats it with its id to the client that resumes the thread):
//   it is matched by process and id, and shown once. If it was answered already, the answer is sent again, not asked again.
// - Two clicks, or two windows: the first answer wins; every later one is told that the request has gone.
// - codex withdraws it (answered elsewhere, the turn ended, the process died) while a click is on its way: the click finds
//   nothing and does nothing.

import type { Request } from "../../preload/contract/requests";
import type { Clock } from "../clock";
import type { JsonValue } from "../codex/protocol/serde_json/JsonValue";
import { asFault, Fault } from "../fault";
import type { RequestsLedger } from "../ledger/requestsLedger";
import type { Log } from "../log";
import { type KnownRequest, viewRequest } from "./requestView";

/** How an answer reaches codex; owned by the connection on which the request came last. */
export interface RequestChannel {
  /** Names the process: ids are only unique within one. */
  handleId: string;
  /** False when this request has had its answer on this connection, or the connection is gone. */
  respond(id: number | string, result: unknown): boolean;
  respondError(id: number | string, code: number, message: string): boolean;
}

interface Entry {
  known: KnownRequest;
  id: number | string;
  channel: RequestChannel;
  /** What was answered, until codex confirms it. */
  answer: JsonValue | null;
}

export type Received =
  | { type: "shown"; request: Request }
  | { type: "answeredAgain"; threadId: string }
  /** codex has been told that Holdfast does not know this; `threadId` where it can be told. */
  | { type: "unknown"; threadId: string | null; reason: string };

const methodNotFound = -32601;

export class RequestBook {
  readonly #entries = new Map<string, Entry>();
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #records: RequestsLedger;
  readonly #changed: (threadId: string) => void;

  constructor(options: {
    clock: Clock;
    log: Log;
    records: RequestsLedger;
    changed: (threadId: string) => void;
  }) {
    this.#clock = options.clock;
    this.#log = options.log;
    this.#records = options.records;
    this.#changed = options.changed;
  }

  /** Everything that waits, oldest first. */
  get waiting(): Request[] {
    return [...this.#entries.values()].map((entry) => entry.known.view);
  }

  ofThread(threadId: string): Request[] {
    return this.waiting.filter((request) => request.threadId === threadId);
  }

  received(
    channel: RequestChannel,
    request: { id: number | string; method: string; params: unknown },
    files: (itemId: string) => string[],
  ): Received {
    const key = `${channel.handleId}:${typeof request.id}:${request.id}`;
    const known = this.#entries.get(key);
    if (known) return this.#receivedAgain(known, channel);
    const draft = viewRequest({
      key,
      method: request.method,
      params: request.params,
      askedAtMs: this.#clock.nowMs(),
    });
    if (draft.unknown) {
      channel.respondError(
        request.id,
        methodNotFound,
        `Holdfast does not know the request ${request.method}.`,
      );
      const threadId = threadIdOf(request.params);
      this.#log.warn("codex asked something unknown", { method: request.method, threadId });
      return { type: "unknown", threadId, reason: draft.reason };
    }
    const view = draft.view;
    if (view.kind === "fileChange" && view.files.length === 0 && view.itemId !== null) {
      view.files = files(view.itemId);
    }
    this.#entries.set(key, { known: draft, id: request.id, channel, answer: null });
    this.#records.receive({
      handleId: channel.handleId,
      requestId: request.id,
      threadId: view.threadId,
      method: request.method,
      params: request.params,
    });
    this.#changed(view.threadId);
    return { type: "shown", request: view };
  }

  #receivedAgain(entry: Entry, channel: RequestChannel): Received {
    entry.channel = channel;
    if (entry.answer === null) return { type: "shown", request: entry.known.view };
    channel.respond(entry.id, entry.answer);
    return { type: "answeredAgain", threadId: entry.known.view.threadId };
  }

  /** Throws a Fault when the answer cannot be given as it is; the request then stays open. */
  answer(key: string, decisionId: string, answers?: Record<string, string[]>): "sent" | "gone" {
    const entry = this.#entries.get(key);
    if (!entry || entry.answer !== null) return "gone";
    const answer = entry.known.answer(decisionId, answers);
    if (answer instanceof Fault) throw answer;
    try {
      this.#records.answer(entry.channel.handleId, entry.id, answer);
    } catch (error) {
      throw new Fault("ledger_failed", "The decision could not be written down, so it was not sent.", {
        hint: "Check the disk, then decide again.",
        detail: asFault(error).message,
        retryable: true,
      });
    }
    entry.answer = answer;
    entry.known.view.answering = true;
    // Not sent means that the connection is gone: codex asks again after the reconnect, and gets this answer.
    const sent = entry.channel.respond(entry.id, answer);
    if (!sent) this.#log.info("decision kept until codex asks again", { key });
    this.#changed(entry.known.view.threadId);
    return "sent";
  }

  /** codex says that a request is settled, by this answer or elsewhere. */
  resolved(handleId: string, id: number | string): void {
    this.#end(`${handleId}:${typeof id}:${id}`, "resolved");
  }

  /** The turn has ended: nothing that it asked is waited for any more. */
  turnEnded(threadId: string, turnId: string): void {
    for (const [key, entry] of this.#entries) {
      const view = entry.known.view;
      if (view.threadId === threadId && view.turnId === turnId) this.#end(key, "withdrawn");
    }
  }

  /** The process is gone: nobody waits for these answers. */
  processGone(handleId: string): void {
    for (const [key, entry] of this.#entries)
      if (entry.channel.handleId === handleId) this.#end(key, "withdrawn");
  }

  #end(key: string, how: "resolved" | "withdrawn"): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    if (how === "resolved") this.#records.resolved(entry.channel.handleId, entry.id);
    else this.#records.withdrawn(entry.channel.handleId, entry.id);
    this.#changed(entry.known.view.threadId);
  }
}

function threadIdOf(params: unknown): string | null {
  if (typeof params !== "object" || params === null) return null;
  const id = (params as { threadId?: unknown }).threadId;
  return typeof id === "string" ? id : null;
}
