// Worktrees as a window sees them: what is in one, threads that are still to be started in one of their own, and what is
// asked of main about them.

import { z } from "zod";
import { call, done } from "./call";
import { keptDraft, messageAttachments, messageText, seenDraft } from "./draft";
import { faultSchema } from "./fault";
import { attachmentSchema } from "./items";

const workspaceId = z.object({ workspaceId: z.string().max(200) });
const start = z.object({ startId: z.string().max(200) });

/** How many there are, and the first of them. */
function listing<Entry extends z.ZodType>(entry: Entry) {
  return z.object({ count: z.number().int(), first: z.array(entry) });
}

const commits = listing(z.object({ sha: z.string(), subject: z.string() }));

const worktreeFacts = z.object({
  /** Null: none is checked out in it. */
  branch: z.string().nullable(),
  /** Files that git knows and that differ, files that it does not know, and what it is told to ignore. */
  changed: listing(z.string()),
  untracked: listing(z.string()),
  ignored: listing(z.string()),
  /** Commits that no other branch, no tag and no remote has, the newest first. */
  unmerged: commits,
  /** Its folder is not there, or git does not know it as a worktree any more: it is not deleted then. */
  folder: z.enum(["there", "gone", "not listed"]),
});

const mergeFacts = z.object({
  /** What is merged, and into which branch; that one is checked out in the main checkout, at this path. */
  branch: z.string(),
  into: z.string(),
  mainPath: z.string(),
  /** Null: the main checkout is not open as a workspace. */
  mainWorkspaceId: z.string().nullable(),
  /** The newest first. */
  ahead: commits,
  /** Commits of the other branch that this one does not have. */
  behind: z.number().int(),
  /** In the worktree, not committed. */
  changed: listing(z.string()),
  untracked: listing(z.string()),
  /** In the main checkout, not committed. */
  mainChanged: listing(z.string()),
  /** What is at work right now, by name. */
  atWork: z.array(z.object({ where: z.enum(["worktree", "main"]), names: z.array(z.string()).min(1) })),
});

/** How the run of a set-up script ended. */
export const setupEndingSchema = z.object({
  /** `cut off`: Holdfast went away meanwhile. `folder gone`: the worktree did, and the script was ended. */
  how: z.enum(["done", "failed", "stopped", "cut off", "not started", "folder gone"]),
  exitCode: z.number().int().nullable(),
  signal: z.string().nullable(),
  durationMs: z.number().nullable(),
  /** Why it could not be started, or not go on. */
  fault: faultSchema.nullable(),
});
export type SetupEndingView = z.infer<typeof setupEndingSchema>;

/** A thread that is to begin in a worktree of its own, until it has begun; or a worktree that is being set up without one. */
export const worktreeStartSchema = z.object({
  startId: z.string(),
  /** The key that the thread will have. What is typed under it meanwhile is its draft. */
  threadKey: z.string(),
  /** Where the message was written. */
  workspaceId: z.string(),
  /** The workspace that the worktree becomes, listed once it is there. */
  worktreeWorkspaceId: z.string(),
  branch: z.string(),
  title: z.string(),
  /** The message, or the beginning of a very long one. */
  text: z.string(),
  attachments: z.array(attachmentSchema),
  /** Without one the person has only asked for the worktree. Of one that was returned it is not known. */
  hasMessage: z.boolean(),
  /** Something is done in the worktree before the thread starts. */
  hasSetup: z.boolean(),
  state: z.discriminatedUnion("phase", [
    z.object({ phase: z.literal("making") }),
    z.object({ phase: z.literal("setting up"), sinceMs: z.number() }),
    /** The set-up did not succeed: the person says how it goes on. */
    z.object({ phase: z.literal("stopped"), ending: setupEndingSchema }),
    z.object({ phase: z.literal("starting") }),
    /** The message is part of the draft again: the person has taken it back, or it could not begin. */
    z.object({ phase: z.literal("returned"), fault: faultSchema.nullable() }),
  ]),
});
export type WorktreeStartView = z.infer<typeof worktreeStartSchema>;

const setup = z.object({
  /** For the person's own shell; empty: there is none. */
  script: z.string().max(100_000),
  /** Files that git ignores, by their paths in the repository. */
  copies: z.array(z.string().max(1000)).max(50),
});

export const worktreeCalls = {
  /**
   * Makes a worktree of this workspace's repository, on a new branch of that name, and opens it as a workspace. `base`:
   * what the branch starts from; null: the commit that is checked out. Its set-up, if there is one, runs then, and is shown
   * under `threadKey`.
   */
  "worktrees.create": call(
    workspaceId.extend({ name: z.string().min(1).max(200), base: z.string().max(500).nullable() }),
    z.object({
      workspaceId: z.string(),
      path: z.string(),
      branch: z.string(),
      threadKey: z.string().nullable(),
    }),
  ),
  /** What would be lost if this worktree were removed, looked at now. */
  "worktrees.check": call(workspaceId, worktreeFacts),
  /**
   * Removes a worktree that Holdfast has made, as a cleanup. Refused while it is at work, and where there is work in it
   * that is nowhere else unless `discard`: a snapshot of it is kept then, under that name. Its branch stays. `folderKept`:
   * git did not list its folder any more, which is therefore still there.
   */
  "worktrees.remove": call(
    workspaceId.extend({ discard: z.boolean() }),
    z.object({ branch: z.string(), snapshot: z.string().nullable(), folderKept: z.string().nullable() }),
  ),
  /** Makes the folder of a worktree again, from its branch, when it has gone. */
  "worktrees.recreate": call(workspaceId, done),
  /** What merging its branch into that of the main checkout would do, looked at now. Rejects where it cannot be done. */
  "worktrees.checkMerge": call(workspaceId, mergeFacts),
  /**
   * Merges its branch into the one of the main checkout. `commit`: what is not committed in the worktree is committed
   * first, with this message; null: it is left. `evenAtWork`: the person knows that something is at work. With conflicts
   * nothing is merged, and the Fault names the files; what was committed first stays, which it says too.
   */
  "worktrees.merge": call(
    workspaceId.extend({
      commit: z.string().min(1).max(100_000).nullable(),
      into: z.string().max(500),
      evenAtWork: z.boolean(),
    }),
    z.object({
      into: z.string(),
      commits: z.number().int(),
      head: z.string(),
      committed: z.object({ sha: z.string(), branch: z.string(), files: z.number().int() }).nullable(),
    }),
  ),
  /** What is done in each new worktree of this repository before its first thread starts. */
  "worktrees.setup": call(workspaceId, setup),
  "worktrees.setSetup": call(workspaceId.extend(setup.shape), done),

  /**
   * Like `messages.send` for a new thread, which is to start in a worktree of its own on a new branch. The answer comes when
   * the message is safe on disk, or as the Fault for which it stays a draft. A branch name that is taken gets a number.
   */
  "worktreeStarts.begin": call(
    z.object({
      threadKey: z.string().max(200),
      clientId: z.uuid(),
      text: messageText,
      attachments: messageAttachments,
      seen: seenDraft.optional(),
      branch: z.string().min(1).max(200),
      base: z.string().max(500).nullable(),
    }),
    z.object({ draft: keptDraft.nullable(), threadKey: z.string() }),
  ),
  /** Runs the set-up script again. */
  "worktreeStarts.again": call(start, done),
  /** Starts the thread, or is done with it, without a set-up that has succeeded; one that runs is ended. */
  "worktreeStarts.anyway": call(start, done),
  /** Gives the message back to the draft of the workspace in which it was written. The worktree stays. */
  "worktreeStarts.takeBack": call(start, done),
  /** Ends the set-up script. */
  "worktreeStarts.stop": call(start, done),
  /** The person has read why it did not come to be. */
  "worktreeStarts.dismiss": call(start, done),
  /**
   * What the set-up script prints. Waits until there is more than `seen` of the run `run`, or that has ended, for a while.
   * `from`: where the text begins, in characters from the first one; what is before it is kept no more.
   */
  "worktreeStarts.output": call(
    start.extend({ run: z.string().max(200).nullable(), seen: z.number().int().nonnegative() }),
    z.object({
      run: z.string().nullable(),
      from: z.number().int().nonnegative(),
      text: z.string(),
      ended: z.boolean(),
    }),
  ),
} as const;
