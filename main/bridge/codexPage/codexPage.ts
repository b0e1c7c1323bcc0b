// Asks a workspace's codex what the page of codex shows. Only when somebody looks, each part for itself and with a deadline of
// its own, so that one that hangs holds up no other, and no thread.
//
// Race: one asks for a server of a thread that is being unloaded: codex does not know that thread any more and refuses; it is
// asked again without one, which starts the server to find out.

import type {
  CodexNews,
  ConfiguredServer,
  ServerAnswer,
  SkillView,
  UsageView,
} from "../../../preload/contract/codexPage";
import { Fault } from "../../fault";
import type { Connection } from "../../supervisor/connection";
import { recordOf, wordsOrNull } from "../../threads/loose";
import { loginCompletedMethod, reloadServers } from "../../threads/mcpServers";
import type { Redact } from "../sharing";
import { configuredServers, serverAnswer } from "./serverViews";
import { skillViews, usageView } from "./skillViews";

/** As long as codex lets a server take to start. */
const serverDeadlineMs = 70_000;
const readDeadlineMs = 20_000;
const mostLogins = 100;

export interface CodexPageOptions {
  connect(workspaceId: string): Promise<Connection>;
  /** Of the person's own codex. */
  ownConnection(): Promise<Connection>;
  folder(workspaceId: string): string;
  /** A thread that codex has loaded over this connection; null: there is none. */
  loadedThread(workspaceId: string, connection: Connection): string | null;
  openLink(url: string): Promise<void>;
  redact: Redact;
}

export class CodexPage {
  readonly #options: CodexPageOptions;

  constructor(options: CodexPageOptions) {
    this.#options = options;
  }

  async servers(workspaceId: string): Promise<ConfiguredServer[]> {
    const { connect, folder, redact } = this.#options;
    const { client } = await connect(workspaceId);
    const answer = await client.request(
      "config/read",
      { includeLayers: false, cwd: folder(workspaceId) },
      { deadlineMs: readDeadlineMs },
    );
    return configuredServers(answer, redact);
  }

  async server(workspaceId: string, threadId: string | null, name: string): Promise<ServerAnswer> {
    const { connect, loadedThread, redact } = this.#options;
    const connection = await connect(workspaceId);
    const loaded = threadId ?? loadedThread(workspaceId, connection);
    const ask = async (thread: string | null) => {
      const { data } = await connection.client.request(
        "mcpServerStatus/list",
        { serverName: name, detail: "full", ...(thread !== null && { threadId: thread }) },
        { deadlineMs: serverDeadlineMs },
      );
      return data.find((each) => each.name === name);
    };
    const status = await ask(loaded).catch((error: unknown) => {
      if (loaded === null || !isRefusal(error)) throw error;
      return ask(null);
    });
    if (status) return serverAnswer(status, redact);
    throw new Fault("server_unknown", `codex does not know an MCP server named ${name} any more.`, {
      hint: "Reload the servers: the configuration has changed.",
    });
  }

  async reload(workspaceId: string): Promise<void> {
    await reloadServers(await this.#options.connect(workspaceId));
  }

  async signIn(workspaceId: string, threadId: string | null, name: string): Promise<string> {
    const { connect, openLink } = this.#options;
    const { client } = await connect(workspaceId);
    const answer = await client.request("mcpServer/oauth/login", {
      name,
      ...(threadId !== null && { threadId }),
    });
    const url = wordsOrNull(answer.authorizationUrl);
    if (url === null) {
      throw new Fault("sign_in_failed", "codex did not say which page to open for signing in.", {
        retryable: true,
      });
    }
    await openLink(url);
    return url;
  }

  async skills(
    workspaceId: string,
    now: boolean,
  ): Promise<{ skills: SkillView[]; errors: { path: string; message: string }[] }> {
    const { connect, folder } = this.#options;
    const { client } = await connect(workspaceId);
    const answer = await client.request(
      "skills/list",
      { cwds: [folder(workspaceId)], forceReload: now },
      { deadlineMs: readDeadlineMs },
    );
    return skillViews(answer);
  }

  async setSkill(workspaceId: string, path: string, enabled: boolean): Promise<boolean> {
    const { client } = await this.#options.connect(workspaceId);
    const answer = await client.request(
      "skills/config/write",
      { path, enabled },
      { deadlineMs: readDeadlineMs },
    );
    return answer.effectiveEnabled;
  }

  /** Of the account; and of a thread, where one is named. */
  async usage(threadId: string | null): Promise<UsageView> {
    const { client } = await this.#options.ownConnection();
    const answer = await client.request("account/usage/read", threadId === null ? {} : { threadId }, {
      deadlineMs: readDeadlineMs,
    });
    return usageView(answer);
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof Fault && error.code === "codex_error";
}

/** What a notification of a session changes about what is known to be new; the same: nothing. */
export function withNews(
  news: CodexNews | undefined,
  method: string,
  params: unknown,
): CodexNews | undefined {
  const known = news ?? { skills: 0, logins: {} };
  if (method === "skills/changed") return { ...known, skills: known.skills + 1 };
  if (method !== loginCompletedMethod) return news;
  const fields = recordOf(params);
  const name = wordsOrNull(fields.name);
  if (name === null) return news;
  const before = Object.entries(known.logins)
    .filter(([other]) => other !== name)
    .slice(-mostLogins);
  const error =
    fields.success === true ? null : (wordsOrNull(fields.error) ?? "codex did not say why it failed.");
  const login = { count: (known.logins[name]?.count ?? 0) + 1, error };
  return { ...known, logins: { ...Object.fromEntries(before), [name]: login } };
}
