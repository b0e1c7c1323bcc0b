// The npm packages, exactly as package-lock.json has them.
//
// `npm ci` empties node_modules first, and the stamp lies inside: so a run that was cut off leaves no stamp and is done
// again. Someone may also install by hand; what npm then wrote down about node_modules is compared with the lock file,
// and an install that matches is taken as it is.

import { createHash } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { npmCommand, runOrFail } from "./command.mjs";
import { isCompleteInstall, packagesIn, thisMachine } from "./lock-file.mjs";
import { inProject, textOf } from "./project.mjs";
import { SetupError, saying } from "./report.mjs";

const stampFile = inProject("node_modules", ".holdfast", "packages");
const npmNotes = inProject("node_modules", ".package-lock.json");

/** @returns {boolean} */
export function packagesAreFresh() {
  return textOf(stampFile) === stamp() && existsSync(npmNotes);
}

export async function installPackages() {
  if (packagesAreFresh()) return;
  if (!installMatchesLock()) {
    refuseLinkedFolder();
    await saying("Installing packages", async () => {
      const npm = npmCommand();
      await runOrFail(
        npm.command,
        [
          ...npm.args,
          "ci",
          // No package needs its scripts: the native ones carry prebuilt binaries. npm 10 would run them all, npm 11 none.
          "--ignore-scripts",
          "--include=dev",
          "--include=optional",
          "--no-audit",
          "--no-fund",
          // Electron asks for a newer Node than its installer needs; that warning helps no one here.
          "--loglevel=error",
        ],
        { failure: "The packages could not be installed", showErrors: true, timeoutMs: 30 * 60_000 },
      );
    });
  }
  mkdirSync(path.dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, stamp());
}

/** `npm ci` would empty the folder that it leads to, which belongs to somebody else. */
function refuseLinkedFolder() {
  if (!lstatSync(inProject("node_modules"), { throwIfNoEntry: false })?.isSymbolicLink()) return;
  throw new SetupError("node_modules is a link, and what it leads to does not fit package-lock.json.", {
    remedy: "Remove the link, and run this again.",
  });
}

function stamp() {
  const lock = textOf(inProject("package-lock.json"));
  if (lock === undefined)
    throw new SetupError("package-lock.json is missing.", { remedy: "Restore it from git." });
  const digest = createHash("sha256").update(lock).digest("hex");
  const nodeMajor = process.versions.node.split(".")[0];
  return `${digest} node${nodeMajor} ${process.platform}-${process.arch}\n`;
}

/** Whether what is in node_modules is what a fresh install on this machine would put there. */
function installMatchesLock() {
  const before = textOf(stampFile);
  if (before !== undefined && before.split(" ")[1] !== stamp().split(" ")[1]) return false;
  const lock = textOf(inProject("package-lock.json"));
  const notes = textOf(npmNotes);
  if (lock === undefined || notes === undefined) return false;
  const present = packagesIn(notes);
  if (!isCompleteInstall(packagesIn(lock), present, thisMachine())) return false;
  return [...present.keys()].every((location) => existsSync(inProject(location, "package.json")));
}
