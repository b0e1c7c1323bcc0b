// One thread as Holdfast knows it, and the windows that watch it. Everything that is shown comes from here; everything
// that changes it goes through here, so that what a window was told and what is true cannot part.

import { isDeepStrictEqual } from "node:util";
import type { FaultView } from "../../preload/contract/fault";
import type { Request } from "../../preload/contract/requests";
import type {
  McpServerView,
  RunView,
  SubmissionView,
  ThreadChange,
  ThreadHead,
  ThreadSettings,
  ThreadSnapshot,
  ThreadState as ThreadStateWord,
  TokenUsage,
} from "../../preload/contract/thread";
import { decideRun, idleRun, isRunning, type RunEffect, type RunEvent, type RunState } from "./runMachine";
import { Transcript } from "./transcript";

export type ThreadListener = (changes: ThreadChange[], urgent: boolean) => void;

/** What is true of the thread apart from its transcript and its run. */
export interface ThreadFacts {
  key: string;
  threadId: string | null;
  workspaceId: string;
  title: string;
  archived: boolean;
  demo: boolean;
  residency: ThreadHead["residency"];
  fault: FaultView | null;
  plan: ThreadHead["plan"];
  usage: TokenUsage | null;
  mcpServers: McpServerView[];
  settings: ThreadSettings;
  /** codex's cursor for the page before the first turn held here. */
  olderCursor: string | null;
  loadingOlder: boolean;
  submissions: SubmissionView[];
  requests: Request[];
}

export class ThreadState {
  transcript = new Transcript();
  #run: RunState = idleRun;
  #facts: ThreadFacts;
  #head: ThreadHead;
  readonly #listeners = new Set<ThreadListener>();
  readonly #onHead: (head: ThreadHead) => void;

  /** `onHead` hears of every change of the head, watched or not: the sidebar's rows are made of it. */
  constructor(facts: ThreadFacts, onHead: (head: ThreadHead) => void) {
    this.#facts = facts;
    this.#onHead = onHead;
    this.#head = this.#makeHead();
  }

  get facts(): Readonly<ThreadFacts> {
    return this.#facts;
  }

  get head(): ThreadHead {
    return this.#head;
  }

  get running(): boolean {
    return isRunning(this.#run.run);
  }

  get runningTurnId(): string | null {
    return this.#run.run.phase === "running" ? this.#run.run.turnId : null;
  }

  get watched(): boolean {
    return this.#listeners.size > 0;
  }

  snapshot(): ThreadSnapshot {
    return { head: this.#head, turns: this.transcript.turns, items: this.transcript.items };
  }

  watch(listener: ThreadListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Tells the windows of changes already made to the transcript. */
  publish(changes: ThreadChange[], urgent: boolean): void {
    if (changes.length > 0) for (const listener of this.#listeners) listener(changes, urgent);
  }

  update(facts: Partial<ThreadFacts>): void {
    this.#facts = { ...this.#facts, ...facts };
    this.refreshHead();
  }

  run(event: RunEvent): RunEffect[] {
    const [state, effects] = decideRun(this.#run, event);
    if (state !== this.#run) {
      this.#run = state;
      this.refreshHead();
    }
    return effects;
  }

  /** Drops the conversation from memory; it is loaded again when somebody looks. */
  forgetTranscript(): void {
    this.transcript = new Transcript();
    this.update({ olderCursor: null });
  }

  /** Call after the transcript changed in a way that shows in the head. */
  refreshHead(): void {
    const next = this.#makeHead();
    const changed: Partial<ThreadHead> = {};
    for (const name of Object.keys(next) as (keyof ThreadHead)[]) {
      if (!isDeepStrictEqual(next[name], this.#head[name])) Object.assign(changed, { [name]: next[name] });
    }
    if (Object.keys(changed).length === 0) return;
    this.#head = next;
    this.publish([{ type: "head", value: changed }], true);
    this.#onHead(next);
  }

  #makeHead(): ThreadHead {
    const { olderCursor, ...facts } = this.#facts;
    return {
      ...facts,
      state: this.#stateWord(),
      run: this.#runView(),
      changed: this.#changed(),
      hasOlder: olderCursor !== null,
    };
  }

  #stateWord(): ThreadStateWord {
    const asks = this.#facts.requests;
    if (asks.some((request) => request.kind !== "questions" && request.kind !== "link"))
      return "waiting for approval";
    if (asks.length > 0) return "waiting for answer";
    if (this.running) return "running";
    if (this.#facts.submissions.some((submission) => submission.state === "undelivered")) return "failed";
    if (this.#facts.threadId !== null && this.#facts.residency !== "loaded") return "not loaded";
    const last = this.transcript.lastTurn;
    if (last?.status === "failed" || last?.status === "interrupted") return last.status;
    return "idle";
  }

  #runView(): RunView | null {
    const { run } = this.#run;
    if (run.phase !== "asked" && run.phase !== "running") return null;
    const waitingFor = this.#facts.requests.map((request): string =>
      request.kind === "questions" || request.kind === "link" ? "your answer" : "your approval",
    );
    for (const server of this.#facts.mcpServers) {
      if (server.state === "starting") waitingFor.push(`MCP server ${server.name} to start`);
    }
    return {
      turnId: run.phase === "running" ? run.turnId : null,
      startedAtMs: run.sinceMs,
      stopping: run.stopping,
      retrying: run.phase === "running" ? run.retrying : null,
      waitingFor: [...new Set(waitingFor)],
    };
  }

  /** Files of the last turn that changed any. */
  #changed(): ThreadHead["changed"] {
    const turnId = this.transcript.lastTurn?.id;
    const perFile = new Map<string, { added: number; removed: number }>();
    for (const item of this.transcript.items) {
      if (item.kind !== "fileChange" || item.turnId !== turnId) continue;
      if (item.status === "declined" || item.status === "failed") continue;
      for (const change of item.changes) {
        const sum = perFile.get(change.path) ?? { added: 0, removed: 0 };
        perFile.set(change.path, { added: sum.added + change.added, removed: sum.removed + change.removed });
      }
    }
    if (perFile.size === 0) return null;
    let added = 0;
    let removed = 0;
    for (const sum of perFile.values()) {
      added += sum.added;
      removed += sum.removed;
    }
    return { files: perFile.size, added, removed };
  }
}
