// The environment that a person's login shell would give to a program.
//
// An app started from the Dock or a desktop file gets a bare environment: no PATH to nvm or Homebrew, no proxy, no API key.
// So the login shell is asked. Its start-up files are foreign code that may print anything, hang, ignore signals or end the
// shell early; `boundedProcess.ts` bounds all that.
//
// Races settled here:
// - Several callers at once: one probe runs, all get its result.
// - A failed probe: its result is kept for `retryAfterMs`, so that a broken rc file does not slow down every start, and is
//   then asked for again. `read({ again: true })` asks at once; it joins a probe that is under way.
// - Two probes never overlap, so an older result cannot replace a newer one.

import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { userInfo } from "node:os";
import { posix } from "node:path";
import type { Clock } from "../clock";
import type { Log } from "../log";
import { type BoundedOutcome, runBounded } from "./boundedProcess";

export type Variables = Record<string, string>;

/** `variables` is always usable: without an answer from a shell it is Holdfast's own environment. */
export type LoginEnvironment =
  | { kind: "login"; variables: Variables; shell: string; flags: string; failures: string[]; tookMs: number }
  /** The shell was not asked: a terminal has given Holdfast its environment already, or there is no login shell. */
  | { kind: "own"; variables: Variables; why: "terminal" | "windows" }
  /** The shell did not answer; `reason` says why, in words, for every way that was tried. */
  | { kind: "failed"; variables: Variables; reason: string; failures: string[]; tookMs: number };

export interface LoginEnvironmentOptions {
  clock: Clock;
  log: Log;
  /** True when Holdfast was started from a terminal, whose environment it then has. */
  startedFromTerminal: boolean;
  /** Holdfast's own environment. */
  env?: Record<string, string | undefined>;
  platform?: NodeJS.Platform;
  /** For each way of asking the shell; there are two. */
  deadlineMs?: number;
  retryAfterMs?: number;
  /** The shell in the user database, for when SHELL is unset or points nowhere. */
  userShell?: () => string | null;
}

export interface LoginEnvironmentReader {
  /** Never rejects. Resolves within about twice `deadlineMs`. */
  read(options?: { again?: boolean }): Promise<LoginEnvironment>;
}

/** Says to rc files, for those who care, that nobody will see this shell; and keeps known plugins from asking questions. */
const quietVariables: Variables = {
  HOLDFAST_READING_ENVIRONMENT: "1",
  DISABLE_AUTO_UPDATE: "true",
  ZSH_TMUX_AUTOSTART: "false",
  ZSH_TMUX_AUTOSTARTED: "true",
};

/** What the probe itself or the shell that ran it brings in. */
const probeVariables = new Set(["_", "SHLVL", "PWD", "OLDPWD"]);

/** First as a terminal would start it, since many people set PATH in a file for interactive shells only. */
const flagSets = [["-l", "-i"], ["-l"]] as const;

const maxOutputBytes = 4 * 1024 * 1024;

export function createLoginEnvironment(options: LoginEnvironmentOptions): LoginEnvironmentReader {
  const retryAfterMs = options.retryAfterMs ?? 60_000;
  let known: { result: LoginEnvironment; atMs: number } | null = null;
  let underWay: Promise<LoginEnvironment> | null = null;

  const probe = async (): Promise<LoginEnvironment> => {
    try {
      const result = await readOnce(options);
      known = { result, atMs: options.clock.nowMs() };
      return result;
    } finally {
      underWay = null;
    }
  };
  return {
    read({ again = false } = {}) {
      if (underWay !== null) return underWay;
      const isFresh =
        known !== null &&
        (known.result.kind !== "failed" || options.clock.nowMs() - known.atMs < retryAfterMs);
      if (known !== null && isFresh && !again) return Promise.resolve(known.result);
      underWay = probe();
      return underWay;
    },
  };
}

async function readOnce(options: LoginEnvironmentOptions): Promise<LoginEnvironment> {
  const own = definedVariables(options.env ?? process.env);
  const platform = options.platform ?? process.platform;
  if (platform === "win32") return { kind: "own", variables: own, why: "windows" };
  if (options.startedFromTerminal) return { kind: "own", variables: own, why: "terminal" };

  const beganMs = options.clock.nowMs();
  const tookMs = () => options.clock.nowMs() - beganMs;
  const failures: string[] = [];
  const shell = await chooseShell(own.SHELL, platform, options.userShell ?? shellOfUser, failures);
  if (shell === null) return failed(options.log, own, failures, tookMs());

  for (const flags of flagSets) {
    const flagText = flags.join(" ");
    const probe = environmentProbe(randomBytes(16).toString("hex"));
    const outcome = await runBounded({
      command: shell,
      args: [...flags, "-c", probe.script],
      env: { ...own, ...quietVariables },
      deadlineMs: options.deadlineMs ?? 5_000,
      maxOutputBytes,
      isComplete: probe.isComplete,
      clock: options.clock,
    });
    const variables = "stdout" in outcome ? probe.parse(outcome.stdout) : null;
    if (variables !== null) {
      // A variable that the person had set before the probe overrode it keeps its own value.
      for (const name of Object.keys(quietVariables)) {
        if (own[name] === undefined) delete variables[name];
        else variables[name] = own[name];
      }
      for (const name of probeVariables) delete variables[name];
      options.log.info("login environment read", {
        shell,
        flags: flagText,
        names: Object.keys(variables).length,
      });
      return { kind: "login", variables, shell, flags: flagText, failures, tookMs: tookMs() };
    }
    failures.push(`${shell} ${flagText} ${describeFailure(outcome, options.deadlineMs ?? 5_000)}`);
  }
  return failed(options.log, own, failures, tookMs());
}

function failed(log: Log, variables: Variables, failures: string[], tookMs: number): LoginEnvironment {
  const reason = failures.join("; ");
  log.warn("login environment not read", { reason });
  return { kind: "failed", variables, reason, failures, tookMs };
}

/** The first usable one of: SHELL, the user database, the platform's usual ones. */
async function chooseShell(
  shellVariable: string | undefined,
  platform: NodeJS.Platform,
  userShell: () => string | null,
  failures: string[],
): Promise<string | null> {
  const usual = platform === "darwin" ? ["/bin/zsh", "/bin/bash", "/bin/sh"] : ["/bin/bash", "/bin/sh"];
  if (!shellVariable) failures.push("SHELL is not set");
  for (const candidate of new Set([shellVariable, userShell(), ...usual])) {
    if (!candidate) continue;
    if (["nologin", "false", "true"].includes(posix.basename(candidate))) {
      failures.push(`${candidate} is not a shell that runs commands`);
      continue;
    }
    if (!posix.isAbsolute(candidate)) {
      failures.push(`the shell "${candidate}" is not a full path`);
      continue;
    }
    try {
      await access(candidate, constants.X_OK);
      return candidate;
    } catch {
      failures.push(`${candidate} does not exist or cannot be executed`);
    }
  }
  return null;
}

function shellOfUser(): string | null {
  try {
    return userInfo().shell;
  } catch {
    // No entry for this user id, as in many containers; the usual shells are tried next.
    return null;
  }
}

/**
 * A script that any shell can run (bash, zsh, dash, fish, nushell: all of them take a program and single-quoted arguments),
 * because only /bin/sh reads what matters. Output is found again between markers whose halves are joined when printed, so
 * that a shell that echoes the command (a DEBUG trap, a title sequence) does not print the marker itself.
 */
export function environmentProbe(marker: string): {
  script: string;
  isComplete(stdout: Buffer): boolean;
  parse(stdout: Buffer): Variables | null;
} {
  const begin = Buffer.from(`${marker}:begin\0`);
  const end = Buffer.from(`\0${marker}:end`);
  // `env -0` is missing before macOS 13; awk prints NUL through %c everywhere.
  const print = `{ env -0 2>/dev/null || awk "BEGIN{for(k in ENVIRON)printf \\"%s=%s%c\\",k,ENVIRON[k],0}"; }`;
  const script = `/bin/sh -c 'printf "%s:begin\\0" "$1$2"; ${print}; printf "\\0%s:end" "$1$2"' sh ${marker.slice(0, 7)} ${marker.slice(7)}`;
  return {
    script,
    isComplete: (stdout) => stdout.lastIndexOf(end) > 0 && stdout.indexOf(begin) >= 0,
    parse(stdout) {
      const from = stdout.indexOf(begin);
      const to = from < 0 ? -1 : stdout.indexOf(end, from + begin.length - 1);
      if (to < 0) return null;
      return parseEnvironment(stdout.toString("utf8", from + begin.length, to));
    },
  };
}

function parseEnvironment(text: string): Variables | null {
  const variables: Variables = {};
  for (const entry of text.split("\0")) {
    const equals = entry.indexOf("=");
    if (equals > 0) variables[entry.slice(0, equals)] = entry.slice(equals + 1);
  }
  // Printed between the markers, but empty: neither `env` nor `awk` was found, so this is no environment.
  return variables.PATH === undefined ? null : variables;
}

function describeFailure(outcome: BoundedOutcome, deadlineMs: number): string {
  switch (outcome.kind) {
    case "complete":
      return "answered without a PATH";
    case "exited": {
      const how =
        outcome.signal === null ? `ended with code ${outcome.code}` : `was ended by ${outcome.signal}`;
      const said = outcome.stderrEnd.split("\n").at(-1)?.slice(0, 200);
      return `${how} before it had answered${said ? ` (${said})` : ""}`;
    }
    case "notStarted":
      return `could not be started: ${outcome.error.message}`;
    case "timedOut":
      return `did not answer within ${deadlineMs / 1000} s`;
    case "tooMuchOutput":
      return "printed more than 4 MiB";
  }
}

function definedVariables(env: Record<string, string | undefined>): Variables {
  const variables: Variables = {};
  for (const [name, value] of Object.entries(env)) if (value !== undefined) variables[name] = value;
  return variables;
}
