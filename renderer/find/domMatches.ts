// Where the words are in what is drawn. Text nodes are joined as long as they are in one line of the page, so that words are
// found across the colours of code; nothing is changed in the page.

import { folded, foldedPlaces } from "./matches";

/** What begins a line of its own. */
const blocks =
  "p, li, pre, h1, h2, h3, h4, h5, h6, td, th, div, section, figure, figcaption, article, dt, dd, .diff-line, button";
/** Not part of the text: what is only for the eye, for the ear, or the name of a block. */
const left = '[aria-hidden="true"], .sr-only, figcaption, .diff-number, .diff-sign, [data-not-found]';

/** In the order of the page. */
export function rangesIn(root: Element, query: string, most = 2_000): Range[] {
  const wanted = folded(query);
  if (wanted.trim() === "") return [];
  const ranges: Range[] = [];
  let run: Text[] = [];
  let block: Element | null = null;
  const finish = () => {
    if (run.length > 0) collect(run, wanted, ranges, most);
    run = [];
  };
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null && ranges.length < most; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!parent || parent.closest(left)) continue;
    const own = parent.closest(blocks);
    if (own !== block) finish();
    block = own;
    run.push(node as Text);
  }
  finish();
  return ranges;
}

function collect(run: readonly Text[], wanted: string, ranges: Range[], most: number): void {
  const { text, placeOf } = foldedPlaces(run.map(({ data }) => data).join(""));
  for (let at = text.indexOf(wanted); at !== -1 && ranges.length < most; ) {
    const end = at + wanted.length;
    const range = document.createRange();
    put(run, placeOf(at), (node, offset) => range.setStart(node, offset), false);
    put(run, placeOf(end), (node, offset) => range.setEnd(node, offset), true);
    ranges.push(range);
    at = text.indexOf(wanted, end);
  }
}

/** `isEnd`: a place between two nodes is at the end of the first. */
function put(
  run: readonly Text[],
  at: number,
  set: (node: Text, offset: number) => void,
  isEnd: boolean,
): void {
  let from = 0;
  for (const node of run) {
    const to = from + node.data.length;
    if (at < to || (isEnd && at === to)) {
      set(node, at - from);
      return;
    }
    from = to;
  }
}
