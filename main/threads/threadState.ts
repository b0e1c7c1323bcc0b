// One thread as Holdfast knows it, and the windows that watch it. Everything that is shown comes from here; everything
// that changes it goes through here, so that what a window was told and what is true cannot part.

import { isDeepStrictEqual } from "node:util";
import type { RunRef } from "../../preload/contract/cells";
import type { ReviewComment } from "../../preload/contract/comments";
import type { FaultView } from "../../preload/contract/fault";
import type { Item } from "../../preload/contract/items";
import type { Request } from "../../preload/contract/requests";
import type {
  FollowUpsView,
  LeftRunningView,
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
import type { Turn } from "../codex/protocol/v2/Turn";
import { toFaultView } from "../faultView";
import { ReviewTurns } from "./reviewTurns";
import {
  decideRun,
  idleRun,
  isRunning,
  type Run,
  type RunEffect,
  type RunEvent,
  type RunState,
} from "./runMachine";
import type { ReportedSandbox } from "./settingsView";
import { silentFault, silentWords } from "./threadFaults";
import { Transcript } from "./transcript";

export type ThreadListener = (changes: ThreadChange[], urgent: boolean) => void;

/** What is true of the thread apart from its transcript and its run. */
export interface ThreadFacts {
  key: string;
  threadId: string | null;
  workspaceId: string;
  title: string;
  archived: boolean;
  /** Of the last turn of a conversation that is not in memory: why it was cut off; null: it was not. */
  cutOff: string | null;
  demo: boolean;
  residency: ThreadHead["residency"];
  fault: FaultView | null;
  plan: ThreadHead["plan"];
  usage: TokenUsage | null;
  mcpServers: McpServerView[];
  leftRunning: LeftRunningView[];
  settings: ThreadSettings;
  environment: ThreadHead["environment"];
  /** codex's cursor for the page before the first turn held here. */
  olderCursor: string | null;
  loadingOlder: boolean;
  submissions: SubmissionView[];
  followUps: FollowUpsView;
  comments: ReviewComment[];
  requests: Request[];
  startedByRun?: RunRef;
}

export class ThreadState {
  transcript = new Transcript();
  readonly reviews = new ReviewTurns();
  reportedSandbox: ReportedSandbox | null = null;
  /** What codex says of a turn, as it is to be shown. */
  asShown: (turn: Turn) => Turn = (turn) => turn;
  /** The same for an item. */
  itemAsShown: <Given>(item: Given) => Given = (item) => item;
  #silent = false;
  #awaitedAgents: readonly string[] | null = null;
  #run: RunState = idleRun;
  #runCount = 0;
  /** Of the last turn of a conversation that is not in memory. */
  #lastStatus: string | null = null;
  #changedFiles: ThreadHead["changed"] = null;
  #changedFilesAreStale = false;
  #facts: ThreadFacts;
  #head: ThreadHead;
  readonly #listeners = new Set<ThreadListener>();
  readonly #attendants = new Set<ThreadListener>();
  readonly #onHead: (head: ThreadHead) => void;
  readonly #onChanges: (changes: ThreadChange[]) => void;

  /**
   * `onHead` hears of every change of the head, watched or not: the sidebar's rows are made of it. `onChanges` hears of
   * everything that windows are told, whether there are any or not.
   */
  constructor(
    facts: ThreadFacts,
    onHead: (head: ThreadHead) => void,
    onChanges: (changes: ThreadChange[]) => void,
  ) {
    this.#facts = facts;
    this.#onHead = onHead;
    this.#onChanges = onChanges;
    this.#head = this.#makeHead();
  }

  get facts(): Readonly<ThreadFacts> {
    return this.#facts;
  }

  get head(): ThreadHead {
    return this.#head;
  }

  /** codex does not answer what it normally answers at once. Said of the run, which goes on; else of the thread. */
  set silent(silent: boolean) {
    if (silent === this.#silent) return;
    this.#silent = silent;
    this.refreshHead();
  }

  /** The turn does nothing but wait for agents; their names, where codex says which. null: it does not. */
  set awaitedAgents(names: readonly string[] | null) {
    if (isDeepStrictEqual(names, this.#awaitedAgents)) return;
    this.#awaitedAgents = names;
    this.refreshHead();
  }

  get running(): boolean {
    return isRunning(this.#run.run);
  }

  get phase(): Run["phase"] {
    return this.#run.run.phase;
  }

  get runningTurnId(): string | null {
    return this.#run.run.phase === "running" ? this.#run.run.turnId : null;
  }

  get stopping(): boolean {
    return this.#run.run.phase !== "idle" && this.#run.run.stopping;
  }

  /** A turn has ended of which only codex's record can say how. */
  get owedTurnId(): string | null {
    return this.#run.owed?.turnId ?? null;
  }

  /** The same, also of a turn that codex has not named. */
  get isEndOwed(): boolean {
    return this.#run.owed !== null;
  }

  /** Counts the runs: an answer about an earlier one says nothing about this one. */
  get runCount(): number {
    return this.#runCount;
  }

  hasEnded(turnId: string): boolean {
    return this.#run.ended.includes(turnId);
  }

  /** This turn begins, and another one was seen to run: codex runs one at a time, so that one has ended. */
  isSucceededBy(turnId: string | null): boolean {
    const { runningTurnId } = this;
    if (turnId === null || runningTurnId === null || turnId === runningTurnId) return false;
    const isLate = this.hasEnded(turnId) || (this.transcript.turn(turnId)?.status ?? "running") !== "running";
    // An answer may have named a turn that never began.
    return !isLate && this.transcript.turn(runningTurnId) !== null;
  }

  get watched(): boolean {
    return this.#listeners.size > 0;
  }

  /** How many windows show it. */
  get watchers(): number {
    return this.#listeners.size;
  }

  /** Somebody waits for what becomes of it who shows it to nobody. */
  get attended(): boolean {
    return this.#attendants.size > 0;
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

  attend(listener: ThreadListener): () => void {
    this.#attendants.add(listener);
    return () => {
      this.#attendants.delete(listener);
    };
  }

  /** Tells the windows of changes already made to the transcript. */
  publish(changes: ThreadChange[], urgent: boolean): void {
    if (changes.length === 0) return;
    if (changes.some(mayChangeFiles)) this.#changedFilesAreStale = true;
    this.#onChanges(changes);
    for (const listener of this.#listeners) listener(changes, urgent);
    for (const listener of this.#attendants) listener(changes, urgent);
  }

  update(facts: Partial<ThreadFacts>): void {
    this.#facts = { ...this.#facts, ...facts };
    this.refreshHead();
  }

  run(event: RunEvent): RunEffect[] {
    const [state, effects] = decideRun(this.#run, event);
    if (state !== this.#run) {
      if (state.run.phase !== "idle" && this.#run.run.phase === "idle") {
        this.#runCount += 1;
        this.#facts = { ...this.#facts, cutOff: null };
      }
      if (state.run.phase === "idle") this.#awaitedAgents = null;
      this.#run = state;
      this.refreshHead();
    }
    return effects;
  }

  /** Drops the conversation from memory; it is loaded again when somebody looks. */
  forgetTranscript(): void {
    this.#lastStatus = this.transcript.lastTurn?.status ?? this.#lastStatus;
    const { cutOff } = this.#head;
    this.transcript = new Transcript();
    this.#changedFilesAreStale = true;
    this.update({ olderCursor: null, cutOff });
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
      fault: facts.fault ?? (this.#silent && !this.running ? toFaultView(silentFault()) : null),
      state: this.#stateWord(),
      run: this.#runView(),
      cutOff: this.#cutOff(),
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
    if (this.#facts.threadId !== null && this.#facts.residency !== "loaded")
      return this.#cutOff() === null ? "not loaded" : "interrupted";
    const last = this.transcript.lastTurn?.status ?? this.#lastStatus;
    return last === "failed" || last === "interrupted" ? last : "idle";
  }

  #cutOff(): string | null {
    if (this.running) return null;
    const last = this.transcript.lastTurn;
    if (last === null) return this.#facts.cutOff;
    return last.status === "interrupted" ? (last.fault?.message ?? null) : null;
  }

  #runView(): RunView | null {
    const { run } = this.#run;
    if (run.phase === "idle") return null;
    const waitingFor = awaitedWords(this.#facts.requests);
    for (const server of this.#facts.mcpServers) {
      if (server.state === "starting") waitingFor.push(`MCP server ${server.name} to start`);
    }
    if (this.#facts.requests.length === 0 && this.#awaitedAgents !== null)
      waitingFor.push(agentWords(this.#awaitedAgents));
    return {
      turnId: run.phase === "running" ? run.turnId : null,
      startedAtMs: run.sinceMs,
      stopping: run.stopping,
      retrying: this.#silent ? silentWords : run.phase === "running" ? run.retrying : null,
      waitingFor: [...new Set(waitingFor)],
    };
  }

  /** Files that the last turn changed. */
  #changed(): ThreadHead["changed"] {
    if (this.#changedFilesAreStale) {
      this.#changedFilesAreStale = false;
      const turnId = this.transcript.lastTurn?.id;
      this.#changedFiles = turnId === undefined ? null : changedFiles(this.transcript.itemsOf(turnId));
    }
    return this.#changedFiles;
  }
}

const mostAgentsNamed = 2;

function awaitedWords(requests: readonly Request[]): string[] {
  const agents = new Map<string, Set<string>>();
  const words: string[] = [];
  for (const { kind, agentName } of requests) {
    const what = kind === "questions" || kind === "link" ? "your answer" : "your approval";
    if (agentName === null) words.push(what);
    else agents.set(what, (agents.get(what) ?? new Set()).add(agentName));
  }
  for (const [what, names] of agents) {
    if (names.size > mostAgentsNamed) words.push(`${what} in ${names.size} agents`);
    else words.push(...[...names].map((name) => `${what} in agent ${name}`));
  }
  return words;
}

function agentWords(names: readonly string[]): string {
  if (names.length === 0) return "its agents";
  return names.length === 1 ? `agent ${names[0]}` : `${names.length} agents`;
}

/** Most changes do not touch files, and looking costs as much as the turn is long. */
function mayChangeFiles(change: ThreadChange): boolean {
  switch (change.type) {
    case "items":
      return change.items.some((item) => item.kind === "fileChange");
    case "turns":
    case "removeItems":
    case "reset":
      return true;
    case "head":
    case "append":
    case "older":
      return false;
    default:
      return change satisfies never;
  }
}

function changedFiles(items: Item[]): ThreadHead["changed"] {
  const paths = new Set<string>();
  let added = 0;
  let removed = 0;
  for (const item of items) {
    if (item.kind !== "fileChange" || item.status === "declined" || item.status === "failed") continue;
    for (const change of item.changes) {
      paths.add(change.path);
      added += change.added;
      removed += change.removed;
    }
  }
  return paths.size === 0 ? null : { files: paths.size, added, removed };
}
