// Contrast of colours as they are written in style sheets here, for tests: OKLCH, light and dark side by side.

export type Theme = "light" | "dark";
export type Rgb = [number, number, number];
export type Colours = ReadonlyMap<string, Record<Theme, Rgb>>;

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

export function contrast(one: Rgb, other: Rgb): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

function parse(text: string): Rgb {
  const [lightness, chroma, hue] = (text.match(/[\d.]+/g) ?? []).map(Number);
  return linear((lightness ?? 0) / 100, chroma ?? 0, hue ?? 0);
}

/** `one` over `under`, as a browser lays them: mixed as they are encoded, not as light. */
export function over(one: Rgb, percent: number, under: Rgb): Rgb {
  const part = percent / 100;
  const mixed = (a: number, b: number) => decoded(encoded(a) * part + encoded(b) * (1 - part));
  return [mixed(one[0], under[0]), mixed(one[1], under[1]), mixed(one[2], under[2])];
}

function encoded(light: number): number {
  return light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055;
}

function decoded(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

const pattern =
  /(?:--color-([\w-]+)|\.(tok-[\w-]+) \{\s*color):\s*light-dark\((oklch\([^)]*\)),\s*(oklch\([^)]*\))\)/g;

/** `--color-…` by its name without that, and classes of code by theirs. */
export function coloursOf(css: string): Colours {
  return new Map(
    [...css.matchAll(pattern)].map(([, token, code, light = "", dark = ""]) => [
      token ?? code ?? "",
      { light: parse(light), dark: parse(dark) },
    ]),
  );
}

export function colourOf(colours: Colours, name: string, theme: Theme): Rgb {
  const colour = colours.get(name);
  if (!colour) throw new Error(`No colour ${name}`);
  return colour[theme];
}
