// What a person does with a thread as a whole. Each is fit to be done twice: what is so already is a success.
//
// Race: codex archives a running thread by interrupting it first; everything it says about that comes before its answer.

import { randomUUID } from "node:crypto";
import type { Clock } from "../clock";
import type { Thread } from "../codex/protocol/v2/Thread";
import { Fault } from "../fault";
import type { SubmissionsLedger } from "../ledger/submissionsLedger";
import type { Connection } from "../supervisor/connection";
import { reloadServers } from "./mcpServers";
import { isArchivedAlready, isNotArchived, threadFault } from "./threadFaults";
import type { ThreadRows } from "./threadRows";
import type { ThreadRuntime } from "./threadRuntime";

export interface ThreadActionsOptions {
  clock: Clock;
  submissions: SubmissionsLedger;
  rows: ThreadRows;
  connect(workspaceId: string): Promise<Connection>;
  configFault(error: unknown): Fault | null;
  runtime(key: string): ThreadRuntime;
  listed(workspaceId: string, thread: Thread): void;
  archived(threadId: string, archived: boolean): void;
}

export class ThreadActions {
  readonly #options: ThreadActionsOptions;

  constructor(options: ThreadActionsOptions) {
    this.#options = options;
  }

  /** Sends the last message again, as a new one. */
  retry(key: string): void {
    const { runtime: find, submissions } = this.#options;
    const runtime = find(key);
    if (runtime.state.running) {
      throw new Fault("turn_running", "A turn is running in this thread.", {
        hint: "Stop it, or wait for its end; then retry.",
      });
    }
    const last = runtime.state.transcript.items.findLast((item) => item.kind === "user");
    if (last?.kind !== "user") {
      throw new Fault("nothing_to_retry", "There is no message in this thread to send again.");
    }
    // As it was written: what codex shows of it may be shortened, and has no sizes of images.
    const sent = last.clientId === null ? null : submissions.get(last.clientId);
    const { text } = sent ?? last;
    const attachments = (sent ?? last).attachments.filter((attachment) => attachment.path !== "");
    runtime.delivery.send({ clientId: randomUUID(), text, attachments, mode: "turn" });
  }

  async rename(key: string, title: string): Promise<void> {
    const { runtime, threadId, connection } = await this.#reach(key);
    await this.#ask(connection.client.request("thread/name/set", { threadId, name: title }));
    runtime.state.update({ title });
    this.#options.rows.update(threadId, { title });
  }

  async archive(key: string, interruptFirst: boolean): Promise<void> {
    const { runtime } = this.#named(key);
    if (runtime.busy && !interruptFirst) {
      throw new Fault("thread_running", "A turn is running in this thread.", {
        hint: "Stop it first, or archive it and interrupt the turn.",
      });
    }
    const { threadId, connection } = await this.#reach(key);
    const isSo = (error: unknown) => isArchivedAlready(error);
    await this.#ask(connection.client.request("thread/archive", { threadId }), isSo);
    this.#options.archived(threadId, true);
  }

  async unarchive(key: string): Promise<void> {
    const { runtime, threadId, connection } = await this.#reach(key);
    const isSo = (error: unknown) => isNotArchived(error);
    await this.#ask(connection.client.request("thread/unarchive", { threadId }), isSo);
    this.#options.archived(threadId, false);
    // It has been taken back, whether it can be loaded or not; a failed load is shown as the thread's fault.
    if (runtime.state.watched) await runtime.reload().catch(() => undefined);
  }

  async fork(key: string, lastTurnId: string | null): Promise<string> {
    const { runtime, threadId, connection } = await this.#reach(key);
    const { thread } = await this.#ask(
      connection.client.request("thread/fork", { threadId, lastTurnId, excludeTurns: true }),
    );
    const name = thread.name ?? `${runtime.state.facts.title} (fork)`;
    this.#options.listed(runtime.workspaceId, { ...thread, name });
    return thread.id;
  }

  async compact(key: string): Promise<void> {
    const { runtime, threadId } = this.#named(key);
    const connection = await runtime.ready();
    await this.#ask(connection.client.request("thread/compact/start", { threadId }));
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
