// One message on its way to codex, and why it may have come back.

import type { RunRef } from "../../preload/contract/cells";
import type { SubmissionView } from "../../preload/contract/thread";
import { Fault } from "../fault";
import { toFaultView } from "../faultView";
import type {
  NewSubmission,
  SubmissionKind,
  SubmissionRecord,
  SubmissionState,
} from "../ledger/submissionsLedger";

export interface Outgoing {
  submission: NewSubmission;
  /** By which way it left last, which may be another than was wished. */
  way: SubmissionKind;
  state: SubmissionState;
  /** It waits in the ledger's own queue. */
  waitsHere: boolean;
  createdAtMs: number;
  fault: Fault | null;
  /** It is being handed to codex, or waits for its turn to be. */
  underWay: boolean;
  /** It has left a queue, so that it need not wait for what is there. */
  isReleased: boolean;
  /** codex had taken it up too early: it goes back into the queue, whatever the thread does. */
  isPutBack: boolean;
  /** The run began with it. */
  asked: boolean;
  /** It has left once, and was not refused. */
  mayBeThere: boolean;
  /** codex has shown it in a turn that has not been settled. */
  seenInTurn: string | null;
  /** The person has deleted it, and whether codex has done so is not known. */
  isUnwanted: boolean;
  /** The run of a script that has sent it; null: a person has. */
  readonly byRun: RunRef | null;
}

export function newOutgoing(submission: NewSubmission, createdAtMs: number, byRun: RunRef | null): Outgoing {
  return {
    submission,
    way: submission.kind,
    state: "recorded",
    waitsHere: false,
    createdAtMs,
    fault: null,
    underWay: false,
    isReleased: false,
    isPutBack: false,
    asked: false,
    mayBeThere: false,
    seenInTurn: null,
    isUnwanted: false,
    byRun,
  };
}

/** As an earlier run of Holdfast has left it. */
export function restoredOutgoing(record: SubmissionRecord, byRun: RunRef | null): Outgoing {
  const { state, createdAtMs, fault, place } = record;
  const mayBeThere = state !== "recorded";
  return { ...newOutgoing(record, createdAtMs, byRun), state, fault, waitsHere: place !== null, mayBeThere };
}

export function viewOutgoing(outgoing: Outgoing): SubmissionView {
  const { submission, way, state, createdAtMs, fault, byRun } = outgoing;
  return {
    clientId: submission.clientId,
    text: submission.text,
    attachments: submission.attachments,
    mode: way,
    state: state === "undelivered" || state === "sent" ? state : "sending",
    createdAtMs,
    fault: fault ? toFaultView(fault) : null,
    ...(byRun && { byRun }),
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

/** It had been in codex's queue. */
export function notQueuedFault(): Fault {
  return new Fault(
    "not_kept",
    "codex has this message no more, neither in its queue nor in the conversation.",
    {
      hint: "Another program may have deleted it, or codex stopped just when it was to be sent. Send it again, or take it back to edit it.",
      retryable: true,
    },
  );
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
