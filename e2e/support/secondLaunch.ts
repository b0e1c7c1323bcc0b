// Holdfast started where it ends by itself: for a home for which it runs, or with a script that quits.

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { execa } from "execa";
import type { Holdfast, Sandbox } from "./app";

const projectFolder = path.resolve(import.meta.dirname, "..", "..");

export interface HandedOver {
  exitCode: number | undefined;
  output: string;
}

export async function launchAgain(
  sandbox: Sandbox,
  running: Holdfast,
  args: readonly string[],
): Promise<HandedOver> {
  return launchUntilEnd(sandbox, running.app.process().spawnfile, [projectFolder, ...args]);
}

/** `args`: Electron's own too. */
async function launchUntilEnd(
  sandbox: Sandbox,
  electron: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<HandedOver> {
  const { exitCode, all } = await execa(
    electron,
    [...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), ...args],
    {
      env: { ...sandbox.environment(), ...environment },
      extendEnv: false,
      all: true,
      reject: false,
      timeout: 30_000,
    },
  );
  return { exitCode, output: all };
}

const quitAtOnce = path.join(import.meta.dirname, "quitAtOnce.cjs");

/**
 * Started with the program of one that has ended, and quit as soon as it has a window. `asked` is the question at quit, which
 * is answered with Keep Running.
 */
export async function launchAndQuit(
  sandbox: Sandbox,
  electron: string,
  environment: Record<string, string>,
): Promise<HandedOver & { asked: string | null }> {
  const args = ["-r", quitAtOnce, projectFolder, sandbox.workspace];
  const ended = await launchUntilEnd(sandbox, electron, args, environment);
  const asked = path.join(sandbox.temporary, "asked.txt");
  return { ...ended, asked: existsSync(asked) ? readFileSync(asked, "utf8") : null };
}
