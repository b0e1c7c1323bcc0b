// A command run by the agent or by the person, in words that say what it does where codex knows.

import { boundText, type Item } from "../../../preload/contract/items";
import {
  baseName,
  isRecord,
  type LooseRecord,
  listOf,
  numberOrNull,
  pathWithin,
  stringOf,
  stringOrNull,
  wordsOrNull,
} from "../loose";
import type { ItemBase } from "./base";
import { unwrapShell } from "./shellCommand";

/** How many different things are named before "…". */
const namedAtMost = 3;

export function viewCommand(base: ItemBase, item: LooseRecord): Item | null {
  const command = stringOrNull(item.command);
  if (command === null) return null;
  const cwd = stringOf(item.cwd);
  return {
    ...base,
    kind: "command",
    command: unwrapShell(command),
    cwd,
    purpose: purposeOf(item.commandActions, cwd) ?? pluginPurpose(item),
    output: boundText(stringOf(item.aggregatedOutput)),
    gaps: [],
    exitCode: exitCodeOf(item.exitCode),
    durationMs: numberOrNull(item.durationMs),
    byAgent: item.source !== "userShell",
  };
}

/** codex writes -1 where there was none: what was terminated, or could not be run. */
function exitCodeOf(value: unknown): number | null {
  return value === -1 ? null : numberOrNull(value);
}

function pluginPurpose(item: LooseRecord): string | null {
  const script = wordsOrNull(item.scriptPath);
  return script === null ? null : `Run plugin script ${script}`;
}

/**
 * "Read src/a.ts", "Search “foo” in src", "List files". Null when any part of the command is something codex has no
 * word for: half a description would hide the other half.
 */
export function purposeOf(actions: unknown, cwd: string): string | null {
  const phrases: { verb: string; object: string }[] = [];
  for (const action of listOf(actions)) {
    const phrase = isRecord(action) ? phraseOf(action, cwd) : null;
    if (phrase === null) return null;
    if (!phrases.some((other) => other.verb === phrase.verb && other.object === phrase.object)) {
      phrases.push(phrase);
    }
  }
  if (phrases.length === 0) return null;
  const shown = phrases.slice(0, namedAtMost).map((phrase, index) => {
    const sameVerb = index > 0 && phrases[index - 1]?.verb === phrase.verb && phrase.object !== "";
    if (sameVerb) return phrase.object;
    const verb = index === 0 ? phrase.verb : phrase.verb.charAt(0).toLowerCase() + phrase.verb.slice(1);
    return phrase.object === "" ? verb : `${verb} ${phrase.object}`;
  });
  return shown.join(", ") + (phrases.length > namedAtMost ? ", …" : "");
}

function phraseOf(action: LooseRecord, cwd: string): { verb: string; object: string } | null {
  const path = wordsOrNull(action.path);
  switch (action.type) {
    case "read": {
      const name = wordsOrNull(action.name);
      if (path === null) return name === null ? null : { verb: "Read", object: name };
      const within = pathWithin(cwd, path);
      // A file outside the folder is named in full only when that is short enough to read.
      return { verb: "Read", object: within.length <= 80 ? within : (name ?? baseName(within)) };
    }
    case "listFiles":
      return { verb: "List files", object: path === null ? "" : `in ${pathWithin(cwd, path)}` };
    case "search": {
      const query = wordsOrNull(action.query);
      const place = path === null ? "" : `in ${pathWithin(cwd, path)}`;
      if (query === null) return { verb: "Search", object: place === "" ? "files" : place };
      return { verb: "Search", object: place === "" ? `“${query}”` : `“${query}” ${place}` };
    }
    default:
      return null;
  }
}
