// What codex's refusals about a thread mean, and what a person can do about each.

import { RequestFault, RpcFault } from "../codex/rpcFault";
import { asFault, Fault } from "../fault";

/** Sorts an error of thread/resume, thread/read or turn/start. Faults that are no refusals of codex pass unchanged. */
export function threadFault(error: unknown, configFault: (error: unknown) => Fault | null): Fault {
  const config = configFault(error);
  if (config) return config;
  const fault = asFault(error);
  if (fault.code !== "codex_error") return fault;
  const words = fault.message;
  if (/already has an active writer/i.test(words)) {
    return new Fault("open_elsewhere", "Another program has this thread open, so it can only be read here.", {
      hint: "Close it there and retry, or fork a copy to go on here.",
      detail: words,
      retryable: true,
      cause: error,
    });
  }
  if (/is archived/i.test(words)) {
    return new Fault("thread_archived", "This thread is archived, so it can only be read.", {
      hint: "Unarchive it to go on.",
      detail: words,
      cause: error,
    });
  }
  if (isHistoryLost(error)) {
    return new Fault("history_lost", "codex no longer has the history of this thread.", {
      hint: "What is on screen stays readable. Start a new thread to go on.",
      detail: words,
      cause: error,
    });
  }
  if (/no longer configured/i.test(words)) {
    return new Fault("provider_missing", words, {
      hint: "Add the model provider to codex's config.toml again, then retry.",
      retryable: true,
      cause: error,
    });
  }
  if (/direct app-server input is not allowed/i.test(words)) {
    return new Fault("agent_of_agent", "This agent takes messages only from the agent that started it.", {
      hint: "Write to the thread above it; it passes on what concerns this one.",
      detail: words,
      cause: error,
    });
  }
  return fault;
}

/** codex has no record of the thread: it was never written, or its file has gone. */
export function isHistoryLost(error: unknown): boolean {
  return refusal(
    error,
    /no (archived )?rollout found|thread not found|rollout .*is empty|unknown thread|not materialized|thread not loaded/i,
  );
}

export function isArchivedAlready(error: unknown): boolean {
  return refusal(error, /already archived|is archived/i) || isHistoryLost(error);
}

/** The thread that was to be unarchived is not among the archived ones. */
export function isNotArchived(error: unknown): boolean {
  return refusal(error, /no archived rollout found|not archived/i);
}

/** A thread without a turn has no record of turns yet. */
export function isWithoutTurns(error: unknown): boolean {
  return refusal(error, /not materialized/i);
}

/** This codex does not have the method. */
export function isUnknownMethod(error: unknown): boolean {
  return error instanceof RpcFault && error.isUnknownMethod;
}

export type SteerRefusal = "nothing runs" | "another runs" | "not now";

/** Why a message could not go into the running turn; null when that is not what the error is about. */
export function steerRefusal(error: unknown): SteerRefusal | null {
  if (refusal(error, /no active turn/i)) return "nothing runs";
  if (refusal(error, /expected active turn/i)) return "another runs";
  return refusal(error, /cannot steer|not steerable/i) ? "not now" : null;
}

export function isNothingToInterrupt(error: unknown): boolean {
  return refusal(error, /no active turn|expected active turn/i);
}

/** codex does not have the thread loaded: load it and do the same again. */
export function isNotLoaded(error: unknown): boolean {
  return refusal(error, /thread not found|thread not loaded/i);
}

/**
 * True when a request may have arrived although no answer did. Only then is delivery unknown: a refusal, or a request
 * that was never written, certainly had no effect.
 */
export function deliveryUnknown(error: unknown): boolean {
  return error instanceof RequestFault && error.written;
}

/** The request was never written, since the connection had gone: the same can be done over the next one. */
export function neverLeft(error: unknown): boolean {
  return error instanceof RequestFault && error.code === "connection_lost" && !error.written;
}

export function isConnectionLost(error: unknown): boolean {
  return asFault(error).code === "connection_lost";
}

function refusal(error: unknown, words: RegExp): boolean {
  const fault = asFault(error);
  return fault.code === "codex_error" && words.test(fault.message);
}
