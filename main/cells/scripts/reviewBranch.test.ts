import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { Happenings } from "../runtime/testCells";
import { bundleForScripts, ScriptWorld } from "./testShipped";

const name = "Review a branch";
const uncommitted = "What is not committed yet";

let removeBundle: () => void;
let world: ScriptWorld;

beforeAll(async () => {
  removeBundle = await bundleForScripts();
});
afterAll(() => removeBundle());

beforeEach(async () => {
  world = new ScriptWorld();
  await world.makeRepository({ "limits.ts": "export const burst = 50;\n" });
  world.agent = (text) => ({
    answer: text.startsWith("Merge") ? "one list" : `found as ${text.split(":")[0]}`,
  });
});
afterEach(() => world.close());

/** One commit ahead of main. */
async function onFeature(): Promise<void> {
  await world.git("checkout", "--quiet", "-b", "feature");
  world.write("limits.ts", "export const burst = 500;\n");
  await world.commit();
}

/** Answers the questions in this order. */
function person(...answers: string[]): void {
  world.answers = () => answers.shift() ?? "nothing more";
}

const titles = () => world.threads.map(({ turns }) => turns[0]?.text.split("\n")[0]);
const asked = (title: string) => {
  const thread = world.threads.find(({ turns }) => turns[0]?.text.startsWith(title));
  return thread?.turns[0]?.text ?? "";
};

test("three agents that may only read review it side by side, and a fourth merges what they found", async () => {
  await onFeature();
  const parting = await world.git("rev-parse", "main");
  person("main");
  // None of them ends before all three have begun.
  const allBegun = new Happenings<true>();
  const answers = world.agent;
  world.agent = async (text, thread) => {
    if (text.startsWith("Review (clarity")) for (const _ of "123") allBegun.push(true);
    if (text.startsWith("Review")) await allBegun.next();
    return answers(text, thread);
  };
  const { texts, error } = await world.run(name);
  expect(error).toBeNull();
  expect(world.asked).toEqual([
    { question: "Review feature against which branch or commit?", options: ["main"] },
  ]);
  expect(titles()).toEqual([
    "Review (correctness): feature against main",
    "Review (security and data loss): feature against main",
    "Review (clarity and tests): feature against main",
    "Merge of the reviews: feature against main",
  ]);
  for (const { settings, turns } of world.threads) {
    expect(settings).toEqual({ sandbox: "read-only", approvalPolicy: "never" });
    expect(turns[0]?.text).toContain(`git diff ${parting} HEAD`);
  }
  expect(asked("Merge")).toContain(
    "## correctness\n\nfound as Review (correctness)\n\n## security and data loss\n\nfound as",
  );
  expect(texts).toEqual([
    "Three agents review feature against main.",
    "Done: correctness.",
    "Done: security and data loss.",
    "Done: clarity and tests.",
    "A fourth agent merges what they have found.",
    "one list",
    "What each agent has seen and said is in the threads of this run.",
  ]);
  expect(world.notices).toEqual(["The review of feature against main is done."]);
});

test("what the base has got since is no part of the change, and the base is offered first the next time", async () => {
  await world.git("branch", "release");
  await onFeature();
  await world.git("checkout", "--quiet", "main");
  world.write("later.ts", "");
  await world.commit();
  await world.git("checkout", "--quiet", "feature");
  const parting = await world.git("rev-parse", "release");
  person("release", "main");
  await world.run(name);
  expect(asked("Review (correctness)")).toContain(`git diff ${parting} HEAD`);
  await world.run(name);
  expect(asked("Review (correctness): feature against main")).toContain(`git diff ${parting} HEAD`);
  expect(world.asked.map(({ options }) => options)).toEqual([
    ["main", "release"],
    ["release", "main"],
  ]);
});

test("what is not committed can be reviewed, and is not in the review of a branch", async () => {
  await onFeature();
  world.write("new.ts", "");
  person("main", uncommitted);
  const { texts } = await world.run(name);
  expect(texts).toContain("What is not committed yet is not part of the review.");
  await world.run(name);
  expect(world.asked[1]?.options).toEqual(["main", uncommitted]);
  expect(titles()).toContain("Review (correctness): what is not committed");
  expect(asked("Review (correctness): what is not committed")).toContain("git status; git diff HEAD");
});

test.each([
  [
    "there is no commit",
    async () => world.git("checkout", "--quiet", "--orphan", "empty"),
    /any commits yet/,
  ],
  [
    "nothing is beyond any other branch",
    async () => world.git("branch", "other"),
    /There is nothing to review/,
  ],
])("says so when %s", async (_name, prepare, words) => {
  await prepare();
  const { texts, error } = await world.run(name);
  expect(error).toBeNull();
  expect(texts).toEqual([expect.stringMatching(words)]);
  expect(world.threads).toEqual([]);
});

test("asks again for a base that is none, and for one that has everything", async () => {
  await onFeature();
  person("nonsense", "--all", "feature", "main");
  const { error } = await world.run(name);
  expect(error).toBeNull();
  expect(world.asked.map(({ question }) => question)).toEqual([
    "Review feature against which branch or commit?",
    "feature cannot be compared with “nonsense”. Which branch or commit is it?",
    "feature cannot be compared with “--all”. Which branch or commit is it?",
    "feature has changed nothing since “feature”. Review it against what else?",
  ]);
});

test("names a commit where no branch is checked out", async () => {
  await onFeature();
  await world.git("checkout", "--quiet", "--detach");
  person("main");
  await world.run(name);
  expect(world.asked[0]?.question).toBe(
    `Review ${await world.git("rev-parse", "--short", "HEAD")} against which branch or commit?`,
  );
});

test.each([
  [
    "does not begin",
    () => {
      throw new Error("codex does not answer");
    },
    "codex does not answer",
  ],
  ["fails", () => ({ status: "failed" as const, error: "no credit" }), "no credit"],
  ["is stopped", () => ({ status: "interrupted" as const }), "Its turn was interrupted."],
  ["says nothing", () => ({ answer: " \n" }), "It has ended without an answer."],
])("goes on with the others when one %s, and says which", async (_name, outcome, why) => {
  await onFeature();
  person("main");
  const others = world.agent;
  world.agent = (text, thread) => (text.startsWith("Review (security") ? outcome() : others(text, thread));
  const { texts, error } = await world.run(name);
  expect(error).toBeNull();
  expect(texts).toContain(`Failed: security and data loss. ${why}`);
  expect(texts).toContain("Not part of it, since it failed: security and data loss.");
  expect(texts).toContain("one list");
  expect(asked("Merge")).toContain("## clarity and tests");
  expect(asked("Merge")).not.toContain("## security");
});

test("fails when all three do, and merges nothing", async () => {
  await onFeature();
  person("main");
  world.agent = () => ({ status: "failed", error: "no credit" });
  const { error } = await world.run(name);
  expect(error).toMatch(/None of the three agents has finished its review/);
  expect(world.threads).toHaveLength(3);
  expect(world.notices).toEqual([]);
});

test("shows the findings as they are when they cannot be merged", async () => {
  await onFeature();
  person("main");
  const others = world.agent;
  world.agent = (text, thread) =>
    text.startsWith("Merge") ? { status: "failed", error: "no credit" } : others(text, thread);
  const { texts, error } = await world.run(name);
  expect(error).toBeNull();
  expect(texts.join("\n")).toContain(
    "That has failed: no credit\nThese are their findings as they are.\n## correctness\n\nfound as Review (correctness)",
  );
});
