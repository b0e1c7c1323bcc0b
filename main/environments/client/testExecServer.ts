// A real exec-server on loopback, and whether everything that tests started is gone.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundledBinary } from "../../codex/codexPackage";

export interface TestExecServer {
  url: string;
  pid: number;
  /** Its working directory. */
  folder: string;
  /** Ends it, with all that runs in it. */
  stop(): Promise<void>;
  kill(): Promise<void>;
}

export async function startExecServer(args: string[] = []): Promise<TestExecServer> {
  const binary = await bundledBinary(process.cwd(), process);
  if (binary === null) throw new Error("This project's codex is not installed for this system.");
  const root = await mkdtemp(join(tmpdir(), "holdfast-exec-"));
  const folder = join(root, "work");
  await mkdir(join(root, "home"));
  await mkdir(folder);
  // Shells of a test read no settings of whoever runs it: those may wait for something, and a shell that is ended in the middle of
  // them may leave something behind.
  const home = join(root, "home");
  const env = { ...process.env, HOME: home, USERPROFILE: home, CODEX_HOME: home };
  const child = spawn(binary, ["exec-server", "--listen", "ws://127.0.0.1:0", ...args], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const url = await printedAddress(child);
  const { pid } = child;
  if (pid === undefined) throw new Error("The exec-server has no pid.");
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal);
      await once(child, "exit");
    }
    await rm(root, { recursive: true, force: true });
  };
  return { url, pid, folder, stop: () => end("SIGTERM"), kill: () => end("SIGKILL") };
}

function printedAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = "";
    let said = "";
    child.stderr?.on("data", (text) => {
      said += text;
    });
    child.stdout?.on("data", (text) => {
      printed += text;
      const url = /^ws:\/\/\S+$/m.exec(printed)?.[0];
      if (url !== undefined) resolve(url);
    });
    child.on("error", reject);
    child.on("exit", () => reject(new Error(`The exec-server ended: ${said}`)));
  });
}

/** Resolves when it has ended and its parent has taken notice. */
export async function gone(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise((resolve) => setImmediate(resolve));
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
