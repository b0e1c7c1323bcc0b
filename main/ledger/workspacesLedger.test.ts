import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeTestLedger, noSettings, type TestLedger } from "./testLedger";

let test: TestLedger;

beforeEach(() => {
  test = makeTestLedger();
});

afterEach(() => {
  test.remove();
});

const add = (path: string, parentId: string | null = null) =>
  test.ledger.workspaces.add({ path, name: path.slice(1), parentId });
const paths = () => test.ledger.workspaces.list().map(({ path }) => path);

describe("workspaces", () => {
  it("are listed in the order in which they were added", () => {
    const addedAtMs = test.clock.nowMs();
    const zebra = add("/zebra");
    const ant = add("/ant", zebra.id);
    expect(test.reopen().workspaces.list()).toEqual([zebra, ant]);
    expect(ant).toEqual({
      id: ant.id,
      path: "/ant",
      name: "ant",
      parentId: zebra.id,
      addedAtMs,
      lastOpenedAtMs: addedAtMs,
      position: 2,
    });
  });

  it("are found again by their path, and then opened just now", () => {
    const first = add("/a");
    test.ledger.workspaces.rename(first.id, "my name \ud800");
    test.clock.advance(5_000);
    const again = add("/a");
    expect(again).toEqual({ ...first, name: "my name \ud800", lastOpenedAtMs: test.clock.nowMs() });
    expect(paths()).toEqual(["/a"]);
  });

  it("remember when they were opened", () => {
    const { id } = add("/a");
    test.clock.advance(1_000);
    test.ledger.workspaces.touch(id);
    expect(test.ledger.workspaces.get(id).lastOpenedAtMs).toBe(test.clock.nowMs());
  });

  it("are the same when they are opened again after they were removed, with all that was in them", () => {
    const removed = add("/a");
    add("/b");
    test.ledger.submissions.record({
      clientId: "a",
      threadKey: "t",
      threadId: null,
      workspaceId: removed.id,
      profileId: "p",
      kind: "turn",
      text: "kept",
      attachments: [],
      settings: noSettings,
    });
    test.ledger.workspaces.remove(removed.id);
    expect(paths()).toEqual(["/b"]);
    expect(test.ledger.submissions.listOpen()).toMatchObject([{ text: "kept" }]);
    expect(add("/a")).toEqual(removed);
    expect(paths()).toEqual(["/a", "/b"]);
  });

  it("can be where they were not before", () => {
    const moved = add("/old");
    const other = add("/other");
    test.ledger.workspaces.relocate(moved.id, "/new");
    expect(paths()).toEqual(["/new", "/other"]);
    test.ledger.workspaces.relocate(moved.id, "/new");
    expect(() => test.ledger.workspaces.relocate(moved.id, "/other")).toThrow(
      expect.objectContaining({ code: "workspace_exists" }),
    );
    expect(test.ledger.workspaces.get(other.id).path).toBe("/other");
    expect(paths()).toEqual(["/new", "/other"]);
  });

  it("take the place of a removed one, which is not lost", () => {
    const moved = add("/old");
    const removed = add("/new");
    test.ledger.workspaces.remove(removed.id);
    test.ledger.workspaces.relocate(moved.id, "/new");
    expect(paths()).toEqual(["/new"]);
    expect(add("/new").id).toBe(moved.id);
    expect(test.ledger.workspaces.get(removed.id).path).toBe("/old");
  });

  it("must be known", () => {
    const { workspaces } = test.ledger;
    const unknown = expect.objectContaining({ code: "workspace_unknown" });
    expect(() => workspaces.get("x")).toThrow(unknown);
    expect(() => workspaces.rename("x", "y")).toThrow(unknown);
    expect(() => workspaces.touch("x")).toThrow(unknown);
    expect(() => workspaces.remove("x")).toThrow(unknown);
    expect(() => workspaces.relocate("x", "/y")).toThrow(unknown);
  });
});
