// The person's own editor: the command that starts it, and what a window asks of it.

import { z } from "zod";
import { call, done, nothing } from "./call";

const longestCommand = 1_000;

export type CommandWords = { ok: true; words: readonly [string, ...string[]] } | { ok: false; said: string };

/** What only a shell would understand, and there is none. */
const shellWords: ReadonlySet<string> = new Set(["|", "||", "&", "&&", ";", "<", ">", ">>", "2>"]);

/**
 * A program and its arguments, as a person writes them: words between blanks, and quotes around what has blanks in it. A
 * backslash is one, as in a path on Windows, but before a blank or a quote.
 */
export function commandWords(command: string): CommandWords {
  const said = (words: string): CommandWords => ({ ok: false, said: words });
  if (command.length > longestCommand) return said(`It is longer than ${longestCommand} letters.`);
  const words: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  for (let at = 0; at < command.length; at += 1) {
    const letter = command.charAt(at);
    const next = command.charAt(at + 1);
    if (letter < " " || letter === "\u007f") return said("It is one line, without control characters.");
    if (letter === "\\" && quote !== "'" && (next === '"' || next === "'" || next === " ")) {
      word = (word ?? "") + next;
      at += 1;
    } else if (quote !== null) {
      if (letter === quote) quote = null;
      else word = (word ?? "") + letter;
    } else if (letter === '"' || letter === "'") {
      quote = letter;
      word ??= "";
    } else if (letter === " ") {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? "") + letter;
  }
  if (quote !== null) return said(`A closing ${quote} is missing.`);
  if (word !== null) words.push(word);
  const [program, ...rest] = words;
  if (program === undefined || program === "") return said("Write the program that starts your editor.");
  const foreign = words.find((each) => shellWords.has(each));
  if (foreign !== undefined) return said(`It is started without a shell, which “${foreign}” would need.`);
  if (/^[~$%]/.test(program)) return said("It is started without a shell: write the program's full path.");
  return { ok: true, words: [program, ...rest] };
}

export const editorCommandSchema = z
  .string()
  .max(longestCommand)
  .refine((command) => commandWords(command).ok, { message: "is no command" })
  .nullable();

export const editorCalls = {
  /** Editors that are on this machine, by name. */
  "editor.find": call(
    nothing,
    z.object({ editors: z.array(z.object({ name: z.string(), command: z.string(), path: z.string() })) }),
  ),
  /** Opens a file, at that line if the editor is known to take one; `path` null: the workspace's folder. */
  "editor.open": call(
    z.object({
      /** null: the path is whole. */
      workspaceId: z.string().max(200).nullable(),
      /** From the workspace's folder, or whole. */
      path: z.string().max(4096).nullable(),
      line: z.number().int().positive().nullable(),
    }),
    done,
  ),
} as const;
