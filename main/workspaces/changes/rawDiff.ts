// Asks git for the difference of one file. A file that git does not know is compared with nothing, in an index of its own
// that is gone afterwards, so that line ends are converted as they will be when it is staged.

import { createHash } from "node:crypto";
import { lstat, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Comparison } from "../../../preload/contract/changes";
import { Fault } from "../../fault";
import { plainDiff } from "./counts";
import { fieldsOf } from "./fields";
import { checkPath } from "./path";
import { type ChangesRepository, largeFileBytes } from "./repository";

export interface AskedDiff {
  path: string;
  /** Of a renamed file. */
  oldPath: string | null;
  comparison: Comparison;
}

export type FoundDiff =
  | {
      kind: "found";
      /** As git wrote it. */
      output: Buffer;
      /** git had more to say than is read. */
      isCut: boolean;
      fingerprint: string;
      state: "known" | "not known" | "not merged";
    }
  /** The file in the folder is larger than what is compared. */
  | { kind: "too large"; bytes: number; fingerprint: string };

/** Two files of the largest size that is compared, and what is around their lines. */
const mostDiffBytes = 3 * largeFileBytes;

export interface Look {
  /** How many lines are shown around those that differ. */
  around: number;
  mostBytes?: number | undefined;
}

const usualLook: Look = { around: 3 };

export async function findDiff(
  repository: ChangesRepository,
  asked: AskedDiff,
  look: Look = usualLook,
): Promise<FoundDiff> {
  const { path, oldPath, comparison } = asked;
  for (const each of oldPath === null ? [path] : [path, oldPath]) checkPath(each);
  if (comparison.with !== "staged") {
    const found = await lstat(join(repository.root, path)).catch(() => null);
    if (found?.isFile() && found.size > largeFileBytes) {
      const fingerprint = print(asked, Buffer.from(`${found.size} ${found.mtimeMs} ${found.ino}`));
      return { kind: "too large", bytes: found.size, fingerprint };
    }
  }
  const state = await stateOf(repository, path);
  const { output, isCut } = await ask(repository, asked, state, look);
  return { kind: "found", output, isCut, fingerprint: print(asked, output), state };
}

function print({ path, oldPath, comparison }: AskedDiff, content: Buffer): string {
  const about = JSON.stringify([comparison, path, oldPath]);
  return createHash("sha256").update(about).update("\0").update(content).digest("hex");
}

type Found = { output: Buffer; isCut: boolean };

async function ask(
  repository: ChangesRepository,
  { path, oldPath, comparison }: AskedDiff,
  state: "known" | "not known" | "not merged",
  look: Look,
): Promise<Found> {
  const both = oldPath === null ? [path] : [path, oldPath];
  switch (comparison.with) {
    case "staged":
      return diff(repository, ["--cached", "--find-renames"], both, look);
    case "unstaged":
      if (state === "not known") return untracked(repository, path, look);
      // With what this branch has, or else with what there is.
      return state === "known"
        ? diff(repository, ["--no-renames"], [path], look)
        : diff(repository, ["--no-renames", "--ours"], [path], look);
    case "head":
    case "base": {
      const from =
        comparison.with === "base"
          ? await mergeBase(repository, comparison.base)
          : (repository.head ?? (await emptyTree(repository)));
      const found = await diff(repository, ["--find-renames", from], both, look);
      return found.output.length === 0 && state === "not known" ? untracked(repository, path, look) : found;
    }
    default:
      return comparison satisfies never;
  }
}

async function diff(
  repository: ChangesRepository,
  args: readonly string[],
  paths: readonly string[],
  { around, mostBytes = mostDiffBytes }: Look,
  variables: NodeJS.ProcessEnv = {},
): Promise<Found> {
  const { output, isCut } = await repository.look(
    [
      "diff",
      "--patch",
      "--full-index",
      `--unified=${around}`,
      "--src-prefix=a/",
      "--dst-prefix=b/",
      ...plainDiff,
      ...args,
      "--",
      ...paths,
    ],
    "compare the file",
    { mostBytes, variables },
  );
  return { output, isCut };
}

async function untracked(repository: ChangesRepository, path: string, look: Look): Promise<Found> {
  if ((await lstat(join(repository.root, path)).catch(() => null)) === null) {
    return { output: Buffer.alloc(0), isCut: false };
  }
  const folder = await mkdtemp(join(tmpdir(), "holdfast-diff-"));
  try {
    const variables = {
      GIT_INDEX_FILE: join(folder, "index"),
      // Nothing is written into the repository for a look.
      GIT_OBJECT_DIRECTORY: join(folder, "objects"),
      GIT_ALTERNATE_OBJECT_DIRECTORIES: join(repository.common, "objects"),
    };
    await mkdir(variables.GIT_OBJECT_DIRECTORY);
    await repository.look(
      // Where a sparse checkout leaves folders out, git would refuse what is in them all the same.
      ["-c", "core.sparseCheckout=false", "add", "--intent-to-add", "--", path],
      "look at the new file",
      { variables },
    );
    return await diff(repository, ["--no-renames"], [path], look, variables);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function stateOf(
  repository: ChangesRepository,
  path: string,
): Promise<"known" | "not known" | "not merged"> {
  const { output } = await repository.look(["ls-files", "-z", "--stage", "--", path], "look for the file");
  // "100644 sha stage\tname"; of what was a folder, there are others.
  const own = fieldsOf(output)
    .map((field) => field.toString("utf8"))
    .filter((entry) => entry.slice(entry.indexOf("\t") + 1) === path);
  if (own.length === 0) return "not known";
  return own.some((entry) => !/^\d+ [0-9a-f]+ 0\t/.test(entry)) ? "not merged" : "known";
}

/** Where the checked out branch left that one. Throws Fault `base_unknown`. */
export async function mergeBase(repository: ChangesRepository, base: string): Promise<string> {
  if (repository.head === null) {
    throw new Fault("base_unknown", "There is no commit yet to compare.");
  }
  const given = await repository.look(
    ["rev-parse", "--quiet", "--verify", "--end-of-options", `${base}^{commit}`],
    "look for the base",
    { alsoOk: [1, 128] },
  );
  const sha = given.output.toString("utf8").trim();
  if (given.code !== 0 || sha === "") {
    throw new Fault("base_unknown", `${JSON.stringify(base)} names no commit of this repository.`, {
      hint: "Choose another branch or commit to compare with.",
    });
  }
  const found = await repository.look(["merge-base", repository.head, sha], "look for the base", {
    alsoOk: [1],
  });
  // Histories that have nothing in common are compared as they are.
  return found.output.toString("utf8").split("\n")[0] || sha;
}

export async function emptyTree(repository: ChangesRepository): Promise<string> {
  return repository.lookText(["hash-object", "-t", "tree", "--stdin"], "look at the repository", {
    input: new Uint8Array(),
  });
}
