// One codex app-server: started, reached, and ended with everything that belongs to it.
//
// It is started detached, as the leader of a process session of its own, its output going to a log file, listening on a
// socket in a private folder: so it outlives a window and a connection. A codex that cannot listen is started on stdio
// instead, and then ends with the app.
//
// Races settled here:
// - Holdfast dies between the decision to spawn and the spawn, or between the spawn and knowing the pid: the intent is in
//   the ledger first, with the marker that everything of the handle carries, so the next start finds and ends it.
// - The launch is cancelled while the process starts: the process is closed before the launch rejects.
// - The process dies while it is being connected to: the wait ends with the reason of its death, not with a timeout.
// - Close, close again, and a death on its own in between: one close; each caller gets the same outcome.

import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, existsSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../clock";
import { exitFault } from "../codex/configProblem";
import type { CodexBinary } from "../codex/findCodex";
import { handshake } from "../codex/handshake";
import { openRpcClient, type RpcClient } from "../codex/rpcClient";
import { createStdioTransport } from "../codex/stdioTransport";
import type { Transport, TransportClosed, TransportHandlers } from "../codex/transport";
import { connectWhenReady } from "../codex/webSocketTransport";
import { asFault, Fault } from "../fault";
import type { HandlesLedger } from "../ledger/handlesLedger";
import type { Log } from "../log";
import { makeDefaultCodexHome } from "./codexHome";
import type { Connection } from "./connection";
import { endHandleTree, markerVariable } from "./handleTree";
import type { LaunchProfile, PreparedLaunch } from "./launchProfile";
import { type Channel, listenArguments, loopbackPort } from "./listening";
import { readLogTail } from "./logTail";
import { processStartTime } from "./processTree";
import { removeSocket, socketTarget } from "./socketFolder";
import type { ConnectionEvents, SessionProcess } from "./supervisedSession";

export interface LaunchOptions {
  /** Holdfast's own version. */
  version: string;
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
  threadUnloadSeconds: number;
  handles: HandlesLedger;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
  onLogPath(path: string): void;
}

/** codex's start and end, and what goes wrong; not a line for each request, nor one each second about remote control. */
const lifecycleLog =
  "warn,codex_app_server=info,codex_app_server::app_server_tracing=off,codex_app_server::message_processor=warn,codex_app_server_transport=warn";
const startDeadlineMs = 30_000;
const lookEveryMs = 10;
const handshakeDeadlineMs = 20_000;

/** Programs that are known not to listen. Forgotten with the app: an update may have brought it. */
const withoutListening = new Set<string>();

/** Rejects with a Fault; nothing of the process is left then, and the profile has been torn down. */
export async function launchCodex(options: LaunchOptions): Promise<SessionProcess> {
  options.signal.throwIfAborted();
  const onStdio = withoutListening.has(options.binary.path);
  const prepared = await options.profile.prepare(options.workspace, options.signal);
  const teardown = once(() => prepared.teardown());
  let codex: CodexProcess;
  try {
    codex = await spawnCodex(options, prepared, teardown, onStdio ? "stdio" : platformChannel());
  } catch (error) {
    await teardown().catch((failure: unknown) => {
      options.log.error("a launch profile could not be torn down", { error: asFault(failure).message });
    });
    throw error;
  }
  if (onStdio || !(await codex.cannotListen())) return codex;
  options.log.warn("this codex cannot listen on a socket; it is started on stdio and ends with the app");
  withoutListening.add(options.binary.path);
  const left = await codex.close();
  if (left) throw left;
  return launchCodex(options);
}

function platformChannel(): "socket" | "loopback" {
  return process.platform === "win32" ? "loopback" : "socket";
}

async function spawnCodex(
  options: LaunchOptions,
  prepared: PreparedLaunch,
  teardown: () => Promise<void>,
  channelKind: Channel["kind"],
): Promise<CodexProcess> {
  const { binary, handles, log } = options;
  const handleId = randomUUID();
  if (prepared.codexHome === null && options.ownCodexHome === null) makeDefaultCodexHome(options.variables);
  const logPath = join(options.logs, `codex-${handleId}.log`);
  const { channel, args: listen } = listenArguments(channelKind, options.sockets, handleId);
  const args = [
    ...binary.argsPrefix,
    "app-server",
    ...listen,
    ...["-c", `thread_unload_delay_secs=${options.threadUnloadSeconds}`],
    ...prepared.configOverrides.flatMap((override) => ["-c", override]),
  ];
  handles.intend({
    handleId,
    sessionId: `${options.workspace.id}:${options.profile.id}`,
    workspaceId: options.workspace.id,
    profileId: options.profile.id,
    marker: handleId,
    command: { file: binary.path, args, workingDirectory: prepared.workingDirectory },
    socketPath: channel.kind === "socket" && channel.address.kind === "unix" ? channel.address.path : null,
    logPath,
  });
  options.onLogPath(logPath);
  const logFile = openSync(logPath, "a", 0o600);
  let child: ChildProcess;
  let startTime = "";
  try {
    child = spawn(binary.path, args, {
      cwd: prepared.workingDirectory,
      env: environmentOf(options, prepared, handleId),
      detached: true,
      windowsHide: true,
      stdio: channel.kind === "stdio" ? ["pipe", "pipe", logFile] : ["ignore", logFile, logFile],
    });
    // In the same tick: the pid cannot have been given to another process yet.
    startTime = (child.pid === undefined ? null : processStartTime(child.pid)) ?? "";
  } finally {
    closeSync(logFile);
  }
  const started = await spawned(child).catch((error: unknown) => {
    handles.gone(handleId, null);
    throw new Fault("codex_not_startable", `codex could not be started: ${asFault(error).message}`, {
      hint: "Check the path of codex in Settings.",
      detail: `${binary.path} ${args.join(" ")}`,
      retryable: true,
      cause: error,
    });
  });
  handles.started(handleId, { pid: started, startTime, processGroup: started });
  log.info("codex started", { handleId, pid: started, workspaceId: options.workspace.id });
  const codex = new CodexProcess(options, {
    handleId,
    pid: started,
    startTime,
    logPath,
    channel,
    child,
    teardown,
  });
  if (options.signal.aborted) {
    await codex.close();
    throw new Fault("session_closed", "The session was closed while codex started.", { retryable: true });
  }
  child.unref();
  return codex;
}

interface ProcessFacts {
  handleId: string;
  pid: number;
  startTime: string;
  logPath: string;
  channel: Channel;
  child: ChildProcess;
  teardown: () => Promise<void>;
}

class CodexProcess implements SessionProcess {
  readonly handleId: string;
  readonly exited: Promise<Fault>;
  readonly #options: LaunchOptions;
  readonly #facts: ProcessFacts;
  readonly #startedAtMs: number;
  #phase: "starting" | "running" = "starting";
  #exit: { code: number | null; signal: string | null } | null = null;
  #ending: Promise<Fault | null> | null = null;
  /** What the socket's path leads to. */
  #target: string | null = null;
  #client: RpcClient | null = null;

  constructor(options: LaunchOptions, facts: ProcessFacts) {
    this.#options = options;
    this.#facts = facts;
    this.handleId = facts.handleId;
    this.#startedAtMs = options.clock.nowMs();
    this.exited = new Promise((resolve) => {
      facts.child.once("exit", (code, signal) => {
        this.#exit = { code, signal };
        options.log.info("codex exited", { handleId: facts.handleId, code, signal });
        resolve(exitFault({ exitCode: code, signal, log: readLogTail(facts.logPath), phase: this.#phase }));
      });
    });
  }

  async connect(events: ConnectionEvents): Promise<{ connection: Connection; close(): void }> {
    const { clock, log } = this.#options;
    const cancel = new AbortController();
    this.exited.then((fault) => cancel.abort(fault));
    const client = await openRpcClient((handlers) => this.#open(handlers, cancel.signal), {
      clock,
      log,
      random: Math.random,
      onNotification: (method, params) => events.notification(method, params),
      onRequest: (request) => {
        events.request(request);
        return true;
      },
      onClosed: (reason) => events.closed(closedFault(reason)),
    });
    this.#client = client;
    try {
      const facts = await handshake(client, {
        version: this.#options.version,
        deadlineMs: handshakeDeadlineMs,
        signal: cancel.signal,
      });
      this.#phase = "running";
      const { channel } = this.#facts;
      if (channel.kind === "socket" && channel.address.kind === "unix") {
        this.#target = socketTarget(channel.address.path);
      }
      const connection: Connection = {
        handleId: this.handleId,
        client,
        facts: {
          handleId: this.handleId,
          pid: this.#facts.pid,
          codexVersion: facts.codexVersion ?? "unknown",
          codexHome: facts.codexHome,
          startedAtMs: this.#startedAtMs,
          endsWithApp: this.#facts.channel.kind === "stdio",
        },
      };
      return { connection, close: () => client.close() };
    } catch (error) {
      client.close();
      throw error;
    }
  }

  /**
   * True when it has ended because it does not know how to listen. Resolves as soon as its socket is there, it has ended, or
   * the time for starting is over, or the launch is cancelled.
   */
  async cannotListen(): Promise<boolean> {
    const { channel, logPath } = this.#facts;
    const { clock, signal } = this.#options;
    const untilMs = clock.nowMs() + startDeadlineMs;
    const isThere = () =>
      channel.kind === "socket" && channel.address.kind === "unix"
        ? existsSync(channel.address.path)
        : readLogTail(logPath).includes("ws://127.0.0.1:");
    while (this.#exit === null && !signal.aborted && !isThere() && clock.nowMs() < untilMs) {
      await new Promise<void>((resolve) => clock.after(lookEveryMs, resolve));
    }
    return (
      this.#exit !== null &&
      /(unexpected|unrecognized|unknown) (argument|option).*--listen/i.test(readLogTail(logPath))
    );
  }

  close(): Promise<Fault | null> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  reap(): Promise<Fault | null> {
    return this.close();
  }

  async #open(handlers: TransportHandlers, signal: AbortSignal): Promise<Transport> {
    const { channel, child, logPath } = this.#facts;
    const { clock, log } = this.#options;
    if (channel.kind === "stdio") {
      if (!child.stdin || !child.stdout)
        throw new Fault("codex_not_startable", "codex has no input or output.");
      return createStdioTransport({ stdin: child.stdin, stdout: child.stdout }, handlers, log);
    }
    const options = { clock, signal, deadlineMs: startDeadlineMs };
    if (channel.kind === "socket") return connectWhenReady(channel.address, handlers, options);
    const port = await loopbackPort(logPath, options);
    return connectWhenReady({ kind: "loopback", port, token: channel.token }, handlers, options);
  }

  async #end(): Promise<Fault | null> {
    const { handles, clock, log } = this.#options;
    const { handleId, pid, startTime, channel } = this.#facts;
    handles.closing(handleId);
    const client = this.#client;
    const left = await endHandleTree({ handleId, leader: { pid, startTime } }, clock, () =>
      client?.close(),
    ).catch((error: unknown) => asFault(error));
    await this.#facts.teardown().catch((error: unknown) => {
      log.error("a launch profile could not be torn down", { handleId, error: asFault(error).message });
    });
    if (left) {
      handles.retired(handleId);
      log.error("a codex process did not end", { handleId, pid, message: left.message });
      return left;
    }
    handles.gone(handleId, this.#exit);
    if (channel.kind === "socket" && channel.address.kind === "unix") {
      removeSocket(channel.address.path, this.#target);
    }
    if (channel.kind === "loopback") rmSync(channel.tokenFile, { force: true });
    return null;
  }
}

function closedFault(reason: TransportClosed): Fault {
  const detail = reason.by === "holdfast" ? "Holdfast closed it." : reason.detail;
  return new Fault("connection_lost", "The connection to codex was lost.", { detail, retryable: true });
}

/** Later wins: the login environment, the profile's, Holdfast's own. */
function environmentOf(
  options: LaunchOptions,
  prepared: PreparedLaunch,
  handleId: string,
): Record<string, string> {
  const codexHome = prepared.codexHome ?? options.ownCodexHome;
  return {
    ...options.variables,
    ...(codexHome === null ? {} : { CODEX_HOME: codexHome }),
    ...prepared.environment,
    LOG_FORMAT: "json",
    RUST_LOG: options.variables.RUST_LOG ?? lifecycleLog,
    [markerVariable]: handleId,
  };
}

function spawned(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("spawn", () => {
      // Errors after the spawn (a failed kill) are no news: the exit says what happened.
      child.removeListener("error", reject);
      child.on("error", () => {});
      resolve(child.pid ?? 0);
    });
  });
}

function once(task: () => Promise<void>): () => Promise<void> {
  let result: Promise<void> | null = null;
  return () => {
    result ??= task();
    return result;
  };
}
