// Opens a pull request through `gh`, the command line of GitHub, if the person has it and is signed in with it. Nothing is
// pushed here, and nothing is asked: without an answer `gh` is ended.
//
// Race: somebody else opens one for this branch first. `gh` refuses then and names it, and that one is the answer.

import { delimiter } from "node:path";
import type { CallResult } from "../../../preload/contract";
import { wellKnownFolders } from "../../codex/wellKnownFolders";
import { Fault } from "../../fault";
import { toFaultView } from "../../faultView";
import { redactText } from "../../redact";
import type { Job } from "./jobs";
import { type ProgramEnd, runProgram } from "./program";
import { pushTarget } from "./push";
import { type ChangesRepository, personEnvironment } from "./repository";

export type PullRequestFacts = CallResult<"changes.pullRequest">;

export interface NewPullRequest {
  title: string;
  body: string;
  base: string | null;
  draft: boolean;
}

const askLimitMs = 20_000;
const openLimitMs = 120_000;
const mostBytes = 1024 * 1024;
const mostCommits = 50;

export async function pullRequestFacts(repository: ChangesRepository): Promise<PullRequestFacts> {
  const facts: PullRequestFacts = { cannot: null, existing: null, title: "", body: "", base: null };
  try {
    const branch = await needBranch(repository);
    Object.assign(facts, await words(repository, branch));
    await needGh(repository);
    facts.existing = await existing(repository, branch);
    facts.base = await defaultBranch(repository);
    if (facts.existing === null) await needPushed(repository);
    if (facts.existing === null && facts.base === branch) {
      throw new Fault("no_own_branch", `${branch} is the branch that pull requests go into.`, {
        hint: "Make a branch for these commits first.",
      });
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    facts.cannot = toFaultView(error);
  }
  return facts;
}

export async function openPullRequest(
  repository: ChangesRepository,
  wanted: NewPullRequest,
  job: Job,
): Promise<{ outcome: "opened" | "there"; url: string }> {
  const branch = await needBranch(repository);
  await needGh(repository);
  const before = await existing(repository, branch);
  if (before) return { outcome: "there", url: before.url };
  await needPushed(repository);
  const end = await gh(
    repository,
    [
      "pr",
      "create",
      `--title=${wanted.title}`,
      "--body-file=-",
      `--head=${branch}`,
      ...(wanted.base === null ? [] : [`--base=${wanted.base}`]),
      ...(wanted.draft ? ["--draft"] : []),
    ],
    { limitMs: openLimitMs, input: Buffer.from(wanted.body), job },
  );
  const said = textOf(end);
  const url = /https?:\/\/\S+\/pull\/\d+/.exec(said)?.[0];
  if (end.end === "ended" && end.code === 0 && url) return { outcome: "opened", url };
  if (end.end === "ended" && url && /already exists/.test(said)) return { outcome: "there", url };
  throw ghFault(end, "The pull request was not opened.");
}

async function needBranch(repository: ChangesRepository): Promise<string> {
  if (repository.branch !== null) return repository.branch;
  throw new Fault("no_branch", "No branch is checked out, so there is none to open a pull request for.", {
    hint: "Make a branch for these commits first.",
  });
}

async function needGh(repository: ChangesRepository): Promise<void> {
  const version = await gh(repository, ["--version"]);
  if (version.end === "not found") {
    throw new Fault("gh_missing", "Pull requests are opened with `gh`, which is not installed.", {
      hint: "Install the GitHub command line from https://cli.github.com and run `gh auth login`.",
      retryable: true,
    });
  }
  if (version.end !== "ended" || version.code !== 0) throw ghFault(version, "`gh` does not run.");
  const signedIn = await gh(repository, ["auth", "status"]);
  if (signedIn.end !== "ended" || signedIn.code !== 0) {
    throw new Fault("gh_signed_out", "`gh` is not signed in.", {
      hint: "Run `gh auth login` in a terminal, then try again.",
      detail: textOf(signedIn),
      retryable: true,
    });
  }
}

/** That what is here is there: a pull request is about what the remote has. */
async function needPushed(repository: ChangesRepository): Promise<void> {
  const { remote, branch } = await pushTarget(repository, null);
  const { code, output } = await repository.look(
    ["rev-parse", "--quiet", "--verify", `refs/remotes/${remote}/${branch}^{commit}`],
    "look at what was pushed",
    { alsoOk: [1, 128] },
  );
  if (code === 0 && output.toString("utf8").trim() === repository.head) return;
  throw new Fault("not_pushed", `${branch} has commits that ${remote} does not have yet.`, {
    hint: "Push the branch first.",
    retryable: true,
  });
}

async function existing(
  repository: ChangesRepository,
  branch: string,
): Promise<PullRequestFacts["existing"]> {
  const end = await gh(repository, [
    "pr",
    "list",
    `--head=${branch}`,
    "--state=open",
    "--limit=1",
    "--json=url,number,title",
  ]);
  if (end.end !== "ended" || end.code !== 0) throw ghFault(end, "`gh` could not look for a pull request.");
  const [found] = readList(end.output.toString("utf8"));
  return found ?? null;
}

function readList(text: string): NonNullable<PullRequestFacts["existing"]>[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new Fault("gh_unreadable", "`gh` gave no answer that can be read.", {
      detail: redactText(text.slice(0, 2_000)),
    });
  }
  if (!Array.isArray(parsed)) return [];
  return parsed.flatMap((each: unknown) => {
    const { url, number, title } = (each ?? {}) as Record<string, unknown>;
    return typeof url === "string" && Number.isInteger(number)
      ? [{ url, number: Number(number), title: String(title ?? "") }]
      : [];
  });
}

/** null: `gh` does not say. */
async function defaultBranch(repository: ChangesRepository): Promise<string | null> {
  const end = await gh(repository, [
    "repo",
    "view",
    "--json=defaultBranchRef",
    "--jq=.defaultBranchRef.name",
  ]);
  if (end.end !== "ended" || end.code !== 0) return null;
  return end.output.toString("utf8").trim() || null;
}

/** What it could say: the commits that no other branch of a remote has. */
async function words(
  repository: ChangesRepository,
  branch: string,
): Promise<{ title: string; body: string }> {
  const head = repository.head;
  if (head === null) return { title: "", body: "" };
  const listed = await repository.lookText(
    [
      "log",
      "--reverse",
      `--max-count=${mostCommits}`,
      "--no-show-signature",
      "--encoding=UTF-8",
      "--format=%s%x00%b%x00",
      head,
      "--not",
      `--exclude=*/${branch}`,
      "--remotes",
    ],
    "list the commits",
  );
  const fields = listed.split("\0").map((field) => field.trim());
  const commits: { subject: string; body: string }[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2)
    commits.push({ subject: fields[at] ?? "", body: fields[at + 1] ?? "" });
  const [only, ...more] = commits;
  if (only && more.length === 0) return { title: only.subject, body: only.body };
  const title = branch.replace(/^.*\//, "").replaceAll(/[-_]+/g, " ").trim();
  return { title, body: commits.map(({ subject }) => `- ${subject}`).join("\n") };
}

async function gh(
  repository: ChangesRepository,
  args: readonly string[],
  more: { limitMs?: number; input?: Uint8Array; job?: Job } = {},
): Promise<ProgramEnd> {
  const environment = personEnvironment(repository.environment);
  const folders = await wellKnownFolders({
    platform: process.platform,
    homeFolder: environment.HOME ?? environment.USERPROFILE ?? "",
    env: environment,
  });
  return runProgram({
    command: "gh",
    args,
    cwd: repository.root,
    environment: {
      ...environment,
      PATH: [environment.PATH, ...folders].filter((part) => part).join(delimiter),
      GH_PROMPT_DISABLED: "1",
      GH_NO_UPDATE_NOTIFIER: "1",
      NO_COLOR: "1",
      CLICOLOR_FORCE: "0",
      ...more.job?.variables,
    },
    clock: repository.clock,
    limitMs: more.limitMs ?? askLimitMs,
    mostBytes,
    ...(more.input === undefined ? {} : { input: more.input }),
    ...(more.job === undefined
      ? {}
      : { heard: (chunk: Buffer) => more.job?.heard(chunk), signal: more.job.signal }),
  });
}

function textOf(end: ProgramEnd): string {
  switch (end.end) {
    case "ended":
      return redactText(`${end.output.toString("utf8")}\n${end.errors}`.trim());
    case "enough":
      return redactText(end.output.toString("utf8").slice(0, 2_000));
    case "not found":
      return "`gh` was not found.";
    case "not started":
      return end.detail;
    case "no answer":
      return `It took too long. ${redactText(end.errors)}`.trim();
    case "cancelled":
    case "killed":
      return redactText(end.errors);
    default:
      return end satisfies never;
  }
}

function ghFault(end: ProgramEnd, message: string): Fault {
  return new Fault("gh_refused", message, {
    hint: "What `gh` said is in the details.",
    detail: textOf(end),
    retryable: true,
  });
}
