// The scripts that come with Holdfast, as a person runs them: the real codex, real git, and a model that a test scripts.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { ModelRequest } from "../main/demo/modelRequest";
import { expect, type Holdfast, type Sandbox, test } from "./support/app";
import { CellsPage } from "./support/cellsPage";
import { failure, message, patch, reply, shell } from "./support/modelServer";

function git(folder: string, ...args: string[]): string {
  const author = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
  return execFileSync("git", ["-C", folder, ...author, ...args], { encoding: "utf8" }).trim();
}

function commitAll(sandbox: Sandbox): void {
  git(sandbox.workspace, "add", "--all");
  git(sandbox.workspace, "commit", "--quiet", "--message", "A change");
}

const isDone = ({ outputsSinceUser }: ModelRequest) => outputsSinceUser.length > 0;

/** What the person sees in the thread says which script has written it. */
async function expectWrittenBy(holdfast: Holdfast, thread: RegExp, script: string): Promise<void> {
  await holdfast.thread(thread).click();
  await expect(holdfast.article("Script").first().getByRole("button", { name: script })).toBeVisible();
}

async function expectNothingOwed(holdfast: Holdfast, sandbox: Sandbox): Promise<void> {
  await expect.poll(() => sandbox.ledger.openCleanups()).toEqual([]);
  await expect(holdfast.pendingCleanup).toHaveCount(0);
}

test.describe("Review a branch", () => {
  const name = "Review a branch";

  function makeBranch(sandbox: Sandbox): string {
    commitAll(sandbox);
    git(sandbox.workspace, "checkout", "--quiet", "-b", "feature");
    writeFileSync(path.join(sandbox.workspace, "limits.txt"), "burst = 500\n");
    commitAll(sandbox);
    return git(sandbox.workspace, "rev-parse", "main");
  }

  test("three agents review it, and the fourth is given what they found", async ({
    sandbox,
    model,
    holdfast,
  }) => {
    const base = makeBranch(sandbox);
    model.handle((request) => {
      const { lastUserText } = request;
      if (lastUserText.startsWith("Merge")) return reply(message("1. limits.txt:1 – ten times as much"));
      const title = lastUserText.split(":")[0] ?? "";
      if (isDone(request)) return reply(message(`${title}: limits.txt:1 is wrong`));
      // What shows the change can be run; what would change something cannot, and nobody is asked.
      if (title.includes("correctness")) return reply(shell(`git diff ${base} HEAD`));
      return reply(shell("touch touched"));
    });
    const cells = new CellsPage(holdfast);
    await cells.open();
    await cells.begin(name);
    await expect(cells.question).toContainText("Review feature against which branch or commit?");
    await expect(cells.run(name, "waiting for answer")).toBeVisible();
    await cells.question.getByRole("button", { name: "main" }).click();

    await expect(cells.run(name, "completed")).toBeVisible({ timeout: 40_000 });
    await expect(cells.output).toContainText("Three agents review feature against main.");
    for (const looked of ["correctness", "security and data loss", "clarity and tests"]) {
      await expect(cells.output).toContainText(`Done: ${looked}.`);
    }
    await expect(cells.output).toContainText("1. limits.txt:1 – ten times as much");
    const [merge] = model.requests.filter(({ lastUserText }) => lastUserText.startsWith("Merge"));
    expect(merge?.lastUserText).toContain("## correctness\n\nReview (correctness): limits.txt:1 is wrong");
    expect(merge?.lastUserText).toContain("## clarity and tests\n\nReview (clarity and tests): limits");
    const seen = model.requests.flatMap(({ outputsSinceUser }) => outputsSinceUser.map(({ text }) => text));
    expect(seen.filter((text) => text.includes("+burst = 500"))).toHaveLength(1);
    expect(seen.filter((text) => /read-only/i.test(text))).toHaveLength(2);
    expect(existsSync(path.join(sandbox.workspace, "touched"))).toBe(false);

    for (const thread of ["Review (correctness)", "Review (clarity and tests)", "Merge of the reviews"]) {
      await expect(holdfast.sidebar.getByRole("treeitem", { name: thread })).toHaveCount(1);
    }
    await expectWrittenBy(holdfast, /^Merge of the reviews.*, idle/, name);
    await expectNothingOwed(holdfast, sandbox);
    expect(model.complaints).toEqual([]);
  });

  test("when one of the three fails it says which, and goes on with the others", async ({
    sandbox,
    model,
    holdfast,
  }) => {
    makeBranch(sandbox);
    model.handle(({ lastUserText }) => {
      if (lastUserText.startsWith("Review (security")) return failure(400, "There is no credit left.");
      return reply(message(lastUserText.startsWith("Merge") ? "One list." : "limits.txt:1"));
    });
    const cells = new CellsPage(holdfast);
    await cells.open();
    await cells.begin(name);
    await cells.answer("Review feature against which branch or commit?", "main");
    await expect(cells.run(name, "completed")).toBeVisible({ timeout: 40_000 });
    await expect(cells.output).toContainText(/Failed: security and data loss\. .*There is no credit left/);
    await expect(cells.output).toContainText("One list.");
    await expect(cells.output).toContainText("Not part of it, since it failed: security and data loss.");
    await expectNothingOwed(holdfast, sandbox);
  });
});

test.describe("Try it twice", () => {
  const name = "Try it twice";

  test("two worktrees, the task in both, both diffs", async ({ sandbox, model, holdfast }) => {
    commitAll(sandbox);
    model.handle((request) => {
      const isSmall = request.lastUserText.includes("smallest change");
      if (isDone(request)) return reply(message(isSmall ? "One line." : "One line, and why."));
      const change = "*** Update File: limits.txt\n@@\n-burst = 50\n+burst = 500\n";
      const reason = isSmall ? "" : "*** Add File: why.md\n+Because.\n";
      return reply(patch(`*** Begin Patch\n${change}${reason}*** End Patch`));
    });
    const cells = new CellsPage(holdfast);
    await cells.open();
    await cells.begin(name);
    await cells.answer("Which task is to be done twice?", "Raise the burst limit.");
    await expect(cells.run(name, "completed")).toBeVisible({ timeout: 60_000 });
    await expect(cells.output).toContainText(
      "small: completed; files changed: 1, lines added: 1, removed: 1",
    );
    await expect(cells.output).toContainText(
      "thorough: completed; files changed: 2, lines added: 2, removed: 1; only here: why.md",
    );
    const written = stripVTControlCharacters(sandbox.ledger.runTexts().join("\n"));
    expect(written).toContain("+Because.");
    const places = git(sandbox.workspace, "worktree", "list", "--porcelain");
    for (const way of ["small", "thorough"]) {
      const branch = `try/${way}-raise-the-burst-limit`;
      const [, folder = ""] =
        new RegExp(`^worktree (.*)\n.*\nbranch refs/heads/${branch}$`, "m").exec(places) ?? [];
      expect(readFileSync(path.join(folder, "limits.txt"), "utf8")).toBe("burst = 500\n");
      await expect(cells.output).toContainText(`${way}: ${folder}, branch ${branch}`);
    }
    expect(readFileSync(path.join(sandbox.workspace, "limits.txt"), "utf8")).toBe("burst = 50\n");
    expect(model.requests.filter((request) => !isDone(request))).toHaveLength(2);
    await expectNothingOwed(holdfast, sandbox);
  });
});

test.describe("File by file", () => {
  const name = "File by file";
  const first = "File by file, 1 of 2: README.md";
  const second = "File by file, 2 of 2: limits.txt";
  const titles = (requests: readonly ModelRequest[]) =>
    requests.map(({ lastUserText }) => lastUserText.split("\n")[0]);

  test("stops at the first failure, and goes on there when it is run again", async ({
    sandbox,
    model,
    holdfast,
  }) => {
    let isBroken = true;
    model.handle(({ lastUserText }) => {
      if (lastUserText.startsWith(second) && isBroken) return failure(400, "There is no credit left.");
      return reply(message("Done."));
    });
    const cells = new CellsPage(holdfast);
    await cells.open();
    await cells.begin(name);
    await cells.answer("Which files?", "*.md limits.txt");
    await cells.answer(
      "README.md, limits.txt (2): what is to be done with each of them?",
      "Check the words.",
    );
    await expect(cells.run(name, "failed")).toBeVisible({ timeout: 40_000 });
    await expect(cells.output).toContainText("Done: 1 of 2: README.md");
    await expect(cells.output).toContainText("Stopped at 2 of 2: limits.txt");
    await expect(cells.error).toContainText("There is no credit left.");
    expect(titles(model.requests)).toEqual([first, second]);

    isBroken = false;
    await cells.begin(name);
    await expect(cells.question).toContainText(
      "“Check the words.” has come to limits.txt; 1 of 2 files are left.",
    );
    await cells.question.getByRole("button", { name: "Go on there" }).click();
    await expect(cells.run(name, "completed")).toBeVisible({ timeout: 40_000 });
    await expect(cells.output).toContainText("File by file, all done: Check the words.");
    expect(titles(model.requests)).toEqual([first, second, second]);
    expect(new Set(model.requests.map(({ threadId }) => threadId)).size).toBe(1);
    await expectWrittenBy(holdfast, /^File by file, 1 of 2.*, idle/, name);
    await expect(holdfast.article("Script")).toHaveCount(3);
    await expectNothingOwed(holdfast, sandbox);
  });

  test("Stop ends the run and not the thread; the next run waits for its turn and goes on there", async ({
    sandbox,
    model,
    holdfast,
  }) => {
    model.queue(reply([model.hold("first")], message("Done.")));
    model.handle(() => reply(message("Done.")));
    const cells = new CellsPage(holdfast);
    await cells.open();
    await cells.begin(name);
    await cells.answer("Which files?", "README.md limits.txt");
    await cells.answer("what is to be done with each of them?", "Check the words.");
    await model.gate("first").reached;
    await cells.shownRun.getByRole("button", { name: "Stop", exact: true }).click();
    await expect(cells.run(name, "stopped")).toBeVisible();
    await expect(holdfast.thread(/^File by file, 1 of 2.*, running/)).toBeVisible();

    await cells.begin(name);
    await cells.answer("has come to README.md; 2 of 2 files are left.", "Go on there");
    await expect(cells.activity).toContainText("Wait for a turn");
    model.gate("first").release();
    await expect(cells.run(name, "completed")).toBeVisible({ timeout: 40_000 });
    expect(titles(model.requests)).toEqual([first, second]);
    await expectNothingOwed(holdfast, sandbox);
  });
});
