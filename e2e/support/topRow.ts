// Where the conversation stands: the row that the top edge of the view goes through, and how far below that edge it begins.

import type { Page } from "@playwright/test";

export interface TopRow {
  text: string;
  topPx: number;
}

interface PageElement {
  textContent: string | null;
  getBoundingClientRect(): { top: number; bottom: number };
  querySelectorAll(selector: string): Iterable<PageElement>;
}
interface PageWorld {
  document: { querySelector(selector: string): PageElement | null };
  requestAnimationFrame(callback: () => void): void;
}

/** Once it has stood still for longer than a place is held, and than the browser goes on scrolling after the wheel. */
const stillFrames = 45;

export function restingTopRow(page: Page): Promise<TopRow> {
  return page.evaluate(async (stillFrames) => {
    const world = globalThis as unknown as PageWorld;
    const look = () => {
      const log = world.document.querySelector('[role="log"]');
      if (!log) return null;
      const { top } = log.getBoundingClientRect();
      for (const row of log.querySelectorAll("[data-index]")) {
        const box = row.getBoundingClientRect();
        if (box.bottom > top) {
          return { text: row.textContent?.slice(0, 60) ?? "", topPx: Math.round(box.top - top) };
        }
      }
      return null;
    };
    let last = look();
    for (let still = 0; still < stillFrames; still += 1) {
      await new Promise<void>((resolve) => world.requestAnimationFrame(resolve));
      const now = look();
      if (now?.text !== last?.text || now?.topPx !== last?.topPx) still = 0;
      last = now;
    }
    if (!last) throw new Error("no row of a conversation is drawn");
    return last;
  }, stillFrames);
}
