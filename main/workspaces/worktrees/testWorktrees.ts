// For tests: a real repository, Holdfast's own folder with its ledger, and the worktrees between them.

import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ManualClock } from "../../clock";
import type { Fault } from "../../fault";
import type { Ledger } from "../../ledger/ledger";
import { openLedger } from "../../ledger/openLedger";
import { silentLog } from "../../log";
import { Cleanups } from "../../supervisor/cleanups";
import { Workspaces } from "../workspaces";
import { type MadeWorktree, Worktrees } from "./worktrees";

/** Only its branch is left. */
export const gone = {
  folder: false,
  listed: false,
  record: null,
  owed: [],
  workspace: false,
  branch: true,
};

/** Nothing was done to it. */
export const whole = {
  folder: true,
  listed: true,
  record: "made",
  owed: [],
  workspace: true,
  branch: true,
};

export class TestWorktrees {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-worktrees-")));
  readonly home = join(this.root, "holdfast");
  readonly repository = join(this.root, "engine");
  readonly environment: NodeJS.ProcessEnv;
  readonly clock = new ManualClock();
  readonly opened: string[] = [];
  readonly closed: string[] = [];
  readonly told: string[] = [];
  /** The workspaces in which something is at work, and those that have a session. */
  readonly atWork = new Set<string>();
  readonly sessions = new Set<string>();
  /** What goes on while a session is being closed. */
  whileClosing: (workspaceId: string) => Promise<Fault | null> = async () => null;
  /** Whoever wants to know what became of one that was being made. */
  settled: (path: string) => void = () => {};
  ledger: Ledger;
  workspaces: Workspaces;
  worktrees: Worktrees;
  cleanups: Cleanups;

  constructor() {
    for (const folder of [this.home, join(this.root, "person"), join(this.root, "bin")]) mkdirSync(folder);
    this.environment = {
      PATH: process.env.PATH,
      HOME: join(this.root, "person"),
      GIT_CONFIG_NOSYSTEM: "1",
    };
    ({
      ledger: this.ledger,
      workspaces: this.workspaces,
      cleanups: this.cleanups,
      worktrees: this.worktrees,
    } = this.#make());
    this.makeRepository();
  }

  /** Holdfast goes away, at once, and starts again. */
  restart(): void {
    this.ledger.close();
    this.cleanups.close();
    this.sessions.clear();
    Object.assign(this, this.#make());
  }

  /** Opens the repository and makes a worktree of it. */
  async make(name: string): Promise<MadeWorktree> {
    return this.worktrees.create(await this.openRepository(), { name, base: null });
  }

  /** What there is of a worktree. */
  leftOf({ path, branch, workspaceId }: MadeWorktree) {
    return {
      // Also a link to nothing.
      folder: lstatSync(path, { throwIfNoEntry: false }) !== undefined,
      listed: this.registered().includes(path),
      record: this.ledger.worktrees.get(path)?.state ?? null,
      owed: this.owed(),
      workspace: this.workspaces.list().some(({ id }) => id === workspaceId),
      branch: this.branches().includes(branch),
    };
  }

  /** The cleanups that are owed, each with what its last attempt said. */
  owed(): (string | null)[] {
    return this.cleanups.list().map(({ lastError }) => lastError?.code ?? null);
  }

  /** One attempt at everything that is owed. */
  async retry(): Promise<void> {
    for (const { id } of this.cleanups.list()) await this.cleanups.retry(id);
  }

  /** With one commit, which has the file `readme`. */
  makeRepository(folder = this.repository): string {
    mkdirSync(folder, { recursive: true });
    this.git(folder, "init", "--quiet", "--initial-branch", "trunk");
    this.write(join(folder, "readme"), "hello\n");
    this.commit(folder);
    return folder;
  }

  async openRepository(folder = this.repository): Promise<string> {
    return (await this.workspaces.open(folder)).id;
  }

  /** Commits all that is there. */
  commit(folder = this.repository): string {
    this.git(folder, "add", "--all");
    this.git(folder, "commit", "--quiet", "--allow-empty", "--message", "work");
    return this.git(folder, "rev-parse", "HEAD");
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  git(folder: string, ...args: string[]): string {
    const names = { AUTHOR: "Ada", COMMITTER: "Ada" };
    const identity = Object.entries(names).flatMap(([role, name]) => [
      [`GIT_${role}_NAME`, name],
      [`GIT_${role}_EMAIL`, "ada@example.org"],
    ]);
    return execFileSync("git", ["-C", folder, ...args], {
      env: { ...this.environment, ...Object.fromEntries(identity) },
      encoding: "utf8",
      stdio: "pipe",
    }).trim();
  }

  branches(): string[] {
    return this.git(this.repository, "for-each-ref", "--format=%(refname:short)", "refs/heads/").split("\n");
  }

  /** The paths that git lists, without that of the main worktree. */
  registered(folder = this.repository): string[] {
    return this.git(folder, "worktree", "list", "--porcelain")
      .split("\n")
      .flatMap((line) => (line.startsWith("worktree ") ? [line.slice("worktree ".length)] : []))
      .slice(1);
  }

  /** Puts a program called git before the real one; `$real` is that one. */
  wrapGit(script: string): void {
    const file = join(this.root, "bin", "git");
    const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
    writeFileSync(file, `#!/bin/sh\nroot='${this.root}'\nreal='${real}'\n${script}\n`, { mode: 0o755 });
    this.environment.PATH = `${join(this.root, "bin")}:${process.env.PATH}`;
  }

  unwrapGit(): void {
    this.environment.PATH = process.env.PATH;
  }

  has(name: string): boolean {
    return existsSync(join(this.root, name));
  }

  remove(): void {
    this.ledger.close();
    rmSync(this.root, { recursive: true });
  }

  #make() {
    const { home, clock, environment, opened, closed, told, atWork, sessions } = this;
    const { ledger } = openLedger({ path: join(home, "holdfast.db"), clock, log: silentLog });
    const workspaces = new Workspaces({
      ledger: ledger.workspaces,
      log: silentLog,
      demoPath: join(home, "demo", "workspace"),
      changed() {},
    });
    const cleanups = new Cleanups({
      ledger: ledger.cleanups,
      clock,
      log: silentLog,
      random: () => 0.5,
      changed() {},
    });
    const worktrees = new Worktrees({
      home,
      clock,
      log: silentLog,
      ledger,
      workspaces,
      cleanups,
      workIn: (id) => (atWork.has(id) ? ["the thread “Busy”"] : []),
      hasSession: (id) => sessions.has(id),
      closeSession: async (id) => {
        const fault = await this.whileClosing(id);
        if (fault === null) sessions.delete(id);
        return fault;
      },
      opened: (id) => opened.push(id),
      closed: (id) => closed.push(id),
      settled: (path) => this.settled(path),
      tell: (_about, { text }) => told.push(text),
      environment,
    });
    return { ledger, workspaces, cleanups, worktrees };
  }
}
