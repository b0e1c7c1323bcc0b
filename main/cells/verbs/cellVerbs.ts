// Does for the scripts of one workspace what they ask for. Nothing is possible here that is not possible in a window.
//
// Races settled here:
// - A run is closed while calls of it go on: all of them are given up, and it is closed when the last one is over. Closed
//   once more, it waits for the same, or finds nothing left.
// - What a call has begun in codex (a turn, a thread) goes on when the call is given up, as it does when a window goes away.
//   Commands and questions do not: they are the run's own.

import type { Clock } from "../../clock";
import { Fault } from "../../fault";
import type { Log } from "../../log";
import type { Connection } from "../../supervisor/connection";
import type { Threads } from "../../threads/threads";
import type { Workspaces } from "../../workspaces/workspaces";
import type { Worktrees } from "../../workspaces/worktrees/worktrees";
import { doCall, type ToolVerbs } from "../runtime/delegate";
import type { ToolName } from "../tools/tools";
import { Commands } from "./commands";
import { commandVerb } from "./commandVerb";
import { OpenFolders } from "./openFolders";
import type { Questions } from "./questions";
import type { RunMarks } from "./runMarks";
import { ThreadVerbs } from "./threadVerbs";
import { worktreeVerb } from "./worktreeVerb";

export interface CellVerbsOptions {
  workspaceId: string;
  clock: Clock;
  threads: Threads;
  workspaces: Workspaces;
  worktrees: Pick<Worktrees, "create">;
  /** Starts the session of a workspace if need be. */
  connect(workspaceId: string): Promise<Connection>;
  /** Why nothing can be sent in a workspace, as far as that is known without trying. */
  cannotSend(workspaceId: string): Fault | null;
  log: Log;
  questions: Questions;
  marks: RunMarks;
}

interface Run {
  controller: AbortController;
  calls: Set<Promise<unknown>>;
}

export class CellVerbs {
  readonly #verbs: ToolVerbs;
  readonly #commands: Commands;
  readonly #threads: ThreadVerbs;
  readonly #runs = new Map<string, Run>();

  constructor(options: CellVerbsOptions) {
    const { workspaceId, workspaces, questions, marks } = options;
    const scriptName = (runId: string) => marks.refOf(runId)?.scriptName ?? "of a run that is kept no more";
    const folders = new OpenFolders(workspaces, workspaceId);
    const threads = new ThreadVerbs({ ...options, folders, scriptName });
    const commands = new Commands(options);
    this.#commands = commands;
    this.#threads = threads;
    this.#verbs = {
      listThreads: (args, asked) => threads.listThreads(args, asked),
      startThread: (args, asked) => threads.startThread(args, asked),
      sendMessage: (args, asked) => threads.sendMessage(args, asked),
      queueFollowUp: (args, asked) => threads.queueFollowUp(args, asked),
      waitForTurn: (args, asked) => threads.waitForTurn(args, asked),
      readThread: (args, asked) => threads.readThread(args, asked),
      interrupt: (args, asked) => threads.interrupt(args, asked),
      runCommand: commandVerb({ ...options, folders, commands }),
      createWorktree: worktreeVerb({ ...options, folders }),
      ask: async ({ question, options: choices = [] }, { cellId: runId, signal }) => ({
        answer: await questions.ask(
          { runId, scriptName: scriptName(runId), workspaceId, question, options: choices },
          signal,
        ),
      }),
    };
  }

  /** Does one call that fits its tool's schema. Rejects with a Fault; soon after the signal is aborted, with its reason. */
  call(runId: string, name: ToolName, args: unknown, signal: AbortSignal): Promise<unknown> {
    const run = this.#run(runId);
    const both = AbortSignal.any([signal, run.controller.signal]);
    const call = doCall(this.#verbs, name, args, { cellId: runId, signal: both });
    const over = call.then(
      () => undefined,
      () => undefined,
    );
    run.calls.add(over);
    void over.then(() => run.calls.delete(over));
    return call;
  }

  /** The run has ended. Resolves when nothing of it goes on that was only its own. */
  async closed(runId: string): Promise<void> {
    const run = this.#runs.get(runId);
    if (run) {
      run.controller.abort(new Fault("run_ended", "The run has ended."));
      await Promise.all(run.calls);
    }
    await this.#commands.closed(runId);
    this.#threads.closed(runId);
    this.#runs.delete(runId);
  }

  /** A command needs this workspace's session, whichever workspace its script runs in. */
  usesSession(workspaceId: string): boolean {
    return this.#commands.uses(workspaceId);
  }

  #run(runId: string): Run {
    let run = this.#runs.get(runId);
    if (!run) {
      run = { controller: new AbortController(), calls: new Set() };
      this.#runs.set(runId, run);
    }
    return run;
  }
}
