// Child agents below their parents: finds out about them from everything that codex says, and keeps it in their rows.
//
// Races settled here:
// - Stop is pressed while the parent is starting one more agent: that agent is stopped as soon as it begins.
// - A child agent has asked for something before its parent's conversation names it: its parents are told once they are
//   known to be its parents.

import type { Item } from "../../../preload/contract/items";
import type { Clock } from "../../clock";
import type { Thread } from "../../codex/protocol/v2/Thread";
import type { Log } from "../../log";
import type { Connection } from "../../supervisor/connection";
import type { HostedThread } from "../host";
import { recordOf, stringsOf, wordsOrNull } from "../loose";
import type { ThreadRegistry } from "../threadRegistry";
import type { ThreadRows } from "../threadRows";
import type { ThreadRuntime } from "../threadRuntime";
import { AgentBook } from "./agentBook";
import {
  type AgentNews,
  newsInCodexItem,
  newsInItem,
  saidByAgent,
  saidInConversation,
  turnOutcome,
} from "./agentNews";
import { AgentRecords } from "./agentRecords";
import { AgentWords, type AgentWordsOptions } from "./agentWords";
import { type KeptAgents, unnamedAgent } from "./keptAgents";

export interface AgentTreesOptions {
  clock: Clock;
  log: Log;
  rows: ThreadRows;
  kept: KeptAgents;
  alive: ThreadRegistry;
  connection(workspaceId: string): Connection | null;
  listed(workspaceId: string, threads: Thread[]): void;
  requestsChanged(threadId: string): void;
  readEnd?: AgentWordsOptions["readEnd"];
}

export class AgentTrees {
  readonly #options: AgentTreesOptions;
  readonly #book: AgentBook;
  readonly #records: AgentRecords;
  readonly #words: AgentWords;

  constructor(options: AgentTreesOptions) {
    this.#options = options;
    const { clock, log, rows, kept, connection, listed } = options;
    this.#records = new AgentRecords({ clock, log, connection, listed });
    this.#words = new AgentWords({
      clock,
      log,
      readEnd: options.readEnd,
      told: (thread, items) => this.#told(thread, items),
    });
    this.#book = new AgentBook({ rows, kept, named: (threadId, name) => this.#named(threadId, name) });
  }

  /** After the notification has been applied to the thread. */
  heard(runtime: ThreadRuntime, method: string, fields: Readonly<Record<string, unknown>>): void {
    const { threadId } = runtime;
    if (threadId === null) return;
    if (method === "item/started" || method === "item/completed") {
      const isRunning = method === "item/started";
      const news = newsInCodexItem(wordsOrNull(fields.turnId) ?? "", fields.item, isRunning);
      this.#note(runtime, news);
      for (const one of news) if (this.#isBelow(one.threadId, threadId)) this.#book.toldAbove(one);
      const item = recordOf(fields.item);
      this.#noteWait(runtime, item, isRunning);
      if (!isRunning && item.type === "subAgentActivity") this.#words.justTold(runtime);
    }
    if (!this.#options.rows.get(threadId)?.parentThreadId) return;
    const said = saidByAgent(method, fields);
    if (said) this.#book.tell(threadId, said);
    if (method === "turn/started") this.#words.justTold(runtime);
    if (method === "turn/completed") this.#words.wanted(runtime, false);
    if (method === "turn/started" && this.#options.alive.isBeingStopped(threadId))
      runtime.run({ type: "stop" });
  }

  /** Part of a conversation has been loaded. */
  loaded(thread: HostedThread): void {
    const { threadId, state } = thread;
    if (threadId === null) return;
    const { items, lastTurn } = state.transcript;
    const news = items.flatMap(newsInItem);
    this.#note(thread, news);
    this.#book.read(news.filter((one) => this.#isBelow(one.threadId, threadId)));
    if (this.#options.rows.get(threadId)?.parentThreadId) {
      const outcome = state.running ? null : turnOutcome(lastTurn?.status);
      this.#book.read([{ threadId, said: { ...saidInConversation(items), outcome } }]);
    }
    const isAgent = Boolean(this.#options.rows.get(threadId)?.parentThreadId);
    if (isAgent || items.some((item) => item.kind === "subAgent")) this.#words.wanted(thread, true);
    // Agents of agents are named in no conversation that is loaded.
    if (this.#options.rows.hasChildren(threadId)) this.#records.want(thread.workspaceId, threadId);
  }

  /** codex's records, whose rows are there. Those of other threads say nothing here. */
  recorded(threads: readonly Thread[]): void {
    for (const thread of threads) {
      this.#words.recordedAt(thread.id, wordsOrNull(thread.path));
      this.#book.recorded(thread);
    }
  }

  dispose(): void {
    this.#records.dispose();
    this.#words.dispose();
  }

  /** The agents get rows below the thread whose conversation names them. */
  #note(parent: HostedThread, news: readonly AgentNews[]): void {
    const { alive } = this.#options;
    const agents = news.map(({ threadId, said }) => ({ threadId, name: said.name ?? null }));
    const added = alive.noteAgents(parent, agents);
    for (const threadId of added) this.#askedDifferently(threadId);
    if (added.length > 0 && parent.threadId !== null)
      this.#records.want(parent.workspaceId, parent.threadId, added);
  }

  /** The texts that are known now are the newest tasks, as far as they are read in order. */
  #told({ threadId, state }: HostedThread, items: readonly Item[]): void {
    if (threadId === null) return;
    for (const news of items.flatMap(newsInItem)) {
      const { task } = news.said;
      if (task && this.#isBelow(news.threadId, threadId)) this.#book.tell(news.threadId, { task });
    }
    if (!this.#options.rows.get(threadId)?.parentThreadId) return;
    const { task } = saidInConversation(state.transcript.items);
    if (task) this.#book.tell(threadId, { task });
  }

  /** A conversation also speaks of agents that stand beside or above its own. */
  #isBelow(threadId: string, parentId: string): boolean {
    return this.#options.rows.get(threadId)?.parentThreadId === parentId;
  }

  #noteWait({ state }: ThreadRuntime, item: Readonly<Record<string, unknown>>, isRunning: boolean): void {
    if (item.type !== "collabAgentToolCall" || item.tool !== "wait") return;
    state.awaitedAgents = isRunning ? stringsOf(item.receiverThreadIds).map((id) => this.#nameOf(id)) : null;
  }

  #nameOf(threadId: string): string {
    return this.#options.rows.get(threadId)?.agent?.name ?? unnamedAgent;
  }

  #named(threadId: string, name: string): void {
    const state = this.#options.alive.get(threadId)?.state;
    if (state?.facts.title === unnamedAgent) state.update({ title: name });
    this.#askedDifferently(threadId);
  }

  #askedDifferently(threadId: string): void {
    if (this.#options.alive.requestsOf(threadId).length > 0) this.#options.requestsChanged(threadId);
  }
}
