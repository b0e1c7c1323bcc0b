// The MCP servers of a thread, and whether each can be used. codex starts them with the thread, without letting anybody wait.
//
// Races settled here:
// - codex tells their states while it makes a thread, before it names the thread in any other way: they are kept until the
//   thread has its id.
// - It tells them once. A connection that comes later asks, in the background, and for each server alone: asking for all at
//   once would start every one of them anew. What codex tells meanwhile outweighs what it answers.

import type { McpServerView } from "../../preload/contract/thread";
import type { McpServerConnectionStatus } from "../codex/protocol/v2/McpServerConnectionStatus";
import type { McpServerStatus } from "../codex/protocol/v2/McpServerStatus";
import { asFault } from "../fault";
import type { Log } from "../log";
import type { Connection } from "../supervisor/connection";
import { effectiveConfig, forgetConfig } from "./effectiveConfig";
import { isRecord, recordOf, stringOrNull, wordsOrNull } from "./loose";
import type { ThreadState } from "./threadState";

export const startupStatusMethod = "mcpServer/startupStatus/updated";
export const loginCompletedMethod = "mcpServer/oauthLogin/completed";

/** As long as a server may take to start; nobody waits for this. */
const lookUpDeadlineMs = 120_000;
const maxServers = 50;

/** What `mcpServer/startupStatus/updated` says. */
export function withStartupStatus(
  servers: McpServerView[],
  fields: Readonly<Record<string, unknown>>,
): McpServerView[] {
  const name = wordsOrNull(fields.name);
  if (name === null) return servers;
  return withServer(servers, { name, state: startupState(fields), error: stringOrNull(fields.error) });
}

/** What `mcpServer/oauthLogin/completed` says. After a success codex starts the server anew by itself, and says so. */
export function withLogin(
  servers: McpServerView[],
  fields: Readonly<Record<string, unknown>>,
): McpServerView[] {
  const name = wordsOrNull(fields.name);
  if (fields.success === true) return servers;
  const error = wordsOrNull(fields.error) ?? "codex did not say why the login failed.";
  return servers.map((server) =>
    server.name === name && server.state !== "ready" ? { name, state: "needs login", error } : server,
  );
}

function startupState(fields: Readonly<Record<string, unknown>>): McpServerView["state"] {
  switch (fields.status) {
    case "ready":
      return "ready";
    case "failed":
      return needsLogin(fields) ? "needs login" : "failed";
    case "cancelled":
      return "cancelled";
    default:
      return "starting";
  }
}

/** codex gives the reason only for a login that has expired; one that never was it tells in words alone. */
function needsLogin({ failureReason, error }: Readonly<Record<string, unknown>>): boolean {
  return failureReason === "reauthenticationRequired" || /\bnot logged in\b/i.test(stringOrNull(error) ?? "");
}

const connectionStates: Record<McpServerConnectionStatus, McpServerView["state"] | null> = {
  notStarted: null,
  starting: "starting",
  connected: "ready",
  authenticationRequired: "needs login",
  failed: "failed",
  cancelled: "cancelled",
  disabled: null,
};

function withServer(servers: McpServerView[], server: McpServerView): McpServerView[] {
  return servers.some((other) => other.name === server.name)
    ? servers.map((other) => (other.name === server.name ? server : other))
    : [...servers, server];
}

/** The MCP servers of one thread. */
export class McpServers {
  readonly #state: ThreadState;
  readonly #log: Log;
  readonly #folder: () => Promise<string>;
  /** codex has told their states over this connection, or been asked. */
  #knownOver: Connection | null = null;
  readonly #toldSince = new Set<string>();

  /** `folder`: the one that the thread works in, whose own configuration may name servers. */
  constructor(state: ThreadState, log: Log, folder: () => Promise<string>) {
    this.#state = state;
    this.#log = log;
    this.#folder = folder;
  }

  told(fields: Readonly<Record<string, unknown>>, connection: Connection | null): void {
    // They begin to start together; what comes of one alone says nothing about the others.
    if (fields.status === "starting") this.#knownOver = connection;
    const name = wordsOrNull(fields.name);
    if (name !== null) this.#toldSince.add(name);
    this.#state.update({ mcpServers: withStartupStatus(this.#state.facts.mcpServers, fields) });
  }

  loginCompleted(fields: Readonly<Record<string, unknown>>): void {
    this.#state.update({ mcpServers: withLogin(this.#state.facts.mcpServers, fields) });
  }

  /** codex tells us no more about them. */
  forget(): void {
    this.#knownOver = null;
  }

  /** The thread is loaded: asks for the states, unless codex has told them. */
  loaded(connection: Connection): void {
    const { threadId } = this.#state.facts;
    if (threadId === null || this.#knownOver === connection) return;
    this.#knownOver = connection;
    this.#toldSince.clear();
    this.#lookUp(connection, threadId).catch((error: unknown) => {
      this.#log.info("MCP servers could not be looked up", { threadId, error: asFault(error).code });
    });
  }

  async #lookUp(connection: Connection, threadId: string): Promise<void> {
    const names = await configuredServers(connection, await this.#folder());
    const isCurrent = () => this.#knownOver === connection;
    if (!isCurrent()) return;
    const gone = this.#state.facts.mcpServers.filter(
      ({ name }) => !names.includes(name) && !this.#toldSince.has(name),
    );
    if (gone.length > 0)
      this.#state.update({ mcpServers: this.#state.facts.mcpServers.filter((one) => !gone.includes(one)) });
    await Promise.all(
      names.slice(0, maxServers).map(async (serverName) => {
        const { data } = await connection.client.request(
          "mcpServerStatus/list",
          { threadId, serverName, detail: "toolsAndAuthOnly" },
          { deadlineMs: lookUpDeadlineMs },
        );
        const status = data.find(({ name }) => name === serverName);
        if (status && isCurrent() && !this.#toldSince.has(serverName)) this.#found(status);
      }),
    );
  }

  #found({ name, runtimeStatus, toolsError }: McpServerStatus): void {
    const state = runtimeStatus === null ? null : (connectionStates[runtimeStatus] ?? null);
    const { mcpServers } = this.#state.facts;
    const error = state === "failed" ? wordsOrNull(toolsError) : null;
    this.#state.update({
      mcpServers:
        state === null
          ? mcpServers.filter((server) => server.name !== name)
          : withServer(mcpServers, { name, state, error }),
    });
  }
}

async function configuredServers(connection: Connection, cwd: string): Promise<string[]> {
  const servers = recordOf((await effectiveConfig(connection, cwd)).mcp_servers);
  return Object.keys(servers).filter((name) => isRecord(servers[name]));
}

/** Starts the servers of all threads of a session anew, with the configuration as it is now. */
export async function reloadServers(connection: Connection): Promise<void> {
  forgetConfig(connection);
  await connection.client.request("config/mcpServer/reload", undefined);
}

/** Startup states of threads that have no id yet. */
export class EarlyStates {
  readonly #states = new Map<string, Readonly<Record<string, unknown>>[]>();

  keep(threadId: string, fields: Readonly<Record<string, unknown>>): void {
    const states = this.#states.get(threadId) ?? [];
    if (states.length < 2 * maxServers) states.push(fields);
    this.#states.set(threadId, states);
    // Threads of others: nobody comes for them.
    const oldest = this.#states.size > 20 ? this.#states.keys().next().value : undefined;
    if (oldest !== undefined) this.#states.delete(oldest);
  }

  take(threadId: string): Readonly<Record<string, unknown>>[] {
    const states = this.#states.get(threadId) ?? [];
    this.#states.delete(threadId);
    return states;
  }
}
