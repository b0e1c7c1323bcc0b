// A place elsewhere that a test owns: exec-servers on loopback, one after the other, and the file that says which it is now.
// Each carries a mark that its commands can print, and counts what it has started.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "@playwright/test";
import { inherited, listProcesses, type Process } from "../../scripts/setup/processes.mjs";
import { describeProcess, endProcesses } from "./processes";
import { realCodex } from "./realCodex";

export interface ExecServer {
  /** What MARK is in everything that it starts. */
  readonly mark: string;
  readonly pid: number;
  readonly url: string;
  /** At once, with no chance to say anything. */
  kill(): Promise<void>;
}

export class BuildBox {
  /** Where every exec-server starts. */
  readonly root: string;
  /** Below that, where commands run; the same one for every exec-server, as on one machine. */
  readonly folder: string;
  /** For a registry that is a file. */
  readonly registryPath: string;
  readonly #servers: ChildProcess[] = [];
  /** One for each of them; all that it starts carries it. */
  readonly #homes: string[] = [];

  private constructor(root: string) {
    this.root = root;
    this.folder = path.join(root, "srv");
    this.registryPath = path.join(root, "build-box.json");
  }

  static async make(temporary: string): Promise<BuildBox> {
    const box = new BuildBox(path.join(temporary, "build-box"));
    await mkdir(box.folder, { recursive: true });
    return box;
  }

  /** Starts another one; the registry says nothing of it yet. */
  async start(mark: string): Promise<ExecServer> {
    const home = path.join(this.root, mark);
    await mkdir(home);
    this.#homes.push(home);
    const child = spawn(await realCodex(), ["exec-server", "--listen", "ws://127.0.0.1:0"], {
      cwd: this.root,
      env: { PATH: process.env.PATH, HOME: home, CODEX_HOME: home, MARK: mark },
      stdio: ["ignore", "pipe", "ignore"],
    });
    this.#servers.push(child);
    const url = await printedAddress(child);
    const { pid } = child;
    if (pid === undefined) throw new Error("the exec-server has no pid");
    return { mark, pid, url, kill: () => end(child) };
  }

  /** Rewrites the registry as a program does that others read from: at once and whole. */
  async register({ url, mark }: ExecServer): Promise<void> {
    const written = `${this.registryPath}.new`;
    await writeFile(written, JSON.stringify({ url, identity: mark }));
    await rename(written, this.registryPath);
  }

  /** The lines that commands have added to a file in the folder; none while there is no such file. */
  lines(file: string): string[] {
    try {
      return readFileSync(path.join(this.folder, file), "utf8").split("\n").filter(Boolean);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
      throw error;
    }
  }

  /** At once, with no chance to say anything. What they have started goes on until the end. */
  async killAll(): Promise<void> {
    await Promise.all(this.#servers.map(end));
  }

  /** Ends all of them, and proves that nothing which they have started goes on. */
  async end(): Promise<void> {
    await Promise.all(this.#servers.map(end));
    try {
      await expect
        .poll(() => this.#processes().map(describeProcess), "what the exec-servers have started")
        .toEqual([]);
    } finally {
      endProcesses(this.#processes());
    }
  }

  #processes(): Process[] {
    return listProcesses().filter((one) => this.#homes.some((home) => inherited(one, "CODEX_HOME", home)));
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

function printedAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = "";
    child.stdout?.on("data", (text) => {
      printed += text;
      const url = /^ws:\/\/\S+$/m.exec(printed)?.[0];
      if (url !== undefined) resolve(url);
    });
    child.once("error", reject);
    child.once("exit", () => reject(new Error("the exec-server ended before it said its address")));
  });
}
