import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Area, placeBeside, placeWindow, smallest, type WindowPlace } from "./placement";

const main: Area = { x: 0, y: 25, width: 1440, height: 875 };
const second: Area = { x: 1440, y: 0, width: 1920, height: 1080 };
const place = (x: number, y: number, width = 1000, height = 700, maximised = false): WindowPlace => ({
  x,
  y,
  width,
  height,
  maximised,
});

describe("a window comes up", () => {
  it("where it was, on any screen that is there", () => {
    expect(placeWindow(place(100, 100), [main])).toEqual(place(100, 100));
    expect(placeWindow(place(1600, 50, 1000, 700, true), [main, second])).toEqual(
      place(1600, 50, 1000, 700, true),
    );
    expect(placeWindow(place(-800, 60), [main])).toEqual(place(-800, 60));
  });

  it("in the middle of the main screen the first time, smaller on a small screen", () => {
    expect(placeWindow(null, [main, second])).toEqual(place(80, 53, 1280, 820));
    expect(placeWindow(null, [{ x: 0, y: 0, width: 800, height: 600 }])).toEqual(place(0, 0, 800, 600));
  });

  it("in the middle of the main screen, as large as it was, when its screen has gone", () => {
    expect(placeWindow(place(1600, 50, 1000, 700, true), [main])).toEqual(place(220, 113, 1000, 700, true));
  });

  it.each([
    ["its top edge is above the screen", place(100, -300)],
    ["its top edge is below the screen", place(100, 890)],
    ["only a sliver is left of it", place(-980, 100)],
    ["it is far away", place(90_000, 90_000)],
  ])("where it can be taken hold of when %s", (_why, saved) => {
    expect(placeWindow(saved, [main])).toMatchObject({ x: 220, y: 113 });
  });

  it("no larger than the screens together, and never uselessly small", () => {
    expect(placeWindow(place(0, 25, 9000, 9000), [main])).toMatchObject({ width: 1440, height: 875 });
    expect(placeWindow(place(100, 100, 10, 10), [main])).toMatchObject(smallest);
  });

  it("where its top edge can be taken hold of, whatever was saved and whatever screens there are", () => {
    const area = fc.record({
      x: fc.integer({ min: -4000, max: 4000 }),
      y: fc.integer({ min: -4000, max: 4000 }),
      width: fc.integer({ min: 640, max: 4000 }),
      height: fc.integer({ min: 480, max: 3000 }),
    });
    const any = fc.integer({ min: -10_000, max: 10_000 });
    const size = fc.integer({ min: 1, max: 10_000 });
    const saved = fc.record({ x: any, y: any, width: size, height: size, maximised: fc.boolean() });
    fc.assert(
      fc.property(fc.option(saved), fc.array(area, { minLength: 1, maxLength: 3 }), (given, areas) => {
        const got = placeWindow(given, areas);
        const grasped = areas.some(
          (one) =>
            Math.min(got.x + got.width, one.x + one.width) - Math.max(got.x, one.x) >= 100 &&
            got.y >= one.y - 1 &&
            got.y < one.y + one.height,
        );
        expect(grasped).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it("beside the window it was opened from", () => {
    expect(placeBeside(place(10, 20, 1000, 700, true))).toEqual(place(38, 48));
  });
});
