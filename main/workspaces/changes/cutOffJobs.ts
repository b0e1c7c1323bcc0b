// The jobs of the page of changes, on record while they go on: a commit with its hooks and a push can take long, and what they
// run does not end with Holdfast.
//
// Races, and what settles each:
// - Holdfast dies in the middle of one: it is on record before anything of it begins, and all that it runs carries its name
//   (where the system tells that: not on Windows). The next start ends what is left of it, looks what has come of it, and says
//   so. Nothing is done again by itself.
// - It was done just before: the branch has the commit. Then that is what is said.
// - Everything was staged for a commit that is none: what was staged before is staged again, unless a file has changed since,
//   of which only the index would have what was to be committed.
// - The person begins the same while what is left is being ended: it is refused like a second one beside it.

import { basename } from "node:path";
import type { NoticeView } from "../../../preload/contract/app";
import type { ChangesJob } from "../../../preload/contract/changes";
import type { Clock } from "../../clock";
import type { Fault } from "../../fault";
import type { CleanupRecord, NewCleanup } from "../../ledger/cleanupsLedger";
import type { Cleanups } from "../../supervisor/cleanups";
import { endHandleTree } from "../../supervisor/handleTree";
import type { NewCommit } from "./commit";
import { KeptIndex } from "./keptIndex";
import type { ChangesRepository } from "./repository";
import { readStatus } from "./status";

export const jobCleanupKind = "changes job";

export interface JobSubject {
  jobId: string;
  kind: ChangesJob["kind"];
  workspaceId: string;
  root: string;
  branch: string | null;
  /** Where the branch was when it began. */
  head: string | null;
  commit: NewCommit | null;
}

/** What became of a job that was cut off. */
export type CutOff =
  | { kind: "committed"; subject: string; message: string }
  | { kind: "not committed"; staged: "as before" | "everything" }
  | { kind: "pushing" | "opening"; branch: string };

const mostFiles = 200_000;
const program = "git, or what it has started,";

export function jobCleanup(subject: JobSubject): NewCleanup {
  return {
    id: `job:${subject.jobId}`,
    kind: jobCleanupKind,
    subject,
    reason: `${begun[subject.kind]} when Holdfast went away, and nothing that it has started may stay behind.`,
  };
}

const begun: Record<ChangesJob["kind"], string> = {
  commit: "A commit was being made",
  push: "A push went on",
  "pull request": "A pull request was being opened",
  suggestion: "A message was being suggested",
};

/** While it is done it is on record. Throws as `work` does. */
export async function onRecord<Result>(
  cleanups: Pick<Cleanups, "perform">,
  cleanup: NewCleanup,
  work: () => Promise<Result>,
): Promise<Result> {
  let done: Promise<Result> | null = null;
  await cleanups.perform(cleanup, async () => {
    done = work();
    // How it ended is the business of whoever asked for it: its processes have ended, so nothing is owed.
    await done.catch(() => {});
    return null;
  });
  if (done === null) throw new Error("the job was not begun");
  return done;
}

/** Ends what is left of it. The Fault says what could not be ended. */
export function endLeft({ subject }: CleanupRecord, clock: Clock): Promise<Fault | null> {
  const { jobId } = subject as JobSubject;
  // Told to end at once, git takes its locks away itself.
  return endHandleTree({ handleId: jobId, leader: null, program }, clock, undefined, { beforeTermMs: 0 });
}

/** Looks what has come of it, once nothing of it runs. Null: nothing that had to be said. Throws Fault. */
export async function settleJob(
  repository: ChangesRepository,
  { jobId, kind, head, branch, commit }: JobSubject,
): Promise<CutOff | null> {
  switch (kind) {
    case "commit":
      return commit && settleCommit(repository, jobId, head, commit);
    case "push":
      return { kind: "pushing", branch: branch ?? "" };
    case "pull request":
      return { kind: "opening", branch: branch ?? "" };
    case "suggestion":
      return null;
    default:
      return kind satisfies never;
  }
}

async function settleCommit(
  repository: ChangesRepository,
  jobId: string,
  before: string | null,
  { message, what }: NewCommit,
): Promise<CutOff> {
  const kept = what === "everything" ? await KeptIndex.left(repository, jobId) : null;
  if (repository.head !== null && repository.head !== before) {
    await kept?.forget();
    const subject = await repository.lookText(
      ["log", "--max-count=1", "--no-show-signature", "--encoding=UTF-8", "--format=%s"],
      "read the commit",
    );
    return { kind: "committed", subject, message };
  }
  if (kept === null) return { kind: "not committed", staged: "as before" };
  const { files } = await readStatus(repository, mostFiles);
  const isChangedSince = files.some(
    ({ unstaged, exactName, submodule, repository: isOther }) =>
      unstaged !== null && exactName && !submodule && !isOther,
  );
  if (!isChangedSince) await kept.putBack();
  await kept.forget();
  return { kind: "not committed", staged: isChangedSince ? "everything" : "as before" };
}

export function cutOffNotice({ root }: JobSubject, cutOff: CutOff): Omit<NoticeView, "id"> {
  const place = basename(root);
  const warn = (text: string, hint: string) => ({ tone: "warning" as const, text, hint, detail: root });
  switch (cutOff.kind) {
    case "committed": {
      const text = `“${cutOff.subject}” is committed in ${place}: that was done when Holdfast went away.`;
      return { tone: "info", text, hint: null, detail: null };
    }
    case "not committed": {
      const message = "Its message is still on the page Changes.";
      return warn(
        `A commit in ${place} was cut off when Holdfast went away. Nothing is committed.`,
        cutOff.staged === "everything" ? `All that had changed is staged now. ${message}` : message,
      );
    }
    case "pushing":
      return warn(
        `Pushing ${cutOff.branch} from ${place} was cut off when Holdfast went away.`,
        "Push again: git sends only what the remote does not have yet.",
      );
    case "opening":
      return warn(
        `Opening a pull request for ${cutOff.branch} from ${place} was cut off when Holdfast went away.`,
        "Open it again: if it is there already, you are shown that one.",
      );
    default:
      return cutOff satisfies never;
  }
}
