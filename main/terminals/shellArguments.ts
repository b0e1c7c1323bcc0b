// How a shell is told to run a command line, or to talk with a person. By the name of the shell.

/** `command` null: the shell itself. A login shell where there is such a thing, so that the person's own settings hold. */
export function shellArguments(shellName: string, command: string | null): string[] {
  switch (shellName.toLowerCase().replace(/[.]exe$/, "")) {
    case "powershell":
    case "pwsh":
      return command === null ? ["-NoLogo"] : ["-NoLogo", "-Command", command];
    case "cmd":
      return command === null ? [] : ["/d", "/s", "/c", command];
    default:
      return command === null ? ["-l"] : ["-lc", command];
  }
}

/**
 * What was typed, of the line that a terminal was started with, also by an earlier run; `command` null: the shell itself. Null:
 * this is no terminal's.
 */
export function typedCommand(argv: readonly string[]): { command: string | null } | null {
  // Through a shell that says its number first (environments/terminals/hangUp.ts).
  const isWrapped = argv[0] === "/bin/sh" && argv[1] === "-c" && argv.length > 3;
  const [program, ...given] = isWrapped ? argv.slice(3) : argv;
  if (program === undefined) return null;
  for (const name of ["sh", "pwsh", "cmd"]) {
    const last = given.at(-1) ?? "";
    if (sameWords(given, shellArguments(name, null))) return { command: null };
    if (sameWords(given, shellArguments(name, last))) return { command: last };
  }
  return null;
}

function sameWords(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((word, at) => word === others[at]);
}
