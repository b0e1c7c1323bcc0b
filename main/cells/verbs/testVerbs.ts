// For tests: what scripts of one workspace can do, over threads that a test has.

import type { CellQuestion } from "../../../preload/contract/cells";
import type { Clock } from "../../clock";
import type { Fault } from "../../fault";
import { silentLog } from "../../log";
import type { Connection } from "../../supervisor/connection";
import type { TestRunMarks } from "../../threads/testRunMarks";
import type { TestThreads } from "../../threads/testThreads";
import type { Threads } from "../../threads/threads";
import type { Workspace, Workspaces } from "../../workspaces/workspaces";
import type { Worktrees } from "../../workspaces/worktrees/worktrees";
import type { ToolArgs, ToolName, ToolResult } from "../tools/tools";
import { tools } from "../tools/tools";
import { CellVerbs } from "./cellVerbs";
import { Questions } from "./questions";
import type { RunMarks } from "./runMarks";

export interface TestVerbsOptions {
  workspaceId: string;
  folder: string;
  threads: Threads;
  clock: Clock;
  marks: TestRunMarks;
  connect(): Promise<Connection>;
  create?: Worktrees["create"];
}

export class TestVerbs {
  readonly verbs: CellVerbs;
  readonly questions: Questions;
  /** As windows were told last. */
  asked: CellQuestion[] = [];
  /** Why nothing can be sent in a workspace, by its id. */
  readonly cannotSend = new Map<string, Fault>();

  /** Over the threads of a bench, with the codex that the test plays. */
  static over(bench: TestThreads, create?: Worktrees["create"]): TestVerbs {
    const { workspaceId, folder, threads, clock, runMarks: marks } = bench;
    return new TestVerbs({
      workspaceId,
      folder,
      threads,
      clock,
      marks,
      create,
      connect: () => bench.connect(),
    });
  }

  constructor({ workspaceId, folder, threads, clock, marks, connect, create }: TestVerbsOptions) {
    this.questions = new Questions({
      clock,
      changed: (questions) => {
        this.asked = questions;
      },
    });
    this.verbs = new CellVerbs({
      workspaceId,
      clock,
      threads,
      log: silentLog,
      workspaces: testWorkspaces([
        { id: workspaceId, path: folder },
        { id: "other", path: "/home/ada/other" },
      ]),
      worktrees: { create: create ?? (() => Promise.reject(new Error("no worktree is made here"))) },
      connect,
      cannotSend: (id) => this.cannotSend.get(id) ?? null,
      questions: this.questions,
      marks: runMarks(marks),
    });
  }

  /** As the script `runId` calls it, with what it leaves out. */
  call<Name extends ToolName>(
    name: Name,
    args: object,
    { runId = "run-1", signal = new AbortController().signal } = {},
  ): Promise<ToolResult<Name>> {
    const given = tools[name].args.parse(args) as ToolArgs<Name>;
    return this.verbs.call(runId, name, given, signal) as Promise<ToolResult<Name>>;
  }
}

function runMarks(marks: TestRunMarks): RunMarks {
  return Object.assign(marks, {
    refOf: (runId: string) => ({ runId, scriptName: marks.nameOf(runId) }),
    thread: (runId: string, key: string) => void marks.threads.set(key, runId),
  });
}

function testWorkspaces(open: { id: string; path: string }[]): Workspaces {
  const known = open.map(({ id, path }): Workspace => {
    return { id, path, name: id, demo: false, gone: false, git: null, parentWorkspaceId: null };
  });
  const get = (id: string) => {
    const workspace = known.find((each) => each.id === id);
    if (!workspace) throw new Error(`no workspace ${id}`);
    return workspace;
  };
  const parts: Pick<Workspaces, "get" | "list" | "idOfPath" | "presentFolder"> = {
    get,
    list: () => known,
    idOfPath: (path) => known.find((each) => each.path === path)?.id ?? null,
    presentFolder: async (id) => get(id).path,
  };
  return parts as Workspaces;
}
