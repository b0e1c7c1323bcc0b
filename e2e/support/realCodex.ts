// The codex binary that comes with Holdfast, started by a test itself.

import { spawn } from "node:child_process";
import path from "node:path";
import { bundledBinary } from "../../main/codex/codexPackage";

const projectFolder = path.resolve(import.meta.dirname, "..", "..");

export async function realCodex(): Promise<string> {
  const binary = await bundledBinary(projectFolder, process);
  if (binary === null) throw new Error("there is no codex for this machine");
  return binary;
}

export interface StrangerCodex {
  pid: number;
  end(): Promise<void>;
}

/** An app-server that somebody else has started, beside Holdfast and not for it; with a socket, one that can be talked to. */
export async function startStrangerCodex(codexHome: string, socketPath?: string): Promise<StrangerCodex> {
  const listen = socketPath === undefined ? [] : ["--listen", `unix://${socketPath}`];
  const child = spawn(await realCodex(), ["app-server", ...listen], {
    env: { PATH: process.env.PATH, CODEX_HOME: codexHome },
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const { pid } = child;
  if (pid === undefined) throw new Error("codex could not be started");
  return {
    pid,
    async end() {
      child.kill("SIGKILL");
      await gone;
    },
  };
}
