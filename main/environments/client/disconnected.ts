// How whatever is asked of an environment fails when it is not connected, or not any more.

import { Fault } from "../../fault";

export type DisconnectedReason =
  /** A refresh has found another executor in its place. */
  | "replaced"
  /** The executor at its address does not know the session: it was restarted, or is another one under the same name. */
  | "restarted"
  /** A refresh has taken the place of this attempt to connect. */
  | "superseded"
  /** The connection was lost and could not be made anew, or the answer was lost with it. */
  | "lost"
  /** It is being made anew, and this does not wait for it. */
  | "recovering"
  /** Its exec-server, which Holdfast runs, was stopped by a person; it can be connected to anew. */
  | "let go"
  /** It was removed, or Holdfast ends: it is not used any more. */
  | "closed";

/** Windows tell by it that nothing is the matter with the environment itself. */
const replacedCode = "environment_replaced";

export class DisconnectedFault extends Fault {
  readonly reason: DisconnectedReason;
  /**
   * True: it was sent, and whether it was done is not known. It is not sent again by itself. False: it certainly was not
   * done.
   */
  readonly mayHaveHappened: boolean;

  constructor(reason: DisconnectedReason, options: { mayHaveHappened?: boolean; cause?: unknown } = {}) {
    const { mayHaveHappened = false, cause } = options;
    const isReplaced = reason === "replaced" || reason === "restarted";
    const hints = [
      ...(mayHaveHappened ? ["It may have been done all the same: look before it is done again."] : []),
      ...(isReplaced
        ? ["What ran in the one before is lost. The next use connects to the one that is there now."]
        : []),
    ];
    super(isReplaced ? replacedCode : "environment_disconnected", wordsFor(reason), {
      hint: hints.length > 0 ? hints.join(" ") : undefined,
      detail: isReplaced ? undefined : detailOf(cause),
      retryable: reason !== "closed",
      cause,
    });
    this.reason = reason;
    this.mayHaveHappened = mayHaveHappened;
  }

  sent(): DisconnectedFault {
    return new DisconnectedFault(this.reason, { mayHaveHappened: true, cause: this.cause });
  }
}

/** What it was asked is lost with the executor; the one that is there now can be asked at once. */
function isReplacedFault(error: unknown): error is DisconnectedFault {
  return error instanceof DisconnectedFault && error.code === replacedCode;
}

/** What only looks is asked of the executor that is there now, when the one that was asked is there no more. */
export async function askedAgain<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (!isReplacedFault(error)) throw error;
    return ask();
  }
}

function detailOf(cause: unknown): string | undefined {
  return cause instanceof Fault ? (cause.detail ?? cause.message) : undefined;
}

function wordsFor(reason: DisconnectedReason): string {
  switch (reason) {
    case "replaced":
      return "The executor of this environment was replaced.";
    case "restarted":
      return "The executor of this environment was restarted or replaced.";
    case "superseded":
      return "This attempt to connect was given up, since the environment was refreshed.";
    case "lost":
      return "The connection to the environment was lost.";
    case "recovering":
      return "The connection to the environment is being made anew.";
    case "let go":
      return "The environment was disconnected, since its exec-server was stopped.";
    case "closed":
      return "The environment was removed, or Holdfast is ending.";
    default:
      return reason satisfies never;
  }
}
