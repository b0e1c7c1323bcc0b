// One codex app-server: reached, watched, and ended with everything that belongs to it. It was started by this run of
// Holdfast (codexLaunch.ts) or by an earlier one (recovery.ts).
//
// Races settled here:
// - The process dies while it is being connected to: the wait ends with the reason of its death, not with a timeout.
// - A process of an earlier run is no child of this one, so the system does not tell its death. Its connection does: after
//   every connection that is lost or cannot be made, it is looked whether the process still is the one on record.
// - Close, close again, and a death on its own in between: one attempt at a time, each caller gets its outcome; after one
//   that failed, the next is a new one.
// - Its close fails: the launch is torn down all the same, once.
// - The ledger cannot be written (its disk is full, another program has locked it) when the process is to be closed: it is
//   ended all the same. The next start finds what is on record not to be there, and strikes it off.

import type { ChildProcess } from "node:child_process";
import { rmSync } from "node:fs";
import type { Clock, Timer } from "../clock";
import { exitFault } from "../codex/configProblem";
import { handshake } from "../codex/handshake";
import { openRpcClient, type RpcClient } from "../codex/rpcClient";
import { createStdioTransport } from "../codex/stdioTransport";
import type { Transport, TransportClosed, TransportHandlers } from "../codex/transport";
import { connectWhenReady } from "../codex/webSocketTransport";
import { asFault, Fault } from "../fault";
import type { HandleExit, HandlesLedger } from "../ledger/handlesLedger";
import type { Log } from "../log";
import type { Connection } from "./connection";
import { endHandleTree } from "./handleTree";
import { type Channel, loopbackPort } from "./listening";
import { readLogTail } from "./logTail";
import { processStartTime } from "./processTree";
import { removeSocket, socketTarget } from "./socketFolder";
import type { ConnectionEvents, SessionProcess } from "./supervisedSession";

/** What every process needs of the rest. */
export interface ProcessContext {
  /** Holdfast's own version. */
  version: string;
  /** Its home: everything that it starts carries it. */
  owner: string;
  handles: HandlesLedger;
  clock: Clock;
  log: Log;
  /** Closes a process on record: see cleanups.ts. Null: nothing is left of it. */
  close(process: CodexProcess): Promise<Fault | null>;
  /** Does what a launch owes, on record. Never rejects. */
  tearDown(handleId: string, profileId: string, owed: unknown): Promise<void>;
  /** It has been spawned and is on record; and again when it has been reached. */
  onStarted(process: CodexProcess): void;
  /** Nothing is left of the handle: nobody needs to watch over it any more. */
  onGone(handleId: string): void;
}

export interface ProcessFacts {
  handleId: string;
  workspaceId: string;
  profileId: string;
  /** Null: Holdfast died before it could write down which process it was. */
  leader: { pid: number; startTime: string } | null;
  startedAtMs: number;
  logPath: string;
  channel: Channel;
  /** Null: it was started by an earlier run. */
  child: ChildProcess | null;
  /** What the launch profile has to undo; null: nothing. */
  teardown: unknown;
}

const startDeadlineMs = 30_000;
/** A process that has been up already answers soon, or does not work any more. */
const adoptDeadlineMs = 10_000;
const handshakeDeadlineMs = 20_000;
const lookForDeathMs = 200;

export class CodexProcess implements SessionProcess {
  readonly facts: ProcessFacts;
  readonly exited: Promise<Fault>;
  readonly #context: ProcessContext;
  #phase: "starting" | "running";
  #exit: HandleExit | null = null;
  #ended: (exit: HandleExit) => void = () => {};
  #closing: Promise<Fault | null> | null = null;
  #isGone = false;
  #tornDown: Promise<void> | null = null;
  /** What the socket's path leads to. */
  #target: string | null = null;
  #client: RpcClient | null = null;

  constructor(context: ProcessContext, facts: ProcessFacts) {
    this.#context = context;
    this.facts = facts;
    this.#phase = facts.child ? "starting" : "running";
    if (facts.channel.kind === "socket") this.#target = socketTarget(facts.channel.address.path);
    this.exited = new Promise((resolve) => {
      this.#ended = (exit) => {
        if (this.#exit) return;
        this.#exit = exit;
        context.log.info("codex exited", { handleId: facts.handleId, ...exit });
        const { code: exitCode, signal } = exit;
        resolve(exitFault({ exitCode, signal, log: readLogTail(facts.logPath), phase: this.#phase }));
      };
    });
    facts.child?.once("exit", (code, signal) => this.#ended({ code, signal }));
  }

  get handleId(): string {
    return this.facts.handleId;
  }

  get hasExited(): boolean {
    return this.#exit !== null;
  }

  async connect(events: ConnectionEvents): Promise<{ connection: Connection; close(): void }> {
    const { clock, log, version } = this.#context;
    const cancel = new AbortController();
    this.exited.then((fault) => cancel.abort(fault));
    const stopLooking = this.#lookForDeath();
    try {
      const client = await openRpcClient((handlers) => this.#open(handlers, cancel.signal), {
        clock,
        log,
        random: Math.random,
        onNotification: (method, params) => events.notification(method, params),
        onRequest: (request) => {
          events.request(request);
          return true;
        },
        onClosed: (reason) => {
          events.closed(closedFault(reason));
          this.#noticeDeath();
        },
      });
      try {
        const facts = await handshake(client, {
          version,
          deadlineMs: this.facts.child ? handshakeDeadlineMs : adoptDeadlineMs,
          signal: cancel.signal,
        });
        this.#client = client;
        return { connection: this.#connected(client, facts), close: () => client.close() };
      } catch (error) {
        client.close();
        throw error;
      }
    } finally {
      stopLooking();
    }
  }

  close(): Promise<Fault | null> {
    if (this.#isGone) return Promise.resolve(null);
    this.#closing ??= this.#end().finally(() => {
      this.#closing = null;
    });
    return this.#closing;
  }

  #connected(client: RpcClient, facts: { codexVersion: string | null; codexHome: string }): Connection {
    if (this.#phase === "starting") this.#context.onStarted(this);
    this.#phase = "running";
    const { channel, handleId, leader, startedAtMs } = this.facts;
    if (channel.kind === "socket") this.#target = socketTarget(channel.address.path);
    return {
      handleId,
      client,
      facts: {
        handleId,
        pid: leader?.pid ?? 0,
        codexVersion: facts.codexVersion ?? "unknown",
        codexHome: facts.codexHome,
        startedAtMs,
        endsWithApp: channel.kind === "stdio",
      },
    };
  }

  /** While it is being connected to. */
  #lookForDeath(): () => void {
    if (this.facts.child) return () => {};
    let timer: Timer | null = null;
    const look = () => {
      this.#noticeDeath();
      timer = this.#exit ? null : this.#context.clock.after(lookForDeathMs, look);
    };
    look();
    return () => {
      timer?.cancel();
      this.#noticeDeath();
    };
  }

  /** Of a process whose death the system does not tell us. */
  #noticeDeath(): void {
    const { child, leader } = this.facts;
    if (child || !leader || this.#exit) return;
    if (processStartTime(leader.pid) !== leader.startTime) this.#ended({ code: null, signal: null });
  }

  async #open(handlers: TransportHandlers, signal: AbortSignal): Promise<Transport> {
    const { channel, child, logPath } = this.facts;
    const { clock, log } = this.#context;
    if (channel.kind === "stdio") {
      if (!child?.stdin || !child.stdout) {
        throw new Fault("codex_not_startable", "codex has no input or output.");
      }
      return createStdioTransport({ stdin: child.stdin, stdout: child.stdout }, handlers, log);
    }
    const options = { clock, signal, deadlineMs: child ? startDeadlineMs : adoptDeadlineMs };
    if (channel.kind === "socket") return connectWhenReady(channel.address, handlers, options);
    const port = await loopbackPort(logPath, options);
    return connectWhenReady({ kind: "loopback", port, token: channel.token }, handlers, options);
  }

  async #end(): Promise<Fault | null> {
    const { handles, clock, log } = this.#context;
    const { handleId, leader } = this.facts;
    this.#record(() => {
      if (handles.get(handleId)?.state !== "retired") handles.closing(handleId);
    });
    const client = this.#client;
    const left = await endHandleTree({ handleId, leader }, clock, () => client?.close()).catch(
      (error: unknown) => asFault(error),
    );
    await this.#tearDown();
    if (left) {
      this.#record(() => handles.retired(handleId));
      log.error("a codex process did not end", { handleId, pid: leader?.pid, message: left.message });
      return left;
    }
    this.#record(() => handles.gone(handleId, this.#exit));
    this.#isGone = true;
    this.#removeFiles();
    this.#context.onGone(handleId);
    return null;
  }

  /** Whatever the ledger says, the process is to be ended, or has been. */
  #record(write: () => void): void {
    try {
      write();
    } catch (error) {
      const { handleId } = this.facts;
      const { message } = asFault(error);
      this.#context.log.error("the close of a codex could not be written down", { handleId, message });
    }
  }

  #tearDown(): Promise<void> {
    const { handleId, profileId, teardown } = this.facts;
    this.#tornDown ??= this.#context.tearDown(handleId, profileId, teardown);
    return this.#tornDown;
  }

  #removeFiles(): void {
    const { channel } = this.facts;
    if (channel.kind === "socket") removeSocket(channel.address.path, this.#target);
    if (channel.kind === "loopback") rmSync(channel.tokenFile, { force: true });
  }
}

function closedFault(reason: TransportClosed): Fault {
  const detail = reason.by === "holdfast" ? "Holdfast closed it." : reason.detail;
  return new Fault("connection_lost", "The connection to codex was lost.", { detail, retryable: true });
}
