// Meters that a bench puts into a running Holdfast from outside: nothing of them is in the app.

import { readFileSync } from "node:fs";
import type { CDPSession, ElectronApplication, Page } from "@playwright/test";

/** What the functions that run in the page need of its world. */
interface PageElement {
  textContent: string | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  click(): void;
}
interface PageWorld {
  document: { querySelector(selector: string): PageElement | null };
  requestAnimationFrame(callback: () => void): void;
  PerformanceObserver: new (
    take: (list: { getEntries(): { duration: number }[] }) => void,
  ) => { observe(options: { type: string }): void };
  longestTaskMs?: number;
}

interface MainWorld {
  portBytes?: number;
  lag?: { max: number; reset(): void };
}

export interface Since {
  longestRendererTaskMs: number;
  longestMainLagMs: number;
  fromCodexBytes: number;
  /** 0 where they are not counted. */
  toWindowBytes: number;
}

export interface Memory {
  mainHeapMiB: number;
  mainResidentMiB: number;
  rendererHeapMiB: number;
  rendererResidentMiB: number;
}

const mebi = 1024 * 1024;

export class Meters {
  readonly #app: ElectronApplication;
  readonly #page: Page;
  readonly #devtools: CDPSession;
  #fromCodexBefore = 0;

  private constructor(app: ElectronApplication, page: Page, devtools: CDPSession) {
    this.#app = app;
    this.#page = page;
    this.#devtools = devtools;
  }

  static async install(app: ElectronApplication, page: Page): Promise<Meters> {
    const devtools = await page.context().newCDPSession(page);
    await app.evaluate(() => {
      const world = globalThis as MainWorld;
      const { monitorEventLoopDelay } = process.getBuiltinModule("node:perf_hooks");
      const lag = monitorEventLoopDelay({ resolution: 5 });
      lag.enable();
      world.lag = lag;
    });
    await page.evaluate(() => {
      const world = globalThis as unknown as PageWorld;
      world.longestTaskMs = 0;
      new world.PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) {
          world.longestTaskMs = Math.max(world.longestTaskMs ?? 0, duration);
        }
      }).observe({ type: "longtask" });
    });
    return new Meters(app, page, devtools);
  }

  /** From now on, what main tells its windows is written once more to count it: this costs CPU time of main's. */
  async countToWindow(): Promise<void> {
    await this.#app.evaluate(({ MessageChannelMain }) => {
      const world = globalThis as MainWorld;
      const { serialize } = process.getBuiltinModule("node:v8");
      const channel = new MessageChannelMain();
      const prototype: Electron.MessagePortMain = Object.getPrototypeOf(channel.port1);
      channel.port1.close();
      const post = prototype.postMessage;
      prototype.postMessage = function (...message) {
        world.portBytes = (world.portBytes ?? 0) + serialize(message[0]).byteLength;
        post.apply(this, message);
      };
    });
  }

  /** Everything is counted from here on. */
  async begin(): Promise<void> {
    this.#fromCodexBefore = (await this.#main()).fromCodexBytes;
    await this.#app.evaluate(() => {
      const world = globalThis as MainWorld;
      world.portBytes = 0;
      world.lag?.reset();
    });
    await this.#page.evaluate(() => {
      (globalThis as unknown as PageWorld).longestTaskMs = 0;
    });
  }

  async since(): Promise<Since> {
    const main = await this.#main();
    const longestRendererTaskMs = await this.#page.evaluate(
      () => (globalThis as unknown as PageWorld).longestTaskMs ?? 0,
    );
    return {
      longestRendererTaskMs,
      longestMainLagMs: main.lagMs,
      fromCodexBytes: main.fromCodexBytes - this.#fromCodexBefore,
      toWindowBytes: main.portBytes,
    };
  }

  /** After garbage has been collected in both processes. */
  async memory(): Promise<Memory> {
    const main = await this.#app.evaluate(({ BrowserWindow }) => {
      process.getBuiltinModule("node:v8").setFlagsFromString("--expose-gc");
      const collect: () => void = process.getBuiltinModule("node:vm").runInNewContext("gc");
      collect();
      collect();
      const { heapUsed, external } = process.memoryUsage();
      const [window] = BrowserWindow.getAllWindows();
      return {
        bytes: heapUsed + external,
        pid: process.pid,
        page: window?.webContents.getOSProcessId() ?? 0,
      };
    });
    await this.#devtools.send("HeapProfiler.collectGarbage");
    await this.#devtools.send("HeapProfiler.collectGarbage");
    const usage = await this.#devtools.send("Runtime.getHeapUsage");
    return {
      mainHeapMiB: main.bytes / mebi,
      mainResidentMiB: residentMiB(main.pid),
      rendererHeapMiB: usage.usedSize / mebi,
      rendererResidentMiB: residentMiB(main.page),
    };
  }

  async #main(): Promise<{ fromCodexBytes: number; portBytes: number; lagMs: number }> {
    return this.#app.evaluate(() => {
      const world = globalThis as MainWorld;
      const { Socket } = process.getBuiltinModule("node:net");
      // Main's only sockets are the ones to its app-servers; Node counts what comes in over them.
      const handles = (process as unknown as { _getActiveHandles(): unknown[] })._getActiveHandles();
      const sockets = handles.filter((handle) => handle instanceof Socket);
      return {
        fromCodexBytes: sockets.reduce((sum, socket) => sum + socket.bytesRead, 0),
        portBytes: world.portBytes ?? 0,
        lagMs: (world.lag?.max ?? 0) / 1e6,
      };
    });
  }
}

function residentMiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/** Clicks the row of the sidebar that begins with `title`; how long until the frame after the one in which `text` stood. */
export function openThread(page: Page, title: string, text: string): Promise<number> {
  return page.evaluate(
    ([title, text]) =>
      new Promise<number>((resolve, reject) => {
        const world = globalThis as unknown as PageWorld;
        const sidebar = world.document.querySelector('nav[aria-label="Workspaces"]');
        const rows = [...(sidebar?.querySelectorAll('[role="treeitem"]') ?? [])];
        const row = rows.find(({ textContent }) => textContent?.includes(title));
        if (!row) {
          reject(new Error(`no row ${title}`));
          return;
        }
        const begin = performance.now();
        row.click();
        const look = () => {
          if (performance.now() - begin > 60_000) reject(new Error(`${text} did not come`));
          else if (world.document.querySelector('[role="log"]')?.textContent?.includes(text)) {
            world.requestAnimationFrame(() => resolve(performance.now() - begin));
          } else world.requestAnimationFrame(look);
        };
        look();
      }),
    [title, text] as const,
  );
}
