// Paths of another machine, which may be written in another way than those of this one. Pure.

export interface Crumb {
  name: string;
  path: string;
}

function isWindows(path: string): boolean {
  return /^[A-Za-z]:[\\/]/.test(path) || path.startsWith("\\\\");
}

/** The folders from the root to this one, each with its own path. */
export function crumbsOf(path: string): Crumb[] {
  const separator = isWindows(path) ? "\\" : "/";
  const root = rootOf(path);
  const crumbs: Crumb[] = root === "" ? [] : [{ name: root, path: root }];
  let at = root;
  for (const name of path.slice(root.length).split(isWindows(path) ? /[\\/]+/ : /\/+/)) {
    if (name === "") continue;
    at = at === "" || at.endsWith(separator) ? `${at}${name}` : `${at}${separator}${name}`;
    crumbs.push({ name, path: at });
  }
  return crumbs;
}

function rootOf(path: string): string {
  if (!isWindows(path)) return path.startsWith("/") ? "/" : "";
  const share = /^\\\\[^\\/]+[\\/][^\\/]+[\\/]?/.exec(path)?.[0];
  return share ?? `${path.slice(0, 2)}\\`;
}

/** What was typed as a path, from the folder that is shown. "~" is the home there, if it has one. */
export function typedPath(typed: string, folder: string | null, home: string | null): string | null {
  const text = typed.trim();
  if (text === "") return null;
  if (home !== null && (text === "~" || /^~[\\/]/.test(text))) return `${home}${text.slice(1)}`;
  if (rootOf(text) !== "" || folder === null) return text;
  const separator = isWindows(folder) ? "\\" : "/";
  const parts = text
    .split(isWindows(folder) ? /[\\/]+/ : /\/+/)
    .filter((part) => part !== "" && part !== ".");
  let at = crumbsOf(folder);
  for (const part of parts) {
    // The root is its own parent.
    if (part === "..") at = at.length > 1 ? at.slice(0, -1) : at;
    else {
      const base = at.at(-1)?.path ?? "";
      at = [
        ...at,
        { name: part, path: base.endsWith(separator) ? `${base}${part}` : `${base}${separator}${part}` },
      ];
    }
  }
  return at.at(-1)?.path ?? folder;
}
