// The person's settings: what is stored, and what of it can be used. A stored value that does not fit (written by another
// version, or damaged) falls back to its default alone; the others are kept, also those beside it in the same record.

import { z } from "zod";
import { defaultSettings, type Settings, settingsSchema } from "../../preload/contract/settings";
import type { SettingsLedger } from "../ledger/settingsLedger";

const names = Object.keys(defaultSettings) as (keyof Settings)[];

/** `unusable`: the paths of the values that could not be used. */
export function readSettings(ledger: Pick<SettingsLedger, "get">): {
  settings: Settings;
  unusable: string[];
} {
  const settings = { ...defaultSettings };
  const unusable: string[] = [];
  for (const name of names) {
    const stored = ledger.get(name);
    if (stored === null || stored === undefined) continue;
    const read = usablePart(settingsSchema.shape[name], stored, defaultSettings[name], name);
    Object.assign(settings, { [name]: read.value });
    unusable.push(...read.unusable);
  }
  return { settings, unusable };
}

function usablePart(
  schema: z.ZodType,
  stored: unknown,
  byDefault: unknown,
  path: string,
): { value: unknown; unusable: string[] } {
  const parsed = schema.safeParse(stored);
  if (parsed.success) return { value: parsed.data, unusable: [] };
  if (!(schema instanceof z.ZodObject) || !isRecord(stored) || !isRecord(byDefault)) {
    return { value: byDefault, unusable: [path] };
  }
  const value: Record<string, unknown> = { ...byDefault };
  const unusable: string[] = [];
  for (const [field, fieldSchema] of Object.entries(schema.shape)) {
    // A version before this one did not know it.
    if (!(field in stored)) continue;
    const part = (fieldSchema as z.ZodType).safeParse(stored[field]);
    if (part.success) value[field] = part.data;
    else unusable.push(`${path}.${field}`);
  }
  return { value, unusable };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function writeSettings(
  ledger: Pick<SettingsLedger, "set" | "remove">,
  change: Partial<Settings>,
): void {
  for (const name of names) {
    const value = change[name];
    if (value === undefined) continue;
    if (value === null) ledger.remove(name);
    else ledger.set(name, value);
  }
}
