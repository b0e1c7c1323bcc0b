// How a request to codex can fail. Both kinds say what a sender needs to know before it sends the same thing again: a refusal
// had no effect; of a request without an answer, `written` says whether it may have had one.

import { Fault, type FaultOptions } from "../fault";

/** codex answered with an error. `message` is codex's own. */
export class RpcFault extends Fault {
  readonly method: string;
  readonly rpcCode: number;
  readonly data: unknown;

  constructor(method: string, rpcCode: number, message: string, data: unknown) {
    super("codex_error", shorten(message), {
      detail: `${method}: ${rpcCode}`,
      retryable: rpcCode === overloadedCode,
    });
    this.method = method;
    this.rpcCode = rpcCode;
    this.data = data;
  }

  /** This codex does not have the method, being older (or much newer) than what Holdfast was built for. */
  get isUnknownMethod(): boolean {
    if (this.rpcCode === methodNotFoundCode) return true;
    return this.rpcCode === invalidRequestCode && this.message.includes(`unknown variant \`${this.method}\``);
  }
}

export type RequestFaultCode =
  | "connection_lost"
  | "deadline"
  | "cancelled"
  | "codex_busy"
  | "malformed_answer";

/** There was no answer that can be used. */
export class RequestFault extends Fault {
  declare readonly code: RequestFaultCode;
  readonly method: string;
  /** False: it certainly never reached codex. True: it may have, and may have had its effect. */
  readonly written: boolean;

  constructor(
    code: RequestFaultCode,
    method: string,
    written: boolean,
    message: string,
    options?: FaultOptions,
  ) {
    super(code, message, options);
    this.method = method;
    this.written = written;
  }
}

/** codex's own: too much to do, nothing was done. */
export const overloadedCode = -32001;
export const invalidRequestCode = -32600;
export const methodNotFoundCode = -32601;
export const internalErrorCode = -32603;

const maxMessageCharacters = 8_000;

function shorten(message: string): string {
  // For an unknown method codex lists all that it knows: several kilobytes that help nobody.
  const withoutList = message.replace(/(unknown variant `[^`]*`), expected one of .*/s, "$1");
  return withoutList.length <= maxMessageCharacters
    ? withoutList
    : `${withoutList.slice(0, maxMessageCharacters)}…`;
}
