// What codex waits for, over all threads, and the one answer that each request gets.
//
// Races settled here:
// - The same request comes again after a reconnect or a second resume (codex repeats it, with its id, after the answer to
//   the resume): it is matched by process and id, and shown once. If it was answered already, even by an earlier run of
//   Holdfast, the answer is sent again, not asked again.
// - The answer arrived, but its confirmation was lost with the connection: codex does not repeat the request then, so an
//   answered one is put aside at the resume. Should codex ask for it after all, the ledger knows the answer.
// - Two clicks, or two windows: the first answer wins; every later one is told that the request has gone.
// - codex withdraws it (answered elsewhere, the turn ended, the process died) while a click is on its way: the click finds
//   nothing and does nothing.

import type { Request } from "../../preload/contract/requests";
import type { Clock } from "../clock";
import { asFault, Fault } from "../fault";
import type { ReceivedRequest, RequestRecord, RequestsLedger } from "../ledger/requestsLedger";
import type { Log } from "../log";
import type { Connection } from "../supervisor/connection";
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
  /** What windows see; replaced, never changed. */
  view: Request;
  answerTo: KnownRequest["answer"];
  received: ReceivedRequest;
  channel: RequestChannel;
  /** What was answered, until codex confirms it. */
  answered: { answer: unknown } | null;
}

export type Received =
  | { type: "shown"; request: Request }
  | { type: "answeredAgain"; request: Request }
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
    return [...this.#entries.values()].map((entry) => entry.view);
  }

  /**
   * The items of the thread, as windows name them, that have been waiting for an answer and cannot have gone on. With a
   * `handleId` also those of which only the ledger knows, from an earlier run of Holdfast.
   */
  itemsWaiting(threadId: string | null, handleId: string | null): Set<string> {
    const ids = new Set<string>();
    for (const { view, answered } of this.#entries.values()) {
      if (view.threadId === threadId && view.itemId !== null && answered === null) ids.add(view.itemId);
    }
    if (handleId === null) return ids;
    for (const record of this.#records.listOpen(handleId)) {
      const { requestId, method, params, state, askedAtMs } = record;
      if (record.threadId !== threadId || state !== "waiting") continue;
      const draft = viewRequest({ key: keyOf(handleId, requestId), method, params, askedAtMs });
      if (!draft.unknown && draft.view.itemId !== null) ids.add(draft.view.itemId);
    }
    return ids;
  }

  /** What was asked in turns of this thread that are over, as far as they are, and has never been answered. */
  unanswered(threadId: string): { key: string; request: Request; askedAtMs: number }[] {
    try {
      return this.#records
        .listUnanswered(threadId)
        .flatMap(({ handleId, requestId, method, params, askedAtMs }) => {
          const key = keyOf(handleId, requestId);
          if (this.#entries.has(key)) return [];
          const draft = viewRequest({ key, method, params, askedAtMs });
          return draft.unknown ? [] : [{ key, request: draft.view, askedAtMs }];
        });
    } catch (error) {
      this.#log.error("unanswered requests could not be read", { threadId, error: asFault(error).message });
      return [];
    }
  }

  received(
    channel: RequestChannel,
    request: { id: number | string; method: string; params: unknown },
    files: (itemId: string) => string[],
  ): Received {
    const key = keyOf(channel.handleId, request.id);
    const known = this.#entries.get(key);
    if (known) {
      known.channel = channel;
      if (known.answered === null) return { type: "shown", request: known.view };
      channel.respond(request.id, known.answered.answer);
      return { type: "answeredAgain", request: known.view };
    }
    const asked = { key, method: request.method, params: request.params, askedAtMs: this.#clock.nowMs() };
    const draft = viewRequest(asked);
    if (draft.unknown) {
      const words = `Holdfast does not know the request ${request.method}.`;
      channel.respondError(request.id, methodNotFound, words);
      const threadId = threadIdOf(request.params);
      this.#log.warn("codex asked something unknown", { method: request.method, threadId });
      return { type: "unknown", threadId, reason: draft.reason };
    }
    const view = withFiles(draft.view, files);
    const { threadId } = view;
    const { handleId } = channel;
    const received = {
      handleId,
      requestId: request.id,
      threadId,
      method: request.method,
      params: request.params,
    };
    const record = this.#record(received);
    if (record?.state === "answered") {
      channel.respond(request.id, record.answer);
      return { type: "answeredAgain", request: view };
    }
    this.#entries.set(key, {
      // It has been waiting since it was asked for the first time.
      view: record ? { ...view, askedAtMs: record.askedAtMs } : view,
      answerTo: (decisionId, answers) => draft.answer(decisionId, answers),
      received,
      channel,
      answered: null,
    });
    this.#changed(threadId);
    return { type: "shown", request: view };
  }

  /** Throws a Fault when the answer cannot be given as it is; the request then stays open. */
  answer(key: string, decisionId: string, answers?: Record<string, string[]>): "sent" | "gone" {
    const entry = this.#entries.get(key);
    if (!entry || entry.answered !== null) return "gone";
    const answer = entry.answerTo(decisionId, answers);
    if (answer instanceof Fault) throw answer;
    this.#writeDown(entry, answer);
    entry.answered = { answer };
    entry.view = { ...entry.view, answering: true };
    // Not sent means that the connection is gone: codex asks again after the reconnect, and gets this answer.
    const sent = entry.channel.respond(entry.received.requestId, answer);
    if (!sent) this.#log.info("decision kept until codex asks again", { key });
    this.#changed(entry.view.threadId);
    return "sent";
  }

  /** codex says that a request is settled, by this answer or elsewhere. */
  resolved(handleId: string, id: number | string): void {
    this.#forget(keyOf(handleId, id));
    this.#keepRecord(() => this.#records.resolved(handleId, id));
  }

  /** codex has answered a resume: it now repeats what it still waits for in this thread. */
  resumed(threadId: string): void {
    for (const [key, entry] of this.#entries) {
      if (entry.view.threadId === threadId && entry.answered !== null) this.#forget(key);
    }
  }

  /** The turn has ended: nothing that it asked is waited for any more. */
  turnEnded(threadId: string, turnId: string): void {
    this.#withdraw(({ view }) => view.threadId === threadId && view.turnId === turnId);
  }

  /** No turn runs in the thread: nothing that any turn asked is waited for any more. */
  idle(threadId: string | null): void {
    this.#withdraw(({ view }) => view.threadId === threadId && belongsToTurn(view));
  }

  /** The thread is another program's, which was asked too. */
  notOurs(threadId: string): void {
    this.#withdraw(({ view }) => view.threadId === threadId);
  }

  /** The process is gone: nobody waits for these answers. */
  processGone(handleId: string): void {
    for (const [key, { received }] of this.#entries) if (received.handleId === handleId) this.#forget(key);
    this.#keepRecord(() => this.#records.withdrawAll(handleId));
  }

  #withdraw(which: (entry: Entry) => boolean): void {
    for (const [key, entry] of this.#entries) {
      if (!which(entry)) continue;
      this.#forget(key);
      const { handleId, requestId } = entry.received;
      this.#keepRecord(() => this.#records.withdrawn(handleId, requestId));
    }
  }

  #forget(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#changed(entry.view.threadId);
  }

  /** What has ended has ended, whether it can be written down or not. */
  #keepRecord(task: () => unknown): void {
    try {
      task();
    } catch (error) {
      this.#log.error("the end of a request could not be written down", { error: asFault(error).message });
    }
  }

  /** A request that cannot be written down is shown all the same: an agent waits for it. */
  #record(received: ReceivedRequest): RequestRecord | null {
    try {
      return this.#records.receive(received);
    } catch (error) {
      this.#log.error("a request could not be written down", { error: asFault(error).message });
      return null;
    }
  }

  #writeDown(entry: Entry, answer: unknown): void {
    const { handleId, requestId } = entry.received;
    try {
      if (this.#records.answer(handleId, requestId, answer)) return;
      // It could not be written down when it came.
      this.#records.receive(entry.received);
      this.#records.answer(handleId, requestId, answer);
    } catch (error) {
      throw new Fault("ledger_failed", "The decision could not be written down, so it was not sent.", {
        hint: "Check the disk, then decide again.",
        detail: asFault(error).message,
        retryable: true,
      });
    }
  }
}

export function channelOf({ handleId, client }: Connection): RequestChannel {
  return {
    handleId,
    respond: (id, result) => client.respond(id, result),
    respondError: (id, code, message) => client.respondError(id, code, message),
  };
}

function keyOf(handleId: string, id: number | string): string {
  return `${handleId}:${typeof id}:${id}`;
}

/** What an MCP server asks for need not belong to a turn. The older requests do not say their turn, but have one. */
function belongsToTurn(view: Request): boolean {
  return view.turnId !== null || (view.kind !== "questions" && view.kind !== "link");
}

function withFiles(view: Request, files: (itemId: string) => string[]): Request {
  if (view.kind !== "fileChange" || view.files.length > 0 || view.itemId === null) return view;
  return { ...view, files: files(view.itemId) };
}

function threadIdOf(params: unknown): string | null {
  if (typeof params !== "object" || params === null) return null;
  const id = (params as { threadId?: unknown }).threadId;
  return typeof id === "string" ? id : null;
}
