// A thread that codex unloads, is unloading, or keeps for a while after it was let go.

import { describe, expect, it } from "vitest";
import { lingerMs } from "./linger";
import { codexThread, resumed } from "./testCodexData";
import {
  addThread,
  begin,
  bench,
  codex,
  complete,
  later,
  opened,
  past,
  prepareBench,
  runtime,
  say,
  shown,
  status,
  T,
} from "./testRuntime";
import { settle } from "./testThreads";
import { mostMisses, mostRefusals } from "./unloadWait";

prepareBench();

const closing = () => new Error(`thread ${T} is closing; retry thread/resume after the thread is closed`);
const unload = () => {
  status("notLoaded");
  say("thread/closed");
};
const sent = (method: string) => codex().all(method).length;

describe("a thread that is opened while codex unloads it", () => {
  it("is loaded anew once that is done, and says what it waits for", async () => {
    bench.rule("thread/resume", closing);
    const window = await opened();
    expect(window.head).toMatchObject({ residency: "unloading", fault: null, state: "not loaded" });
    bench.rule("thread/resume", () => resumed(T, [past]));
    unload();
    await settle();
    expect(sent("thread/resume"), "at once").toBe(2);
    expect(window.head).toMatchObject({ residency: "loaded", fault: null });
    expect(window.texts).toEqual(shown);
  });

  it("takes the news that overtook the refusal", async () => {
    bench.hold("thread/resume");
    const window = await opened();
    unload();
    expect(window.head.residency, "what was unloaded was there before this load").toBe("loading");
    bench.rule("thread/resume", () => resumed(T, [past]));
    codex().last("thread/resume").refuse(closing().message);
    await settle();
    expect(sent("thread/resume")).toBe(2);
    expect(window.head).toMatchObject({ residency: "loaded", fault: null });
  });

  it("is loaded although codex goes on refusing for a moment after it has said that it is done", async () => {
    bench.rule("thread/resume", closing);
    const window = await opened();
    unload();
    await settle();
    expect(sent("thread/resume")).toBe(2);
    expect(window.head).toMatchObject({ residency: "unloading", fault: null });
    bench.rule("thread/resume", () => resumed(T, [past]));
    await later(1_000);
    expect(sent("thread/resume")).toBe(3);
    expect(window.head).toMatchObject({ residency: "loaded", fault: null });
  });

  it("is loaded although codex does not find it for a moment, and is lost only when it stays so", async () => {
    const missing = () => new Error(`thread not found: ${T}`);
    bench.rule("thread/resume", missing);
    const first = await opened();
    expect(first.head.fault, "codex has never had it").toMatchObject({ code: "history_lost" });
    unload();
    await settle();
    const before = sent("thread/resume");
    expect(first.head).toMatchObject({ residency: "unloading", fault: null });
    bench.rule("thread/resume", () => resumed(T, [past]));
    await later(200);
    expect(sent("thread/resume")).toBe(before + 1);
    expect(first.head).toMatchObject({ residency: "loaded", fault: null });

    bench.rule("thread/resume", missing);
    const lost = expect(runtime().reload()).rejects.toMatchObject({ code: "history_lost" });
    for (let miss = 0; miss < mostMisses; miss += 1) await later(400);
    await lost;
    expect(sent("thread/resume")).toBe(before + 2 + mostMisses);
  });

  it("is asked for again when codex is never done, and in the end says so", async () => {
    bench.rule("thread/resume", closing);
    const window = await opened();
    await later(60_000);
    expect(sent("thread/resume")).toBe(mostRefusals);
    expect(window.head).toMatchObject({
      residency: "stored",
      fault: { code: "thread_unloading", retryable: true },
    });
    bench.rule("thread/resume", () => resumed(T, [past]));
    await runtime().reload();
    expect(window.head).toMatchObject({ residency: "loaded", fault: null });
  });

  it("is loaded over the next connection when this one goes meanwhile", async () => {
    bench.rule("thread/resume", closing);
    const window = await opened();
    await bench.cut();
    expect(window.head.residency).toBe("stored");
    bench.rule("thread/resume", () => resumed(T, [past]));
    await bench.reconnect();
    expect(sent("thread/resume")).toBe(1);
    expect(window.head).toMatchObject({ residency: "loaded", fault: null });
  });

  it("gets the message that was sent meanwhile, once", async () => {
    bench.rule("thread/resume", closing);
    await opened();
    bench.threads.send(T, { clientId: crypto.randomUUID(), text: "Go", attachments: [], mode: "turn" });
    await settle();
    expect(sent("turn/start")).toBe(0);
    bench.rule("thread/resume", () => resumed(T, [past]));
    unload();
    await settle();
    expect(sent("turn/start")).toBe(1);
  });

  it("gets the message that codex refused because of it", async () => {
    await opened();
    bench.rule("turn/start", () => new Error(`thread ${T} is closing; retry after the thread is closed`));
    bench.rule("thread/resume", closing);
    bench.threads.send(T, { clientId: crypto.randomUUID(), text: "Go", attachments: [], mode: "turn" });
    await settle();
    bench.hold("turn/start");
    bench.rule("thread/resume", () => resumed(T, [past]));
    unload();
    await settle();
    expect(sent("turn/start")).toBe(2);
    expect(runtime().state.facts.submissions).toMatchObject([{ state: "sending" }]);
  });
});

describe("a thread that codex unloads although a window shows it", () => {
  it("is loaded again, once", async () => {
    const window = await opened();
    unload();
    await settle();
    expect(window.head).toMatchObject({ residency: "loaded", fault: null });
    unload();
    await settle();
    expect(sent("thread/resume"), "not over and over").toBe(2);
    expect(window.head).toMatchObject({ residency: "stored", fault: { code: "thread_unloaded" } });
    await runtime().reload();
    expect(window.head).toMatchObject({ residency: "loaded", fault: null });
  });

  it("is loaded again when the news comes in one piece with the answer that had loaded it", async () => {
    bench.hold("thread/resume");
    const window = await opened();
    bench.threads.send(T, { clientId: crypto.randomUUID(), text: "Go", attachments: [], mode: "turn" });
    const first = codex().only("thread/resume");
    bench.rule("thread/resume", () => resumed(T, [past]));
    first.answer(resumed(T, [past]));
    unload();
    await settle();
    expect(sent("thread/resume")).toBe(2);
    expect(window.head).toMatchObject({ residency: "loaded", fault: null });
    expect(sent("turn/start"), "and so is the message that waited for it").toBe(1);
  });

  it("is not, when it is because of its archiving", async () => {
    const window = await opened();
    status("notLoaded");
    say("thread/archived");
    await settle();
    expect(sent("thread/resume")).toBe(1);
    expect(window.head).toMatchObject({ archived: true, residency: "stored", fault: null });
  });
});

describe("a thread that was let go", () => {
  it("is said to be loaded as long as codex has it, and not longer", async () => {
    const window = await opened();
    begin("t2");
    status("idle");
    complete("t2", "interrupted");
    bench.close(window);
    await later(lingerMs);
    expect(sent("thread/unsubscribe")).toBe(1);
    expect(bench.rows.get(T)).toBe("Title: interrupted");
    unload();
    expect(bench.rows.get(T)).toBe("Title: not loaded");
  });

  it("is not said to be loaded when codex had unloaded it before", async () => {
    bench.rule("thread/unsubscribe", () => ({ status: "notLoaded" }));
    bench.close(await opened());
    await later(lingerMs);
    expect(bench.rows.get(T)).toBe("Title: not loaded");
  });

  it("is looked up after a reconnect: what codex unloaded while nobody listened is not told again", async () => {
    addThread("other");
    for (const id of [T, "other"]) bench.close(await opened(id));
    await later(lingerMs);
    bench.rule("thread/loaded/list", () => ({ data: ["other"], nextCursor: null }));
    await bench.cut();
    await bench.reconnect();
    expect(bench.rows.get(T)).toBe("Title: not loaded");
    expect(bench.rows.get("other")).toBe("Title: idle");
  });

  it.each([
    { delay: 0, afterMs: 1_000 },
    { delay: 3, afterMs: 3_000 },
    { delay: 1_800, afterMs: lingerMs },
    { delay: null, afterMs: lingerMs },
  ])("after $afterMs ms where codex keeps threads for $delay s", async ({ delay, afterMs }) => {
    bench.rule("config/read", () => ({ config: { thread_unload_delay_secs: delay } }));
    bench.close(await opened());
    await later(afterMs - 1_000);
    expect(sent("thread/unsubscribe")).toBe(0);
    await later(1_000);
    expect(sent("thread/unsubscribe")).toBe(1);
  });

  it("does not go while its tree is in use, however short the delay", async () => {
    bench.rule("config/read", () => ({ config: { thread_unload_delay_secs: 0 } }));
    addThread("child", { parentThreadId: T });
    bench.close(await opened());
    codex().say("thread/status/changed", { threadId: "child", status: { type: "active", activeFlags: [] } });
    bench.rule("thread/read", ({ params }) => ({
      thread: codexThread(params.threadId, { status: { type: "active", activeFlags: [] } }),
    }));
    await later(20_000);
    expect(sent("thread/unsubscribe")).toBe(0);
    codex().say("thread/status/changed", { threadId: "child", status: { type: "idle" } });
    bench.rule("thread/read", ({ params }) => ({ thread: codexThread(params.threadId) }));
    await later(20_000);
    expect(
      codex()
        .all("thread/unsubscribe")
        .map(({ params }) => params.threadId)
        .sort(),
    ).toEqual(["child", T].sort());
  });
});

describe("a load that was given up, and comes through after all", () => {
  const givenUp = async () => {
    bench.hold("thread/resume");
    const window = await opened();
    await later(120_000);
    expect(window.head).toMatchObject({ residency: "stored", fault: { code: "deadline" } });
    bench.rule("thread/resume", () => resumed(T, [past]));
    return window;
  };

  it("is shown to whoever still looks", async () => {
    const window = await givenUp();
    status("idle");
    await settle();
    expect(window.head).toMatchObject({ residency: "loaded", fault: null });
    expect(window.texts).toEqual(shown);
  });

  it("is let go when nobody does", async () => {
    bench.close(await givenUp());
    status("idle");
    await later(2 * lingerMs);
    expect(sent("thread/unsubscribe")).toBe(1);
  });
});

it("a lock that another program holds is named, and Retry loads the thread once it is free", async () => {
  bench.rule(
    "thread/resume",
    () =>
      new Error(
        "error resuming thread: Fatal error: Failed to initialize session: thread-store internal error: timed out waiting for the thread writer coordination lock; another Codex process may be suspended on this or another host",
      ),
  );
  const window = await opened();
  expect(window.head).toMatchObject({
    residency: "stored",
    fault: { code: "thread_locked", retryable: true },
  });
  expect(window.texts, "what can be read is shown").toEqual(shown);
  bench.rule("thread/resume", () => resumed(T, [past]));
  await runtime().reload();
  expect(window.head).toMatchObject({ residency: "loaded", fault: null });
});
