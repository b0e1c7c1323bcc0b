// Going up through a conversation from within its page, where each frame can be looked at: whether what is read moves when
// older turns are put above it cannot be seen from outside.

import type { Page } from "@playwright/test";

/** What the function that runs in the page needs of its world. */
interface PageElement {
  textContent: string | null;
  scrollTop: number;
  isConnected: boolean;
  style: { cssText: string };
  remove(): void;
  getBoundingClientRect(): { top: number; bottom: number };
  querySelectorAll(selector: string): Iterable<PageElement>;
}
interface PageWorld {
  document: {
    querySelector(selector: string): PageElement | null;
    createElement(name: string): PageElement;
    body: { append(element: PageElement): void };
  };
  requestAnimationFrame(callback: () => void): void;
  ResizeObserver: new (take: () => void) => { observe(element: PageElement): void; disconnect(): void };
}

export interface Climb {
  tookMs: number;
  pages: number;
  /** The most that the row at the top of the view moved when older turns were put above it. */
  movedPx: number;
}

/** Goes up to the beginning, as often as older turns come, until `text` stands there. */
export function climb(page: Page, text: string): Promise<Climb> {
  return page.evaluate(
    (text) =>
      new Promise<Climb>((resolve, reject) => {
        const world = globalThis as unknown as PageWorld;
        const log = world.document.querySelector('[role="log"]');
        if (!log) {
          reject(new Error("no conversation"));
          return;
        }
        const begin = performance.now();
        let pages = 0;
        let movedPx = 0;
        let beganMs = begin;
        let frames = 0;
        let framesWithOlder = 0;
        let shiftPx = 0;
        let anchor: { row: PageElement; top: number } | null = null;
        const hold = () => {
          const { top } = log.getBoundingClientRect();
          const rows = [...log.querySelectorAll("article")];
          const row = rows.find((each) => each.getBoundingClientRect().bottom > top + 1);
          anchor = row ? { row, top: row.getBoundingClientRect().top } : null;
        };
        const moved = () =>
          anchor?.row.isConnected ? Math.abs(anchor.row.getBoundingClientRect().top - anchor.top) : 0;
        const up = () => {
          log.scrollTop = 0;
          beganMs = performance.now();
          frames = 0;
          framesWithOlder = 0;
          anchor = null;
          shiftPx = 0;
        };
        // A window that is not drawn has no frames to look at.
        let framesSeen = 0;
        const watch = setInterval(() => {
          if (framesSeen > 0) framesSeen = 0;
          else end(() => reject(new Error(`the window drew nothing after page ${pages}`)));
        }, 20_000);
        const end = (settle: () => void) => {
          clearInterval(watch);
          painting.disconnect();
          probe.remove();
          settle();
        };
        const look = () => {
          const now = performance.now();
          framesSeen += 1;
          // What was put above the view shows in how far down the view now is.
          if (log.scrollTop > 300) framesWithOlder += 1;
          // In the first frames the rows at the top are drawn, and find their sizes.
          if (frames <= 2 && framesWithOlder === 0) hold();
          else shiftPx = moved();
          frames += 1;
          if (framesWithOlder >= 3) {
            pages += 1;
            up();
          } else if (framesWithOlder === 0 && log.textContent?.includes(text)) {
            end(() => resolve({ tookMs: now - begin, pages, movedPx }));
          } else if (now - beganMs > 20_000) {
            end(() => reject(new Error(`nothing older came after page ${pages}`)));
          }
        };
        // Told in each frame after the list has measured its rows. It may correct itself once more before the frame is painted:
        // what counts is what is still so when the next frame begins.
        const probe = world.document.createElement("div");
        world.document.body.append(probe);
        const painting = new world.ResizeObserver(() => {
          look();
          world.requestAnimationFrame(() => {
            movedPx = Math.max(movedPx, Math.min(shiftPx, moved()));
            resize();
          });
        });
        let width = 1;
        const resize = () => {
          width = 3 - width;
          probe.style.cssText = `position: fixed; top: 0; height: 1px; width: ${width}px`;
        };
        resize();
        painting.observe(probe);
        up();
      }),
    text,
  );
}
