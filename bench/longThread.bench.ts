// A thread of 3,000 turns beside one of 3, on the same codex: until its last turn is painted, what goes over the wires for
// it, how long it keeps either process busy at once, and what is left of it in memory after it was left.

import { expect, type Page } from "@playwright/test";
import { climb } from "../e2e/support/climb";
import { openCodexClient } from "../e2e/support/codexClient";
import { createCodexHome } from "../e2e/support/codexHome";
import { answerOf, type LongThread, makeLongThread, promptOf } from "../e2e/support/longThread";
import { startModelServer } from "../e2e/support/modelServer";
import { PieceSize } from "../main/threads/pieceSize";
import { BareCodex } from "./bareCodex";
import { BenchHome, type Started } from "./homes";
import type { Beside, Figure, Measurement } from "./measurement";
import { type Memory, Meters, openThread, type Since } from "./meters";

const runs = 3;
const sizes = { short: 3, long: 3_000, other: 300 };
/** Commands of one more thread as long, which printed so much: half of them in its last turns, the others far apart. */
const heavyOutputs = {
  turns: Array.from({ length: 20 }, (_, index) => [
    sizes.long - 2 * index,
    sizes.long - 100 * (index + 1),
  ]).flat(),
  bytes: 5_000_000,
};
const others = 20;
const bareName = "bare client: the newest turns of the long one";
/** Somewhat longer than Holdfast keeps a thread that nobody shows. */
const forgottenAfterMs = 33_000;

interface Opening extends Since {
  ms: number;
}

class Samples {
  readonly #samples = new Map<string, { unit: Figure["unit"]; samples: number[] }>();
  readonly #floors = new Map<string, { floor: string; target: Beside["target"] }>();

  add(name: string, unit: Figure["unit"], sample: number): void {
    const figure = this.#samples.get(name) ?? { unit, samples: [] };
    figure.samples.push(sample);
    this.#samples.set(name, figure);
  }

  /** Another figure here is what the first is held against. */
  hold(name: string, floor: string, target?: Beside["target"]): void {
    this.#floors.set(name, { floor, target });
  }

  addOpening(name: string, opening: Opening): void {
    this.add(`${name}: click to its last turn painted`, "ms", opening.ms);
    this.add(`${name}: from codex`, "KiB", opening.fromCodexBytes / 1024);
    this.add(`${name}: to the window`, "KiB", opening.toWindowBytes / 1024);
    this.addTasks(name, opening);
  }

  addTasks(name: string, since: Since): void {
    this.add(`${name}: longest task in the window`, "ms", since.longestRendererTaskMs);
    this.add(`${name}: longest delay in main`, "ms", since.longestMainLagMs);
  }

  addMemory(name: string, memory: Memory): void {
    this.add(`${name}: heap of main`, "MiB", memory.mainHeapMiB);
    this.add(`${name}: heap of the window`, "MiB", memory.rendererHeapMiB);
    this.add(`${name}: resident, main`, "MiB", memory.mainResidentMiB);
    this.add(`${name}: resident, window`, "MiB", memory.rendererResidentMiB);
  }

  figures(): Figure[] {
    return [...this.#samples].map(([name, figure]) => {
      const held = this.#floors.get(name);
      const samples = held && this.#samples.get(held.floor)?.samples;
      return { name, ...figure, ...(held && samples && { beside: { ...held, samples } }) };
    });
  }
}

const measurement: Measurement = {
  title: `A thread of ${sizes.long} turns, and one of ${sizes.short}`,
  async measure(context) {
    const samples = new Samples();
    const model = await startModelServer();
    const codexHome = await createCodexHome({ baseUrl: model.baseUrl });
    const home = new BenchHome(context, { CODEX_HOME: codexHome.path });
    try {
      const cwd = home.folder("atlas");
      const make = (turns: number, name: string) =>
        makeLongThread({ codexHome: codexHome.path, cwd, model, turns, name });
      const short = await make(sizes.short, "short");
      const long = await make(sizes.long, "long");
      const rest = await make(sizes.short, "rest");
      const threads = { short, long, rest };
      for (let run = 0; run < runs; run += 1) {
        await measureBare(context.projectRoot, codexHome.path, long, samples);
        await measureOpening(home, cwd, threads, run, samples);
      }
      await measureClimb(home, cwd, threads, samples);
      const heavy = await makeLongThread({
        codexHome: codexHome.path,
        cwd,
        model,
        turns: sizes.long,
        name: "heavy",
        heavy: heavyOutputs,
      });
      await measureHeavy(home, cwd, { heavy, rest }, samples);
      const more: LongThread[] = [];
      // No name begins like another one: rows are found by theirs.
      for (let each = 0; each < others; each += 1)
        more.push(await make(sizes.other, `other ${String(each).padStart(2, "0")}`));
      await measureMany(home, cwd, rest, more, samples);
      home.expectClean();
    } finally {
      home.remove();
      await model.close();
      await codexHome.remove();
    }
    samples.hold("long: click to its last turn painted", bareName, { value: 1_000 });
    samples.hold("after it was left: heap of main", "before the long one: heap of main", { times: 1.2 });
    samples.hold("after it was left: heap of the window", "before the long one: heap of the window", {
      times: 1.2,
    });
    return samples.figures();
  },
};

interface Threads {
  short: LongThread;
  long: LongThread;
  /** Shown when nothing else is, and so also at each start. */
  rest: LongThread;
}

/** What a client takes that resumes the thread, reads the same newest turns and shows them to nobody. */
async function measureBare(
  projectRoot: string,
  codexHome: string,
  { threadId }: LongThread,
  samples: Samples,
): Promise<void> {
  const codex = await BareCodex.start(projectRoot, codexHome);
  const client = await openCodexClient({ socketPath: codex.socket });
  try {
    const begin = performance.now();
    await client.rpc.request("thread/resume", {
      threadId,
      excludeTurns: true,
      initialTurnsPage: { limit: new PieceSize().turns, itemsView: "full" },
    });
    samples.add(bareName, "ms", performance.now() - begin);
  } finally {
    client.close();
    await codex.end();
  }
}

/** A start of its own, so that codex has none of them in memory. Which comes first changes from run to run. */
async function measureOpening(
  home: BenchHome,
  cwd: string,
  { short, long, rest }: Threads,
  run: number,
  samples: Samples,
): Promise<void> {
  await withApp(home, cwd, async ({ page }, meters) => {
    const open = (thread: LongThread) => opening(page, meters, thread);
    await open(rest);
    const isShortFirst = run % 2 === 0;
    const [first, second] = isShortFirst ? [short, long] : [long, short];
    const firstOpening = await open(first);
    await open(rest);
    const before = await meters.memory();
    const secondOpening = await open(second);
    const [ofShort, ofLong] = isShortFirst ? [firstOpening, secondOpening] : [secondOpening, firstOpening];
    samples.addOpening("short", ofShort);
    samples.addOpening("long", ofLong);
    samples.add("long / short: click to its last turn painted", "times", ofLong.ms / ofShort.ms);
    if (isShortFirst) {
      samples.addMemory("before the long one", before);
      samples.addMemory("with the long one open", await meters.memory());
      await open(rest);
      samples.addOpening("long, again after a moment", await open(long));
      await open(rest);
      await page.waitForTimeout(forgottenAfterMs);
      samples.addMemory("after it was left", await meters.memory());
      samples.addOpening("long, again when it was forgotten", await open(long));
    }
    await open(rest);
  });
}

async function measureClimb(
  home: BenchHome,
  cwd: string,
  { long, rest }: Threads,
  samples: Samples,
): Promise<void> {
  await withApp(home, cwd, async ({ page }, meters) => {
    await opening(page, meters, rest);
    await opening(page, meters, long);
    await meters.begin();
    const { tookMs, pages, movedPx } = await climb(page, promptOf(long, 1));
    samples.add("up to the first turn", "ms", tookMs);
    samples.add("up to the first turn: pages", "count", pages);
    samples.add("up to the first turn: the view moved by", "px", movedPx);
    samples.addTasks("up to the first turn", await meters.since());
    samples.addMemory("with all turns loaded", await meters.memory());
    await opening(page, meters, rest);
    await page.waitForTimeout(forgottenAfterMs);
    samples.addMemory("after all turns were left", await meters.memory());
  });
}

async function measureHeavy(
  home: BenchHome,
  cwd: string,
  { heavy, rest }: { heavy: LongThread; rest: LongThread },
  samples: Samples,
): Promise<void> {
  await withApp(home, cwd, async ({ page }, meters) => {
    await opening(page, meters, rest);
    samples.addMemory("before the heavy one", await meters.memory());
    samples.addOpening("heavy", await opening(page, meters, heavy));
    await meters.begin();
    const { tookMs, pages } = await climb(page, promptOf(heavy, 1));
    samples.add("heavy, up to the first turn", "ms", tookMs);
    samples.add("heavy, up to the first turn: pages", "count", pages);
    const since = await meters.since();
    samples.add("heavy, up to the first turn: from codex", "KiB", since.fromCodexBytes / 1024);
    samples.add("heavy, up to the first turn: to the window", "KiB", since.toWindowBytes / 1024);
    samples.addTasks("heavy, up to the first turn", since);
    samples.addMemory("heavy, with all turns loaded", await meters.memory());
    await opening(page, meters, rest);
    await page.waitForTimeout(forgottenAfterMs);
    samples.addMemory("after the heavy one was left", await meters.memory());
  });
}

async function measureMany(
  home: BenchHome,
  cwd: string,
  rest: LongThread,
  threads: LongThread[],
  samples: Samples,
): Promise<void> {
  await withApp(home, cwd, async ({ page }, meters) => {
    await opening(page, meters, rest);
    samples.addMemory(`before ${threads.length} of ${sizes.other} turns`, await meters.memory());
    for (const thread of threads) await opening(page, meters, thread);
    await opening(page, meters, rest);
    await page.waitForTimeout(forgottenAfterMs);
    samples.addMemory(`after ${threads.length} of ${sizes.other} turns`, await meters.memory());
  });
}

async function opening(page: Page, meters: Meters, thread: LongThread): Promise<Opening> {
  await meters.begin();
  const ms = await openThread(page, thread.name, answerOf(thread, thread.turns));
  return { ms, ...(await meters.since()) };
}

async function withApp(
  home: BenchHome,
  cwd: string,
  task: (started: Started, meters: Meters) => Promise<void>,
): Promise<void> {
  const started = await home.launch([cwd]);
  const { page } = started;
  await expect(page.getByRole("status", { name: "Session" })).toContainText(/^connected/);
  await expect(page.getByRole("treeitem", { name: /^rest/ })).toBeVisible();
  const meters = await Meters.install(started.app, page);
  await meters.countToWindow();
  await task(started, meters);
  await home.end(started);
}

export default measurement;
