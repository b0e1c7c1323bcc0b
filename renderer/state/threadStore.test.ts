import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connection } from "./connection";
import { FakePort } from "./testPort";
import { agentItem, threadHead, threadSnapshot } from "./testThread";
import { retryThread, shownCopy, showThread, threadStore } from "./threadStore";

let port: FakePort;

beforeEach(() => {
  port = new FakePort();
  connection.attach(port);
});
afterEach(() => showThread(null));

const asked = () => port.calls("subscribe").map((call) => (call.params as { key: string }).key);

function answer(index: number, key: string, threadId: string | null = key): void {
  const snapshot = { ...threadSnapshot([agentItem("a", key)]), head: threadHead({ key, threadId }) };
  port.answer(port.calls("subscribe")[index], {
    subscriptionId: 100 + index,
    snapshot: { topic: "thread", thread: snapshot },
  });
}

describe("the shown thread", () => {
  it("is empty while the next one is loading: nothing can land in the one before", () => {
    showThread("one");
    answer(0, "one");
    expect(shownCopy()?.head.key).toBe("one");
    showThread("two");
    expect(threadStore.getState().shown).toEqual({ phase: "loading", key: "two", fault: null });
    expect(shownCopy()).toBeNull();
  });

  it("is the one that was asked for last, in whatever order the snapshots come", () => {
    for (const key of ["one", "two", "three"]) showThread(key);
    answer(2, "three");
    answer(0, "one");
    answer(1, "two");
    expect(shownCopy()?.head.key).toBe("three");
    expect(port.calls("unsubscribe").map((call) => call.params)).toEqual([
      { subscriptionId: 100 },
      { subscriptionId: 101 },
    ]);
  });

  it("is not fetched again when it is chosen again, under either of its keys", () => {
    showThread("provisional");
    answer(0, "provisional", "named");
    showThread("provisional");
    showThread("named");
    expect(asked()).toEqual(["provisional"]);
  });

  it("can be tried again after it failed, by itself or by choosing it again", () => {
    const fail = (index: number) =>
      port.say({
        kind: "failure",
        id: port.calls("subscribe")[index]?.id,
        fault: { code: "thread_unknown", message: "Not known.", retryable: false },
      });
    showThread("one");
    fail(0);
    expect(threadStore.getState().shown).toMatchObject({ phase: "failed", key: "one" });
    retryThread();
    expect(threadStore.getState().shown).toMatchObject({ phase: "loading", key: "one" });
    fail(1);
    showThread("one");
    answer(2, "one");
    expect(shownCopy()?.head.key).toBe("one");
  });

  it("stays on screen, marked, when the port closes, and is renewed on the next one", () => {
    showThread("one");
    answer(0, "one");
    port.drop();
    expect(threadStore.getState().shown).toMatchObject({ phase: "shown", stale: true });
    port = new FakePort();
    connection.attach(port);
    answer(0, "one");
    expect(threadStore.getState().shown).toMatchObject({ phase: "shown", stale: false });
  });
});
