// The account and the one sign-in that may be going on, as a pure machine.
//
// Races, and what settles each:
// - `account/login/completed` may overtake the answer that names its login: it is kept until that answer comes.
// - Cancel may come before codex has named the login: the attempt is then over, and its login is cancelled when it is named.
// - A completion may cross a cancel or belong to an older attempt: it never touches the current one. If it says success,
//   the account is read: what codex says counts, not who asked.
// - `account/updated` may come while a read is under way: that read may be older than the update, so its answer is only
//   used when nothing is known yet, and another read follows.
// - An account that is known stays on screen while it cannot be read. codex also sends `account/updated` without a sign-in
//   after a browser sign-in has failed, so a notification alone never signs anybody out.

import type { AccountView, LoginView } from "../../preload/contract/app";
import type { FaultView } from "../../preload/contract/fault";

type LoginState =
  | { phase: "none" }
  | { phase: "starting"; attempt: number; completed: readonly Completion[] }
  | { phase: "waiting"; attempt: number; loginId: string; url: string }
  | { phase: "failed"; fault: FaultView };

interface Completion {
  loginId: string | null;
  success: boolean;
  error: string | null;
}

export interface AccountState {
  account: AccountView;
  login: LoginState;
  /** The number of the latest sign-in attempt. */
  attempt: number;
  reading: "no" | "yes" | "again";
}

export const initialAccount: AccountState = {
  account: { state: "unknown", fault: null },
  login: { phase: "none" },
  attempt: 0,
  reading: "no",
};

export type AccountEvent =
  | { type: "read asked" }
  | { type: "read answered"; account: AccountView }
  | { type: "read failed"; fault: FaultView }
  | { type: "sign-in asked" }
  | { type: "login started"; attempt: number; loginId: string; url: string }
  | { type: "login refused"; attempt: number; fault: FaultView }
  | ({ type: "login completed" } & Completion)
  | { type: "deadline passed"; attempt: number }
  /** The app-server that holds this attempt has gone, and its sign-in with it. */
  | { type: "login lost"; attempt: number }
  | { type: "cancel asked" };

export type AccountEffect =
  | { type: "read" }
  | { type: "start login"; attempt: number }
  | { type: "open link"; url: string }
  | { type: "cancel login"; attempt: number; loginId: string }
  /** The login of this attempt has ended by itself. */
  | { type: "forget login"; attempt: number }
  | { type: "arm deadline"; attempt: number }
  | { type: "disarm deadline" };

export type AccountStep = [AccountState, AccountEffect[]];

/** How many completions are kept while a login has no name yet. */
const completionsKept = 8;

export function decideAccount(state: AccountState, event: AccountEvent): AccountStep {
  switch (event.type) {
    case "read asked":
      return read(state);
    case "read answered":
      return readAnswered(state, event.account);
    case "read failed":
      return readFailed(state, event.fault);
    case "sign-in asked":
      return signInAsked(state);
    case "login started":
      return loginStarted(state, event);
    case "login refused":
      return isCurrent(state, event.attempt) ? fail(state, event.fault) : [state, []];
    case "login completed":
      return loginCompleted(state, event);
    case "deadline passed":
      return deadlinePassed(state, event.attempt);
    case "login lost":
      return isCurrent(state, event.attempt) ? fail(state, interrupted) : [state, []];
    case "cancel asked":
      return cancelAsked(state);
    default:
      return event satisfies never;
  }
}

function read(state: AccountState): AccountStep {
  if (state.reading === "no") return [{ ...state, reading: "yes" }, [{ type: "read" }]];
  return [{ ...state, reading: "again" }, []];
}

function readAnswered(state: AccountState, account: AccountView): AccountStep {
  if (state.reading === "again") {
    const shown = state.account.state === "unknown" ? account : state.account;
    return [{ ...state, account: shown, reading: "yes" }, [{ type: "read" }]];
  }
  // Signed in after all: an earlier failure is no news any more.
  const settled = account.state === "signed in" && state.login.phase === "failed";
  const login: LoginState = settled ? { phase: "none" } : state.login;
  return [{ ...state, account, login, reading: "no" }, []];
}

function readFailed(state: AccountState, fault: FaultView): AccountStep {
  const account: AccountView =
    state.account.state === "unknown" ? { state: "unknown", fault } : state.account;
  if (state.reading === "again") return [{ ...state, account, reading: "yes" }, [{ type: "read" }]];
  return [{ ...state, account, reading: "no" }, []];
}

function signInAsked(state: AccountState): AccountStep {
  switch (state.login.phase) {
    case "starting":
      return [state, []];
    case "waiting":
      // The page was closed by mistake, say: the same sign-in is shown again, not a second one started.
      return [state, [{ type: "open link", url: state.login.url }]];
    case "none":
    case "failed": {
      const attempt = state.attempt + 1;
      return [
        { ...state, attempt, login: { phase: "starting", attempt, completed: [] } },
        [
          { type: "arm deadline", attempt },
          { type: "start login", attempt },
        ],
      ];
    }
    default:
      return state.login satisfies never;
  }
}

function loginStarted(
  state: AccountState,
  { attempt, loginId, url }: { attempt: number; loginId: string; url: string },
): AccountStep {
  const { login } = state;
  if (login.phase !== "starting" || login.attempt !== attempt) {
    return [state, [{ type: "cancel login", attempt, loginId }]];
  }
  const waiting: AccountState = { ...state, login: { phase: "waiting", attempt, loginId, url } };
  const early = login.completed.find((completion) => completion.loginId === loginId);
  return early ? loginCompleted(waiting, early) : [waiting, [{ type: "open link", url }]];
}

function loginCompleted(state: AccountState, completion: Completion): AccountStep {
  const { login } = state;
  if (login.phase === "waiting" && login.loginId === completion.loginId) {
    const forget: AccountEffect = { type: "forget login", attempt: login.attempt };
    const [next, effects] = completion.success
      ? read({ ...state, login: { phase: "none" } })
      : fail(state, failed(completion.error));
    return [next, [forget, { type: "disarm deadline" }, ...effects]];
  }
  const kept: AccountState =
    login.phase === "starting"
      ? { ...state, login: { ...login, completed: [...login.completed, completion].slice(-completionsKept) } }
      : state;
  return completion.success ? read(kept) : [kept, []];
}

function deadlinePassed(state: AccountState, attempt: number): AccountStep {
  if (!isCurrent(state, attempt)) return [state, []];
  const { login } = state;
  const [next, effects] = fail(state, timedOut);
  if (login.phase !== "waiting") return [next, effects];
  return [next, [{ type: "cancel login", attempt, loginId: login.loginId }, ...effects]];
}

function cancelAsked(state: AccountState): AccountStep {
  const { login } = state;
  const next: AccountState = { ...state, login: { phase: "none" } };
  switch (login.phase) {
    case "none":
      return [state, []];
    case "failed":
      return [next, []];
    case "starting":
      return [next, [{ type: "disarm deadline" }]];
    case "waiting":
      return [
        next,
        [
          { type: "disarm deadline" },
          { type: "cancel login", attempt: login.attempt, loginId: login.loginId },
        ],
      ];
    default:
      return login satisfies never;
  }
}

function isCurrent({ login }: AccountState, attempt: number): boolean {
  return (login.phase === "starting" || login.phase === "waiting") && login.attempt === attempt;
}

function fail(state: AccountState, fault: FaultView): AccountStep {
  return [{ ...state, login: { phase: "failed", fault } }, [{ type: "disarm deadline" }]];
}

function failed(error: string | null): FaultView {
  const why = (error ?? "")
    .replace(/^Login server error:\s*/i, "")
    .replace(/^Sign-in failed:\s*/i, "")
    .trim();
  return {
    code: "sign_in_failed",
    message: why === "" ? "Signing in did not work." : `Signing in did not work: ${why}`,
    hint: "Try again, or use an API key.",
    retryable: true,
  };
}

const timedOut: FaultView = {
  code: "sign_in_timed_out",
  message: "Signing in was not finished in the browser in time.",
  hint: "Try again, and finish signing in on the page that opens.",
  retryable: true,
};

const interrupted: FaultView = {
  code: "sign_in_interrupted",
  message: "codex ended while you were signing in.",
  hint: "Try again.",
  retryable: true,
};

export function viewLogin({ login }: AccountState): LoginView {
  switch (login.phase) {
    case "none":
    case "starting":
      return { state: "none" };
    case "waiting":
      return { state: "waiting for browser", url: login.url };
    case "failed":
      return { state: "failed", fault: login.fault };
    default:
      return login satisfies never;
  }
}
