// Looks for programs as a shell would: in the folders of PATH, in their order.

import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { offeredEditors } from "./editors";

const isWindows = process.platform === "win32";

/** `variables`: the login environment. Null: none of the folders has it. */
export async function findProgram(
  name: string,
  variables: Readonly<Record<string, string>>,
): Promise<string | null> {
  if (isAbsolute(name)) return (await isProgram(name)) ? name : null;
  if (/[\\/]/.test(name)) return null;
  const path = variables.PATH ?? Object.entries(variables).find(([key]) => /^path$/i.test(key))?.[1] ?? "";
  // A relative folder in PATH would be one of Holdfast's own working folder.
  for (const folder of path.split(delimiter).filter(isAbsolute)) {
    // What is no .exe there needs a shell.
    const file = join(folder, isWindows && !/\.exe$/i.test(name) ? `${name}.exe` : name);
    if (await isProgram(file)) return file;
  }
  return null;
}

export interface FoundEditor {
  name: string;
  command: string;
  path: string;
}

/** Of those that are known, each once. */
export async function findEditors(variables: Readonly<Record<string, string>>): Promise<FoundEditor[]> {
  const found = await Promise.all(
    offeredEditors.map(async ({ name, programs }) => {
      for (const command of programs) {
        const path = await findProgram(command, variables);
        if (path !== null) return { name, command, path };
      }
      return null;
    }),
  );
  return found.filter((each) => each !== null);
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    // It is not there, or not to be run by this person: the next folder may have it.
    return false;
  }
}
