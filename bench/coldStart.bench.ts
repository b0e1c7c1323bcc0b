// From the start of the process to a window that can be used, against a window that shows one heading. Both by the same
// runtime and the same driver, one after the other in turn, so that what the machine does meanwhile hits both.

import type { Page } from "@playwright/test";
import { makeRoot, removeRoot, runElectron, writeBareApp } from "./electronRuns";
import type { Measurement } from "./measurement";

const runs = 7;
const startsBefore = 3;

/** What the function that runs in the page needs of its world. */
interface PageWorld {
  document: { querySelectorAll(tag: string): Iterable<PageElement> };
  requestAnimationFrame(callback: () => void): void;
}
interface PageElement {
  textContent: string | null;
  getClientRects(): { length: number };
}

const measurement: Measurement = {
  title: "Cold start: start of the process to a usable window",
  async measure(context) {
    const bareApp = writeBareApp();
    const roots = { bare: makeRoot(), holdfast: makeRoot() };
    const start = async (folder: string, tag: string, words: string, root?: string) => {
      const run = await runElectron(context, folder, root === undefined ? {} : { root });
      await shown(run.page, tag, words);
      const tookMs = performance.now() - run.beganMs;
      await run.end();
      return tookMs;
    };
    const startBare = (root?: string) => start(bareApp.folder, "h1", "bare", root);
    const startHoldfast = (root?: string) => start(context.projectRoot, "button", "Open workspace", root);
    const samples = { bare: [] as number[], again: [] as number[], first: [] as number[] };
    try {
      // As on any day but the first one: there is a ledger, and Chromium has what it keeps of pages.
      for (let run = 0; run < startsBefore; run += 1) {
        await startBare(roots.bare);
        await startHoldfast(roots.holdfast);
      }
      for (let run = 0; run < runs; run += 1) {
        samples.bare.push(await startBare(roots.bare));
        samples.again.push(await startHoldfast(roots.holdfast));
        samples.first.push(await startHoldfast());
      }
    } finally {
      bareApp.remove();
      for (const root of Object.values(roots)) removeRoot(root);
    }
    const beside = { floor: "bare Electron window", samples: samples.bare, target: { times: 1.6 } };
    return [
      { name: "bare Electron window", unit: "ms", samples: samples.bare },
      { name: "cold start", unit: "ms", samples: samples.again, beside },
      { name: "the very first start", unit: "ms", samples: samples.first, beside },
    ];
  },
};

/** Resolves in the frame that shows it: a driver that looks again from time to time would add its own pauses. */
async function shown(page: Page, tag: string, words: string): Promise<void> {
  await page.evaluate(
    (wanted) =>
      new Promise<void>((resolve) => {
        const page = globalThis as unknown as PageWorld;
        const look = () => {
          const all = [...page.document.querySelectorAll(wanted.tag)];
          const found = all.some(
            (each) => each.textContent === wanted.words && each.getClientRects().length > 0,
          );
          if (found) resolve();
          else page.requestAnimationFrame(look);
        };
        look();
      }),
    { tag, words },
  );
}

export default measurement;
