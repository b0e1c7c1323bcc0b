// Stages and unstages: whole files as git does it, and parts of a file.
//
// Race: the file or the index changes after the person has seen the difference. A part is taken from a difference that has
// the fingerprint of the one that was seen, made anew here; and git changes the index only if the file in it still is the one
// that this difference was made of, which it checks by its name (hash) while it holds the lock. So nothing is ever put in a
// place that only looks similar.

import type { CallParams } from "../../../preload/contract";
import { Fault } from "../../fault";
import { changedMeanwhile } from "./changedMeanwhile";
import { everything, type RawDiff, readDiff } from "./diffText";
import { pathList } from "./fields";
import { wholeOnly } from "./fileDiff";
import { checkPath } from "./path";
import { type AskedDiff, findDiff } from "./rawDiff";
import { type ChangesRepository, filesLimitMs } from "./repository";
import { splice } from "./splice";
import { readStatus } from "./status";

export type ChosenPart = Omit<CallParams<"changes.stagePart">, "workspaceId">;

const mostAtOnce = 200_000;

/** null: all that differs. */
export async function stageFiles(
  repository: ChangesRepository,
  paths: readonly string[] | null,
): Promise<void> {
  const chosen = paths ?? (await allUnstaged(repository));
  if (chosen.length === 0) return;
  for (const path of chosen) refuseFolder(path);
  await repository
    .change(["add", "--all", "--pathspec-from-file=-", "--pathspec-file-nul"], "stage the files", {
      input: pathList(chosen),
      limitMs: filesLimitMs,
    })
    .catch((error: unknown) => {
      if (error instanceof Fault && error.detail?.includes("did not match any files")) {
        throw changedMeanwhile(error);
      }
      if (error instanceof Fault && error.detail?.includes("sparse-checkout")) throw outsideSparse(error);
      throw error;
    });
}

function outsideSparse(cause: Fault): Fault {
  const [, path] = /^outside of .*\n.*\n(.+)$/m.exec(cause.detail ?? "") ?? [];
  return new Fault(
    "outside_sparse",
    `${path ?? "A file"} is in a folder that this sparse checkout leaves out, so nothing was staged.`,
    {
      hint: "Take that folder in with `git sparse-checkout add FOLDER`, or move the file away.",
      ...(cause.detail === undefined ? {} : { detail: cause.detail }),
      cause,
    },
  );
}

async function allUnstaged(repository: ChangesRepository): Promise<string[]> {
  const { files } = await readStatus(repository, mostAtOnce);
  return files
    .filter(({ unstaged, conflict, repository: isOther, exactName }) => {
      return exactName && !isOther && (unstaged !== null || conflict !== null);
    })
    .map(({ path }) => path);
}

/** null: all that is staged. */
export async function unstageFiles(
  repository: ChangesRepository,
  paths: readonly string[] | null,
): Promise<void> {
  for (const path of paths ?? []) refuseFolder(path);
  const { files } = await readStatus(repository, mostAtOnce);
  const wanted = paths === null ? null : new Set(paths);
  const chosen = files.filter(({ path, exactName }) => (wanted === null ? exactName : wanted.has(path)));
  const unsolved = chosen.find(({ conflict }) => conflict !== null);
  if (wanted !== null && unsolved) {
    throw new Fault("has_conflicts", `${unsolved.path} has conflicts, so nothing of it is staged.`, {
      hint: "Solve them in the file, then stage it.",
    });
  }
  const staged = chosen.flatMap(({ path, staged: change }) => {
    if (change === null) return [];
    return change.oldPath === null ? [path] : [path, change.oldPath];
  });
  if (staged.length === 0) return;
  const list = ["--pathspec-from-file=-", "--pathspec-file-nul"];
  await repository.change(
    repository.head === null
      ? ["rm", "--cached", "--quiet", "--force", "--ignore-unmatch", ...list]
      : ["reset", "--quiet", ...list],
    "unstage the files",
    { input: pathList(staged), limitMs: filesLimitMs },
  );
}

export function stagePart(repository: ChangesRepository, part: ChosenPart): Promise<void> {
  return changeIndex(repository, part, "stage");
}

export function unstagePart(repository: ChangesRepository, part: ChosenPart): Promise<void> {
  return changeIndex(repository, part, "unstage");
}

async function changeIndex(
  repository: ChangesRepository,
  part: ChosenPart,
  step: "stage" | "unstage",
): Promise<void> {
  const { path, oldPath } = part;
  const isStage = step === "stage";
  const diff = await seenDiff(repository, part, {
    path,
    oldPath,
    comparison: { with: isStage ? "unstaged" : "staged" },
  });
  const before = isStage ? diff.oldSha : diff.newSha;
  const text = before === null ? Buffer.alloc(0) : await contentOf(repository, before);
  const spliced = splice(text, diff.hunks, part.parts, isStage ? "forward" : "backward");
  if (spliced.outcome === "nothing") throw nothingChosen();
  if (spliced.outcome === "misfit") throw changedMeanwhile();
  const isGone = spliced.text.length === 0 && (isStage ? diff.newMode : diff.oldMode) === null;
  const mode = isStage ? (diff.oldMode ?? diff.newMode) : (diff.newMode ?? diff.oldMode);
  const after = isGone ? null : await keep(repository, spliced.text);
  if (after === before) return;
  const patch = replacement({ path, mode: mode ?? "100644", before, after });
  await repository
    .change(["apply", "--cached", "-"], `${step} a part of the file`, { input: Buffer.from(patch) })
    .catch((error: unknown) => {
      if (error instanceof Fault && error.code === "git_refused") throw changedMeanwhile(error);
      throw error;
    });
}

/** The difference, made anew; throws Fault `changed_meanwhile` when it is not the one that was seen. */
export async function seenDiff(
  repository: ChangesRepository,
  part: ChosenPart,
  asked: AskedDiff,
): Promise<RawDiff> {
  const found = await findDiff(repository, asked);
  if (found.fingerprint !== part.fingerprint) throw changedMeanwhile();
  const read = found.kind === "found" ? readDiff(found.output, everything) : null;
  const why =
    found.kind === "found" && read
      ? await wholeOnly(repository, asked, found, read.diff)
      : "It is too large.";
  if (read && why === null) return read.diff;
  throw new Fault("only_whole", `Parts of ${asked.path} cannot be chosen.`, { hint: why ?? "" });
}

async function contentOf(repository: ChangesRepository, sha: string): Promise<Buffer> {
  const { output } = await repository.look(["cat-file", "blob", sha], "read the file", {
    mostBytes: Number.POSITIVE_INFINITY,
  });
  return output;
}

async function keep(repository: ChangesRepository, text: Buffer): Promise<string> {
  const { output } = await repository.change(["hash-object", "-w", "--stdin"], "keep the text", {
    input: text,
  });
  return output.toString("utf8").trim();
}

/**
 * A patch that says: this very content instead of that very content. git takes it for one of a binary file, and finds the new
 * content by its name, so that it needs none of it here (what is written below stands for nothing).
 */
function replacement(file: {
  path: string;
  mode: string;
  before: string | null;
  after: string | null;
}): string {
  const { path, mode, before, after } = file;
  const none = "0".repeat((before ?? after ?? "").length);
  const head =
    before === null ? [`new file mode ${mode}`] : after === null ? [`deleted file mode ${mode}`] : [];
  const suffix = before !== null && after !== null ? ` ${mode}` : "";
  return [
    `diff --git ${quoted(`a/${path}`)} ${quoted(`b/${path}`)}`,
    ...head,
    `index ${before ?? none}..${after ?? none}${suffix}`,
    "GIT binary patch",
    "literal 0",
    "HcmV?d00001",
    "",
    "",
  ].join("\n");
}

function quoted(name: string): string {
  const bytes = [...Buffer.from(name)].map((byte) => {
    const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c;
    return isPlain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, "0")}`;
  });
  return `"${bytes.join("")}"`;
}

function refuseFolder(path: string): void {
  if (path.endsWith("/")) {
    throw new Fault("other_repository", `${path} is a repository of its own, so it is left alone here.`, {
      hint: "Open it as a workspace, or add it as a submodule.",
    });
  }
  checkPath(path);
}

export function nothingChosen(): Fault {
  return new Fault("nothing_chosen", "None of the chosen lines differs.", {
    hint: "Choose added or removed lines.",
  });
}
