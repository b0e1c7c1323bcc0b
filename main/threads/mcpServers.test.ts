// MCP servers that start, fail, need a login, or had done so before anybody listened. The words are codex's own.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lingerMs } from "./linger";
import { codexThread, listed, resumed, started } from "./testCodexData";
import { settle, TestThreads } from "./testThreads";

const T = "thread-1";
let bench: TestThreads;

beforeEach(async () => {
  bench = new TestThreads();
  bench.rule("thread/resume", ({ params }) => resumed(params.threadId, []));
  bench.rule("thread/turns/list", () => listed([]));
  bench.rule("thread/queue/list", () => listed([]));
  bench.rule("thread/read", () => ({ thread: codexThread(T) }));
  bench.rule("thread/unsubscribe", () => ({ status: "unsubscribed" }));
  bench.rule("config/read", () => ({ config: { mcp_servers: {} } }));
  bench.ledger.threads.upsert([
    {
      threadId: T,
      workspaceId: bench.workspaceId,
      profileId: "user",
      title: "Title",
      preview: "Hello",
      createdAtMs: 1,
      updatedAtMs: 1,
      archived: false,
      lastKnownState: "idle",
      parentThreadId: null,
      source: "app",
    },
  ]);
  bench.threads.rows.remember(bench.workspaceId);
  await bench.reconnect();
});

afterEach(() => bench.end());

async function opened(key = T) {
  const window = bench.open(key);
  await settle();
  return window;
}

const status = (name: string, state: string, error: string | null = null, more: object = {}) =>
  bench.codex.say("mcpServer/startupStatus/updated", {
    threadId: T,
    name,
    environmentId: null,
    status: state,
    error,
    failureReason: null,
    ...more,
  });
const notLoggedIn = "The docs MCP server is not logged in. Run `codex mcp login docs`.";
const shown = (window: { head: { mcpServers: { name: string; state: string; error: string | null }[] } }) =>
  window.head.mcpServers.map(({ name, state, error }) =>
    error ? `${name} ${state}: ${error}` : `${name} ${state}`,
  );

describe("what codex says of a server", () => {
  it("is its state, and a missing login is told from any other failure", async () => {
    const window = await opened();
    for (const name of ["fine", "missing", "slow", "docs", "expired"]) status(name, "starting");
    expect(new Set(window.head.mcpServers.map(({ state }) => state))).toEqual(new Set(["starting"]));
    status("fine", "ready");
    status("missing", "failed", "MCP startup failed: No such file or directory (os error 2)");
    status("slow", "failed", "MCP client for `slow` timed out after 30 seconds.");
    status("docs", "failed", notLoggedIn);
    status("expired", "failed", "Token expired.", { failureReason: "reauthenticationRequired" });
    expect(shown(window)).toEqual([
      "fine ready",
      "missing failed: MCP startup failed: No such file or directory (os error 2)",
      "slow failed: MCP client for `slow` timed out after 30 seconds.",
      `docs needs login: ${notLoggedIn}`,
      "expired needs login: Token expired.",
    ]);
  });

  it("before it has named the thread that it makes is kept for that thread", async () => {
    const key = bench.threads.compose(bench.workspaceId);
    const window = await opened(key);
    bench.threads.send(key, { clientId: "c", text: "Do it", attachments: [], mode: "turn" });
    await settle();
    status("docs", "starting", null, { threadId: "made" });
    status("docs", "failed", notLoggedIn, { threadId: "made" });
    status("other", "starting", null, { threadId: "a stranger" });
    bench.codex.only("thread/start").answer(started("made"));
    await settle();
    expect(shown(window)).toEqual([`docs needs login: ${notLoggedIn}`]);
    // It has told everything: there is nothing to ask.
    expect(bench.codex.all("config/read")).toEqual([]);
  });

  it("delays neither the thread nor its first message", async () => {
    const window = await opened();
    status("slow", "starting");
    bench.threads.send(T, { clientId: "c", text: "Do it", attachments: [], mode: "turn" });
    await settle();
    expect(bench.codex.all("turn/start")).toHaveLength(1);
    expect(window.head.run?.waitingFor).toEqual(["MCP server slow to start"]);
  });
});

describe("a thread that codex had loaded before", () => {
  const configured = (...names: string[]) =>
    bench.rule("config/read", () => ({
      config: { mcp_servers: Object.fromEntries(names.map((name) => [name, { command: name }])) },
    }));
  const answer =
    (runtimeStatus: string | null, toolsError: string | null = null) =>
    (asked: { params: object }) => {
      const { serverName } = asked.params as { serverName: string };
      return {
        data: [{ name: serverName, runtimeStatus, toolsError, authStatus: "unsupported" }],
        nextCursor: null,
      };
    };

  it("has its servers' states asked for, each alone, and only in the background", async () => {
    configured("fine", "missing", "docs", "off");
    const states: Record<string, [string, string | null]> = {
      fine: ["connected", null],
      missing: ["failed", "MCP startup failed: No such file or directory (os error 2)"],
      docs: [
        "authenticationRequired",
        "MCP startup failed: handshaking with MCP server failed: Send message error",
      ],
      off: ["disabled", null],
    };
    bench.rule("mcpServerStatus/list", (asked) => {
      const [runtimeStatus, toolsError] = states[
        (asked.params as unknown as { serverName: string }).serverName
      ] ?? [null, null];
      return answer(runtimeStatus, toolsError)(asked);
    });
    const window = await opened();
    await settle();
    expect(shown(window)).toEqual([
      "fine ready",
      "missing failed: MCP startup failed: No such file or directory (os error 2)",
      "docs needs login",
    ]);
    expect(bench.codex.last("config/read").params).toMatchObject({ cwd: bench.folder });
    for (const { params } of bench.codex.all("mcpServerStatus/list"))
      expect(params).toMatchObject({ threadId: T });
  });

  it("is shown although codex answers nothing about its servers", async () => {
    bench.hold("config/read");
    const window = await opened();
    expect(window.head.residency).toBe("loaded");
    bench.clock.advance(60_000);
    await settle();
    expect(window.head).toMatchObject({ residency: "loaded", fault: null });
  });

  it("believes what codex says meanwhile more than what it answers", async () => {
    configured("slow");
    const window = await opened();
    await settle();
    status("slow", "failed", "It timed out.");
    bench.codex
      .only("mcpServerStatus/list")
      .answer(answer("starting")(bench.codex.only("mcpServerStatus/list")));
    await settle();
    expect(shown(window)).toEqual(["slow failed: It timed out."]);
  });

  it("is asked about again after a cut, and after it had been let go", async () => {
    configured("slow");
    bench.rule("mcpServerStatus/list", answer("starting"));
    const window = await opened();
    await settle();
    expect(shown(window)).toEqual(["slow starting"]);
    bench.rule("mcpServerStatus/list", answer("connected"));
    await bench.cut();
    await bench.reconnect();
    await settle();
    expect(shown(window)).toEqual(["slow ready"]);
    bench.close(window);
    bench.rule("mcpServerStatus/list", answer("failed", "It broke."));
    for (let passed = 0; passed <= lingerMs; passed += 1_000) {
      bench.clock.advance(1_000);
      await settle();
    }
    const again = await opened();
    await settle();
    expect(shown(again)).toEqual(["slow failed: It broke."]);
  });

  it("has no servers any more that the configuration does not have", async () => {
    configured("old");
    bench.rule("mcpServerStatus/list", answer("connected"));
    const window = await opened();
    await settle();
    configured("new");
    await bench.cut();
    await bench.reconnect();
    await settle();
    expect(shown(window)).toEqual(["new ready"]);
  });
});

describe("what a person does about a server", () => {
  it("Reconnect starts the servers of the session anew; what becomes of them is told by codex", async () => {
    bench.rule("config/mcpServer/reload", () => ({}));
    const window = await opened();
    status("missing", "failed", "No such file.");
    await bench.threads.actions.reconnectMcp(T);
    expect(bench.codex.only("config/mcpServer/reload").params).toBeUndefined();
    status("missing", "starting");
    status("missing", "ready");
    expect(shown(window)).toEqual(["missing ready"]);
  });

  it("Login gives the address, and a failed one is told in codex's words", async () => {
    const authorizationUrl = "https://login.example/auth?x=1";
    bench.rule("mcpServer/oauth/login", () => ({ authorizationUrl, loginId: "1" }));
    const window = await opened();
    status("docs", "failed", notLoggedIn);
    await expect(bench.threads.actions.loginMcp(T, "docs")).resolves.toBe(authorizationUrl);
    expect(bench.codex.only("mcpServer/oauth/login").params).toMatchObject({ name: "docs", threadId: T });
    const failed = {
      name: "docs",
      loginId: "1",
      success: false,
      error: "timed out waiting for OAuth callback",
    };
    // codex names the thread only when it was asked for one.
    bench.codex.say("mcpServer/oauthLogin/completed", { ...failed, threadId: null });
    expect(shown(window)).toEqual(["docs needs login: timed out waiting for OAuth callback"]);
    bench.codex.say("mcpServer/oauthLogin/completed", { name: "docs", success: true, threadId: T });
    status("docs", "starting");
    status("docs", "ready");
    expect(shown(window)).toEqual(["docs ready"]);
    bench.codex.say("mcpServer/oauthLogin/completed", { ...failed, threadId: T });
    expect(shown(window)).toEqual(["docs ready"]);
  });

  it("a refusal is told as codex tells it", async () => {
    await opened();
    bench.rule("mcpServer/oauth/login", () => new Error("No MCP server named 'nosuch' found."));
    await expect(bench.threads.actions.loginMcp(T, "nosuch")).rejects.toMatchObject({
      message: expect.stringContaining("No MCP server named 'nosuch' found."),
    });
  });

  it("loads a thread that is not loaded, and makes none that is only a key", async () => {
    bench.rule("config/mcpServer/reload", () => ({}));
    await bench.threads.actions.reconnectMcp(T);
    expect(bench.codex.asked.map(({ method }) => method).slice(0, 1)).toEqual(["thread/resume"]);
    await bench.threads.actions.reconnectMcp(bench.threads.compose(bench.workspaceId));
    expect(bench.codex.all("config/mcpServer/reload")).toHaveLength(2);
    expect(bench.codex.all("thread/start")).toEqual([]);
  });
});
