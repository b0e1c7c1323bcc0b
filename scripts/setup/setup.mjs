// Everything between a fresh clone and a program that can be started, each part only when it is not there yet.
//
// First all parts are asked, which takes no lock and says nothing. Only when something is missing is the lock taken, and
// then each part asks again, since another run may have made it meanwhile.

import { rmSync } from "node:fs";
import { build, buildIsFresh } from "./build.mjs";
import { hasDisplay } from "./display.mjs";
import { electronExecutable, installElectron } from "./electron.mjs";
import { installLibraries, missingLibraries, requireSandbox } from "./libraries.mjs";
import { withSetupLock } from "./lock.mjs";
import { installPackages, packagesAreFresh } from "./packages.mjs";
import { workFolder } from "./project.mjs";
import { generateProtocol, protocolIsFresh } from "./protocol.mjs";
import { SetupError } from "./report.mjs";

/**
 * @typedef {"packages" | "electron" | "app"} Extent how far to go: packages and protocol types; Electron and what it
 *   needs as well; the built app as well
 */

/** @param {Extent} extent */
export async function setUp(extent) {
  requireNode();
  if (!(await isFresh(extent))) await withSetupLock(() => make(extent));
  const executable = extent === "packages" ? undefined : electronExecutable();
  if (executable) requireSandbox(executable);
}

/** @param {Extent} extent */
async function isFresh(extent) {
  if (!packagesAreFresh() || !protocolIsFresh()) return false;
  if (extent === "packages") return true;
  const executable = electronExecutable();
  if (!executable) return false;
  if (extent === "app" && !buildIsFresh()) return false;
  return (await missingLibraries(executable, { needsDisplay: !hasDisplay() })).length === 0;
}

/** @param {Extent} extent */
async function make(extent) {
  // We hold the lock, so whatever is here belongs to a run that was cut off.
  rmSync(workFolder, { recursive: true, force: true });
  await installPackages();
  await generateProtocol();
  if (extent === "packages") return;
  await installElectron();
  const executable = electronExecutable();
  if (executable) await installLibraries(executable, { needsDisplay: !hasDisplay() });
  if (extent === "app") await build();
}

function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 20 ? major !== 21 : major === 20 && minor >= 19) return;
  throw new SetupError(
    `Holdfast needs Node 20.19 or newer, or 22 or newer; this is ${process.versions.node}.`,
  );
}
