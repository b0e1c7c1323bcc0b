// By what Holdfast's home is known again: whoever goes on without Holdfast (the watchdog) can tell that nobody will ever come back
// to it, and Holdfast itself that it keeps nothing any more.
//
// A folder's number tells nothing on a file system that makes numbers up (of another machine, say), and a path leads to whatever
// has been put there since. So there is a file in it with words of its own, which stays with the folder for good.
//
// Races settled here:
// - Two processes make the file: only one of them can, and the other reads what is there.
// - It is looked at while somebody moves things about, or while its disk does not answer: what cannot be looked at is not gone,
//   and what seems to be gone counts only when it is so several times in a row (who looks sees to that).

import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { asFault } from "../fault";
import type { Log } from "../log";

export const homeMarkSchema = z.object({
  /** The ledger's file: without it nothing is on record, and nothing that runs can be adopted. */
  ledger: z.string(),
  file: z.string(),
  /** What is in the file; null: there is none, as it could not be written. */
  words: z.string().nullable(),
});
export type HomeMark = z.infer<typeof homeMarkSchema>;

const wordsPattern = /^[0-9a-f-]{36}$/;

/** Never throws: without a file of its own, the home is known by its ledger alone. */
export function markHome(home: string, ledger: string, log: Log): HomeMark {
  const file = join(home, "home-id");
  try {
    return { ledger, file, words: wordsIn(file) ?? makeWords(file) };
  } catch (error) {
    log.warn("the home could not be marked", { file, error: asFault(error).message });
    return { ledger, file, words: null };
  }
}

/** True only when it is certain. Never rejects. */
export async function isHomeGone({ ledger, file, words }: HomeMark): Promise<boolean> {
  try {
    await stat(ledger);
  } catch (error) {
    return leadsNowhere(error);
  }
  const found = words === null ? null : await readFile(file, "latin1").catch(() => null);
  // Somebody may have removed the one file; the ledger is there.
  return found !== null && wordsPattern.test(found) && found !== words;
}

/** Not, for one: it may not be read, its disk does not answer. */
export function leadsNowhere(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR", "ELOOP"].includes((error as NodeJS.ErrnoException).code ?? "");
}

function wordsIn(file: string): string | null {
  try {
    const words = readFileSync(file, "latin1");
    return wordsPattern.test(words) ? words : null;
  } catch (error) {
    if (leadsNowhere(error)) return null;
    throw error;
  }
}

/** Complete under its name, or not there: a disk that is full leaves half of nothing. */
function makeWords(file: string): string | null {
  const words = randomUUID();
  const draft = `${file}.${words}`;
  try {
    writeFileSync(draft, words, { mode: 0o600, flag: "wx" });
    // What is no mark was cut off or written over.
    if (wordsIn(file) === null) rmSync(file, { force: true });
    linkSync(draft, file);
    return words;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return wordsIn(file);
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
