// Which threads are alive in main, by their key and, once codex has named them, by their id; and how they belong together.

import type { ReviewComment } from "../../preload/contract/comments";
import type { Request } from "../../preload/contract/requests";
import type { ThreadSettings } from "../../preload/contract/thread";
import type { Clock } from "../clock";
import type { ThreadsLedger } from "../ledger/threadsLedger";
import type { HostedThread, ThreadHost } from "./host";
import type { RequestBook } from "./requestBook";
import type { ThreadRunMarks } from "./runMarks";
import type { ThreadRows } from "./threadRows";
import { ThreadRuntime } from "./threadRuntime";

export interface ThreadRegistryOptions {
  clock: Clock;
  rows: ThreadRows;
  requests: RequestBook;
  ledger: ThreadsLedger;
  workspace(workspaceId: string): { demo: boolean; profileId: string };
  newThreadSettings(): ThreadSettings;
  runMarks: Pick<ThreadRunMarks, "byThread">;
  comments(key: string, threadId: string | null): ReviewComment[];
}

export class ThreadRegistry {
  readonly #options: ThreadRegistryOptions;
  readonly #runtimes = new Map<string, ThreadRuntime>();

  constructor(options: ThreadRegistryOptions) {
    this.#options = options;
  }

  get all(): ThreadRuntime[] {
    return [...new Set(this.#runtimes.values())];
  }

  get(key: string): ThreadRuntime | undefined {
    return this.#runtimes.get(key);
  }

  has(key: string): boolean {
    return this.#runtimes.has(key);
  }

  ofWorkspace(workspaceId: string): ThreadRuntime[] {
    return this.all.filter((runtime) => runtime.workspaceId === workspaceId);
  }

  meet(
    host: ThreadHost,
    thread: {
      key: string;
      threadId: string | null;
      workspaceId: string;
      title: string;
      archived: boolean;
      cutOff?: string;
    },
  ): ThreadRuntime {
    const { ledger, newThreadSettings, workspace, rows, clock, runMarks } = this.#options;
    const { key, threadId, workspaceId } = thread;
    const { demo } = workspace(workspaceId);
    const startedByRun = runMarks.byThread(key);
    const runtime = new ThreadRuntime(host, {
      ...thread,
      cutOff: thread.cutOff ?? null,
      demo,
      residency: "stored",
      fault: null,
      plan: null,
      usage: null,
      mcpServers: [],
      leftRunning: [],
      settings: ledger.getSettings(key) ?? newThreadSettings(),
      environment: null,
      olderCursor: null,
      loadingOlder: false,
      submissions: [],
      followUps: { entries: [], held: null, keeper: "codex" },
      comments: this.#options.comments(key, threadId),
      requests: threadId === null ? [] : this.requestsOf(threadId),
      ...(startedByRun && { startedByRun }),
    });
    this.#runtimes.set(key, runtime);
    rows.live(runtime.state.head, clock.nowMs());
    return runtime;
  }

  /** Null: no row says which workspace it belongs to. */
  meetRow(host: ThreadHost, threadId: string): ThreadRuntime | null {
    const row = this.#options.rows.find(threadId);
    if (!row) return null;
    const { workspaceId, title, archived, cutOff } = row;
    return this.meet(host, { key: threadId, threadId, workspaceId, title, archived, cutOff });
  }

  named(key: string, threadId: string): void {
    const runtime = this.#runtimes.get(key);
    if (runtime) this.#runtimes.set(threadId, runtime);
  }

  /** Main knows more of it than codex's list says. */
  speaksForItself(threadId: string): boolean {
    const runtime = this.#runtimes.get(threadId);
    return runtime !== undefined && (runtime.followed || runtime.inUse);
  }

  /** The agents that a conversation names get rows under it. Returns the ones that had none there before. */
  noteAgents(parent: HostedThread, agents: { threadId: string; name: string | null }[]): string[] {
    const { threadId, workspaceId } = parent;
    if (agents.length === 0 || threadId === null) return [];
    const { rows, workspace, clock } = this.#options;
    const above = rows.lineOf(threadId);
    const { profileId } = workspace(workspaceId);
    const atMs = clock.nowMs();
    // An agent may also write to the one that started it.
    const below = agents.filter((agent) => !above.includes(agent.threadId));
    const added = below.filter((agent) => !rows.get(agent.threadId)?.parentThreadId);
    for (const agent of below) {
      rows.child({ ...agent, parentThreadId: threadId, workspaceId, profileId, atMs });
    }
    return [...new Set(added.map((agent) => agent.threadId))];
  }

  /** A child agent's requests show at the child and, with its name, at all its parents. */
  requestsOf(threadId: string): Request[] {
    const { requests, rows } = this.#options;
    return requests.waiting
      .filter((request) => rows.lineOf(request.threadId).includes(threadId))
      .map((request) => (request.threadId === threadId ? request : this.#named(request)));
  }

  /** Everything that waits for the person, with the names of the agents that ask; oldest first. */
  get waiting(): Request[] {
    return this.#options.requests.waiting.map((request) => this.#named(request));
  }

  #named(request: Request): Request {
    const agent = this.#options.rows.get(request.threadId)?.agent;
    return agent ? { ...request, agentName: agent.name } : request;
  }

  requestsChanged(threadId: string): void {
    for (const id of this.#options.rows.lineOf(threadId)) this.#runtimes.get(id)?.requestsChanged();
  }

  /** Another thread of the same tree is shown or at work. */
  treeInUse(thread: HostedThread): boolean {
    if (thread.threadId === null) return false;
    const { rows } = this.#options;
    const root = rows.lineOf(thread.threadId).at(-1);
    return this.all.some(
      (other) =>
        other !== thread &&
        other.inUse &&
        other.threadId !== null &&
        rows.lineOf(other.threadId).at(-1) === root,
    );
  }

  /** One of the threads above it is being stopped. */
  isBeingStopped(threadId: string): boolean {
    const [, ...above] = this.#options.rows.lineOf(threadId);
    return above.some((id) => this.#runtimes.get(id)?.state.stopping);
  }

  stopChildren(thread: HostedThread): void {
    const { threadId } = thread;
    if (threadId === null) return;
    for (const other of this.all) {
      if (other === thread || other.threadId === null) continue;
      if (this.#options.rows.lineOf(other.threadId).includes(threadId)) other.run({ type: "stop" });
    }
  }
}
