// What codex's refusals about a thread mean, and what a person can do about each.

import { RequestFault, RpcFault } from "../codex/rpcFault";
import { asFault, Fault } from "../fault";
import { recordOf } from "./loose";

const lockHeld = /writer coordination lock/i;
const stillClosing = /is closing; retry/i;

/** Sorts an error of thread/resume, thread/read or turn/start. Faults that are no refusals of codex pass unchanged. */
export function threadFault(error: unknown, configFault: (error: unknown) => Fault | null): Fault {
  const config = configFault(error);
  if (config) return config;
  const fault = asFault(error);
  if (fault.code !== "codex_error") return fault;
  const words = fault.message;
  if (isUnknownMethod(error)) {
    return new Fault("not_supported", "This version of codex cannot do that.", {
      hint: "Update codex, then restart it for this workspace.",
      detail: words,
      cause: error,
    });
  }
  if (/already has an active writer/i.test(words)) {
    return new Fault("open_elsewhere", "Another program has this thread open, so it can only be read here.", {
      hint: "Close it there and retry, or fork a copy to go on here.",
      detail: words,
      retryable: true,
      cause: error,
    });
  }
  if (lockHeld.test(words)) {
    return new Fault("thread_locked", "Another program keeps codex from opening this thread.", {
      hint: "It holds codex's lock for opening threads: another codex may be suspended, here or on another machine. Retry once it has gone on or ended.",
      detail: words,
      retryable: true,
      cause: error,
    });
  }
  if (stillClosing.test(words)) {
    return new Fault("thread_unloading", "codex is still unloading this thread.", {
      hint: "Retry in a moment.",
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
      hint: "What is still shown of it stays readable. Start a new thread to go on.",
      detail: words,
      cause: error,
    });
  }
  if (isTurnUnknown(error)) {
    return new Fault("turn_unknown", "codex no longer has this turn.", {
      hint: "It may have been reverted elsewhere. Load the thread again to see what is there.",
      detail: words,
      cause: error,
    });
  }
  if (/identifies an in-progress turn/i.test(words)) {
    return new Fault("turn_running", "This turn is still running, so nothing can be forked from its end.", {
      hint: "Stop it, or wait for its end.",
      detail: words,
      cause: error,
    });
  }
  if (/persisted start boundary/i.test(words)) {
    return new Fault("turn_not_cuttable", "codex cannot take this turn out of the history.", {
      hint: "Revert to the turn before it, or fork from there.",
      detail: words,
      cause: error,
    });
  }
  const unstarted = /required MCP servers failed to initialize: ([^:]+)/i.exec(words)?.[1];
  if (unstarted !== undefined) {
    return new Fault("mcp_server_required", `A required MCP server did not start: ${unstarted.trim()}.`, {
      hint: "Mend it, or have config.toml not require it; then try again.",
      detail: words,
      retryable: true,
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
  if (isKeptByFork(error)) return keptByForkFault(null, words);
  return fault;
}

/** codex keeps the history of a thread in one place for it and its forks, archived ones too. `title`: of one that is known. */
export function keptByForkFault(title: string | null, detail?: string): Fault {
  const what = title === null ? "a fork of it exists" : `its fork “${title}” exists`;
  return new Fault("thread_has_fork", `This thread cannot be deleted while ${what}.`, {
    hint: "The two share the turns before the fork. Delete the fork first, also if it is archived or of another folder; or archive this thread.",
    detail,
  });
}

const silentMessage = "codex does not answer.";
const silentHint =
  "What was sent is kept and goes on as soon as it answers. If it does not, choose Restart codex in the session menu.";

/** For a run that goes on. */
export const silentWords = `${silentMessage} ${silentHint}`;

export function silentFault(): Fault {
  return new Fault("codex_silent", silentMessage, { hint: silentHint, retryable: true });
}

/** A load that has been overtaken by the end of its connection, or by codex unloading the thread. */
export function cutOffFault(): Fault {
  return new Fault("connection_lost", "The connection to codex was lost while the thread was loading.", {
    retryable: true,
  });
}

/** Here, in another window, or by another program. */
export function deletedFault(): Fault {
  return new Fault("thread_deleted", "This thread has been deleted.", {
    hint: "What is still shown of it stays readable. Start a new thread to go on.",
  });
}

export function unloadedFault(): Fault {
  return new Fault(
    "thread_unloaded",
    "codex has unloaded this thread while it was shown, and not for the first time.",
    {
      hint: "Retry loads it again.",
      retryable: true,
    },
  );
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

/** codex has no turn by this id. */
export function isTurnUnknown(error: unknown): boolean {
  return refusal(error, /turn not found/i);
}

/** A thread without a turn has no record of turns yet. */
export function isWithoutTurns(error: unknown): boolean {
  return refusal(error, /not materialized/i);
}

/** It is not deleted. codex has unloaded it all the same, and ended what ran in it. */
function isKeptByFork(error: unknown): boolean {
  return refusal(error, /forked history still references/i);
}

/** This codex does not have the method. */
export function isUnknownMethod(error: unknown): boolean {
  return error instanceof RpcFault && error.isUnknownMethod;
}

/** Some errors are told as part of a turn and end something else only. */
export function endsTurn(error: unknown): boolean {
  const info = recordOf(error).codexErrorInfo;
  const kind = typeof info === "string" ? info : Object.keys(recordOf(info))[0];
  return kind !== "activeTurnNotSteerable" && kind !== "threadRollbackFailed";
}

export type SteerRefusal = "nothing runs" | "another runs" | "not now";

/** Why a message could not go into the running turn; null when that is not what the error is about. */
export function steerRefusal(error: unknown): SteerRefusal | null {
  if (refusal(error, /no active turn/i)) return "nothing runs";
  if (refusal(error, /expected active turn/i)) return "another runs";
  return refusal(error, /cannot steer|not ?steerable/i) ? "not now" : null;
}

export function isNothingToInterrupt(error: unknown): boolean {
  return refusal(error, /no active turn|expected active turn/i);
}

/** codex does not have the thread loaded, or is about to unload it: load it and do the same again. */
export function isNotLoaded(error: unknown): boolean {
  return refusal(error, /thread not found|thread not loaded/i) || isClosing(error);
}

/** codex is unloading the thread. Once it has said that it has, the thread can be loaded anew. */
export function isClosing(error: unknown): boolean {
  return refusal(error, stillClosing);
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
