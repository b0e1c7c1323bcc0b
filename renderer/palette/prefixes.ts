// What the first character of the palette's field stands for. Pure.

export type PaletteMode = "all" | "commands" | "threads" | "files" | "text" | "help";

export interface Prefix {
  prefix: string;
  mode: Exclude<PaletteMode, "all">;
  /** What is found with it. */
  words: string;
}

export const prefixes: readonly Prefix[] = [
  { prefix: ">", mode: "commands", words: "Commands and settings" },
  { prefix: "#", mode: "threads", words: "Threads and agents, by title" },
  { prefix: "@", mode: "files", words: "Files of the workspace; with :12 at that line" },
  { prefix: "%", mode: "text", words: "What was said in any thread" },
  { prefix: "?", mode: "help", words: "What can be typed here" },
];

export interface Asked {
  mode: PaletteMode;
  query: string;
}

export function askedOf(typed: string): Asked {
  const text = typed.trimStart();
  const prefix = prefixes.find((each) => text.startsWith(each.prefix));
  if (!prefix) return { mode: "all", query: text.trim() };
  return { mode: prefix.mode, query: text.slice(prefix.prefix.length).trim() };
}
