// Random histories of edits, of staging, unstaging and discarding whole files and parts of them, and of bringing back, in a
// real repository. What holds after each step: the index and the files are what a model says, and no text is lost.

import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { DiffLine } from "../../../preload/contract/changes";
import { TestRepository } from "./testRepository";

const names = ["plain", "with space", '-ünï\n"x'];

type Step =
  | { do: "write"; file: number; keep: boolean[]; add: number[]; end: boolean }
  | { do: "delete" | "stage" | "unstage" | "discard"; file: number }
  | { do: "stagePart" | "unstagePart" | "discardPart"; file: number; chosen: boolean[] }
  | { do: "undo" };

const file = fc.nat({ max: names.length - 1 });
const some = fc.array(fc.boolean(), { minLength: 8, maxLength: 8 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("write" as const),
      file,
      keep: some,
      add: fc.array(fc.nat({ max: 12 }), { maxLength: 4 }),
      end: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("delete" as const), file }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom("stage" as const, "unstage" as const, "discard" as const),
      file,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom("stagePart" as const, "unstagePart" as const, "discardPart" as const),
      file,
      chosen: some,
    }),
  },
  { weight: 2, arbitrary: fc.constant({ do: "undo" as const }) },
);

/** A text; null: there is no file. */
type Text = string | null;

class World {
  readonly repository = new TestRepository();
  readonly head: Text[];
  readonly index: Text[];
  readonly files: Text[];
  /** What was discarded and not brought back: the text before and after. */
  readonly discarded: { discardId: string; file: number; before: Text; after: Text }[] = [];
  #line = 0;

  constructor() {
    this.head = names.map((name, index) =>
      index === 2 ? null : `${name.length}\na\nb\nc\nd\ne\nf\ng\nh\ni\nj\n`,
    );
    this.index = [...this.head];
    this.files = [...this.head];
    for (const [index, text] of this.head.entries())
      if (text !== null) this.repository.write(names[index] ?? "", text);
    this.repository.commit();
  }

  async take(each: Step): Promise<void> {
    if (each.do === "undo") return this.#undo();
    const path = names[each.file] ?? "";
    const { changes } = this.repository;
    const [head, index, text] = [this.head[each.file], this.index[each.file], this.files[each.file]];
    if (head === undefined || index === undefined || text === undefined) return;
    switch (each.do) {
      case "write": {
        const lines = (text ?? "").split("\n").filter((line, at) => line !== "" && each.keep[at % 8]);
        for (const at of each.add) lines.splice(at, 0, `line ${++this.#line}`);
        const written = lines.length === 0 ? "" : lines.join("\n") + (each.end ? "\n" : "");
        this.repository.write(path, written);
        this.files[each.file] = written;
        return;
      }
      case "delete":
        rmSync(join(this.repository.root, path), { force: true });
        this.files[each.file] = null;
        return;
      case "stage":
        if (text === index) return this.#refuses(() => changes.stage("w", [path]), text === null);
        await changes.stage("w", [path]);
        this.index[each.file] = text;
        return;
      case "unstage":
        await changes.unstage("w", [path]);
        this.index[each.file] = head;
        return;
      case "discard": {
        if (text === index) return this.#refuses(() => changes.discard("w", [path]));
        const discardId = await changes.discard("w", [path]);
        this.#discardedNow(discardId, each.file, index);
        return;
      }
      case "stagePart":
      case "unstagePart":
      case "discardPart":
        return this.#part(each.do, each.file, each.chosen);
      default:
        return each satisfies never;
    }
  }

  async #part(
    action: "stagePart" | "unstagePart" | "discardPart",
    at: number,
    chosen: boolean[],
  ): Promise<void> {
    const path = names[at] ?? "";
    const [old, now] =
      action === "unstagePart" ? [this.head[at], this.index[at]] : [this.index[at], this.files[at]];
    if (old === undefined || now === undefined) return;
    const diff = await this.repository.diff(path, action === "unstagePart" ? "staged" : "unstaged");
    if (old === now) {
      expect(diff.content.kind).toBe("same");
      return;
    }
    if (diff.content.kind !== "text") throw new Error(diff.content.kind);
    let count = 0;
    const picked: DiffLine[] = [];
    const parts = diff.content.hunks.map(({ lines }, hunk) => ({
      hunk,
      lines: lines.flatMap((line, place) => {
        if (line.kind === "context" || !chosen[count++ % 8]) return [];
        picked.push(line);
        return [place];
      }),
    }));
    if (picked.length === 0) return;
    const request = { path, oldPath: null, fingerprint: diff.fingerprint, parts };
    const answer = await this.repository.changes[action]("w", request);
    const result = action === "discardPart" ? this.#readFile(at) : this.#readIndex(at);
    checkPart({ old, now, result, picked, isForward: action === "stagePart" });
    if (action === "discardPart") this.#discardedNow(answer as string, at, result);
    else this.index[at] = result;
  }

  async #undo(): Promise<void> {
    const last = this.discarded.at(-1);
    if (!last) return;
    const text = this.files[last.file];
    // A file that was written anew is another file, even with the same text; one that was removed leaves room.
    if (text !== null && this.#isTouched(last)) {
      await this.#refuses(() => this.repository.changes.undoDiscard("w", last.discardId));
      return;
    }
    await this.repository.changes.undoDiscard("w", last.discardId);
    this.discarded.pop();
    this.files[last.file] = last.before;
  }

  #isTouched({ file: at, after }: { file: number; after: Text }): boolean {
    return this.files[at] !== after || this.#touched.has(at);
  }

  readonly #touched = new Set<number>();

  /** Files that were written since the newest discard of them. */
  touch(at: number): void {
    this.#touched.add(at);
  }

  #discardedNow(discardId: string, at: number, after: Text): void {
    this.discarded.push({ discardId, file: at, before: this.files[at] ?? null, after });
    this.files[at] = after;
    this.#touched.delete(at);
  }

  async #refuses(action: () => Promise<unknown>, does = true): Promise<void> {
    if (does) await expect(action()).rejects.toMatchObject({ code: "changed_meanwhile" });
    else await action();
  }

  #readFile(at: number): Text {
    const path = join(this.repository.root, names[at] ?? "");
    return this.repository.has(names[at] ?? "") ? readFileSync(path, "utf8") : null;
  }

  #readIndex(at: number): Text {
    const listed = this.repository.git(
      "--literal-pathspecs",
      "ls-files",
      "--stage",
      "-z",
      "--",
      names[at] ?? "",
    );
    const [, sha] = listed.split(/[ \t]/);
    return sha === undefined ? null : this.repository.gitBytes("cat-file", "blob", sha).toString("utf8");
  }

  check(): void {
    for (let at = 0; at < names.length; at++) {
      expect([names[at], this.#readFile(at), this.#readIndex(at)]).toEqual([
        names[at],
        this.files[at],
        this.index[at],
      ]);
    }
    expect(this.repository.git("fsck", "--connectivity-only", "--no-dangling")).toBe("");
  }
}

/** By the lines alone, without the algorithm: which of them are there, and in which order. */
function checkPart(part: {
  old: Text;
  now: Text;
  result: Text;
  picked: DiffLine[];
  isForward: boolean;
}): void {
  const { old, now, result, picked, isForward } = part;
  const before = linesIn(isForward ? old : now);
  const expected = [...before];
  const comes = isForward ? "added" : "removed";
  for (const { kind, text } of picked) {
    if (kind === comes) expected.push(text);
    else expected.splice(expected.indexOf(text), 1);
  }
  const got = linesIn(result);
  expect([...got].sort()).toEqual(expected.sort());
  for (const side of [linesIn(old), linesIn(now)]) {
    const own = new Set(side);
    if (own.size !== side.length || new Set(got).size !== got.length) continue;
    // A line that lost or got its end is one that goes and one that comes.
    const both = new Set(linesIn(old).filter((line) => linesIn(now).includes(line)));
    const isMoved = (line: string) => both.has(line) && picked.some(({ text }) => text === line);
    const shared = got.filter((line) => own.has(line) && !isMoved(line));
    const inOrder = side.filter((line) => new Set(shared).has(line));
    expect(shared).toEqual(inOrder);
  }
}

function linesIn(text: Text): string[] {
  return (text ?? "").split("\n").filter((line) => line !== "");
}

test("index and files are what the model says, whatever is done in whatever order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 16 }), async (steps) => {
      const world = new World();
      try {
        for (const each of steps) {
          await world.take(each);
          if (each.do === "write") world.touch(each.file);
          world.check();
        }
        // Nothing is lost: what was discarded last comes back once its place is free.
        for (const last of [...world.discarded].reverse()) {
          rmSync(join(world.repository.root, names[last.file] ?? ""), { force: true });
          await world.repository.changes.undoDiscard("w", last.discardId);
          const path = join(world.repository.root, names[last.file] ?? "");
          const text = world.repository.has(names[last.file] ?? "") ? readFileSync(path, "utf8") : null;
          expect(text).toBe(last.before);
        }
      } finally {
        await world.repository.remove();
      }
    }),
    { numRuns: 3, endOnFailure: true },
  );
});
