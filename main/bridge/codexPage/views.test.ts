import { describe, expect, it } from "vitest";
import type { McpServerStatus } from "../../codex/protocol/v2/McpServerStatus";
import { redactText } from "../../redact";
import { withNews } from "./codexPage";
import { configuredServers, serverAnswer } from "./serverViews";
import { skillViews, usageView } from "./skillViews";

const user = { name: { type: "user", file: "/h/.codex/config.toml", profile: null }, version: "1" };

describe("configured servers", () => {
  const answer = {
    config: {
      mcp_servers: {
        web: {
          url: "https://me:hunter22@example.org/mcp",
          bearer_token_env_var: "WEB_TOKEN",
          http_headers: { "X-Api-Key": "planted-header" },
          enabled: false,
        },
        helper: { command: "npx", args: ["-y", "a helper"], cwd: "/w", env: { API_TOKEN: "planted-value" } },
        odd: 7,
      },
    },
    origins: {
      "mcp_servers.helper.command": user,
      "mcp_servers.helpers_friend.command": { name: { type: "system", file: "/etc/x" } },
      "mcp_servers.web.url": { name: { type: "project", dotCodexFolder: "/w/.codex" } },
    },
  };

  it("are told by name, with where they are configured, and no value that could be secret", () => {
    const servers = configuredServers(answer, redactText);
    expect(servers).toMatchObject([
      {
        name: "helper",
        enabled: true,
        target: { kind: "command", text: 'npx -y "a helper"' },
        folder: "/w",
        variables: ["API_TOKEN"],
        source: { words: "Your configuration", file: "/h/.codex/config.toml" },
      },
      { name: "odd", target: null, source: { words: "codex does not say where", file: null } },
      {
        name: "web",
        enabled: false,
        target: { kind: "address" },
        variables: ["WEB_TOKEN", "X-Api-Key"],
        source: { words: "This project's configuration", file: "/w/.codex/config.toml" },
      },
    ]);
    for (const planted of ["hunter22", "planted"]) expect(JSON.stringify(servers)).not.toContain(planted);
  });

  it.each([null, {}, { config: { mcp_servers: [] } }, { config: null }])("of %j there are none", (odd) => {
    expect(configuredServers(odd, redactText)).toEqual([]);
  });
});

const status = (change: Partial<McpServerStatus>): McpServerStatus => ({
  name: "helper",
  runtimeStatus: null,
  pluginId: null,
  httpOrigin: null,
  serverInfo: null,
  serverCapabilities: null,
  toolListMeta: null,
  tools: {},
  toolsError: null,
  resources: [],
  resourceTemplates: [],
  authStatus: "unsupported",
  ...change,
});
const serverInfo = {
  name: "helper",
  title: null,
  version: "1",
  description: null,
  icons: null,
  websiteUrl: null,
};

describe("how a server stands", () => {
  it.each<[Partial<McpServerStatus>, string]>([
    [{ runtimeStatus: "connected" }, "ready"],
    [{ runtimeStatus: "starting" }, "starting"],
    [{ runtimeStatus: "authenticationRequired" }, "needs login"],
    [{ runtimeStatus: "failed", toolsError: "gone" }, "failed"],
    [{ runtimeStatus: "failed", authStatus: "notLoggedIn" }, "needs login"],
    [{ runtimeStatus: "disabled" }, "disabled"],
    [{ runtimeStatus: "cancelled" }, "cancelled"],
    [{ serverInfo }, "ready"],
    [{ toolsError: "No such file" }, "failed"],
    [{ toolsError: "The server is not logged in" }, "needs login"],
    [{ authStatus: "notLoggedIn" }, "needs login"],
    [{}, "not started"],
    [{ runtimeStatus: "hibernating" as never, serverInfo }, "ready"],
  ])("%j is %s", (change, state) => expect(serverAnswer(status(change), redactText).state).toBe(state));

  it("comes with its tools and their schemas, bounded, and its error without secrets", () => {
    const tool = {
      name: "add",
      description: "Adds.",
      inputSchema: { type: "object", note: "n".repeat(30_000) },
    };
    const tools = Object.fromEntries(
      Array.from({ length: 410 }, (_, nth) => [`t${nth}`, { ...tool, name: `t${nth}` }]),
    );
    const answer = serverAnswer(status({ tools, toolsError: "401 for Bearer abcdef123456789" }), redactText);
    expect(answer.tools).toHaveLength(400);
    expect(answer.more).toBe(10);
    expect(answer.tools[0]?.schema.length).toBeLessThan(20_010);
    expect(answer.error).toBe("401 for Bearer [redacted]");
  });
});

it("skills are told by where they are from, with the files that cannot be used", () => {
  const skill = { description: "d", path: "/s", enabled: true, pluginId: null };
  const { skills, errors } = skillViews({
    data: [
      {
        cwd: "/w",
        skills: [
          { ...skill, name: "z", scope: "system" },
          { ...skill, name: "b", scope: "user" },
          { ...skill, name: "a", scope: "user", enabled: false },
          { ...skill, name: "own", scope: "repo" },
        ],
        errors: [{ path: "/s/bad/SKILL.md", message: "missing field" }],
      },
    ],
  });
  expect(skills.map(({ name, enabled }) => [name, enabled])).toEqual([
    ["own", true],
    ["a", false],
    ["b", true],
    ["z", true],
  ]);
  expect(errors).toEqual([{ path: "/s/bad/SKILL.md", message: "missing field" }]);
});

it("usage that codex does not say is unknown, and numbers may come as text", () => {
  expect(usageView(null)).toEqual({ days: null, lifetimeTokens: null, thread: null });
  const answer = {
    summary: { lifetimeTokens: "9000000000000" },
    dailyUsageBuckets: [
      { startDate: "2026-03-01", tokens: 5 },
      { startDate: "2026-03-02", tokens: "7" },
      { startDate: "2026-03-03", tokens: null },
    ],
    threadUsage: { estimatedUsageCreditsMicros: 1_500_000, estimatedUsageUsdMicros: null },
  };
  expect(usageView(answer)).toEqual({
    days: [
      { day: "2026-03-02", tokens: 7 },
      { day: "2026-03-01", tokens: 5 },
    ],
    lifetimeTokens: 9_000_000_000_000,
    thread: { credits: 1.5, usd: null },
  });
});

it("what codex tells makes what a page shows old: skills, and how a sign-in ended", () => {
  const once = withNews(undefined, "skills/changed", {});
  expect(once).toEqual({ skills: 1, logins: {} });
  const login = (fields: object) => ({ name: "web", threadId: null, ...fields });
  const failed = withNews(once, "mcpServer/oauthLogin/completed", login({ success: false, error: "denied" }));
  expect(failed?.logins).toEqual({ web: { count: 1, error: "denied" } });
  const signedIn = withNews(failed, "mcpServer/oauthLogin/completed", login({ success: true }));
  expect(signedIn).toEqual({ skills: 1, logins: { web: { count: 2, error: null } } });
  expect(withNews(signedIn, "turn/completed", {})).toBe(signedIn);
  expect(withNews(undefined, "mcpServer/oauthLogin/completed", null)).toBeUndefined();
});
