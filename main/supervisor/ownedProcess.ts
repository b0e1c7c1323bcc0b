// A process that Holdfast owns: watched, and ended with everything that belongs to it. It was started by this run of Holdfast
// (spawnOnRecord.ts) or by an earlier one. What is said to it, and how it is reached, is for those that extend it.
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
import { asFault, type Fault } from "../fault";
import type { HandleExit, HandlesLedger } from "../ledger/handlesLedger";
import type { Log } from "../log";
import { endHandleTree } from "./handleTree";
import type { Channel } from "./listening";
import { readLogTail } from "./logTail";
import { processStartTime } from "./processTree";
import { removeSocket, socketTarget } from "./socketFolder";

export interface OwnedContext {
  handles: HandlesLedger;
  clock: Clock;
  log: Log;
  /** Nothing is left of the handle: nobody needs to watch over it any more. */
  onGone(handleId: string): void;
}

export interface OwnedFacts {
  handleId: string;
  /** Null: Holdfast died before it could write down which process it was. */
  leader: { pid: number; startTime: string } | null;
  startedAtMs: number;
  logPath: string;
  channel: Channel;
  /** Null: it was started by an earlier run. */
  child: ChildProcess | null;
}

const lookForDeathMs = 200;

export abstract class OwnedProcess<Facts extends OwnedFacts = OwnedFacts> {
  readonly facts: Facts;
  /** Resolves once with the reason, when the leader has exited. Never rejects. */
  readonly exited: Promise<Fault>;
  /** What it is called in a log and by a Fault. */
  protected abstract readonly program: string;
  /** Once it has been reached, it does not end "before it was ready" any more. */
  protected phase: "starting" | "running";
  readonly #context: OwnedContext;
  #exit: HandleExit | null = null;
  #ended: (exit: HandleExit) => void = () => {};
  #closing: Promise<Fault | null> | null = null;
  #isGone = false;
  /** What the socket's path leads to. */
  #target: string | null = null;

  constructor(context: OwnedContext, facts: Facts) {
    this.#context = context;
    this.facts = facts;
    this.phase = facts.child ? "starting" : "running";
    this.rememberSocket();
    this.exited = new Promise((resolve) => {
      this.#ended = (exit) => {
        if (this.#exit) return;
        this.#exit = exit;
        const { program, phase } = this;
        context.log.info(`${program} exited`, { handleId: facts.handleId, ...exit });
        const { code: exitCode, signal } = exit;
        resolve(exitFault({ program, exitCode, signal, log: readLogTail(facts.logPath), phase }));
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

  /**
   * Ends what is left of the tree in bounded time. Null: nothing is left of it. Two callers at once share one attempt; after
   * one that failed the next is a new one.
   */
  close(): Promise<Fault | null> {
    if (this.#isGone) return Promise.resolve(null);
    this.#closing ??= this.#end().finally(() => {
      this.#closing = null;
    });
    return this.#closing;
  }

  /** Of a process whose death the system does not tell us. To be called when there is a reason to doubt that it lives. */
  noticeDeath(): void {
    const { child, leader } = this.facts;
    if (child || !leader || this.#exit) return;
    if (processStartTime(leader.pid) !== leader.startTime) this.#ended({ code: null, signal: null });
  }

  /** Its connection, when it has one. */
  protected abstract closeConnection(): void;

  /** What its launch owes; once, whatever became of the process. Never rejects. */
  protected abstract tearDown(): Promise<void>;

  /** `signal` is aborted with the reason of its death. */
  protected async whileItLives<Value>(work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
    const cancel = new AbortController();
    this.exited.then((fault) => cancel.abort(fault));
    const stopLooking = this.#lookForDeath();
    try {
      return await work(cancel.signal);
    } finally {
      stopLooking();
    }
  }

  /** codex makes a link of it, so where it leads to is known only once it listens. */
  protected rememberSocket(): void {
    const { channel } = this.facts;
    if (channel.kind === "socket") this.#target = socketTarget(channel.address.path);
  }

  #lookForDeath(): () => void {
    if (this.facts.child) return () => {};
    let timer: Timer | null = null;
    const look = () => {
      this.noticeDeath();
      timer = this.#exit ? null : this.#context.clock.after(lookForDeathMs, look);
    };
    look();
    return () => {
      timer?.cancel();
      this.noticeDeath();
    };
  }

  async #end(): Promise<Fault | null> {
    const { handles, clock, log } = this.#context;
    const { handleId, leader } = this.facts;
    const { program } = this;
    this.#record(() => {
      if (handles.get(handleId)?.state !== "retired") handles.closing(handleId);
    });
    // One that listens outlives its clients, so it is told to end at once: there is nothing to wait for before that.
    const times = this.facts.channel.kind === "stdio" ? {} : { beforeTermMs: 0 };
    const tree = { handleId, leader, program };
    const left = await endHandleTree(tree, clock, () => this.closeConnection(), times).catch(
      (error: unknown) => asFault(error),
    );
    await this.tearDown();
    if (left) {
      this.#record(() => handles.retired(handleId));
      log.error(`a ${program} process did not end`, { handleId, pid: leader?.pid, message: left.message });
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
      this.#context.log.error(`the close of a ${this.program} could not be written down`, {
        handleId,
        message,
      });
    }
  }

  #removeFiles(): void {
    const { channel } = this.facts;
    if (channel.kind === "socket") removeSocket(channel.address.path, this.#target);
    if (channel.kind === "loopback") rmSync(channel.tokenFile, { force: true });
  }
}
