// What a set of extra permissions allows, one line each.

import {
  isRecord,
  type LooseRecord,
  numberOrNull,
  recordOf,
  recordsOf,
  stringsOf,
  wordsOrNull,
} from "../loose";

export function permissionWords(permissions: unknown): string[] {
  const { network, fileSystem, ...others } = recordOf(permissions);
  const lines: string[] = [];
  if (isRecord(network)) {
    lines.push(network.enabled === false ? "No network access" : "Network access");
  }
  if (isRecord(fileSystem)) lines.push(...fileSystemWords(fileSystem));
  for (const [name, value] of Object.entries(others)) {
    if (value !== null && value !== undefined) lines.push(`${name}: ${JSON.stringify(value)}`);
  }
  return lines;
}

/** codex says the same in an older form (`read`, `write`) and a newer one (`entries`): each line is shown once. */
function fileSystemWords(fileSystem: LooseRecord): string[] {
  const lines = new Set<string>();
  for (const path of stringsOf(fileSystem.read)) lines.add(`Read ${path}`);
  for (const path of stringsOf(fileSystem.write)) lines.add(`Read and write ${path}`);
  for (const entry of recordsOf(fileSystem.entries))
    lines.add(`${accessWords(entry.access)} ${placeWords(entry.path)}`);
  const depth = numberOrNull(fileSystem.globScanMaxDepth);
  if (depth !== null) lines.add(`Patterns are followed ${depth} folders deep`);
  return [...lines];
}

function accessWords(access: unknown): string {
  switch (access) {
    case "read":
      return "Read";
    case "write":
      return "Read and write";
    case "deny":
      return "No access to";
    default:
      return `Access (${String(access)}) to`;
  }
}

function placeWords(path: unknown): string {
  const place = recordOf(path);
  if (place.type === "path") return wordsOrNull(place.path) ?? "(no path)";
  if (place.type === "glob_pattern")
    return `everything that matches ${wordsOrNull(place.pattern) ?? "(no pattern)"}`;
  const special = recordOf(place.value);
  const below = wordsOrNull(special.subpath);
  const suffix = below === null ? "" : ` (${below})`;
  switch (special.kind) {
    case "root":
      return "the whole file system";
    case "minimal":
      return "the system folders that programs need";
    case "project_roots":
      return `the workspace${suffix}`;
    case "tmpdir":
      return "the temporary folder";
    case "slash_tmp":
      return "/tmp";
    default:
      return `${wordsOrNull(special.path) ?? JSON.stringify(path) ?? "(unknown place)"}${suffix}`;
  }
}
