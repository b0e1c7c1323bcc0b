// An MCP server that answers nothing until a file is there, and says by another file which process it is. Its client closing
// its input ends it.

import { existsSync, watch, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";

const { BLOCKED_MCP_BARRIER: barrier = "", BLOCKED_MCP_PID: pidFile = "" } = process.env;

/** Resolves once the barrier is there. It may come between the look and the watch, so the watch is first. */
const open = new Promise((resolve) => {
  const watcher = watch(path.dirname(barrier), look);
  function look() {
    if (!existsSync(barrier)) return;
    watcher.close();
    resolve(null);
  }
  look();
});

/** @type {Record<string, (params: { protocolVersion?: string }) => unknown>} */
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "blocked", version: "1" },
  }),
  "tools/list": () => ({
    tools: [
      {
        name: "greet",
        description: "Says hello to somebody.",
        inputSchema: { type: "object", properties: { somebody: { type: "string" } } },
      },
    ],
  }),
  ping: () => ({}),
};

const lines = createInterface({ input: process.stdin });
lines.on("line", async (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  await open;
  const answer = answers[method];
  const body = answer ? { result: answer(params) } : { error: { code: -32601, message: `no ${method}` } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...body })}\n`);
});
lines.on("close", () => process.exit(0));

writeFileSync(pidFile, String(process.pid));
