// What is said before an environment is removed. Pure.

import type { EnvironmentView } from "../../preload/contract/environments";
import { count } from "../conversation/time/durations";

export interface Users {
  /** The titles of threads whose commands run there. */
  threads: readonly string[];
  /** How many terminals run there. */
  terminals: number;
}

const mostNamed = 3;

/** What uses it and what becomes of that; empty: nothing does. */
export function usedWords({ threads, terminals }: Users): string {
  const sentences: string[] = [];
  if (threads.length > 0) {
    const named = threads.slice(0, mostNamed).map((title) => `“${title}”`);
    const more = threads.length - named.length;
    const list = more > 0 ? `${named.join(", ")} and ${count(more, "other thread")}` : joined(named);
    sentences.push(
      threads.length === 1
        ? `${list} uses it, and waits until another place is chosen.`
        : `${list} use it, and wait until another place is chosen.`,
    );
  }
  if (terminals > 0) {
    sentences.push(
      `${count(terminals, "terminal")} that ${terminals === 1 ? "runs" : "run"} there ${terminals === 1 ? "is" : "are"} ended.`,
    );
  }
  return sentences.join(" ");
}

export function removedWords({ server, tokens }: Pick<EnvironmentView, "server" | "tokens">): string {
  if (server !== null) return "It goes off the list, and its exec-server on this machine is ended.";
  const along = tokens.length === 0 ? "" : " with the tokens that are saved for it";
  return `It goes off the list${along}. The executor itself goes on, wherever it is.`;
}

function joined(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
