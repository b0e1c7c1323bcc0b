// `npm run check`: everything that must hold and is no test. All of it runs, also after a failure; only failures speak.

import { availableParallelism } from "node:os";
import { run } from "./setup/command.mjs";
import { inProject } from "./setup/project.mjs";
import { runScript } from "./setup/report.mjs";
import { setUp } from "./setup/setup.mjs";

/** @param {...string} segments */
const installed = (...segments) => inProject("node_modules", ...segments);

/** The slow ones first. @type {{ name: string, args: string[] }[]} */
const checks = [
  { name: "unused code", args: [installed("knip", "bin", "knip.js"), "--no-progress"] },
  { name: "import arrows", args: [inProject("scripts", "check", "imports.mjs")] },
  {
    name: "types (main, tests, scripts)",
    args: [installed("typescript", "bin", "tsc"), "-p", "tsconfig.node.json"],
  },
  {
    name: "types (renderer, preload)",
    args: [installed("typescript", "bin", "tsc"), "-p", "tsconfig.web.json"],
  },
  {
    name: "lint and format",
    args: [installed("@biomejs", "biome", "bin", "biome"), "ci", "--error-on-warnings", "--colors=off"],
  },
];

await runScript(async () => {
  await setUp("packages");
  const waiting = [...checks];
  let failures = 0;
  const worker = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const startedMs = performance.now();
      const { code, output } = await run(process.execPath, check.args, { timeoutMs: 5 * 60_000 });
      const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
      process.stdout.write(`${code === 0 ? "ok    " : "FAILED"}  ${check.name} (${seconds} s)\n`);
      if (code === 0) continue;
      failures += 1;
      process.stdout.write(`${output.trimEnd()}\n\n`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), checks.length) }, worker));
  return failures === 0 ? 0 : 1;
});
