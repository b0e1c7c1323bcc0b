// `npm run pictures`: pictures of every page, in both themes, wide and narrow, into docs/pictures/. Of the built app with the
// real codex and the demo's model; everything in them was clicked together here.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { _electron } from "@playwright/test";
import { hasDisplay, openDisplay } from "./setup/display.mjs";
import { electronExecutable } from "./setup/electron.mjs";
import { chromiumSwitches, environmentForElectron } from "./setup/environment.mjs";
import { inProject, projectRoot } from "./setup/project.mjs";
import { runScript, say } from "./setup/report.mjs";
import { setUp } from "./setup/setup.mjs";

const folder = inProject("docs", "pictures");
const sizes = { wide: [1440, 900], narrow: [700, 900] };
const turnTimeoutMs = 90_000;
const pageTimeoutMs = 15_000;

/** @typedef {import("@playwright/test").Page} Page */

/** How to come to each page from any other, by keyboard where it has a key. */
const pages = /** @type {Record<string, (page: Page) => Promise<unknown>>} */ ({
  thread: (page) =>
    page
      .getByRole("treeitem", { name: /, idle/ })
      .first()
      .click(),
  "new-thread": (page) => page.keyboard.press("Control+n"),
  terminals: (page) => page.keyboard.press("Control+Alt+j"),
  cells: (page) => page.keyboard.press("Control+Shift+c"),
  environments: (page) => page.keyboard.press("Control+Shift+e"),
  search: (page) => page.keyboard.press("Control+Shift+f"),
  "codex-servers": (page) => codexTab(page, "MCP servers"),
  "codex-skills": (page) => codexTab(page, "Skills"),
  "codex-models": (page) => codexTab(page, "Models"),
  "codex-usage": (page) => codexTab(page, "Usage"),
  diagnostics: (page) => codexTab(page, "Diagnostics"),
  palette: (page) => page.keyboard.press("Control+k"),
  file: async (page) => {
    await page.keyboard.press("Control+p");
    await page.keyboard.type("greeting");
    await page
      .getByRole("option", { name: /greeting\.mjs/ })
      .first()
      .click();
    await page.getByRole("dialog", { name: /greeting\.mjs/ }).waitFor();
  },
  settings: (page) => page.keyboard.press("Control+,"),
  shortcuts: (page) => page.keyboard.press("Control+/"),
});
const overlays = new Set(["palette", "file", "settings", "shortcuts"]);

/**
 * @param {Page} page
 * @param {string} name
 */
async function codexTab(page, name) {
  await page.keyboard.press("Control+Shift+x");
  await page.getByRole("tab", { name, exact: true }).click();
}

await runScript(async () => {
  await setUp("app");
  const display = hasDisplay() ? undefined : await openDisplay();
  const root = mkdtempSync(path.join(tmpdir(), "holdfast-pictures-"));
  rmSync(folder, { recursive: true, force: true });
  try {
    for (const name of ["user", "tmp"]) mkdirSync(path.join(root, name));
    const env = environmentForElectron({
      ...process.env,
      ...display?.env,
      HOME: path.join(root, "user"),
      TMPDIR: path.join(root, "tmp"),
      HOLDFAST_HOME: path.join(root, "holdfast"),
    });
    delete env.CODEX_HOME;
    const app = await _electron.launch({
      executablePath: electronExecutable(),
      args: [...chromiumSwitches(env).switches, projectRoot],
      env: /** @type {Record<string, string>} */ (env),
    });
    await takeAll(app);
    const gone = new Promise((resolve) => app.process().once("exit", resolve));
    app.process().kill("SIGTERM");
    await gone;
  } finally {
    await display?.close();
    rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
  say(`The pictures are in ${path.relative(projectRoot, folder)}`);
  return 0;
});

/** @param {import("@playwright/test").ElectronApplication} app */
async function takeAll(app) {
  const page = await app.firstWindow();
  const take = async (/** @type {string} */ name) => {
    for (const theme of /** @type {const} */ (["light", "dark"])) {
      await page.emulateMedia({ colorScheme: theme });
      for (const [size, [width = 0, height = 0]] of Object.entries(sizes)) {
        await resize(app, page, width, height);
        await settled(page);
        await page.screenshot({
          path: path.join(folder, `${name}-${theme}-${size}.jpg`),
          type: "jpeg",
          quality: 70,
          animations: "disabled",
        });
      }
    }
    const [width = 0, height = 0] = sizes.wide;
    await resize(app, page, width, height);
  };
  await page.getByRole("button", { name: "Open the demo" }).waitFor();
  await take("welcome");
  await page.getByRole("button", { name: "Open the demo" }).click();
  await page.getByRole("button", { name: "Run a demo turn" }).click();
  const approval = page.getByRole("group", { name: "Approval request" });
  await approval.waitFor({ timeout: turnTimeoutMs });
  await take("approval");
  // Only now is there something to see: the turn goes on to commit it.
  await page.keyboard.press("Control+Alt+g");
  await page.getByRole("treeitem", { name: /^greeting\.mjs/ }).click();
  await page.getByRole("grid", { name: "Changes in greeting.mjs" }).waitFor();
  await take("changes");
  await page
    .getByRole("treeitem", { name: /^Look around/ })
    .last()
    .click();
  await approval
    .getByRole("button", { name: /^Approve/ })
    .first()
    .click();
  await page.getByRole("treeitem", { name: /, idle/ }).waitFor({ timeout: turnTimeoutMs });
  for (const [name, goTo] of Object.entries(pages)) {
    await goTo(page);
    await take(name);
    if (!overlays.has(name)) continue;
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
  }
}

/**
 * @param {import("@playwright/test").ElectronApplication} app
 * @param {Page} page
 * @param {number} width
 * @param {number} height
 */
async function resize(app, page, width, height) {
  await app.evaluate(
    ({ BrowserWindow }, [width = 0, height = 0]) =>
      BrowserWindow.getAllWindows()[0]?.setContentSize(width, height),
    [width, height],
  );
  await until(page, `innerWidth === ${width}`);
}

/**
 * Nothing on the page is being loaded any more, and what there is has been painted.
 * @param {Page} page
 */
async function settled(page) {
  await until(page, `document.querySelector('[aria-busy="true"], .animate-late') === null`);
  await page.evaluate(
    "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))",
  );
}

/**
 * Asked from outside: the page's own policy lets it evaluate nothing.
 * @param {Page} page
 * @param {string} expression
 */
async function until(page, expression) {
  const untilMs = performance.now() + pageTimeoutMs;
  while (!(await page.evaluate(expression))) {
    if (performance.now() > untilMs) throw new Error(`It is never so: ${expression}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
