// The test's side of blockedMcpServer.mjs: an MCP server that holds up the start of a thread until the test lets it go.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "@playwright/test";
import { isAlive } from "./processes";

export class BlockedMcp {
  readonly #barrier: string;
  readonly #pidFile: string;

  /** Its files lie in this folder. */
  constructor(folder: string) {
    this.#barrier = path.join(folder, "mcp-may-start");
    this.#pidFile = path.join(folder, "mcp.pid");
  }

  /** For config.toml: without it no thread starts, however long it takes. */
  get configLines(): string[] {
    return [
      "[mcp_servers.blocked]",
      `command = ${JSON.stringify(process.execPath)}`,
      `args = [${JSON.stringify(path.join(import.meta.dirname, "blockedMcpServer.mjs"))}]`,
      "required = true",
      "startup_timeout_sec = 120",
      "[mcp_servers.blocked.env]",
      `BLOCKED_MCP_BARRIER = ${JSON.stringify(this.#barrier)}`,
      `BLOCKED_MCP_PID = ${JSON.stringify(this.#pidFile)}`,
    ];
  }

  get hasStarted(): boolean {
    return existsSync(this.#pidFile);
  }

  /** The process that waits, once it does. */
  async waiting(): Promise<number> {
    const read = () => (this.hasStarted ? Number(readFileSync(this.#pidFile, "utf8")) : 0);
    await expect.poll(read, { message: "the MCP server's process" }).toBeGreaterThan(0);
    expect(isAlive(read())).toBe(true);
    return read();
  }

  release(): void {
    writeFileSync(this.#barrier, "");
  }
}

export async function expectGone(pid: number): Promise<void> {
  await expect.poll(() => isAlive(pid), { message: `process ${pid}`, timeout: 30_000 }).toBe(false);
}
