import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ThreadSettings } from "../../preload/contract/thread";
import { Fault } from "../fault";
import type { NewSubmission, SubmissionState } from "./submissionsLedger";
import { addWorkspace, makeTestLedger, noSettings, type TestLedger } from "./testLedger";

let test: TestLedger;
let workspaceId: string;

beforeEach(() => {
  test = makeTestLedger();
  workspaceId = addWorkspace(test.ledger);
});

afterEach(() => {
  test.remove();
});

const settings: ThreadSettings = { ...noSettings, model: "gpt-5", sandbox: "read-only" };

function submission(clientId: string, more: Partial<NewSubmission> = {}): NewSubmission {
  return {
    clientId,
    threadKey: "thread",
    threadId: "thread",
    workspaceId,
    profileId: "default",
    kind: "turn",
    text: "do it",
    attachments: [{ kind: "mention", path: "a.ts", name: "a.ts" }],
    settings,
    ...more,
  };
}

const refused = new Fault("refused", "codex did not take it.", { hint: "Try again.", retryable: true });

const steps = {
  sending: (id: string) => test.ledger.submissions.sending(id),
  sent: (id: string) => test.ledger.submissions.sent(id, "turn"),
  delivered: (id: string) => test.ledger.submissions.delivered(id, "turn"),
  undelivered: (id: string) => test.ledger.submissions.undelivered(id, refused),
  discarded: (id: string) => test.ledger.submissions.discarded(id),
};
type Step = keyof typeof steps;

const waysTo: Record<SubmissionState, Step[]> = {
  recorded: [],
  sending: ["sending"],
  sent: ["sending", "sent"],
  delivered: ["delivered"],
  undelivered: ["undelivered"],
  discarded: ["discarded"],
};

describe("a submission", () => {
  it("is on record with everything that was sent", () => {
    const text = "first\0line\n\ud800";
    expect(test.ledger.submissions.record(submission("a", { text }))).toBe(true);
    expect(test.reopen().submissions.get("a")).toEqual({
      ...submission("a", { text }),
      sequence: 1,
      state: "recorded",
      turnId: null,
      place: null,
      fault: null,
      createdAtMs: test.clock.nowMs(),
      updatedAtMs: test.clock.nowMs(),
      settledAtMs: null,
    });
  });

  it("is recorded once, even when it comes twice or has ended", () => {
    const { submissions } = test.ledger;
    submissions.record(submission("a"));
    expect(submissions.record(submission("a", { text: "other" }))).toBe(false);
    submissions.delivered("a", null);
    expect(submissions.record(submission("a"))).toBe(false);
    expect(submissions.get("a")).toMatchObject({ text: "do it", state: "delivered" });
    expect(submissions.listOpen()).toEqual([]);
  });

  it("is delivered on the straight way", () => {
    const { submissions } = test.ledger;
    submissions.record(submission("a"));
    submissions.sending("a");
    submissions.sent("a", "turn-1");
    test.clock.advance(50);
    submissions.delivered("a", null);
    expect(submissions.get("a")).toMatchObject({
      state: "delivered",
      turnId: "turn-1",
      settledAtMs: test.clock.nowMs(),
    });
  });

  it("stays delivered when the answer comes after its message, good or bad", () => {
    const { submissions } = test.ledger;
    submissions.record(submission("a"));
    submissions.sending("a");
    submissions.delivered("a", "turn-1");
    expect(submissions.sent("a", "turn-1")).toBe(false);
    expect(submissions.undelivered("a", refused)).toBe(false);
    expect(submissions.get("a")).toMatchObject({ state: "delivered", turnId: "turn-1", fault: null });
  });

  it("says why it is undelivered, and is sent again without that and without its old turn", () => {
    const { submissions } = test.ledger;
    submissions.record(submission("a"));
    submissions.sending("a");
    submissions.sent("a", "turn-1");
    submissions.undelivered("a", refused);
    const { fault, settledAtMs } = test.reopen().submissions.get("a") ?? {};
    expect(fault).toBeInstanceOf(Fault);
    expect(fault).toMatchObject({ code: "refused", hint: "Try again.", retryable: true });
    expect(settledAtMs).toBeNull();
    test.ledger.submissions.sending("a");
    expect(test.ledger.submissions.get("a")).toMatchObject({ state: "sending", fault: null, turnId: null });
  });

  const table: Record<SubmissionState, Record<Step, "moves" | "stays" | "refused">> = {
    recorded: {
      sending: "moves",
      sent: "refused",
      delivered: "moves",
      undelivered: "moves",
      discarded: "moves",
    },
    sending: {
      sending: "stays",
      sent: "moves",
      delivered: "moves",
      undelivered: "moves",
      discarded: "moves",
    },
    sent: {
      sending: "moves",
      sent: "stays",
      delivered: "moves",
      undelivered: "moves",
      discarded: "moves",
    },
    delivered: {
      sending: "refused",
      sent: "stays",
      delivered: "stays",
      undelivered: "stays",
      discarded: "refused",
    },
    undelivered: {
      sending: "moves",
      sent: "refused",
      delivered: "moves",
      undelivered: "stays",
      discarded: "moves",
    },
    discarded: {
      sending: "refused",
      sent: "refused",
      delivered: "moves",
      undelivered: "refused",
      discarded: "stays",
    },
  };
  const cases = Object.entries(table).flatMap(([from, row]) =>
    Object.entries(row).map(([to, outcome]) => ({
      from: from as SubmissionState,
      to: to as Step,
      outcome,
    })),
  );

  it.each(cases)("$from, $to: $outcome", ({ from, to, outcome }) => {
    const { submissions } = test.ledger;
    submissions.record(submission("a"));
    for (const step of waysTo[from]) steps[step]("a");
    const before = submissions.get("a");
    expect(before?.state).toBe(from);
    if (outcome === "refused") {
      expect(() => steps[to]("a")).toThrow(expect.objectContaining({ code: "submission_transition" }));
    } else {
      expect(steps[to]("a")).toBe(outcome === "moves");
    }
    if (outcome === "moves") expect(submissions.get("a")?.state).toBe(to);
    else expect(submissions.get("a")).toEqual(before);
  });

  it("is never sent again once it was delivered, whatever happens", () => {
    let count = 0;
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...(Object.keys(steps) as Step[])), { maxLength: 12 }), (path) => {
        const id = `random-${count++}`;
        test.ledger.submissions.record(submission(id));
        let delivered = false;
        for (const step of path) {
          try {
            const moved = steps[step](id);
            expect(moved && delivered).toBe(false);
          } catch (error) {
            expect(error).toMatchObject({ code: "submission_transition" });
          }
          delivered ||= step === "delivered";
          const state = test.ledger.submissions.get(id)?.state;
          if (delivered) expect(state).toBe("delivered");
          const open = test.ledger.submissions.listOpen().some(({ clientId }) => clientId === id);
          expect(open).toBe(state !== "delivered" && state !== "discarded");
        }
      }),
      { numRuns: 60 },
    );
  });

  it("must be known", () => {
    expect(() => steps.sending("nobody")).toThrow(expect.objectContaining({ code: "submission_unknown" }));
    expect(test.ledger.submissions.get("nobody")).toBeNull();
  });

  it("must belong to a workspace", () => {
    expect(() => test.ledger.submissions.record(submission("a", { workspaceId: "nowhere" }))).toThrow(
      expect.objectContaining({ code: "ledger_constraint" }),
    );
  });
});

describe("open submissions", () => {
  it("are listed in the order in which they were sent, of one thread or of all", () => {
    const { submissions } = test.ledger;
    for (const [id, threadKey] of [
      ["z", "one"],
      ["b", "two"],
      ["a", "one"],
      ["y", "one"],
    ] as const) {
      submissions.record(submission(id, { threadKey }));
    }
    submissions.delivered("a", null);
    submissions.undelivered("y", refused);
    expect(submissions.listOpen().map(({ clientId }) => clientId)).toEqual(["z", "b", "y"]);
    expect(submissions.listOpenOf("one").map(({ clientId }) => clientId)).toEqual(["z", "y"]);
  });

  it("go by the thread's id once codex has named it", () => {
    const { submissions } = test.ledger;
    submissions.record(submission("a", { threadKey: "new:1", threadId: null }));
    submissions.record(submission("b", { threadKey: "new:2", threadId: null }));
    submissions.nameThread("new:1", "thread-1");
    expect(submissions.listOpenOf("new:1")).toEqual([]);
    expect(submissions.listOpenOf("thread-1")).toMatchObject([{ clientId: "a", threadId: "thread-1" }]);
    expect(submissions.get("b")).toMatchObject({ threadKey: "new:2", threadId: null });
  });
});
