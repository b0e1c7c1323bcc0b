// What a wished name becomes: a branch that git accepts, and a folder that every system accepts. Pure.

/** What git refuses in the name of a branch, and white space, which nobody wants to type. */
const notForBranches = /[\s~^:?*[\]\\"'`$<>|\p{Cc}\p{Cf}\p{Surrogate}]+/gu;
const mostBytes = 120;

/** Empty: nothing of the name can be used. */
export function branchFrom(name: string): string {
  const parts = name
    .normalize("NFC")
    .replaceAll(notForBranches, "-")
    .replaceAll("@{", "-")
    .replaceAll(/\.{2,}/g, ".")
    .split("/")
    .map(branchPart)
    .filter((part) => part !== "");
  const branch = branchPart(cut(parts.join("/")));
  // Words of git's own.
  return branch === "@" || branch.toUpperCase() === "HEAD" ? "" : branch;
}

function branchPart(part: string): string {
  let held = part.replaceAll(/-{2,}/g, "-").replace(/^[-.]+/, "");
  for (;;) {
    const shorter = held.replace(/(?:\.lock|[-./])$/i, "");
    if (shorter === held) return held;
    held = shorter;
  }
}

/** Windows gives these names a meaning of their own. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** One folder, whatever the branch or the repository is called; never empty, never hidden. */
export function folderFrom(name: string): string {
  const folder = cut(name.replaceAll(/[/\\:*?"<>|\s\p{Cc}]+/gu, "-")).replaceAll(/^[-.]+|[-.]+$/g, "");
  if (folder === "") return "worktree";
  return devices.test(folder) ? `${folder}-` : folder;
}

/** "fix", "fix-2", "fix-3" and so on: the first one that is free. */
export async function firstFree(
  name: string,
  isTaken: (name: string) => boolean | Promise<boolean>,
): Promise<string> {
  for (let number = 2, wanted = name; ; number++) {
    if (!(await isTaken(wanted))) return wanted;
    wanted = `${name}-${number}`;
  }
}

/** The names of files have a longest length in bytes. A character is never cut in two. */
function cut(text: string): string {
  let held = "";
  let bytes = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > mostBytes) break;
    held += character;
  }
  return held;
}
