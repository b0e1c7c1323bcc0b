// Every text colour against every ground that it is used on, in both themes: WCAG AA, 4.5:1; edges of fields 3:1.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { colourOf, coloursOf, contrast, type Theme } from "./testContrast";

const css = readFileSync(new URL("./tokens.css", import.meta.url), "utf8");

const tokens = coloursOf(css);

function ratio(theme: Theme, text: string, ground: string): number {
  return contrast(colourOf(tokens, text, theme), colourOf(tokens, ground, theme));
}

const grounds = ["canvas", "panel", "raised", "hover", "sel"];
const texts = ["ink", "ink-2", "ink-3", "accent", "ok", "warn", "bad"];
const pairs = [
  ...grounds.flatMap((ground) => texts.map((text) => [text, ground] as const)),
  ...["accent-soft", "warn-soft", "bad-soft", "ok-soft"].flatMap((ground) =>
    ["ink", "ink-2", "ink-3"].map((text) => [text, ground] as const),
  ),
  ["accent", "accent-soft"],
  ["ok", "ok-soft"],
  ["warn", "warn-soft"],
  ["bad", "bad-soft"],
  ["accent-ink", "accent"],
  ["accent-ink", "accent-hover"],
  ["bad-ink", "bad"],
  ["ink", "add"],
  ["ink", "del"],
  ["ink-3", "add"],
  ["ink-3", "del"],
  ["ink", "add-strong"],
  ["ink", "del-strong"],
  ["ink", "mark"],
  ["ink", "mark-here"],
  ["tip-ink", "tip"],
  ["tip-ink-2", "tip"],
] as const;

describe.each(["light", "dark"] as const)("the %s theme", (theme) => {
  it.each(pairs)("has %s readable on %s", (text, ground) => {
    expect(ratio(theme, text, ground)).toBeGreaterThanOrEqual(4.5);
  });

  it.each([
    ["field-line", "raised"],
    ["field-line", "canvas"],
    ["focus", "canvas"],
    ["focus", "panel"],
    ["focus", "raised"],
    ["focus", "sel"],
  ])("has %s visible on %s", (line, ground) => {
    expect(ratio(theme, line, ground)).toBeGreaterThanOrEqual(3);
  });
});
