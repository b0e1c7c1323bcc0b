import { describe, expect, it } from "vitest";
import { appCopyOf, applyAppChanges } from "./appCopy";
import { appState, threadRow, workspace } from "./testThread";

const start = () => appCopyOf({ state: appState(), threads: [threadRow("a"), threadRow("b")] });

describe("a copy of the app's state", () => {
  it("replaces each field that is given, whole", () => {
    const before = start();
    const after = applyAppChanges(before, [{ type: "state", value: { workspaces: [workspace("w")] } }]);
    expect(after.app.workspaces.map((each) => each.id)).toEqual(["w"]);
    expect(after.app.settings).toBe(before.app.settings);
    expect(after.rows).toBe(before.rows);
  });

  it("touches only the rows that are named", () => {
    const before = start();
    const after = applyAppChanges(before, [
      { type: "threads", upsert: [threadRow("a", { state: "running" })], remove: [] },
    ]);
    expect(after.rows.get("a")?.state).toBe("running");
    expect(after.rows.get("b")).toBe(before.rows.get("b"));
    expect(before.rows.get("a")?.state).toBe("idle");
  });

  it.each([
    ["a state", { state: "failed" as const }, false],
    ["a draft", { hasDraft: true }, false],
    ["unread", { unread: true }, false],
    ["a title", { title: "other" }, true],
    ["a time", { updatedAtMs: 5 }, true],
    ["the archive", { archived: true }, true],
    ["a parent", { parentThreadId: "b" }, true],
    ["a workspace", { workspaceId: "w2" }, true],
  ])("lays the list out anew for %s: %#", (_, part, anew) => {
    const before = start();
    const after = applyAppChanges(before, [{ type: "threads", upsert: [threadRow("a", part)], remove: [] }]);
    expect(after.places !== before.places).toBe(anew);
  });

  it("lays the list out anew for threads that come and go, not for one that was never there", () => {
    const before = start();
    const change = (upsert: string[], remove: string[]) =>
      applyAppChanges(before, [{ type: "threads", upsert: upsert.map((id) => threadRow(id)), remove }])
        .places;
    expect(change(["new"], [])).not.toBe(before.places);
    expect(change([], ["a"])).not.toBe(before.places);
    expect(change([], ["never"])).toBe(before.places);
  });
});
