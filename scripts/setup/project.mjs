// Where things are. Everything here works before anything is installed.

import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const projectRoot = path.resolve(fileURLToPath(new URL("../..", import.meta.url)));

/** Our own notes, locks and half-made things; git ignores it, and deleting it costs only time. */
export const setupFolder = path.join(projectRoot, ".setup");

/** Things that are being made. Whatever is found here by the holder of the setup lock was left by a run that was cut off. */
export const workFolder = path.join(setupFolder, "work");

/** @param {...string} segments */
export function inProject(...segments) {
  return path.join(projectRoot, ...segments);
}

/**
 * The text of a file, or undefined when there is none.
 * @param {string} file
 * @returns {string | undefined}
 */
export function textOf(file) {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (isErrorWithCode(error, "ENOENT", "ENOTDIR")) return undefined;
    throw error;
  }
}

/**
 * The `version` of a package.json, or undefined when the package is not there.
 * @param {string} packageFolder
 * @returns {string | undefined}
 */
export function packageVersion(packageFolder) {
  const text = textOf(path.join(packageFolder, "package.json"));
  return text === undefined ? undefined : JSON.parse(text).version;
}

/**
 * @param {unknown} error
 * @param {...string} codes
 * @returns {boolean}
 */
export function isErrorWithCode(error, ...codes) {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}
