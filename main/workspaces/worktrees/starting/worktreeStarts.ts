// Threads that are to begin in worktrees of their own: performs what startMachine.ts decides. Every decision is on disk before
// anything is done for it.
//
// Races, and what settles each (more in startMachine.ts):
// - The same press of Send twice: one client id, one start. The second is told what became of the first.
// - The person types on while the worktree is made: under the key of the thread that is to be, whose draft it is from the
//   beginning. When the thread begins nothing is moved and nothing is cleared. If it does not begin, what was typed goes with
//   the message into the draft of the workspace.
// - Holdfast dies between handing the message to the thread and striking the start off: the message is known by its client id
//   then, and is not handed over again.
// - The app ends while a script runs: it is ended with the app, and is "cut off" at the next start.

import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import type { Attachment } from "../../../../preload/contract/items";
import type { ThreadSettings } from "../../../../preload/contract/thread";
import type { WorktreeStartView } from "../../../../preload/contract/worktrees";
import type { Clock } from "../../../clock";
import { asFault } from "../../../fault";
import { toFaultView } from "../../../faultView";
import type { Ledger } from "../../../ledger/ledger";
import type { WorktreeStartRecord } from "../../../ledger/worktreeStartsLedger";
import type { Log } from "../../../log";
import type { Workspaces } from "../../workspaces";
import type { MadeWorktree, Worktrees } from "../worktrees";
import { checkCopyName, copyIgnored, copyWords, dropPart } from "./copying";
import type { Printed, PrintedPart } from "./printed";
import { readSetupLog, setupLogPath } from "./setupLog";
import { endLeftScripts, SetupScript, type SetupScriptContext } from "./setupScript";
import { noFolderFault, takenBackFault } from "./startFaults";
import { cutOff, decide, type StartEffect, type StartEvent, type StartState } from "./startMachine";
import { hasMessage, noMessage, viewOf, workWords } from "./startView";

/** What starts need of threads. */
export interface StartingThreads {
  /** Of a new thread that nothing was sent to. Throws Fault where it is none, or cannot begin in a worktree. */
  newThread(threadKey: string): { workspaceId: string; settings: ThreadSettings };
  /** The draft of this thread is on its way as a message, as far as its sender had seen it. */
  handedOn(threadKey: string, seen: DraftSeen): void;
  /** What is typed under this key is the draft of a thread that is to be. */
  await(threadKey: string): void;
  /** Starts a thread under this key with this message; the same client id again is the same message. */
  start(
    threadKey: string,
    message: { clientId: string; text: string; attachments: Attachment[] },
    settings: ThreadSettings,
  ): void;
  /** The thread is not to be: its message, and what was typed for it, are drafts of the workspace. */
  giveBack(
    threadKey: string,
    workspaceId: string,
    message: { text: string; attachments: Attachment[] },
  ): void;
}

export type DraftSeen = { revision: number; writer: string } | "nothing";

export interface StartWish {
  threadKey: string;
  clientId: string;
  text: string;
  attachments: Attachment[];
  seen: DraftSeen;
  branch: string;
  base: string | null;
}

export interface WorktreeStartsOptions extends SetupScriptContext {
  clock: Clock;
  log: Log;
  ledger: Ledger;
  workspaces: Workspaces;
  worktrees: Worktrees;
  threads: StartingThreads;
  changed(starts: WorktreeStartView[]): void;
}

type Start = WorktreeStartRecord<StartState>;

export class WorktreeStarts {
  readonly #options: WorktreeStartsOptions;
  readonly #scripts = new Map<string, SetupScript>();
  /** What the newest script of each start has printed. */
  readonly #printed = new Map<string, { runId: string; printed: Printed }>();
  /** By client id: what is being checked before it is written down. */
  readonly #beginning = new Map<string, Promise<string>>();
  #isClosed = false;

  constructor(options: WorktreeStartsOptions) {
    this.#options = options;
    for (const start of this.#list()) {
      const { startId, threadKey, state } = start;
      if (state.phase === "returned") {
        // Nothing is to be said of one that the person has taken back.
        if (state.fault === null) options.ledger.worktreeStarts.gone(startId);
      } else if (hasMessage(start)) options.threads.await(threadKey);
    }
    endLeftScripts(options);
  }

  get views(): WorktreeStartView[] {
    return this.#list().map((start) => viewOf(start, this.#hasSetup(start)));
  }

  /** The set-up scripts that run, in words. */
  get running(): string[] {
    return this.#list().flatMap(({ startId, branch }) =>
      this.#scripts.has(startId) ? [`Set-up of ${branch}`] : [],
    );
  }

  /** What is still to begin from here, or in it, in words. */
  workIn(workspaceId: string): string[] {
    return this.views
      .filter(
        (start) =>
          start.state.phase !== "returned" &&
          (start.workspaceId === workspaceId || start.worktreeWorkspaceId === workspaceId),
      )
      .map(workWords);
  }

  /**
   * Writes it down and goes on by itself. Returns the key that the thread will have. Throws the Fault for which nothing was
   * begun: what was typed is a draft as before.
   */
  begin(wish: StartWish): Promise<string> {
    const already = this.#beginning.get(wish.clientId);
    if (already) return already;
    const beginning = this.#begin(wish).finally(() => this.#beginning.delete(wish.clientId));
    this.#beginning.set(wish.clientId, beginning);
    return beginning;
  }

  /**
   * Makes a worktree for the person, who has nothing to say in it yet. `threadKey`: under which it is shown how its set-up
   * goes on; null: there is none. Throws as `Worktrees.create` does, and nothing is left then.
   */
  async open(
    workspaceId: string,
    wish: { name: string; base: string | null },
  ): Promise<MadeWorktree & { threadKey: string | null }> {
    const { ledger, worktrees, clock } = this.#options;
    if (!this.#hasSetup({ workspaceId })) {
      return { ...(await worktrees.create(workspaceId, wish)), threadKey: null };
    }
    const startId = randomUUID();
    const worktreeWorkspaceId = randomUUID();
    const threadKey = `new:${worktreeWorkspaceId}:${startId}`;
    const start = { startId, threadKey, workspaceId, worktreeWorkspaceId, base: wish.base, ...noMessage() };
    try {
      const made = await worktrees.create(workspaceId, wish, (worktree) => {
        const { path, branch } = worktree;
        ledger.transaction(() => {
          ledger.worktrees.making(worktree);
          ledger.worktreeStarts.record({ ...start, branch }, { phase: "making" } satisfies StartState);
          ledger.worktreeStarts.placed(startId, path, branch);
        });
      });
      this.#hear(startId, { type: "made", hasSetup: true, atMs: clock.nowMs() });
      return { ...made, threadKey };
    } catch (error) {
      ledger.worktreeStarts.gone(startId);
      throw error;
    }
  }

  /** What an earlier run has left goes on. Call once, when it is known what became of its worktrees. Never throws. */
  resume(): void {
    try {
      for (const { startId, state, path } of this.#list()) {
        if (state.phase === "setting up" && path !== null) this.#dropPart(path);
        this.#hear(startId, { type: "resumed" });
      }
    } catch (error) {
      this.#options.log.error("threads that are to begin could not be gone on with", {
        error: asFault(error).message,
      });
    }
  }

  /** A worktree that an earlier run was making is whole, or there is nothing of it. */
  worktreeSettled(path: string): void {
    const start = this.#options.ledger.worktreeStarts.ofPath<StartState>(path);
    if (start?.state.phase === "making") void this.#make(start);
  }

  again(startId: string): void {
    this.#handle(startId, { type: "again", atMs: this.#options.clock.nowMs() });
  }

  anyway(startId: string): void {
    this.#handle(startId, { type: "anyway" });
  }

  takeBack(startId: string): void {
    this.#handle(startId, { type: "take back" });
  }

  stop(startId: string): void {
    this.#handle(startId, { type: "stop" });
  }

  dismiss(startId: string): void {
    const { ledger } = this.#options;
    if (ledger.worktreeStarts.get<StartState>(startId)?.state.phase !== "returned") return;
    ledger.worktreeStarts.gone(startId);
    this.#tell();
  }

  async output(
    startId: string,
    run: string | null,
    seen: number,
  ): Promise<PrintedPart & { run: string | null }> {
    const known = this.#printed.get(startId);
    if (!known) return this.#keptOutput(startId);
    // Of another run nothing has been seen.
    const part = await known.printed.after(run === known.runId ? seen : 0);
    return { run: known.runId, ...part };
  }

  /** What the last set-up of this worktree has printed; null: of none that is known. */
  logPath(workspaceId: string): string | null {
    const { ledger, logs } = this.#options;
    if (ledger.worktrees.ofWorkspace(workspaceId) === null) return null;
    const path = setupLogPath(logs, workspaceId);
    return existsSync(path) ? path : null;
  }

  /** Of a run before this start of Holdfast. */
  #keptOutput(startId: string): PrintedPart & { run: string | null } {
    const start = this.#options.ledger.worktreeStarts.get(startId);
    const text = start === null ? "" : readSetupLog(this.#options.logs, start.worktreeWorkspaceId);
    return { run: text === "" ? null : "before", from: 0, text, ended: true };
  }

  setup(workspaceId: string): { script: string; copies: string[] } {
    return this.#options.ledger.worktreeSetups.get(this.#options.worktrees.parentOf(workspaceId));
  }

  /** Throws Fault `setup_copy` for a file that is outside of the repository. */
  setSetup(workspaceId: string, setup: { script: string; copies: string[] }): void {
    const copies = [...new Set(setup.copies.filter((name) => name.trim() !== "").map(checkCopyName))];
    const parentId = this.#options.worktrees.parentOf(workspaceId);
    this.#options.ledger.worktreeSetups.set(parentId, { script: setup.script, copies });
  }

  /** No script runs afterwards, and none is started. Bounded; never rejects. */
  async shutDown(): Promise<void> {
    this.#isClosed = true;
    const scripts = [...this.#scripts.values()];
    for (const script of scripts) script.stop();
    await Promise.all(scripts.map(({ ended }) => ended));
  }

  async #begin(wish: StartWish): Promise<string> {
    const { ledger, threads, worktrees } = this.#options;
    const known = this.#keyOfMessage(wish.clientId);
    if (known !== null) return known;
    const { workspaceId, settings } = threads.newThread(wish.threadKey);
    const { branch } = await worktrees.checkWish(workspaceId, {
      name: wish.branch,
      base: wish.base,
      ifTaken: "number",
    });
    const startId = randomUUID();
    const worktreeWorkspaceId = randomUUID();
    const threadKey = `new:${worktreeWorkspaceId}:${startId}`;
    const { clientId, base, text, attachments } = wish;
    ledger.transaction(() => {
      for (const { startId: other, state, workspaceId: place } of this.#list()) {
        // What was said of an earlier attempt is over with this one.
        if (state.phase === "returned" && place === workspaceId) ledger.worktreeStarts.gone(other);
      }
      ledger.worktreeStarts.record(
        {
          startId,
          clientId,
          threadKey,
          workspaceId,
          worktreeWorkspaceId,
          branch,
          base,
          text,
          attachments,
          settings,
        },
        { phase: "making" } satisfies StartState,
      );
      threads.await(threadKey);
      threads.handedOn(wish.threadKey, wish.seen);
    });
    this.#tell();
    this.#perform(startId, ["make"]);
    return threadKey;
  }

  #keyOfMessage(clientId: string): string | null {
    const { worktreeStarts, submissions } = this.#options.ledger;
    return worktreeStarts.ofMessage(clientId)?.threadKey ?? submissions.get(clientId)?.threadKey ?? null;
  }

  #list(): Start[] {
    return this.#options.ledger.worktreeStarts.list<StartState>();
  }

  #handle(startId: string, event: StartEvent): void {
    if (this.#isClosed) return;
    const { ledger } = this.#options;
    const start = ledger.worktreeStarts.get<StartState>(startId);
    if (!start) return;
    const [state, effects] = decide(start.state, event);
    if (state !== start.state) {
      ledger.transaction(() => {
        ledger.worktreeStarts.move(startId, state);
        // Its message is never in no place, and never in two.
        if (effects.includes("give back")) this.#giveBack(start);
      });
    }
    this.#tell();
    this.#perform(startId, effects);
  }

  /** What has happened, and nobody waits for an answer. What cannot be written down is taken up again by the person, or at the next start. */
  #hear(startId: string, event: StartEvent): void {
    try {
      this.#handle(startId, event);
    } catch (error) {
      const { message } = asFault(error);
      this.#options.log.error("what became of a start could not be written down", {
        startId,
        error: message,
      });
    }
  }

  #dropPart(path: string): void {
    dropPart(path).catch((error: unknown) => {
      this.#options.log.warn("what a copy has left could not be deleted", { error: asFault(error).message });
    });
  }

  #endScript(startId: string): void {
    const script = this.#scripts.get(startId);
    if (script) script.stop();
    // Its end could not be written down when it came.
    else this.#hear(startId, { type: "set-up ended", ending: cutOff });
  }

  #perform(startId: string, effects: readonly StartEffect[]): void {
    const start = this.#options.ledger.worktreeStarts.get<StartState>(startId);
    if (!start) return;
    for (const effect of effects) {
      switch (effect) {
        case "make":
          void this.#make(start);
          break;
        case "set up":
          void this.#setUp(start);
          break;
        case "end set-up":
          this.#endScript(startId);
          break;
        case "start":
          void this.#start(start);
          break;
        case "give back":
          // Done with the decision, in one step on disk.
          break;
        default:
          effect satisfies never;
      }
    }
  }

  async #make(start: Start): Promise<void> {
    const { ledger, worktrees, clock, log } = this.#options;
    const { startId, workspaceId, branch, base, path } = start;
    try {
      const known = path === null ? null : ledger.worktrees.get(path);
      // git still works at it, or what it has left is still to be taken away: `worktreeSettled` says when that is over.
      if (known?.state === "making") return;
      if (known === null && !hasMessage(start)) {
        // Nothing is lost that the person had written, and they see that there is no worktree.
        ledger.worktreeStarts.gone(startId);
        this.#tell();
        return;
      }
      if (known === null) {
        await worktrees.create(workspaceId, { name: branch, base, ifTaken: "number" }, (worktree) => {
          ledger.transaction(() => {
            if (ledger.worktreeStarts.get<StartState>(startId)?.state.phase !== "making")
              throw takenBackFault();
            ledger.worktrees.making(worktree);
            ledger.worktreeStarts.placed(startId, worktree.path, worktree.branch);
          });
        });
      }
      const hasSetup = this.#hasSetup(start);
      this.#hear(startId, { type: "made", hasSetup, atMs: clock.nowMs() });
    } catch (error) {
      const fault = asFault(error);
      log.info("a worktree for a new thread could not be made", { workspaceId, code: fault.code });
      this.#hear(startId, { type: "not made", fault: toFaultView(fault) });
    }
  }

  #hasSetup({ workspaceId }: Pick<Start, "workspaceId">): boolean {
    const { script, copies } = this.setup(workspaceId);
    return script.trim() !== "" || copies.length > 0;
  }

  async #setUp({ startId, workspaceId, worktreeWorkspaceId, path }: Start): Promise<void> {
    const { workspaces, worktrees, log } = this.#options;
    const { script, copies } = this.setup(workspaceId);
    const folder = path ?? "";
    const noFolder = (cause?: unknown) => noFolderFault(folder, cause);
    const run = new SetupScript(
      this.#options,
      { startId, workspaceId: worktreeWorkspaceId, script, folder, noFolder },
      async (printed, stopped) => {
        // Looked at first: without it nothing can be copied, and no shell can be started.
        await workspaces.presentFolder(worktreeWorkspaceId).catch((error: unknown) => {
          throw asFault(error).code === "folder_gone" ? noFolder(error) : error;
        });
        const mainFolder = await worktrees.rootOf(worktrees.parentOf(workspaceId));
        for (const name of copies) {
          if (stopped.aborted) break;
          const isIgnored = (file: string) => worktrees.ignores(mainFolder, file);
          const folders = { from: mainFolder, to: folder };
          const outcome = await copyIgnored(name, folders, isIgnored, stopped);
          printed.add(`${name}: ${copyWords[outcome]}\n`);
        }
        return { mainFolder };
      },
    );
    this.#scripts.set(startId, run);
    this.#printed.set(startId, { runId: run.runId, printed: run.printed });
    this.#tell();
    const ending = await run.ended;
    this.#scripts.delete(startId);
    // The list of workspaces says it, too.
    if (ending.how === "folder gone") workspaces.changedOnDisk(worktreeWorkspaceId);
    log.info("a worktree set-up has ended", { startId, how: ending.how, exitCode: ending.exitCode });
    this.#hear(startId, { type: "set-up ended", ending });
  }

  async #start(start: Start): Promise<void> {
    const { ledger, threads } = this.#options;
    const { startId, threadKey, clientId, text, settings } = start;
    try {
      const attachments = await this.#attachments(start);
      if (this.#isClosed) return;
      // One step on disk: what cannot be struck off is not handed over, so it is never given back as well.
      ledger.transaction(() => {
        ledger.worktreeStarts.gone(startId);
        if (!hasMessage(start) || ledger.submissions.get(clientId) !== null) return;
        threads.start(threadKey, { clientId, text, attachments }, settings);
      });
      this.#printed.delete(startId);
      this.#tell();
    } catch (error) {
      this.#hear(startId, { type: "thread not started", fault: toFaultView(asFault(error)) });
    }
  }

  /** A file of the repository that is mentioned is meant as it is in the worktree. */
  async #attachments({ workspaceId, path, attachments }: Start): Promise<Attachment[]> {
    if (path === null || !attachments.some(({ kind }) => kind === "mention")) return attachments;
    const root = await this.#options.worktrees.rootOf(workspaceId).catch(() => null);
    if (root === null) return attachments;
    return attachments.map((each) => {
      const within = relative(root, each.path);
      const isOutside = within === "" || within.startsWith("..") || isAbsolute(within);
      return each.kind === "mention" && !isOutside ? { ...each, path: join(path, within) } : each;
    });
  }

  #giveBack({ startId, threadKey, workspaceId, text, attachments }: Start): void {
    const { ledger, threads } = this.#options;
    threads.giveBack(threadKey, workspaceId, { text, attachments });
    ledger.worktreeStarts.emptied(startId);
    this.#printed.delete(startId);
  }

  #tell(): void {
    if (!this.#isClosed) this.#options.changed(this.views);
  }
}
