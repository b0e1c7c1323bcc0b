/** A path as it is shown: from the workspace's folder where it lies in it, whole where it does not. */
export function shownPath(path: string, folder: string | undefined): string {
  if (folder === undefined || folder === "") return path;
  const inside = path.slice(folder.length);
  const separated = /[/\\]$/.test(folder) || /^[/\\]/.test(inside);
  if (!path.startsWith(folder) || !separated) return path;
  const relative = inside.replace(/^[/\\]+/, "");
  return relative === "" ? path : relative;
}
