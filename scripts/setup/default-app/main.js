// What a bare Electron runs: it takes an app's folder or file from the command line and becomes that app. Electron's own
// default app does the same and is the model; this one has no window of its own.
//
//   electron [-r MODULE]... [CHROMIUM SWITCHES] FOLDER [ARGUMENTS OF THE APP]
//   electron --version

import fs from "node:fs";
import { Module } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { app } from "electron";

/** Node's loader has these two, which its types leave out. */
const loader =
  /** @type {{ _preloadModules(modules: string[]): void, _resolveFilename(request: string, parent: null, isMain: boolean): string }} */ (
    /** @type {unknown} */ (Module)
  );

/** Electron's own default app is the one caller of these two, so they are not in its types either. */
const self =
  /** @type {Electron.App & { setVersion(version: string): void, setAppPath(folder: string): void }} */ (app);

const command = readCommand(process.argv.slice(1));

if (command.wantsVersion) {
  process.stdout.write(`v${process.versions.electron}\n`);
  process.exit(0);
} else if (command.app === undefined) {
  process.stderr.write("Name the folder of an app.\n");
  process.exit(1);
} else {
  // Playwright's module takes hold of the app here, so it comes first. It is Node that decides how a module is found.
  if (command.modules.length > 0) loader._preloadModules(command.modules);
  await become(command.app);
}

/** @param {string[]} words */
function readCommand(words) {
  /** @type {{ modules: string[], wantsVersion: boolean, app: string | undefined }} */
  const found = { modules: [], wantsVersion: false, app: undefined };
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (word === "-r" || word === "--require") {
      at += 1;
      const module = words[at];
      if (module !== undefined) found.modules.push(module);
    } else if (word === "--version" || word === "-v") {
      found.wantsVersion = true;
      break;
    } else if (word.startsWith("--app=")) {
      found.app = word.slice("--app=".length);
      break;
    } else if (!word.startsWith("-")) {
      // Whatever follows belongs to the app.
      found.app = word;
      break;
    }
  }
  return found;
}

/** @param {string} named the folder or file of an app */
async function become(named) {
  Object.defineProperty(process, "defaultApp", { configurable: false, enumerable: true, value: true });
  const folder = path.resolve(named);
  try {
    const description = readDescription(folder);
    if (description) {
      if (description.version) self.setVersion(description.version);
      app.setName(description.productName || description.name || app.getName());
      if (process.platform === "linux")
        app.setDesktopName(description.desktopName || `${app.getName()}.desktop`);
    }
    const entry = loader._resolveFilename(folder, null, true);
    self.setAppPath(description ? folder : path.dirname(entry));
    // Awaited at the top level, so that "ready" is not sent before the app listens for it.
    await import(pathToFileURL(entry).href);
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`The app at ${folder} could not be loaded.\n${reason}\n`);
    process.exit(1);
  }
}

/**
 * @param {string} folder
 * @returns {{ name?: string, productName?: string, version?: string, desktopName?: string } | undefined}
 */
function readDescription(folder) {
  const file = path.join(folder, "package.json");
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, "utf8")) : undefined;
}
