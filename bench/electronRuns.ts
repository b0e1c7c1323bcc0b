// Starting Electron for a measurement, each time with folders of its own.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { _electron, type ElectronApplication, errors, type Page } from "@playwright/test";
import type { MeasurementContext } from "./measurement";

export interface Run {
  app: ElectronApplication;
  page: Page;
  root: string;
  /** By performance.now(): when the process was started. */
  beganMs: number;
  /** Ends it and removes its folders, unless they were given. */
  end(): Promise<void>;
}

export async function runElectron(
  context: MeasurementContext,
  folder: string,
  options: { args?: string[]; environment?: Record<string, string>; root?: string } = {},
): Promise<Run> {
  const root = options.root ?? makeRoot();
  const inherited = ["PATH", "DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY"].flatMap((name) =>
    process.env[name] === undefined ? [] : [[name, process.env[name] ?? ""]],
  );
  const { app, beganMs } = await launchElectron(context, [folder, ...(options.args ?? [])], {
    ...Object.fromEntries(inherited),
    LANG: "C.UTF-8",
    HOME: join(root, "user"),
    TMPDIR: root,
    HOLDFAST_HOME: join(root, "holdfast"),
    ...options.environment,
  });
  const page = await app.firstWindow();
  return {
    app,
    page,
    root,
    beganMs,
    async end() {
      const child = app.process();
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await gone;
      if (options.root === undefined) removeRoot(root);
    },
  };
}

/**
 * Starts Electron as it is. The driver has its own way, which holds an app until the driver is attached; but that changes
 * Chromium's switches and so what is measured. Without it one attachment in some hundreds meets a page that is just being
 * made, and is never answered: such a start is ended and made again, and none of it is in what is measured.
 */
export async function launchElectron(
  { electronExecutable, electronArguments }: MeasurementContext,
  args: readonly string[],
  env: Record<string, string>,
): Promise<{ app: ElectronApplication; beganMs: number }> {
  const launch = async () => {
    const beganMs = performance.now();
    const app = await _electron.launch({
      executablePath: electronExecutable,
      args: [...electronArguments, ...args],
      env,
      timeout: 30_000,
    });
    return { app, beganMs };
  };
  try {
    return await launch();
  } catch (error) {
    if (!(error instanceof errors.TimeoutError)) throw error;
    return await launch();
  }
}

/** A person's home and Holdfast's, for several runs one after the other. */
export function makeRoot(): string {
  const root = mkdtempSync(join(tmpdir(), "holdfast-bench-"));
  mkdirSync(join(root, "user"));
  return root;
}

export function removeRoot(root: string): void {
  rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

/** A window with one heading and nothing else: the floor that an Electron app stands on. */
export function writeBareApp(): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-bench-bare-"));
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "bare", version: "1.0.0", main: "main.js" }),
  );
  writeFileSync(join(folder, "index.html"), "<!doctype html><title>bare</title><h1>bare</h1>");
  writeFileSync(
    join(folder, "main.js"),
    `const { app, BrowserWindow } = require("electron");
     app.whenReady().then(() => {
       const window = new BrowserWindow({ width: 1280, height: 800, webPreferences: { sandbox: true } });
       window.loadFile("index.html");
     });
     app.on("window-all-closed", () => app.quit());
     process.on("SIGTERM", () => app.quit());`,
  );
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
