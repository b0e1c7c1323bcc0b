import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ReviewComment } from "../../../preload/contract/comments";
import { makeTestLedger, noSettings, type TestLedger } from "../../ledger/testLedger";
import { type CommentedThreads, ReviewComments } from "./reviewComments";

const place = { path: "src/a.ts", side: "new", firstLine: 2, lastLine: 3, quote: "b\nc" } as const;

class World {
  readonly sent: string[] = [];
  readonly shown: ReviewComment[][] = [];
  key = "thread";
  keyOnceSent = "thread";
  refuses = false;
  readonly threads: CommentedThreads;
  comments: ReviewComments;

  constructor(readonly test: TestLedger) {
    this.threads = {
      all: [{ key: "thread", state: { update: ({ comments }) => this.shown.push(comments) } }],
      draftKey: () => this.key,
      send: (threadKey, { clientId, text, mode }) => {
        const { submissions, workspaces } = this.test.ledger;
        const path = "/home/ada/engine";
        const workspaceId =
          workspaces.list().find((each) => each.path === path)?.id ??
          workspaces.add({ path, name: "engine", parentId: null }).id;
        const place = { threadKey, threadId: null, workspaceId, profileId: "user" };
        submissions.record({ clientId, ...place, kind: mode, text, attachments: [], settings: noSettings });
        if (this.refuses) throw new Error("refused");
        this.sent.push(text);
        this.key = this.keyOnceSent;
      },
    };
    this.comments = new ReviewComments(test.ledger, this.threads);
  }

  put(text: string, { commentId = randomUUID() as string, seenRevision = 0 } = {}) {
    return { commentId, answer: this.comments.put("thread", { commentId, place, text, seenRevision }) };
  }

  send(clientId: string = randomUUID()) {
    const comments = this.comments.of(this.key).map(({ commentId, revision }) => ({ commentId, revision }));
    return this.comments.send("thread", { clientId, mode: "turn", comments });
  }
}

let test: TestLedger;
let world: World;

beforeEach(() => {
  test = makeTestLedger();
  world = new World(test);
});
afterEach(() => test.remove());

describe("comments on changed lines", () => {
  it("are there after a restart, with exactly what was written", () => {
    const { commentId } = world.put("odd \ud800 text");
    world.put("second");
    test.reopen();
    world = new World(test);
    expect(world.comments.of("thread")).toEqual([
      { commentId, ...place, text: "odd \ud800 text", revision: 1 },
      expect.objectContaining({ text: "second" }),
    ]);
  });

  it("are changed only by who has seen the newest", () => {
    const { commentId } = world.put("one");
    expect(world.put("two", { commentId, seenRevision: 1 }).answer).toEqual({ outcome: "kept", revision: 2 });
    expect(world.put("other", { commentId, seenRevision: 1 }).answer).toMatchObject({
      outcome: "behind",
      comment: { text: "two", revision: 2 },
    });
    expect(world.put("two", { commentId, seenRevision: 1 }).answer).toEqual({ outcome: "kept", revision: 2 });
    world.comments.delete("thread", commentId);
    expect(world.put("late", { commentId, seenRevision: 2 }).answer).toEqual({
      outcome: "behind",
      comment: null,
    });
    expect(world.shown.at(-1)).toEqual([]);
  });

  it("are sent once, and gone when the message is on record", () => {
    world.put("one");
    world.put("two");
    const clientId = randomUUID();
    const comments = world.comments.of("thread").map(({ commentId, revision }) => ({ commentId, revision }));
    expect(world.comments.send("thread", { clientId, mode: "queue", comments })).toBe("sent");
    expect(world.comments.send("thread", { clientId, mode: "queue", comments })).toBe("sent");
    expect(world.comments.send("thread", { clientId: randomUUID(), mode: "turn", comments })).toBe("behind");
    expect(world.sent).toHaveLength(1);
    expect(world.sent[0]).toContain("2. `src/a.ts`, lines 2-3:");
    expect(world.comments.of("thread")).toEqual([]);
    expect(world.shown.at(-1)).toEqual([]);
  });

  it("are gone from a thread that has a draft of its own once it was sent them", () => {
    world.put("one");
    world.keyOnceSent = "own";
    expect(world.send()).toBe("sent");
    expect(world.shown.at(-1)).toEqual([]);
  });

  it("stay when the message is refused", () => {
    world.put("one");
    world.refuses = true;
    const clientId = randomUUID();
    expect(() => world.send(clientId)).toThrow("refused");
    expect(world.comments.of("thread")).toHaveLength(1);
    expect(test.ledger.submissions.get(clientId)).toBeNull();
  });

  it("that say nothing are not sent, and go with those that do", () => {
    world.put("  ");
    expect(() => world.send()).toThrow("The comments are empty.");
    world.put("one");
    expect(world.send()).toBe("sent");
    expect(world.sent[0]).toContain("I have a comment on the changes.");
    expect(world.comments.of("thread")).toEqual([]);
  });

  it("go with the thread when it gets another key", () => {
    world.put("one");
    world.key = "named";
    world.comments.moved("thread", "named");
    expect(world.shown.at(-1)).toHaveLength(1);
    expect(world.comments.keys()).toEqual(["named"]);
  });

  it("cannot be about lines that are none", () => {
    const put = { commentId: randomUUID(), place: { ...place, lastLine: 1 }, text: "x", seenRevision: 0 };
    expect(() => world.comments.put("thread", put)).toThrow("cannot be about these lines");
  });
});
