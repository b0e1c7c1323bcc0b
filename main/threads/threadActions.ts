// What a person does with a thread as a whole. Each is fit to be done twice: what is so already is a success.
//
// Races settled here:
// - codex archives a running thread by interrupting it first; everything it says about that comes before its answer.
// - Something is begun in a thread in one window while another deletes it: until codex is there it keeps the thread from being
//   deleted, from then on it is refused. A window that still shows the thread begins nothing in it any more.
// - Holdfast dies while codex archives or deletes a thread: owedActions.ts.

import { randomUUID } from "node:crypto";
import type { ThreadRow } from "../../preload/contract/app";
import type { ReviewTarget } from "../../preload/contract/thread";
import type { Thread } from "../codex/protocol/v2/Thread";
import { asFault, Fault } from "../fault";
import type { SubmissionsLedger } from "../ledger/submissionsLedger";
import type { Connection } from "../supervisor/connection";
import { isAtWork } from "./agents/agentBook";
import { checkTakesMessages } from "./agents/takesMessages";
import { askForTurn } from "./askedTurn";
import type { ThreadHost } from "./host";
import { reloadServers } from "./mcpServers";
import { type ActionRecords, type ActionSubject, type OwedAction, OwedActions } from "./owedActions";
import {
  deletedFault,
  isArchivedAlready,
  isHistoryLost,
  isNotArchived,
  isTurnUnknown,
  keptByForkFault,
  threadFault,
} from "./threadFaults";
import type { ThreadRows } from "./threadRows";
import type { ThreadRuntime } from "./threadRuntime";
import { forkTitle, titleFrom } from "./titles";

export interface ThreadActionsOptions {
  host: ThreadHost;
  submissions: SubmissionsLedger;
  rows: ThreadRows;
  connect(workspaceId: string): Promise<Connection>;
  configFault(error: unknown): Fault | null;
  runtime(key: string): ThreadRuntime;
  listed(workspaceId: string, thread: Thread): void;
  /** A copy of the first one has been made. */
  forked(sourceId: string, threadId: string): void;
  archived(threadId: string, archived: boolean): void;
  /** codex has it no more. */
  deleted(threadId: string): void;
}

export class ThreadActions {
  readonly #options: ThreadActionsOptions;
  /** What reviews of this run of the app were to look at, by their turn. */
  readonly #reviewed = new Map<string, ReviewTarget>();
  /** Threads that are deleted here, or just being so. */
  readonly #deleted = new Set<string>();
  /** What is being deleted, by its key. */
  readonly #deleting = new Map<string, Promise<void>>();
  readonly #owed = new OwedActions();

  constructor(options: ThreadActionsOptions) {
    this.#options = options;
  }

  /** What an earlier run was about to do is done then, too. */
  keepOnRecord(records: ActionRecords): void {
    this.#owed.keep(records, ({ action, threadId }) => {
      // Nobody has it any more: what was asked for is so.
      if (this.#options.rows.get(threadId) === null) return Promise.resolve();
      if (action === "delete") return this.delete(threadId);
      return action === "archive" ? this.archive(threadId, true) : this.unarchive(threadId);
    });
  }

  isDeleted(threadId: string | null): boolean {
    return threadId !== null && this.#deleted.has(threadId);
  }

  /** Throws when nothing can be begun in it any more. */
  checkThere(threadId: string | null): void {
    if (this.isDeleted(threadId)) throw deletedFault();
  }

  /** Has codex do again what the last turn was to do: a message is sent again as a new one. */
  async retry(key: string): Promise<void> {
    const { runtime: find, rows, submissions } = this.#options;
    const runtime = find(key);
    if (runtime.state.running) {
      throw new Fault("turn_running", "A turn is running in this thread.", {
        hint: "Stop it, or wait for its end; then retry.",
      });
    }
    this.checkThere(runtime.threadId);
    checkTakesMessages(rows, runtime.threadId);
    const { transcript } = runtime.state;
    const items = transcript.lastTurn === null ? [] : transcript.itemsOf(transcript.lastTurn.id);
    const review = items.find(({ kind }) => kind === "review");
    if (review) return this.review(key, this.#targetOf(review.turnId));
    const last = items.findLast((item) => item.kind === "user");
    if (last?.kind !== "user") {
      // With a message, codex compacted on the way to the answer, by itself.
      if (items.some(({ kind }) => kind === "compaction")) return this.compact(key);
      throw new Fault("nothing_to_retry", "The last turn has no message to send again.");
    }
    // As it was written: what codex shows of it may be shortened, and has no sizes of images.
    const sent = last.clientId === null ? null : submissions.get(last.clientId);
    const { text } = sent ?? last;
    const attachments = (sent ?? last).attachments.filter((attachment) => attachment.path !== "");
    runtime.delivery.send({ clientId: randomUUID(), text, attachments, mode: "turn" });
  }

  /** Throws when anything but this very message was sent after this turn: what is pressed in two windows is sent once. */
  checkUnanswered(key: string, turnId: string, clientId: string): void {
    const { runtime: find, submissions } = this.#options;
    if (submissions.get(clientId) !== null) return;
    const { state, busy, delivery } = find(key);
    if (busy || delivery.hasOpen || state.transcript.lastTurn?.id !== turnId) {
      throw new Fault("turn_answered", "Something else was sent in this thread meanwhile.", {
        hint: "See what it does; then say what is still to be done.",
      });
    }
  }

  #targetOf(turnId: string): ReviewTarget {
    const target = this.#reviewed.get(turnId);
    if (target) return target;
    throw new Fault("nothing_to_retry", "Holdfast does not know any more what this review was to look at.", {
      hint: "Start a review from the thread's menu.",
    });
  }

  async rename(key: string, title: string): Promise<void> {
    const { runtime, threadId, connection } = await this.#reach(key);
    await this.#ask(connection.client.request("thread/name/set", { threadId, name: title }));
    runtime.state.update({ title });
    this.#options.rows.update(threadId, { title });
  }

  async archive(key: string, interruptFirst: boolean): Promise<void> {
    const { runtime, threadId: named } = this.#named(key);
    // codex archives the agents with it.
    const agents = this.#below(named).filter((row) => row.threadId !== named && isAtWork(row));
    if (!interruptFirst && (runtime.busy || agents.length > 0)) {
      const who = runtime.busy ? "this thread" : "an agent of this thread";
      throw new Fault("thread_running", `A turn is running in ${who}.`, {
        hint: "Stop it first, or archive the thread and interrupt the turn.",
      });
    }
    const reached = await this.#reach(key);
    const { threadId, connection } = reached;
    const isSo = (error: unknown) => isArchivedAlready(error);
    await this.#owed.perform(subjectOf("archive", reached), async () => {
      await this.#ask(connection.client.request("thread/archive", { threadId }), isSo);
      this.#options.archived(threadId, true);
    });
  }

  async unarchive(key: string): Promise<void> {
    const reached = await this.#reach(key);
    const { runtime, threadId, connection } = reached;
    const isSo = (error: unknown) => isNotArchived(error);
    await this.#owed.perform(subjectOf("unarchive", reached), async () => {
      await this.#ask(connection.client.request("thread/unarchive", { threadId }), isSo);
      this.#options.archived(threadId, false);
    });
    // It has been taken back, whether it can be loaded or not; a failed load is shown as the thread's fault.
    if (runtime.state.watched) await runtime.reload().catch(() => undefined);
  }

  /** With all that codex has of it. What its turns have done in the folder stays. */
  delete(key: string): Promise<void> {
    const going = this.#deleting.get(key);
    if (going) return going;
    const deleting = this.#delete(key).finally(() => this.#deleting.delete(key));
    this.#deleting.set(key, deleting);
    return deleting;
  }

  async #delete(key: string): Promise<void> {
    const { deleted } = this.#options;
    this.#checkDeletable(this.#named(key).runtime);
    const reached = await this.#reach(key);
    const { runtime, threadId, connection } = reached;
    // Another window may have begun something in it until codex was there.
    this.#checkDeletable(runtime);
    const below = this.#below(threadId);
    for (const row of below) this.#deleted.add(row.threadId);
    await this.#owed.perform(subjectOf("delete", reached), async () => {
      try {
        await this.#ask(connection.client.request("thread/delete", { threadId }), isHistoryLost);
      } catch (error) {
        for (const row of below) this.#deleted.delete(row.threadId);
        throw error;
      }
      for (const row of below) deleted(row.threadId);
    });
  }

  /** The thread and its agents. */
  #below(threadId: string): ThreadRow[] {
    const { rows } = this.#options;
    return rows.all.filter((row) => rows.lineOf(row.threadId).includes(threadId));
  }

  #checkDeletable(runtime: ThreadRuntime): void {
    if (runtime.busy || runtime.followUps.mayGoOn) {
      throw new Fault("thread_running", "A turn is running in this thread, or about to.", {
        hint: "Stop it first; then delete it.",
      });
    }
    if (this.#options.host.treeInUse(runtime)) {
      throw new Fault("thread_running", "An agent of this thread is at work, or shown in a window.", {
        hint: "Stop it, and what it has left running, or show something else; then delete the thread.",
      });
    }
    // Before codex is asked: that would end what runs in the thread, and then refuse.
    const fork = this.#options.rows.all.find(({ forkedFromId }) => forkedFromId === runtime.threadId);
    if (fork && runtime.threadId !== null) throw keptByForkFault(fork.title);
    const { submissions } = runtime.state.facts;
    if (runtime.delivery.hasOpen || submissions.some(({ state }) => state === "undelivered")) {
      throw new Fault("thread_has_undelivered", "A message of this thread is not delivered yet.", {
        hint: "Send it again, or take it back with Edit; then delete the thread.",
      });
    }
  }

  async fork(key: string, lastTurnId: string | null): Promise<string> {
    const { runtime, threadId, connection } = await this.#reach(key);
    const { client } = connection;
    const forked = client
      .request("thread/fork", { threadId, lastTurnId, excludeTurns: true })
      .catch((error: unknown) => {
        const end = lastTurnId === null ? null : endOfLostReview(runtime, lastTurnId);
        if (end === null || !isTurnUnknown(error)) throw error;
        return client.request("thread/fork", { threadId, ...end, excludeTurns: true });
      });
    const { thread } = await this.#ask(forked);
    const { title, settings } = runtime.state.facts;
    const { rows } = this.#options;
    const name = forkTitle(title, new Set(rows.ofWorkspace(runtime.workspaceId).map((row) => row.title)));
    this.#options.forked(threadId, thread.id);
    this.#options.listed(runtime.workspaceId, { ...thread, name });
    // codex does not take the reasoning effort along. It is said with the first load, and so is what codex then reports.
    await this.#options.runtime(thread.id).setSettings(settings);
    // It never rejects, and nobody needs to wait for it.
    void this.#name(runtime, thread.id, name);
    return thread.id;
  }

  /** A name of our own making. Without it the thread is none the worse. Never rejects. */
  async #name({ workspaceId }: ThreadRuntime, threadId: string, name: string): Promise<void> {
    try {
      const connection = await this.#options.connect(workspaceId);
      await connection.client.request("thread/name/set", { threadId, name });
    } catch (error) {
      this.#options.host.log.info("a thread could not be named", { error: asFault(error).code });
    }
  }

  async revert(key: string, beforeTurnId: string): Promise<void> {
    await this.#named(key).runtime.revert(beforeTurnId);
  }

  /** A new thread is made for it. */
  async review(key: string, target: ReviewTarget): Promise<void> {
    const runtime = this.#options.runtime(key);
    this.checkThere(runtime.threadId);
    const isNew = runtime.state.facts.title === "";
    if (isNew) runtime.state.update({ title: reviewTitle(target) });
    await askForTurn(this.#options.host, runtime, {
      name: "the review",
      ask: (connection, threadId, answered) =>
        connection.client.request(
          "review/start",
          { threadId, target, delivery: "inline" },
          {
            onAnswer: ({ turn }) => {
              if (turn?.id) this.#reviewed.set(turn.id, target);
              answered(turn?.id ?? null);
            },
          },
        ),
    });
    // codex would call it by the long task that it has made of the target.
    if (isNew && runtime.threadId !== null) void this.#name(runtime, runtime.threadId, reviewTitle(target));
  }

  async compact(key: string): Promise<void> {
    const { runtime } = this.#named(key);
    await askForTurn(this.#options.host, runtime, {
      name: "the compaction",
      ask: (connection, threadId, answered) =>
        connection.client.request("thread/compact/start", { threadId }, { onAnswer: () => answered(null) }),
    });
  }

  /** Starts the MCP servers of the thread's session anew. What becomes of each is told by codex. */
  async reconnectMcp(key: string): Promise<void> {
    await this.#ask(reloadServers(await this.#loaded(key)));
  }

  /** Begins to sign in to an MCP server. Returns the address where the person does it; codex tells how it ended. */
  async loginMcp(key: string, name: string): Promise<string> {
    const connection = await this.#loaded(key);
    const { threadId } = this.#options.runtime(key);
    const login = connection.client.request("mcpServer/oauth/login", { name, threadId });
    return (await this.#ask(login)).authorizationUrl;
  }

  /** codex tells the states of servers only to those who have loaded the thread. One that is only a key is not made for it. */
  async #loaded(key: string): Promise<Connection> {
    const runtime = this.#options.runtime(key);
    return runtime.threadId === null ? this.#options.connect(runtime.workspaceId) : runtime.ready();
  }

  async #reach(key: string): Promise<{ runtime: ThreadRuntime; threadId: string; connection: Connection }> {
    const named = this.#named(key);
    return { ...named, connection: await this.#options.connect(named.runtime.workspaceId) };
  }

  #named(key: string): { runtime: ThreadRuntime; threadId: string } {
    const runtime = this.#options.runtime(key);
    this.checkThere(runtime.threadId);
    if (runtime.threadId !== null) return { runtime, threadId: runtime.threadId };
    throw new Fault("thread_not_made", "codex does not know this thread yet.", {
      hint: "Send its first message; then try again.",
    });
  }

  async #ask<Result>(request: Promise<Result>): Promise<Result>;
  async #ask<Result>(request: Promise<Result>, isSo: (error: unknown) => boolean): Promise<Result | null>;
  async #ask<Result>(
    request: Promise<Result>,
    isSo: (error: unknown) => boolean = () => false,
  ): Promise<Result | null> {
    try {
      return await request;
    } catch (error) {
      if (isSo(error)) return null;
      throw threadFault(error, this.#options.configFault);
    }
  }
}

function subjectOf(
  action: OwedAction,
  { runtime, threadId }: { runtime: ThreadRuntime; threadId: string },
): ActionSubject {
  return { action, threadId, workspaceId: runtime.workspaceId, title: runtime.state.facts.title };
}

/** A review that was cut off with its process is no turn to codex; what comes after it is. */
function endOfLostReview({ state }: ThreadRuntime, turnId: string): { beforeTurnId: string | null } | null {
  const { reviews, transcript } = state;
  if (reviews.workOf(turnId) === turnId) return null;
  const ids = transcript.turns.map(({ id }) => id);
  const next = ids[ids.indexOf(turnId) + 1];
  return { beforeTurnId: next === undefined ? null : reviews.workOf(next) };
}

function reviewTitle(target: ReviewTarget): string {
  switch (target.type) {
    case "uncommittedChanges":
      return "Review of uncommitted changes";
    case "baseBranch":
      return `Review against ${target.branch}`;
    case "commit":
      return titleFrom(`Review of ${target.title ?? target.sha.slice(0, 7)}`);
    case "custom":
      return titleFrom(`Review: ${target.instructions}`);
    default:
      return target satisfies never;
  }
}
