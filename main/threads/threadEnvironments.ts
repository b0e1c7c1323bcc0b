// Where the commands of each thread run: what a person has chosen, which only the ledger keeps.
//
// A choice outlives its environment: a thread of one that was removed does not run anything until another place is chosen.
// A child agent has none of its own: it works where the thread works that started it.
//
// Races settled here:
// - Another place is chosen while the thread is at work, or while codex loads it: the choice waits for the load, and is
//   refused while anything is at work.
// - codex keeps agents where they are for as long as it has them in memory: while it has any, no other place is chosen.
// - An agent is to be loaded before its thread has been told where to work: codex would have it work on this machine for as
//   long as it has it in memory. So it is only read until then.
// - codex names a thread, or forgets one that was never used: the choice goes with it. Holdfast is killed in between: it is
//   under the key by which the thread is found again.
// - codex names a thread and that cannot be written down: it keeps its choice under the key, and is made anew (threadNames.ts).
// - A fork is made and Holdfast is killed before it hears of it: when it is first seen, it is given the place of its source.

import type { EnvironmentChoice, ThreadEnvironmentsLedger } from "../ledger/threadEnvironmentsLedger";
import type { Connection } from "../supervisor/connection";
import { composedIn } from "./composedKey";
import { CodexEnvironments } from "./environments/codexEnvironments";
import {
  agentFault,
  agentsStayFault,
  ambiguousFault,
  atWorkFault,
  notAFullPathFault,
  notFoundFault,
  unknownFault,
} from "./environments/environmentFaults";
import type { EnvironmentSource } from "./environments/environmentSource";
import { isFullPath } from "./environments/fullPath";
import { listLoaded } from "./environments/loadedThreads";
import type { HostedThread } from "./host";
import type { ThreadRows } from "./threadRows";

export interface ThreadEnvironmentsOptions {
  environments: EnvironmentSource;
  ledger: { threadEnvironments: ThreadEnvironmentsLedger };
  connection(workspaceId: string): Connection | null;
}

interface AliveThread extends HostedThread {
  /** Something would be cut off if it went elsewhere now. */
  readonly busy: boolean;
  readonly place: { environmentsChanged(): void; readonly isTold: boolean };
  /** No load is on its way any more. Never rejects. */
  loadOver(): Promise<void>;
  placeChosen(): Promise<void>;
}

/** The threads whose places these are. */
export interface PlacedThreads {
  readonly rows: ThreadRows;
  readonly all: AliveThread[];
  /** Throws Fault `thread_unknown`. */
  runtime(key: string): AliveThread;
}

export class ThreadEnvironments {
  readonly #source: EnvironmentSource;
  readonly #ledger: ThreadEnvironmentsLedger;
  readonly #connection: ThreadEnvironmentsOptions["connection"];
  readonly #threads: PlacedThreads;
  readonly #choices: Map<string, EnvironmentChoice>;
  readonly #codex: CodexEnvironments;
  /** By key, the id under which the choice of a thread is that codex has forgotten. */
  readonly #formerIds = new Map<string, string>();

  constructor(options: ThreadEnvironmentsOptions, threads: PlacedThreads) {
    this.#source = options.environments;
    this.#ledger = options.ledger.threadEnvironments;
    this.#connection = options.connection;
    this.#threads = threads;
    this.#choices = this.#ledger.list();
    this.#codex = new CodexEnvironments(this.#source);
  }

  /** From the next turn on; null: this machine. Rejects with the Fault that says why not; nothing was changed then. */
  async choose(threadKey: string, choice: EnvironmentChoice | null): Promise<void> {
    if (choice !== null) {
      if (this.#source.name(choice.environmentId) === null) throw unknownFault(choice.environmentId);
      if (!isFullPath(choice.cwd)) throw notAFullPathFault(choice.cwd);
    }
    const runtime = this.#threads.runtime(threadKey);
    if (this.#rootOf(runtime) !== null) throw agentFault();
    await runtime.loadOver();
    if (runtime.busy) throw atWorkFault();
    const before = this.of(runtime);
    if (before?.environmentId !== choice?.environmentId) await this.#checkAgents(runtime);
    if (runtime.busy) throw atWorkFault();
    const key = this.#keyOf(runtime);
    this.#ledger.set(key, choice);
    if (choice === null) this.#choices.delete(key);
    else this.#choices.set(key, choice);
    this.#threads.rows.refresh();
    await runtime.placeChosen();
  }

  /**
   * For the key of a new thread that nobody has met yet. `environment`: its id, or its name. Throws the Fault that says why
   * not; nothing was changed then.
   */
  chooseForNew(key: string, { environment, cwd }: { environment: string; cwd: string }): void {
    const choice = { environmentId: this.#find(environment), cwd };
    if (!isFullPath(cwd)) throw notAFullPathFault(cwd);
    this.#ledger.set(key, choice);
    this.#choices.set(key, choice);
  }

  /** Where the thread works; null: on this machine. */
  of(thread: HostedThread): EnvironmentChoice | null {
    return this.#choices.get(this.#rootOf(thread) ?? this.#keyOf(thread)) ?? null;
  }

  /** For the row of this id. */
  idOf(threadKey: string): string | undefined {
    return this.#choices.get(this.#keptUnder(threadKey))?.environmentId;
  }

  name(environmentId: string): string | null {
    return this.#source.name(environmentId);
  }

  session(environmentId: string): number | null {
    return this.#source.session(environmentId);
  }

  attend(environmentId: string): void {
    if (this.#source.session(environmentId) === null) this.#source.attend(environmentId);
  }

  /** Has the codex of this connection connect to where the environment is now. Returns codex's id of it. */
  reach(connection: Connection, environmentId: string): Promise<string> {
    return this.#codex.reach(connection, environmentId);
  }

  /** For an agent: codex would have it work where its thread works. */
  isRootSelected(thread: HostedThread): boolean {
    const rootId = this.#rootOf(thread);
    if (rootId === null || !this.#choices.has(rootId)) return true;
    const root = this.#threads.all.find(({ threadId }) => threadId === rootId);
    return root?.place.isTold ?? false;
  }

  processGone(handleId: string): void {
    this.#codex.forget(handleId);
  }

  /** An environment has been added, renamed, removed, connected or lost. */
  environmentsChanged(): void {
    for (const { place } of this.#threads.all) place.environmentsChanged();
  }

  /** The titles of the threads that work in it, or wait for another place since it was removed. */
  usedBy(environmentId: string): string[] {
    const rows = this.#threads.rows;
    return [...this.#choices].flatMap(([key, choice]) => {
      if (choice.environmentId !== environmentId) return [];
      return rows.find(key)?.title || "New thread";
    });
  }

  /** The ids of environments in which threads of this workspace work. */
  usedIn(workspaceId: string): string[] {
    const rows = this.#threads.rows;
    const used = [...this.#choices].filter(
      ([key]) => (rows.find(key)?.workspaceId ?? composedIn(key)) === workspaceId,
    );
    return [...new Set(used.map(([, { environmentId }]) => environmentId))];
  }

  /** The folder there in which a thread of this workspace was used last; null: none was. */
  lastFolderIn(workspaceId: string, environmentId: string): string | null {
    const { rows } = this.#threads;
    let last: { cwd: string; usedAtMs: number } | null = null;
    for (const [key, choice] of this.#choices) {
      const row = rows.find(key);
      const usedAtMs = row?.updatedAtMs ?? 0;
      const isOfWorkspace = (row?.workspaceId ?? composedIn(key)) === workspaceId;
      if (choice.environmentId !== environmentId || !isOfWorkspace) continue;
      if (last === null || usedAtMs >= last.usedAtMs) last = { cwd: choice.cwd, usedAtMs };
    }
    return last?.cwd ?? null;
  }

  /** codex has made the thread of this key. */
  named(key: string, threadId: string): void {
    const former = this.#formerIds.get(key);
    const from = this.#keptUnder(key);
    const choice = this.#choices.get(from);
    if (choice !== undefined) {
      // It is under one of them, and under the key also when an earlier name could not be written down.
      for (const id of new Set([former ?? key, key])) if (id !== threadId) this.#ledger.move(id, threadId);
      this.#choices.delete(from);
      this.#choices.set(threadId, choice);
    }
    this.#formerIds.delete(key);
  }

  /** codex has forgotten it, and it is a key again. */
  unnamed(key: string, threadId: string): void {
    this.#formerIds.set(key, threadId);
  }

  /** codex has it no more. */
  forget(threadId: string): void {
    if (!this.#choices.delete(threadId)) return;
    this.#ledger.set(threadId, null);
  }

  /** A copy of a thread works where that works. Throws when that cannot be written. */
  forked(sourceId: string, threadId: string): void {
    const root = this.#threads.rows.lineOf(sourceId).at(-1) ?? sourceId;
    const choice = this.#choices.get(root);
    if (choice === undefined || this.#choices.has(threadId)) return;
    this.#ledger.set(threadId, choice);
    this.#choices.set(threadId, choice);
  }

  /** Choices for new threads that were never sent anything, in an earlier run. */
  forgetUnmade(isKnown: (key: string) => boolean): void {
    for (const key of [...this.#choices.keys()]) {
      if (composedIn(key) !== null && !isKnown(key)) this.forget(key);
    }
  }

  #find(wish: string): string {
    const all = this.#source.list();
    const found = all.filter(({ environmentId }) => environmentId === wish);
    const meant = found.length > 0 ? found : all.filter(({ name }) => name === wish);
    const [only, ...others] = meant;
    if (only === undefined) {
      throw notFoundFault(
        wish,
        all.map(({ name }) => name),
      );
    }
    if (others.length > 0) throw ambiguousFault(wish);
    return only.environmentId;
  }

  #keyOf({ key, threadId }: HostedThread): string {
    return threadId ?? this.#keptUnder(key);
  }

  /** For a thread that has no id, or has none any more. */
  #keptUnder(key: string): string {
    return this.#choices.has(key) ? key : (this.#formerIds.get(key) ?? key);
  }

  /** Of a child agent; null: it is a thread of its own. */
  #rootOf({ threadId }: HostedThread): string | null {
    if (threadId === null) return null;
    const line = this.#threads.rows.lineOf(threadId);
    return line.length > 1 ? (line.at(-1) ?? null) : null;
  }

  async #checkAgents({ threadId, workspaceId }: HostedThread): Promise<void> {
    const connection = this.#connection(workspaceId);
    const rows = this.#threads.rows;
    if (threadId === null || connection === null || !rows.hasChildren(threadId)) return;
    const loaded = await listLoaded(connection);
    const agents = loaded.filter((id) => id !== threadId && rows.lineOf(id).includes(threadId));
    if (agents.length > 0) throw agentsStayFault(agents.map((id) => rows.get(id)?.title ?? ""));
  }
}
