// What windows are shown of an environment, made of what main knows.

import type { EnvironmentConnection, ExecutorInfo } from "../../preload/contract/environments";
import { toFaultView } from "../faultView";
import type { ConnectionState } from "./client/environmentState";
import type { EnvironmentInfo } from "./client/executorProtocol";
import { fromFileUri } from "./client/fileUri";

export function connectionView(state: ConnectionState, connectedAtMs: number): EnvironmentConnection {
  switch (state.phase) {
    case "disconnected":
      return { state: "not connected", fault: state.fault && toFaultView(state.fault) };
    case "connecting":
      return { state: "connecting" };
    case "connected": {
      const { identity, registration, session } = state;
      return { state: "connected", identity, registration, session, sinceMs: connectedAtMs };
    }
    case "reconnecting":
      return { state: "reconnecting", attempt: state.attempt, fault: toFaultView(state.fault) };
    case "closed":
      return { state: "not connected", fault: null };
    default:
      return state satisfies never;
  }
}

export function infoView({ version, platform, shell, cwd, home }: EnvironmentInfo): ExecutorInfo {
  return { version, platform, shell: shell.path, folder: nativePath(cwd), home: nativePath(home) };
}

/** Null: it is not said, or not as a file URI. */
function nativePath(uri: string | null): string | null {
  return uri === null ? null : fromFileUri(uri);
}
