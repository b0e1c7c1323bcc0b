// Settings, windows, and what is pruned.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Fault } from "../fault";
import { addWorkspace, makeTestLedger, noSettings, type TestLedger } from "./testLedger";

let test: TestLedger;

beforeEach(() => {
  test = makeTestLedger();
});

afterEach(() => {
  test.remove();
});

describe("settings", () => {
  it("are any JSON, and tell null from never set", () => {
    const { settings } = test.ledger;
    settings.set("theme", "dark");
    settings.set("theme", "light");
    settings.set("path", null);
    settings.set("model", { provider: "ollama", list: [1, "\ud800\0"] });
    const reopened = test.reopen().settings;
    expect(reopened.get("theme")).toBe("light");
    expect(reopened.get("path")).toBeNull();
    expect(reopened.get("never")).toBeUndefined();
    expect(reopened.all()).toEqual(
      new Map<string, unknown>([
        ["model", { provider: "ollama", list: [1, "\ud800\0"] }],
        ["path", null],
        ["theme", "light"],
      ]),
    );
    reopened.remove("theme");
    expect(reopened.get("theme")).toBeUndefined();
  });

  it("refuse what is not JSON", () => {
    expect(() => test.ledger.settings.set("a", undefined)).toThrow(
      expect.objectContaining({ code: "ledger_constraint" }),
    );
  });
});

describe("windows", () => {
  it("are listed in the order in which they were first put", () => {
    const { windows } = test.ledger;
    windows.put({ id: "z", place: null, layout: { sidebarPx: 1 } });
    windows.put({ id: "a", place: { x: -5 }, layout: {} });
    windows.put({ id: "z", place: { x: 7 }, layout: { sidebarPx: 2 } });
    windows.put({ id: "m", place: null, layout: {} });
    windows.remove("m");
    expect(test.reopen().windows.list()).toEqual([
      { id: "z", place: { x: 7 }, layout: { sidebarPx: 2 } },
      { id: "a", place: { x: -5 }, layout: {} },
    ]);
  });
});

describe("what was settled long ago", () => {
  const dayMs = 24 * 60 * 60 * 1000;

  it("is removed at a start; everything open stays, however old", () => {
    const { ledger } = test;
    const workspaceId = addWorkspace(ledger);
    const stuck = new Fault("stuck", "No.");
    for (const id of ["delivered", "discarded", "recorded", "undelivered"]) {
      ledger.submissions.record({
        clientId: id,
        threadKey: "t",
        threadId: null,
        workspaceId,
        profileId: "p",
        kind: "turn",
        text: id,
        attachments: [],
        settings: noSettings,
      });
    }
    ledger.submissions.delivered("delivered", null);
    ledger.submissions.discarded("discarded");
    ledger.submissions.undelivered("undelivered", stuck);
    for (const id of ["done", "owed"]) ledger.cleanups.record({ id, kind: "k", subject: {}, reason: "r" });
    ledger.cleanups.succeeded("done");
    for (const handleId of ["gone", "retired", "gone, but asking"]) {
      ledger.handles.intend({
        handleId,
        sessionId: "s",
        workspaceId,
        profileId: "p",
        marker: handleId,
        command: { file: "codex", args: [], workingDirectory: "/" },
        channel: { kind: "stdio" },
        teardown: null,
        logPath: null,
      });
    }
    for (const handleId of ["gone", "retired", "gone, but asking"]) {
      ledger.requests.receive({ handleId, requestId: 0, threadId: "t", method: "m", params: {} });
    }
    ledger.requests.resolved("gone", 0);
    ledger.requests.resolved("retired", 0);
    ledger.handles.gone("gone", null);
    ledger.handles.gone("gone, but asking", null);
    ledger.handles.retired("retired");
    ledger.drafts.put("t", "typed", []);
    ledger.drafts.put("p", "parked", []);
    ledger.drafts.park("p");

    test.clock.advance(29 * dayMs);
    expect(test.reopen().submissions.get("delivered")).not.toBeNull();
    expect(test.ledger.handles.get("gone")).not.toBeNull();

    test.clock.advance(2 * dayMs);
    const later = test.reopen();
    expect(later.submissions.get("delivered")).toBeNull();
    expect(later.submissions.get("discarded")).toBeNull();
    expect(later.submissions.listOpen().map(({ clientId }) => clientId)).toEqual(["recorded", "undelivered"]);
    expect(later.cleanups.listOpen().map(({ id }) => id)).toEqual(["owed"]);
    expect(later.handles.get("gone")).toBeNull();
    expect(later.handles.get("retired")).not.toBeNull();
    expect(later.requests.get("retired", 0)).toBeNull();
    expect(later.requests.get("gone, but asking", 0)?.state).toBe("waiting");
    expect(later.drafts.get("t")?.text).toBe("typed");
    expect(later.drafts.listParked()).toMatchObject([{ text: "parked" }]);
  });
});

describe("what is said of the ledger", () => {
  it("is its version and how many rows each table has", () => {
    addWorkspace(test.ledger);
    const { version, tables } = test.ledger.contents();
    expect(version).toBeGreaterThanOrEqual(5);
    expect(tables.find(({ name }) => name === "workspaces")?.rows).toBe(1);
    expect(tables.some(({ name }) => name.startsWith("sqlite"))).toBe(false);
  });

  it("is that it is sound, and what is wrong with it when it is not", () => {
    expect(test.ledger.check()).toEqual([]);
    addWorkspace(test.ledger);
    expect(test.ledger.check()).toEqual([]);
  });
});
