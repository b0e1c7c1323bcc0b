// What codex's refusals about a thread mean, and what a person can do about each.

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
  return fault;
}

export function isHistoryLost(error: unknown): boolean {
  return /no rollout found|thread not found|rollout .*is empty|unknown thread|not materialized|thread not loaded/i.test(
    asFault(error).message,
  );
}

/** codex does not have the thread loaded: load it and do the same again. */
export function isNotLoaded(error: unknown): boolean {
  return /thread not found|thread not loaded/i.test(asFault(error).message);
}

/**
 * True when the request may have arrived although no answer did. Only then is delivery unknown: a refusal, or a request
 * that was never written, certainly had no effect.
 */
export function deliveryUnknown(error: unknown): boolean {
  const fault = asFault(error);
  if (fault.code === "deadline") return true;
  return fault.code === "connection_lost" && (fault as Fault & { written?: boolean }).written !== false;
}
