// Looks at a whole page with axe: every rule that it has, and all of the page, dialogs and what lies over it included.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";
import type { Result } from "axe-core";

const source = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What fades, or changes its colour, has it only at the end. */
const stillness = `(async () => {
  const frame = () => new Promise(requestAnimationFrame);
  const moving = () =>
    document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity);
  await frame();
  await frame();
  while (moving().length > 0) {
    await Promise.allSettled(moving().map((animation) => animation.finished));
    await frame();
  }
})()`;

/** What axe is not asked, and why. */
const leftOut: Record<string, string> = {
  "color-contrast-enhanced":
    "asks for 7:1; the colours here keep 4.5:1, which color-contrast checks, so that there can be quiet words beside loud ones",
  "focus-order-semantics":
    "experimental; takes a separator that can be moved, and a text that scrolls with the keys, for things that need no keyboard",
};

/**
 * What the menus of the library are made of: stops for the keyboard that hand it on at once, and a place of their own at the end
 * of the page, where what opens from a button belongs to no landmark.
 */
const isOfMenus = `({ id }, { target }) => {
  const element = document.querySelector(target[0]);
  if (id === "aria-hidden-focus") return element?.matches("[data-base-ui-focus-guard]") ?? false;
  return id === "region" && (element?.closest('[role="menu"]') ?? null) !== null;
}`;

/** Asks the rules for which `isAsked`, an expression over `ruleId`, holds; those that are off by default too. */
const violations = (isAsked: string) => `(async () => {
  const rules = axe.getRules().map(({ ruleId }) => [ruleId, { enabled: ${isAsked} }]);
  const results = await axe.run({ rules: Object.fromEntries(rules), resultTypes: ["violations"] });
  const isOfMenus = ${isOfMenus};
  return results.violations.map((each) => ({ ...each, nodes: each.nodes.filter((node) => !isOfMenus(each, node)) }));
})()`;

/** Every violation as a line: the rule, what is wrong, and where. */
async function violationsOf(page: Page, only: "all" | "colours"): Promise<string[]> {
  // Evaluated by the debugger, which the page's own content security policy does not bind.
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(await source);
  await page.evaluate(stillness);
  const unasked = JSON.stringify(Object.keys(leftOut));
  const isAsked = only === "colours" ? 'ruleId === "color-contrast"' : `!${unasked}.includes(ruleId)`;
  const found = await page.evaluate<Result[]>(violations(isAsked));
  return found.flatMap(({ id, help, nodes }) =>
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
