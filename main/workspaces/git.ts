// What git says of a folder. Asked when something has happened there, never on a timer; one git at a time for each folder,
// and whoever asks meanwhile gets the answer of the next one. Read-only commands take no locks and run none of the
// repository's own programs.

import { execa } from "execa";

export type GitFacts =
  | {
      kind: "repository";
      /** Null when HEAD is detached. A branch without a commit yet is a branch. */
      branch: string | null;
      /** Short commit id; null before the first commit. */
      head: string | null;
      isWorktree: boolean;
    }
  | { kind: "none" }
  | { kind: "unknown"; reason: string };

const deadlineMs = 5_000;
const harmless = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "--no-optional-locks"];

interface Job {
  current: Promise<GitFacts>;
  next: Promise<GitFacts> | null;
}
const jobs = new Map<string, Job>();

/** Never rejects. */
export function gitFacts(folder: string): Promise<GitFacts> {
  const job = jobs.get(folder);
  if (job) {
    job.next ??= job.current.then(() => begin(folder));
    return job.next;
  }
  return begin(folder);
}

function begin(folder: string): Promise<GitFacts> {
  const current = read(folder).finally(() => {
    if (jobs.get(folder)?.current === current && jobs.get(folder)?.next === null) jobs.delete(folder);
  });
  jobs.set(folder, { current, next: null });
  return current;
}

async function read(folder: string): Promise<GitFacts> {
  const place = await git(folder, ["rev-parse", "--git-dir", "--git-common-dir"]);
  if (place.kind === "failed")
    return place.missing ? { kind: "unknown", reason: place.reason } : { kind: "none" };
  const [gitFolder, commonFolder] = place.output.split("\n");
  const branch = await git(folder, ["symbolic-ref", "--quiet", "--short", "HEAD"]);
  const head = await git(folder, ["rev-parse", "--quiet", "--verify", "--short", "HEAD"]);
  return {
    kind: "repository",
    branch: branch.kind === "done" ? branch.output : null,
    head: head.kind === "done" ? head.output : null,
    isWorktree: gitFolder !== commonFolder,
  };
}

type Outcome = { kind: "done"; output: string } | { kind: "failed"; missing: boolean; reason: string };

async function git(folder: string, args: string[]): Promise<Outcome> {
  const result = await execa("git", [...harmless, ...args], {
    cwd: folder,
    reject: false,
    timeout: deadlineMs,
    forceKillAfterDelay: 500,
    stdin: "ignore",
    windowsHide: true,
    env: { GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" },
  });
  if (!result.failed) return { kind: "done", output: (result.stdout ?? "").trim() };
  // Without an exit code git was not there to answer, or did not answer in time.
  return { kind: "failed", missing: result.exitCode === undefined, reason: result.shortMessage ?? "git failed" };
}
