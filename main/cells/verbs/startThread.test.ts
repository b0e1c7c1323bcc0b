// Threads that scripts start, beside those that a person writes into.

import { beforeEach, describe, expect, it } from "vitest";
import { Fault } from "../../fault";
import { codexTurn, listed, started } from "../../threads/testCodexData";
import { TestPlaces } from "../../threads/testPlaces";
import { bench, codex, later, T } from "../../threads/testRuntime";
import { settle } from "../../threads/testThreads";
import { byRun, codexWorks, newEnds, prepareScript, script, turnStarts } from "./testScript";
import { TestVerbs } from "./testVerbs";

prepareScript();

describe("startThread", () => {
  it("makes one of its own each time, and touches nothing of the one that the person writes into", async () => {
    codexWorks();
    const blank = bench.threads.compose(bench.workspaceId);
    const window = bench.open(blank);
    bench.ledger.drafts.put(bench.threads.draftKey(blank), "Half a thought", []);
    const both = await Promise.all([
      script.call("startThread", { text: "one" }),
      script.call("startThread", { text: "two" }),
    ]);
    expect(both).toEqual([{ threadId: "new-1" }, { threadId: "new-2" }]);
    expect(window.head).toMatchObject({ threadId: null, submissions: [], run: null });
    expect(bench.threads.compose(bench.workspaceId)).toBe(blank);
    expect(bench.threads.drafts.get(blank).text).toBe("Half a thought");
    expect(["new-1", "new-2"].map((id) => bench.threads.drafts.get(id).text)).toEqual(["", ""]);
    for (const { params } of turnStarts()) newEnds(params.threadId, "", params.clientUserMessageId);
  });

  it("keeps a draft that was there before Holdfast started", async () => {
    codexWorks();
    const blank = bench.threads.compose(bench.workspaceId);
    bench.ledger.drafts.put(bench.threads.draftKey(blank), "From yesterday", []);
    await bench.restart({ codexLives: true });
    await bench.reconnect();
    const { threadId } = await TestVerbs.over(bench).call("startThread", { text: "one" });
    const next = bench.threads.compose(bench.workspaceId);
    expect(bench.threads.drafts.get(next).text).toBe("From yesterday");
    expect(bench.threads.drafts.get(threadId).text).toBe("");
    newEnds(threadId, "one", turnStarts()[0]?.params.clientUserMessageId);
  });

  it("answers once codex has taken the message, not before", async () => {
    let answer: { threadId: string } | null = null;
    void script.call("startThread", { text: "Go" }).then((given) => {
      answer = given;
    });
    await settle();
    codex().only("thread/start").answer(started("new-1"));
    await later(2_000);
    expect(answer).toBeNull();
    codex()
      .only("turn/start")
      .answer({ turn: codexTurn("t-new-1") });
    await settle();
    expect(answer).toEqual({ threadId: "new-1" });
    newEnds("new-1", "Go", turnStarts()[0]?.params.clientUserMessageId);
  });

  it("begins with the settings of new threads, and those that are given", async () => {
    codexWorks();
    bench.newThreadSettings = {
      model: "o9",
      effort: null,
      sandbox: "workspace-write",
      approvalPolicy: "never",
    };
    await script.call("startThread", { text: "Go", sandbox: "read-only", effort: "high" });
    expect(codex().only("thread/start").params).toMatchObject({
      model: "o9",
      sandbox: "read-only",
      approvalPolicy: "never",
    });
    const { params } = codex().only("turn/start");
    expect(params).toMatchObject({ effort: "high" });
    newEnds("new-1", "Go", params.clientUserMessageId);
  });

  it("that cannot be delivered says why, and the message stays in the window", async () => {
    bench.rule("thread/start", () => new Error("failed to load configuration"));
    bench.rule("thread/list", () => listed([]));
    await expect(script.call("startThread", { text: "Go" })).rejects.toMatchObject({
      code: "message_undelivered",
      message: "The message was not delivered: failed to load configuration",
    });
    const [row] = [...bench.rows.values()].filter((words) => words.startsWith("Go"));
    expect(row).toBe("Go: failed");
    const [key = ""] = [...bench.rows].find(([, words]) => words === row) ?? [];
    expect(bench.open(key).head).toMatchObject({
      startedByRun: byRun,
      submissions: [{ text: "Go", state: "undelivered", byRun }],
    });
    expect(await script.call("listThreads", {})).toMatchObject([{ threadId: T }]);
  });

  it("has its marks written before anything is sent, and its name as soon as codex gives it one", async () => {
    let marked: unknown[] = [];
    bench.rule("thread/start", () => {
      marked = [...bench.runMarks.threads.values(), ...bench.runMarks.messages.values()];
      return started("new-1");
    });
    const starting = script.call("startThread", { text: "Go" });
    await settle();
    expect(marked).toEqual(["run-1", "run-1"]);
    expect(bench.runMarks.threads.get("new-1")).toBe("run-1");
    codex()
      .only("turn/start")
      .answer({ turn: codexTurn("t-new-1") });
    await starting;
    newEnds("new-1", "Go", turnStarts()[0]?.params.clientUserMessageId);
  });

  it("in another workspace: only in one that is open", async () => {
    const { code, message } = await script
      .call("startThread", { text: "Go", folder: "/home/ada/nowhere" })
      .then(
        () => new Fault("none", ""),
        (error: Fault) => error,
      );
    expect(code).toBe("folder_not_open");
    expect(message).toBe(
      "/home/ada/nowhere is no open workspace. Open are: /home/ada/engine, /home/ada/other",
    );
    codexWorks();
    await script.call("startThread", { text: "Go", folder: `${bench.folder}/../engine/` });
    newEnds("new-1", "Go", turnStarts()[0]?.params.clientUserMessageId);
  });

  describe("in an environment", () => {
    let places: TestPlaces;

    beforeEach(() => {
      places = new TestPlaces(bench);
      places.place("box");
    });

    it.each([
      ["box", "/srv/engine"],
      ["The box", undefined],
    ])("called %s, in the folder %s there", async (environment, environmentFolder) => {
      codexWorks();
      await script.call("startThread", { text: "Go", environment, environmentFolder });
      const cwd = environmentFolder ?? bench.folder;
      expect(codex().only("thread/start").params.environments).toMatchObject([{ cwd }]);
      expect(turnStarts()[0]?.params.environments).toMatchObject([{ cwd }]);
      expect(bench.ledger.threadEnvironments.list()).toEqual(
        new Map([["new-1", { environmentId: "box", cwd }]]),
      );
      newEnds("new-1", "Go", turnStarts()[0]?.params.clientUserMessageId);
    });

    it.each([
      [
        { environment: "crate" },
        "environment_unknown",
        "There is no environment “crate”. There are: The box, Twin, Twin",
      ],
      [
        { environment: "Twin" },
        "environment_ambiguous",
        "There are several environments “Twin”. Name one by its id.",
      ],
      [
        { environment: "box", environmentFolder: "engine" },
        "path_not_absolute",
        "The folder in an environment is named by its full path there.",
      ],
      [
        { environmentFolder: "/srv" },
        "environment_missing",
        "A folder of an environment was given, and no environment.",
      ],
    ])("%j is refused, and nothing is begun", async (wish, code, message) => {
      for (const environmentId of ["one", "two"]) {
        places.place(environmentId);
        places.set.set(environmentId, { name: "Twin", located: { url: "", identity: "", token: null } });
      }
      await expect(script.call("startThread", { text: "Go", ...wish })).rejects.toMatchObject({
        code,
        message,
      });
      expect(codex().all("thread/start")).toEqual([]);
      expect(bench.ledger.threadEnvironments.list()).toEqual(new Map());
    });

    it("that cannot be reached says why, and the message stays in the window", async () => {
      places.live.clear();
      await expect(script.call("startThread", { text: "Go", environment: "box" })).rejects.toMatchObject({
        code: "message_undelivered",
        message: "The message was not delivered: codex could not connect to the environment The box.",
      });
      expect(codex().all("thread/start")).toEqual([]);
    });
  });

  it("that is given up goes on all the same", async () => {
    const controller = new AbortController();
    const starting = script.call("startThread", { text: "Go" }, { signal: controller.signal });
    await settle();
    controller.abort(new Fault("stopped", "Stopped."));
    await expect(starting).rejects.toMatchObject({ code: "stopped" });
    codex().only("thread/start").answer(started("new-1"));
    await settle();
    codex()
      .only("turn/start")
      .answer({ turn: codexTurn("t-new-1") });
    await settle();
    newEnds("new-1", "Go", turnStarts()[0]?.params.clientUserMessageId);
    await settle();
    expect(bench.ledger.submissions.listOpen()).toEqual([]);
  });
});
