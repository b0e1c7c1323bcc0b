import { describe, expect, it } from "vitest";
import { firstLayout } from "../../preload/contract/layout";
import { ManualClock } from "../clock";
import { silentLog } from "../log";
import { type WindowRecord, WindowRecords, type WindowStore } from "./windowRecords";

const place = { x: 1, y: 2, width: 800, height: 600, maximised: false };

function setUp(stored: { id: string; place: unknown; layout: unknown }[] = []) {
  const written: WindowRecord[] = [];
  const removed: string[] = [];
  const store: WindowStore = {
    list: () => stored,
    put: (record) => written.push(record),
    remove: (id) => removed.push(id),
  };
  const clock = new ManualClock();
  return { records: new WindowRecords(store, clock, silentLog), clock, written, removed };
}

describe("what is remembered of windows", () => {
  it("comes back, damaged parts as if for the first time", () => {
    const layout = { ...firstLayout, sidebarPx: 300 };
    const { records } = setUp([
      { id: "a", place, layout },
      { id: "b", place: { x: "left" }, layout: { sidebarPx: -1 } },
      { id: "c", place: null, layout: null },
    ]);
    expect(records.load()).toEqual([
      { id: "a", place, layout },
      { id: "b", place: null, layout: firstLayout },
      { id: "c", place: null, layout: firstLayout },
    ]);
  });

  it("is written once for many moves, after a while", () => {
    const { records, clock, written } = setUp();
    records.update("a", { place: null });
    records.update("a", { place });
    records.update("b", { place });
    expect(written).toEqual([]);
    clock.advance(1000);
    expect(written).toEqual([
      { id: "a", place, layout: firstLayout },
      { id: "b", place, layout: firstLayout },
    ]);
    clock.advance(1000);
    expect(written).toHaveLength(2);
    expect(clock.pendingCount).toBe(0);
  });

  it("is written at once when a page hands over what it shows", () => {
    const { records, clock, written } = setUp();
    const layout: WindowRecord["layout"] = { ...firstLayout, page: "environments" };
    records.update("a", { place });
    records.update("a", { layout });
    expect(written).toEqual([{ id: "a", place, layout }]);
    expect(clock.pendingCount).toBe(0);
  });

  it("is written at once when the app ends", () => {
    const { records, clock, written, removed } = setUp();
    records.update("a", { place });
    records.finish();
    records.update("a", { place: null });
    records.close("a");
    clock.advance(1000);
    expect(written).toEqual([{ id: "a", place, layout: firstLayout }]);
    expect(removed).toEqual([]);
    expect(clock.pendingCount).toBe(0);
  });

  it("goes when a window is closed, except for the last one", () => {
    const { records, removed, written, clock } = setUp([
      { id: "a", place, layout: firstLayout },
      { id: "b", place, layout: firstLayout },
    ]);
    records.load();
    records.update("a", { place: null });
    records.close("a");
    records.close("b");
    expect(removed).toEqual(["a"]);
    clock.advance(1000);
    expect(written).toEqual([]);
  });

  it("is taken on by the next window when the last one was closed", () => {
    const { records } = setUp([{ id: "a", place, layout: firstLayout }]);
    records.load();
    expect(records.unused(new Set(["a"]))).toBeNull();
    records.close("a");
    expect(records.unused(new Set())).toMatchObject({ id: "a", place });
  });

  it("is bounded", () => {
    const stored = Array.from({ length: 100 }, (_, nth) => ({ id: `${nth}`, place, layout: firstLayout }));
    expect(setUp(stored).records.load().length).toBeLessThan(20);
  });

  it("never stops a window from coming up or the app from ending", () => {
    const broken = () => {
      throw new Error("disk");
    };
    const logged: string[] = [];
    const log = { ...silentLog, error: (message: string) => logged.push(message) };
    const records = new WindowRecords({ list: broken, put: broken, remove: broken }, new ManualClock(), log);
    expect(records.load()).toEqual([]);
    records.update("a", { place });
    records.update("b", { place });
    records.close("b");
    records.finish();
    expect(logged).toHaveLength(3);
  });
});
