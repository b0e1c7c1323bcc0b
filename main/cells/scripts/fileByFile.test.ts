import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { bundleForScripts, ScriptWorld } from "./testShipped";

const name = "File by file";
const goOn = "Go on there";
const other = "Begin with other files";

let removeBundle: () => void;
let world: ScriptWorld;

beforeAll(async () => {
  removeBundle = await bundleForScripts();
});
afterAll(() => removeBundle());

beforeEach(async () => {
  world = new ScriptWorld();
  await world.makeRepository({ "src/b.ts": "", "src/a.ts": "", "src/deep/c.ts": "", "notes.md": "" });
  person("src/**/*.ts", "Add a header.\n\nA short one.");
});
afterEach(() => world.close());

/** Answers the questions in this order. */
function person(...answers: string[]): void {
  world.answers = (question) => {
    const answer = answers.shift();
    if (answer === undefined) throw new Error(`nobody answers: ${question}`);
    return answer;
  };
}

const turns = () => world.threads[0]?.turns ?? [];
const places = () => turns().map(({ text }) => text.split("\n")[0]);
const questions = () => world.asked.map(({ question }) => question);
const threadCalls = () =>
  world.calls.filter((call) => ["startThread", "sendMessage", "queueFollowUp"].includes(call));

const allPlaces = [
  "File by file, 1 of 3: src/a.ts",
  "File by file, 2 of 3: src/b.ts",
  "File by file, 3 of 3: src/deep/c.ts",
];

/** Ends the turn of one file otherwise, once. */
function once(file: string, outcome: Awaited<ReturnType<ScriptWorld["agent"]>>): void {
  world.agent = (text) => {
    if (!text.split("\n")[0]?.endsWith(file)) return {};
    world.agent = () => ({});
    return outcome;
  };
}

test("goes through the files in one thread, one after another", async () => {
  let running = 0;
  world.agent = async () => {
    running += 1;
    expect(running).toBe(1);
    await Promise.resolve();
    running -= 1;
    return { answer: "Done." };
  };
  const { texts, error } = await world.run(name);
  expect(error).toBeNull();
  expect(questions()).toEqual([
    "Which files? Names or patterns, such as: README.md src/**/*.ts",
    "src/a.ts, src/b.ts, src/deep/c.ts (3): what is to be done with each of them?",
  ]);
  expect(world.threads).toHaveLength(1);
  expect(places()).toEqual(allPlaces);
  expect(turns()[1]?.text).toContain("\n\nAdd a header.\n\nA short one.\n\nOnly this file is meant");
  expect(threadCalls()).toEqual(["startThread", "queueFollowUp", "queueFollowUp"]);
  expect(texts).toEqual(["Done: 1 of 3: src/a.ts", "Done: 2 of 3: src/b.ts", "Done: 3 of 3: src/deep/c.ts"]);
  expect(world.notices).toEqual(["File by file, all done: Add a header."]);
});

test("takes names, patterns, folders, and files that are new; each once", async () => {
  world.write("my notes.md", "");
  world.write("ignored.md", "");
  world.write(".gitignore", "ignored.md\n");
  person('*.md "my notes.md" src/deep', "Read it.");
  await world.run(name);
  expect(places()).toEqual([
    "File by file, 1 of 3: my notes.md",
    "File by file, 2 of 3: notes.md",
    "File by file, 3 of 3: src/deep/c.ts",
  ]);
});

test("asks again where there is no such file", async () => {
  person("", "*.rs", "notes.md", "Read it.");
  await world.run(name);
  expect(questions().slice(1, 3)).toEqual([
    "There is no file “” here. Which files?",
    "There is no file “*.rs” here. Which files?",
  ]);
  expect(places()).toEqual(["File by file, 1 of 1: notes.md"]);
});

test.each([
  ["fails", { status: "failed", error: "no credit" }, "no credit"],
  ["is stopped by the person", { status: "interrupted" }, "The turn was interrupted."],
  ["is not done, as the agent says", { answer: "I tried.\nFAILED: it is generated." }, "it is generated."],
] as const)(
  "stops at the file that %s, and goes on there when it is run again",
  async (_name, outcome, why) => {
    once("b.ts", outcome);
    const first = await world.run(name);
    expect(first.error).toContain(`Stopped at 2 of 3: src/b.ts: ${why}`);
    expect(first.texts).toEqual([
      "Done: 1 of 3: src/a.ts",
      `Stopped at 2 of 3: src/b.ts\n${why}\nRun this script again to go on there.`,
    ]);
    expect(world.notices).toEqual([]);

    person(goOn);
    const second = await world.run(name);
    expect(second.error).toBeNull();
    expect(world.asked.at(-1)).toEqual({
      question: "“Add a header.” has come to src/b.ts; 2 of 3 files are left.",
      options: [goOn, other],
    });
    expect(world.threads).toHaveLength(1);
    expect(places()).toEqual([allPlaces[0], allPlaces[1], allPlaces[1], allPlaces[2]]);
    // What is queued after a turn that was stopped would wait for the person.
    expect(threadCalls().slice(2)).toEqual(["sendMessage", "queueFollowUp"]);
    expect(second.texts).toEqual(["Done: 2 of 3: src/b.ts", "Done: 3 of 3: src/deep/c.ts"]);
  },
);

test("goes on where its run was stopped, after the turn that still ran then", async () => {
  let reached = () => {};
  const atB = new Promise<void>((resolve) => {
    reached = resolve;
  });
  let finish = (_outcome: { status: "completed" }) => {};
  const ended = new Promise<{ status: "completed" }>((resolve) => {
    finish = resolve;
  });
  world.agent = (text) => {
    if (!text.split("\n")[0]?.endsWith("b.ts")) return {};
    reached();
    return ended;
  };
  const { cellId, end } = world.begin(name);
  await atB;
  await world.stop(cellId);
  expect(await end).toEqual({ texts: ["Done: 1 of 3: src/a.ts"], error: "terminated" });

  world.answers = (question) => {
    expect(question).toContain("has come to src/b.ts; 2 of 3 files are left.");
    finish({ status: "completed" });
    return goOn;
  };
  const { error } = await world.run(name);
  expect(error).toBeNull();
  expect(places()).toEqual(allPlaces);
});

test("begins anew when the person wants that, and when nothing was left", async () => {
  once("b.ts", { status: "failed" });
  await world.run(name);
  person(other, "notes.md", "Read it.");
  await world.run(name);
  person("notes.md", "Read it again.");
  await world.run(name);
  expect(world.threads.map((thread) => thread.turns.map(({ text }) => text.split("\n")[0]))).toEqual([
    allPlaces.slice(0, 2),
    ["File by file, 1 of 1: notes.md"],
    ["File by file, 1 of 1: notes.md"],
  ]);
});

test("finds its place among what the person has said in the thread, and when files have come and gone", async () => {
  once("b.ts", { status: "failed" });
  await world.run(name);
  world.threads[0]?.turns.push({ text: "Why?", outcome: { answer: "Because." } });
  world.write("src/aa.ts", "");
  world.write("src/bb.ts", "");
  await world.git("rm", "--quiet", "src/b.ts");
  person(goOn);
  await world.run(name);
  expect(places().slice(3)).toEqual([
    "File by file, 3 of 4: src/bb.ts",
    "File by file, 4 of 4: src/deep/c.ts",
  ]);
});

test("stops where a message cannot be sent", async () => {
  world.agent = (text) => {
    if (text.includes("2 of 3")) throw new Error("codex does not answer");
    return {};
  };
  const { error } = await world.run(name);
  expect(error).toContain("Stopped at 2 of 3: src/b.ts: codex does not answer");
});
