// A repository for tests, end-to-end ones too, of a person of its own: nothing of this machine's git configuration has a part in it. It can be
// anywhere, and is removed with the folder that it is in.

import { execFile, execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

export class GitRepository {
  readonly root: string;
  /** For git, and for whatever runs git here as that person. */
  readonly environment: NodeJS.ProcessEnv;

  /** `person`: the home folder of the person whose it is. The branch is "trunk"; there is no commit. */
  constructor(root: string, person: string) {
    this.root = root;
    for (const folder of [root, person]) mkdirSync(folder, { recursive: true });
    this.environment = {
      PATH: process.env.PATH,
      HOME: person,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: "Ada",
      GIT_AUTHOR_EMAIL: "ada@example.org",
      GIT_COMMITTER_NAME: "Ada",
      GIT_COMMITTER_EMAIL: "ada@example.org",
    };
    this.git("init", "--quiet", "--initial-branch", "trunk");
    // Also for a git that is run without that environment.
    this.git("config", "user.name", "Ada");
    this.git("config", "user.email", "ada@example.org");
    this.git("config", "commit.gpgSign", "false");
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

  /** Of all that is there. */
  commit(message = "work"): string {
    this.git("add", "--all");
    this.git("commit", "--quiet", "--allow-empty", "--message", message);
    return this.git("rev-parse", "HEAD");
  }

  /** A link to nothing is something, too. */
  has(path: string): boolean {
    return lstatSync(join(this.root, path), { throwIfNoEntry: false }) !== undefined;
  }

  /** A bare repository that this one can push to, as "origin". */
  addRemote(folder: string): void {
    this.git("init", "--quiet", "--bare", "--initial-branch", "trunk", folder);
    this.git("remote", "add", "origin", folder);
  }
}
