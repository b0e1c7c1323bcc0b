import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { agentItem, codexThread, codexTurn, listed, resumed, userItem } from "./testCodexData";
import { settle, TestThreads, type TestWindow } from "./testThreads";

const T = "thread";
let bench: TestThreads;

const turn = (id: string, text: string, clientId: string | null = null) =>
  codexTurn(id, "completed", [userItem(`${id}u`, text, clientId), agentItem(`${id}a`, `to ${text}`)]);
const three = () => [turn("t1", "one"), turn("t2", "two"), turn("t3", "three")];

beforeEach(() => {
  bench = new TestThreads();
  bench.rule("thread/resume", () => resumed(T, three()));
  bench.rule("thread/unsubscribe", () => ({ status: "unsubscribed" }));
  bench.threads.rows.listed({
    workspaceId: bench.workspaceId,
    profileId: "user",
    threads: [codexThread(T, { name: "Thread" }) as never],
    archived: false,
    askedAt: bench.threads.rows.mark,
    isLive: () => false,
  });
});

afterEach(() => bench.end());

async function opened(): Promise<TestWindow> {
  const window = bench.open(T);
  await settle();
  return window;
}

const draft = () => bench.threads.drafts.get(T).text;
const revert = (before = "t2") => bench.threads.actions.revert(T, before);
const codex = () => bench.codex;
const said = (window: TestWindow) =>
  window.texts.filter((text) => text.startsWith("user")).map((text) => text.slice(16));

/** What codex says on the way. */
function cut(): void {
  codex().say("thread/status/changed", { threadId: T, status: { type: "notLoaded" } });
  codex().say("thread/status/changed", { threadId: T, status: { type: "idle" } });
  codex()
    .only("thread/revert")
    .answer({ thread: codexThread(T) });
}

describe("reverting", () => {
  it("takes the turn and all after it out, in every window, and gives its message back", async () => {
    const window = await opened();
    const other = await opened();
    const reverting = revert();
    await settle();
    expect(codex().only("thread/revert").params).toEqual({ threadId: T, beforeTurnId: "t2" });
    cut();
    await reverting;
    for (const each of [window, other]) {
      expect(said(each)).toEqual(["one"]);
      expect(each.head).toMatchObject({ residency: "loaded", run: null, state: "idle" });
      each.check();
    }
    expect(draft()).toBe("two");
    expect(codex().all("thread/resume")).toHaveLength(1);
    // What codex tells of it afterwards changes nothing.
    bench.rule("thread/turns/list", () => listed([turn("t1", "one")]));
    codex().say("thread/reverted", { threadId: T });
    await settle();
    expect(said(window)).toEqual(["one"]);
    expect(bench.threads.runtime(T).busy).toBe(false);
  });

  it("gives back what was written, not what codex shows of it, behind what is typed", async () => {
    const clientId = crypto.randomUUID();
    const image = { kind: "image" as const, path: "/tmp/a.png", name: "a.png", bytes: 3 };
    const window = await opened();
    bench.threads.send(T, { clientId, text: "Do\tit", attachments: [image], mode: "turn" });
    await settle();
    codex()
      .only("turn/start")
      .answer({ turn: codexTurn("t4") });
    codex().say("turn/started", { threadId: T, turn: codexTurn("t4") });
    codex().say("item/completed", { threadId: T, turnId: "t4", item: userItem("u", "Do it…", clientId) });
    codex().say("thread/status/changed", { threadId: T, status: { type: "idle" } });
    codex().say("turn/completed", { threadId: T, turn: codexTurn("t4", "completed") });
    bench.threads.drafts.add(T, "typed", []);
    const reverting = revert("t4");
    await settle();
    cut();
    await reverting;
    expect(bench.threads.drafts.get(T)).toMatchObject({ text: "typed\n\nDo\tit", attachments: [image] });
    expect(said(window)).toEqual(["one", "two", "three"]);
  });

  it("takes plan and usage along, also for the next start", async () => {
    const window = await opened();
    const usage = { total: { totalTokens: 9 }, last: { totalTokens: 5 }, modelContextWindow: 100 };
    codex().say("turn/plan/updated", {
      threadId: T,
      turnId: "t3",
      plan: [{ step: "look", status: "pending" }],
    });
    codex().say("thread/tokenUsage/updated", { threadId: T, turnId: "t3", tokenUsage: usage });
    expect(window.head).toMatchObject({ plan: { steps: [{ step: "look" }] }, usage: { lastTokens: 5 } });
    const reverting = revert("t3");
    await settle();
    cut();
    await reverting;
    expect(window.head).toMatchObject({ plan: null, usage: null });
    expect(bench.ledger.runningItems.list(T)).toEqual([]);
  });

  it("is refused while a turn runs, since codex would end that", async () => {
    await opened();
    codex().say("turn/started", { threadId: T, turn: codexTurn("t4") });
    await expect(revert()).rejects.toMatchObject({ code: "turn_running" });
    expect(codex().all("thread/revert")).toEqual([]);
  });

  it("is refused while follow-ups wait, since codex would let them go", async () => {
    await opened();
    const entry = { clientId: "c", text: "later", attachments: [] };
    bench.threads.runtime(T).state.update({
      followUps: { entries: [entry as never], held: null, keeper: "codex" },
    });
    await expect(revert()).rejects.toMatchObject({ code: "follow_ups_wait" });
    expect(codex().all("thread/revert")).toEqual([]);
  });

  it("what is sent meanwhile waits until it is over", async () => {
    await opened();
    const reverting = revert();
    await settle();
    const clientId = crypto.randomUUID();
    bench.threads.send(T, { clientId, text: "next", attachments: [], mode: "turn" }, "nothing");
    await settle();
    expect(codex().all("turn/start")).toEqual([]);
    cut();
    await reverting;
    await settle();
    expect(codex().all("turn/start")).toHaveLength(1);
  });

  it("refused by codex: nothing is changed, and it is said", async () => {
    const window = await opened();
    const reverting = revert();
    const failed = expect(reverting).rejects.toMatchObject({ code: "turn_unknown" });
    await settle();
    codex().only("thread/revert").refuse("turn not found: t2");
    await failed;
    expect(said(window)).toEqual(["one", "two", "three"]);
    expect(draft()).toBe("");
    expect(bench.ledger.runningItems.list(T)).toEqual([]);
  });

  it("a codex without it is said so", async () => {
    await opened();
    bench.rule("thread/revert", () => new Error("Invalid request: unknown variant `thread/revert`"));
    await expect(revert()).rejects.toMatchObject({ code: "not_supported" });
  });

  it("the connection goes before the answer, and codex has done it", async () => {
    const window = await opened();
    const reverting = revert();
    await settle();
    bench.rule("thread/resume", () => resumed(T, [turn("t1", "one")]));
    bench.rule("thread/turns/list", () => listed([turn("t1", "one")]));
    await bench.cut();
    await reverting;
    expect(draft()).toBe("two");
    expect(said(window)).toEqual(["one"]);
    window.check();
  });

  it("the connection goes before the answer, and codex has not done it", async () => {
    const window = await opened();
    const reverting = revert();
    const failed = expect(reverting).rejects.toMatchObject({ code: "not_reverted" });
    await settle();
    bench.rule("thread/turns/list", () => listed(three()));
    await bench.cut();
    await failed;
    expect(draft()).toBe("");
    expect(said(window)).toEqual(["one", "two", "three"]);
    expect(codex().all("thread/revert")).toEqual([]);
  });

  it.each([true, false])("Holdfast is killed before the answer (codex lives: %s)", async (codexLives) => {
    await opened();
    void revert().catch(() => undefined);
    await settle();
    bench.rule("thread/resume", () => resumed(T, [turn("t1", "one")]));
    bench.rule("thread/turns/list", () => listed([turn("t1", "one")]));
    await bench.restart({ codexLives });
    const window = await opened();
    await settle();
    expect(draft()).toBe("two");
    expect(said(window)).toEqual(["one"]);
    await bench.restart({ codexLives });
    await opened();
    expect(draft()).toBe("two");
  });

  it("another program reverts the thread: what codex lists rules", async () => {
    const window = await opened();
    bench.rule("thread/turns/list", () => listed([turn("t1", "one")]));
    codex().say("thread/reverted", { threadId: T });
    await settle();
    expect(said(window)).toEqual(["one"]);
    expect(draft()).toBe("");
    window.check();
  });

  it("the first turn: the thread is empty, and goes on", async () => {
    const window = await opened();
    const reverting = revert("t1");
    await settle();
    cut();
    await reverting;
    expect(window.copy).toMatchObject({ turns: [], items: [] });
    expect(draft()).toBe("one");
    expect(window.head.threadId).toBe(T);
  });
});
