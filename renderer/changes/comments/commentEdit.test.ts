import { expect, test } from "vitest";
import type { CallParams, CallResult } from "../../../preload/contract";
import type { ReviewComment } from "../../../preload/contract/comments";
import { CommentEdit, type CommentMain } from "./commentEdit";

type Put = CallParams<"comments.put">;
type Answer = CallResult<"comments.put">;

const place = { path: "a.ts", side: "new", firstLine: 1, lastLine: 1, quote: "a" } as const;
const comment: ReviewComment = { commentId: crypto.randomUUID(), ...place, text: "old", revision: 3 };

class Main implements CommentMain {
  readonly puts: { change: Put; answer(answer: Answer): void; fail(error: Error): void }[] = [];
  timer: (() => void) | null = null;

  put(change: Put) {
    return new Promise<Answer>((answer, fail) => this.puts.push({ change, answer, fail }));
  }

  async delete() {}

  after(_: number, run: () => void) {
    this.timer = run;
    return () => {
      if (this.timer === run) this.timer = null;
    };
  }
}

async function settle(): Promise<void> {
  for (let at = 0; at < 20; at += 1) await Promise.resolve();
}

function start(of: ReviewComment | null = null) {
  const main = new Main();
  return { main, edit: new CommentEdit("thread", place, of, main, () => {}) };
}

test("what is typed is kept after a moment, one change at a time", async () => {
  const { main, edit } = start();
  expect(edit.isKept).toBe(true);
  edit.edit("W");
  edit.edit("Wh");
  main.timer?.();
  edit.edit("Why?");
  main.timer?.();
  expect(main.puts).toHaveLength(1);
  main.puts[0]?.answer({ outcome: "kept", revision: 1 });
  await settle();
  expect(main.puts[1]?.change).toMatchObject({ text: "Why?", seenRevision: 1 });
  main.puts[1]?.answer({ outcome: "kept", revision: 2 });
  await settle();
  expect([edit.isKept, edit.revision]).toEqual([true, 2]);
});

test("what another window has written goes into it", async () => {
  const { main, edit } = start(comment);
  edit.edit("old, mine");
  void edit.keep();
  main.puts[0]?.answer({ outcome: "behind", comment: { ...comment, text: "theirs: old", revision: 4 } });
  await settle();
  expect(main.puts[1]?.change).toMatchObject({ text: "theirs: old, mine", seenRevision: 4 });
  main.puts[1]?.answer({ outcome: "kept", revision: 5 });
  await settle();
  edit.heard({ ...comment, text: "other", revision: 6 });
  expect(edit.view.text).toBe("other");
  edit.heard({ ...comment, text: "late", revision: 5 });
  expect(edit.view.text).toBe("other");
});

test("what was typed stays when the comment is gone, until the person decides", async () => {
  const { main, edit } = start(comment);
  edit.edit("more");
  const kept = edit.keep();
  main.puts[0]?.answer({ outcome: "behind", comment: null });
  await kept;
  expect(edit.view).toMatchObject({ gone: true, text: "more" });
  edit.asNew();
  expect(main.puts[1]?.change).toMatchObject({ text: "more", seenRevision: 0 });
  expect(main.puts[1]?.change.commentId).not.toBe(comment.commentId);
});

test("a failure is said, and the next letter tries again", async () => {
  const { main, edit } = start();
  edit.edit("x");
  const kept = edit.keep();
  main.puts[0]?.fail(new Error("disk full"));
  await kept;
  expect(edit.view.fault?.message).toBe("disk full");
  edit.edit("xy");
  void edit.keep();
  main.puts[1]?.answer({ outcome: "kept", revision: 1 });
  await settle();
  expect([edit.view.fault, edit.isKept]).toEqual([null, true]);
});

test("an empty new one is none", async () => {
  const { main, edit } = start();
  edit.edit(" ");
  await edit.keep();
  expect(main.puts).toHaveLength(0);
});
