import { describe, expect, it } from "vitest";
import { checkSnapshot, placesLookedAt } from "./checkResult";
import { agentItem, appSnapshot, threadRow, threadSnapshot } from "./testData";

describe("the places of a list that are looked at", () => {
  it("are all of a short list", () => {
    expect(placesLookedAt(3)).toEqual([0, 1, 2]);
    expect(placesLookedAt(0)).toEqual([]);
  });

  it("are a bounded spread of a long one, with both ends, each once", () => {
    const places = placesLookedAt(100_000);
    expect(places.length).toBe(48);
    expect(places[0]).toBe(0);
    expect(places.at(-1)).toBe(99_999);
    expect(new Set(places).size).toBe(48);
    expect([...places].sort((a, b) => a - b)).toEqual(places);
  });
});

describe("a snapshot", () => {
  it("is handed on as it is when it fits", () => {
    const snapshot = { topic: "app" as const, app: appSnapshot([threadRow("a")]) };
    expect(checkSnapshot(snapshot)).toEqual({ ok: true, value: snapshot });
  });

  it("does not fit when its head does not, and says where without saying what", () => {
    const thread = threadSnapshot();
    const broken = { ...thread, head: { ...thread.head, title: { private: "words" } } } as never;
    const checked = checkSnapshot({ topic: "thread", thread: broken });
    expect(checked).toMatchObject({ ok: false });
    expect(JSON.stringify(checked)).toContain("title");
    expect(JSON.stringify(checked)).not.toContain("words");
  });

  it("does not fit when the last of many items does not", () => {
    const items = Array.from({ length: 5000 }, (_, nth) => agentItem(`i${nth}`));
    items.push({ ...agentItem("last"), text: 5 } as never);
    expect(checkSnapshot({ topic: "thread", thread: threadSnapshot(items) })).toMatchObject({
      ok: false,
      detail: expect.stringContaining("entry 5000"),
    });
  });
});
