// codex hangs while its connection stands (faults: a stopped process, a request that never gets its answer).

import { describe, expect, it } from "vitest";
import { answerWithinMs } from "./answerWatch";
import { codexThread, codexTurn, resumed, userItem } from "./testCodexData";
import { begin, bench, codex, complete, later, opened, prepareBench, say, T } from "./testRuntime";
import { settle } from "./testThreads";

prepareBench();

const silentWords = /^codex does not answer\. .*Restart codex/;

function send(text = "Go"): string {
  const clientId = crypto.randomUUID();
  bench.threads.send(T, { clientId, text, attachments: [], mode: "turn" });
  return clientId;
}

/** From now on nothing is answered, as when the process has been stopped. */
function freeze() {
  for (const method of ["turn/start", "thread/read", "thread/resume", "thread/turns/list"])
    bench.rule(method, () => undefined);
}

describe("a message goes to a codex that hangs", () => {
  it("and that it does not answer is said within seconds, until it does; the message is delivered once", async () => {
    const window = await opened();
    freeze();
    const clientId = send();
    await later(answerWithinMs - 1_000);
    expect(window.head.run?.retrying).toBeNull();
    await later(1_000);
    expect(window.head.run?.retrying).toMatch(silentWords);
    expect(window.head.fault, "nothing is in the way of the next message").toBeNull();
    codex()
      .last("turn/start")
      .answer({ turn: codexTurn("t2") });
    await settle();
    expect(window.head.run).toMatchObject({ turnId: "t2", retrying: null });
    begin("t2");
    const item = userItem("u2", "Go", clientId);
    say("item/started", { turnId: "t2", item, startedAtMs: 1 });
    say("item/completed", { turnId: "t2", item, completedAtMs: 1 });
    complete("t2");
    await later(2_000);
    expect(codex().all("turn/start")).toHaveLength(1);
    expect(window.sending).toEqual([]);
    window.check();
  });

  it("for so long that the answer is given up: it is still said, and goes with the first word", async () => {
    const window = await opened();
    freeze();
    send();
    await later(60_000);
    expect(window.sending).toEqual(["Go: sending"]);
    expect(window.head.run?.retrying).toMatch(silentWords);
    begin("t2");
    expect(window.head.run).toMatchObject({ turnId: "t2", retrying: null });
    expect(codex().all("turn/start")).toHaveLength(1);
  });

  it("and nothing is said when the events come and only the answer does not", async () => {
    const window = await opened();
    bench.rule("turn/start", () => undefined);
    send();
    await settle();
    begin("t2");
    bench.rule("thread/read", () => ({ thread: codexThread(T, { status: { type: "active" } }) }));
    await later(20_000);
    expect(window.head.run).toMatchObject({ turnId: "t2", retrying: null });
  });

  it("and one request that is never answered is said although others are", async () => {
    const window = await opened();
    bench.rule("turn/start", () => undefined);
    bench.rule("thread/read", () => ({ thread: codexThread(T, { status: { type: "active" } }) }));
    send();
    await later(20_000);
    expect(window.head.run?.retrying).toMatch(silentWords);
  });

  it("which then dies: the process is what is spoken of", async () => {
    const window = await opened();
    freeze();
    send();
    await later(answerWithinMs);
    await bench.kill();
    expect(window.head).toMatchObject({ run: null, fault: null });
  });
});

it("a turn of which nothing is heard is asked about; without an answer that is said, and Stop still works", async () => {
  const window = await opened();
  begin("t2");
  freeze();
  await later(5_000 + answerWithinMs);
  expect(window.head.run?.retrying).toMatch(silentWords);
  await bench.threads.runtime(T).stop();
  expect(window.head.run?.stopping).toBe(true);
  complete("t2", "interrupted");
  expect(window.head).toMatchObject({ run: null, fault: null, state: "interrupted" });
});

it("a thread that codex does not load says why nothing can be sent, and is as usual once it has loaded", async () => {
  freeze();
  const window = await opened();
  await later(answerWithinMs);
  expect(window.head.fault).toMatchObject({
    code: "codex_silent",
    hint: expect.stringMatching(/Restart codex/),
  });
  codex()
    .last("thread/resume")
    .answer(resumed(T, [codexTurn("t1", "completed", [userItem("u", "Hello")])]));
  await settle();
  expect(window.head).toMatchObject({ fault: null, residency: "loaded" });
});
