// Markdown as one line of plain words, for places that show nothing else.

const marks: [RegExp, string][] = [
  // What is fenced or drawn is not read out; what it is follows from the words around it.
  [/^ {0,3}(```|~~~)[^\n]*\n[\s\S]*?(^ {0,3}\1[^\n]*$|$(?![\s\S]))/gm, " "],
  [/!\[([^\]\n]*)\]\([^)\n]*\)/g, "$1"],
  [/\[([^\]\n]+)\]\([^)\n]*\)/g, "$1"],
  [/^ {0,3}#{1,6}\s+/gm, ""],
  [/^ {0,3}(?:[-*_] ?){3,}$/gm, " "],
  [/^\s*>\s?/gm, ""],
  [/^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?/gm, ""],
  [/^\s*\|?[\s:|-]*-{3,}[\s:|-]*$/gm, " "],
  [/(`+)([^`]+)\1/g, "$2"],
  [/(\*\*|__)(?=\S)([^\n]*?\S)\1/g, "$2"],
  [/(?<![\w*])([*_])(?=\S)([^\n*_]*?\S)\1(?![\w*])/g, "$2"],
  [/~~(?=\S)([^\n]*?\S)~~/g, "$1"],
  [/<[a-z/!][^>\n]*>/gi, " "],
];

/** As much as is looked at: an answer can be long, and only its end is told. */
const longestLooked = 8_000;

export function plainText(markdown: string): string {
  let text = markdown.length > longestLooked ? markdown.slice(-longestLooked) : markdown;
  for (const [mark, words] of marks) text = text.replace(mark, words);
  return oneLine(text);
}

/** A piece out of the middle, in plain words; what was searched for stays in it, also where it was code. */
export function plainPiece(markdown: string, wanted: string): string {
  const [plain, whole] = [plainText(markdown), oneLine(markdown)];
  const has = (text: string) => text.toLowerCase().includes(wanted.trim().toLowerCase());
  if (has(plain) || !has(whole)) return plain;
  // Without the marks of a fence at least.
  const unfenced = plainText(markdown.replaceAll(/^ {0,3}(?:```|~~~).*$/gm, " "));
  return has(unfenced) ? unfenced : whole;
}

/** What turns the direction of the words around it, and what takes no room. Joiners stay: some scripts are written with them. */
const unseen = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

export function oneLine(text: string): string {
  return text
    .replace(unseen, "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

/** The beginning, cut between words. */
export function firstWords(text: string, most: number): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  const cut = characters.slice(0, most - 1).join("");
  const space = characters[most - 1] === " " ? cut.length : cut.lastIndexOf(" ");
  return `${(space > most / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}

/** The end, cut between words. */
export function lastWords(text: string, most: number): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  const cut = characters.slice(1 - most).join("");
  const space = characters[characters.length - most] === " " ? -1 : cut.indexOf(" ");
  return `…${(space < most / 2 ? cut.slice(space + 1) : cut).trimStart()}`;
}
