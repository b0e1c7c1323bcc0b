// The folder of the installed app, and the packages that electron-builder makes by itself.

import path from "node:path";
import config, { withoutDefaultApp } from "../../packaging/electron-builder.mjs";
import { electronExecutable } from "../setup/electron.mjs";
import { inProject, packageVersion, projectRoot, textOf } from "../setup/project.mjs";
import { SetupError, say } from "../setup/report.mjs";

/**
 * @typedef {object} PackOptions
 * @property {string} folder of the app, as `makeAppFolder` has made it
 * @property {string} target the file to write
 * @property {string} version
 * @property {boolean} isFast compress less
 */

/** @returns {Promise<string>} where it is */
export async function makeAppFolder() {
  const [folder] = await build("dir");
  if (folder === undefined) throw new SetupError("electron-builder has made no folder.");
  return folder;
}

/** @param {string} kind */
export async function packWithBuilder(kind) {
  await build(kind);
}

/**
 * @param {string} target
 * @returns {Promise<string[]>} the folders of the app
 */
async function build(target) {
  const { Arch, build: run, Platform } = await import("electron-builder");
  const executable = electronExecutable();
  if (executable === undefined) throw new SetupError("There is no Electron to be packed.");
  const dist = distOf(executable);
  const electronVersion = textOf(path.join(dist, "version"))?.trim().replace(/^v/, "");
  if (electronVersion !== packageVersion(inProject("node_modules", "electron"))) {
    say(
      `It has Electron ${electronVersion}, which is for development and tests: give no such package to anybody`,
    );
  }
  /** @type {string[]} */
  const folders = [];
  await run({
    projectDir: projectRoot,
    targets: Platform.current().createTarget(target, process.arch === "arm64" ? Arch.arm64 : Arch.x64),
    publish: "never",
    config: {
      ...config,
      electronVersion,
      electronDist: dist,
      async afterPack(context) {
        folders.push(context.appOutDir);
        await withoutDefaultApp(context);
      },
    },
  });
  return folders;
}

/** @param {string} executable */
function distOf(executable) {
  // On macOS it is inside of the bundle: Electron.app/Contents/MacOS/Electron.
  return process.platform === "darwin" ? path.resolve(executable, "../../../..") : path.dirname(executable);
}
