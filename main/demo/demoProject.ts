// The sample project of the demo workspace, and the edits that the tour can make to it. An edit belongs to a state of the file;
// the tour sees the file only through the command that it runs, as a real model would.

/** Path in the workspace to content. */
export const projectFiles: Readonly<Record<string, string>> = {
  "README.md": `# Postcards

A tiny sample project that came with Holdfast's demo. It writes greetings for postcards.

- \`greeting.mjs\` makes the text
- \`print.mjs\` prints one: \`node print.mjs Ada\`
- \`notes/\` is where the demo writes things down

This folder is yours: change what you like. Holdfast makes it once and never overwrites what is in it.
`,
  "greeting.mjs": `// The text on a postcard.

export function greeting(name) {
  return \`Hello, \${name}!\`;
}
`,
  "print.mjs": `import { greeting } from "./greeting.mjs";

const [name = "you"] = process.argv.slice(2);
console.log(greeting(name));
`,
  "notes/README.md": `# Notes

Every short turn of the demo leaves a note here.
`,
};

export interface Edit {
  patch: string;
  /** The file that it changes. */
  file: string;
  /** For the person, before it is made: "I'll ...". */
  intent: string;
  /** For the person, after it was made. */
  effect: string;
  /** What to show of it at the end. */
  snippet: string;
  commitMessage: string;
}

/** The command with which the tour looks around; a POSIX shell and PowerShell both know it. */
export const lookCommand = "ls; cat greeting.mjs";

/** The greeting as it came, and the end of it as the first edit leaves it. */
const plainGreeting = `export function greeting(name) {
  return \`Hello, \${name}!\`;
}`;
const greetingByTheHour = `  return \`Good \${part}, \${name}!\`;
}`;

/** What the tour changes, given what its command printed. */
export function editFor(output: string, notePath: string): Edit {
  const seen = output.replaceAll("\r\n", "\n");
  if (seen.includes(plainGreeting)) return byTheHour;
  if (seen.includes(greetingByTheHour) && !seen.includes("farewell")) return farewell;
  return noteEdit(notePath);
}

const byTheHour: Edit = {
  file: "greeting.mjs",
  intent: "make the greeting in `greeting.mjs` follow the time of day",
  effect: "`greeting.mjs` now says good morning, afternoon or evening",
  commitMessage: "Greet by the time of day",
  snippet: `export function greeting(name, hour = new Date().getHours()) {
  const part = hour < 12 ? "morning" : hour < 18 ? "afternoon" : "evening";
  return \`Good \${part}, \${name}!\`;
}`,
  patch: `*** Begin Patch
*** Update File: greeting.mjs
@@
-export function greeting(name) {
-  return \`Hello, \${name}!\`;
+export function greeting(name, hour = new Date().getHours()) {
+  const part = hour < 12 ? "morning" : hour < 18 ? "afternoon" : "evening";
+  return \`Good \${part}, \${name}!\`;
 }
*** End Patch`,
};

const farewell: Edit = {
  file: "greeting.mjs",
  intent: "give `greeting.mjs` a farewell to go with the greeting",
  effect: "`greeting.mjs` can now say goodbye as well",
  commitMessage: "Add a farewell",
  snippet: `export function farewell(name) {
  return \`See you soon, \${name}!\`;
}`,
  patch: `*** Begin Patch
*** Update File: greeting.mjs
@@
   return \`Good \${part}, \${name}!\`;
 }
+
+export function farewell(name) {
+  return \`See you soon, \${name}!\`;
+}
*** End Patch`,
};

function noteEdit(notePath: string): Edit {
  const lines = [
    "# A visit",
    "",
    "The demo came by, found the greetings as they should be, and left this note.",
  ];
  return {
    file: notePath,
    intent: `leave a note in \`${notePath}\`, since the greetings need nothing more`,
    effect: `there is a new note, \`${notePath}\``,
    commitMessage: "Leave a note",
    snippet: lines.join("\n"),
    patch: addFile(notePath, lines),
  };
}

/** A patch that adds a file. */
export function addFile(path: string, lines: readonly string[]): string {
  const added = lines.map((line) => `+${line}`);
  return ["*** Begin Patch", `*** Add File: ${path}`, ...added, "*** End Patch"].join("\n");
}
