// What a number may be that is set, and what is said of what may not be. Pure.

export interface Bounds {
  least: number;
  most: number;
  /** How many digits after the point count; none by default. */
  digits?: number;
  /** "MiB", "seconds". */
  unit: string;
}

export type ReadNumber = { ok: true; value: number } | { ok: false; said: string };

export function amount(value: number, unit: string): string {
  return `${value.toLocaleString("en", { maximumFractionDigits: 6 })} ${unit}`.trimEnd();
}

/** The number that was typed, or what may be typed in its place. A comma is taken for thousands or the point, as it stands. */
export function readNumber(typed: string, bounds: Bounds): ReadNumber {
  const { least, most, digits = 0, unit } = bounds;
  const tight = typed.replaceAll(/\s/g, "");
  const plain = /^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(tight)
    ? tight.replaceAll(",", "")
    : tight.replace(",", ".");
  const range = `From ${amount(least, "")} to ${amount(most, unit)}`;
  if (!/^-?(\d+\.?\d*|\.\d+)$/.test(plain)) return { ok: false, said: `A number is wanted here. ${range}.` };
  const value = Number(plain);
  if (value < least || value > most) return { ok: false, said: `${range} can be set.` };
  const scale = 10 ** digits;
  if (Math.abs(Math.round(value * scale) - value * scale) > 1e-6) {
    const allowed =
      digits === 0
        ? "Only whole numbers"
        : `At most ${digits} ${digits === 1 ? "digit" : "digits"} after the point`;
    return { ok: false, said: `${allowed} can be set. ${range}.` };
  }
  return { ok: true, value: Math.round(value * scale) / scale };
}

/** One press of a button: onto the next step, and never out of bounds. */
export function stepped(value: number, by: number, { least, most, digits = 0 }: Bounds): number {
  const scale = 10 ** digits;
  return Math.round(Math.min(Math.max(value + by, least), most) * scale) / scale;
}
