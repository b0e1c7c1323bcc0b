// codex reports a command as the words that it started, joined with shell quoting: `/bin/bash -lc 'git status'`. People
// want to read `git status`. The wrapper is taken off only when the whole line is exactly a shell, its "run this" flags
// and one literal script; whatever is not certain is shown as it came.

const posixShells = new Set(["bash", "sh", "zsh", "dash", "ksh", "ash"]);
const powerShells = new Set(["powershell", "powershell.exe", "pwsh", "pwsh.exe"]);

/** Unquoted, these mean more than themselves: the line is then no list of literal words. */
const specialUnquoted = /[|&;<>()$`*?[#~!{}\n\r]/;

/** The words of a line quoted in the POSIX way, or null when it is anything but a list of literal words. */
export function literalWords(line: string): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let at = 0;
  while (at < line.length) {
    const char = line.charAt(at);
    if (char === " " || char === "\t") {
      if (word !== null) words.push(word);
      word = null;
      at += 1;
    } else if (char === "'") {
      const end = line.indexOf("'", at + 1);
      if (end < 0) return null;
      word = (word ?? "") + line.slice(at + 1, end);
      at = end + 1;
    } else if (char === '"') {
      const quoted = doubleQuoted(line, at + 1);
      if (quoted === null) return null;
      word = (word ?? "") + quoted.text;
      at = quoted.next;
    } else if (char === "\\") {
      const next = line.charAt(at + 1);
      if (next === "" || next === "\n") return null;
      word = (word ?? "") + next;
      at += 2;
    } else if (specialUnquoted.test(char)) {
      return null;
    } else {
      word = (word ?? "") + char;
      at += 1;
    }
  }
  if (word !== null) words.push(word);
  return words;
}

/** Reads on from behind an opening double quote; null when the text is not literal (an expansion) or never ends. */
function doubleQuoted(line: string, from: number): { text: string; next: number } | null {
  let text = "";
  for (let at = from; at < line.length; at += 1) {
    const char = line.charAt(at);
    if (char === '"') return { text, next: at + 1 };
    if (char === "$" || char === "`") return null;
    const next = char === "\\" ? line.charAt(at + 1) : "";
    if (next === "\n") return null;
    if (next !== "" && '$`"\\'.includes(next)) {
      at += 1;
      text += next;
    } else {
      text += char;
    }
  }
  return null;
}

/** The script inside a shell wrapper, or the command unchanged. */
export function unwrapShell(command: string): string {
  const words = literalWords(command);
  if (words === null) return command;
  const script = scriptOf(words);
  return script === null || script.trim() === "" ? command : script;
}

/** The same for a command that comes as its words; words that are no wrapper are joined with quotes where needed. */
export function displayCommand(words: readonly string[]): string {
  const script = scriptOf(words);
  return script === null || script.trim() === "" ? words.map(quoteWord).join(" ") : script;
}

function scriptOf(words: readonly string[]): string | null {
  const program = words[0];
  const script = words[words.length - 1];
  if (program === undefined || script === undefined || words.length < 3) return null;
  const name = (program.split(/[\\/]/).pop() ?? "").toLowerCase();
  const flags = words.slice(1, -1);
  if (posixShells.has(name.replace(/\.exe$/, ""))) {
    return flags.length === 1 && (flags[0] === "-lc" || flags[0] === "-c") ? script : null;
  }
  if (powerShells.has(name)) {
    const lower = flags.map((flag) => flag.toLowerCase());
    const rest = lower.filter((flag) => flag !== "-noprofile" && flag !== "-nologo");
    return rest.length === 1 && rest[0] === "-command" ? script : null;
  }
  return null;
}

export function quoteWord(word: string): string {
  if (word !== "" && !/[^A-Za-z0-9_@%+=:,./-]/.test(word)) return word;
  return `'${word.replaceAll("'", `'"'"'`)}'`;
}
