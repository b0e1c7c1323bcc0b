import { beforeEach, describe, expect, test } from "vitest";
import type { CallParams } from "../../preload/contract";
import { image, settled, TestMain, TestTimers, testIds } from "../composer/testMain";
import { CallFault } from "../state/callFault";
import { FollowUpEdits, goneCode, isChangedElsewhere, isEnterForGone } from "./edits";

const T = "thread";
const entry = { clientId: "a", text: "Then the changelog", attachments: [image], state: "queued" } as const;
const waiting = { ...entry, attachments: [...entry.attachments] };

interface Asked {
  params: CallParams<"followUps.edit">;
  answer(outcome: "changed" | "gone"): Promise<void>;
  fail(): Promise<void>;
}

let main: TestMain;
let asked: Asked[];
let edits: FollowUpEdits;

function newEdits(): FollowUpEdits {
  const edit = (params: CallParams<"followUps.edit">) =>
    new Promise<{ outcome: "changed" | "gone" }>((resolve, reject) => {
      asked.push({
        params,
        answer: (outcome) => {
          resolve({ outcome });
          return settled();
        },
        fail: () => {
          reject(
            new CallFault({ code: "deadline", message: "codex did not answer in time.", retryable: true }),
          );
          return settled();
        },
      });
    });
  return new FollowUpEdits(
    {
      get: (key) => main.get(key),
      put: (change) => main.put(change),
      park: (key) => main.park(key),
      send: (message) => main.send(message),
      edit,
    },
    new TestTimers(),
    testIds(),
  );
}

beforeEach(() => {
  main = new TestMain();
  asked = [];
  edits = newEdits();
});

const open = () => edits.store.getState().edits;
const lastPut = () => main.named("put").at(-1);

function draftOf(clientId: string) {
  const edit = open().find((each) => each.clientId === clientId);
  if (!edit) throw new Error(`${clientId} is not being edited`);
  return edit.draft;
}

async function editing(kept: object = {}) {
  edits.open(T, waiting);
  await main.answer("get", kept);
  return draftOf("a");
}

test("Enter right after the entry has gone was meant to save it, and queues nothing", () => {
  expect(isEnterForGone(5_000, 5_000)).toBe(false);
  expect(isEnterForGone(5_000, 5_999)).toBe(false);
  expect(isEnterForGone(5_000, 6_000)).toBe(true);
});

describe("editing", () => {
  test("begins with what the entry says, and keeps on disk what is typed", async () => {
    const draft = await editing();
    expect(draft.view).toMatchObject({ phase: "ready", text: "Then the changelog", attachments: [image] });
    draft.edit("Then the changelog, in short");
    draft.flush();
    await main.answer("put");
    await main.answer("put");
    expect(lastPut()).toMatchObject({ text: "Then the changelog, in short", attachments: [image] });
    expect(lastPut()?.threadKey).not.toBe(T);
  });

  test("tells a change made in another place from its own, confirmed or not", async () => {
    const draft = await editing();
    const isChanged = (text: string) => {
      const [edit] = open();
      if (!edit) throw new Error("nothing is being edited");
      return isChangedElsewhere(edit, { ...waiting, text });
    };
    expect(isChanged(waiting.text)).toBe(false);
    expect(isChanged("Theirs")).toBe(true);
    draft.edit("Ours");
    edits.save("a");
    await settled();
    expect(isChanged("Ours")).toBe(false);
    await asked[0]?.fail();
    draft.edit("Ours, once more");
    expect(isChanged("Ours")).toBe(false);
    expect(isChanged(waiting.text)).toBe(false);
    expect(isChanged("Theirs")).toBe(true);
  });

  test("is saved once by two presses, and leaves nothing behind", async () => {
    const draft = await editing();
    draft.edit("Shorter");
    expect(edits.save("a")).toBe(true);
    expect(edits.save("a")).toBe(false);
    await settled();
    expect(asked.map(({ params }) => params)).toEqual([
      { threadKey: T, clientId: "a", text: "Shorter", attachments: [image] },
    ]);
    await asked[0]?.answer("changed");
    expect(open()).toEqual([]);
    expect(lastPut()).toMatchObject({ text: "", attachments: [] });
    expect(main.named("send")).toEqual([]);
  });

  test("of an entry that was sent meanwhile stays open with its text, which can be queued anew", async () => {
    const draft = await editing();
    draft.edit("Too late");
    edits.save("a");
    await settled();
    await asked[0]?.answer("gone");
    expect(open()).toHaveLength(1);
    expect(draft.view).toMatchObject({ text: "Too late", sending: false });
    expect(draft.view.fault?.fault.code).toBe(goneCode);

    expect(edits.queueAnew("a")).toBe(true);
    await settled();
    expect(main.named("send")).toMatchObject([
      { threadKey: T, text: "Too late", attachments: [image], mode: "queue" },
    ]);
    expect(main.named("send")[0]?.clientId).not.toBe("a");
    expect(main.named("send")[0]?.seen).toBeUndefined();
    await main.answer("send");
    expect(open()).toEqual([]);
    expect(lastPut()).toMatchObject({ text: "", attachments: [] });
  });

  test("that is given up leaves the entry alone and says what was thrown away", async () => {
    const draft = await editing();
    draft.edit("Something else");
    expect(edits.cancel("a")).toEqual({ text: "Something else", attachments: [image] });
    expect(open()).toEqual([]);
    expect(asked).toEqual([]);
    expect(lastPut()).toMatchObject({ text: "", attachments: [] });
  });

  test("that changed nothing is given up without a word", async () => {
    await editing();
    expect(edits.cancel("a")).toBeNull();
    expect(open()).toEqual([]);
  });

  test("that is given up before its text was read leaves nothing behind either", async () => {
    edits.open(T, waiting);
    edits.cancel("a");
    await main.answer("get", { text: "typed before", attachments: [] });
    expect(lastPut()).toMatchObject({ text: "", attachments: [] });
  });

  test("is opened once, however often it is asked for", async () => {
    await editing();
    edits.open(T, waiting);
    expect(open()).toHaveLength(1);
  });
});

/** Main answers every call as usual, with what it was given to keep. */
class KeepingMain extends TestMain {
  readonly kept = new Map<string, { text: string; attachments: unknown[] }>();

  async answerAll(): Promise<void> {
    for (let next = this.open[0]; next; next = this.open[0]) {
      const { call } = next;
      if (call.name === "put")
        this.kept.set(call.threadKey, { text: call.text, attachments: call.attachments });
      await this.answer(call.name, call.name === "get" ? this.kept.get(call.threadKey) : {});
    }
  }
}

describe("after the window came back", () => {
  const again = () => {
    const kept = main instanceof KeepingMain ? main.kept : new Map();
    const next = new KeepingMain();
    for (const [key, contents] of kept) next.kept.set(key, contents);
    main = next;
    return next;
  };

  test("what was being edited is open again with what had been typed, whether it still waits or not", async () => {
    const first = again();
    edits.open(T, waiting);
    edits.open(T, { ...waiting, clientId: "b" });
    edits.open(T, { ...waiting, clientId: "c" });
    await first.answerAll();
    draftOf("a").edit("half a sen");
    draftOf("b").edit("half another");
    edits.flushAll();
    edits.cancel("c");
    await first.answerAll();

    const second = again();
    edits = newEdits();
    void edits.restore(T, [{ ...waiting, clientId: "b" }]);
    await second.answerAll();
    expect(open().map(({ clientId, base }) => [clientId, base !== null])).toEqual([
      ["a", false],
      ["b", true],
    ]);
    expect(draftOf("a").view.text).toBe("half a sen");
    expect(draftOf("b").view.text).toBe("half another");
  });

  test("what was saved is not open again", async () => {
    const first = again();
    edits.open(T, waiting);
    await first.answerAll();
    draftOf("a").edit("Shorter");
    edits.save("a");
    await settled();
    await asked[0]?.answer("changed");
    await first.answerAll();

    const second = again();
    edits = newEdits();
    void edits.restore(T, [waiting]);
    await second.answerAll();
    expect(open()).toEqual([]);
    expect([...second.kept.values()].every(({ text }) => text === "")).toBe(true);
  });

  test("is looked for once, and again only when it could not be read", async () => {
    void edits.restore(T, [waiting]);
    void edits.restore(T, [waiting]);
    expect(main.named("get")).toHaveLength(1);
    await main.fail("get");
    void edits.restore(T, [waiting]);
    expect(main.named("get")).toHaveLength(2);
  });
});

describe("a new follow-up", () => {
  test("is queued in its thread, and the message that is being written there stays", async () => {
    const draft = edits.newOf(T);
    await main.answer("get");
    draft.edit("And then the docs");
    draft.flush();
    await main.answer("put");
    expect(draft.send("queue")).toBe(true);
    await settled();
    const [sent] = main.named("send");
    expect(sent).toMatchObject({ threadKey: T, text: "And then the docs", mode: "queue" });
    expect(sent?.seen).toBeUndefined();
    await main.answer("send");
    expect(draft.view.text).toBe("");
    expect(lastPut()).toMatchObject({ text: "", attachments: [] });
    expect(main.calls.every((call) => call.name === "send" || call.threadKey !== T)).toBe(true);
  });

  test("that is refused is still in its field", async () => {
    const draft = edits.newOf(T);
    await main.answer("get");
    draft.edit("And then the docs");
    draft.send("queue");
    await main.fail("send");
    expect(draft.view).toMatchObject({ text: "And then the docs", sending: false, fault: { what: "send" } });
  });
});
