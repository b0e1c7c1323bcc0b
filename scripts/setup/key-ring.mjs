// A key store for the end-to-end tests of sealed tokens: GNOME's, and a message bus to speak to it. Put into a folder of our own
// and not into the system, so that no root is needed and nothing else finds it. Where it cannot be had, that one test is skipped.

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { findOnPath, run, runOrFail } from "./command.mjs";
import { nameInThisDebian } from "./libraries.mjs";
import { setupFolder, workFolder } from "./project.mjs";
import { SetupError, say, saying } from "./report.mjs";

const folder = path.join(setupFolder, "key-ring");
const timeoutMs = 2 * 60_000;
const packages = [
  "gnome-keyring",
  "libgck-1-0",
  "libgcr-base-3-1",
  "libsecret-1-0",
  "libcap-ng0",
  "dbus-daemon",
  "libdbus-1-3",
  "libapparmor1",
];

/** To be called with the setup lock held. What fails is said, and no reason not to run the other tests. */
export async function installKeyRing() {
  if (process.platform !== "linux" || existsSync(folder)) return;
  if (!findOnPath("apt-get") || !findOnPath("dpkg")) return;
  try {
    await saying("Fetching a key store for the tests", fetchKeyRing);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    say(`${error.message}. The test that needs it is skipped.`);
  }
}

async function fetchKeyRing() {
  const work = path.join(workFolder, "key-ring");
  rmSync(work, { recursive: true, force: true });
  mkdirSync(path.join(work, "root"), { recursive: true });
  const download = ["download", "-q", ...packages.map(nameInThisDebian)];
  const failure = "A key store for the tests could not be fetched";
  const isRoot = process.getuid?.() === 0;
  // The list of packages may be missing, or old.
  const { code } = await run("apt-get", download, { cwd: work, timeoutMs });
  if (code !== 0 && isRoot) await run("apt-get", ["update", "-q"], { timeoutMs });
  if (code !== 0) await runOrFail("apt-get", download, { cwd: work, timeoutMs, failure });
  for (const file of readdirSync(work).filter((name) => name.endsWith(".deb"))) {
    await runOrFail("dpkg", ["-x", file, "root"], { cwd: work, timeoutMs, failure });
  }
  renameSync(path.join(work, "root"), folder);
}
