// Goes through files in one thread, a message for each; stops at the first that fails, and can go on there.

async function main() {
  const work = (await earlierWork()) ?? (await newWork());
  const { files, patterns, task, next } = work;
  let thread = work.threadId;
  for (let index = next; index < files.length; index += 1) {
    const place = `${index + 1} of ${files.length}: ${files[index]}`;
    const why = await tryTo(async () => {
      const threadId = await send(messageFor(place, task, patterns), thread, index === next);
      thread = threadId;
      return problem(await tools.waitForTurn({ threadId }));
    });
    if (why !== null) {
      text(`Stopped at ${place}\n${why}\nRun this script again to go on there.`);
      throw new Error(`Stopped at ${place}: ${why}`);
    }
    text(`Done: ${place}`);
  }
  notify(`File by file, all done: ${short(task)}`);
}

const goOn = "Go on there";

/**
 * What an earlier run has left undone, if the person wants to go on with it. The thread itself remembers the place: what a
 * script stores is kept when it ends by itself, and that run may have been stopped.
 */
async function earlierWork() {
  const threads = await tools.listThreads({ limit: 100 });
  const thread = threads.find(({ title }) => title.startsWith("File by file, "));
  if (!thread) return null;
  const { threadId } = thread;
  const last = lastAsked((await tools.readThread({ threadId })).turns);
  if (!last) return null;
  const { file, task, patterns, turn } = last;
  const files = await filesLike(patterns);
  const left = (why) => files.filter((each) => each > file || (why !== null && each === file)).length;
  if (left(problem(turn)) === 0) return null;

  const { answer } = await tools.ask({
    question: `“${short(task)}” has come to ${file}; ${left(problem(turn))} of ${files.length} files are left.`,
    options: [goOn, "Begin with other files"],
  });
  if (answer !== goOn) return null;
  const why = turn.status === "running" ? problem(await tools.waitForTurn({ threadId })) : problem(turn);
  return { files, patterns, task, next: files.length - left(why), threadId };
}

async function newWork() {
  let question = "Which files? Names or patterns, such as: README.md src/**/*.ts";
  for (;;) {
    const patterns = (await tools.ask({ question })).answer.trim().replace(/\s+/g, " ");
    const files = await filesLike(patterns);
    if (files.length > 0) {
      const named = `${files.slice(0, 5).join(", ")}${files.length > 5 ? ", …" : ""} (${files.length})`;
      const { answer } = await tools.ask({ question: `${named}: what is to be done with each of them?` });
      return { files, patterns, task: answer.trim(), next: 0, threadId: null };
    }
    question = `There is no file “${patterns}” here. Which files?`;
  }
}

function messageFor(place, task, patterns) {
  return `File by file, ${place}

${task}

Only this file is meant, one of: ${patterns}
The others come one by one. If it cannot be done, end with a line “FAILED: ” and the reason.`;
}

/** The newest message of this script in a thread, read back, and its turn. */
function lastAsked(turns) {
  const form = /^File by file, \d+ of \d+: (.+)\n\n([\s\S]*)\n\nOnly this file is meant, one of: (.+)\n/;
  for (const { status, items } of turns.toReversed()) {
    const asked = items.map(({ text }) => form.exec(text)).find((match) => match);
    if (!asked) continue;
    const [, file, task, patterns] = asked;
    const answer = items.findLast(({ kind }) => kind === "Agent")?.text ?? "";
    return { file, task, patterns, turn: { status, answer, error: null } };
  }
  return null;
}

/** Why a turn has not done what was asked. Null: it has. */
function problem({ status, answer, error }) {
  if (status !== "completed") return error ?? `The turn was ${status}.`;
  return /^FAILED: *(.*)$/m.exec(answer)?.[1] ?? null;
}

async function send(message, threadId, isFirst) {
  if (threadId === null) return (await tools.startThread({ text: message })).threadId;
  // A turn that was stopped holds back what is queued, until something is sent.
  if (isFirst) await tools.sendMessage({ threadId, text: message });
  else await tools.queueFollowUp({ threadId, text: message });
  return threadId;
}

/** Those that git knows or would add. A name with spaces stands in quotes. */
async function filesLike(patterns) {
  const words = (patterns.match(/"[^"]+"|\S+/g) ?? []).map((word) => word.replaceAll('"', ""));
  if (words.length === 0) return [];
  const list = ["--glob-pathspecs", "ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { exitCode, stdout, stderr } = await tools.runCommand({ command: ["git", ...list, "--", ...words] });
  if (exitCode !== 0) throw new Error(`git cannot list the files: ${stderr.trim()}`);
  return [...new Set(stdout.split("\0").filter((name) => name !== ""))].sort();
}

async function tryTo(task) {
  try {
    return await task();
  } catch (error) {
    return error.message;
  }
}

/** Its first line, for where there is little room. */
function short(task) {
  const [line] = task.split("\n");
  return line.length > 100 ? `${line.slice(0, 100)}…` : line;
}

await main();
