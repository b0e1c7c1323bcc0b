// Looks at a page at 200 %: nothing is wider than the window, and each control is where it can be reached, if need be by
// scrolling what it is in.

import { expect, type Holdfast } from "./app";

/** Each control that is out of the window, or cut off by what it is in, where nothing scrolls. In the page. */
const outOfReach = `(() => {
  const controls = "button, input, textarea, a[href], [role=tab], [role=grid], [role=tree], [role=listbox]";
  const overlap = (from, to, low, high) => Math.min(to, high) - Math.max(from, low);
  const isOut = (element) => {
    let { left, right, top, bottom } = element.getBoundingClientRect();
    for (let around = element.parentElement; around; around = around.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(around);
      const box = around.getBoundingClientRect();
      // Shown with the pointer or the keyboard only.
      if (overflowX !== "visible" && (box.width < 2 || box.height < 2)) return false;
      const scrolls = { x: /auto|scroll/.test(overflowX), y: /auto|scroll/.test(overflowY) };
      if (scrolls.x) [left, right] = [box.left, box.right];
      else if (overflowX !== "visible" && overlap(left, right, box.left, box.right) < (right - left) / 2) return true;
      if (scrolls.y) [top, bottom] = [box.top, box.bottom];
      else if (overflowY !== "visible" && overlap(top, bottom, box.top, box.bottom) < (bottom - top) / 2) return true;
      if (position === "fixed") break;
    }
    return (
      overlap(left, right, 0, innerWidth) < Math.min(right - left, innerWidth) / 2 ||
      overlap(top, bottom, 0, innerHeight) < Math.min(bottom - top, innerHeight) / 2
    );
  };
  const modal = document.querySelector('[role="dialog"], [role="alertdialog"]') ?? document;
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  return [
    ...(wide > 0 ? ["the page is " + wide + " px wider than the window"] : []),
    ...[...modal.querySelectorAll(controls)]
      .filter((element) => {
        const { width, height } = element.getBoundingClientRect();
        return width > 2 && height > 2 && element.checkVisibility({ visibilityProperty: true });
      })
      .filter((element) => !element.closest('[aria-hidden="true"], [inert]') && element.tabIndex >= 0)
      .filter(isOut)
      .map((element) => {
        const { left, top, right, bottom } = element.getBoundingClientRect();
        const name = element.getAttribute("aria-label") ?? element.textContent.slice(0, 40);
        return element.tagName + " " + name + " at " + [left, top, right, bottom].map(Math.round).join(" ");
      }),
  ];
})()`;

/** What is found is a failure of the test, which goes on. */
export async function expectUsableLarge({ app, page }: Holdfast, place: string): Promise<void> {
  const own = await app.browserWindow(page);
  const zoom = async (factor: number) => {
    await own.evaluate((window, to) => window.webContents.setZoomFactor(to), factor);
    await expect.poll(() => page.evaluate<number>("devicePixelRatio")).toBe(factor);
    // Laid out anew.
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
  };
  await zoom(2);
  expect.soft(await page.evaluate<string[]>(outOfReach), `${place}, at 200 %`).toEqual([]);
  await zoom(1);
}
