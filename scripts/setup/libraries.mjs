// What Electron needs from a Linux system. Asked of the executable itself each time, which takes a few hundredths of a
// second, since a system can change under a folder that stays.

import { statSync } from "node:fs";
import path from "node:path";
import { ask, findOnPath, run, runOrFail } from "./command.mjs";
import { textOf } from "./project.mjs";
import { SetupError, saying } from "./report.mjs";

/** Debian's packages; where the time type was widened, a library has `t64` after its name. */
const debianPackages = ["xvfb", "xauth", "libgtk-3-0", "libnss3", "libasound2", "libgbm1"];
const fedoraPackages = "xorg-x11-server-Xvfb gtk3 nss alsa-lib mesa-libgbm";
const archPackages = "xorg-server-xvfb gtk3 nss alsa-lib mesa";

/**
 * What is missing, as names that a person can search for; empty when nothing is.
 * @param {string} executable Electron's
 * @param {{ needsDisplay: boolean }} wanted whether a display server of our own is needed
 * @returns {Promise<string[]>}
 */
export async function missingLibraries(executable, { needsDisplay }) {
  if (process.platform !== "linux") return [];
  const { output } = await run("ldd", [executable], { timeoutMs: 60_000 });
  const missing = [...output.matchAll(/^\s*(\S+) => not found/gm)].map((match) => String(match[1]));
  if (needsDisplay && !findOnPath("Xvfb")) missing.push("Xvfb");
  return missing;
}

/**
 * @param {string} executable
 * @param {{ needsDisplay: boolean }} wanted
 */
export async function installLibraries(executable, wanted) {
  const missing = await missingLibraries(executable, wanted);
  if (missing.length === 0) return;
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || !findOnPath("apt-get")) {
    throw new SetupError(`Electron cannot run yet: this system has no ${missing.join(", ")}.`, {
      remedy: howToInstall(isRoot),
    });
  }
  await saying("Installing system libraries for Electron", async () => {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    await runOrFail("apt-get", ["update", "-q"], {
      env,
      failure: "The list of system packages could not be read",
    });
    await runOrFail(
      "apt-get",
      ["install", "-y", "-q", "--no-install-recommends", ...debianPackages.map(nameInThisDebian)],
      { env, failure: "The system libraries could not be installed", timeoutMs: 30 * 60_000 },
    );
  });
  const still = await missingLibraries(executable, wanted);
  if (still.length > 0) throw new SetupError(`This system still has no ${still.join(", ")}.`);
}

/** @param {string} name */
export function nameInThisDebian(name) {
  const widened = `${name}t64`;
  return ask("apt-cache", ["show", "--no-all-versions", widened])?.includes(`Package: ${widened}`)
    ? widened
    : name;
}

/** @param {boolean} isRoot */
function howToInstall(isRoot) {
  const sudo = isRoot ? "" : "sudo ";
  if (findOnPath("apt-get")) {
    const names = debianPackages.map(nameInThisDebian).join(" ");
    return `Install it with: ${sudo}apt-get update && ${sudo}apt-get install -y --no-install-recommends ${names}`;
  }
  if (findOnPath("dnf")) return `Install it with: ${sudo}dnf install -y ${fedoraPackages}`;
  if (findOnPath("pacman")) return `Install it with: ${sudo}pacman -S --needed ${archPackages}`;
  return "Install GTK 3, NSS, ALSA, GBM and Xvfb with your system's package manager.";
}

/**
 * Chromium's sandbox needs a user namespace, or its helper with the setuid bit. Where a system grants neither, Chromium
 * ends at once with a long complaint; this says first what to do.
 * @param {string} executable
 */
export function requireSandbox(executable) {
  if (process.platform !== "linux" || process.getuid?.() === 0) return;
  const isRestricted =
    textOf("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")?.trim() === "1" ||
    textOf("/proc/sys/kernel/unprivileged_userns_clone")?.trim() === "0" ||
    textOf("/proc/sys/user/max_user_namespaces")?.trim() === "0";
  if (!isRestricted) return;
  const helper = path.join(path.dirname(executable), "chrome-sandbox");
  const state = statSync(helper, { throwIfNoEntry: false });
  if (state && state.uid === 0 && (state.mode & 0o4000) !== 0) return;
  throw new SetupError(
    "This system does not let programs make user namespaces, which Chromium's sandbox needs.",
    {
      remedy: `Give the sandbox its helper with: sudo chown root:root '${helper}' && sudo chmod 4755 '${helper}'`,
    },
  );
}
