import { existsSync, mkdirSync, renameSync } from "node:fs";
import path from "node:path";

/**
 * Puts the folder `made` where `target` is. For the time of two renames there is none; never is there half of one.
 * All three must be on one file system.
 * @param {string} target
 * @param {string} made
 * @param {string} aside where the one before goes
 */
export function replaceFolder(target, made, aside) {
  mkdirSync(path.dirname(target), { recursive: true });
  if (existsSync(target)) renameSync(target, aside);
  renameSync(made, target);
}
