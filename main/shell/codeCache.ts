// Main's own files are compiled when Holdfast is built, and what comes of it lies beside each of them: reading it takes a
// tenth of the time of compiling, which half a second of each start would go to on a slow machine. It is of use to the very
// version of V8 that has made it, with the same switches; any other refuses it, and compiles as if it were not there.
//
// It belongs to the file whose name it has, and that has a digest of its content in it.

import { readFileSync } from "node:fs";
import { createRequire, Module } from "node:module";
import { dirname, sep } from "node:path";
import { constants, Script } from "node:vm";

/** What is put behind the name of a file. */
const cacheSuffix = ".v8";

export interface CodeCacheUse {
  used: number;
  /** Made by another version, or with other switches. */
  refused: number;
  missing: number;
}

/** From now on, for what is required out of this folder. Gives what is counted as it goes on. */
export function loadThroughCodeCache(folder: string): Readonly<CodeCacheUse> {
  const use: CodeCacheUse = { used: 0, refused: 0, missing: 0 };
  const { extensions } = createRequire(import.meta.url);
  const other = extensions[".js"];
  extensions[".cjs"] = (module, file) => {
    if (file.startsWith(folder + sep)) load(module, file, use);
    else other?.(module, file);
  };
  return use;
}

function load(module: NodeModule, file: string, use: CodeCacheUse): void {
  const cachedData = read(`${file}${cacheSuffix}`);
  const script = new Script(Module.wrap(readFileSync(file, "utf8")), {
    filename: file,
    ...(cachedData && { cachedData }),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  if (cachedData === null) use.missing += 1;
  else if (script.cachedDataRejected) use.refused += 1;
  else use.used += 1;
  const run: (...globals: unknown[]) => void = script.runInThisContext();
  run.call(module.exports, module.exports, createRequire(file), module, file, dirname(file));
}

function read(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch {
    // Without it the file is compiled, which takes longer; how often that was so is in the log.
    return null;
  }
}
