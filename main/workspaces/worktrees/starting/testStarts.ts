// For tests: worktrees with threads that are to begin in them, and with real scripts.

import { join } from "node:path";
import type { Attachment } from "../../../../preload/contract/items";
import { systemClock } from "../../../clock";
import type { Fault } from "../../../fault";
import { silentLog } from "../../../log";
import { TestWorktrees } from "../testWorktrees";
import { type DraftSeen, WorktreeStarts } from "./worktreeStarts";

const settings = { model: null, effort: null, sandbox: null, approvalPolicy: null };

interface Message {
  clientId: string;
  text: string;
  attachments: Attachment[];
}

export class TestStarts {
  readonly worktrees = new TestWorktrees();
  /** By thread key: what a thread has begun with. */
  readonly begun = new Map<string, Message>();
  /** Drafts of workspaces that have got a message back. */
  readonly drafts = new Map<string, string[]>();
  readonly handedOn: { threadKey: string; seen: DraftSeen }[] = [];
  /** Why a thread cannot start. */
  threadFault: Fault | null = null;
  starts: WorktreeStarts;
  engine = "";
  readonly #listeners = new Set<() => void>();

  constructor() {
    this.starts = this.#make();
  }

  async open(): Promise<void> {
    this.engine = await this.worktrees.openRepository();
  }

  /** Holdfast goes away, at once, and starts again. What it has started goes on, as it would. */
  async restart(): Promise<void> {
    this.worktrees.restart();
    this.starts = this.#make();
    await this.worktrees.worktrees.settle();
    this.starts.resume();
  }

  begin(part: Partial<Parameters<WorktreeStarts["begin"]>[0]> = {}): Promise<string> {
    return this.starts.begin({
      threadKey: `new:${this.engine}:1`,
      clientId: "00000000-0000-4000-8000-000000000001",
      text: "Fix the limiter",
      attachments: [],
      seen: "nothing",
      branch: "fix-limiter",
      base: null,
      ...part,
    });
  }

  get phases(): string[] {
    return this.starts.views.map(({ state }) => state.phase);
  }

  get only() {
    const [start] = this.starts.views;
    if (!start) throw new Error("there is no start");
    return start;
  }

  /** Resolves as soon as it holds. */
  until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!holds()) return;
        this.#listeners.delete(look);
        resolve();
      };
      this.#listeners.add(look);
      look();
    });
  }

  async output(): Promise<string> {
    const { startId } = this.only;
    for (let run: string | null = null, text = ""; ; ) {
      const part = await this.starts.output(startId, run, text.length);
      run = part.run;
      text += part.text;
      if (part.ended) return text;
    }
  }

  async remove(): Promise<void> {
    await this.starts.shutDown();
    this.worktrees.cleanups.close();
    this.worktrees.remove();
  }

  #make(): WorktreeStarts {
    const { worktrees } = this;
    const { ledger, home } = worktrees;
    const starts = new WorktreeStarts({
      clock: systemClock,
      log: silentLog,
      ledger,
      handles: ledger.handles,
      cleanups: worktrees.cleanups,
      owner: home,
      logs: join(home, "logs"),
      variables: async () => ({ ...(worktrees.environment as Record<string, string>), SHELL: "/bin/sh" }),
      workspaces: worktrees.workspaces,
      worktrees: worktrees.worktrees,
      threads: {
        newThread: (threadKey) => ({ workspaceId: threadKey.split(":")[1] ?? "", settings }),
        handedOn: (threadKey, seen) => this.handedOn.push({ threadKey, seen }),
        await() {},
        start: (threadKey, message) => {
          if (this.threadFault) throw this.threadFault;
          ledger.submissions.record({
            ...message,
            threadKey,
            threadId: null,
            workspaceId: threadKey.split(":")[1] ?? "",
            profileId: "user",
            kind: "turn",
            settings,
          });
          if (this.begun.has(threadKey)) throw new Error("it has begun already");
          this.begun.set(threadKey, message);
        },
        giveBack: (_threadKey, workspaceId, { text }) => {
          this.drafts.set(workspaceId, [...(this.drafts.get(workspaceId) ?? []), text]);
        },
      },
      changed: () => {
        for (const listener of [...this.#listeners]) listener();
      },
    });
    worktrees.settled = (path) => starts.worktreeSettled(path);
    return starts;
  }
}
