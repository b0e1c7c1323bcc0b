// For tests: code of this folder in a process of its own, which can be killed. The script is bundled to a file first,
// since plain Node reads no TypeScript.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { basename, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const root = resolve(import.meta.dirname, "../..");

/** Bundles `script` into `outFolder` and returns the file. */
export async function bundle(script: URL, outFolder: string): Promise<string> {
  const source = fileURLToPath(script);
  await build({
    configFile: false,
    logLevel: "error",
    root,
    build: {
      ssr: source,
      outDir: outFolder,
      emptyOutDir: false,
      target: "node20.18",
      rolldownOptions: {
        external: [/^@photostructure/],
        output: { format: "cjs", entryFileNames: "[name].cjs" },
      },
    },
  });
  return join(outFolder, basename(source).replace(/\.ts$/, ".cjs"));
}

export interface TestProcess {
  /** The next line that the process printed. */
  line(): Promise<string>;
  say(line: string): void;
  kill(): Promise<void>;
  ended: Promise<{ code: number | null; signal: string | null }>;
}

export function startProcess(file: string, args: string[]): TestProcess {
  const child: ChildProcess = spawn(process.execPath, [file, ...args], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { PATH: process.env.PATH, NODE_PATH: join(root, "node_modules") },
  });
  if (!child.stdout || !child.stdin) throw new Error("no pipes");
  const { stdin } = child;
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal }));
  return {
    async line() {
      const { value, done } = await lines.next();
      if (done) throw new Error("the process has ended");
      return value;
    },
    say: (line) => stdin.write(`${line}\n`),
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
    ended,
  };
}
