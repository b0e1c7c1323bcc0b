// What stands between the start and the first window: everything that main.tsx imports, not counting what is imported later.
// A heavy part that slips in here is paid for at each start, and nobody would notice.

import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const start = path.resolve(import.meta.dirname, "..", "main.tsx");

/** Editor, terminal, highlighter and markdown. */
const heavy = /^(@codemirror\/|@lezer\/|@xterm\/|shiki|@shikijs\/|streamdown|marked)/;

interface Imports {
  files: string[];
  packages: string[];
}

/** Types leave nothing in what is built. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  const statements = /^(?:import\s*|(?:import|export)\s(?!type\b)[^;'"]*?\bfrom\s*)"([^"]+)"/gm;
  return [...text.matchAll(statements)].map((match) => match[1] ?? "");
}

function fileOf(from: string, name: string): string {
  const base = path.resolve(path.dirname(from), name);
  const found = ["", ".ts", ".tsx"].map((end) => base + end).find((each) => isFile(each));
  if (found === undefined) throw new Error(`${from} imports ${name}, which is not there`);
  return found;
}

function isFile(name: string): boolean {
  return statSync(name, { throwIfNoEntry: false })?.isFile() ?? false;
}

function everythingBehind(file: string): Imports {
  const files = new Set([file]);
  const packages = new Set<string>();
  for (const each of files) {
    if (!/\.tsx?$/.test(each)) continue;
    for (const name of importsOf(each)) {
      if (name.startsWith(".")) files.add(fileOf(each, name));
      else packages.add(name);
    }
  }
  return { files: [...files], packages: [...packages] };
}

it("the first window comes without editor, terminal, highlighter and markdown", () => {
  const { files, packages } = everythingBehind(start);
  // Otherwise nothing has been looked at.
  expect(files.length).toBeGreaterThan(100);
  expect(packages).toContain("react-dom/client");
  expect(packages.filter((name) => heavy.test(name))).toEqual([]);
});

it("what is heavy is found where it is", () => {
  const { packages } = everythingBehind(path.resolve(import.meta.dirname, "ShownThread.tsx"));
  expect(packages.some((name) => heavy.test(name))).toBe(true);
});
