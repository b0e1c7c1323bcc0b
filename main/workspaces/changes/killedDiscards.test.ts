// Discarding and bringing back, killed at each kind of moment: nothing is lost, and it can be begun anew.

import { mkdtempSync, readFileSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { bundle, startProcess } from "../../ledger/testProcess";
import { TestRepository } from "./testRepository";

let folder: string;
let script: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-killed-discard-"));
  script = await bundle(new URL("testKilledChanges.ts", import.meta.url), folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let repository: TestRepository;
beforeEach(() => {
  repository = new TestRepository();
});
afterEach(() => repository.remove());

const names = Array.from({ length: 24 }, (_, at) => `part-${at % 3}/file "${at}"`);
const added = names.map((name) => `${name}.new`);
const all = [...names, ...added, "link"];
const textOf = (name: string) => readFileSync(join(repository.root, name), "utf8");

function change(): void {
  for (const name of names) repository.write(name, `${name}, committed\n`);
  repository.commit();
  for (const name of names) repository.write(name, `${name}, changed\n`);
  for (const name of added) repository.write(name, `${name}, new\n`);
  symlinkSync("nowhere", join(repository.root, "link"));
}

function expectChanged(): void {
  expect(names.map(textOf)).toEqual(names.map((name) => `${name}, changed\n`));
  expect(added.map(textOf)).toEqual(added.map((name) => `${name}, new\n`));
  expect(readlinkSync(join(repository.root, "link"))).toBe("nowhere");
}

async function killedAt(
  step: number,
  when: "before" | "after",
  does: { discard: string[] } | { undo: string },
): Promise<void> {
  const { root, environment, base } = repository;
  const task = { ledger: join(base, "holdfast.db"), folder: root, environment, does, step, when };
  const { signal } = await startProcess(script, [JSON.stringify(task)]).ended;
  expect(signal, `step ${step} is one of its steps`).toBe("SIGKILL");
}

test("killed while it is discarded, it can be brought back", async () => {
  change();
  for (const step of [2, 3, 20, 50]) {
    await killedAt(step, step % 2 === 0 ? "after" : "before", { discard: all });
    const [discard] = await repository.changes.discards("w");
    expect(discard?.files).toBe(all.length);
    await repository.changes.undoDiscard("w", discard?.discardId ?? "");
    expectChanged();
    expect(await repository.changes.discards("w")).toEqual([]);
  }
});

/** As at the next start. */
const settled = () =>
  Promise.all(
    repository.cleanups
      .list()
      .map(({ id, kind }) => (kind === "discard" ? repository.cleanups.retry(id) : kind)),
  );

test("at the next start what was half discarded is as before, and that is said", async () => {
  change();
  for (const step of [1, 3, 20, 50]) {
    await killedAt(step, "after", { discard: all });
    expect(await settled()).toEqual([null]);
    expectChanged();
    expect([repository.cleanups.list(), await repository.changes.discards("w")]).toEqual([[], []]);
  }
  expect(new Set(repository.told)).toEqual(
    new Set(["Discarding in engine was cut off when Holdfast went away. The changes are as they were."]),
  );
});

test("at the next start what was half brought back is, and that is said; what was written since is left alone", async () => {
  change();
  const undo = await repository.changes.discard("w", all);
  await killedAt(20, "after", { undo });
  expect(await settled()).toEqual([null]);
  expectChanged();
  expect(repository.told.join()).toContain("is brought back");
  const again = await repository.changes.discard("w", all);
  await killedAt(2, "before", { undo: again });
  const [first = ""] = names;
  repository.write(first, "written since\n");
  expect(await settled()).toEqual([null]);
  expect(textOf(first)).toBe("written since\n");
  expect(repository.told.at(-1)).toContain("“Discarded changes…” on the page Changes has what was moved");
  expect((await repository.changes.discards("w")).map(({ discardId }) => discardId)).toEqual([again]);
});

test("killed while it is brought back, that can be done again, and again", async () => {
  change();
  const undo = await repository.changes.discard("w", all);
  // Every kind of step: moved away, linked, taken out of the store, and the store itself.
  for (const [step, when] of [
    [1, "before"],
    [5, "after"],
    [18, "before"],
    [19, "after"],
    [20, "after"],
    [33, "before"],
  ] as const) {
    await killedAt(step, when, { undo });
  }
  await repository.changes.undoDiscard("w", undo);
  expectChanged();
  expect(await repository.changes.discards("w")).toEqual([]);
});

test("what was made since a kill is left alone", async () => {
  change();
  const undo = await repository.changes.discard("w", all);
  await killedAt(40, "after", { undo });
  const name = added.find((each) => !repository.has(each)) ?? "";
  repository.write(name, "mine\n");
  await expect(repository.changes.undoDiscard("w", undo)).rejects.toMatchObject({
    code: "changed_meanwhile",
    path: join(repository.root, name),
  });
  expect(textOf(name)).toBe("mine\n");
  rmSync(join(repository.root, name));
  await repository.changes.undoDiscard("w", undo);
  expectChanged();
});
