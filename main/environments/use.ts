// What uses an environment, and the words for not taking it away from that.

import { Fault } from "../fault";

/** Titles. */
export interface Use {
  threads: string[];
  terminals: string[];
}

const mostTitles = 3;
const mostTitleCharacters = 60;

/** Throws Fault `environment_in_use`, which says what uses it. */
export function checkUnused({ threads, terminals }: Use, wish: "remove" | "stop"): void {
  const uses = [...described("thread", threads), ...described("terminal", terminals)];
  if (uses.length === 0) return;
  throw new Fault("environment_in_use", `This environment is in use: ${uses.join("; ")}.`, {
    hint:
      wish === "remove"
        ? "Choose another place for them first, or remove it all the same: they then wait for another place."
        : "End what runs there first, or stop it all the same: that is ended then.",
  });
}

function described(noun: string, titles: string[]): string[] {
  if (titles.length === 0) return [];
  const shown = titles.slice(0, mostTitles).map((title) => `"${shortened(title)}"`);
  const more = titles.length - shown.length;
  const count = titles.length === 1 ? `1 ${noun}` : `${titles.length} ${noun}s`;
  return [`${count} (${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""})`];
}

function shortened(title: string): string {
  return title.length <= mostTitleCharacters ? title : `${title.slice(0, mostTitleCharacters).trimEnd()}…`;
}
