// For tests: a real repository of a person of its own, and the changes in it as a window sees them.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChangedFile, FileDiff, RepositoryChanges } from "../../../preload/contract/changes";
import { systemClock } from "../../clock";
import type { Ledger } from "../../ledger/ledger";
import { openLedger } from "../../ledger/openLedger";
import { silentLog } from "../../log";
import { Cleanups } from "../../supervisor/cleanups";
import { GitRepository } from "../testGitRepository";
import { Changes } from "./changes";
import type { Question } from "./suggestion";

export class TestRepository extends GitRepository {
  readonly base: string;
  readonly realGit = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  readonly ledger: Ledger;
  readonly changes: Changes;
  readonly cleanups: Cleanups;
  readonly told: string[] = [];
  readonly committed: string[] = [];
  /** What codex answers. */
  ask: (question: Question, signal: AbortSignal) => Promise<string> = async () => "";
  /** The workspace's folder. */
  folder: string;

  constructor() {
    const base = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-changes-")));
    super(join(base, "engine"), join(base, "person"));
    this.base = base;
    this.folder = this.root;
    mkdirSync(join(base, "bin"));
    this.environment.PATH = `${join(base, "bin")}:${process.env.PATH}`;
    ({ ledger: this.ledger } = openLedger({
      path: join(this.base, "holdfast.db"),
      clock: systemClock,
      log: silentLog,
    }));
    this.cleanups = new Cleanups({
      ledger: this.ledger.cleanups,
      clock: systemClock,
      log: silentLog,
      random: Math.random,
      changed: () => {},
    });
    this.changes = new Changes({
      clock: systemClock,
      ledger: this.ledger,
      cleanups: this.cleanups,
      committed: (_workspaceId, message) => this.committed.push(message),
      tell: (_about, { text, hint }) => this.told.push([text, hint].join(" ").trim()),
      folder: async () => this.folder,
      environment: async () => this.environment,
      ask: (_workspaceId, question, signal) => this.ask(question, signal),
    });
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

  async remove(): Promise<void> {
    await this.changes.shutDown();
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
