// The rows of the sidebar: threads as codex lists them, as the ledger remembers them, and as they are right now.
//
// Races settled here:
// - A listing that was asked before something happened arrives after it: a thread that is alive in main speaks for itself,
//   and a row that has been changed since the listing was asked keeps its title and its place.
// - A child agent is named by its parent's conversation before codex lists it, or is listed without its parent: whichever
//   says the parent first is believed, and the row is never at the top in between.
// - A turn ends while Holdfast is not running: that it ran is in the ledger from its beginning to the end that was seen. A
//   later run that finds the thread at rest marks it as unread, however it finds that: by the list, by reading it after an
//   adoption, by loading it, or because no process is left that could be at work in it. Whether it was cut off is asked then.
// - A thread whose last turn was cut off has been gone on with by another program: it is newer than it was, and asked again.

import type { AgentView, AppChange, ThreadRow } from "../../preload/contract/app";
import type { ThreadHead } from "../../preload/contract/thread";
import type { Thread } from "../codex/protocol/v2/Thread";
import type { SeenThread, ThreadRecord, ThreadsLedger } from "../ledger/threadsLedger";
import { saidOfThread } from "./agents/agentNews";
import { type KeptAgents, unnamedAgent } from "./agents/keptAgents";
import type { KeptCuts } from "./keptCuts";
import { leftWords } from "./leftRunning";
import { wordsOrNull } from "./loose";
import { titleOf } from "./titles";

/** The ledger's word for a thread that codex may forget, since no turn has ended in it. */
const neverUsed = "never used";

/** The ledger's word for a thread in which a turn was running when it was last heard of. */
const atWork = "running";

/** The ledger's word for a thread whose last turn was cut off before its end. */
const cutOffWord = "interrupted";

export interface ListedThreads {
  workspaceId: string;
  profileId: string;
  threads: Thread[];
  archived: boolean;
  /** `mark` at the time when the listing was asked. */
  askedAt: number;
  /** This thread speaks for itself. */
  isLive(threadId: string): boolean;
}

/** Where threads work, as far as rows say it. */
export interface RowEnvironments {
  idOf(threadId: string): string | undefined;
  /** This thread is a copy of that one, and has never been seen before. */
  forked(sourceId: string, threadId: string): void;
}

export class ThreadRows {
  readonly #rows = new Map<string, ThreadRow>();
  readonly #changedAt = new Map<string, number>();
  readonly #ledger: ThreadsLedger;
  readonly #agents: Pick<KeptAgents, "read">;
  readonly #cuts: Pick<KeptCuts, "reason">;
  readonly #environments: RowEnvironments;
  readonly #publish: (changes: AppChange[], urgent: boolean) => void;
  readonly #endedAway: (threadId: string) => void;
  readonly #goneOn: (threadId: string) => void;
  readonly #unkept: (threadId: string, error: unknown) => void;
  /** Threads that the ledger has as at work: a turn was seen to run, or an earlier run of Holdfast wrote so. */
  readonly #atWork = new Map<string, "seen" | "written">();
  #mark = 0;

  constructor(
    ledger: ThreadsLedger,
    agents: Pick<KeptAgents, "read">,
    cuts: Pick<KeptCuts, "reason">,
    environments: RowEnvironments,
    told: {
      publish(changes: AppChange[], urgent: boolean): void;
      /** A turn of this thread, which is no agent's, has ended while Holdfast was not running. */
      endedAway(threadId: string): void;
      /** Its last turn was cut off, and it has been used elsewhere since. */
      goneOn(threadId: string): void;
      /** What was seen of it could not be written down: what is shown stays right, a later start may know less. */
      unkept(threadId: string, error: unknown): void;
    },
  ) {
    this.#ledger = ledger;
    this.#agents = agents;
    this.#cuts = cuts;
    this.#environments = environments;
    this.#publish = (changes, urgent) => told.publish(changes, urgent);
    this.#endedAway = (threadId) => told.endedAway(threadId);
    this.#goneOn = (threadId) => told.goneOn(threadId);
    this.#unkept = (threadId, error) => told.unkept(threadId, error);
  }

  get all(): ThreadRow[] {
    return [...this.#rows.values()];
  }

  /** Grows with every change that is made here. */
  get mark(): number {
    return this.#mark;
  }

  get(threadId: string): ThreadRow | null {
    return this.#rows.get(threadId) ?? null;
  }

  /** The row, brought back from the ledger if need be. */
  find(threadId: string): ThreadRow | null {
    const known = this.#rows.get(threadId);
    if (known) return known;
    const record = this.#ledger.get(threadId);
    return record && this.#remembered(record);
  }

  ofWorkspace(workspaceId: string): ThreadRow[] {
    return this.all.filter((row) => row.workspaceId === workspaceId);
  }

  /** What is remembered of a workspace's threads, before codex has answered. Nothing of it counts as running. */
  remember(workspaceId: string): void {
    const records = this.#ledger.list(workspaceId);
    for (const { threadId, lastKnownState } of records)
      if (lastKnownState === atWork && !this.#atWork.has(threadId)) this.#atWork.set(threadId, "written");
    this.#put(
      records
        .filter((record) => !this.#rows.has(record.threadId) && record.lastKnownState !== neverUsed)
        .map((record) => this.#remembered(record)),
    );
  }

  /** A page of codex's list. */
  listed(page: ListedThreads): void {
    const { workspaceId, profileId, archived, askedAt } = page;
    const seen: SeenThread[] = [];
    const rows: ThreadRow[] = [];
    const ended = new Set<string>();
    const goneOn: string[] = [];
    for (const thread of page.threads) {
      const listed = seenThread(workspaceId, profileId, thread, archived);
      const known = this.#rows.get(listed.threadId);
      const isStale = (this.#changedAt.get(listed.threadId) ?? 0) > askedAt;
      const isLive = page.isLive(listed.threadId);
      if (known && (isLive || isStale)) {
        listed.title = known.title;
        listed.archived = known.archived;
        listed.updatedAtMs = Math.max(listed.updatedAtMs, known.updatedAtMs);
      }
      listed.parentThreadId ??= known?.parentThreadId ?? null;
      if (listed.parentThreadId !== null) listed.title = this.#agentTitle(thread, listed, known);
      const isActive = thread.status?.type === "active";
      const record = this.#ledger.get(listed.threadId);
      if (thread.forkedFromId && listed.parentThreadId === null && !known && !record)
        this.#environments.forked(thread.forkedFromId, listed.threadId);
      // codex does not list a thread that was never used: its first turn has begun, and nobody saw the end of it.
      const leftAtWork = record?.lastKnownState === atWork || record?.lastKnownState === neverUsed;
      const wasAtWork = this.#atWork.has(listed.threadId) || leftAtWork;
      const cutOff = known ? known.cutOff : this.#cutOffOf(record);
      if (cutOff !== undefined && !wasAtWork) {
        listed.lastKnownState = cutOffWord;
        const before = known?.updatedAtMs ?? record?.updatedAtMs ?? 0;
        if (!isLive && listed.updatedAtMs > before) goneOn.push(listed.threadId);
      }
      const hasEnded = wasAtWork && !isLive && !isActive;
      if (hasEnded) ended.add(listed.threadId);
      else if (wasAtWork) {
        listed.lastKnownState = atWork;
        if (!this.#atWork.has(listed.threadId)) this.#atWork.set(listed.threadId, "written");
      }
      seen.push(listed);
      rows.push({
        threadId: listed.threadId,
        workspaceId,
        title: listed.title,
        state: known && isLive ? known.state : cutOff === undefined ? "not loaded" : "interrupted",
        archived: listed.archived,
        unread: (hasEnded && listed.parentThreadId === null) || (known?.unread ?? record?.unread ?? false),
        updatedAtMs: listed.updatedAtMs,
        parentThreadId: listed.parentThreadId,
        forkedFromId:
          listed.parentThreadId === null ? (thread.forkedFromId ?? known?.forkedFromId) : undefined,
        agent: this.#agentOf(listed, known),
        source: listed.source,
        hasDraft: known?.hasDraft ?? false,
        leftRunning: known?.leftRunning,
        cutOff,
      });
    }
    this.#ledger.upsert(seen);
    for (const { threadId, unread } of rows) {
      if (!ended.has(threadId)) continue;
      this.#atWork.delete(threadId);
      this.#ledger.setUnread(threadId, unread);
    }
    this.#put(rows);
    for (const { threadId, parentThreadId } of rows) {
      if (ended.has(threadId) && parentThreadId === null) this.#endedAway(threadId);
    }
    for (const threadId of goneOn) this.#goneOn(threadId);
  }

  /** An earlier run of Holdfast left it at work, and how that ended has not been seen. */
  wasLeftAtWork(threadId: string): boolean {
    return this.#atWork.get(threadId) === "written" || this.isUnused(threadId);
  }

  /** How its last turn ended has been found out, though it is not loaded. Null: in order. */
  cutOff(threadId: string, reason: string | null): void {
    const known = this.#rows.get(threadId);
    if (!known) return;
    this.#noteCut(threadId, reason !== null);
    this.#put([
      { ...known, cutOff: reason ?? undefined, state: reason === null ? "not loaded" : "interrupted" },
    ]);
  }

  /** Threads of this workspace that an earlier run of Holdfast left at work, and of which nothing has been found out yet. */
  leftAtWork(workspaceId: string): string[] {
    return this.ofWorkspace(workspaceId).flatMap(({ threadId }) =>
      this.#atWork.get(threadId) === "written" ? threadId : [],
    );
  }

  /**
   * Nothing runs in this thread, and something has. If an earlier run of Holdfast left it at work, that has ended where nobody
   * looked.
   */
  foundAtRest(threadId: string, isWatched: boolean): void {
    // The end of the first turn would have been noted, had it been seen.
    if (!this.wasLeftAtWork(threadId)) return;
    this.#noteWork(threadId, false);
    if (isWatched || this.#rows.get(threadId)?.parentThreadId) return;
    this.update(threadId, { unread: true });
    this.#endedAway(threadId);
  }

  /** A thread that is alive in main. One without an id yet is listed once something was sent to it. */
  live(head: ThreadHead, atMs: number): void {
    const id = head.threadId ?? head.key;
    const known = this.#rows.get(id);
    if (head.threadId === null && head.submissions.length === 0) {
      this.remove(id);
      return;
    }
    if (head.threadId !== null && head.run !== null) this.#noteWork(id, true);
    else if (this.#atWork.get(id) === "seen") this.#noteWork(id, false);
    const cutOff = head.cutOff ?? undefined;
    if (head.run === null && cutOff !== known?.cutOff) this.#noteCut(id, cutOff !== undefined);
    // What was a key until now has its row under its id from now on, and never two.
    const former = head.key !== id && this.#rows.has(head.key) ? [head.key] : [];
    const started = head.run !== null && !(known?.state === "running" || known?.state.startsWith("waiting"));
    this.#put(
      [
        {
          threadId: id,
          workspaceId: head.workspaceId,
          title: head.title || (known?.title ?? "New thread"),
          state: head.state,
          archived: head.archived,
          unread: known?.unread ?? false,
          updatedAtMs: started || !known ? atMs : known.updatedAtMs,
          parentThreadId: known?.parentThreadId ?? null,
          forkedFromId: known?.forkedFromId,
          agent: known?.agent ?? null,
          source: known?.source ?? "app",
          hasDraft: known?.hasDraft ?? false,
          leftRunning: leftWords(head, known),
          cutOff,
        },
      ],
      former,
    );
  }

  /** codex has made the thread that was only a key until now. */
  promoted(key: string, head: ThreadHead, profileId: string, atMs: number): void {
    if (head.threadId === null) return;
    if (key !== head.threadId) this.remove(key);
    this.#ledger.upsert([
      {
        threadId: head.threadId,
        workspaceId: head.workspaceId,
        profileId,
        title: head.title,
        preview: "",
        createdAtMs: atMs,
        updatedAtMs: atMs,
        archived: false,
        lastKnownState: neverUsed,
        parentThreadId: null,
        source: "app",
      },
    ]);
    this.live(head, atMs);
  }

  /** No turn has ever ended in this thread: codex keeps no record of it. */
  isUnused(threadId: string): boolean {
    return this.#ledger.get(threadId)?.lastKnownState === neverUsed;
  }

  used(threadId: string): void {
    if (!this.isUnused(threadId)) return;
    this.#ledger.setState(threadId, this.#rows.get(threadId)?.cutOff === undefined ? "idle" : cutOffWord);
  }

  /** codex has it no more. */
  forget(threadId: string): void {
    this.#ledger.forget(threadId);
    this.#atWork.delete(threadId);
    this.remove(threadId);
  }

  /** A child agent's thread, under its parent from the first moment. */
  child(named: {
    threadId: string;
    parentThreadId: string;
    workspaceId: string;
    profileId: string;
    name: string | null;
    atMs: number;
  }): void {
    const { threadId, parentThreadId, workspaceId, profileId, name, atMs } = named;
    const known = this.find(threadId);
    if (known?.parentThreadId) {
      if (!this.#rows.has(threadId)) this.#put([known]);
      return;
    }
    const kept = known?.agent ?? this.#agents.read(threadId);
    const agent = { ...kept, name: name ?? kept.name };
    const row: ThreadRow = {
      threadId,
      workspaceId,
      title: known?.title || agent.name,
      state: known?.state ?? "not loaded",
      archived: known?.archived ?? false,
      unread: false,
      updatedAtMs: known?.updatedAtMs ?? atMs,
      parentThreadId,
      agent,
      source: known?.source ?? "subAgent",
      hasDraft: known?.hasDraft ?? false,
    };
    const { title, archived, updatedAtMs, source } = row;
    this.#ledger.upsert([
      {
        threadId,
        workspaceId,
        profileId,
        title,
        preview: "",
        createdAtMs: atMs,
        updatedAtMs,
        archived,
        lastKnownState: "not loaded",
        parentThreadId,
        source,
      },
    ]);
    this.#put([row]);
  }

  hasChildren(threadId: string): boolean {
    return this.all.some((row) => row.parentThreadId === threadId);
  }

  setAgent(threadId: string, agent: AgentView): void {
    const known = this.#rows.get(threadId);
    if (known) this.#put([{ ...known, agent }]);
  }

  /** The thread and its parents, from the thread up. */
  lineOf(threadId: string): string[] {
    const line: string[] = [];
    for (let id: string | null = threadId; id !== null && !line.includes(id); ) {
      line.push(id);
      id = this.#rows.get(id)?.parentThreadId ?? null;
    }
    return line;
  }

  update(threadId: string, change: Partial<Omit<ThreadRow, "threadId">>): void {
    const known = this.#rows.get(threadId);
    if (!known) return;
    if (change.title !== undefined) this.#ledger.setTitle(threadId, change.title);
    if (change.archived !== undefined) this.#ledger.setArchived(threadId, change.archived);
    if (change.unread !== undefined) this.#ledger.setUnread(threadId, change.unread);
    this.#mark += 1;
    this.#changedAt.set(threadId, this.#mark);
    this.#put([{ ...known, ...change }]);
  }

  /** Threads work elsewhere than before. */
  refresh(): void {
    this.#put(this.all);
  }

  remove(threadId: string): void {
    this.#changedAt.delete(threadId);
    if (this.#rows.delete(threadId))
      this.#publish([{ type: "threads", upsert: [], remove: [threadId] }], true);
  }

  forgetWorkspace(workspaceId: string): void {
    const remove = this.ofWorkspace(workspaceId).map((row) => row.threadId);
    for (const threadId of remove) this.#rows.delete(threadId);
    if (remove.length > 0) this.#publish([{ type: "threads", upsert: [], remove }], true);
  }

  #noteWork(threadId: string, isAtWork: boolean): void {
    const was = this.#atWork.get(threadId);
    if (isAtWork) this.#atWork.set(threadId, "seen");
    else this.#atWork.delete(threadId);
    if ((was !== undefined) !== isAtWork) this.#note(threadId, isAtWork ? atWork : "idle");
  }

  #noteCut(threadId: string, isCut: boolean): void {
    if (!this.#atWork.has(threadId)) this.#note(threadId, isCut ? cutOffWord : "idle");
  }

  /** Called while the thread's own state is being changed, which no full disk and no closed ledger may break. */
  #note(threadId: string, word: string): void {
    try {
      // A thread that is to be forgotten with its first turn is told from one that is not by that word alone.
      if (!this.isUnused(threadId)) this.#ledger.setState(threadId, word);
    } catch (error) {
      this.#unkept(threadId, error);
    }
  }

  #cutOffOf(record: ThreadRecord | null): string | undefined {
    return record?.lastKnownState === cutOffWord ? this.#cuts.reason(record.threadId) : undefined;
  }

  #remembered(record: ThreadRecord): ThreadRow {
    const cutOff = this.#cutOffOf(record);
    return {
      threadId: record.threadId,
      workspaceId: record.workspaceId,
      title: record.title,
      state: cutOff === undefined ? "not loaded" : "interrupted",
      archived: record.archived,
      unread: record.unread,
      updatedAtMs: record.updatedAtMs,
      parentThreadId: record.parentThreadId,
      agent: this.#agentOf(record),
      source: record.source,
      hasDraft: false,
      cutOff,
    };
  }

  /** An agent's name says more than the first message of its thread, which its task is, or which is not there. */
  #agentTitle(thread: Thread, listed: SeenThread, known: ThreadRow | undefined): string {
    const kept = this.#agentOf(listed, known)?.name ?? unnamedAgent;
    const name = kept === unnamedAgent ? (saidOfThread(thread).name ?? unnamedAgent) : kept;
    if (thread.name || (name === unnamedAgent && thread.preview)) return listed.title;
    return name;
  }

  #agentOf(thread: SeenThread, known?: ThreadRow): AgentView | null {
    if (thread.parentThreadId === null) return null;
    return known?.agent ?? this.#agents.read(thread.threadId);
  }

  #put(told: ThreadRow[], remove: string[] = []): void {
    const rows = told.map((row) => ({ ...row, environmentId: this.#environments.idOf(row.threadId) }));
    const upsert = rows.filter((row) => !sameRow(this.#rows.get(row.threadId), row));
    for (const threadId of remove) {
      this.#changedAt.delete(threadId);
      this.#rows.delete(threadId);
    }
    for (const row of upsert) this.#rows.set(row.threadId, row);
    if (upsert.length + remove.length > 0) this.#publish([{ type: "threads", upsert, remove }], true);
  }
}

function sameRow(a: ThreadRow | undefined, b: ThreadRow): boolean {
  if (!a) return false;
  return (Object.keys(b) as (keyof ThreadRow)[]).every((name) => a[name] === b[name]);
}

function seenThread(workspaceId: string, profileId: string, thread: Thread, archived: boolean): SeenThread {
  return {
    threadId: thread.id,
    workspaceId,
    profileId,
    title: titleOf(thread),
    preview: thread.preview ?? "",
    createdAtMs: (thread.createdAt ?? 0) * 1000,
    updatedAtMs: (thread.recencyAt ?? thread.updatedAt ?? 0) * 1000,
    archived,
    lastKnownState: "not loaded",
    parentThreadId: thread.parentThreadId ?? null,
    source: sourceWord(thread),
  };
}

/** codex calls threads of its app-server "vscode", whoever asked; the originator says who. */
function sourceWord(thread: Thread): string {
  if (thread.originator === "holdfast") return "app";
  if (typeof thread.source === "string") return thread.source;
  return wordsOrNull(Object.keys(thread.source ?? {})[0]) ?? "unknown";
}
