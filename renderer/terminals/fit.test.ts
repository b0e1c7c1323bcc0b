import { expect, it } from "vitest";
import { fitted } from "./fit";

const character = { widthPx: 7.8, heightPx: 17 };

it("as many whole characters as there is room for, within bounds", () => {
  expect(fitted({ widthPx: 790, heightPx: 420 }, character)).toEqual({ columns: 101, rows: 24 });
  expect(fitted({ widthPx: 10, heightPx: 10 }, character)).toEqual({ columns: 20, rows: 4 });
  expect(fitted({ widthPx: 90_000, heightPx: 90_000 }, character)).toEqual({ columns: 500, rows: 300 });
});

it("nothing is fitted into a box that is not drawn", () => {
  expect(fitted({ widthPx: 0, heightPx: 400 }, character)).toBeNull();
  expect(fitted({ widthPx: 400, heightPx: 400 }, { widthPx: 0, heightPx: 0 })).toBeNull();
});
