// Starts the person's editor on a file or a folder. It is their program, not Holdfast's: it gets none of Holdfast's open
// files and nothing that marks what Holdfast has started, so it is neither on record nor ended, and goes on when Holdfast ends.
//
// A race, and what settles it: an editor that cannot do what it was asked for ends soon after it was started, and one that
// can may do so as well, having handed the file to one that ran already. So its end is waited for, but not for long; only
// an end with a failure is told.

import type { ChildProcess } from "node:child_process";
import { stat } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { commandWords } from "../../../preload/contract/editor";
import type { Clock } from "../../clock";
import { asFault, Fault } from "../../fault";
import type { Log } from "../../log";
import { sealedSpawn } from "../../sealedSpawn";
import { needsTerminal, openingArguments } from "./editors";
import { findProgram } from "./findProgram";

export interface EditorTarget {
  /** The workspace's folder, in which the editor is started; null: the path is whole. */
  folder: string | null;
  /** From the folder, or whole; null: the folder itself. */
  path: string | null;
  line: number | null;
}

export interface EditorContext {
  /** As the setting has it; null: none is chosen. */
  command: string | null;
  /** The login environment. */
  variables: Readonly<Record<string, string>>;
  clock: Clock;
  log: Log;
}

/** What has not ended by then is open. */
const soonMs = 2_000;
const whereToSet = "It is set in Settings, General: “Editor”.";

/**
 * Rejects with a Fault: `editor_not_set`, `editor_invalid`, `editor_needs_terminal`, `editor_not_found`, `path_gone`,
 * `editor_not_started`, `editor_failed`.
 */
export async function openInEditor(
  { folder, path, line }: EditorTarget,
  context: EditorContext,
): Promise<void> {
  const { command, variables, clock, log } = context;
  if (command === null) {
    throw new Fault("editor_not_set", "No editor is chosen yet.", {
      hint: "Choose one in Settings, General: “Editor”.",
    });
  }
  const parsed = commandWords(command);
  if (!parsed.ok) {
    throw new Fault("editor_invalid", `The editor's command is none: ${command}`, {
      hint: `${parsed.said} ${whereToSet}`,
    });
  }
  const [name, ...given] = parsed.words;
  if (needsTerminal(parsed.words)) {
    throw new Fault("editor_needs_terminal", `${name} needs a terminal, and is started without one.`, {
      hint: `Choose an editor that has a window of its own, or use ${name} in one of the workspace's terminals. ${whereToSet}`,
    });
  }
  const program = await findProgram(name, variables);
  if (program === null) {
    throw new Fault("editor_not_found", `${name} is not there, or cannot be run.`, {
      hint: isAbsolute(name)
        ? `Correct the path. ${whereToSet}`
        : `No folder of your PATH has it. Install it, or give its full path. ${whereToSet}`,
      retryable: true,
    });
  }
  const whole = path === null || !isAbsolute(path) ? join(folder ?? "", path ?? "") : path;
  if (!isAbsolute(whole)) throw new Fault("path_gone", `${whole} is no full path.`);
  const isFolder = await stat(whole).then(
    (found) => found.isDirectory(),
    (error: unknown) => {
      throw new Fault("path_gone", `${whole} is not there any more.`, { cause: error, path: whole });
    },
  );
  const args = [...given, ...openingArguments(program, whole, isFolder ? null : line)];
  log.info("the editor is started", { program });
  await start(program, args, folder ?? dirname(whole), own(variables), clock).catch((error: unknown) => {
    const fault = asFault(error);
    throw new Fault(fault.code, fault.message, {
      hint: `Try this in a terminal, which shows what it says: ${[name, ...args].map(quoted).join(" ")}`,
      detail: fault.detail,
      retryable: true,
      cause: error,
    });
  });
}

/** Without what Holdfast was told itself, and what tells its own processes apart. */
function own(variables: Readonly<Record<string, string>>): Record<string, string> {
  const foreign = /^(?:HOLDFAST_|ELECTRON_|CHROME_DESKTOP$|NODE_CHANNEL_)/;
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !foreign.test(name)));
}

async function start(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string>,
  clock: Clock,
): Promise<void> {
  let child: ChildProcess;
  try {
    child = sealedSpawn(program, args, {
      cwd,
      env,
      // A process session of its own: whatever ends Holdfast's does not reach it.
      detached: true,
      // Its output would break off with Holdfast, and a log of it would have no end.
      stdio: ["ignore", "ignore", "ignore"],
    });
  } catch (error) {
    throw notStarted(program, error);
  }
  await new Promise<void>((resolve, reject) => {
    child.on("error", (error) => reject(notStarted(program, error)));
    const timer = clock.after(soonMs, resolve);
    child.once("exit", (code, signal) => {
      timer.cancel();
      if (code === 0) resolve();
      else {
        const how = code === null ? `was ended by ${signal}` : `ended at once with code ${code}`;
        reject(new Fault("editor_failed", `${program} ${how}.`));
      }
    });
  });
  child.unref();
}

function notStarted(program: string, error: unknown): Fault {
  return new Fault("editor_not_started", `${program} could not be started.`, {
    detail: asFault(error).message,
    cause: error,
  });
}

function quoted(word: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
