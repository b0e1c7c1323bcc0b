// Small environments for tests.

import type { EnvironmentView } from "../../preload/contract/environments";

export function environmentView(part: Partial<EnvironmentView> = {}): EnvironmentView {
  return {
    environmentId: "box",
    name: "build-box",
    registry: { kind: "fixed", url: "ws://127.0.0.1:4711", identity: null },
    tokens: [],
    connection: { state: "not connected", fault: null },
    info: null,
    check: null,
    refreshing: false,
    server: null,
    ...part,
  };
}

export const connected = {
  state: "connected" as const,
  identity: "build-box",
  registration: "build-box",
  session: 1,
  sinceMs: 1_000,
};

export const replaced = {
  state: "not connected" as const,
  fault: {
    code: "environment_replaced",
    message: "The executor of this environment was restarted or replaced.",
    retryable: true,
  },
};

export const unreachable = {
  code: "connect_failed",
  message: "The exec-server of this environment cannot be reached.",
  retryable: true,
};

export function localServer(
  part: Partial<NonNullable<EnvironmentView["server"]>> = {},
): NonNullable<EnvironmentView["server"]> {
  return { state: "stopped", pid: null, startedAtMs: null, fault: null, hasLog: false, ...part };
}
