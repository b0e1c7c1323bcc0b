// Where a window comes up: where it was, as far as that place still exists.

import { z } from "zod";

const pixels = z.number().int().min(-100_000).max(100_000);

export const windowPlaceSchema = z.object({
  x: pixels,
  y: pixels,
  width: pixels.positive(),
  height: pixels.positive(),
  maximised: z.boolean(),
});
/** `x` to `height` are those of the window when it is not maximised. */
export type WindowPlace = z.infer<typeof windowPlaceSchema>;

export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const smallest = { width: 640, height: 420 };
const wanted = { width: 1280, height: 820 };
/** How much of a window's top edge must be on a screen so that it can be taken hold of. */
const grip = { width: 120, height: 32 };

/** `areas` are the usable parts of the screens, the first of them the main one. Never empty in practice. */
export function placeWindow(saved: WindowPlace | null, areas: readonly Area[]): WindowPlace {
  const main = areas[0] ?? { x: 0, y: 0, ...wanted };
  if (saved) {
    const place = { ...saved, ...sizeWithin(saved, together(areas.length > 0 ? areas : [main])) };
    if (areas.some((area) => canBeGrasped(place, area))) return place;
  }
  const size = sizeWithin(saved ?? wanted, main);
  return {
    x: Math.round(main.x + (main.width - size.width) / 2),
    y: Math.round(main.y + (main.height - size.height) / 2),
    ...size,
    maximised: saved?.maximised ?? false,
  };
}

/** A place a little beside another window's, so that a new window does not cover it. */
export function placeBeside(place: WindowPlace): WindowPlace {
  return { ...place, x: place.x + 28, y: place.y + 28, maximised: false };
}

function canBeGrasped(place: WindowPlace, area: Area): boolean {
  const acrossPixels = Math.min(place.x + place.width, area.x + area.width) - Math.max(place.x, area.x);
  const topIsInside = place.y >= area.y - 1 && place.y + grip.height <= area.y + area.height;
  return acrossPixels >= grip.width && topIsInside;
}

function sizeWithin(size: { width: number; height: number }, area: { width: number; height: number }) {
  const within = (wish: number, least: number, most: number) => Math.min(Math.max(wish, least), most);
  return {
    width: within(size.width, Math.min(smallest.width, area.width), area.width),
    height: within(size.height, Math.min(smallest.height, area.height), area.height),
  };
}

/** As wide as the widest and as high as the highest: a window may reach over several screens. */
function together(areas: readonly Area[]) {
  const left = Math.min(...areas.map((area) => area.x));
  const top = Math.min(...areas.map((area) => area.y));
  return {
    width: Math.max(...areas.map((area) => area.x + area.width)) - left,
    height: Math.max(...areas.map((area) => area.y + area.height)) - top,
  };
}
