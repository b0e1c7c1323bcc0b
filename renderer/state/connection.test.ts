import { describe, expect, it } from "vitest";
import type { AppChange, AppSnapshot } from "../../preload/contract/app";
import type { FaultView } from "../../preload/contract/fault";
import type { ThreadChange, ThreadSnapshot } from "../../preload/contract/thread";
import { CallFault } from "./callFault";
import { Connection } from "./connection";
import { FakePaint, FakePort } from "./testPort";
import { agentItem, appState, threadRow, threadSnapshot } from "./testThread";

function open() {
  const paint = new FakePaint();
  const connection = new Connection(paint);
  const port = new FakePort();
  connection.attach(port);
  return { connection, port, paint };
}

const fault: FaultView = { code: "busy", message: "Busy.", retryable: true };

class Watcher {
  snapshots: (AppSnapshot | ThreadSnapshot)[] = [];
  taken: (AppChange | ThreadChange)[] = [];
  faults: { code: string; retrying: boolean }[] = [];
  breakOn = 0;
  snapshot = (value: AppSnapshot | ThreadSnapshot) => this.snapshots.push(value);
  changes = (list: (AppChange | ThreadChange)[]) => {
    this.taken.push(...list);
    if (this.taken.length === this.breakOn) throw new Error("cannot be applied");
  };
  failed = (view: FaultView, retrying: boolean) => this.faults.push({ code: view.code, retrying });
}

const appAnswer = (subscriptionId: number) => ({
  subscriptionId,
  snapshot: { topic: "app", app: { state: appState(), threads: [threadRow("a")] } },
});
const threadAnswer = (subscriptionId: number, text = "") => ({
  subscriptionId,
  snapshot: { topic: "thread", thread: threadSnapshot([agentItem("a", text)]) },
});
const change = (subscriptionId: number, seq: number, id = `c${seq}`) => ({
  kind: "change",
  subscriptionId,
  seq,
  changes: { topic: "thread", list: [{ type: "removeItems", ids: [id] }] },
});

describe("a call", () => {
  it("gets the value of its own answer, whatever order the answers come in", async () => {
    const { connection, port } = open();
    const first = connection.call("threads.compose", { workspaceId: "a" });
    const second = connection.call("threads.compose", { workspaceId: "b" });
    const [callA, callB] = port.calls("threads.compose");
    port.answer(callB, { threadKey: "kb" });
    port.answer(callA, { threadKey: "ka" });
    expect(await first).toEqual({ threadKey: "ka" });
    expect(await second).toEqual({ threadKey: "kb" });
  });

  it("rejects with main's fault", async () => {
    const { connection, port } = open();
    const result = connection.call("turns.stop", { threadKey: "a" });
    port.say({ kind: "failure", id: port.calls("turns.stop")[0]?.id, fault });
    const error = await result.catch((each: unknown) => each);
    expect(error).toBeInstanceOf(CallFault);
    expect((error as CallFault).view).toEqual(fault);
  });

  it("rejects an answer that does not fit the contract", async () => {
    const { connection, port } = open();
    const result = connection.call("threads.compose", { workspaceId: "a" });
    port.answer(port.calls("threads.compose")[0], { key: "wrong name" });
    await expect(result).rejects.toMatchObject({ view: { code: "misfit" } });
  });

  it("rejects a failure that cannot be read, instead of waiting for ever", async () => {
    const { connection, port } = open();
    const result = connection.call("turns.stop", { threadKey: "a" });
    port.say({ kind: "failure", id: port.calls("turns.stop")[0]?.id, fault: "oops" });
    await expect(result).rejects.toMatchObject({ view: { code: "misfit" } });
  });

  it("waits for the port when the page is first, and is sent in order", () => {
    const connection = new Connection(new FakePaint());
    void connection.call("account.refresh", {});
    void connection.call("account.signOut", {});
    const port = new FakePort();
    connection.attach(port);
    expect(port.started).toBe(true);
    expect(port.sent.map((each) => each.name)).toEqual(["account.refresh", "account.signOut"]);
  });

  it("rejects when the port closes, and at once after that", async () => {
    const { connection, port } = open();
    const pending = connection.call("account.refresh", {});
    port.drop();
    await expect(pending).rejects.toMatchObject({ view: { code: "port_closed" } });
    await expect(connection.call("account.refresh", {})).rejects.toMatchObject({
      view: { code: "port_closed" },
    });
    expect(connection.state).toBe("closed");
  });

  it("rejects when its port is replaced; a late answer of the old port changes nothing", async () => {
    const { connection, port } = open();
    const pending = connection.call("threads.compose", { workspaceId: "a" });
    const next = new FakePort();
    connection.attach(next);
    expect(port.closed).toBe(true);
    await expect(pending).rejects.toMatchObject({ view: { code: "port_closed" } });
    const again = connection.call("threads.compose", { workspaceId: "a" });
    port.answer(next.calls("threads.compose")[0], { threadKey: "old" });
    next.answer(next.calls("threads.compose")[0], { threadKey: "new" });
    expect(await again).toEqual({ threadKey: "new" });
  });
});

describe("what main asks of the window", () => {
  it("is kept until someone listens", () => {
    const { connection, port } = open();
    port.say({ kind: "command", command: "settings" });
    const heard: string[] = [];
    connection.onPush({
      command: (command) => heard.push(command),
      show: () => heard.push("show"),
      showRun: ({ runId }) => heard.push(runId),
    });
    port.say({ kind: "show", workspaceId: "w", threadKey: null, requestKey: null });
    port.say({ kind: "show run", runId: "run", questionId: null });
    expect(heard).toEqual(["settings", "show", "run"]);
  });
});

function subscribed() {
  const { connection, port, paint } = open();
  const watcher = new Watcher();
  const handle = connection.subscribe({ topic: "thread", key: "t" }, watcher);
  port.answer(port.calls("subscribe")[0], threadAnswer(7));
  return { connection, port, paint, watcher, handle };
}

describe("a subscription", () => {
  it("takes its snapshot and the changes after it, and acknowledges what is on the screen", () => {
    const { port, paint, watcher } = subscribed();
    expect(watcher.snapshots).toHaveLength(1);
    port.say(change(7, 1));
    expect(watcher.taken).toHaveLength(1);
    expect(port.sent.some((each) => each.kind === "ack")).toBe(false);
    paint.paint();
    expect(port.sent.at(-1)).toEqual({ kind: "ack", subscriptionId: 7, seq: 1 });
  });

  it("acknowledges a change only when whoever shows it has taken it, and not what was overtaken meanwhile", async () => {
    const { connection, port, paint } = open();
    const takers: (() => void)[] = [];
    connection.subscribe(
      { topic: "app" },
      {
        snapshot: () => {},
        changes: () => new Promise<void>((resolve) => takers.push(resolve)),
        failed: () => {},
      },
    );
    const say = (subscriptionId: number, seq: number) =>
      port.say({ kind: "change", subscriptionId, seq, changes: { topic: "app", list: [] } });
    const acknowledged = () => port.sent.filter((each) => each.kind === "ack");
    port.answer(port.calls("subscribe")[0], appAnswer(1));
    say(1, 1);
    paint.paint();
    expect(acknowledged()).toEqual([]);
    takers[0]?.();
    await Promise.resolve();
    paint.paint();
    expect(acknowledged()).toEqual([{ kind: "ack", subscriptionId: 1, seq: 1 }]);
    say(1, 2);
    port.say({ kind: "resync", subscriptionId: 1 });
    port.answer(port.calls("subscribe")[1], appAnswer(2));
    takers[1]?.();
    await Promise.resolve();
    paint.paint();
    expect(acknowledged()).toHaveLength(1);
  });

  it("takes a change that comes in the same turn as its snapshot", () => {
    const { connection, port } = open();
    const watcher = new Watcher();
    connection.subscribe({ topic: "app" }, watcher);
    port.answer(port.calls("subscribe")[0], appAnswer(1));
    port.say({ kind: "change", subscriptionId: 1, seq: 1, changes: { topic: "app", list: [] } });
    expect(watcher.snapshots).toHaveLength(1);
    expect(port.calls("subscribe")).toHaveLength(1);
  });

  it.each([
    ["a gap", change(7, 3)],
    ["a repeated number", change(7, 1)],
    ["a topic that is not its own", { ...change(7, 2), changes: { topic: "app", list: [] } }],
    ["a resync", { kind: "resync", subscriptionId: 7 }],
  ])("asks for a new snapshot on %s", (_, message) => {
    const { port, watcher } = subscribed();
    port.say(change(7, 1));
    port.say(message);
    expect(port.calls("unsubscribe").map((each) => each.params)).toEqual([{ subscriptionId: 7 }]);
    expect(port.calls("subscribe")).toHaveLength(2);
    port.answer(port.calls("subscribe")[1], threadAnswer(8, "new"));
    expect(watcher.snapshots).toHaveLength(2);
    port.say(change(7, 2, "late"));
    expect(watcher.taken).toEqual([{ type: "removeItems", ids: ["c1"] }]);
    port.say(change(8, 1));
    expect(watcher.taken).toHaveLength(2);
  });

  it("does not acknowledge what a new snapshot has overtaken", () => {
    const { port, paint } = subscribed();
    port.say(change(7, 1));
    port.say({ kind: "resync", subscriptionId: 7 });
    paint.paint();
    expect(port.sent.some((each) => each.kind === "ack")).toBe(false);
  });

  it("gives back a snapshot that comes after it was left, and shows nobody", () => {
    const { connection, port } = open();
    const left = new Watcher();
    const handle = connection.subscribe({ topic: "thread", key: "first" }, left);
    const shown = new Watcher();
    handle.close();
    connection.subscribe({ topic: "thread", key: "second" }, shown);
    port.answer(port.calls("subscribe")[0], threadAnswer(1));
    port.answer(port.calls("subscribe")[1], threadAnswer(2));
    expect(left.snapshots).toHaveLength(0);
    expect(shown.snapshots).toHaveLength(1);
    expect(port.calls("unsubscribe").map((each) => each.params)).toEqual([{ subscriptionId: 1 }]);
  });

  it("gives back an older snapshot when it has asked again meanwhile", () => {
    const { port, watcher, handle } = subscribed();
    handle.retry();
    handle.retry();
    const [, second, third] = port.calls("subscribe");
    port.answer(third, threadAnswer(9, "third"));
    port.answer(second, threadAnswer(8, "second"));
    expect(watcher.snapshots).toHaveLength(2);
    expect(watcher.snapshots.at(-1)).toMatchObject({ items: [{ text: "third" }] });
    expect(port.calls("unsubscribe").map((each) => each.params)).toContainEqual({ subscriptionId: 8 });
  });

  it("starts over when a change cannot be applied or read, later each time", () => {
    const { port, paint, watcher } = subscribed();
    watcher.breakOn = 1;
    port.say(change(7, 1));
    expect(watcher.faults).toEqual([{ code: "unexpected", retrying: true }]);
    expect(port.calls("subscribe")).toHaveLength(1);
    paint.runTimers(249);
    expect(port.calls("subscribe")).toHaveLength(1);
    paint.runTimers(250);
    port.answer(port.calls("subscribe")[1], threadAnswer(8));
    port.say({ ...change(8, 1), changes: { topic: "thread", list: [{ type: "what is this" }] } });
    expect(watcher.faults.at(-1)).toEqual({ code: "misfit", retrying: true });
    paint.runTimers(499);
    expect(port.calls("subscribe")).toHaveLength(2);
    paint.runTimers(500);
    port.answer(port.calls("subscribe")[2], threadAnswer(9));
    port.say(change(9, 1));
    port.say({ ...change(9, 2), changes: "unreadable" });
    paint.runTimers(250);
    expect(port.calls("subscribe")).toHaveLength(4);
  });

  it("is not tried again by itself when main says that it never will work", () => {
    const { connection, port, paint } = open();
    const watcher = new Watcher();
    const handle = connection.subscribe({ topic: "thread", key: "gone" }, watcher);
    port.say({
      kind: "failure",
      id: port.calls("subscribe")[0]?.id,
      fault: { ...fault, code: "thread_unknown", retryable: false },
    });
    paint.runTimers(60_000);
    expect(watcher.faults).toEqual([{ code: "thread_unknown", retrying: false }]);
    expect(port.calls("subscribe")).toHaveLength(1);
    handle.retry();
    expect(port.calls("subscribe")).toHaveLength(2);
  });

  it("says that the port closed, and starts over on a new one", () => {
    const { connection, port, watcher } = subscribed();
    port.drop();
    expect(watcher.faults).toEqual([{ code: "port_closed", retrying: false }]);
    const next = new FakePort();
    connection.attach(next);
    next.answer(next.calls("subscribe")[0], threadAnswer(1, "again"));
    expect(watcher.snapshots).toHaveLength(2);
    next.say(change(1, 1));
    expect(watcher.taken).toHaveLength(1);
  });

  it("is subscribed once when it was asked for before the port was there", () => {
    const connection = new Connection(new FakePaint());
    const watcher = new Watcher();
    connection.subscribe({ topic: "app" }, watcher);
    const port = new FakePort();
    connection.attach(port);
    expect(port.calls("subscribe")).toHaveLength(1);
    port.answer(port.calls("subscribe")[0], appAnswer(1));
    expect(watcher.snapshots).toHaveLength(1);
  });
});
