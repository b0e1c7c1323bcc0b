import { describe, expect, it } from "vitest";
import { paneWidths, roomOf } from "./panes";

const layout = { sidebarPx: 268, inspectorPx: 344, sidebarOpen: true, inspectorOpen: true };

describe("the room", () => {
  it.each([
    [1440, "wide"],
    [900, "wide"],
    [899, "mid"],
    [640, "mid"],
    [639, "narrow"],
  ])("of %d px is %s", (px, room) => {
    expect(roomOf(px)).toBe(room);
  });
});

describe("the panes", () => {
  it("have the widths that were chosen where there is room", () => {
    expect(paneWidths(layout, 1440)).toMatchObject({ sidebarPx: 268, inspectorPx: 344 });
  });

  it("leave the middle its least, whatever was chosen", () => {
    for (let windowPx = 640; windowPx <= 2000; windowPx += 20) {
      for (const sidebarPx of [0, 200, 268, 480, 2000]) {
        for (const inspectorPx of [0, 280, 344, 720, 2000]) {
          const widths = paneWidths({ ...layout, sidebarPx, inspectorPx }, windowPx);
          const middle = windowPx - widths.sidebarPx - widths.inspectorPx;
          expect(middle, `${windowPx} ${sidebarPx} ${inspectorPx}`).toBeGreaterThanOrEqual(
            windowPx >= 900 ? 400 : 360,
          );
        }
      }
    }
  });

  it("go over the middle when the window is too narrow for them", () => {
    expect(paneWidths(layout, 800)).toMatchObject({ sidebarPx: 268, inspectorPx: 0 });
    expect(paneWidths(layout, 500)).toMatchObject({ sidebarPx: 0, inspectorPx: 0 });
  });

  it("are not there when they are closed", () => {
    expect(paneWidths({ ...layout, sidebarOpen: false, inspectorOpen: false }, 1440)).toMatchObject({
      sidebarPx: 0,
      inspectorPx: 0,
    });
  });
});
