// What a script finds beside the language, in the shape in which an editor looks it up.

import type { ScriptName } from "../../../preload/contract/cells";

export interface ScriptNames {
  /** By full name: "tools.startThread", "text", "console.log". */
  all: ReadonlyMap<string, ScriptName>;
  /** By what stands before the dot: "" for what stands alone, "tools", "console". */
  members: ReadonlyMap<string, readonly ScriptName[]>;
}

export const noNames: ScriptNames = { all: new Map(), members: new Map() };

export function scriptNames(names: readonly ScriptName[]): ScriptNames {
  const members = new Map<string, ScriptName[]>();
  for (const name of names) {
    const owner = ownerOf(name.name);
    members.set(owner, [...(members.get(owner) ?? []), name]);
  }
  return { all: new Map(names.map((name) => [name.name, name])), members };
}

function ownerOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot < 0 ? "" : name.slice(0, dot);
}

export function shortName({ name }: ScriptName): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

/** It gives a list of what `gives` describes. */
export function givesList({ signature }: ScriptName): boolean {
  const result = signature.slice(Math.max(signature.lastIndexOf("Promise<"), 0));
  return /^Promise<\s*(Array<|.*\[\]\s*>$)/s.test(result);
}

/** The texts that a type allows: `"a" | "b"`. Empty: it is no such type. */
export function textsOf(type: string): string[] {
  const parts = type.split("|").map((part) => part.trim());
  const texts = parts.flatMap((part) => (/^"[^"]*"$/.test(part) ? [part.slice(1, -1)] : []));
  return texts.length === parts.length ? texts : [];
}
