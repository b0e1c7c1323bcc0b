// Starts the exec-server of one local environment, and finds those of an earlier run of Holdfast again. Its races are those of
// every process that is on record before it is spawned: spawnOnRecord.ts.

import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { CodexBinary } from "../../codex/findCodex";
import type { HandleRecord } from "../../ledger/handlesLedger";
import { makeDefaultCodexHome } from "../../supervisor/codexHome";
import { codexLog } from "../../supervisor/codexLog";
import { channelOnRecord, listenArguments, recordedChannel } from "../../supervisor/listening";
import { spawnOnRecord } from "../../supervisor/spawnOnRecord";
import { ExecServer, type ExecServerContext, execServerName } from "./execServer";

/** The profile under which the ledger has the handle of an exec-server; its session is that of the environment. */
export const execServerProfileId = "exec-server";

export interface ExecServerLaunch {
  environmentId: string;
  binary: CodexBinary;
  /** The person's login environment. */
  variables: Record<string, string>;
  /** CODEX_HOME as Holdfast was given it. */
  ownCodexHome: string | null;
  /** Private folders for the token and for logs. */
  sockets: string;
  logs: string;
}

const usualLog = "warn";

/** Rejects with a Fault; nothing of the process is left then. */
export async function launchExecServer(
  launch: ExecServerLaunch,
  context: ExecServerContext,
): Promise<ExecServer> {
  const { environmentId, binary, variables, ownCodexHome, sockets, logs } = launch;
  const { clock, log } = context;
  if (ownCodexHome === null) makeDefaultCodexHome(variables);
  const handleId = randomUUID();
  const logPath = join(logs, `exec-server-${handleId}.log`);
  const { channel, args: listen } = listenArguments("loopback", sockets, handleId);
  const command = {
    file: binary.path,
    args: [...binary.argsPrefix, "exec-server", ...listen],
    workingDirectory: variables.HOME ?? variables.USERPROFILE ?? homedir(),
  };
  const intent = {
    handleId,
    sessionId: environmentId,
    workspaceId: "",
    profileId: execServerProfileId,
    marker: handleId,
    command,
    channel: channelOnRecord(channel),
    teardown: null,
    logPath,
  };
  const environment = {
    ...variables,
    ...(ownCodexHome === null ? {} : { CODEX_HOME: ownCodexHome }),
    RUST_LOG: codexLog(variables.RUST_LOG, usualLog),
  };
  const { child, leader } = await spawnOnRecord(
    { program: execServerName, intent, environment },
    context,
  ).catch((error: unknown) => {
    if (channel.kind === "loopback") rmSync(channel.tokenFile, { force: true });
    throw error;
  });
  log.info("exec-server started", { handleId, pid: leader.pid, environmentId });
  const startedAtMs = clock.nowMs();
  const server = new ExecServer(context, {
    handleId,
    environmentId,
    leader,
    startedAtMs,
    logPath,
    channel,
    child,
  });
  child.unref();
  context.onStarted(server);
  return server;
}

export function recordedExecServer(context: ExecServerContext, record: HandleRecord): ExecServer {
  const { handleId, sessionId, facts, channel, logPath, startedAtMs, intendedAtMs } = record;
  return new ExecServer(context, {
    handleId,
    environmentId: sessionId,
    leader: facts && { pid: facts.pid, startTime: facts.startTime },
    startedAtMs: startedAtMs ?? intendedAtMs,
    logPath: logPath ?? "",
    channel: recordedChannel(channel),
    child: null,
  });
}
