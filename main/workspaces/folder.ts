// A folder on disk: whether it can be a workspace, and whether it still is one.
//
// Every look ends: a folder on a network drive that does not answer counts as not there after `lookMs`.

import { constants } from "node:fs";
import { access, opendir, realpath, stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { type Clock, systemClock } from "../clock";
import { Fault } from "../fault";

export type FolderState = "present" | "missing" | "not a folder" | "unreadable" | "no answer";

const lookMs = 5_000;

/**
 * The real path of a folder that can be worked in, links resolved. Rejects with a Fault: `folder_missing`,
 * `folder_not_a_folder`, `folder_unreadable`, `folder_no_answer`, or `folder_not_absolute`.
 */
export async function openFolder(path: string, clock: Clock = systemClock): Promise<string> {
  if (!isAbsolute(path)) {
    throw new Fault("folder_not_absolute", "A workspace is opened by its whole path.", { detail: path });
  }
  const looked = await look(path, clock);
  if (looked.state === "present") return looked.path;
  throw folderFault(path, looked.state, looked.cause);
}

/** What is at this path now. Never rejects. */
export async function folderState(path: string, clock: Clock = systemClock): Promise<FolderState> {
  return (await look(path, clock)).state;
}

type Looked = { state: "present"; path: string } | { state: Exclude<FolderState, "present">; cause: unknown };

function look(path: string, clock: Clock): Promise<Looked> {
  return new Promise((resolve) => {
    const timer = clock.after(lookMs, () => resolve({ state: "no answer", cause: undefined }));
    const looking = lookAt(path).catch(
      (error: unknown): Looked => ({ state: stateFrom(error), cause: error }),
    );
    void looking.then((looked) => {
      timer.cancel();
      resolve(looked);
    });
  });
}

async function lookAt(path: string): Promise<Looked> {
  const real = await realpath(path);
  if (!(await stat(real)).isDirectory()) return { state: "not a folder", cause: undefined };
  await access(real, constants.R_OK | constants.X_OK);
  // Some systems let a folder be seen and not be opened (privacy settings on macOS).
  await (await opendir(real)).close();
  return { state: "present", path: real };
}

function stateFrom(error: unknown): Exclude<FolderState, "present"> {
  const code = error instanceof Error && "code" in error ? error.code : null;
  switch (code) {
    case "EACCES":
    case "EPERM":
    case "EIO":
      return "unreadable";
    case "ENOTDIR":
      return "not a folder";
    default:
      // ENOENT, a path that is too long, links in a circle, a NUL in the path: nothing can be there.
      return "missing";
  }
}

function folderFault(path: string, state: Exclude<FolderState, "present">, cause: unknown): Fault {
  const options = { detail: path, cause };
  switch (state) {
    case "missing":
      return new Fault("folder_missing", `There is no folder ${path}.`, {
        ...options,
        hint: "It may have been moved, renamed or deleted. Choose another one.",
      });
    case "not a folder":
      return new Fault("folder_not_a_folder", `${path} is not a folder.`, {
        ...options,
        hint: "Open the folder that it is in.",
      });
    case "unreadable":
      return new Fault("folder_unreadable", `The folder ${path} cannot be read.`, {
        ...options,
        hint: "Check its permissions, and whether the system lets Holdfast see it.",
        retryable: true,
      });
    case "no answer":
      return new Fault("folder_no_answer", `The folder ${path} does not answer.`, {
        ...options,
        hint: "If it is on a network drive, check the connection.",
        retryable: true,
      });
    default:
      throw new Error(`not a state of a folder: ${state satisfies never}`);
  }
}
