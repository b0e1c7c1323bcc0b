// Three agents review a branch, each with an eye for something else; a fourth merges their findings.

const reviewers = [
  {
    name: "correctness",
    looksFor:
      "Whether it does what it should: wrong results, cases that were forgotten, errors that get lost, races, callers that it breaks.",
  },
  {
    name: "security and data loss",
    looksFor:
      "Whether it can do harm: input that is trusted, secrets that leak, rights that are too wide, data that can be lost or overwritten, resources that are never given back.",
  },
  {
    name: "clarity and tests",
    looksFor:
      "Whether others can live with it: names and structure that mislead, code that says the same twice, behaviour without a test, tests that cannot fail.",
  },
];

const uncommitted = "What is not committed yet";
const lastBase = "Review a branch: base";

async function main() {
  const change = await chooseChange();
  if (!change) return;
  text(`Three agents review ${change.name}.`);

  const reviews = await Promise.all(reviewers.map((reviewer) => review(reviewer, change)));
  const done = reviews.filter(({ findings }) => findings !== null);
  const failed = reviews.filter(({ findings }) => findings === null).map(({ name }) => name);
  if (done.length === 0) throw new Error("None of the three agents has finished its review.");

  const all = done.map(({ name, findings }) => `## ${name}\n\n${findings}`).join("\n\n");
  text("A fourth agent merges what they have found.");
  const merged = await merge(all, change).catch((error) => {
    text(`That has failed: ${error.message}\nThese are their findings as they are.`);
    return all;
  });
  text(merged);
  if (failed.length > 0) text(`Not part of it, since it failed: ${failed.join("; ")}.`);
  text("What each agent has seen and said is in the threads of this run.");
  notify(`The review of ${change.name} is done.`);
}

/** What is to be reviewed, and how to see it. Null: there is nothing, and the person knows why. */
async function chooseChange() {
  const newest = await git("log", "-1", "--format=%h");
  if (!newest.ok) {
    text(`There is nothing to review here. git says: ${newest.errors}`);
    return null;
  }
  const branch = (await git("branch", "--show-current")).output || newest.output;
  const isClean = (await git("status", "--porcelain")).output === "";
  const bases = await possibleBases();
  if (bases.length === 0 && isClean) {
    text(
      `There is nothing to review: all is committed, and every other branch has all commits of ${branch} already.`,
    );
    return null;
  }

  let question = `Review ${branch} against which branch or commit?`;
  for (;;) {
    const options = isClean ? bases : [...bases, uncommitted];
    const base = (await tools.ask({ question, options })).answer.trim();
    if (base === uncommitted) {
      return { name: "what is not committed", shownBy: "git status; git diff HEAD; and the new files" };
    }
    // Where the two have parted: what the base has got since then is no change of this branch.
    const parting = await git("merge-base", "--", base, "HEAD");
    if (!parting.ok) {
      question = `${branch} cannot be compared with “${base}”. Which branch or commit is it?`;
    } else if ((await git("diff", "--quiet", parting.output, "HEAD")).ok) {
      question = `${branch} has changed nothing since “${base}”. Review it against what else?`;
    } else {
      store(lastBase, base);
      if (!isClean) text("What is not committed yet is not part of the review.");
      return { name: `${branch} against ${base}`, shownBy: `git diff ${parting.output} HEAD` };
    }
  }
}

/** The branches that lack something of this one: the likely ones first, then those that were worked on last. */
async function possibleBases() {
  // Another name for a branch, such as origin/HEAD, is left empty.
  const format = "--format=%(if)%(symref)%(then)%(else)%(refname:short)%(end)";
  const which = ["--no-contains=HEAD", "refs/heads", "refs/remotes"];
  const listed = await git("for-each-ref", "--sort=-committerdate", "--count=50", format, ...which);
  const names = listed.output.split("\n").filter((name) => name !== "");
  const likely = [String(load(lastBase)), "main", "master", "develop"];
  return [...new Set([...likely.filter((name) => names.includes(name)), ...names])].slice(0, 10);
}

async function review({ name, looksFor }, change) {
  try {
    const findings = await answerOf(`Review (${name}): ${change.name}

${looksFor}

This shows the change: ${change.shownBy}
Read what is around it too. Change nothing. You are one of three reviewers; the others look for other things.
Answer with what you have found and are sure of. For each: file and line, what is wrong, what comes of it, and how much it weighs (high, medium, low). If you have found nothing, say only that.`);
    text(`Done: ${name}.`);
    return { name, findings };
  } catch (error) {
    text(`Failed: ${name}. ${error.message}`);
    return { name, findings: null };
  }
}

function merge(all, change) {
  return answerOf(`Merge of the reviews: ${change.name}

Below is what several reviewers have found in the change that this shows: ${change.shownBy}
Make one list of it. Join those that mean the same. Each has its file and line, what is wrong and what comes of it; what weighs most comes first. Leave nothing else out and add nothing. Where two contradict each other, look at the code.

${all}`);
}

/** What an agent that may only read answers. */
async function answerOf(message) {
  const { threadId } = await tools.startThread({
    text: message,
    sandbox: "read-only",
    approvalPolicy: "never",
  });
  const { status, answer, error } = await tools.waitForTurn({ threadId });
  if (status !== "completed") throw new Error(error ?? `Its turn was ${status}.`);
  if (answer.trim() === "") throw new Error("It has ended without an answer.");
  return answer.trim();
}

async function git(...args) {
  const { exitCode, stdout, stderr } = await tools.runCommand({ command: ["git", ...args] });
  return { ok: exitCode === 0, output: stdout.trim(), errors: stderr.trim() };
}

await main();
