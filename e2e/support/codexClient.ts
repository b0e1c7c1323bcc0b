// A client of a test's own at a session's app-server, beside Holdfast: to see what is true there, and to do what other
// programs do.

import { expect } from "@playwright/test";
import { systemClock } from "../../main/clock";
import { openRpcClient, type RpcClient } from "../../main/codex/rpcClient";
import { connectWhenReady } from "../../main/codex/webSocketTransport";
import type { Log } from "../../main/log";
import type { HandleRow } from "./ledger";

const silent: Log = { info() {}, warn() {}, error() {} };

export interface CodexClient {
  readonly rpc: RpcClient;
  /** Methods and threads of the notifications that have come, in order. */
  readonly heard: readonly { method: string; threadId: unknown }[];
  loaded(): Promise<string[]>;
  close(): void;
}

/** Of a codex that may not listen yet. */
export async function openCodexClient({ socketPath }: Pick<HandleRow, "socketPath">): Promise<CodexClient> {
  if (socketPath === null) throw new Error("this session has no socket");
  const heard: { method: string; threadId: unknown }[] = [];
  const rpc = await openRpcClient(
    (handlers) => connectWhenReady({ kind: "unix", path: socketPath }, handlers, { clock: systemClock }),
    {
      clock: systemClock,
      log: silent,
      random: Math.random,
      onNotification: (method, params) => {
        heard.push({ method, threadId: (params as { threadId?: unknown } | undefined)?.threadId });
      },
      // Not ours to answer.
      onRequest: () => true,
      onClosed: () => {},
    },
  );
  await rpc.request("initialize", {
    clientInfo: { name: "beside-holdfast", title: null, version: "1" },
    capabilities: { experimentalApi: true, requestAttestation: false },
  });
  rpc.notify("initialized", undefined);
  return {
    rpc,
    heard,
    loaded: async () => (await rpc.request("thread/loaded/list", {})).data,
    close: () => rpc.close(),
  };
}

/** What codex has in memory, asked over a connection of its own. */
export async function loadedThreads(handle: HandleRow): Promise<string[]> {
  const client = await openCodexClient(handle);
  try {
    return await client.loaded();
  } finally {
    client.close();
  }
}

export async function expectNothingLoaded(handle: HandleRow): Promise<void> {
  await expect
    .poll(() => loadedThreads(handle), { message: "threads in codex's memory", timeout: 30_000 })
    .toEqual([]);
}
