/** Whether it names its place by itself, on whatever system: the one it is for may be another than this one. */
export function isFullPath(path: string): boolean {
  if (path.includes("\0")) return false;
  return /^(\/|[A-Za-z]:[\\/]|\\\\[^\\/]+[\\/]+[^\\/]+)/.test(path);
}
