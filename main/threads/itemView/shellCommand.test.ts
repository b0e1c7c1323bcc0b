import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { displayCommand, literalWords, quoteWord, unwrapShell } from "./shellCommand";

describe("the shell wrapper is taken off when the line is exactly that", () => {
  it.each([
    ["/bin/bash -lc 'git push origin main'", "git push origin main"],
    ["/bin/bash -lc cat", "cat"],
    ["bash -c 'a | b > c'", "a | b > c"],
    ["/usr/bin/zsh -lc 'ls -la'", "ls -la"],
    // As codex 0.171.0 wrote them: double quotes where the script has single ones, and both kinds in one word.
    ["/bin/bash -lc \"echo h; printf '\\\\377\\\\n'; exit 3\"", "echo h; printf '\\377\\n'; exit 3"],
    ['/bin/bash -lc "echo \\"it\'s "\'$HOME" `date` !x\'', 'echo "it\'s $HOME" `date` !x'],
    ["/bin/bash -lc 'first\nsecond'", "first\nsecond"],
    ["'C:\\Program Files\\PowerShell\\7\\pwsh.exe' -NoProfile -Command 'Get-Date'", "Get-Date"],
  ])("%s", (line, script) => {
    expect(unwrapShell(line)).toBe(script);
  });
});

describe("everything else stays as it is", () => {
  it.each([
    ["git status"],
    ["bash script.sh"],
    ["bash -lc 'a' b"],
    ["bash -xlc 'a'"],
    ["bash -lc 'a' && rm b"],
    ["bash -lc $SCRIPT"],
    ['bash -lc "echo $HOME"'],
    ['bash -lc "echo `date`"'],
    ["bash -lc 'never ends"],
    ['bash -lc "never ends'],
    ["bash -lc ''"],
    ["bash -lc a\\"],
    ["env bash -lc 'a'"],
    ["bash -lc a*"],
    ["bash -lc 'a'\nrm b"],
    [""],
    ["pwsh -EncodedCommand abcd"],
  ])("%s", (line) => {
    expect(unwrapShell(line)).toBe(line);
  });
});

describe("a command that comes as words", () => {
  it("is unwrapped, or joined with quotes where they are needed", () => {
    expect(displayCommand(["/bin/bash", "-lc", "a | b"])).toBe("a | b");
    expect(displayCommand(["git", "commit", "-m", "it's done"])).toBe(`git commit -m 'it'"'"'s done'`);
    expect(displayCommand([])).toBe("");
  });
});

describe("reading words", () => {
  it("gives back any word that was quoted", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" }), { minLength: 1 }), (words) => {
        expect(literalWords(words.map(quoteWord).join(" "))).toEqual(words);
      }),
    );
  });

  it("any script survives being wrapped and unwrapped", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1 }), (script) => {
        fc.pre(script.trim() !== "");
        expect(unwrapShell(`/bin/bash -lc ${quoteWord(script)}`)).toBe(script);
      }),
    );
  });

  // Only letters, quotes and expansions are in the alphabet: a mistake here shows, and can run nothing.
  it.skipIf(process.platform === "win32")(
    "where it names the words of a line, a real shell names the same",
    () => {
      const char = fc.constantFrom(
        "a",
        "b",
        " ",
        "'",
        '"',
        "\\",
        "$",
        "`",
        "!",
        "]",
        "~",
        "=",
        "\t",
        "\n",
        "é",
      );
      const lines = fc
        .sample(fc.string({ unit: char, maxLength: 14 }), { numRuns: 4_000, seed: 7 })
        .flatMap((line) => {
          const words = literalWords(line);
          return words === null || words.length === 0 || line.includes("\n\n") ? [] : [{ line, words }];
        });
      expect(lines.length).toBeGreaterThan(200);
      const script = lines.map(({ line }) => `printf '%s\\0' ${line}\nprintf '\\1\\0'\n`).join("");
      const output = execFileSync("/bin/sh", ["-s"], {
        input: script,
        env: {},
        stdio: ["pipe", "pipe", "pipe"],
      });
      const seen = output
        .toString("utf8")
        .split("\u0001\0")
        .slice(0, -1)
        .map((part) => part.split("\0").slice(0, -1));
      expect(seen).toEqual(lines.map(({ words }) => words));
    },
  );
});
