// A repository in which 2,000 files have changed, and one large file: how long Holdfast takes to list and to show them, beside
// the questions to git that answer the same, asked by hand.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { systemClock } from "../main/clock";
import { fileDiff } from "../main/workspaces/changes/fileDiff";
import { listChanges } from "../main/workspaces/changes/list";
import { ChangesRepository } from "../main/workspaces/changes/repository";
import type { Measurement } from "./measurement";

const runs = 5;
const files = { tracked: 6_000, changed: 1_500, added: 500 };
const folders = 60;
const linesOfLarge = 60_000;
const largeName = "large.txt";

const measurement: Measurement = {
  title: `A repository with ${files.changed + files.added} changed files`,
  async measure() {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-bench-changes-")));
    const git = (...args: string[]) => execa("git", args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
    const samples = { list: [], status: [], diff: [], gitDiff: [] } as Record<string, number[]>;
    const timed = async (name: keyof typeof samples, task: () => Promise<unknown>) => {
      const begin = performance.now();
      await task();
      samples[name]?.push(performance.now() - begin);
    };
    try {
      await makeRepository(folder, git);
      for (let run = 0; run < runs; run += 1) {
        await timed("status", async () => {
          await git("status", "--porcelain=v2", "--branch", "--untracked-files=all", "-z");
          await git("diff", "--numstat", "-z");
        });
        const open = () => ChangesRepository.open(folder, { clock: systemClock, environment: process.env });
        await timed("list", async () => {
          const { files: found } = await listChanges(await open());
          if (found.length !== files.changed + files.added + 1) throw new Error(`${found.length} are listed`);
        });
        await timed("gitDiff", () => git("diff", "--", largeName));
        await timed("diff", async () => {
          const asked = { path: largeName, oldPath: null, comparison: { with: "unstaged" as const } };
          const { content } = await fileDiff(await open(), asked, true);
          if (content.kind !== "text" || content.hunks.length === 0)
            throw new Error("there is no difference");
        });
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    const { list = [], status = [], diff = [], gitDiff = [] } = samples;
    return [
      {
        name: `${files.changed + files.added} changed files: their list`,
        unit: "ms",
        samples: list,
        beside: { floor: "git status, git diff --numstat", samples: status, target: { times: 2 } },
      },
      {
        name: `a file with ${linesOfLarge / 2} changed lines: its difference`,
        unit: "ms",
        samples: diff,
        beside: { floor: "git diff of it", samples: gitDiff },
      },
    ];
  },
};

async function makeRepository(folder: string, git: (...args: string[]) => Promise<unknown>): Promise<void> {
  const nameOf = (index: number) => join(`part-${index % folders}`, `file-${index}.ts`);
  const textOf = (index: number, word: string) =>
    Array.from({ length: 40 }, (_, line) => `export const ${word}${line} = ${index};\n`).join("");
  const large = (word: string) =>
    Array.from(
      { length: linesOfLarge },
      (_, line) => `${line % 2 === 0 ? "kept" : word} line number ${line}\n`,
    ).join("");
  for (let index = 0; index < folders; index += 1) mkdirSync(join(folder, `part-${index}`));
  for (let index = 0; index < files.tracked; index += 1) {
    writeFileSync(join(folder, nameOf(index)), textOf(index, "before"));
  }
  writeFileSync(join(folder, largeName), large("before"));
  await git("init", "--quiet");
  await git("add", "--all");
  const person = ["-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "commit.gpgsign=false"];
  await git(...person, "commit", "--quiet", "--message", "Before");
  for (let index = 0; index < files.changed; index += 1) {
    writeFileSync(join(folder, nameOf(index)), textOf(index, "after"));
  }
  for (let index = 0; index < files.added; index += 1) {
    writeFileSync(join(folder, nameOf(files.tracked + index)), textOf(index, "new"));
  }
  writeFileSync(join(folder, largeName), large("after"));
}

export default measurement;
