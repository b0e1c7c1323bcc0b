// For tests: a real repository of a person of its own, and the changes in it as a window sees them.

import { execFile, execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { ChangedFile, FileDiff, RepositoryChanges } from "../../../preload/contract/changes";
import { systemClock } from "../../clock";
import type { Ledger } from "../../ledger/ledger";
import { openLedger } from "../../ledger/openLedger";
import { silentLog } from "../../log";
import { Changes } from "./changes";

export class TestRepository {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-changes-")));
  readonly root = join(this.base, "engine");
  readonly environment: NodeJS.ProcessEnv;
  readonly realGit = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  readonly ledger: Ledger;
  readonly changes: Changes;
  /** The workspace's folder. */
  folder = this.root;

  constructor() {
    for (const folder of [this.root, join(this.base, "person"), join(this.base, "bin")]) mkdirSync(folder);
    this.environment = {
      PATH: `${join(this.base, "bin")}:${process.env.PATH}`,
      HOME: join(this.base, "person"),
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: "Ada",
      GIT_AUTHOR_EMAIL: "ada@example.org",
      GIT_COMMITTER_NAME: "Ada",
      GIT_COMMITTER_EMAIL: "ada@example.org",
    };
    ({ ledger: this.ledger } = openLedger({
      path: join(this.base, "holdfast.db"),
      clock: systemClock,
      log: silentLog,
    }));
    this.changes = new Changes({
      clock: systemClock,
      ledger: this.ledger,
      folder: async () => this.folder,
      environment: async () => this.environment,
    });
    this.git("init", "--quiet", "--initial-branch", "trunk");
  }

  git(...args: string[]): string {
    return this.gitBytes(...args)
      .toString("utf8")
      .trim();
  }

  gitBytes(...args: string[]): Buffer {
    return execFileSync("git", ["-C", this.root, ...args], { env: this.environment, stdio: "pipe" });
  }

  async gitInBackground(...args: string[]): Promise<void> {
    await promisify(execFile)("git", ["-C", this.root, ...args], { env: this.environment });
  }

  write(path: string, content: string | Buffer, mode?: number): void {
    const place = join(this.root, path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, content, mode === undefined ? {} : { mode });
  }

  commit(message = "work"): string {
    this.git("add", "--all");
    this.git("commit", "--quiet", "--allow-empty", "--message", message);
    return this.git("rev-parse", "HEAD");
  }

  has(path: string): boolean {
    return lstatSync(join(this.root, path), { throwIfNoEntry: false }) !== undefined;
  }

  /** A program of that name before all others; `$base` is the folder of this test. */
  program(name: string, script: string): void {
    const file = join(this.base, "bin", name);
    writeFileSync(file, `#!/bin/sh\nbase='${this.base}'\n${script}\n`, { mode: 0o755 });
  }

  async list(): Promise<RepositoryChanges> {
    const listed = await this.changes.list("w");
    if (listed.state === "none") throw new Error(`${listed.fault.code}: ${listed.fault.message}`);
    return listed.changes;
  }

  async file(path: string): Promise<ChangedFile> {
    const found = (await this.list()).files.find((file) => file.path === path);
    if (!found) throw new Error(`${path} is not among the changes`);
    return found;
  }

  async diff(
    path: string,
    side: "staged" | "unstaged" | "head",
    oldPath: string | null = null,
  ): Promise<FileDiff> {
    return this.changes.diff("w", { path, oldPath, comparison: { with: side } }, false);
  }

  remove(): void {
    this.changes.dispose();
    this.ledger.close();
    rmSync(this.base, { recursive: true, force: true });
  }
}

/** "-old", "+new", " same": with "\\" after a line that has no end, and "\r" where there is one. */
export function linesOf(diff: FileDiff): string[] {
  if (diff.content.kind !== "text") throw new Error(`no text: ${diff.content.kind}`);
  const signs = { context: " ", added: "+", removed: "-" };
  return diff.content.hunks.flatMap(({ lines }) =>
    lines.map(({ kind, text, end }) => {
      const after = end === "none" ? "\\" : end === "crlf" ? "\r" : "";
      return `${signs[kind]}${text}${after}`;
    }),
  );
}
