// One draft for each thread, and several windows that change it.

import { describe, expect, it } from "vitest";
import { questionLastsMs } from "./drafts";
import { bench, later, prepareBench, T } from "./testDelivery";
import { settle } from "./testThreads";

prepareBench();

const put = (writer: string, revision: number, text: string, threadKey = T, isLast = false) =>
  bench.threads.drafts.put(threadKey, { text, attachments: [], seen: { revision, writer }, isLast });
const kept = (threadKey = T) => bench.threads.drafts.get(threadKey);

/** What a window that waits is told; undefined while it waits. */
function waiting(writer: string, revision: number, threadKey = T) {
  const told: { text: string | null | undefined } = { text: undefined };
  void bench.threads.drafts.next(threadKey, { revision, writer }).then((draft) => {
    told.text = draft === null ? null : draft.text;
  });
  return told;
}

let messages = 0;
const sendFrom = (writer: string, revision: number, text: string, threadKey = T) => {
  messages += 1;
  const clientId = `00000000-0000-4000-8000-${String(messages).padStart(12, "0")}`;
  const message = { clientId, text, attachments: [], mode: "turn" as const };
  bench.threads.send(threadKey, message, { revision, writer });
};

describe("a draft in two windows", () => {
  it("is told to the other, and never back to its own", async () => {
    const [one, two] = [waiting("one", 0), waiting("two", 0)];
    put("one", 0, "hello");
    await settle();
    expect([one.text, two.text]).toEqual([undefined, "hello"]);
    put("two", kept().revision, "hello there");
    await settle();
    expect(one.text).toBe("hello there");
  });

  it("is told at once to a window that asks too late", async () => {
    put("one", 0, "hello");
    const two = waiting("two", 0);
    await settle();
    expect(two.text).toBe("hello");
    const again = waiting("two", kept().revision);
    await later(questionLastsMs);
    expect(again.text).toBeNull();
  });

  it("is waited for once by a page, whatever it shows", async () => {
    const before = waiting("two", 0, T);
    const after = waiting("two", 0, bench.threads.compose(bench.workspaceId));
    await settle();
    expect([before.text, after.text]).toEqual([null, undefined]);
  });

  it("is not put over what the putting one has not seen; its own changes count as seen", () => {
    put("one", 0, "first");
    expect(put("one", 0, "first and more").outcome).toBe("kept");
    expect(put("two", 0, "second")).toMatchObject({ outcome: "behind", draft: { text: "first and more" } });
    expect(kept().text).toBe("first and more");
    expect(put("two", kept().revision, "both").outcome).toBe("kept");
    expect(put("one", 0, "late").outcome).toBe("behind");
    expect(bench.ledger.drafts.get(T)?.text).toBe("both");
  });

  it("of a window that goes away is kept with what it had not seen", () => {
    put("one", 0, "first");
    put("two", 0, "second", T, true);
    expect(kept().text).toBe("first\nsecond");
    expect(put("one", 1, "first again").outcome).toBe("behind");
  });

  it("is cleared in the other when one sends it", async () => {
    put("one", 0, "hello");
    const two = waiting("two", kept().revision);
    sendFrom("one", 0, "hello");
    await settle();
    expect(two.text).toBe("");
    expect(bench.ledger.drafts.keys()).toEqual([]);
  });

  it("stays when the sender has not seen it", () => {
    put("one", 0, "hello");
    const { revision } = kept();
    put("two", revision, "hello there");
    sendFrom("one", revision - 1, "hello");
    // The newest change is the other's.
    expect(kept().text).toBe("hello there");
    bench.threads.send(
      T,
      { clientId: crypto.randomUUID(), text: "Another", attachments: [], mode: "queue" },
      "nothing",
    );
    expect(kept().text).toBe("hello there");
  });

  it("of a new thread is cleared in both, and what was not seen goes with the thread", async () => {
    const composed = bench.threads.compose(bench.workspaceId);
    bench.open(composed);
    put("one", 0, "hello", composed);
    put("two", kept(composed).revision, "hello there", composed);
    const one = waiting("one", kept(composed).revision, composed);
    sendFrom("one", 0, "hello", composed);
    await settle();
    expect(kept(composed).text).toBe("hello there");
    expect(one.text).toBeUndefined();
    expect(bench.ledger.drafts.keys()).toEqual([composed]);
    sendFrom("two", kept(composed).revision, "hello there", composed);
    await settle();
    expect(one.text).toBe("");
    expect(bench.ledger.drafts.keys()).toEqual([]);
  });

  it("put aside in one is empty in the other", async () => {
    put("one", 0, "a page");
    const two = waiting("two", kept().revision);
    expect(bench.threads.drafts.park(T)).toMatchObject({ text: "a page", draft: { text: "" } });
    await settle();
    expect(two.text).toBe("");
  });
});
