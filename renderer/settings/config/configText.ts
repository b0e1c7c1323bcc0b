// Values of codex's configuration as TOML writes them, what was typed as a value, and which entries are looked for. Pure.

import type { ConfigEntry } from "../../../preload/contract/settingsCalls";
import type { KeyKind } from "./keyKinds";
import { importantKeys } from "./keyKinds";

export type ConfigValue = ConfigEntry["value"];

export function toml(value: ConfigValue): string {
  if (value === null) return "not set";
  if (Array.isArray(value)) return `[${value.map(toml).join(", ")}]`;
  if (typeof value === "object") {
    const fields = Object.entries(value).map(([name, each]) => `${bareOrQuoted(name)} = ${toml(each)}`);
    return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
  }
  return JSON.stringify(value);
}

function bareOrQuoted(name: string): string {
  return /^[A-Za-z0-9_-]+$/.test(name) ? name : JSON.stringify(name);
}

/** A value as it stands in a list: short. */
export function brief(entry: ConfigEntry): string {
  if (entry.secret) return "set, and hidden here";
  const words = toml(entry.value);
  return words.length <= 80 ? words : `${words.slice(0, 79)}…`;
}

/** How a value begins in the editor. */
export function asTyped(value: ConfigValue, kind: KeyKind): string {
  if (value === null) return "";
  return kind.kind === "json" ? JSON.stringify(value, null, 2) : String(value);
}

/** What was typed as a value; `said`: why it is none. */
export function readTyped(
  typed: string,
  kind: KeyKind,
): { ok: true; value: ConfigValue } | { ok: false; said: string } {
  switch (kind.kind) {
    case "choice":
      return kind.choices.includes(typed)
        ? { ok: true, value: typed }
        : { ok: false, said: "Choose one of them." };
    case "switch":
      return typed === "true" || typed === "false"
        ? { ok: true, value: typed === "true" }
        : { ok: false, said: "Choose true or false." };
    case "number": {
      const tight = typed.trim();
      // Beyond that it would be another number by the time it is written.
      if (/^-?\d+$/.test(tight) && !Number.isSafeInteger(Number(tight))) {
        return { ok: false, said: `At most ${Number.MAX_SAFE_INTEGER} can be written here.` };
      }
      return /^-?\d+(\.\d+)?$/.test(tight) && Number.isFinite(Number(tight))
        ? { ok: true, value: Number(tight) }
        : { ok: false, said: "A number is wanted here, such as 3 or 0.5." };
    }
    case "text":
      return typed === ""
        ? { ok: false, said: "Type something, or take the key out of the file." }
        : { ok: true, value: typed };
    case "json":
      return readJson(typed);
    default:
      return kind satisfies never;
  }
}

function readJson(typed: string): { ok: true; value: ConfigValue } | { ok: false; said: string } {
  try {
    const value = JSON.parse(typed) as ConfigValue;
    return value === null
      ? { ok: false, said: "TOML has no null. Take the key out of the file instead." }
      : { ok: true, value };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ok: false, said: `A value in JSON is wanted here: "text", 3, true, ["a", "b"]. ${why}` };
  }
}

export interface ConfigGroup {
  title: string;
  entries: ConfigEntry[];
}

/** The ones that matter most first, then what somebody has set, then table by table what is at codex's default. */
export function grouped(entries: readonly ConfigEntry[], typed: string): ConfigGroup[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const found = entries.filter((entry) => {
    const held = `${entry.key} ${brief(entry)} ${entry.source.words} ${importantKeys[entry.key]?.words ?? ""}`;
    return words.every((word) => held.toLowerCase().includes(word));
  });
  const byKey = new Map(found.map((entry) => [entry.key, entry]));
  const important = Object.keys(importantKeys).flatMap((key) => byKey.get(key) ?? []);
  const rest = found.filter(({ key }) => !(key in importantKeys));
  const tables = new Map<string, ConfigEntry[]>();
  const put = (title: string, entry: ConfigEntry) => tables.set(title, [...(tables.get(title) ?? []), entry]);
  for (const entry of rest) if (entry.path.length > 1) put(entry.path[0] ?? "", entry);
  const single = rest.filter(({ path }) => path.length === 1);
  const groups = [
    { title: "What matters most", entries: important },
    { title: "Other keys that are set", entries: single.filter(({ source }) => source.kind !== "default") },
    ...[...tables]
      .map(([title, list]) => ({ title, entries: list }))
      .sort((a, b) => weight(b) - weight(a) || a.title.localeCompare(b.title)),
    { title: "Not set", entries: single.filter(({ source }) => source.kind === "default") },
  ];
  return groups.filter((group) => group.entries.length > 0);
}

/** Tables in which something is set come first. */
function weight({ entries }: ConfigGroup): number {
  return entries.some(({ source }) => source.kind !== "default") ? 1 : 0;
}
