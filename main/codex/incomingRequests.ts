// What codex asks of us over one connection, and that each of it gets exactly one answer.
//
// Races settled here:
// - Two answers to one request (a double click, two windows), or an answer to one that was settled elsewhere: only the first
//   is sent, and the other call returns false.
// - codex sends a request again under the same id, as it does when a thread is resumed: it is handed over again and may be
//   answered again, also when it had been answered before, since codex still waits.
// - The handler answers before it returns: that was the answer.

import type { RequestId } from "./protocol/RequestId";
import { internalErrorCode, methodNotFoundCode } from "./rpcFault";

/** `method` and `params` are as they came; the caller narrows them. The id may be 0 or a text. */
export interface IncomingRequest {
  id: RequestId;
  method: string;
  params: unknown;
}

export interface IncomingRequestHandlers {
  /** True: it has been or will be answered. False: nobody here knows it. */
  onRequest(request: IncomingRequest): boolean;
  /** It was refused, since nobody took it. */
  onUnknown(request: IncomingRequest): void;
  /** It was refused, since its handler threw. */
  onHandlerError(request: IncomingRequest, error: unknown): void;
  send(message: object): boolean;
}

export class IncomingRequests {
  readonly #handlers: IncomingRequestHandlers;
  readonly #waiting = new Set<RequestId>();

  constructor(handlers: IncomingRequestHandlers) {
    this.#handlers = handlers;
  }

  receive(request: IncomingRequest): void {
    this.#waiting.add(request.id);
    try {
      if (this.#handlers.onRequest(request)) return;
    } catch (error) {
      this.respondError(request.id, internalErrorCode, "Holdfast failed while handling this request.");
      this.#handlers.onHandlerError(request, error);
      return;
    }
    this.respondError(
      request.id,
      methodNotFoundCode,
      `Holdfast does not know the request ${request.method}.`,
    );
    this.#handlers.onUnknown(request);
  }

  /** True when this call was the one that answered. */
  respond(id: RequestId, result: unknown): boolean {
    return (
      this.#waiting.delete(id) && this.#handlers.send({ id, result: result === undefined ? null : result })
    );
  }

  respondError(id: RequestId, code: number, message: string): boolean {
    return this.#waiting.delete(id) && this.#handlers.send({ id, error: { code, message } });
  }

  /** `serverRequest/resolved`: somebody else has answered, or the turn has ended. */
  resolvedElsewhere(params: unknown): void {
    if (typeof params !== "object" || params === null || !("requestId" in params)) return;
    const id = params.requestId;
    if (typeof id === "number" || typeof id === "string") this.#waiting.delete(id);
  }

  connectionEnded(): void {
    this.#waiting.clear();
  }
}
