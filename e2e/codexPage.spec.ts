// The page about codex: what it has besides threads, asked for when somebody looks; and what Holdfast says about itself, which
// has no secret in it.

import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { GetAccountRateLimitsResponse } from "../main/codex/protocol/v2/GetAccountRateLimitsResponse";
import type { GetAccountResponse } from "../main/codex/protocol/v2/GetAccountResponse";
import type { McpServerStatus } from "../main/codex/protocol/v2/McpServerStatus";
import type { RateLimitSnapshot } from "../main/codex/protocol/v2/RateLimitSnapshot";
import { test as base, expect } from "./support/app";
import { BlockedMcp } from "./support/blockedMcp";
import { CodexPage } from "./support/codexPage";
import type { FakeReply, Json } from "./support/fakeCodex/scenario";
import { message, reply } from "./support/modelServer";
import { launchWith, test as testWithFake } from "./support/withFake";

/** What must not come through, by where it was put. */
const secrets = {
  argument: "planted-argument-4711",
  variable: "sk-planted-Variable0123456789",
  configured: "planted-in-config-8123",
  logged: "planted.token.In-The-Log-99",
  address: "somebody.private@example.org",
  proxy: "planted-proxy-5566",
  inAddress: "planted-in-address-3344",
  inQuery: "planted-in-query-2233",
  bearer: "planted-bearer-1122",
  header: "planted-header-9911",
};

const test = base.extend<{ helper: BlockedMcp }>({
  helper: async ({ sandbox }, use) => use(new BlockedMcp(sandbox.temporary)),
  codexHomeOptions: async ({ helper }, use) => {
    await use({
      extraLines: [
        "[mcp_servers.missing]",
        'command = "/nowhere/no-such-server"',
        `args = ["--api-key", "${secrets.argument}"]`,
        "[mcp_servers.switched_off]",
        'command = "/nowhere/neither"',
        "enabled = false",
        "[mcp_servers.remote]",
        `url = "https://me:${secrets.inAddress}@127.0.0.1:9/mcp?api_key=${secrets.inQuery}"`,
        `http_headers = { Authorization = "Bearer ${secrets.bearer}", X-Own-Key = "${secrets.header}" }`,
        ...helper.configLines.filter((line) => !line.startsWith("required")),
        `HELPER_API_TOKEN = "${secrets.configured}"`,
      ],
    });
  },
});

async function writeSkill(codexHome: string, name: string, text: string): Promise<string> {
  const file = path.join(codexHome, "skills", name, "SKILL.md");
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
  return file;
}

test("servers, skills and models stand on the page as they are, and diagnostics are copied and saved without a secret", async ({
  sandbox,
  codexHome,
  helper,
  model,
}) => {
  const skill = await writeSkill(
    codexHome.path,
    "greet",
    "---\nname: greet\ndescription: Says hello.\n---\nHello.\n",
  );
  const broken = await writeSkill(codexHome.path, "broken", "---\nname: [\n---\n");
  await mkdir(path.join(sandbox.home, "logs"), { recursive: true });
  const logged = { detail: `Authorization: Bearer ${secrets.logged}`, about: secrets.address };
  const line = { at: "2026-03-01T08:00:00.000Z", level: "error", message: "It was refused", facts: logged };
  await writeFile(path.join(sandbox.home, "logs", "main.log"), `${JSON.stringify(line)}\n`);
  const holdfast = await sandbox.launch({
    environment: {
      CODEX_HOME: codexHome.path,
      OPENAI_API_KEY: secrets.variable,
      HTTPS_PROXY: `http://me:${secrets.proxy}@127.0.0.1:9`,
    },
  });
  const codex = new CodexPage(holdfast);
  await expect(holdfast.session).toContainText(/^connected/);

  // The server that waits holds up neither the page nor what is said of the others.
  await codex.open("MCP servers");
  const missing = codex.row("MCP servers", "missing");
  await expect(missing).toContainText("failed");
  await expect(missing).toContainText(/No such file or directory/);
  await expect(missing).toContainText("--api-key [redacted]");
  await expect(codex.row("MCP servers", "switched_off")).toContainText("disabled");
  const remote = codex.row("MCP servers", "remote");
  await expect(remote).toContainText("failed");
  await expect(remote).toContainText("X-Own-Key");
  const blocked = codex.row("MCP servers", "blocked");
  await expect(blocked).toContainText("asking");
  helper.release();
  await expect(blocked).toContainText("ready");
  await expect(blocked).toContainText("HELPER_API_TOKEN");
  await expect(blocked).toContainText("Your configuration");
  const servers = await codex.panel("MCP servers").textContent();
  for (const secret of Object.values(secrets)) expect(servers).not.toContain(secret);
  await blocked.getByRole("button", { name: "1 tool" }).click();
  await blocked.getByRole("button", { name: "What it takes" }).click();
  await expect(blocked.getByRole("region", { name: "What greet takes" })).toContainText("somebody");

  await codex.open("Skills");
  const greet = codex.row("Skills", "greet");
  await expect(greet).toContainText("Says hello.");
  await expect(codex.panel("Skills").getByRole("note").filter({ hasText: "cannot use" })).toBeVisible();
  await greet.getByRole("switch", { name: "Use greet" }).click();
  await expect(greet).toContainText("Yours · off");
  expect(await readFile(codexHome.configPath, "utf8")).toContain(skill);
  expect(existsSync(broken)).toBe(true);

  await codex.open("Models");
  const scripted = codex.row("Models", "Scripted model");
  await scripted.getByRole("button", { name: "Use for new threads" }).click();
  await expect(scripted.getByRole("button", { name: "Used for new threads" })).toBeVisible();

  await codex.open("Usage");
  await expect(codex.section("Limits")).toContainText("codex knows of no limit");
  await expect(codex.limit).toBeHidden();

  // A thread tells of its own connections to the servers, as they stand now.
  model.queue(reply(message("Hello.")));
  await holdfast.newThread();
  await holdfast.send("Say hello.");
  await expect(holdfast.conversation).toContainText("Hello.");
  await codex.open("MCP servers");
  await expect(blocked).toContainText("ready");
  await expect(missing).toContainText("failed");

  await codex.open("Diagnostics");
  const handle = await sandbox.ledger.onlyRunning();
  await expect(codex.section("Sessions")).toContainText(`pid: ${handle.pid}`);
  await expect(codex.section("Sessions")).toContainText("socket mode: 0600");
  await expect(codex.section("Watchdog")).toContainText("running");
  const panel = codex.panel("Diagnostics");
  await panel.getByRole("button", { name: "Run the integrity check" }).click();
  await expect(codex.section("Ledger")).toContainText("sound");
  await panel.getByRole("button", { name: "Measure the folders" }).click();
  await expect(codex.section("Folders")).toContainText("logs");

  await panel.getByRole("button", { name: "Copy diagnostics" }).click();
  await expect(holdfast.page.getByText("Diagnostics copied")).toBeVisible();
  const copied = await holdfast.app.evaluate(({ clipboard }) => clipboard.readText());
  const file = path.join(sandbox.temporary, "diagnostics.md");
  await holdfast.app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath });
  }, file);
  await panel.getByRole("button", { name: "Save…" }).click();
  await expect(holdfast.page.getByText("Diagnostics saved")).toBeVisible();
  const versions = await holdfast.app.evaluate(() => process.versions);
  for (const text of [copied, await readFile(file, "utf8")]) {
    for (const known of [
      `pid: ${handle.pid}`,
      `\`${holdfast.app.process().pid}\``,
      versions.electron,
      versions.chrome,
      versions.node,
      "0.171.0",
      "It was refused",
      "OPENAI_API_KEY",
      "HTTPS_PROXY",
    ]) {
      expect(text).toContain(known);
    }
    for (const secret of Object.values(secrets)) expect(text).not.toContain(secret);
  }
  expect(await panel.textContent()).not.toContain(secrets.logged);
  await sandbox.end(holdfast);
});

const weekMs = 7 * 24 * 60 * 60_000;

function snapshot(usedPercent: number): RateLimitSnapshot {
  const resetsAt = Math.round((Date.now() + weekMs / 2) / 1000);
  return {
    limitId: "codex",
    limitName: null,
    normalModelSlug: null,
    primary: { usedPercent: 12, windowDurationMins: 300, resetsAt: Math.round(Date.now() / 1000) + 3_600 },
    secondary: { usedPercent, windowDurationMins: 10_080, resetsAt },
    credits: { hasCredits: true, unlimited: false, balance: "12.50" },
    individualLimit: null,
    spendControlReached: null,
    planType: "plus",
    rateLimitReachedType: null,
  };
}

function webServer(change: Partial<McpServerStatus>): Json {
  const status: McpServerStatus = {
    name: "web",
    runtimeStatus: null,
    pluginId: null,
    httpOrigin: "https://example.org",
    serverInfo: null,
    serverCapabilities: null,
    toolListMeta: null,
    tools: {},
    toolsError: null,
    resources: [],
    resourceTemplates: [],
    authStatus: "notLoggedIn",
    ...change,
  };
  return { data: [status], nextCursor: null } as unknown as Json;
}

testWithFake(
  "an MCP server that wants a sign-in gets one, and how it ended is said; what could not be asked is asked again",
  async ({ sandbox, fake }) => {
    const serverInfo = {
      name: "web",
      title: null,
      version: "3",
      description: null,
      icons: null,
      websiteUrl: null,
    };
    const signIn = (gate: string, end: { success: boolean; error?: string }): FakeReply => ({
      answer: { result: { authorizationUrl: "https://example.org/sign-in" } },
      after: [
        { gate },
        { notify: "mcpServer/oauthLogin/completed", params: { name: "web", threadId: null, ...end } },
      ],
    });
    const config = { mcp_servers: { web: { url: "https://example.org/mcp" } } };
    const codex = await fake({
      replies: {
        "config/read": { answer: { result: { config, origins: {}, layers: null } } },
        "mcpServerStatus/list": [
          { answer: { error: { code: -32603, message: "The disk is on fire" } } },
          { answer: { result: webServer({}) } },
          { answer: { result: webServer({}) } },
          { answer: { result: webServer({ authStatus: "oAuth", serverInfo }) } },
        ],
        "mcpServer/oauth/login": [
          signIn("refused", { success: false, error: "Access was denied." }),
          signIn("signed in", { success: true }),
        ],
      },
    });
    const holdfast = await launchWith(sandbox, codex);
    await expect(holdfast.session).toContainText(/^connected/);
    await holdfast.app.evaluate(({ shell }) => {
      shell.openExternal = async () => {};
    });
    const page = new CodexPage(holdfast);
    await page.open("MCP servers");
    const web = page.row("MCP servers", "web");
    await expect(web.getByRole("alert")).toContainText("The disk is on fire");
    await web.getByRole("button", { name: "Retry" }).click();
    await expect(web).toContainText("needs login");
    await expect(web).toContainText("signed out");
    await web.getByRole("button", { name: "Sign in" }).click();
    await expect(web.getByRole("button", { name: "Open the page again" })).toBeVisible();
    await codex.openGate("refused");
    await expect(web).toContainText("Access was denied.");
    await web.getByRole("button", { name: "Sign in" }).click();
    await expect(web.getByRole("button", { name: "Open the page again" })).toBeVisible();
    await codex.openGate("signed in");
    await expect(web).toContainText("ready");
    await expect(web).toContainText("version 3");
    await expect(web.getByRole("button", { name: "Sign in" })).toBeHidden();
    await sandbox.end(holdfast);
  },
);

testWithFake(
  "limits are read beside the threads, kept up to date by what codex tells, and never invented",
  async ({ sandbox, fake }) => {
    const account: GetAccountResponse = {
      account: { type: "chatgpt", email: secrets.address, planType: "plus" } as GetAccountResponse["account"],
      userId: null,
      requiresOpenaiAuth: true,
      workspaceRouting: null,
    };
    const limits: GetAccountRateLimitsResponse = {
      ordinaryUsageAllowed: null,
      rateLimits: snapshot(34),
      rateLimitsByLimitId: null,
      rateLimitResetCredits: null,
      accountId: null,
      rateLimitUpsell: null,
    };
    const late = { before: [{ gate: "looked" }] };
    const codex = await fake({
      replies: {
        "account/read": { answer: { result: account as unknown as Json } },
        "account/rateLimits/read": { ...late, answer: { result: limits as unknown as Json } },
        "mcpServerStatus/list": late,
        "skills/list": late,
        "account/usage/read": late,
      },
      turns: [
        [
          { message: "First." },
          { notify: "account/rateLimits/updated", params: { rateLimits: snapshot(85) as unknown as Json } },
        ],
        [{ fail: { message: "You have hit your limit.", codexErrorInfo: "usageLimitExceeded" } }],
      ],
    });
    const holdfast = await launchWith(sandbox, codex);
    const page = new CodexPage(holdfast);
    // codex answers none of the questions beside a thread yet: the thread does not wait for them, and nothing is said.
    await codex.until(({ received }) => received?.method === "account/rateLimits/read");
    await holdfast.newThread();
    await expect(page.limit).toBeHidden();
    await page.open("Skills");
    await expect(page.panel("Skills")).toContainText("Asking codex");
    await codex.openGate("looked");
    await expect(page.limit).toContainText(/^weekly limit 34 % · resets \w+ \d\d:\d\d$/);
    await page.limit.getByRole("button").click();
    const section = page.section("Limits");
    await expect(section.getByRole("meter", { name: "5-hour limit" })).toHaveAttribute(
      "aria-valuetext",
      "12 % used",
    );
    await expect(section).toContainText("Plus");
    await expect(section).toContainText("12.50");
    await expect(page.section("Tokens by day")).toContainText("none is signed in");

    await holdfast.newThread();
    await holdfast.send("Use it up.");
    await expect(holdfast.conversation).toContainText("First.");
    await expect(page.limit).toContainText(/^Almost reached: weekly limit 85 %/);
    await holdfast.send("And more.");
    await expect(holdfast.conversation).toContainText("You have hit your limit.");
    await expect(holdfast.conversation).toContainText(/weekly limit 85 % · resets/);
    await expect(holdfast.button("Retry")).toBeVisible();
    const asked = await codex.received("account/rateLimits/read");
    // For the account (twice if the first that was asked went away), and for the look at the page: nothing at intervals.
    expect(asked.length).toBeLessThanOrEqual(3);
    await sandbox.end(holdfast);
  },
);
