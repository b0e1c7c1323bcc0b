// The changes in a workspace's repository: what a window asks for, and what it is told.
//
// Paths are those of git: from the repository's top folder, with "/", also when the workspace is a folder further down.
// Everything but `changes.list` is refused in a folder without a repository.

import { z } from "zod";
import { call, done } from "./call";
import { faultSchema } from "./fault";

const workspaceId = z.object({ workspaceId: z.string().max(200) });
const path = z.string().min(1).max(4096);
const paths = z.array(path).min(1).max(10_000);
/** Made by the page. What goes on under it can be cancelled, and its output read. */
const job = z.object({ jobId: z.string().regex(/^[\w-]{1,100}$/) });
const workspaceJob = workspaceId.extend(job.shape);
const mode = z.string().max(6);

/** One step of a file: from HEAD to what is staged, or from there to what is in the folder. */
export const fileChangeSchema = z.object({
  kind: z.enum(["added", "modified", "deleted", "renamed", "copied", "type changed", "untracked"]),
  /** Where it was before: only when it was renamed or copied. */
  oldPath: z.string().nullable(),
  /** Lines. null: they are not counted, since it is binary, very large, or no file. */
  added: z.number().int().nonnegative().nullable(),
  removed: z.number().int().nonnegative().nullable(),
  binary: z.boolean(),
  /** As git writes them ("100644", "100755", "120000" for a link), only when they differ. */
  modes: z.object({ old: mode, new: mode }).nullable(),
  /** On disk; only for a file that git does not know yet. */
  bytes: z.number().nonnegative().nullable(),
});
export type FileChange = z.infer<typeof fileChangeSchema>;

export const changedFileSchema = z.object({
  path: z.string(),
  staged: fileChangeSchema.nullable(),
  unstaged: fileChangeSchema.nullable(),
  /** Not merged: `staged` and `unstaged` are null then. */
  conflict: z
    .enum([
      "both modified",
      "both added",
      "both deleted",
      "added by us",
      "added by them",
      "deleted by us",
      "deleted by them",
    ])
    .nullable(),
  /** Another repository within this one: only its commit counts here. */
  submodule: z.boolean(),
  /** A folder that is a repository of its own and not known to this one: it cannot be staged or discarded here. */
  repository: z.boolean(),
  /** False: its name is no text that can be shown exactly, so that nothing can be done with it here. */
  exactName: z.boolean(),
});
export type ChangedFile = z.infer<typeof changedFileSchema>;

/** What goes on in a repository, in whichever window it was begun. */
export const changesJobSchema = z.object({
  jobId: z.string(),
  kind: z.enum(["commit", "push", "pull request", "suggestion"]),
  sinceMs: z.number(),
});
export type ChangesJob = z.infer<typeof changesJobSchema>;

export const repositoryChangesSchema = z.object({
  /** The repository's top folder, and where in it the workspace is: "" or "packages/app/". */
  root: z.string(),
  prefix: z.string(),
  /** null: no branch is checked out. */
  branch: z.string().nullable(),
  /** null: there is no commit yet. `message` is cut after 20,000 characters. */
  head: z.object({ sha: z.string(), message: z.string(), isPushed: z.boolean() }).nullable(),
  upstream: z
    .object({
      name: z.string(),
      /** null: that branch is not there any more, or was never fetched. */
      distance: z
        .object({ ahead: z.number().int().nonnegative(), behind: z.number().int().nonnegative() })
        .nullable(),
    })
    .nullable(),
  remotes: z.array(z.string()),
  operation: z.enum(["merge", "rebase", "cherry-pick", "revert", "bisect", "am"]).nullable(),
  files: z.array(changedFileSchema),
  /** How many more files there are than those. */
  more: z.number().int().nonnegative(),
  jobs: z.array(changesJobSchema),
});
export type RepositoryChanges = z.infer<typeof repositoryChangesSchema>;

/** What a file is compared with. `base`: where the checked out branch left that commit or branch. */
export const comparisonSchema = z.discriminatedUnion("with", [
  z.object({ with: z.literal("staged") }),
  z.object({ with: z.literal("unstaged") }),
  z.object({ with: z.literal("head") }),
  z.object({ with: z.literal("base"), base: z.string().min(1).max(500) }),
]);
export type Comparison = z.infer<typeof comparisonSchema>;

export const diffLineSchema = z.object({
  kind: z.enum(["context", "added", "removed"]),
  /** Without its end. */
  text: z.string(),
  /** `none`: the file ends here without one. */
  end: z.enum(["lf", "crlf", "none"]),
  oldLine: z.number().int().positive().nullable(),
  newLine: z.number().int().positive().nullable(),
});
export type DiffLine = z.infer<typeof diffLineSchema>;

export const hunkSchema = z.object({
  oldStart: z.number().int().nonnegative(),
  oldLines: z.number().int().nonnegative(),
  newStart: z.number().int().nonnegative(),
  newLines: z.number().int().nonnegative(),
  /** What git takes for the place in the file: the head of a function. May be empty. */
  heading: z.string(),
  /** Fewer than the counts say: the rest is not loaded. */
  lines: z.array(diffLineSchema),
});
export type DiffHunk = z.infer<typeof hunkSchema>;

export const fileDiffSchema = z.object({
  /** Names exactly this difference: what is done with parts of it is refused once it is another one. */
  fingerprint: z.string(),
  path: z.string(),
  oldPath: z.string().nullable(),
  /** null: the file is not there on that side. */
  oldMode: mode.nullable(),
  newMode: mode.nullable(),
  content: z.discriminatedUnion("kind", [
    z.object({
      kind: z.literal("text"),
      hunks: z.array(hunkSchema),
      /** `more`: ask again with `whole`. `too long`: it is more than is shown at all. */
      left: z.enum(["more", "too long"]).nullable(),
      /** Of all hunks, shown or not. */
      added: z.number().int().nonnegative(),
      removed: z.number().int().nonnegative(),
      /** How many lines follow the last hunk; null: it is not known. */
      after: z.number().int().nonnegative().nullable(),
      /** Names the content of the new version; null: it has no name. */
      newContent: z.string().nullable(),
    }),
    /** Bytes before and after; null: not there. `image`: by the name, it is a picture. */
    z.object({
      kind: z.literal("binary"),
      image: z.boolean(),
      oldBytes: z.number().nullable(),
      newBytes: z.number().nullable(),
    }),
    /** The commits of a submodule. */
    z.object({ kind: z.literal("submodule"), old: z.string().nullable(), new: z.string().nullable() }),
    /** A file that is larger than what is compared line by line. */
    z.object({ kind: z.literal("too large"), bytes: z.number() }),
    /** There is no difference any more. */
    z.object({ kind: z.literal("same") }),
  ]),
  /** Why no part of it can be staged, unstaged or discarded; null: it can. The whole file always can. */
  wholeOnly: z.string().nullable(),
});
export type FileDiff = z.infer<typeof fileDiffSchema>;

/** Hunks by their place in the difference, from 0; of each all lines, or only those, by their place in the hunk, from 0. */
const parts = z
  .array(
    z.object({
      hunk: z.number().int().nonnegative(),
      lines: z.array(z.number().int().nonnegative()).max(100_000).nullable(),
    }),
  )
  .min(1)
  .max(10_000);
/** `oldPath`: as the list says, of that side. */
const oldPath = path.nullable();
const chosenParts = workspaceId.extend({ path, oldPath, fingerprint: z.string().max(200), parts });

const discardId = z.object({ discardId: z.string().max(200) });
/** What was thrown away and is kept. */
export const discardSchema = z.object({
  discardId: z.string(),
  atMs: z.number(),
  /** The first of them. */
  paths: z.array(z.string()),
  files: z.number().int().positive(),
  /** Only parts of a file. */
  part: z.boolean(),
});
export type Discard = z.infer<typeof discardSchema>;

const pullRequest = z.object({ url: z.string(), number: z.number().int(), title: z.string() });

export const changesCalls = {
  /** `none`: there is no repository, or it cannot be read; the fault says why. */
  "changes.list": call(
    workspaceId,
    z.discriminatedUnion("state", [
      z.object({
        state: z.literal("repository"),
        revision: z.number().int().nonnegative(),
        changes: repositoryChangesSchema,
      }),
      z.object({
        state: z.literal("none"),
        revision: z.number().int().nonnegative(),
        fault: faultSchema,
      }),
    ]),
  ),
  /**
   * Waits until something may have changed since that revision: a turn has ended or changed files, or something was done here.
   * null: nothing for a while, or the page asked again. `page`: made once by each page.
   */
  "changes.next": call(
    workspaceId.extend({ revision: z.number().int().nonnegative(), page: z.string().min(1).max(100) }),
    z.object({ revision: z.number().int().nonnegative().nullable() }),
  ),
  /** The files that differ from where the checked out branch left that commit or branch, untracked ones too. */
  "changes.listAgainst": call(
    workspaceId.extend({ base: z.string().min(1).max(500) }),
    z.object({
      /** The commit. */
      base: z.string(),
      files: z.array(z.object({ path: z.string(), exactName: z.boolean(), change: fileChangeSchema })),
      more: z.number().int().nonnegative(),
    }),
  ),
  /** `whole`: as much as is shown at all, instead of the first few thousand lines. */
  "changes.diff": call(
    workspaceId.extend({ path, oldPath, comparison: comparisonSchema, whole: z.boolean() }),
    fileDiffSchema,
  ),
  /**
   * The lines of the new version from `firstLine` to `lastLine` that are the same in both, or the first of them. Throws Fault
   * `changed_meanwhile` when the difference is not the one of that fingerprint.
   */
  "changes.context": call(
    workspaceId.extend({
      path,
      oldPath,
      comparison: comparisonSchema,
      fingerprint: z.string().max(200),
      firstLine: z.number().int().positive(),
      lastLine: z.number().int().positive(),
    }),
    z.object({ lines: z.array(diffLineSchema) }),
  ),

  /** Whole files, with what they have been renamed from. null: all of them. A file with conflicts counts as solved then. */
  "changes.stage": call(workspaceId.extend({ paths: paths.nullable() }), done),
  "changes.unstage": call(workspaceId.extend({ paths: paths.nullable() }), done),
  /**
   * Files go back to what is staged; those that git does not know are put away. What was there is kept before, for
   * `changes.undoDiscard`.
   */
  "changes.discard": call(workspaceId.extend({ paths }), discardId),

  /** Of the difference with "unstaged". Throws Fault `changed_meanwhile` when it is not the one of that fingerprint. */
  "changes.stagePart": call(chosenParts, done),
  /** Of the difference with "staged". The same. */
  "changes.unstagePart": call(chosenParts, done),
  /** Of the difference with "unstaged". The same. */
  "changes.discardPart": call(chosenParts, discardId),

  /** What was discarded and can be brought back, the newest first. */
  "changes.discards": call(workspaceId, z.object({ discards: z.array(discardSchema) })),
  /** Brings the files back as they were. Throws Fault `changed_meanwhile` when one of them has been changed since. */
  "changes.undoDiscard": call(workspaceId.extend({ discardId: z.string().max(200) }), done),

  /**
   * `what`: what is staged, or everything in the folder. The repository's hooks run. Throws Fault `commit_refused` with what
   * they or git said, or `cancelled`.
   */
  "changes.commit": call(
    workspaceJob.extend({
      message: z.string().max(100_000),
      what: z.enum(["staged", "everything"]),
      amend: z.boolean(),
    }),
    z.object({ sha: z.string(), subject: z.string(), output: z.string() }),
  ),
  /** Asks codex for a message, in a thread of its own that is gone afterwards. */
  "changes.suggestMessage": call(
    workspaceJob.extend({ what: z.enum(["staged", "everything"]) }),
    z.object({ message: z.string() }),
  ),
  /**
   * Never by force. Without an upstream: to the branch of the same name, which becomes the upstream; `remote`: where, null:
   * the usual one.
   */
  "changes.push": call(
    workspaceJob.extend({ remote: z.string().max(500).nullable() }),
    z.object({ remote: z.string(), branch: z.string(), upstreamSet: z.boolean(), output: z.string() }),
  ),
  /** Ends a commit, a push, a pull request or a suggestion. Nothing happens when it has ended already. */
  "changes.cancel": call(job, done),
  /** Waits for more output of a job than `from` characters. `over`: there will be no more. */
  "changes.output": call(
    job.extend({ from: z.number().int().nonnegative() }),
    z.object({ text: z.string(), next: z.number().int().nonnegative(), over: z.boolean() }),
  ),

  /** Whether one can be opened, whether there is one, and what it could say. Asks `gh`, thus the network. */
  "changes.pullRequest": call(
    workspaceId,
    z.object({
      /** Why none can be opened: `gh` is missing, not signed in, or there is nothing to open one for. */
      cannot: faultSchema.nullable(),
      existing: pullRequest.nullable(),
      title: z.string(),
      body: z.string(),
      /** The branch that it would be merged into; null: the repository's default. */
      base: z.string().nullable(),
    }),
  ),
  /** The branch has to be pushed before. `outcome` is `there` when there is one for this branch already. */
  "changes.openPullRequest": call(
    workspaceJob.extend({
      title: z.string().trim().min(1).max(300),
      body: z.string().max(60_000),
      base: z.string().max(500).nullable(),
      draft: z.boolean(),
    }),
    z.object({ outcome: z.enum(["opened", "there"]), url: z.string() }),
  ),
} as const;
