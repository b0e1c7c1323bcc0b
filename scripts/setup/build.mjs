// The built app in out/. It is built beside and renamed into place with its stamp in it, so out/ is whole or not there.

import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { makeCodeCache } from "./code-cache.mjs";
import { runOrFail } from "./command.mjs";
import { inProject, textOf, workFolder } from "./project.mjs";
import { replaceFolder } from "./replace-folder.mjs";
import { saying } from "./report.mjs";

const outFolder = inProject("out");
const stampName = ".sources";

const sourceFolders = ["main", "preload", "renderer"];
const sourceFiles = ["package.json", "package-lock.json", "electron.vite.config.ts", "tsconfig.base.json"];

/** Types alone, made from what package-lock.json pins; they leave no trace in the build. */
const generatedFolder = path.join("main", "codex", "protocol");

export function buildIsFresh() {
  return textOf(path.join(outFolder, stampName)) === digestOfSources();
}

export async function build() {
  const digest = digestOfSources();
  if (textOf(path.join(outFolder, stampName)) === digest) return;
  await saying("Building", async () => {
    mkdirSync(workFolder, { recursive: true });
    const folder = mkdtempSync(path.join(workFolder, "build-"));
    const made = path.join(folder, "out");
    await runOrFail(
      process.execPath,
      [
        inProject("node_modules", "electron-vite", "bin", "electron-vite.js"),
        "build",
        "--logLevel",
        "warn",
        "--outDir",
        // A relative one would be below the folder of each bundle's sources.
        made,
      ],
      { failure: "Holdfast could not be built", timeoutMs: 15 * 60_000 },
    );
    await makeCodeCache(made);
    writeFileSync(path.join(made, stampName), digest);
    replaceFolder(outFolder, made, path.join(folder, "before"));
    rmSync(folder, { recursive: true, force: true });
  });
}

/** By content, since times change without it when branches do. Tests are no part of the app. */
function digestOfSources() {
  const hash = createHash("sha256");
  for (const file of [...sourceFiles, ...sourceFolders.flatMap(filesBelow)]) {
    hash.update(file).update("\0");
    try {
      hash.update(readFileSync(inProject(file)));
    } catch (error) {
      // Gone since it was listed, or never there: that too is a state of the sources.
      hash.update(String(error));
    }
    hash.update("\0");
  }
  return hash.digest("hex");
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function filesBelow(folder) {
  if (folder === generatedFolder) return [];
  return readdirSync(inProject(folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) return filesBelow(file);
      return /\.test\.tsx?$/.test(entry.name) ? [] : [file];
    });
}
