// Run by Electron, with the folder of main's built files as its last argument: loads what a start loads, and keeps what V8
// has compiled for it. It ends before Electron is ready, and so needs no display.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire, Module } from "node:module";
import path from "node:path";
import { constants, Script } from "node:vm";
import { app } from "electron";

const suffix = ".v8";
/** What main/index.ts and then the app load by themselves; the files that they share come with them. */
const loaded = /^(app|startServices|serving)-[^.]+\.cjs$/;

const chunks = path.join(process.argv.at(-1) ?? "", "chunks");
const require = createRequire(path.join(chunks, "any.cjs"));

/** @type {Map<string, Script>} */
const scripts = new Map();

// As main/shell/codeCache.ts does it: what is compiled otherwise is of no use there.
require.extensions[".cjs"] = (module, file) => {
  const script = new Script(Module.wrap(readFileSync(file, "utf8")), {
    filename: file,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  scripts.set(file, script);
  script
    .runInThisContext()
    .call(module.exports, module.exports, createRequire(file), module, file, path.dirname(file));
};

try {
  const files = readdirSync(chunks).filter((file) => loaded.test(file));
  for (const file of files) require(path.join(chunks, file));
  if (files.length < 3) throw new Error(`Only ${files.join(", ") || "nothing"} was found in ${chunks}`);
  // Now, not before: it has the functions, too, that ran while all of it was loaded.
  for (const [file, script] of scripts) {
    if (file.startsWith(chunks)) writeFileSync(`${file}${suffix}`, script.createCachedData());
  }
  app.exit(0);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  app.exit(1);
}
