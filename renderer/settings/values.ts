// The value of a setting, by its path, and what to hand to main to change it. Pure.

import { defaultSettings, type Settings } from "../../preload/contract/settings";

type Loose = Readonly<Record<string, unknown>>;

export function settingValue(settings: Settings, id: string): unknown {
  let value: unknown = settings;
  for (const name of id.split(".")) value = (value as Loose)[name];
  return value;
}

export function defaultOf(id: string): unknown {
  return settingValue(defaultSettings, id);
}

export function differs(settings: Settings, id: string): boolean {
  return settingValue(settings, id) !== defaultOf(id);
}

/** `value` at this place; what stands beside it in the same record stays. */
export function changeTo(settings: Settings, id: string, value: unknown): Partial<Settings> {
  const [name, field] = id.split(".") as [keyof Settings, string | undefined];
  if (field === undefined) return { [name]: value } as Partial<Settings>;
  const record = settings[name] as unknown as Loose;
  const beside = id === "newThread.model" ? { effort: null } : {};
  return { [name]: { ...record, ...beside, [field]: value } } as Partial<Settings>;
}

/** Of these, all that differ, to be put back at once. */
export function changeToDefaults(settings: Settings, ids: readonly string[]): Partial<Settings> {
  let put = settings;
  let change: Partial<Settings> = {};
  for (const id of ids) {
    if (!differs(put, id)) continue;
    change = { ...change, ...changeTo(put, id, defaultOf(id)) };
    put = { ...put, ...change };
  }
  return change;
}
