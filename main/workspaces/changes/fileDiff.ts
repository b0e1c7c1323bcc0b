// The difference of one file as a window shows it: bounded, as text where it is text, and with the reason where its parts
// cannot be staged or discarded by themselves.

import { isUtf8 } from "node:buffer";
import { lstat } from "node:fs/promises";
import { extname, join } from "node:path";
import type { DiffHunk, DiffLine, FileDiff } from "../../../preload/contract/changes";
import { linesAfter } from "./context";
import { type DiffBounds, type RawDiff, type RawHunk, readDiff } from "./diffText";
import { fieldsOf } from "./fields";
import { viewLine } from "./lineView";
import { type AskedDiff, type FoundDiff, findDiff } from "./rawDiff";
import { type ChangesRepository, largeFileBytes } from "./repository";

const firstLook: DiffBounds = { lines: 3_000, bytes: 400_000 };
const wholeLook: DiffBounds = { lines: 60_000, bytes: 6 * 1024 * 1024 };

const imageNames = new Set([
  ".png",
  ".jpg",
  ".jpeg",
  ".gif",
  ".webp",
  ".bmp",
  ".ico",
  ".avif",
  ".svg",
  ".tiff",
]);

const linkMode = "120000";
const submoduleMode = "160000";

type Content = FileDiff["content"];

export async function fileDiff(
  repository: ChangesRepository,
  asked: AskedDiff,
  whole: boolean,
): Promise<FileDiff> {
  const found = await findDiff(repository, asked);
  const head = { fingerprint: found.fingerprint, path: asked.path, oldPath: null };
  if (found.kind === "too large") {
    const content: Content = { kind: "too large", bytes: found.bytes };
    return {
      ...head,
      oldMode: null,
      newMode: null,
      content,
      wholeOnly: "This file is too large to be compared.",
    };
  }
  const read = readDiff(found.output, whole ? wholeLook : firstLook);
  if (read === null) {
    return { ...head, oldMode: null, newMode: null, content: { kind: "same" }, wholeOnly: null };
  }
  const { diff, files } = read;
  if (asked.oldPath !== null && files > 1) {
    // It is not the same file under another name any more.
    return fileDiff(repository, { ...asked, oldPath: null }, whole);
  }
  const content = await contentOf(repository, asked, diff, whole, found.isCut);
  return {
    ...head,
    oldPath: diff.renamedFrom ? asked.oldPath : null,
    oldMode: diff.oldMode,
    newMode: diff.newMode,
    content,
    wholeOnly: await wholeOnly(repository, asked, found, diff),
  };
}

async function contentOf(
  repository: ChangesRepository,
  asked: AskedDiff,
  diff: RawDiff,
  whole: boolean,
  isTooLong: boolean,
): Promise<Content> {
  if (diff.oldMode === submoduleMode || diff.newMode === submoduleMode) {
    return { kind: "submodule", old: diff.oldSha, new: diff.newSha };
  }
  if (diff.isBinary) {
    const oldBytes = await sizeOf(repository, diff.oldSha);
    const newBytes =
      asked.comparison.with === "staged"
        ? await sizeOf(repository, diff.newSha)
        : ((await lstat(join(repository.root, asked.path)).catch(() => null))?.size ?? null);
    const largest = Math.max(oldBytes ?? 0, newBytes ?? 0);
    if (largest > largeFileBytes) return { kind: "too large", bytes: largest };
    return { kind: "binary", image: imageNames.has(extname(asked.path).toLowerCase()), oldBytes, newBytes };
  }
  return {
    kind: "text",
    hunks: diff.hunks.map(viewHunk),
    left: isTooLong || (diff.isCut && whole) ? "too long" : diff.isCut ? "more" : null,
    added: diff.added,
    removed: diff.removed,
    newContent: diff.newSha,
    after: diff.isTypeChange ? null : await linesAfter(repository, asked, diff),
  };
}

async function sizeOf(repository: ChangesRepository, sha: string | null): Promise<number | null> {
  if (sha === null) return null;
  const answer = await repository.look(["cat-file", "-s", sha], "look at the file", { alsoOk: [128] });
  return answer.code === 0 ? Number(answer.output.toString("utf8")) : null;
}

/** Why its parts cannot be staged, unstaged or discarded by themselves. Asked again before that is done. */
export async function wholeOnly(
  repository: ChangesRepository,
  { path, comparison }: AskedDiff,
  found: Extract<FoundDiff, { kind: "found" }>,
  diff: RawDiff,
): Promise<string | null> {
  if (comparison.with === "head" || comparison.with === "base") {
    return "Parts can be chosen in what is staged and in what is not staged.";
  }
  if (found.state === "not merged") return "This file has conflicts: solve them in the file, then stage it.";
  if (found.isCut) return "This difference is too long for choosing parts of it.";
  const modes = [diff.oldMode, diff.newMode];
  if (modes.includes(submoduleMode)) return "This is another repository: only its commit counts here.";
  if (diff.isTypeChange || modes.includes(linkMode)) return "A link has no parts.";
  if (diff.isBinary) return "This file is not text.";
  if (diff.hunks.length === 0) return "Its content is the same.";
  if (!isUtf8(found.output)) {
    return "This text is not in UTF-8, so what is shown is not exactly what is there: only the whole file can be chosen.";
  }
  if (comparison.with === "unstaged" && (await isConverted(repository, path))) {
    return "git converts this file on its way into the repository: only the whole file can be chosen.";
  }
  return null;
}

async function isConverted(repository: ChangesRepository, path: string): Promise<boolean> {
  const { output } = await repository.look(
    ["check-attr", "-z", "filter", "working-tree-encoding", "ident", "--", path],
    "look at the file",
  );
  // Path, attribute, value; again and again.
  return fieldsOf(output).some(
    (field, index) => index % 3 === 2 && !["unspecified", "unset"].includes(field.toString("utf8")),
  );
}

function viewHunk(hunk: RawHunk): DiffHunk {
  const { oldStart, oldLines, newStart, newLines } = hunk;
  let oldLine = oldStart;
  let newLine = newStart;
  const lines = hunk.lines.map((line): DiffLine => {
    const view = viewLine(line);
    if (line.kind !== "added") view.oldLine = oldLine++;
    if (line.kind !== "removed") view.newLine = newLine++;
    return view;
  });
  return { oldStart, oldLines, newStart, newLines, heading: hunk.heading.toString("utf8"), lines };
}
