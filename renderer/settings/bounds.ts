// What a number may be that is set, and what is said when it was not. Pure.

export interface Bounds {
  least: number;
  most: number;
  /** How many digits after the point count; none by default. */
  digits?: number;
  /** "MiB", "seconds". */
  unit: string;
}

/** The nearest that can be set. `said`: why that is not what was asked for; null: it is. */
export function boundNumber(wanted: number, bounds: Bounds): { value: number; said: string | null } {
  const { least, most, digits = 0, unit } = bounds;
  const scale = 10 ** digits;
  const value = Math.round(Math.min(Math.max(wanted, least), most) * scale) / scale;
  const amount = (number: number) => `${number.toLocaleString("en")} ${unit}`.trimEnd();
  if (wanted < least) return { value, said: `${amount(least)} is the least that can be set.` };
  if (wanted > most) return { value, said: `${amount(most)} is the most that can be set.` };
  return { value, said: null };
}
