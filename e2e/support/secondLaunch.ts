// Holdfast started once more for a home for which it runs: it hands over and ends.

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
  const { exitCode, all } = await execa(
    running.app.process().spawnfile,
    [...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), projectFolder, ...args],
    { env: sandbox.environment(), extendEnv: false, all: true, reject: false, timeout: 30_000 },
  );
  return { exitCode, output: all };
}
