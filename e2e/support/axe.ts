// Looks at a whole page with axe: every rule that it has, and all of the page, dialogs and what lies over it included.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";
import type { AxeResults, RunOptions } from "axe-core";

const source = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe has in the page. */
interface InPage {
  axe?: { getRules(): { ruleId: string }[]; run(options: RunOptions): Promise<AxeResults> };
}

/** What axe is not asked, and why. */
const leftOut: Record<string, string> = {
  "color-contrast-enhanced":
    "asks for 7:1; the colours here keep 4.5:1, which color-contrast checks, so that there can be quiet words beside loud ones",
  "focus-order-semantics":
    "experimental; takes a separator that can be moved, and a text that scrolls with the keys, for things that need no keyboard",
};

/** Every violation as a line: the rule, what is wrong, and where. */
async function violationsOf(page: Page, only: "all" | "colours"): Promise<string[]> {
  // Evaluated by the debugger, which the page's own content security policy does not bind.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(await source);
  // What fades, or changes its colour, has it only at the end.
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    const moving = () =>
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    await frame();
    await frame();
    while (moving().length > 0) {
      await Promise.allSettled(moving().map((animation) => animation.finished));
      await frame();
    }
  });
  const violations = await page.evaluate(
    async ({ unasked, colours }) => {
      const { axe } = globalThis as InPage;
      if (!axe) throw new Error("axe is not in the page");
      // The rules that are off by default are asked too.
      const rules = axe.getRules().map(({ ruleId }) => {
        const asked = colours ? ruleId === "color-contrast" : !unasked.includes(ruleId);
        return [ruleId, { enabled: asked }];
      });
      const results = await axe.run({ rules: Object.fromEntries(rules), resultTypes: ["violations"] });
      return results.violations;
    },
    { unasked: Object.keys(leftOut), colours: only === "colours" },
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, html, failureSummary }) => {
      const why = (failureSummary ?? "").split("\n").slice(1).join(" ").replaceAll(/\s+/g, " ").trim();
      return `${id}: ${help} | ${target.join(" ")} | ${html.slice(0, 200)} | ${why.slice(0, 300)}`;
    }),
  );
}

/**
 * In the light theme everything, in the dark one the colours, which is all that differs. What is found is a failure of the
 * test, and the test goes on, so that one run names all of it.
 */
export async function expectAccessible(page: Page, place: string): Promise<void> {
  await page.emulateMedia({ colorScheme: "light" });
  expect.soft(await violationsOf(page, "all"), `${place}, light`).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect.soft(await violationsOf(page, "colours"), `${place}, dark`).toEqual([]);
}
