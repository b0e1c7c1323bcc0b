// Makes a commit as the person's own git would in a terminal, hooks included.
//
// Races, and what settles each:
// - It is cancelled, or its time is up, when the commit is there already (a hook still ran after it): the branch says so, and
//   then it has succeeded.
// - A hook refuses after everything was staged for this commit: what was staged before is staged again, and nothing else.
// - Somebody stages something else in between: git commits what is staged when it takes the index, as it always does.

import { Fault } from "../../fault";
import { fieldsOf, fileName } from "./fields";
import type { Job } from "./jobs";
import { KeptIndex } from "./keptIndex";
import { operationOf } from "./list";
import { type ChangesRepository, gitFault } from "./repository";
import { stageFiles } from "./staging";

export interface NewCommit {
  message: string;
  what: "staged" | "everything";
  amend: boolean;
}

export interface MadeCommit {
  sha: string;
  subject: string;
  output: string;
}

/** Hooks may run tests. */
const commitLimitMs = 30 * 60_000;

export async function makeCommit(
  repository: ChangesRepository,
  commit: NewCommit,
  job: Job,
): Promise<MadeCommit> {
  const { message, what, amend } = commit;
  if (message.trim() === "") {
    throw new Fault("message_missing", "A commit needs a message.", {
      hint: "Say what was changed, and why.",
    });
  }
  const before = await headOf(repository);
  if (amend && before === null) {
    throw new Fault("nothing_to_amend", "There is no commit yet that could be amended.");
  }
  if (what === "everything") await refuseConflicts(repository);
  const staged = what === "everything" ? await KeptIndex.of(repository, job.jobId) : null;
  try {
    if (staged !== null) await stageFiles(repository, null);
    if (!amend && (await isNothingStaged(repository))) throw nothingStaged(what);
    await commitNow(repository, message, amend, job);
  } catch (error) {
    const after = await headOf(repository);
    if (after === null || after === before) {
      await staged?.putBack();
      throw error;
    }
  } finally {
    await staged?.forget();
  }
  const described = await repository.lookText(
    ["log", "--max-count=1", "--no-show-signature", "--encoding=UTF-8", "--format=%H %s"],
    "read the commit",
  );
  const at = described.indexOf(" ");
  return { sha: described.slice(0, at), subject: described.slice(at + 1), output: job.said() };
}

async function commitNow(
  repository: ChangesRepository,
  message: string,
  amend: boolean,
  job: Job,
): Promise<void> {
  await repository.whenUnlocked("commit", async () => {
    const end = await repository.act(
      // What begins with "#" is a part of the message, too: nobody has edited it in git's own form.
      // It is handed over in UTF-8, whatever git is set to take.
      [
        ...["-c", "i18n.commitEncoding=UTF-8"],
        ...["commit", "--file=-", "--cleanup=whitespace", ...(amend ? ["--amend"] : [])],
      ],
      {
        input: Buffer.from(message),
        limitMs: commitLimitMs,
        variables: job.variables,
        signal: job.signal,
        take: () => true,
        heard: (chunk) => job.heard(chunk),
      },
    );
    const isLocked = end.end === "ended" && end.errors.includes("index.lock");
    if (end.end === "enough" || isLocked || (end.end === "ended" && end.code === 0)) return end;
    if (end.end !== "ended") throw gitFault(end, "commit");
    throw new Fault("commit_refused", "git or a hook of the repository refused the commit.", {
      hint: "What they said is in the details. Nothing was committed.",
      detail: job.said(),
      retryable: true,
    });
  });
}

/** Everything would have what git has put into the files to mark a conflict. */
async function refuseConflicts(repository: ChangesRepository): Promise<void> {
  const { output } = await repository.look(["ls-files", "--unmerged", "-z"], "look for conflicts");
  const [first] = fieldsOf(output);
  if (first === undefined) return;
  // "100644 sha stage\tname"
  const { path } = fileName(first.subarray(first.indexOf(0x09) + 1));
  throw new Fault("has_conflicts", `${path} has conflicts, so not everything can be committed.`, {
    hint: "Solve them in the file and stage it, then commit.",
    path,
  });
}

async function isNothingStaged(repository: ChangesRepository): Promise<boolean> {
  // The end of a merge is a commit even when nothing differs.
  if ((await operationOf(repository.gitFolder)) === "merge") return false;
  const { code } = await repository.look(
    ["diff", "--cached", "--quiet", "--no-ext-diff", "--ignore-submodules=dirty"],
    "look at what is staged",
    { alsoOk: [1] },
  );
  return code === 0;
}

async function headOf(repository: ChangesRepository): Promise<string | null> {
  const { code, output } = await repository.look(
    ["rev-parse", "--quiet", "--verify", "HEAD^{commit}"],
    "look at the last commit",
    { alsoOk: [1, 128] },
  );
  return code === 0 ? output.toString("utf8").trim() : null;
}

function nothingStaged(what: NewCommit["what"]): Fault {
  return what === "staged"
    ? new Fault("nothing_staged", "Nothing is staged, so there is nothing to commit.", {
        hint: "Stage what belongs into the commit, or commit everything.",
      })
    : new Fault("nothing_to_commit", "Nothing has been changed, so there is nothing to commit.");
}
