// Where the keyboard is can be seen wherever the Tab key goes, and nothing moves for those who do not want it.

import { expect, type Page } from "@playwright/test";

/** What has the keyboard, and whether that can be seen. */
const whatHasTheKeyboard = `(() => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const shows = (each) => {
    if (!each) return false;
    const { outlineStyle, outlineWidth } = getComputedStyle(each);
    return outlineStyle !== "none" && outlineWidth !== "0px";
  };
  const label = element.getAttribute("aria-label") ?? element.textContent.slice(0, 40);
  // A list draws its ring around the active row, a field around the box that it is in, an edge in its line.
  const active = document.getElementById(element.getAttribute("aria-activedescendant") ?? "");
  const isDrawn =
    [element, element.parentElement, element.parentElement.parentElement].some(shows) ||
    [active, ...(active?.querySelectorAll("*") ?? [])].some(shows) ||
    element.getAttribute("role") === "separator" ||
    element.closest(".cm-editor") !== null;
  return { name: element.tagName + " " + label, isDrawn };
})()`;

/** What is not seen is a failure of the test, which goes on. */
export async function expectKeyboardSeen(page: Page, place: string, presses: number): Promise<void> {
  const seen = new Set<string>();
  for (let pressed = 0; pressed < presses; pressed += 1) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate<{ name: string; isDrawn: boolean } | null>(whatHasTheKeyboard);
    if (at && !seen.has(at.name)) expect.soft(at.isDrawn, `${place}: ${at.name}`).toBe(true);
    if (at) seen.add(at.name);
  }
  expect(seen.size, place).toBeGreaterThan(presses / 4);
}

/** With `reducedMotion: "reduce"`. */
export async function expectStill(page: Page, place: string): Promise<void> {
  expect.soft(await page.evaluate<number>("document.getAnimations().length"), place).toBe(0);
}
