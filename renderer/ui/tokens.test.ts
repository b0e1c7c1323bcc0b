// Every text colour against every ground that it is used on, in both themes: WCAG AA, 4.5:1; edges of fields 3:1.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const css = readFileSync(new URL("./tokens.css", import.meta.url), "utf8");

type Rgb = [number, number, number];

/** OKLCH to linear sRGB, clipped to what a screen can show. */
function linear(lightness: number, chroma: number, hue: number): Rgb {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clip = (value: number) => Math.min(1, Math.max(0, value));
  return [
    clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: Rgb, other: Rgb): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

function parse(text: string): Rgb {
  const [lightness, chroma, hue] = (text.match(/[\d.]+/g) ?? []).map(Number);
  return linear((lightness ?? 0) / 100, chroma ?? 0, hue ?? 0);
}

const pattern = /--color-([\w-]+):\s*light-dark\((oklch\([^)]*\)),\s*(oklch\([^)]*\))\)/g;
const tokens = new Map(
  [...css.matchAll(pattern)].map(([, name = "", light = "", dark = ""]) => [
    name,
    { light: parse(light), dark: parse(dark) },
  ]),
);

function ratio(theme: "light" | "dark", text: string, ground: string): number {
  const one = tokens.get(text);
  const other = tokens.get(ground);
  if (!one || !other) throw new Error(`No token ${one ? ground : text}`);
  return contrast(one[theme], other[theme]);
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
