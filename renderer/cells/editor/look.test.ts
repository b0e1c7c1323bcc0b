// Every colour of code against every ground that the editor lays behind it, in both themes: WCAG AA, 4.5:1.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { colourOf, coloursOf, contrast, over, type Rgb, type Theme } from "../../ui/testContrast";
import { marks } from "./look";

const sheet = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
const colours = coloursOf(sheet("../../ui/tokens.css") + sheet("../../conversation/highlight/tokens.css"));
const texts = ["ink", "ink-2", "ink-3", ...[...colours.keys()].filter((name) => name.startsWith("tok-"))];

/** From the back to the front. */
const grounds: Record<string, (keyof typeof marks)[]> = {
  "the page": [],
  "the line with the cursor": ["activeLine"],
  "selected text": ["selection"],
  "selected text in the line with the cursor": ["selection", "activeLine"],
  "what is the same as what is selected": ["sameAsSelection"],
  "the same in the line with the cursor": ["activeLine", "sameAsSelection"],
  "a matching bracket": ["activeLine", "bracket"],
  "a field of a snippet": ["activeLine", "snippetField"],
  "what was searched for": ["found"],
  "what was searched for in the line with the cursor": ["activeLine", "found"],
};

function groundOf(theme: Theme, names: readonly (keyof typeof marks)[]): Rgb {
  return names.reduce<Rgb>(
    (under, name) => {
      const { colour, percent } = marks[name];
      return over(colourOf(colours, colour, theme), percent, under);
    },
    colourOf(colours, "canvas", theme),
  );
}

describe.each(["light", "dark"] as const)("the %s theme", (theme) => {
  it.each(Object.entries(grounds))("has code readable on %s", (_, names) => {
    const ground = groundOf(theme, names);
    const ratios = texts.map((text) => [text, contrast(colourOf(colours, text, theme), ground)] as const);
    expect(ratios.length).toBeGreaterThan(8);
    expect(ratios.filter(([, ratio]) => ratio < 4.5)).toEqual([]);
  });
});
