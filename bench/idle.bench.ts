// Ten sessions at rest, each with a codex of its own: what Holdfast's processes take while nothing happens, beside a bare
// Electron window. CPU time and wake-ups are the kernel's, over all processes of each; codex's own are not counted.

import { readdirSync, readFileSync } from "node:fs";
import { expect } from "@playwright/test";
import { createCodexHome } from "../e2e/support/codexHome";
import { startModelServer } from "../e2e/support/modelServer";
import { runElectron, writeBareApp } from "./electronRuns";
import { BenchHome } from "./homes";
import type { Measurement, MeasurementContext } from "./measurement";

const sessions = 10;
const settleMs = 15_000;
const overMs = 60_000;
/** Of the kernel's clock ticks; 100 on every Linux there is. */
const ticksPerSecond = 100;

interface Rest {
  percent: number;
  wakesPerSecond: number;
}

const measurement: Measurement = {
  title: `At rest for ${overMs / 1000} s with ${sessions} sessions`,
  async measure(context) {
    const bare = await measureBare(context);
    const own = await measureHoldfast(context);
    return [
      {
        name: `at rest, ${sessions} sessions: CPU of Holdfast`,
        unit: "% of a core",
        samples: [own.percent],
        beside: { floor: "bare Electron window", samples: [bare.percent], target: { value: 0.5 } },
      },
      {
        name: `at rest, ${sessions} sessions: wake-ups of Holdfast`,
        unit: "per second",
        samples: [own.wakesPerSecond],
        beside: { floor: "bare Electron window", samples: [bare.wakesPerSecond] },
      },
    ];
  },
};

async function measureBare(context: MeasurementContext): Promise<Rest> {
  const app = writeBareApp();
  try {
    const run = await runElectron(context, app.folder);
    await run.page.getByRole("heading", { name: "bare" }).waitFor();
    const rest = await atRest(run.app.process().pid ?? 0);
    await run.end();
    return rest;
  } finally {
    app.remove();
  }
}

async function measureHoldfast(context: MeasurementContext): Promise<Rest> {
  const model = await startModelServer();
  const codexHome = await createCodexHome({ baseUrl: model.baseUrl });
  const home = new BenchHome(context, { CODEX_HOME: codexHome.path });
  try {
    const started = await home.launch([home.folder("w0")]);
    for (let index = 1; index < sessions; index += 1) await home.handOver(home.folder(`w${index}`));
    await expect
      .poll(() => home.ledger.states(), { timeout: 120_000 })
      .toEqual(Array.from({ length: sessions }, () => "running"));
    await expect(started.page.getByRole("status", { name: "Session" })).toContainText(/^connected/);
    const rest = await atRest(started.app.process().pid ?? 0);
    await home.end(started);
    home.expectClean();
    return rest;
  } finally {
    home.remove();
    await model.close();
    await codexHome.remove();
  }
}

async function atRest(mainPid: number): Promise<Rest> {
  await passed(settleMs);
  const before = usedBy(mainPid);
  const begin = performance.now();
  await passed(overMs);
  const seconds = (performance.now() - begin) / 1000;
  const after = usedBy(mainPid);
  return {
    percent: ((after.ticks - before.ticks) / ticksPerSecond / seconds) * 100,
    wakesPerSecond: (after.wakes - before.wakes) / seconds,
  };
}

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Of the Electron whose main process this is: main, Chromium's processes, and the watchdog. */
function usedBy(mainPid: number): { ticks: number; wakes: number } {
  const executable = executableOf(mainPid);
  let ticks = 0;
  let wakes = 0;
  for (const pid of familyOf(mainPid)) {
    if (pid !== mainPid && executableOf(pid) !== executable) continue;
    try {
      // The name of the program is in brackets and may hold anything; user and system time are fields 14 and 15.
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ");
      ticks += Number(fields[11]) + Number(fields[12]);
      for (const thread of readdirSync(`/proc/${pid}/task`)) {
        const status = readFileSync(`/proc/${pid}/task/${thread}/status`, "utf8");
        wakes += Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(status)?.[1] ?? 0);
      }
    } catch {
      // A process or thread of Chromium's that has just ended took next to nothing.
    }
  }
  return { ticks, wakes };
}

function executableOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")[0] ?? null;
  } catch {
    return null;
  }
}

function familyOf(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const entry of readdirSync("/proc")) {
    const pid = Number(entry);
    if (!Number.isInteger(pid)) continue;
    try {
      const parent = Number(
        readFileSync(`/proc/${pid}/stat`, "utf8")
          .replace(/^.*\) /s, "")
          .split(" ")[1],
      );
      children.set(parent, [...(children.get(parent) ?? []), pid]);
    } catch {
      // It has just ended.
    }
  }
  const family = [root];
  for (const pid of family) family.push(...(children.get(pid) ?? []));
  return family;
}

export default measurement;
