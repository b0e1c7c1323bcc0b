// Pushes the branch that is checked out: to the branch of the same name, never by force, and never to another one.
//
// Race: somebody else pushes first. The remote refuses then, and git's words are told.

import { Fault } from "../../fault";
import { redactText } from "../../redact";
import type { Job } from "./jobs";
import { remotesOf } from "./list";
import { type ChangesRepository, gitFault } from "./repository";

export interface Pushed {
  remote: string;
  branch: string;
  upstreamSet: boolean;
  output: string;
}

const pushLimitMs = 10 * 60_000;

/** Where a push of a branch goes. */
export interface PushTarget {
  branch: string;
  remote: string;
  /** The branch follows one of the same name there already, or another one on purpose. */
  hasUpstream: boolean;
}

export async function push(repository: ChangesRepository, wanted: string | null, job: Job): Promise<Pushed> {
  const target = await pushTarget(repository, wanted);
  if (repository.head === null) {
    throw new Fault("nothing_to_push", "There is no commit yet, so there is nothing to push.");
  }
  const { branch, remote, hasUpstream } = target;
  const ref = `refs/heads/${branch}`;
  const end = await repository.act(
    ["push", "--progress", ...(hasUpstream ? [] : ["--set-upstream"]), "--", remote, `${ref}:${ref}`],
    {
      limitMs: pushLimitMs,
      signal: job.signal,
      variables: { ...job.variables, GIT_SSH_COMMAND: await sshCommand(repository) },
      take: () => true,
      heard: (chunk) => job.heard(chunk),
    },
  );
  if (end.end === "enough" || (end.end === "ended" && end.code === 0)) {
    return { remote, branch, upstreamSet: !hasUpstream, output: job.said() };
  }
  if (end.end !== "ended") throw gitFault(end, "push");
  throw refusal(job.said(), branch);
}

export async function pushTarget(repository: ChangesRepository, wanted: string | null): Promise<PushTarget> {
  const { branch } = repository;
  if (branch === null) {
    throw new Fault("no_branch", "No branch is checked out, so there is none to push.", {
      hint: "Make a branch for these commits first.",
    });
  }
  const remotes = await remotesOf(repository);
  const followed = await setting(repository, `branch.${branch}.remote`);
  const merged = await setting(repository, `branch.${branch}.merge`);
  const preferred =
    wanted ??
    (await setting(repository, `branch.${branch}.pushRemote`)) ??
    (await setting(repository, "remote.pushDefault")) ??
    (followed !== null && remotes.includes(followed) ? followed : null) ??
    (remotes.includes("origin") ? "origin" : (remotes[0] ?? null));
  if (preferred === null || !remotes.includes(preferred)) {
    throw new Fault("no_remote", "This repository has no remote to push to.", {
      hint: "Add one with `git remote add origin ADDRESS`, then try again.",
      ...(preferred === null ? {} : { detail: preferred }),
    });
  }
  // One that follows another branch, such as that it was made from, gets one of its own; a fork keeps what it follows.
  const followsOwn = followed === preferred && merged === `refs/heads/${branch}`;
  const isTriangle = followed !== null && followed !== preferred;
  return { branch, remote: preferred, hasUpstream: followsOwn || isTriangle };
}

async function setting(repository: ChangesRepository, name: string): Promise<string | null> {
  const { code, output } = await repository.look(["config", "--get", name], "read the configuration", {
    alsoOk: [1],
  });
  return code === 0 ? output.toString("utf8").trim() || null : null;
}

/** The person's, but it asks nothing: nobody is at a terminal. */
async function sshCommand(repository: ChangesRepository): Promise<string | undefined> {
  const own = repository.environment.GIT_SSH_COMMAND ?? (await setting(repository, "core.sshCommand"));
  if (!own && repository.environment.GIT_SSH) return undefined;
  return `${own || "ssh"} -o BatchMode=yes`;
}

function refusal(said: string, branch: string): Fault {
  const detail = redactText(said);
  if (/\b(non-fast-forward|fetch first)\b/.test(said)) {
    return new Fault("push_behind", `The remote has commits on ${branch} that are not here.`, {
      hint: "Get them first (`git pull`), then push again. Nothing is pushed by force.",
      detail,
      retryable: true,
    });
  }
  if (
    /terminal prompts disabled|could not read (Username|Password)|Permission denied|Authentication failed|Host key verification/i.test(
      said,
    )
  ) {
    return new Fault("push_not_allowed", "The remote does not let git in without asking you something.", {
      hint: "Push once in a terminal, where git can ask, or set up a credential helper or an SSH key.",
      detail,
      retryable: true,
    });
  }
  return new Fault("push_refused", "The push did not go through.", {
    hint: "What git said is in the details.",
    detail,
    retryable: true,
  });
}
