// Runs git. A repository is not trusted: what its own configuration could make git run is switched off, its hooks too, and
// no variable of the surroundings points git at another repository.
//
// Races, and what settles each:
// - A person's own git works in the same repository: no optional lock is taken, so nothing of theirs ever waits or fails.
// - git hangs (a dead network drive, a wrapper that waits): after `limitMs` its whole process group is killed, and nobody
//   waits for whatever still holds its output open.
// - It ends at that very moment: the first outcome counts, the timer is cancelled.

import { parse } from "node:path";
import { execa, type Result } from "execa";
import type { Clock } from "../clock";

export type GitResult =
  | { outcome: "ok"; output: string }
  /** It ran and said no. */
  | { outcome: "failed"; exitCode: number; errors: string; output: string }
  | { outcome: "not installed" }
  | { outcome: "no answer" }
  /** It could not be started, or was killed. */
  | { outcome: "broken"; detail: string };

export interface GitOptions {
  clock: Clock;
  limitMs: number;
  environment: NodeJS.ProcessEnv;
  /** Variables of git's own. */
  variables?: NodeJS.ProcessEnv;
  /** Of what it says. */
  mostBytes?: number;
}

const usualBytes = 4 * 1024 * 1024;
const isWindows = process.platform === "win32";

/** What keeps a repository from having programs of its own choice run. */
export const safeConfiguration = [
  // Programs that the repository's configuration could name.
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.pager=cat",
  // A folder that only looks like a repository does not count as one (its configuration would be read).
  "safe.bareRepository=explicit",
].flatMap((setting) => ["-c", setting]);

export async function runGit(folder: string, args: string[], options: GitOptions): Promise<GitResult> {
  const subprocess = execa("git", ["-C", folder, "--no-pager", ...safeConfiguration, ...args], {
    // Not `folder`: if that has gone, git says so, and "not found" means git itself.
    cwd: parse(folder).root,
    env: { ...gitEnvironment(options.environment), ...options.variables },
    extendEnv: false,
    stdin: "ignore",
    maxBuffer: options.mostBytes ?? usualBytes,
    reject: false,
    windowsHide: true,
    // A group of its own, so that what a wrapper has started is killed with it.
    detached: !isWindows,
    cleanup: false,
  });
  return new Promise((resolve) => {
    const timer = options.clock.after(options.limitMs, () => {
      killGroup(subprocess.pid);
      resolve({ outcome: "no answer" });
    });
    void subprocess.then((result) => {
      timer.cancel();
      resolve(read(result));
    });
  });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(isWindows ? pid : -pid, "SIGKILL");
  } catch {
    // It has just ended by itself.
  }
}

function read(result: Result<{ reject: false }>): GitResult {
  if (result.code === "ENOENT") return { outcome: "not installed" };
  const errors = typeof result.stderr === "string" ? result.stderr.trim() : "";
  if (result.exitCode === undefined || result.isMaxBuffer) {
    return { outcome: "broken", detail: result.shortMessage ?? errors };
  }
  const output = typeof result.stdout === "string" ? result.stdout : "";
  if (result.exitCode !== 0) return { outcome: "failed", exitCode: result.exitCode, errors, output };
  return { outcome: "ok", output };
}

/** Where git itself and the person's configuration are. Everything else of its own could point it elsewhere. */
const keptVariables = new Set([
  "GIT_EXEC_PATH",
  "GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_SYSTEM",
  "GIT_CONFIG_NOSYSTEM",
]);

/** The surroundings without what would point git elsewhere, make it ask, or make it write. */
export function gitEnvironment(surroundings: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(surroundings).filter(
    ([name]) => !name.toUpperCase().startsWith("GIT_") || keptVariables.has(name.toUpperCase()),
  );
  return {
    ...Object.fromEntries(kept),
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_LAZY_FETCH: "1",
    // Messages are read by a program.
    LC_ALL: "C",
  };
}
