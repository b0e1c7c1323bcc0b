// A client of a test's own at an exec-server that Holdfast runs, beside Holdfast: to see that it answers, and to begin in it what
// goes on without it.

import { readFileSync } from "node:fs";
import path from "node:path";
import { systemClock } from "../../main/clock";
import type { RpcClient } from "../../main/codex/rpcClient";
import { openRpcClient } from "../../main/codex/rpcClient";
import { connectWebSocket } from "../../main/codex/webSocketTransport";
import { silentLog } from "../../main/log";
import type { Sandbox } from "./app";
import type { HandleRow } from "./ledger";

export interface ExecServerClient {
  /** Starts something that no signal to the exec-server reaches, and returns its pid. */
  leaveBehind(): Promise<number>;
  close(): void;
}

export async function openExecServerClient(sandbox: Sandbox, handle: HandleRow): Promise<ExecServerClient> {
  const log = readFileSync(path.join(sandbox.home, "logs", `exec-server-${handle.handleId}.log`), "utf8");
  const port = Number(/ws:\/\/127\.0\.0\.1:(\d+)/.exec(log)?.[1]);
  const token = readFileSync(tokenFile(sandbox, handle), "utf8");
  let said = "";
  let told: () => void = () => {};
  const client: RpcClient = await openRpcClient(
    (handlers) => connectWebSocket({ kind: "loopback", port, token }, handlers, { clock: systemClock }),
    {
      clock: systemClock,
      log: silentLog,
      random: Math.random,
      onNotification: (method, params) => {
        if (method !== "process/output") return;
        said += Buffer.from((params as { chunk: string }).chunk, "base64").toString();
        told();
      },
      // It asks nothing.
      onRequest: () => true,
      onClosed() {},
    },
  );
  await client.requestUntyped("initialize", { clientName: "beside-holdfast" });
  client.notify("initialized", {});
  return {
    async leaveBehind() {
      const line = new Promise<number>((resolve) => {
        told = () => {
          const pid = /^(\d+)\n/.exec(said)?.[1];
          if (pid !== undefined) resolve(Number(pid));
        };
      });
      await client.requestUntyped("process/start", {
        processId: "left-behind",
        argv: ["/bin/sh", "-c", "setsid sleep 86400 & echo $!; wait"],
        cwd: `file://${sandbox.workspace}`,
        env: {},
        envPolicy: { inherit: "all", ignoreDefaultExcludes: false, exclude: [], set: {}, includeOnly: [] },
        tty: false,
        pipeStdin: false,
        arg0: null,
      });
      return line;
    },
    close: () => client.close(),
  };
}

export function tokenFile(sandbox: Sandbox, { handleId }: HandleRow): string {
  return path.join(sandbox.home, "sockets", `${handleId.replaceAll("-", "").slice(0, 16)}.token`);
}
