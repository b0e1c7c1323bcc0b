// Folders that can be workspaces, and whether one is still there.

import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { Fault } from "../fault";

/** The folder's real path, links resolved. Throws the Fault that says why it cannot be a workspace. */
export async function openFolder(path: string): Promise<string> {
  const given = path.trim();
  if (given === "")
    throw new Fault("folder_missing", "No folder was named.", { hint: "Choose a folder to open." });
  const absolute = resolve(given === "~" || given.startsWith("~/") ? join(homedir(), given.slice(1)) : given);
  try {
    const real = await realpath(absolute);
    if (!(await stat(real)).isDirectory()) {
      throw new Fault("folder_is_file", `${absolute} is a file, not a folder.`, {
        hint: "Choose the folder that it is in.",
      });
    }
    await access(real, constants.R_OK | constants.X_OK);
    return real;
  } catch (error) {
    throw error instanceof Fault ? error : folderFault(absolute, error);
  }
}

export type FolderState = "present" | "gone" | "unreadable";

/** Never rejects. */
export async function folderState(path: string): Promise<FolderState> {
  try {
    if (!(await stat(path)).isDirectory()) return "gone";
    await access(path, constants.R_OK | constants.X_OK);
    return "present";
  } catch (error) {
    const code = errorCode(error);
    return code === "EACCES" || code === "EPERM" ? "unreadable" : "gone";
  }
}

function folderFault(path: string, error: unknown): Fault {
  const code = errorCode(error);
  if (code === "ENOENT" || code === "ENOTDIR") {
    return new Fault("folder_missing", `There is no folder ${path}.`, {
      hint: "Check the spelling, or choose the folder in the dialog.",
      cause: error,
    });
  }
  if (code === "EACCES" || code === "EPERM") {
    return new Fault("folder_unreadable", `The folder ${path} cannot be read by this user.`, {
      hint: "Change its permissions, or choose another folder.",
      cause: error,
    });
  }
  return new Fault("folder_unusable", `The folder ${path} cannot be opened.`, {
    hint: "Choose another folder.",
    detail: error instanceof Error ? error.message : String(error),
    cause: error,
  });
}

function errorCode(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
}
