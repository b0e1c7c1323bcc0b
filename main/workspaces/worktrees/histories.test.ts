// Random histories of what a person, git and Holdfast do with worktrees, Holdfast's death among it. What holds after each
// step: the main checkout and somebody else's worktree are as they were, no branch and no snapshot is ever lost, and work
// that no commit has is on disk or in a snapshot.

import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { TestWorktrees } from "./testWorktrees";
import type { MadeWorktree } from "./worktrees";

const steps = 14;
let test: TestWorktrees;

afterEach(() => {
  test.remove();
});

describe("a random history of worktrees", () => {
  it.each([1, 2, 3, 4, 5])("loses nothing and touches nothing else (%i)", async (seed) => {
    test = new TestWorktrees();
    const history = await History.begin(test, seed);
    for (let step = 0; step < steps; step++) {
      await history.step();
      history.check();
    }
    await history.removeAll();
    history.check();
  });
});

class History {
  readonly #test: TestWorktrees;
  readonly #random: () => number;
  readonly #workspaceId: string;
  readonly #foreign: string;
  readonly #untouched: string;
  readonly #made: MadeWorktree[] = [];
  /** What was written and not committed: where, and what. */
  readonly #work = new Map<string, { worktree: MadeWorktree; name: string; text: string }>();
  readonly #branches = new Set<string>();
  readonly #taken: string[] = [];
  #count = 0;

  private constructor(test: TestWorktrees, seed: number, workspaceId: string, foreign: string) {
    this.#test = test;
    this.#random = randomFrom(seed);
    this.#workspaceId = workspaceId;
    this.#foreign = foreign;
    this.#untouched = this.#fingerprint();
  }

  static async begin(test: TestWorktrees, seed: number): Promise<History> {
    const foreign = join(test.root, "foreign");
    test.git(test.repository, "worktree", "add", "--quiet", "-b", "theirs", foreign);
    for (const folder of [test.repository, foreign]) test.write(join(folder, "theirs"), "not committed\n");
    return new History(test, seed, await test.openRepository(), foreign);
  }

  async step(): Promise<void> {
    const doing = this.#pick([
      () => this.#create(),
      () => this.#create(),
      () => this.#write(),
      () => this.#write(),
      () => this.#write(),
      () => this.#commit(),
      () => this.#lock(),
      () => this.#takeFolder(),
      () => this.#takeEntry(),
      () => this.#remove(false),
      () => this.#remove(true),
      () => this.#remove(true),
      () => this.#remove(true),
      () => this.#dieWhileRemoving(),
      () => this.#dieWhileMaking(),
      () => this.#restart(),
    ]);
    await doing?.();
  }

  check(): void {
    const { ledger, workspaces, git, repository } = this.#test;
    expect(this.#fingerprint(), this.#taken.join(", ")).toBe(this.#untouched);
    const branches = new Set(this.#test.branches());
    expect([...this.#branches].filter((each) => !branches.has(each))).toEqual([]);
    const refs = git.call(this.#test, repository, "for-each-ref", "--format=%(refname)", "refs/holdfast/");
    const kept = refs === "" ? [] : refs.split("\n");
    for (const { worktree, name, text } of this.#work.values()) {
      const file = join(worktree.path, name);
      const isThere = existsSync(file) && readFileSync(file, "utf8") === text;
      const isKept = () =>
        kept.some((ref) =>
          git.call(this.#test, repository, "ls-tree", "-r", "--name-only", ref).includes(name),
        );
      expect(isThere || isKept(), `${name}: ${this.#taken.join(", ")}`).toBe(true);
    }
    // Whatever is listed as a worktree of ours is on record, and the other way round.
    const recorded = ledger.worktrees.list().flatMap(({ workspaceId }) => workspaceId ?? []);
    const listed = workspaces.list().filter(({ parentWorkspaceId }) => parentWorkspaceId !== null);
    expect(listed.map(({ id }) => id).sort()).toEqual(recorded.sort());
  }

  /** Nothing of ours is left then, but what git does not list. */
  async removeAll(): Promise<void> {
    for (const { path } of this.#made) this.#unlock(path);
    for (const worktree of [...this.#made]) await this.#removeOne(worktree, true);
    const { ledger, cleanups } = this.#test;
    expect([ledger.worktrees.list(), cleanups.list()]).toEqual([[], []]);
    expect(this.#test.registered()).toEqual([this.#foreign]);
    for (const { path } of this.#made) {
      if (existsSync(path)) expect(this.#taken).toContain(`entry ${path}`);
    }
  }

  async #create(): Promise<void> {
    const wish = {
      name: this.#pick(["fix", "topic/a", "topic-a"]) ?? "",
      base: null,
      ifTaken: "number" as const,
    };
    const made = await this.#test.worktrees.create(this.#workspaceId, wish);
    this.#made.push(made);
    this.#branches.add(made.branch);
    this.#taken.push(`made ${made.path}`);
  }

  #write(): void {
    const worktree = this.#pick(this.#present());
    if (!worktree) return;
    const name = `work-${this.#count++}`;
    this.#test.write(join(worktree.path, name), name);
    this.#work.set(name, { worktree, name, text: name });
    this.#taken.push(`wrote ${worktree.path} ${name}`);
  }

  #commit(): void {
    const worktree = this.#pick(this.#present().filter(({ path }) => this.#test.registered().includes(path)));
    if (!worktree || !existsSync(join(worktree.path, ".git"))) return;
    this.#test.commit(worktree.path);
    for (const [name, work] of this.#work) if (work.worktree === worktree) this.#work.delete(name);
    this.#taken.push(`committed ${worktree.path}`);
  }

  #lock(): void {
    const worktree = this.#pick(this.#present());
    if (!worktree || !this.#test.registered().includes(worktree.path) || this.#unlock(worktree.path)) return;
    this.#test.git(this.#test.repository, "worktree", "lock", worktree.path);
    this.#taken.push(`locked ${worktree.path}`);
  }

  #unlock(path: string): boolean {
    const listed = this.#test.git(this.#test.repository, "worktree", "list", "--porcelain").split("\n\n");
    if (!listed.some((each) => each.startsWith(`worktree ${path}\n`) && /^locked/m.test(each))) return false;
    this.#test.git(this.#test.repository, "worktree", "unlock", path);
    return true;
  }

  /** The person deletes the folder by hand: what was in it is theirs to lose. */
  #takeFolder(): void {
    const worktree = this.#pick(this.#present());
    if (!worktree) return;
    rmSync(worktree.path, { recursive: true });
    for (const [name, work] of this.#work) if (work.worktree === worktree) this.#work.delete(name);
    this.#taken.push(`folder ${worktree.path}`);
  }

  #takeEntry(): void {
    const worktree = this.#pick(this.#present());
    if (!worktree) return;
    const entries = join(this.#test.repository, ".git", "worktrees");
    for (const entry of readdirSync(entries)) {
      const place = readFileSync(join(entries, entry, "gitdir"), "utf8").trim();
      if (place === join(worktree.path, ".git")) rmSync(join(entries, entry), { recursive: true });
    }
    this.#taken.push(`entry ${worktree.path}`);
  }

  async #remove(discard: boolean): Promise<void> {
    const worktree = this.#pick(this.#made);
    if (worktree) await this.#removeOne(worktree, discard);
  }

  async #removeOne({ path, workspaceId }: MadeWorktree, discard: boolean): Promise<void> {
    const outcome = await this.#test.worktrees.remove(workspaceId, { discard }).then(
      () => "removed",
      (error: { code: string }) => error.code,
    );
    this.#taken.push(`${outcome} ${path}`);
    expect(["removed", "worktree_has_work", "worktree_locked", "not_our_worktree"]).toContain(outcome);
  }

  /** git is killed at its work, or does a part of it, and Holdfast dies with it. */
  async #dieWhileRemoving(): Promise<void> {
    const worktree = this.#pick(this.#present());
    if (!worktree) return;
    const { path, workspaceId } = worktree;
    const lost = this.#pick(["", `rm -f '${path}/readme'`, `rm -f '${path}/.git'`, `rm -rf '${path}'`]);
    this.#test.wrapGit(
      `case "$*" in *"worktree remove"*) ${lost || ":"}; kill -9 $$;; esac\nexec "$real" "$@"`,
    );
    await this.#test.worktrees.remove(workspaceId, { discard: this.#random() < 0.5 }).catch(() => undefined);
    this.#test.unwrapGit();
    this.#taken.push(`died removing ${path}`);
    await this.#restart();
  }

  async #dieWhileMaking(): Promise<void> {
    this.#test.wrapGit(`case "$*" in *"worktree add"*) exit 1;; esac\nexec "$real" "$@"`);
    const wish = { name: "never", base: null, ifTaken: "number" as const };
    await this.#test.worktrees.create(this.#workspaceId, wish).catch(() => undefined);
    this.#test.unwrapGit();
    await this.#restart();
  }

  async #restart(): Promise<void> {
    this.#test.restart();
    await this.#test.worktrees.settle();
    await this.#test.retry();
  }

  #present(): MadeWorktree[] {
    return this.#made.filter(({ path }) => existsSync(path));
  }

  #pick<Value>(values: readonly Value[]): Value | undefined {
    return values[Math.floor(this.#random() * values.length)];
  }

  /** All that is not ours. */
  #fingerprint(): string {
    const of = (folder: string) => [
      readdirSync(folder).sort(),
      this.#test.git(folder, "status", "--porcelain"),
      this.#test.git(folder, "rev-parse", "HEAD", "--symbolic-full-name", "HEAD"),
    ];
    return JSON.stringify([of(this.#test.repository), of(this.#foreign)]);
  }
}

/** The same numbers for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
