import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ReceivedRequest } from "./requestsLedger";
import { makeTestLedger, type TestLedger } from "./testLedger";

let test: TestLedger;

beforeEach(() => {
  test = makeTestLedger();
  for (const handleId of ["h1", "h2"]) {
    test.ledger.handles.intend({
      handleId,
      sessionId: "s",
      workspaceId: "w",
      profileId: "p",
      marker: handleId,
      command: { file: "codex", args: [], workingDirectory: "/" },
      channel: { kind: "stdio" },
      teardown: null,
      logPath: null,
    });
  }
});

afterEach(() => {
  test.remove();
});

function asked(requestId: string | number, more: Partial<ReceivedRequest> = {}): ReceivedRequest {
  return {
    handleId: "h1",
    requestId,
    threadId: "thread",
    method: "item/commandExecution/requestApproval",
    params: { itemId: "item", turnId: "turn", command: "rm \ud800" },
    ...more,
  };
}

describe("a request", () => {
  it("waits, also after a restart", () => {
    test.ledger.requests.receive(asked(0));
    expect(test.reopen().requests.listOpen("h1")).toEqual([
      {
        ...asked(0),
        state: "waiting",
        answer: undefined,
        askedAtMs: test.clock.nowMs(),
        answeredAtMs: null,
        endedAtMs: null,
      },
    ]);
  });

  it("is told apart from one of another id, type of id, or process", () => {
    const { requests } = test.ledger;
    for (const request of [asked(0), asked("0"), asked(1), asked(0, { handleId: "h2" })]) {
      requests.receive(request);
    }
    requests.answer("h1", 0, "accept");
    expect(requests.listOpen("h1").map(({ requestId, state }) => [requestId, state])).toEqual([
      [0, "answered"],
      ["0", "waiting"],
      [1, "waiting"],
    ]);
    expect(requests.get("h2", 0)?.state).toBe("waiting");
  });

  it("gets the first answer only", () => {
    const { requests } = test.ledger;
    requests.receive(asked(7));
    expect(requests.answer("h1", 7, { decision: "accept" })).toBe(true);
    expect(requests.answer("h1", 7, { decision: "decline" })).toBe(false);
    expect(requests.get("h1", 7)).toMatchObject({ state: "answered", answer: { decision: "accept" } });
  });

  it("keeps its answer when codex asks again, so that it can be sent again", () => {
    const { requests } = test.ledger;
    requests.receive(asked(7));
    requests.answer("h1", 7, null);
    expect(requests.receive(asked(7))).toMatchObject({ state: "answered", answer: null });
    expect(requests.receive(asked(8))).toMatchObject({ state: "waiting", answer: undefined });
  });

  it.each([
    ["method", { method: "item/fileChange/requestApproval" }],
    ["thread", { threadId: "other" }],
    ["item", { params: { itemId: "other", turnId: "turn" } }],
    ["turn", { params: { itemId: "item", turnId: "other" } }],
    ["approval", { params: { itemId: "item", turnId: "turn", approvalId: "other" } }],
  ])("with the same id and another %s is a new one and inherits no answer", (_name, more) => {
    const { requests } = test.ledger;
    requests.receive(asked(7));
    requests.answer("h1", 7, "accept");
    expect(requests.receive(asked(7, more))).toMatchObject({ ...more, state: "waiting", answer: undefined });
  });

  it("cannot be answered once it has ended, and is then a new one when the id comes again", () => {
    const { requests } = test.ledger;
    for (const [id, end] of [
      [1, () => requests.resolved("h1", 1)],
      [2, () => requests.withdrawn("h1", 2)],
    ] as const) {
      requests.receive(asked(id));
      expect(end()).toBe(true);
      expect(end()).toBe(false);
      expect(requests.answer("h1", id, "accept")).toBe(false);
      expect(requests.get("h1", id)).toMatchObject({ answer: undefined, endedAtMs: test.clock.nowMs() });
      expect(requests.receive(asked(id)).state).toBe("waiting");
    }
    expect(requests.answer("h1", 99, "accept")).toBe(false);
  });

  it("is withdrawn with its process", () => {
    const { requests } = test.ledger;
    requests.receive(asked(1));
    requests.receive(asked(2));
    requests.receive(asked(3));
    requests.receive(asked(1, { handleId: "h2" }));
    requests.answer("h1", 2, "accept");
    requests.resolved("h1", 3);
    expect(requests.withdrawAll("h1")).toBe(2);
    expect(requests.listOpen("h1")).toEqual([]);
    expect(requests.get("h1", 3)?.state).toBe("resolved");
    expect(requests.listOpen("h2")).toHaveLength(1);
  });
});
