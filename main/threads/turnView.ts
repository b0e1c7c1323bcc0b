// Translates codex's turn and its error into what a window shows.

import type { FaultView } from "../../preload/contract/fault";
import type { TurnView } from "../../preload/contract/thread";
import type { Turn } from "../codex/protocol/v2/Turn";
import type { TurnError } from "../codex/protocol/v2/TurnError";
import { isRecord, recordOf, stringOrNull, wordsOrNull } from "./loose";

const statuses: Record<string, TurnView["status"]> = {
  inProgress: "running",
  completed: "completed",
  interrupted: "interrupted",
  failed: "failed",
};

/** Why a turn ended that Holdfast knows and codex does not: it is shown as it is. */
export interface KnownTurnError extends TurnError {
  knownFault: FaultView;
}

export function knownTurnError(fault: FaultView): KnownTurnError {
  const { message } = fault;
  return { message, codexErrorInfo: null, additionalDetails: null, misalignment: null, knownFault: fault };
}

/** A status that this version does not know counts as completed: a turn is never shown as running on a guess. */
export function viewTurn(turn: Turn): TurnView {
  const status = statuses[turn.status] ?? "completed";
  return {
    id: turn.id,
    status,
    startedAtMs: secondsToMs(turn.startedAt),
    completedAtMs: secondsToMs(turn.completedAt),
    durationMs: turn.durationMs ?? null,
    fault: status === "failed" || turn.error ? turnFault(turn.error) : null,
  };
}

function secondsToMs(seconds: number | null | undefined): number | null {
  return typeof seconds === "number" ? seconds * 1000 : null;
}

/** codex's words first; what can be done about it where the kind of failure is known. */
export function turnFault(error: unknown): FaultView {
  const record = recordOf(error);
  if (isRecord(record.knownFault)) return (record as unknown as KnownTurnError).knownFault;
  const info = record.codexErrorInfo;
  const kind = typeof info === "string" ? info : (Object.keys(recordOf(info))[0] ?? "other");
  return {
    code: `turn_${kind}`,
    message: sentenceOf(wordsOrNull(record.message)) ?? "codex ended the turn as failed and did not say why.",
    hint: hints[kind],
    detail: stringOrNull(record.additionalDetails) ?? rawOf(record.message),
    retryable: kind !== "contextWindowExceeded",
  };
}

function rawOf(message: unknown): string | undefined {
  const words = wordsOrNull(message);
  return words !== null && sentenceOf(words) !== words ? words : undefined;
}

/** A refusal of the model server reaches us as it came: the sentence is within. */
function sentenceOf(words: string | null): string | null {
  if (words === null || !words.startsWith("{")) return words;
  try {
    const { error, message } = recordOf(JSON.parse(words));
    return wordsOrNull(recordOf(error).message) ?? wordsOrNull(error) ?? wordsOrNull(message) ?? words;
  } catch {
    // It only looks like one.
    return words;
  }
}

const connectionHint =
  "Check that the model server can be reached (network, VPN, or the local server that serves the model), then retry.";

const hints: Record<string, string> = {
  contextWindowExceeded:
    "The conversation no longer fits the model. Compact the thread, or go on in a new one.",
  usageLimitExceeded: "The usage limit is reached. Retry when it has been reset; the thread stays usable.",
  rateLimitExceeded: "The model server asks to slow down. Retry in a moment.",
  serverOverloaded: "The model is at capacity. Retry in a moment, or choose another model.",
  modelNotFound: "Choose another model for this thread, then retry.",
  unauthorized: "Sign in again, then retry. The thread and your draft stay as they are.",
  httpConnectionFailed: connectionHint,
  responseStreamConnectionFailed: connectionHint,
  responseStreamDisconnected: connectionHint,
  responseTooManyFailedAttempts: connectionHint,
  sandboxError: "codex's sandbox could not run the command. The details say why.",
};
