// Has a task done twice, in two worktrees and in two ways, and shows both diffs.

// More of what startThread takes may differ between them: give one a `model` or an `effort`, say.
const ways = [
  {
    name: "small",
    how: "Do it with the smallest change that does it well. Touch nothing that need not be touched.",
    settings: {},
  },
  {
    name: "thorough",
    how: "Do it as if this code had been written with it in mind from the beginning. Restructure what stands in its way, and test it.",
    settings: {},
  },
];

const longestDiff = 100_000;
const mostNewFiles = 50;

async function main() {
  const base = await lastCommit();
  if (base === null) return;
  const task = (await tools.ask({ question: "Which task is to be done twice?" })).answer.trim();

  const tries = [];
  for (const way of ways) {
    const worktree = await tools.createWorktree({ name: `try/${way.name}-${shortName(task)}`, base });
    text(`${way.name}: begins in ${worktree.folder}, on the branch ${worktree.branch}.`);
    tries.push({ ...way, ...worktree });
  }
  const results = await Promise.all(tries.map((one) => attempt(one, task, base)));

  for (const { name, folder, end, answer, diff } of results) {
    const parts = [`===== ${name}: ${end} =====`, answer, diff.slice(0, longestDiff)];
    text(parts.filter((part) => part !== "").join("\n\n"));
    if (diff.length > longestDiff) text(`That is not all of it. The rest: git diff ${base}, in ${folder}.`);
  }
  text(`In short:\n${results.map((one) => inShort(one, results)).join("\n")}`);
  const places = results.map(({ name, folder, branch }) => `${name}: ${folder}, branch ${branch}`);
  text(`Both worktrees stay:\n${places.join("\n")}`);
  if (results.every(({ end }) => end !== "completed")) throw new Error("Neither of the two was completed.");
  notify(`Both tries have come to their end: ${task.slice(0, 100)}`);
}

/** What both begin with. Null: there is nothing, and the person knows why. */
async function lastCommit() {
  try {
    const commit = (await git(["rev-parse", "--verify", "HEAD"])).trim();
    const isClean = (await git(["status", "--porcelain"])) === "";
    if (!isClean) text("Both begin with the last commit: what is not committed yet is in neither of them.");
    return commit;
  } catch (error) {
    text(`A worktree begins with a commit, and there is none here. git says: ${error.message}`);
    return null;
  }
}

/** Whatever becomes of it, what it has changed by then is shown. */
async function attempt({ name, how, settings, folder, branch }, task, base) {
  const { end, answer } = await work({ text: `Try (${name}): ${task}\n\n${how}`, folder, ...settings });
  text(`${name}: ${end}.`);
  const changed = await changes(folder, base).catch((error) => ({ files: [], diff: error.message }));
  return { name, folder, branch, end, answer, ...changed };
}

async function work(message) {
  try {
    const { threadId } = await tools.startThread(message);
    const { status, answer, error } = await tools.waitForTurn({ threadId });
    return { end: error ? `${status} (${error})` : status, answer };
  } catch (error) {
    return { end: `failed (${error.message})`, answer: "" };
  }
}

/** Everything since the base, committed or not, and the files that are new. */
async function changes(folder, base) {
  const compare = ["diff", "--color=always", "--no-ext-diff", "--numstat", "--patch"];
  const parts = [await git([...compare, base], folder)];
  const untracked = await git(["ls-files", "-z", "--others", "--exclude-standard"], folder);
  const created = untracked.split("\0").filter((file) => file !== "");
  for (const file of created.slice(0, mostNewFiles)) {
    parts.push(await git([...compare, "--no-index", "--", "/dev/null", file], folder));
  }
  const left = created.length - mostNewFiles;

  // Each part begins with a line for each file: how many lines were added, how many removed, its name.
  const files = parts.flatMap((part) => part.slice(0, part.indexOf("\n\n")).split("\n").flatMap(asFile));
  const diff = parts.map((part) => part.slice(part.indexOf("\n\n") + 2)).join("");
  return {
    files,
    diff: `${diff || "Nothing has changed."}${left > 0 ? `\nAnd ${left} more files that are new.` : ""}`,
  };
}

function asFile(line) {
  const [, added, removed, name] = /^(\d+|-)\t(\d+|-)\t(?:\/dev\/null => )?(.+)$/.exec(line) ?? [];
  return name === undefined ? [] : [{ name, added: Number(added) || 0, removed: Number(removed) || 0 }];
}

function inShort({ name, end, files }, results) {
  const added = files.reduce((sum, file) => sum + file.added, 0);
  const removed = files.reduce((sum, file) => sum + file.removed, 0);
  const others = results.filter((one) => one.name !== name).flatMap((one) => one.files);
  const onlyHere = files
    .map((file) => file.name)
    .filter((file) => !others.some((other) => other.name === file));
  const only = onlyHere.length > 0 ? `; only here: ${onlyHere.slice(0, 10).join(", ")}` : "";
  return `${name}: ${end}; files changed: ${files.length}, lines added: ${added}, removed: ${removed}${only}`;
}

/** For a branch: the first words of the task. */
function shortName(task) {
  const words = task.toLowerCase().match(/[a-z0-9]+/g) ?? ["task"];
  return words.slice(0, 4).join("-").slice(0, 40);
}

async function git(args, folder) {
  const { exitCode, stdout, stderr } = await tools.runCommand({ command: ["git", ...args], folder });
  // 1 is how diff says that there is a difference.
  if (exitCode > 1) throw new Error(stderr.trim() || `git ${args[0]} has ended with ${exitCode}.`);
  return stdout;
}

await main();
