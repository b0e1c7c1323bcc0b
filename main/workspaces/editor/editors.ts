// What is known of editors: the programs that start them, and how each is told the line. Pure.

import { posix, win32 } from "node:path";

/** How a program is told what to open. An editor that is not known here is given the path alone. */
type LineStyle = "goto" | "colon" | "option" | "plus" | "terminal";

/** Those that are looked for, in the order in which they are offered. */
export const offeredEditors: readonly { name: string; programs: readonly string[] }[] = [
  { name: "Visual Studio Code", programs: ["code", "code-insiders"] },
  { name: "VSCodium", programs: ["codium"] },
  { name: "Cursor", programs: ["cursor"] },
  { name: "Windsurf", programs: ["windsurf"] },
  { name: "Zed", programs: ["zed", "zeditor"] },
  { name: "IntelliJ IDEA", programs: ["idea", "intellij-idea-ultimate", "intellij-idea-community"] },
  { name: "WebStorm", programs: ["webstorm"] },
  { name: "PyCharm", programs: ["pycharm", "pycharm-professional", "pycharm-community"] },
  { name: "GoLand", programs: ["goland"] },
  { name: "RustRover", programs: ["rustrover"] },
  { name: "CLion", programs: ["clion"] },
  { name: "Sublime Text", programs: ["subl"] },
  { name: "Emacs", programs: ["emacsclient", "emacs"] },
  { name: "Kate", programs: ["kate"] },
  { name: "GNOME Text Editor", programs: ["gnome-text-editor"] },
  { name: "gedit", programs: ["gedit"] },
  { name: "Geany", programs: ["geany"] },
];

const styles: readonly [LineStyle, string][] = [
  ["goto", "code code-insiders codium vscodium cursor windsurf trae positron"],
  ["colon", "zed zeditor subl sublime_text geany lapce"],
  [
    "option",
    "idea intellij-idea-ultimate intellij-idea-community webstorm pycharm pycharm-professional pycharm-community goland " +
      "rustrover clion phpstorm rubymine rider datagrip studio kate mousepad",
  ],
  ["plus", "emacs emacsclient gvim mvim gedit gnome-text-editor xed pluma"],
  ["terminal", "vi vim nvim nano hx helix micro kak joe ne"],
];
const styleOf = new Map(styles.flatMap(([style, names]) => names.split(" ").map((name) => [name, style])));

/** "code" of "/usr/bin/code" and of "C:\\Program Files\\Code.exe"; "idea" of "idea64.exe" and of "idea.sh". */
function programName(program: string): string {
  const name = posix.basename(win32.basename(program)).toLowerCase();
  return name.replace(/(?:64)?\.exe$/, "").replace(/\.(?:sh|cmd|bat)$/, "");
}

/** It draws in a terminal, and gets none. */
export function needsTerminal(words: readonly string[]): boolean {
  const name = programName(words[0] ?? "");
  return (
    styleOf.get(name) === "terminal" ||
    (name.startsWith("emacs") &&
      words.some((word) => ["-nw", "-t", "--tty", "--no-window-system"].includes(word)))
  );
}

/** The arguments after the person's own. `path` is whole, so that it is never taken for an option. */
export function openingArguments(program: string, path: string, line: number | null): string[] {
  if (line === null) return [path];
  switch (styleOf.get(programName(program))) {
    case "goto":
      return ["--goto", `${path}:${line}`];
    case "colon":
      return [`${path}:${line}`];
    case "option":
      return ["--line", String(line), path];
    case "plus":
      return [`+${line}`, path];
    default:
      return [path];
  }
}
