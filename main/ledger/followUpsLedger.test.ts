// The ledger's queue of follow-ups: what waits in it, in which order, and why it is held.

import { rmSync } from "node:fs";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Fault } from "../fault";
import { silentLog } from "../log";
import type { Ledger } from "./ledger";
import { migrations } from "./migrations";
import { openLedger } from "./openLedger";
import type { NewSubmission } from "./submissionsLedger";
import { addWorkspace, makeTestLedger, noSettings, type TestLedger } from "./testLedger";

let test: TestLedger;
let workspaceId: string;

beforeEach(() => {
  test = makeTestLedger();
  workspaceId = addWorkspace(test.ledger);
});

afterEach(() => test.remove());

function submission(clientId: string, more: Partial<NewSubmission> = {}): NewSubmission {
  return {
    clientId,
    threadKey: "thread",
    threadId: "thread",
    workspaceId,
    profileId: "user",
    kind: "turn",
    text: "do it",
    attachments: [],
    settings: noSettings,
    ...more,
  };
}

function record(...clientIds: string[]): void {
  for (const clientId of clientIds) test.ledger.submissions.record(submission(clientId));
}

const waiting = (ledger: Ledger = test.ledger, threadKey = "thread") =>
  ledger.submissions
    .listOpenOf(threadKey)
    .filter(({ place }) => place !== null)
    .sort((a, b) => (a.place ?? 0) - (b.place ?? 0))
    .map(({ clientId, state, kind }) => `${clientId}: ${state} ${kind}`);

describe("the ledger's queue", () => {
  it("keeps what waits in order, thread by thread, through a restart", () => {
    const { submissions } = test.ledger;
    record("a", "b", "c");
    submissions.record(submission("other", { threadKey: "second", threadId: "second" }));
    for (const clientId of ["c", "a", "other", "b"]) submissions.waitHere(clientId);
    const again = test.reopen();
    expect(waiting(again)).toEqual(["c: recorded queue", "a: recorded queue", "b: recorded queue"]);
    expect(waiting(again, "second")).toEqual(["other: recorded queue"]);
  });

  it("takes what codex has refused to queue, and only what has certainly not left otherwise", () => {
    const { submissions } = test.ledger;
    record("a", "b");
    submissions.sending("a", "queue");
    submissions.waitHere("a");
    expect(waiting()).toEqual(["a: recorded queue"]);
    submissions.sending("b", "turn");
    submissions.sent("b", "t1");
    expect(() => submissions.waitHere("b")).toThrow(
      expect.objectContaining({ code: "submission_transition" }),
    );
  });

  it("keeps the place of what is put there twice", () => {
    const { submissions } = test.ledger;
    record("a", "b");
    for (const clientId of ["a", "b", "a"]) submissions.waitHere(clientId);
    expect(waiting()).toEqual(["a: recorded queue", "b: recorded queue"]);
  });

  it("is left by whatever becomes of a message", () => {
    const { submissions } = test.ledger;
    record("a", "b", "c", "d");
    for (const clientId of ["a", "b", "c", "d"]) submissions.waitHere(clientId);
    submissions.sending("a", "turn");
    submissions.undelivered("b", new Fault("no", "No."));
    submissions.discarded("c");
    expect(waiting()).toEqual(["d: recorded queue"]);
    expect(submissions.get("a")).toMatchObject({ state: "sending", kind: "turn", place: null });
  });

  it("is arranged anew; what has left it meanwhile stays where it is", () => {
    const { submissions } = test.ledger;
    record("a", "b", "c");
    for (const clientId of ["a", "b", "c"]) submissions.waitHere(clientId);
    submissions.sending("b", "turn");
    submissions.arrange(["c", "b", "a"]);
    expect(waiting()).toEqual(["c: recorded queue", "a: recorded queue"]);
    record("d");
    submissions.waitHere("d");
    expect(waiting().at(-1)).toBe("d: recorded queue");
  });

  it("has what was written last, exactly", () => {
    const { submissions } = test.ledger;
    record("a");
    submissions.waitHere("a");
    const attachments = [{ kind: "mention" as const, path: "/a.ts", name: "a.ts" }];
    submissions.rewrite("a", "not\0 that\ud800", attachments);
    expect(test.reopen().submissions.get("a")).toMatchObject({ text: "not\0 that\ud800", attachments });
  });

  it("does not rewrite what has been delivered", () => {
    const { submissions } = test.ledger;
    record("a");
    submissions.delivered("a", "t1");
    submissions.rewrite("a", "too late", []);
    expect(submissions.get("a")?.text).toBe("do it");
  });
});

describe("a way that changes", () => {
  it("is written down with the state", () => {
    const { submissions } = test.ledger;
    record("a");
    submissions.sending("a", "queue");
    submissions.sent("a", null);
    expect(submissions.get("a")).toMatchObject({ state: "sent", kind: "queue" });
    // Taken out of codex's queue to be steered, which then cannot be done.
    submissions.sending("a", "steer");
    expect(submissions.get("a")).toMatchObject({ state: "sending", kind: "steer" });
    expect(submissions.sending("a", "queue")).toBe(true);
    expect(submissions.get("a")).toMatchObject({ state: "sending", kind: "queue" });
    expect(submissions.sending("a", "queue")).toBe(false);
  });
});

describe("a file from before there were follow-ups", () => {
  it("keeps its messages, and none of them waits", () => {
    test.ledger.close();
    rmSync(test.path);
    const { clock, path } = test;
    openLedger({ path, clock, log: silentLog, steps: migrations.slice(0, 2) }).ledger.close();
    const old = new DatabaseSync(path);
    old.exec(`INSERT INTO workspaces (id, path, name, addedAtMs, lastOpenedAtMs, position)
      VALUES ('w', '/w', 'w', 1, 1, 1);
      INSERT INTO submissions (clientId, threadKey, threadId, workspaceId, profileId, kind, text, attachments, settings,
        state, createdAtMs, updatedAtMs)
      VALUES ('old', 'thread', 'thread', 'w', 'user', 'queue', 'do it', '[]', '{}', 'sent', 1, 1)`);
    old.close();
    const ledger = test.reopen();
    expect(ledger.submissions.listOpen()).toMatchObject([
      { clientId: "old", state: "sent", text: "do it", place: null },
    ]);
    expect(ledger.queueHolds.get("thread")).toBeNull();
  });
});

describe("why a queue is held", () => {
  it("is known until it goes on, thread by thread, through a restart", () => {
    const { queueHolds } = test.ledger;
    queueHolds.set("a", "stopped");
    queueHolds.set("b", "stopped");
    queueHolds.set("b", "failed");
    queueHolds.set("a", null);
    queueHolds.set("never held", null);
    const again = test.reopen().queueHolds;
    expect([again.get("a"), again.get("b"), again.get("c")]).toEqual([null, "failed", null]);
  });
});
