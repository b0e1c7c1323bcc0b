// All that differs in a repository, put together from what git says.

import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { CallResult } from "../../../preload/contract";
import type { ChangedFile, FileChange, RepositoryChanges } from "../../../preload/contract/changes";
import { countLines, countUntracked, fill, plainDiff, readCounts } from "./counts";
import { fieldsOf, fileName } from "./fields";
import { mergeBase } from "./rawDiff";
import { type ChangesRepository, filesLimitMs } from "./repository";
import { plain, readStatus } from "./status";

const mostFiles = 5_000;
const mostMessage = 20_000;
const listBytes = 64 * 1024 * 1024;

export async function listChanges(repository: ChangesRepository): Promise<Omit<RepositoryChanges, "jobs">> {
  const { upstream, files, more } = await readStatus(repository, mostFiles);
  await countLines(repository, files);
  return {
    root: repository.root,
    prefix: repository.prefix,
    branch: repository.branch,
    head: await readHead(repository),
    upstream,
    remotes: await remotesOf(repository),
    operation: await operationOf(repository.gitFolder),
    files,
    more,
  };
}

export async function remotesOf(repository: ChangesRepository): Promise<string[]> {
  const names = await repository.lookText(["remote"], "list the remotes");
  return names.split("\n").filter((name) => name !== "");
}

async function readHead(repository: ChangesRepository): Promise<RepositoryChanges["head"]> {
  const { head } = repository;
  if (head === null) return null;
  const message = await repository.lookText(
    ["log", "--max-count=1", "--no-show-signature", "--encoding=UTF-8", "--format=%B", head],
    "read the last commit",
  );
  const notPushed = await repository.lookText(
    ["rev-list", "--max-count=1", head, "--not", "--remotes"],
    "look at the last commit",
  );
  return { sha: head, message: message.trimEnd().slice(0, mostMessage), isPushed: notPushed === "" };
}

const operations: [name: string, operation: NonNullable<RepositoryChanges["operation"]>][] = [
  ["rebase-merge", "rebase"],
  [join("rebase-apply", "applying"), "am"],
  ["rebase-apply", "rebase"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
  ["MERGE_HEAD", "merge"],
  ["BISECT_LOG", "bisect"],
];

export async function operationOf(gitFolder: string): Promise<RepositoryChanges["operation"]> {
  for (const [name, operation] of operations) {
    if ((await lstat(join(gitFolder, name)).catch(() => null)) !== null) return operation;
  }
  return null;
}

type ListedAgainst = CallResult<"changes.listAgainst">;

export async function listAgainst(repository: ChangesRepository, base: string): Promise<ListedAgainst> {
  const from = await mergeBase(repository, base);
  const { output } = await repository.look(
    ["diff", "--raw", "--numstat", "-z", "--abbrev=40", ...plainDiff, "--find-renames", from],
    "list the changes",
    { limitMs: filesLimitMs, mostBytes: listBytes },
  );
  const fields = fieldsOf(output);
  const changed = readRaw(fields);
  const unknown = (await readStatus(repository, mostFiles)).files.filter(
    ({ unstaged }) => unstaged?.kind === "untracked",
  );
  const all = [...changed, ...unknown];
  const shown = all.slice(0, mostFiles);
  await countUntracked(repository.root, shown);
  return {
    base: from,
    files: shown.flatMap(({ path, exactName, unstaged }) =>
      unstaged === null ? [] : [{ path, exactName, change: unstaged }],
    ),
    more: all.length - shown.length,
  };
}

const rawKinds: Record<string, FileChange["kind"]> = {
  A: "added",
  M: "modified",
  D: "deleted",
  R: "renamed",
  C: "copied",
  T: "type changed",
  // Not merged: what is in the folder differs.
  U: "modified",
};

/** ":100644 100644 sha sha R86" with one or two names, of each file; then the counts. */
function readRaw(fields: Buffer[]): ChangedFile[] {
  const files = new Map<string, ChangedFile>();
  let index = 0;
  for (; fields[index]?.[0] === 0x3a; index++) {
    const [old = "", now = "", , , letter = ""] = fields[index]?.toString("latin1").slice(1).split(" ") ?? [];
    const kind = rawKinds[letter[0] ?? ""] ?? "modified";
    const hasTwo = kind === "renamed" || kind === "copied";
    const oldPath = hasTwo ? fileName(fields[++index] ?? Buffer.alloc(0)).path : null;
    const named = fileName(fields[++index] ?? Buffer.alloc(0));
    const isThere = kind !== "added" && kind !== "deleted";
    files.set(named.path, {
      ...named,
      staged: null,
      unstaged: { ...plain(kind), oldPath, modes: isThere && old !== now ? { old, new: now } : null },
      conflict: null,
      submodule: old === "160000" || now === "160000",
      repository: false,
    });
  }
  for (const [path, counted] of readCounts(fields.slice(index)))
    fill(files.get(path)?.unstaged ?? null, counted);
  return [...files.values()];
}
