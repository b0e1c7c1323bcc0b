import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeTestLedger, type TestLedger } from "./testLedger";

let test: TestLedger;

beforeEach(() => {
  test = makeTestLedger();
});

afterEach(() => {
  test.remove();
});

const making = (path: string) =>
  test.ledger.worktrees.making({
    path,
    parentWorkspaceId: "w",
    repository: "/r/.git",
    branch: "x",
    base: "1",
  });
const states = () => test.ledger.worktrees.list().map(({ path, state }) => `${path} ${state}`);

describe("worktrees", () => {
  it("are on record from before they are made until nothing is left of them", () => {
    making("/a");
    expect(test.reopen().worktrees.get("/a")).toEqual({
      path: "/a",
      state: "making",
      workspaceId: null,
      parentWorkspaceId: "w",
      repository: "/r/.git",
      branch: "x",
      base: "1",
      folderIdentity: null,
      createdAtMs: test.clock.nowMs(),
    });
    test.ledger.worktrees.made("/a", "wa");
    expect(test.ledger.worktrees.ofWorkspace("wa")).toMatchObject({ path: "/a", state: "made" });
    test.ledger.worktrees.deleting("/a", "1:2");
    expect(test.reopen().worktrees.get("/a")).toMatchObject({ state: "deleting", folderIdentity: "1:2" });
    test.ledger.worktrees.kept("/a");
    expect(test.ledger.worktrees.get("/a")).toMatchObject({ state: "made", folderIdentity: null });
    test.ledger.worktrees.gone("/a");
    expect([test.ledger.worktrees.get("/a"), test.ledger.worktrees.ofWorkspace("wa")]).toEqual([null, null]);
  });

  it("are never taken for further than they are", () => {
    making("/a");
    test.ledger.worktrees.deleting("/a", "1:2");
    test.ledger.worktrees.kept("/a");
    expect(states()).toEqual(["/a making"]);
    test.ledger.worktrees.made("/a", "wa");
    test.ledger.worktrees.made("/a", "other");
    expect(test.ledger.worktrees.ofWorkspace("other")).toBeNull();
  });

  it("have one path and one workspace each", () => {
    making("/a");
    expect(() => making("/a")).toThrow();
    making("/b");
    test.ledger.worktrees.made("/a", "w1");
    expect(() => test.ledger.worktrees.made("/b", "w1")).toThrow();
    expect(states()).toEqual(["/a made", "/b making"]);
  });
});
