// Where a thread works is brought to codex before a turn, and never replaced by this machine.

import { describe, expect, it } from "vitest";
import { Fault } from "../fault";
import { codexThread, codexTurn, resumed, started } from "./testCodexData";
import { addThread, begin, bench, codex, end, later, opened, send, T } from "./testDelivery";
import {
  added,
  choose,
  folder,
  identityOf,
  inBox,
  kept,
  past,
  places,
  preparePlaces,
  refused,
  tokenOf,
  undelivered,
} from "./testThreadPlaces";
import { settle } from "./testThreads";

preparePlaces();

describe("a turn", () => {
  it("begins once codex has been told where, and where the environment is", async () => {
    const window = await opened();
    await choose(inBox);
    send("Do it");
    await settle();
    const [add] = added();
    expect(add?.params).toMatchObject({
      execServerUrl: places.urlOf("box"),
      authBearerToken: "a secret",
    });
    expect(codex().only("turn/start").params).toMatchObject({
      environments: [{ environmentId: add?.params.environmentId, cwd: folder }],
    });
    expect(window.head.environment).toMatchObject({ state: "connected", fault: null });
    expect(JSON.stringify(window.copy)).not.toContain("a secret");
  });

  it("does not have codex connect anew to what it is connected to", async () => {
    await opened();
    await choose(inBox);
    for (const turnId of ["t2", "t3"]) {
      bench.rule("turn/start", () => ({ turn: codexTurn(turnId) }));
      send("Do it");
      await settle();
      end(turnId);
      await settle();
    }
    expect(added()).toHaveLength(1);
    await bench.cut();
    await bench.reconnect();
    send("And again");
    await settle();
    expect(codex().all("turn/start")).toHaveLength(1);
    expect(added()).toEqual([]);
  });

  it.each([
    ["at another address", () => void places.place("box", { token: "a secret" })],
    ["at another address, while the one before lives", () => void places.place("box", { oldLives: true })],
    ["with another token", () => tokenOf("box", "another secret")],
    ["as another one at the same address", () => identityOf("box", "another one")],
    [
      "at the same address after it was lost",
      () => {
        const url = places.urlOf("box") ?? "";
        places.live.delete(url);
        codex().say("thread/environment/disconnected", {
          threadId: T,
          environmentId: added()[0]?.params.environmentId,
        });
        bench.threads.environments.environmentsChanged();
        return settle().then(() => void places.live.add(url));
      },
    ],
  ])("begins with the executor that is there now: %s", async (_how, change) => {
    await opened();
    await choose(inBox);
    send("Do it");
    await settle();
    end("t2");
    await settle();
    await change();
    bench.rule("turn/start", () => ({ turn: codexTurn("t3") }));
    send("And again");
    await settle();
    const [first, second, ...more] = added();
    expect(more).toEqual([]);
    expect(second?.params.environmentId).not.toBe(first?.params.environmentId);
    expect(codex().last("turn/start").params).toMatchObject({
      environments: [{ environmentId: second?.params.environmentId, cwd: folder }],
    });
  });

  it("two threads of one codex that need the same place have it connected once", async () => {
    addThread("thread-2");
    bench.rule("thread/resume", ({ params }) => resumed(params.threadId, past));
    await opened();
    await choose(inBox);
    await choose(inBox, "thread-2");
    bench.hold("environment/info");
    send("One");
    send("Two", "turn", "thread-2");
    await settle();
    codex().only("environment/info").answer({ shell: {}, cwd: null });
    await settle();
    expect(added()).toHaveLength(1);
    expect(codex().all("turn/start")).toHaveLength(2);
  });

  it.each([
    ["it was removed", "environment_removed", () => places.set.delete("box")],
    [
      "it cannot be told where it is",
      "registry_failed",
      () => (places.locateFault = new Fault("registry_failed", "No.")),
    ],
    ["nobody answers there", "environment_not_reached", () => places.live.clear()],
    ["codex does not answer", "environment_not_reached", () => bench.hold("environment/info")],
    [
      "codex refuses the address",
      "environment_not_reached",
      () => bench.rule("environment/add", () => new Error("requires wss:// or a loopback destination")),
    ],
    [
      "codex knows no environments",
      "environments_unsupported",
      () =>
        bench.rule(
          "environment/add",
          ({ method }) => new Error(`Invalid request: unknown variant \`${method}\``),
        ),
    ],
  ])("does not begin while %s", async (_why, code, prevent) => {
    const window = await opened();
    await choose(inBox);
    prevent();
    send("Do it");
    await later(30_000);
    expect(undelivered(window)).toEqual([`Do it: undelivered, ${code}`]);
    expect(window.head).toMatchObject({ run: null, environment: { fault: { code } } });
    expect(codex().all("turn/start")).toEqual([]);
    const review = refused(bench.threads.actions.review(T, { type: "uncommittedChanges" }));
    await later(30_000);
    const compact = refused(bench.threads.actions.compact(T));
    await later(30_000);
    expect([await review, await compact]).toEqual([code, code]);
    for (const method of ["turn/start", "review/start", "thread/compact/start", "thread/queue/add"])
      expect(codex().all(method)).toEqual([]);
    await choose(null);
    bench.threads.runtime(T).delivery.resend(window.head.submissions[0]?.clientId ?? "");
    await settle();
    expect(codex().only("turn/start").params.environments).toBeUndefined();
  });

  it("does not begin when the environment is removed while it is looked for", async () => {
    const window = await opened();
    await choose(inBox);
    places.holdLocating();
    send("Do it");
    await settle();
    expect(window.head.run).not.toBeNull();
    places.set.delete("box");
    bench.threads.environments.environmentsChanged();
    places.letLocate();
    await settle();
    expect(undelivered(window)).toEqual(["Do it: undelivered, environment_unknown"]);
    bench.threads.runtime(T).delivery.resend(window.head.submissions[0]?.clientId ?? "");
    await settle();
    expect(undelivered(window)).toEqual(["Do it: undelivered, environment_removed"]);
  });

  it("does not begin when the environment is removed while codex connects to it", async () => {
    const window = await opened();
    await choose(inBox);
    bench.hold("environment/info");
    send("Do it");
    await settle();
    places.set.delete("box");
    codex().only("environment/info").answer({ shell: {}, cwd: null });
    await settle();
    expect(undelivered(window)).toEqual(["Do it: undelivered, environment_removed"]);
    expect(codex().all("turn/start")).toEqual([]);
  });

  it("does not begin when Stop is pressed while the environment is looked for", async () => {
    const window = await opened();
    await choose(inBox);
    places.holdLocating();
    send("Do it");
    await settle();
    await bench.threads.runtime(T).stop();
    places.letLocate();
    await settle();
    expect(undelivered(window)).toEqual(["Do it: undelivered, stopped"]);
    expect(codex().all("turn/start")).toEqual([]);
    // What was prepared for it is of no use to a later one.
    places.place("box");
    bench.threads.runtime(T).delivery.resend(window.head.submissions[0]?.clientId ?? "");
    await settle();
    expect(codex().only("turn/start").params).toMatchObject({
      environments: [{ environmentId: added()[1]?.params.environmentId }],
    });
  });

  it("is prepared anew over the next connection", async () => {
    await opened();
    await choose(inBox);
    bench.hold("environment/info");
    send("Do it");
    await settle();
    await bench.cut();
    await settle();
    codex().last("environment/info").answer({ shell: {}, cwd: null });
    await settle();
    expect(codex().all("turn/start")).toHaveLength(1);
  });

  it("that cannot be steered any more begins as a turn of its own, there", async () => {
    await opened();
    await choose(inBox);
    send("Do it");
    await settle();
    begin("t2");
    bench.rule("turn/steer", () => new Error("no active turn to steer"));
    places.place("box");
    send("Left a bit", "steer");
    await settle();
    expect(codex().all("turn/steer")).toHaveLength(1);
    const [first, second] = codex().all("turn/start");
    expect(second?.params.environments).toMatchObject([{ cwd: folder }]);
    expect(second?.params.environments).not.toEqual(first?.params.environments);
  });

  it("of a review begins once codex has been told where", async () => {
    await opened();
    await choose(inBox);
    bench.rule("review/start", () => ({ turn: codexTurn("t2"), reviewThreadId: T }));
    await bench.threads.actions.review(T, { type: "uncommittedChanges" });
    const methods = codex().asked.map(({ method }) => method);
    expect(methods.slice(-4)).toEqual([
      "environment/add",
      "environment/info",
      "thread/settings/update",
      "review/start",
    ]);
    expect(codex().last("thread/settings/update").params.environments).toMatchObject([{ cwd: folder }]);
  });

  it("that codex begins by itself before it was told where is stopped at its start", async () => {
    const window = await opened();
    await choose(inBox);
    begin("t2");
    await settle();
    expect(codex().only("turn/interrupt").params).toMatchObject({ threadId: T, turnId: "t2" });
    expect(window.texts.at(-1)).toContain("It was stopped at once.");
  });

  it("that codex begins by itself elsewhere takes no message: that waits for a turn there", async () => {
    const window = await opened();
    await choose(inBox);
    begin("t2");
    await settle();
    send("Left a bit", "steer");
    await settle();
    expect(codex().all("turn/steer")).toEqual([]);
    end("t2", "interrupted");
    await settle();
    expect(codex().all("turn/start")).toEqual([]);
    expect(window.head.followUps).toMatchObject({
      held: "stopped",
      entries: [{ text: "Left a bit", state: "queued" }],
    });
  });

  it("that codex refuses does not count as begun there", async () => {
    await opened();
    await choose(inBox);
    bench.rule("turn/start", () => new Error("out of memory"));
    send("Do it");
    await settle();
    begin("t2");
    await settle();
    expect(codex().only("turn/interrupt").params).toMatchObject({ turnId: "t2" });
  });

  it("that codex begins by itself in the environment goes on", async () => {
    await opened();
    await choose(inBox);
    send("Do it");
    await settle();
    end("t2");
    begin("t3");
    await settle();
    expect(codex().all("turn/interrupt")).toEqual([]);
    end("t3");
    codex().say("thread/status/changed", { threadId: T, status: { type: "notLoaded" } });
    places.unload();
    await settle();
    begin("t4");
    await settle();
    expect(codex().only("turn/interrupt").params.turnId).toBe("t4");
  });
});

describe("a new thread", () => {
  const made = (environments: unknown) => ({
    ...started("new-1"),
    thread: codexThread("new-1", { environments }),
  });

  it("is made in the environment, asks once where that is, and keeps it under codex's id", async () => {
    bench.rule("thread/start", ({ params }) => made(params.environments));
    const key = bench.threads.compose(bench.workspaceId);
    bench.open(key);
    await choose(inBox, key);
    expect(kept(key)).toEqual(inBox);
    send("Do it", "turn", key);
    await settle();
    const environments = [{ environmentId: added()[0]?.params.environmentId, cwd: folder }];
    expect(codex().only("thread/start").params.environments).toEqual(environments);
    expect(codex().only("turn/start").params.environments).toEqual(environments);
    expect(codex().all("environment/status")).toEqual([]);
    expect([kept(key), kept("new-1")]).toEqual([null, inBox]);
    expect(bench.threads.rows.get("new-1")?.environmentId).toBe("box");
  });

  it("is not made while the environment cannot be reached, and is made there when it is sent again", async () => {
    bench.rule("thread/start", ({ params }) => made(params.environments));
    places.live.clear();
    const key = bench.threads.compose(bench.workspaceId);
    bench.open(key);
    await choose(inBox, key);
    const id = send("Do it", "turn", key);
    await settle();
    expect(codex().all("thread/start")).toEqual([]);
    await bench.restart({ codexLives: false });
    await bench.reconnect();
    const window = bench.open(key);
    expect(undelivered(window)).toEqual(["Do it: undelivered, environment_not_reached"]);
    expect(window.head.environment).toMatchObject(inBox);
    places.place("box");
    bench.threads.runtime(key).delivery.resend(id);
    await settle();
    expect(codex().only("thread/start").params.environments).toMatchObject([{ cwd: folder }]);
    expect(kept("new-1")).toEqual(inBox);
  });

  it.each([
    ["nameThread", "new-2"],
    ["move", "new-2"],
    ["upsert", "new-2"],
    ["transaction", "new-2"],
    // It was told of before its start was answered, and that could not be written down.
    ["upsert", "new-1"],
  ] as const)("whose name cannot be written down (%s) is made anew there (%s)", async (where, nextId) => {
    const ids = ["new-1", nextId];
    bench.rule("thread/start", ({ params }) => {
      const id = ids.shift() ?? "none";
      return { ...started(id), thread: codexThread(id, { environments: params.environments }) };
    });
    const key = bench.threads.compose(bench.workspaceId);
    const window = bench.open(key);
    await choose(inBox, key);
    const { submissions, threads, threadEnvironments } = bench.ledger;
    const book = {
      nameThread: submissions,
      move: threadEnvironments,
      upsert: threads,
      transaction: bench.ledger,
    };
    Object.defineProperty(book[where], where, {
      configurable: true,
      value: () => {
        throw new Fault("ledger_full", "The disk is full.");
      },
    });
    const id = send("Do it", "turn", key);
    await settle();
    expect(undelivered(window)).toEqual(["Do it: undelivered, ledger_full"]);
    expect(codex().only("thread/unsubscribe").params).toEqual({ threadId: "new-1" });
    expect(window.head).toMatchObject({ threadId: null, environment: inBox });
    expect(kept(key)).toEqual(inBox);
    Reflect.deleteProperty(book[where], where);
    bench.threads.runtime(key).delivery.resend(id);
    await settle();
    expect(codex().all("thread/start")).toHaveLength(2);
    expect(codex().only("turn/start").params).toMatchObject({
      threadId: nextId,
      environments: [{ cwd: folder }],
    });
    expect([...bench.ledger.threadEnvironments.list()]).toEqual([[nextId, inBox]]);
    await bench.restart({ codexLives: true });
    expect(bench.threads.environments.of(bench.threads.runtime(nextId))).toEqual(inBox);
  });

  it("that was never sent anything is forgotten with its choice at the next start", async () => {
    const key = bench.threads.compose(bench.workspaceId);
    await choose(inBox, key);
    await choose(inBox);
    expect(bench.threads.environments.usedBy("box")).toHaveLength(2);
    await bench.restart({ codexLives: false });
    expect(bench.threads.environments.usedBy("box")).toEqual(["Title"]);
    expect(kept(key)).toBeNull();
  });

  it("that codex forgets before its first turn has ended is made anew there", async () => {
    let count = 0;
    bench.rule("thread/start", ({ params }) => {
      count += 1;
      const id = `new-${count}`;
      return { ...started(id), thread: codexThread(id, { environments: params.environments }) };
    });
    bench.rule("turn/start", () => new Error("out of memory"));
    const key = bench.threads.compose(bench.workspaceId);
    bench.open(key);
    await choose(inBox, key);
    send("Do it", "turn", key);
    await settle();
    for (const method of ["thread/resume", "thread/turns/list"])
      bench.rule(method, () => new Error("no rollout found for thread id new-1"));
    await bench.kill();
    await bench.reconnect();
    await later(3_000);
    expect(bench.threads.runtime(key).threadId).toBeNull();
    expect(kept("new-1")).toEqual(inBox);
    expect(bench.threads.runtime(key).state.head.environment).toMatchObject(inBox);
    await choose({ ...inBox, cwd: "/srv/other" }, key);
    const [message] = bench.threads.runtime(key).state.head.submissions;
    bench.threads.runtime(key).delivery.resend(message?.clientId ?? "");
    await settle();
    expect(codex().only("thread/start").params.environments).toMatchObject([{ cwd: "/srv/other" }]);
    expect([kept("new-1"), kept(key)]).toEqual([null, null]);
    expect(kept("new-2")).toMatchObject({ cwd: "/srv/other" });
  });
});
