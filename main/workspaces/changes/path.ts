// The paths that a window names: always of something in the repository, never of git's own files.

import { Fault } from "../../fault";

/** Throws Fault `path_outside`. */
export function checkPath(path: string): void {
  const parts = path.split("/");
  const isInside = parts.every((part) => part !== "" && part !== "." && part !== ".." && !isGitFolder(part));
  if (isInside && !path.includes("\0")) return;
  throw new Fault("path_outside", `${JSON.stringify(path)} names no file of this repository.`);
}

/** As git itself would refuse it, on systems too that tell no capitals or that shorten names. */
function isGitFolder(part: string): boolean {
  return /^(\.git|git~1)[ .]*(:.*)?$/i.test(part);
}
