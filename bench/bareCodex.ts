// A codex app-server with nobody to supervise it: what measurements are held against. Whoever starts it ends it.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../main/clock";
import { bundledBinary } from "../main/codex/codexPackage";
import { connectWhenReady } from "../main/codex/webSocketTransport";

export class BareCodex {
  readonly socket: string;
  /** A folder of its own, for the socket and for threads. */
  readonly folder: string;
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;

  private constructor(folder: string, socket: string, child: ChildProcess) {
    this.folder = folder;
    this.socket = socket;
    this.#child = child;
    this.#exited = new Promise((resolve) => child.once("exit", () => resolve()));
  }

  /** Resolves when it listens. */
  static async start(projectRoot: string, codexHome: string): Promise<BareCodex> {
    const folder = mkdtempSync(join(tmpdir(), "holdfast-bench-codex-"));
    const socket = join(folder, "s");
    const binary = await bundledBinary(projectRoot, { platform: process.platform, arch: process.arch });
    const child = spawn(binary ?? "codex", ["app-server", "--listen", `unix://${socket}`], {
      env: { ...process.env, CODEX_HOME: codexHome },
      stdio: "ignore",
    });
    const codex = new BareCodex(folder, socket, child);
    try {
      const probe = await connectWhenReady(
        { kind: "unix", path: socket },
        { onMessage() {}, onClosed() {} },
        { clock: systemClock, deadlineMs: 30_000 },
      );
      probe.close();
    } catch (error) {
      await codex.end();
      throw error;
    }
    return codex;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Safe to call twice. */
  async end(): Promise<void> {
    this.#child.kill("SIGTERM");
    await this.#exited;
    rmSync(this.folder, { recursive: true, force: true });
  }
}
