// What people install: the folder of the app as packages have it, with its fuses set, codex inside and no Node beside it. It
// cannot be attached to as a build for tests is, so it is driven through Chromium's own debugging port.

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { chromium } from "@playwright/test";
import { execa } from "execa";
import { expect, test } from "./support/app";
import { commandsWith } from "./support/processes";

const project = path.resolve(import.meta.dirname, "..");
const folder = path.join(project, "dist", "linux-unpacked");
const program = path.join(folder, "holdfast");
const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];

test("the installed app needs no Node, has codex inside, and goes through the demo's turn", async ({
  sandbox,
}) => {
  test.setTimeout(240_000);
  await execa(process.execPath, [path.join(project, "scripts", "package.mjs"), "folder"], { cwd: project });
  expect(existsSync(path.join(folder, "resources", "default_app.asar")), "a starter for development").toBe(
    false,
  );
  // Nothing on the PATH but the system's own programs: whatever it needs comes with it.
  const environment = { ...sandbox.environment(), PATH: "/usr/bin:/bin" };
  const { stdout } = await execa(program, [...asRoot, "--version"], {
    env: { ...environment, NODE_OPTIONS: "--require /nowhere.cjs" },
    extendEnv: false,
  });
  expect(stdout).toMatch(/^holdfast \d+\.\d+\.\d+$/);

  const app = spawn(program, [...asRoot, "--remote-debugging-port=0"], {
    env: environment,
    stdio: ["ignore", "ignore", "pipe"],
  });
  try {
    const browser = await chromium.connectOverCDP(await addressFrom(app));
    const [context] = browser.contexts();
    // The port is there before the window is.
    const page = context?.pages()[0] ?? (await context?.waitForEvent("page"));
    if (!page) throw new Error("it has opened no window");
    await page.getByRole("button", { name: "Open the demo" }).click();
    await page.getByRole("button", { name: "Run a demo turn" }).click();
    const approval = page.getByRole("group", { name: "Approval request" });
    await approval
      .getByRole("button", { name: /^Approve/ })
      .first()
      .click({ timeout: 60_000 });
    await expect(page.getByRole("treeitem", { name: /, idle/ })).toBeVisible({ timeout: 60_000 });
    await expect(page.getByRole("article", { name: "File change" }).first()).toBeVisible();
    const servers = commandsWith(" app-server ", sandbox.processes());
    expect(servers.length).toBeGreaterThan(0);
    for (const { command } of servers) expect(command.startsWith(folder), command).toBe(true);
    // Electron as plain Node, out of the archive.
    expect(commandsWith("app.asar/out/main/watchdog.cjs", sandbox.processes())).toHaveLength(1);
    // Main was not compiled at this start.
    const log = readFileSync(path.join(sandbox.home, "logs", "main.log"), "utf8");
    expect(log).toMatch(/"codeCache":{"used":[1-9]\d*,"refused":0,"missing":0}/);
    await browser.close();
  } finally {
    await ended(app);
  }
});

/** Chromium tells where its debugging port is. */
function addressFrom(app: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    app.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      const address = /DevTools listening on ws:\/\/(127\.0\.0\.1:\d+)\//.exec(said)?.[1];
      if (address !== undefined) resolve(`http://${address}`);
    });
    app.once("exit", (code, signal) => reject(new Error(`it has ended with ${signal ?? code}: ${said}`)));
  });
}

async function ended(app: ChildProcess): Promise<void> {
  if (app.exitCode !== null || app.signalCode !== null) return;
  const gone = new Promise((resolve) => app.once("exit", resolve));
  app.kill("SIGTERM");
  await gone;
}
