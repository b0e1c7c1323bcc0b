// The one shape of an expected failure: a code for programs, a sentence for people, and what caused it.

export interface FaultOptions {
  /** What the person can do about it, as a sentence. */
  hint?: string;
  /** Technical detail that may be copied into a report; never contains secrets. */
  detail?: string;
  /** The file that it is about, where there is one to show. */
  path?: string;
  /** True when doing the same again later may succeed. */
  retryable?: boolean;
  cause?: unknown;
}

export class Fault extends Error {
  override readonly name = "Fault";
  readonly code: string;
  readonly hint: string | undefined;
  readonly detail: string | undefined;
  readonly path: string | undefined;
  readonly retryable: boolean;

  constructor(code: string, message: string, options: FaultOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.detail = options.detail;
    this.path = options.path;
    this.retryable = options.retryable ?? false;
  }
}

/** Turns anything that was thrown into a Fault; an unexpected error keeps its message under the code `unexpected`. */
export function asFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  if (error instanceof Error) {
    return new Fault("unexpected", error.message || error.name, { cause: error, detail: error.stack });
  }
  return new Fault("unexpected", String(error));
}
