// A thread that is loaded: its turns, its settings, and when it is let go.

import { describe, expect, it } from "vitest";
import { Fault } from "../fault";
import {
  agentItem,
  codexThread,
  codexTurn,
  commandApproval,
  commandItem,
  listed,
  readOnlySandbox,
  resumed,
  started,
  userItem,
} from "./testCodexData";
import {
  begin,
  bench,
  codex,
  complete,
  finish,
  later,
  opened,
  past,
  prepareBench,
  runtime,
  say,
  shown,
  start,
  status,
  T,
  text,
} from "./testRuntime";
import { settle } from "./testThreads";

prepareBench();

describe("the end of a turn", () => {
  it("takes its status from what codex says last: the turn itself", async () => {
    const window = await opened();
    begin("t2");
    start("t2", agentItem("m2", ""));
    text("t2", "m2", "Half");
    expect(window.head.state).toBe("running");
    status("idle");
    complete("t2", "interrupted");
    expect(window.head).toMatchObject({ run: null, state: "interrupted" });
    expect(window.texts.at(-1)).toBe("agent lost: Half");
  });

  it("is looked up when only the status tells it", async () => {
    const window = await opened();
    begin("t2");
    start("t2", agentItem("m2", "Hal"));
    bench.rule("thread/turns/list", () =>
      listed([past, codexTurn("t2", "failed", [agentItem("m2", "Half")])]),
    );
    status("systemError");
    expect(window.head.run).toBeNull();
    await later(1_000);
    expect(window.head.state).toBe("failed");
    expect(window.texts.at(-1)).toBe("agent completed: Half");
  });

  it("is looked up without ending the next turn, which has begun meanwhile", async () => {
    const window = await opened();
    begin("t2");
    status("idle");
    begin("t3");
    start("t3", agentItem("m3", "New"));
    bench.rule("thread/turns/list", () => listed([past, codexTurn("t2", "completed"), codexTurn("t3")]));
    await later(1_000);
    expect(window.copy.turns.map((turn) => turn.status)).toEqual(["completed", "completed", "running"]);
    expect(window.texts.at(-1)).toBe("agent running: New");
    expect(window.head.run?.turnId).toBe("t3");
  });

  it("is found by asking when neither comes, within seconds, and not while codex works", async () => {
    const window = await opened();
    begin("t2");
    bench.rule("thread/read", () => ({
      thread: codexThread(T, { status: { type: "active", activeFlags: [] } }),
    }));
    await later(30_000);
    expect(window.head.state).toBe("running");
    expect(codex().all("thread/read").length).toBeGreaterThan(3);
    bench.rule("thread/read", () => ({ thread: codexThread(T) }));
    bench.rule("thread/turns/list", () => listed([past, codexTurn("t2", "completed")]));
    await later(7_000);
    expect(window.head).toMatchObject({ state: "idle", run: null });
  });

  it("is not asked after while codex talks", async () => {
    await opened();
    begin("t2");
    for (let count = 0; count < 20; count += 1) {
      text("t2", "m2", "word ");
      await later(1_000);
    }
    expect(codex().all("thread/read")).toEqual([]);
    status("idle");
    complete("t2");
  });

  it("is not taken from an answer about the turn before", async () => {
    const window = await opened();
    bench.hold("thread/read");
    begin("t2");
    await later(5_000);
    const question = codex().only("thread/read");
    status("idle");
    complete("t2");
    begin("t3");
    question.answer({ thread: codexThread(T) });
    await settle();
    expect(window.head.run?.turnId).toBe("t3");
  });

  it("has come when codex does not even have the thread loaded", async () => {
    const window = await opened();
    begin("t2");
    bench.rule("thread/read", () => new Error("thread not loaded: thread-1"));
    await later(7_000);
    expect(window.head.run).toBeNull();
    expect(runtime().loadedOn).toBeNull();
  });

  it("withdraws what the turn asked, whichever way it is told", async () => {
    const window = await opened();
    begin("t2");
    codex().ask(0, "item/commandExecution/requestApproval", commandApproval(T, "t2"));
    expect(window.head.state).toBe("waiting for approval");
    status("idle");
    expect(window.head.requests).toEqual([]);
    begin("t3");
    codex().ask(1, "item/commandExecution/requestApproval", commandApproval(T, "t3"));
    complete("t3");
    expect(window.head.requests).toEqual([]);
    expect(bench.threads.answer({ requestKey: "handle-1:number:1", decisionId: "accept" })).toBe("gone");
    expect(codex().answers).toEqual([]);
  });

  it("tells that the folder of a running turn has been taken away", async () => {
    const window = await opened();
    begin("t2");
    bench.rule("thread/read", () => ({
      thread: codexThread(T, { status: { type: "active", activeFlags: [] } }),
    }));
    bench.folderFault = new Fault("folder_gone", "The folder is not there.");
    await later(5_000);
    expect(window.head).toMatchObject({ state: "running", fault: { code: "folder_gone" } });
    bench.folderFault = null;
    await later(6_000);
    expect(window.head.fault).toBeNull();
    status("idle");
    complete("t2");
  });
});

describe("stop", () => {
  it("is remembered until the turn has a name", async () => {
    const window = await opened();
    bench.threads.send(T, { clientId: crypto.randomUUID(), text: "Go", attachments: [], mode: "turn" });
    await settle();
    await runtime().stop();
    expect(window.head.run).toMatchObject({ stopping: true, turnId: null });
    expect(codex().all("turn/interrupt")).toEqual([]);
    codex()
      .only("turn/start")
      .answer({ turn: codexTurn("t2") });
    expect(codex().only("turn/interrupt").params).toMatchObject({ threadId: T, turnId: "t2" });
  });

  it("that comes too late is no failure", async () => {
    const window = await opened();
    begin("t2");
    await runtime().stop();
    bench.rule("thread/turns/list", () => listed([past, codexTurn("t2", "completed")]));
    codex().only("turn/interrupt").refuse("no active turn to interrupt");
    await later(2_000);
    expect(window.head.run).toBeNull();
    expect(window.texts).toEqual(shown);
  });

  it("that is never answered is said once, while the turn runs, and may be pressed again", async () => {
    const window = await opened();
    begin("t2");
    bench.rule("thread/read", () => ({
      thread: codexThread(T, { status: { type: "active", activeFlags: [] } }),
    }));
    await runtime().stop();
    await runtime().stop();
    expect(codex().all("turn/interrupt")).toHaveLength(2);
    codex().all("turn/interrupt")[0]?.answer({});
    await later(11_000);
    expect(window.texts.filter((one) => one.startsWith("notice"))).toHaveLength(1);
    expect(window.head.run).toMatchObject({ stopping: true });
    complete("t2", "interrupted");
    await later(20_000);
    expect(window.texts.filter((one) => one.startsWith("notice"))).toHaveLength(1);
  });

  it("that is never answered is nothing to speak of once the turn has ended", async () => {
    const window = await opened();
    begin("t2");
    await runtime().stop();
    status("idle");
    complete("t2", "interrupted");
    begin("t3");
    await later(12_000);
    expect(window.texts).toEqual(shown);
    complete("t3");
  });

  it("that was cut off is sent again when the turn still runs", async () => {
    await opened();
    begin("t2");
    await bench.cut();
    await runtime().stop();
    const running = codexTurn("t2", "inProgress");
    bench.rule("thread/resume", () => resumed(T, [past, running], { status: "active" }));
    await bench.reconnect();
    expect(codex().only("turn/interrupt").params.turnId).toBe("t2");
  });
});

describe("settings", () => {
  const chosen = {
    model: "o9",
    effort: "low",
    sandbox: "workspace-write",
    approvalPolicy: "never",
  } as const;

  it("go to codex at once, and are put back when it refuses", async () => {
    const window = await opened();
    bench.rule("thread/settings/update", () => new Error("model o9 is not allowed"));
    const change = runtime().setSettings(chosen);
    expect(window.head.settings).toEqual(chosen);
    await expect(change).rejects.toMatchObject({ message: "model o9 is not allowed" });
    expect(window.head.settings).toMatchObject({ model: "gpt-5", sandbox: "read-only" });
  });

  it("are not put back over newer ones", async () => {
    const window = await opened();
    const first = runtime().setSettings(chosen);
    const second = runtime().setSettings({ ...chosen, model: "o10" });
    const [one, two] = codex().all("thread/settings/update");
    two?.answer({});
    one?.refuse("no");
    await expect(first).rejects.toThrow();
    await second;
    expect(window.head.settings.model).toBe("o10");
  });

  it("chosen before the thread is loaded are applied when it is, and put back when codex refuses", async () => {
    await runtime().setSettings(chosen);
    const window = await opened();
    expect(window.head.settings).toEqual(chosen);
    codex().only("thread/settings/update").answer({});
    bench.threads.send(T, { clientId: crypto.randomUUID(), text: "Go", attachments: [], mode: "turn" });
    await settle();
    expect(codex().only("turn/start").params).toMatchObject({ model: "o9", approvalPolicy: "never" });
    await bench.cut();
    await runtime().setSettings({ ...chosen, model: "o10" });
    bench.rule("thread/settings/update", () => new Error("no such model"));
    await bench.reconnect();
    expect(window.head.settings.model).toBe("gpt-5");
    expect(window.texts.at(-1)).toContain("could not be applied: no such model");
  });

  it("are those that codex reports when nothing was chosen since, never wider", async () => {
    bench.ledger.threads.setSettings(T, { ...chosen, sandbox: "danger-full-access" });
    const window = await opened();
    expect(window.head.settings).toMatchObject({ sandbox: "read-only", approvalPolicy: "on-request" });
    bench.threads.send(T, { clientId: crypto.randomUUID(), text: "Go", attachments: [], mode: "turn" });
    await settle();
    expect(codex().only("turn/start").params).toMatchObject({
      sandboxPolicy: readOnlySandbox,
      approvalPolicy: "on-request",
    });
  });

  it("leave the network and the folders of the user's own config as they are", async () => {
    const own = {
      type: "workspaceWrite",
      writableRoots: ["/data"],
      networkAccess: true,
      excludeTmpdirEnvVar: false,
      excludeSlashTmp: false,
    };
    bench.rule("thread/resume", () => ({ ...resumed(T, [past]), sandbox: own }));
    await opened();
    bench.rule("turn/start", () => ({ turn: codexTurn("t2") }));
    const go = async () => {
      bench.threads.send(T, { clientId: crypto.randomUUID(), text: "Go", attachments: [], mode: "turn" });
      await settle();
      begin("t2");
      status("idle");
      complete("t2");
      return codex().last("turn/start").params.sandboxPolicy;
    };
    expect(await go()).toEqual(own);
    const settingsOf = (sandboxPolicy: object, activePermissionProfile: object | null) =>
      say("thread/settings/updated", {
        threadSettings: {
          model: "gpt-5",
          effort: null,
          sandboxPolicy,
          approvalPolicy: "never",
          activePermissionProfile,
        },
      });
    settingsOf({ ...own, networkAccess: false }, null);
    expect(await go()).toMatchObject({ networkAccess: false, writableRoots: ["/data"] });
    // A permission profile is more than a policy can say.
    settingsOf(own, { id: "mine", extends: null });
    expect(await go()).toBeNull();
    await later(2_000);
  });

  it("changed while the thread is being made are its settings", async () => {
    const key = bench.threads.compose(bench.workspaceId);
    const window = bench.open(key);
    bench.threads.send(key, { clientId: crypto.randomUUID(), text: "Go", attachments: [], mode: "turn" });
    await settle();
    await bench.threads.runtime(key).setSettings(chosen);
    codex().only("thread/start").answer(started("new-1"));
    await settle();
    expect(window.head.settings).toEqual(chosen);
    expect(codex().only("turn/start").params).toMatchObject({ model: "o9" });
  });
});

describe("nobody looks any more", () => {
  it("lets the thread go after a while, and forgets the conversation", async () => {
    const window = await opened();
    bench.close(window);
    await later(29_000);
    expect(codex().all("thread/unsubscribe")).toEqual([]);
    await later(1_000);
    expect(codex().only("thread/unsubscribe").params).toEqual({ threadId: T });
    expect(runtime().state.transcript.isEmpty).toBe(true);
    expect(bench.rows.get(T), "codex still has it").toBe("Title: idle");
    status("notLoaded");
    say("thread/closed");
    expect(bench.rows.get(T)).toBe("Title: not loaded");
    const again = await opened();
    expect(again.texts).toEqual(shown);
  });

  it("does not when a window comes back in time", async () => {
    const window = await opened();
    bench.close(window);
    await later(20_000);
    await opened();
    await later(60_000);
    expect(codex().all("thread/unsubscribe")).toEqual([]);
    expect(codex().all("thread/resume")).toHaveLength(1);
  });

  it.each(["a turn that runs", "a request that waits", "a follow-up that may go on"])(
    "does not during %s",
    async (what) => {
      const window = await opened();
      begin("t2");
      bench.rule("thread/read", () => ({
        thread: codexThread(T, { status: { type: "active", activeFlags: [] } }),
      }));
      const clientId = crypto.randomUUID();
      if (what === "a request that waits") {
        codex().ask(0, "item/commandExecution/requestApproval", commandApproval(T, "t2"));
      }
      if (what === "a follow-up that may go on") {
        bench.threads.send(T, { clientId, text: "Then", attachments: [], mode: "queue" });
        await settle();
        codex().only("thread/queue/add").answer({});
        bench.rule("thread/queue/list", () =>
          listed([{ id: "q", clientUserMessageId: clientId, input: [] }]),
        );
        status("idle");
        complete("t2");
      }
      bench.close(window);
      await later(70_000);
      expect(codex().all("thread/unsubscribe")).toEqual([]);
      if (what === "a follow-up that may go on") {
        begin("t3");
        finish("t3", userItem("u3", "Then", clientId));
        status("idle");
        complete("t3");
      } else {
        status("idle");
        complete("t2");
      }
      await later(32_000);
      codex().only("thread/unsubscribe");
    },
  );

  it("follows codex when it archives the thread, and loads it anew on need", async () => {
    const window = await opened();
    status("notLoaded");
    expect(window.head.residency).toBe("stored");
    bench.threads.send(T, { clientId: crypto.randomUUID(), text: "Go", attachments: [], mode: "turn" });
    await settle();
    expect(codex().all("thread/resume")).toHaveLength(2);
    codex().only("turn/start");
  });
});

it("shows progress as it happens", async () => {
  const window = await opened();
  status("active");
  begin("t2");
  say("turn/plan/updated", {
    turnId: "t2",
    explanation: null,
    plan: [
      { step: "One", status: "completed" },
      { step: "Two", status: "inProgress" },
    ],
  });
  say("thread/tokenUsage/updated", {
    tokenUsage: {
      total: { totalTokens: 950_000 },
      last: { totalTokens: 12_000 },
      modelContextWindow: 258_000,
    },
  });
  say("error", { turnId: "t2", willRetry: true, error: { message: "Reconnecting... 1/5" } });
  expect(window.head.run?.retrying).toBe("Reconnecting... 1/5");
  text("t2", "m2", "On");
  expect(window.head.run?.retrying).toBeNull();
  finish("t2", commandItem("c", "done"));
  const change = {
    type: "fileChange",
    id: "f",
    status: "completed",
    changes: [{ path: "/a", kind: { type: "update", move_path: null }, diff: "@@ -1 +1,2 @@\n-a\n+b\n+c\n" }],
  };
  finish("t2", change);
  say("mcpServer/startupStatus/updated", { name: "mcp", status: "starting", error: null });
  expect(window.head).toMatchObject({
    plan: { steps: [{ status: "completed" }, { status: "inProgress" }] },
    usage: { lastTokens: 12_000, totalTokens: 950_000, contextWindow: 258_000 },
    changed: { files: 1, added: 2, removed: 1 },
    run: { waitingFor: ["MCP server mcp to start"] },
  });
  status("idle");
  complete("t2");
  begin("t3");
  expect(window.head).toMatchObject({ plan: null, changed: null });
  complete("t3");
});
