import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { scriptTypes } from "../tools/toolTypes";
import { shippedScripts } from "./shipped";
import { bundleForScripts, ScriptWorld } from "./testShipped";

let removeBundle: () => void;
let world: ScriptWorld;

beforeAll(async () => {
  removeBundle = await bundleForScripts();
});
afterAll(() => removeBundle());
beforeEach(() => {
  world = new ScriptWorld();
});
afterEach(() => world.close());

describe("the scripts that come with Holdfast", () => {
  test("have ids, names, and first comments that say what they do in one line", () => {
    for (const key of ["scriptId", "name"] as const) {
      expect(new Set(shippedScripts.map((script) => script[key])).size).toBe(3);
    }
    for (const { source } of shippedScripts) expect(source).toMatch(/^\/\/ \S.{20,110}\.\n\n/);
  });

  test("fit the tools, as TypeScript sees them", async () => {
    const folder = mkdtempSync(join(tmpdir(), "holdfast-types-"));
    writeFileSync(join(folder, "cell.d.ts"), scriptTypes());
    const files = shippedScripts.map(({ source }, index) => {
      writeFileSync(join(folder, `script${index}.js`), `${source}\nexport {};\n`);
      return `script${index}.js`;
    });
    const language = ["--target", "es2023", "--lib", "es2023", "--module", "esnext", "--types", ""];
    // What is no tool's has no types in them: they are to be read by people.
    const lenience = ["--noImplicitAny", "false", "--useUnknownInCatchVariables", "false"];
    const strictness = ["--allowJs", "--checkJs", "--strict", ...lenience];
    const tsc = join(import.meta.dirname, "../../../node_modules/typescript/bin/tsc");
    const args = [tsc, "--noEmit", ...language, ...strictness, "cell.d.ts", ...files];
    const { stdout } = await execa(process.execPath, args, { cwd: folder, reject: false });
    rmSync(folder, { recursive: true });
    expect(stdout).toBe("");
  });

  test.each(["Review a branch", "Try it twice", "File by file"])(
    "%s: outside of a repository it says so, and begins nothing",
    async (name) => {
      world.answers = () => "README.md";
      const { texts, error } = await world.run(name);
      expect([...texts, error].join("\n")).toMatch(/not a git repository/);
      expect(world.threads).toEqual([]);
      expect(world.notices).toEqual([]);
    },
  );
});
