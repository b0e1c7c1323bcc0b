import { expect, it } from "vitest";
import { languageOfFence, languageOfPath } from "./languageNames";
import { grammarOf, type LanguageName } from "./languages";

it.each([
  ["src/rates.js", "javascript"],
  ["vite.config.mjs", "javascript"],
  ["old.cjs", "javascript"],
  ["App.jsx", "jsx"],
  ["App.tsx", "tsx"],
  ["main.ts", "typescript"],
  ["main.mts", "typescript"],
  ["package.json", "json"],
  ["tsconfig.json", "jsonc"],
  [".eslintrc", "jsonc"],
  ["ci.yml", "yaml"],
  ["ci.yaml", "yaml"],
  ["Cargo.toml", "toml"],
  ["Cargo.lock", "toml"],
  ["run.sh", "shellscript"],
  [".bashrc", "shellscript"],
  ["Dockerfile", "docker"],
  ["Dockerfile.dev", "docker"],
  ["Makefile", "make"],
  ["index.html", "html"],
  ["site.css", "css"],
  ["site.scss", "scss"],
  ["lib.rs", "rust"],
  ["main.go", "go"],
  ["app.py", "python"],
  ["app.rb", "ruby"],
  ["Main.java", "java"],
  ["Main.kt", "kotlin"],
  ["main.c", "c"],
  ["main.hpp", "cpp"],
  ["C:\\work\\Main.CS", "csharp"],
  ["query.sql", "sql"],
  ["README.md", "markdown"],
  [".npmrc", "ini"],
  [".env", "dotenv"],
  ["fix.patch", "diff"],
])("%s is coloured as %s, for which there is a grammar", (path, language) => {
  expect(languageOfPath(path)).toBe(language);
  expect(grammarOf(language as LanguageName)).toBeTypeOf("function");
});

it("a name that says no language has none", () => {
  expect(["LICENSE", "notes.txt", "a.", "", ".gitignore"].map(languageOfPath)).toEqual([
    null,
    null,
    null,
    null,
    "gitignore",
  ]);
  expect(["", "text", "plaintext", " js {1}"].map(languageOfFence)).toEqual([null, null, null, "javascript"]);
});
