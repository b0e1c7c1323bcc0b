// One message on its way to codex, and why it may have come back.

import type { SubmissionView } from "../../preload/contract/thread";
import { Fault } from "../fault";
import { toFaultView } from "../faultView";
import type { NewSubmission, SubmissionState } from "../ledger/submissionsLedger";

export interface Outgoing {
  submission: NewSubmission;
  state: SubmissionState;
  createdAtMs: number;
  fault: Fault | null;
  /** It is being handed to codex, or waits for its turn to be. */
  underWay: boolean;
  /** The run began with it. */
  asked: boolean;
  /** It has left once, and was not refused. */
  mayBeThere: boolean;
  /** codex has shown it in a turn that has not been settled. */
  seenInTurn: string | null;
}

export function newOutgoing(submission: NewSubmission, createdAtMs: number): Outgoing {
  return {
    submission,
    state: "recorded",
    createdAtMs,
    fault: null,
    underWay: false,
    asked: false,
    mayBeThere: false,
    seenInTurn: null,
  };
}

export function viewOutgoing({ submission, state, createdAtMs, fault }: Outgoing): SubmissionView {
  return {
    clientId: submission.clientId,
    text: submission.text,
    attachments: submission.attachments,
    mode: submission.kind,
    state: state === "undelivered" || state === "sent" ? state : "sending",
    createdAtMs,
    fault: fault ? toFaultView(fault) : null,
  };
}

export function notSentFault(): Fault {
  return new Fault("not_sent", "Holdfast ended before this message was sent.", {
    hint: "Send it now, or take it back to edit it.",
    retryable: true,
  });
}

export function notKeptFault(): Fault {
  return new Fault("not_kept", "codex has not kept this message: it stopped, or did not answer in time.", {
    hint: "Send it again, or take it back to edit it.",
    retryable: true,
  });
}

export function stoppedFault(): Fault {
  return new Fault("stopped", "You stopped before this message was sent.", {
    hint: "Send it again, or take it back to edit it.",
    retryable: true,
  });
}

export function notMadeFault(): Fault {
  return new Fault("thread_not_made", "codex did not keep the thread for this message.", {
    hint: "Send it again.",
    retryable: true,
  });
}

export function unansweredFault(cause: Fault): Fault {
  return new Fault("delivery_unknown", "codex has not confirmed this message.", {
    hint: "Holdfast looks for it as soon as codex answers, and brings it back if codex does not have it.",
    detail: cause.message,
    retryable: false,
    cause,
  });
}
