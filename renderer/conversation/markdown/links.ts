// Where a link in a message leads. A message is written by a model: nothing in it navigates, nothing in it is fetched;
// what a person clicks is opened outside, and only if it is one of the two kinds that are known.

export type LinkTarget =
  | { kind: "web"; url: string }
  /** A file on this machine; `path` may be relative to the workspace. `line`: from 1. */
  | { kind: "file"; path: string; line: number | null }
  | { kind: "none" };

const scheme = /^[a-z][a-z0-9+.-]*:/i;
const windowsDrive = /^[a-z]:[\\/]/i;

export function linkTarget(href: string | undefined): LinkTarget {
  const text = href?.trim() ?? "";
  if (text === "" || text.startsWith("#") || text.startsWith("//")) return { kind: "none" };
  if (/^https?:/i.test(text)) return isWebUrl(text) ? { kind: "web", url: text } : { kind: "none" };
  if (/^file:\/\//i.test(text)) {
    const path = decoded(text.replace(/^file:\/\/(?:localhost)?/i, ""));
    return fileTarget(windowsDrive.test(path.slice(1)) ? path.slice(1) : path);
  }
  if (scheme.test(text) && !windowsDrive.test(text)) {
    // "src/a.ts:12" has no scheme; "notes.md:12" looks like one but ends in a line number.
    return /^[^/\\]+\.[a-z0-9]+:\d+(?::\d+)?$/i.test(text) ? fileTarget(text) : { kind: "none" };
  }
  return fileTarget(decoded(text));
}

function isWebUrl(text: string): boolean {
  return URL.canParse(text) && new URL(text).hostname !== "";
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that encodes nothing belongs to the name.
    return text;
  }
}

/** What points into the file ("#L10", ":10:2") is no part of its path. */
function fileTarget(text: string): LinkTarget {
  const mark = /#L(\d+)(?:C\d+)?(?:-L?\d+(?:C\d+)?)?$/i.exec(text);
  const place = mark ?? /(?<=[^\\/]):(\d+)(?::\d+)?(?:-\d+)?$/.exec(text);
  if (!place) return { kind: "file", path: text, line: null };
  const line = Number(place[1]);
  return { kind: "file", path: text.slice(0, place.index), line: line > 0 ? line : null };
}

/** The file's path in full. */
export function resolvePath(path: string, folder: string): string {
  if (path.startsWith("/") || path.startsWith("\\\\") || windowsDrive.test(path)) return path;
  const separator = folder.includes("\\") && !folder.includes("/") ? "\\" : "/";
  return `${folder.replace(/[\\/]$/, "")}${separator}${path.replace(/^\.[\\/]/, "")}`;
}
