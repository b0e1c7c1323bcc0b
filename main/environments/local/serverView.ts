// The exec-server of an environment as windows see it, and its faults in words. They come from the supervisor, which speaks of
// sessions.

import type { EnvironmentView } from "../../../preload/contract/environments";
import { Fault } from "../../fault";
import { toFaultView } from "../../faultView";
import { maxQuickDeaths, type SessionState } from "../../supervisor/sessionState";

export type LocalServerView = NonNullable<EnvironmentView["server"]>;

export function viewServer(state: SessionState | null, hasLog: boolean): LocalServerView {
  const none = { pid: null, startedAtMs: null, fault: null, hasLog };
  switch (state?.phase) {
    case undefined:
      return { ...none, state: "stopped" };
    case "stopped": {
      const fault = state.fault && toFaultView(inWords(state.fault, state.broken));
      return { ...none, state: "stopped", fault };
    }
    case "starting":
      return { ...none, state: "starting" };
    case "closing":
      return { ...none, state: "ending" };
    case "live":
    case "lost": {
      const { pid, startedAtMs } = state.facts;
      // The first attempt at a new connection is made at once: that is no news yet.
      const isHeld = state.phase === "lost" && state.attempt > 0;
      const fault = isHeld ? toFaultView(inWords(state.fault, false)) : null;
      return { state: "running", pid, startedAtMs, fault, hasLog };
    }
    default:
      return state satisfies never;
  }
}

/** `broken`: it is not started by itself any more. */
export function inWords(fault: Fault, broken: boolean): Fault {
  const said = ofExecServer(fault);
  if (!broken) return said;
  const { code, message, detail, retryable } = said;
  return new Fault(code, message, {
    hint: `It has ended ${maxQuickDeaths + 1} times within a minute, so Holdfast does not start it by itself any more. Start it by hand; its log says what it did last.`,
    detail,
    retryable,
    cause: fault,
  });
}

function ofExecServer(fault: Fault): Fault {
  const { code, detail, hint } = fault;
  switch (code) {
    case "session_closed":
      return new Fault("exec_server_stopped", "The exec-server was stopped.", {
        retryable: true,
        cause: fault,
      });
    case "process_cleanup_pending":
      return new Fault(
        code,
        "An earlier exec-server of this environment has not ended yet, so no other one is started beside it.",
        {
          hint: "Retry the cleanup; the exec-server can be started once it has succeeded.",
          detail: hint,
          retryable: true,
          cause: fault,
        },
      );
    case "connect_timeout":
      return new Fault(code, "The exec-server did not answer in time.", {
        hint: "Its log says what it did last.",
        detail,
        retryable: true,
        cause: fault,
      });
    case "connection_lost":
      return new Fault(code, "The connection to the exec-server was lost.", {
        detail,
        retryable: true,
        cause: fault,
      });
    default:
      return fault;
  }
}
