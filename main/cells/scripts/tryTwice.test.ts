import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { bundleForScripts, type PlayedThread, ScriptWorld } from "./testShipped";

const name = "Try it twice";
const task = "Raise the burst limit, and say why!";

let removeBundle: () => void;
let world: ScriptWorld;

beforeAll(async () => {
  removeBundle = await bundleForScripts();
});
afterAll(() => removeBundle());

beforeEach(async () => {
  world = new ScriptWorld();
  await world.makeRepository({ "limits.ts": "export const burst = 50;\n" });
  world.answers = () => task;
});
afterEach(() => world.close());

const isSmall = (thread: PlayedThread) => thread.settings.folder?.includes("try-small-");
const folders = () =>
  ["small", "thorough"].map((way) => join(world.folder, `try-${way}-raise-the-burst-limit`));

test("does the task in two worktrees at the same time, and shows what each has changed", async () => {
  world.agent = (_text, thread) => {
    const { folder } = thread.settings;
    world.write("limits.ts", "export const burst = 500;\n", folder);
    if (!isSmall(thread)) world.write("docs/why is it.md", "Because.\nYes.\n", folder);
    return { answer: isSmall(thread) ? "One line." : "One line, and why." };
  };
  const { texts, error } = await world.run(name);
  expect(error).toBeNull();
  const [small = "", thorough = ""] = folders();
  expect(world.asked).toEqual([{ question: "Which task is to be done twice?", options: undefined }]);
  expect(world.threads.map(({ settings }) => settings)).toEqual([{ folder: small }, { folder: thorough }]);
  const messages = world.threads.map(({ turns }) => turns[0]?.text);
  expect(messages[0]).toMatch(new RegExp(`^Try \\(small\\): ${task}\n\nDo it with the smallest change`));
  expect(messages[1]).toMatch(new RegExp(`^Try \\(thorough\\): ${task}\n\nDo it as if`));
  expect(texts.slice(0, 2)).toEqual([
    `small: begins in ${small}, on the branch try/small-raise-the-burst-limit.`,
    `thorough: begins in ${thorough}, on the branch try/thorough-raise-the-burst-limit.`,
  ]);
  expect(texts.slice(2, 4).sort()).toEqual(["small: completed.", "thorough: completed."]);
  expect(texts[4]).toMatch(/^===== small: completed =====\n\nOne line\.\n\ndiff --git a\/limits\.ts/);
  expect(texts[4]).not.toContain("why is it.md");
  expect(texts[5]).toContain("-export const burst = 50;\n+export const burst = 500;\n");
  expect(texts[5]).toMatch(/\+\+\+ b\/docs\/why is it\.md\s*\n@@ -0,0 \+1,2 @@\n\+Because\.\n\+Yes\.\n$/);
  expect(texts[6]).toBe(
    "In short:\n" +
      "small: completed; files changed: 1, lines added: 1, removed: 1\n" +
      "thorough: completed; files changed: 2, lines added: 3, removed: 1; only here: docs/why is it.md",
  );
  expect(texts[7]).toContain(`Both worktrees stay:\nsmall: ${small}, branch try/small-raise`);
  expect(world.notices).toEqual([`Both tries have come to their end: ${task}`]);
  expect(await world.git("worktree", "list")).toContain(thorough);
  expect(await world.git("status", "--porcelain")).toBe("");
});

test("what an agent has committed is in its diff, and what was not committed before is in neither", async () => {
  world.write("limits.ts", "export const burst = 51;\n");
  world.agent = async (_text, thread) => {
    if (!isSmall(thread)) return {};
    const { folder = "" } = thread.settings;
    world.write("limits.ts", "export const burst = 500;\n", folder);
    await world.git("-C", folder, "commit", "--quiet", "--all", "--message", "done");
    return {};
  };
  const { texts } = await world.run(name);
  expect(texts[0]).toBe("Both begin with the last commit: what is not committed yet is in neither of them.");
  expect(texts.join("\n")).toContain("-export const burst = 50;\n+export const burst = 500;\n");
  expect(texts.join("\n")).toContain("===== thorough: completed =====\n\nNothing has changed.");
});

test.each([
  [
    "does not begin",
    () => {
      throw new Error("codex does not answer");
    },
    "failed (codex does not answer)",
  ],
  ["fails", () => ({ status: "failed" as const, error: "no credit" }), "failed (no credit)"],
  ["is stopped", () => ({ status: "interrupted" as const }), "interrupted"],
])("shows both also when one %s", async (_name, outcome, end) => {
  world.agent = (_text, thread) => {
    world.write("half.ts", "", thread.settings.folder);
    return isSmall(thread) ? outcome() : {};
  };
  const { texts, error } = await world.run(name);
  expect(error).toBeNull();
  expect(texts.join("\n")).toMatch(/===== small: .* =====\n\ndiff --git a\/half\.ts/);
  expect(texts.join("\n")).toContain(
    `\nsmall: ${end}; files changed: 1, lines added: 0, removed: 0\nthorough: completed`,
  );
});

test("fails when neither is completed, after it has shown them and where they are", async () => {
  world.agent = () => ({ status: "failed", error: "no credit" });
  const { texts, error } = await world.run(name);
  expect(error).toMatch(/Neither of the two was completed/);
  expect(texts.at(-1)).toContain(`Both worktrees stay:\nsmall: ${folders()[0]}`);
  expect(world.notices).toEqual([]);
});

test("says which worktree was made when the second cannot be", async () => {
  await world.git("branch", "try/thorough-raise-the-burst-limit");
  const { texts, error } = await world.run(name);
  expect(texts).toEqual([
    expect.stringMatching(/^small: begins in .*try-small-raise-the-burst-limit, on the branch/),
  ]);
  expect(error).toMatch(/already exists/);
  expect(world.threads).toEqual([]);
});

test("says so where there is no commit", async () => {
  await world.git("checkout", "--quiet", "--orphan", "empty");
  const { texts, error } = await world.run(name);
  expect(error).toBeNull();
  expect(texts).toEqual([expect.stringMatching(/^A worktree begins with a commit, and there is none here/)]);
  expect(world.asked).toEqual([]);
});

test("cuts what is too long to be shown, and says where the rest is", async () => {
  world.agent = (_text, thread) => {
    if (!isSmall(thread)) return {};
    for (let file = 0; file < 52; file += 1) {
      world.write(`new/${file}.ts`, "x\n".repeat(2_000), thread.settings.folder);
    }
    return {};
  };
  const { texts } = await world.run(name);
  expect(Math.max(...texts.map(({ length }) => length))).toBeLessThan(101_000);
  expect(texts.join("\n")).toContain(
    `That is not all of it. The rest: git diff ${await world.git("rev-parse", "HEAD")}, in ${folders()[0]}.`,
  );
});
