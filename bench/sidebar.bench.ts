// 10,000 threads in codex's list of one folder: until all of them are rows of the sidebar, page by page as a person asks for
// more, what that takes in memory, and how the list filters and scrolls then. Beside a bare client that takes the same pages.

import { expect, type Page } from "@playwright/test";
import { openCodexClient } from "../e2e/support/codexClient";
import { createCodexHome } from "../e2e/support/codexHome";
import { makeManyThreads, titleOfThread } from "../e2e/support/manyThreads";
import { startModelServer } from "../e2e/support/modelServer";
import { BareCodex } from "./bareCodex";
import { BenchHome } from "./homes";
import type { Measurement } from "./measurement";
import { Meters } from "./meters";

/** What the functions that run in the page need of its world. */
interface PageElement {
  textContent: string | null;
  scrollTop: number;
  readonly scrollHeight: number;
  getAttribute(name: string): string | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  click(): void;
}
interface PageWorld {
  document: { querySelector(selector: string): PageElement | null };
  requestAnimationFrame(callback: () => void): void;
}

const threads = 10_000;
const pageSize = 50;
const untilListedMs = 300_000;
const scrolls = 60;

const measurement: Measurement = {
  title: `${threads} threads in the sidebar`,
  async measure(context) {
    const model = await startModelServer();
    const codexHome = await createCodexHome({ baseUrl: model.baseUrl });
    const home = new BenchHome(context, { CODEX_HOME: codexHome.path });
    try {
      const cwd = home.folder("atlas");
      await makeManyThreads({ codexHome: codexHome.path, cwd, model, count: threads });
      // codex reads what it finds once; that is its own work and not measured.
      await listBare(context.projectRoot, codexHome.path, cwd);
      const bareMs = await listBare(context.projectRoot, codexHome.path, cwd);

      const { app, page } = await home.launch([cwd]);
      await expect(page.getByRole("treeitem", { name: titleOfThread(1) })).toBeVisible({ timeout: 60_000 });
      const meters = await Meters.install(app, page);
      await meters.countToWindow();
      const before = await meters.memory();
      await meters.begin();
      const listedMs = await listAll(page);
      const listing = await meters.since();
      const after = await meters.memory();

      await meters.begin();
      const filterMs = await filter(page, titleOfThread(threads - 1));
      const filtering = await meters.since();
      await page.getByRole("searchbox", { name: "Find a thread" }).fill("");
      await meters.begin();
      const frameMs = await scroll(page);
      const scrolling = await meters.since();
      await home.end({ app, page });
      home.expectClean();
      return [
        {
          name: `${threads} threads: until all are rows`,
          unit: "ms",
          samples: [listedMs],
          beside: { floor: "bare client, same pages", samples: [bareMs], target: { times: 2 } },
        },
        {
          name: "while listing: longest task in the window",
          unit: "ms",
          samples: [listing.longestRendererTaskMs],
        },
        { name: "while listing: longest delay in main", unit: "ms", samples: [listing.longestMainLagMs] },
        { name: "while listing: to the window", unit: "KiB", samples: [listing.toWindowBytes / 1024] },
        { name: "heap of main has grown by", unit: "MiB", samples: [after.mainHeapMiB - before.mainHeapMiB] },
        {
          name: "heap of the window has grown by",
          unit: "MiB",
          samples: [after.rendererHeapMiB - before.rendererHeapMiB],
        },
        { name: "filter: last key to the row that is found", unit: "ms", samples: [filterMs] },
        {
          name: "filter: longest task in the window",
          unit: "ms",
          samples: [filtering.longestRendererTaskMs],
        },
        { name: "scrolling: longest frame", unit: "ms", samples: [frameMs] },
        {
          name: "scrolling: longest task in the window",
          unit: "ms",
          samples: [scrolling.longestRendererTaskMs],
        },
      ];
    } finally {
      home.remove();
      await model.close();
      await codexHome.remove();
    }
  },
};

/** How long a client takes that does nothing but ask for page after page. */
async function listBare(projectRoot: string, codexHome: string, cwd: string): Promise<number> {
  const codex = await BareCodex.start(projectRoot, codexHome);
  const client = await openCodexClient({ socketPath: codex.socket });
  try {
    const begin = performance.now();
    let count = 0;
    let cursor: string | null = null;
    do {
      const page: { data: unknown[]; nextCursor?: string | null } = await client.rpc.request(
        "thread/list",
        {
          cwd,
          limit: pageSize,
          cursor,
          sortKey: "updated_at",
          archived: false,
          modelProviders: [],
          sourceKinds: ["cli", "vscode", "exec", "appServer", "unknown"],
        },
        { deadlineMs: untilListedMs },
      );
      count += page.data.length;
      cursor = page.nextCursor ?? null;
    } while (cursor !== null);
    if (count !== threads) throw new Error(`codex lists ${count} threads of ${threads}`);
    return performance.now() - begin;
  } finally {
    client.close();
    await codex.end();
  }
}

/** Scrolls to the end and presses "Show more" until there is no such row any more. */
function listAll(page: Page): Promise<number> {
  return page.evaluate(
    ([deadlineMs, wanted]) =>
      new Promise<number>((resolve, reject) => {
        const world = globalThis as unknown as PageWorld;
        const tree = world.document.querySelector('[role="tree"]');
        const begin = performance.now();
        const look = () => {
          if (!tree || performance.now() - begin > deadlineMs) {
            reject(new Error("not all threads came"));
            return;
          }
          tree.scrollTop = tree.scrollHeight;
          const rows = [...tree.querySelectorAll('[role="treeitem"]')];
          const size = Number(rows.at(-1)?.getAttribute("aria-setsize") ?? 0);
          [...tree.querySelectorAll("*")].find((each) => each.textContent === "Show more")?.click();
          if (size >= wanted) resolve(performance.now() - begin);
          else world.requestAnimationFrame(look);
        };
        look();
      }),
    [untilListedMs, threads] as const,
  );
}

/** Types the title of a thread; from the last key to its row being the first one. */
async function filter(page: Page, title: string): Promise<number> {
  const field = page.getByRole("searchbox", { name: "Find a thread" });
  await field.pressSequentially(title.slice(0, -1));
  const begin = performance.now();
  await field.press(title.slice(-1));
  // The row that offers to search the messages for it has the title in its name, too.
  await expect(page.getByRole("treeitem", { name: new RegExp(`^${title}`) })).toBeVisible();
  return performance.now() - begin;
}

/** From the top down, a good screen each frame. Returns the longest time between two frames. */
function scroll(page: Page): Promise<number> {
  return page.evaluate(
    (count) =>
      new Promise<number>((resolve, reject) => {
        const world = globalThis as unknown as PageWorld;
        const tree = world.document.querySelector('[role="tree"]');
        if (!tree) {
          reject(new Error("there is no list"));
          return;
        }
        tree.scrollTop = 0;
        let longestMs = 0;
        let done = 0;
        let lastMs = performance.now();
        const step = () => {
          const nowMs = performance.now();
          // The first frame has what came before it.
          if (done > 0) longestMs = Math.max(longestMs, nowMs - lastMs);
          lastMs = nowMs;
          if (done === count) {
            resolve(longestMs);
            return;
          }
          done += 1;
          tree.scrollTop += 900;
          world.requestAnimationFrame(step);
        };
        world.requestAnimationFrame(step);
      }),
    scrolls,
  );
}

export default measurement;
