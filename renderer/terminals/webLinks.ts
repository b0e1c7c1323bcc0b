// Addresses of web pages in a line of text. Pure.

export interface WebLink {
  url: string;
  start: number;
  end: number;
}

const address = /https?:\/\/[^\s"'<>`{}|\\^\p{Cc}]+/giu;
/** What ends a sentence or closes a bracket is not the address's, unless the bracket was opened in it. */
const closers: Record<string, string> = { ")": "(", "]": "[" };

export function webLinks(text: string): WebLink[] {
  return [...text.matchAll(address)].flatMap((match) => {
    let url = match[0];
    for (;;) {
      const last = url.at(-1) ?? "";
      const opener = closers[last];
      const isStray = opener === undefined ? /[.,;:!?*_~]/.test(last) : count(url, last) > count(url, opener);
      if (!isStray) break;
      url = url.slice(0, -1);
    }
    return URL.canParse(url) ? [{ url, start: match.index, end: match.index + url.length }] : [];
  });
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}
