// What is selected in a terminal as a quote in a message. Pure.

const mostCharacters = 20_000;

/** A block of code whose fence is in none of its lines, after what is written already. */
export function withQuote(draft: string, selected: string): string {
  const text = selected
    .replace(/\r\n?/g, "\n")
    .replace(/[ \t]+$/gm, "")
    .replace(/^\n+|\n+$/g, "");
  if (text === "") return draft;
  const kept = text.length > mostCharacters ? `…\n${text.slice(-mostCharacters)}` : text;
  const longest = Math.max(2, ...[...kept.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  const before = draft.trim() === "" ? "" : `${draft.replace(/\n+$/, "")}\n\n`;
  return `${before}From the terminal:\n\n${fence}\n${kept}\n${fence}\n\n`;
}
