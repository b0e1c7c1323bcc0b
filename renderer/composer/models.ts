// What codex offers, asked for once for each workspace and again after a failure. Nothing waits for it.

import { useEffect } from "react";
import { create } from "zustand";
import type { CallResult } from "../../preload/contract";
import { useWorkspace } from "../state/appStore";
import { faultOf } from "../state/callFault";
import { call } from "../state/connection";

export type Model = CallResult<"models.list">["models"][number];

export type Listed =
  | { state: "loading" }
  | { state: "listed"; models: readonly Model[] }
  | { state: "failed"; why: string };

const listedStore = create<{ byWorkspace: Readonly<Record<string, Listed>> }>(() => ({ byWorkspace: {} }));

function put(workspaceId: string, listed: Listed): void {
  listedStore.setState(({ byWorkspace }) => ({ byWorkspace: { ...byWorkspace, [workspaceId]: listed } }));
}

export function listModels(workspaceId: string): void {
  const known = listedStore.getState().byWorkspace[workspaceId];
  if (known && known.state !== "failed") return;
  put(workspaceId, { state: "loading" });
  call("models.list", { workspaceId }).then(
    ({ models }) => put(workspaceId, { state: "listed", models }),
    (error: unknown) => put(workspaceId, { state: "failed", why: faultOf(error).message }),
  );
}

const loading: Listed = { state: "loading" };

export function useModels(workspaceId: string): Listed {
  const connected = useWorkspace(workspaceId)?.session.state === "connected";
  useEffect(() => {
    // Only to call the usual model by its name: never the reason for a codex to be started.
    if (!connected) return;
    const idle = requestIdleCallback(() => listModels(workspaceId), { timeout: 2_000 });
    return () => cancelIdleCallback(idle);
  }, [connected, workspaceId]);
  return listedStore((store) => store.byWorkspace[workspaceId]) ?? loading;
}
