import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire, Module } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { constants, Script } from "node:vm";
import { afterEach, beforeEach, expect, it } from "vitest";
import { loadThroughCodeCache } from "./codeCache";

const { extensions } = createRequire(import.meta.url);
let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-code-cache-"));
});
afterEach(() => {
  delete extensions[".cjs"];
  rmSync(folder, { recursive: true });
});

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** As the build does it. */
function keepCompiled(file: string): void {
  const script = new Script(Module.wrap(readFileSync(file, "utf8")), {
    filename: file,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  writeFileSync(`${file}.v8`, script.createCachedData());
}

it("runs what was compiled before, with all that a file of this kind knows", () => {
  const other = write("other.cjs", "exports.value = 2;");
  const file = write(
    "file.cjs",
    'const { value } = require("./other.cjs"); module.exports = { value, file: __filename, folder: __dirname, own: require("node:path").sep };',
  );
  keepCompiled(file);
  keepCompiled(other);
  const use = loadThroughCodeCache(folder);
  const found = createRequire(file)(file);
  expect(found).toEqual({ value: 2, file, folder, own: expect.any(String) });
  expect(use).toEqual({ used: 2, refused: 0, missing: 0 });
});

it("compiles what was kept by another V8, damaged, or not kept at all, and counts it", () => {
  const damaged = write("damaged.cjs", "module.exports = 1;");
  writeFileSync(`${damaged}.v8`, "nonsense");
  const longer = write("longer.cjs", "module.exports = 1;");
  keepCompiled(longer);
  write("longer.cjs", "module.exports = 22;");
  const plain = write("plain.cjs", "module.exports = 3;");
  const use = loadThroughCodeCache(folder);
  const require = createRequire(plain);
  expect([require(damaged), require(longer), require(plain)]).toEqual([1, 22, 3]);
  expect(use).toEqual({ used: 0, refused: 2, missing: 1 });
});

it("leaves files of other folders as they are", () => {
  const file = write("beside.cjs", "module.exports = 4;");
  const use = loadThroughCodeCache(join(folder, "main"));
  expect(createRequire(file)(file)).toBe(4);
  expect(use).toEqual({ used: 0, refused: 0, missing: 0 });
});
