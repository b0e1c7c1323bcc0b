// Starts one codex app-server for a session.
//
// It is started detached, as the leader of a process session of its own, its output going to a log file, listening on a
// socket in a private folder: so it outlives a window, a connection and Holdfast. A codex that cannot listen is started on
// stdio instead, and then ends with the app.
//
// Races settled here:
// - Those of every process that is on record before it is spawned: spawnOnRecord.ts.
// - The launch is cancelled while the process starts: it is handed over all the same, to be closed by who cancelled.
// - The spawn fails, or the caller has given up by then: the launch profile is torn down all the same, once.

import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CodexBinary } from "../codex/findCodex";
import { makeDefaultCodexHome } from "./codexHome";
import { codexLog } from "./codexLog";
import { CodexProcess, type ProcessContext } from "./codexProcess";
import type { LaunchProfile, PreparedLaunch } from "./launchProfile";
import { type Channel, channelOnRecord, listenArguments, portInLog } from "./listening";
import { readLogTail } from "./logTail";
import { spawnOnRecord } from "./spawnOnRecord";

export interface LaunchOptions extends ProcessContext {
  binary: CodexBinary;
  profile: LaunchProfile;
  workspace: { id: string; path: string };
  /** The user's login environment. */
  variables: Record<string, string>;
  /** CODEX_HOME as Holdfast was given it. */
  ownCodexHome: string | null;
  /** Private folders for sockets and for logs. */
  sockets: string;
  logs: string;
  /** How long codex keeps a thread that nobody uses. Null: as it is configured. */
  threadUnloadSeconds: number | null;
  signal: AbortSignal;
}

/** codex's start and end, and what goes wrong; not a line for each request, nor one each second about remote control. */
const lifecycleLog =
  "warn,codex_app_server=info,codex_app_server::app_server_tracing=off,codex_app_server::message_processor=warn,codex_app_server_transport=warn";
const listenDeadlineMs = 30_000;
const lookEveryMs = 10;

/** Programs that are known not to listen. Forgotten with the app: an update may have brought it. */
const withoutListening = new Set<string>();

/** Rejects with a Fault; nothing of the process is left then, and the profile has been torn down. */
export async function launchCodex(options: LaunchOptions): Promise<CodexProcess> {
  options.signal.throwIfAborted();
  const onStdio = withoutListening.has(options.binary.path);
  const handleId = randomUUID();
  const prepared = await options.profile.prepare(options.workspace, options.signal);
  let codex: CodexProcess;
  try {
    options.signal.throwIfAborted();
    codex = await spawnCodex(options, handleId, prepared, onStdio ? "stdio" : platformChannel());
  } catch (error) {
    await options.tearDown(handleId, options.profile.id, prepared.teardown);
    throw error;
  }
  // Whoever has given up closes what was made, and answers for what is left of it.
  if (options.signal.aborted || onStdio || !(await cannotListen(codex, options))) return codex;
  options.log.warn("this codex cannot listen on a socket; it is started on stdio and ends with the app");
  withoutListening.add(options.binary.path);
  const left = await options.close(codex);
  if (left) throw left;
  return launchCodex(options);
}

function platformChannel(): "socket" | "loopback" {
  return process.platform === "win32" ? "loopback" : "socket";
}

function unloadOverride(seconds: number | null): string[] {
  return seconds === null ? [] : ["-c", `thread_unload_delay_secs=${seconds}`];
}

async function spawnCodex(
  options: LaunchOptions,
  handleId: string,
  prepared: PreparedLaunch,
  channelKind: Channel["kind"],
): Promise<CodexProcess> {
  const { binary, log, workspace, profile } = options;
  if (prepared.codexHome === null && options.ownCodexHome === null) makeDefaultCodexHome(options.variables);
  const logPath = join(options.logs, `codex-${handleId}.log`);
  const { channel, args: listen } = listenArguments(channelKind, options.sockets, handleId);
  const args = [
    ...binary.argsPrefix,
    "app-server",
    ...listen,
    ...unloadOverride(options.threadUnloadSeconds),
    ...prepared.configOverrides.flatMap((override) => ["-c", override]),
  ];
  const { child, leader } = await spawnOnRecord(
    {
      program: "codex",
      intent: {
        handleId,
        sessionId: `${workspace.id}:${profile.id}`,
        workspaceId: workspace.id,
        profileId: profile.id,
        marker: handleId,
        command: { file: binary.path, args, workingDirectory: prepared.workingDirectory },
        channel: channelOnRecord(channel),
        teardown: prepared.teardown,
        logPath,
      },
      environment: environmentOf(options, prepared),
    },
    options,
  );
  log.info("codex started", { handleId, pid: leader.pid, workspaceId: workspace.id });
  const codex = new CodexProcess(options, {
    handleId,
    workspaceId: workspace.id,
    profileId: profile.id,
    leader,
    startedAtMs: options.clock.nowMs(),
    logPath,
    channel,
    child,
    teardown: prepared.teardown,
  });
  child.unref();
  options.onStarted(codex);
  return codex;
}

/**
 * True when it has ended because it does not know how to listen. Resolves as soon as its socket is there, it has ended, the
 * time for starting is over, or the launch is cancelled.
 */
async function cannotListen(codex: CodexProcess, options: LaunchOptions): Promise<boolean> {
  const { channel, logPath } = codex.facts;
  const { clock, signal } = options;
  const untilMs = clock.nowMs() + listenDeadlineMs;
  const isThere = () =>
    channel.kind === "socket" ? existsSync(channel.address.path) : portInLog(logPath) !== null;
  while (!codex.hasExited && !signal.aborted && !isThere() && clock.nowMs() < untilMs) {
    await new Promise<void>((resolve) => clock.after(lookEveryMs, resolve));
  }
  return (
    codex.hasExited &&
    /(unexpected|unrecognized|unknown) (argument|option).*--listen/i.test(readLogTail(logPath))
  );
}

/** Later wins: the login environment, the profile's, Holdfast's own. */
function environmentOf(options: LaunchOptions, prepared: PreparedLaunch): Record<string, string> {
  const codexHome = prepared.codexHome ?? options.ownCodexHome;
  return {
    ...options.variables,
    ...(codexHome === null ? {} : { CODEX_HOME: codexHome }),
    ...prepared.environment,
    LOG_FORMAT: "json",
    RUST_LOG: codexLog(options.variables.RUST_LOG, lifecycleLog),
  };
}
