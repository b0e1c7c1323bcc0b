// Where a script cannot be read, each with a sentence. Read from the syntax tree, which goes on after an error. Pure.

import type { Text } from "@codemirror/state";
import type { SyntaxNode, Tree } from "./syntax";

export interface SyntaxMistake {
  from: number;
  to: number;
  sentence: string;
}

/** After so many the reader has lost its way, and more would say nothing. */
const most = 20;
/** Blank lines at the end are looked back over, but not without end. */
const farthest = 2_000;
const closers: Record<string, string> = { "(": ")", "[": "]", "{": "}", "${": "}" };

export function syntaxMistakes(tree: Tree, text: Text): SyntaxMistake[] {
  const found: SyntaxMistake[] = [];
  tree.iterate({
    enter: (node) => {
      if (found.length >= most) return false;
      if (!node.type.isError) return undefined;
      const mistake = mistakeAt(node.node, text);
      const last = found.at(-1);
      // What follows at once from the one before is part of it.
      if (last === undefined || mistake.from > last.to + 1) found.push(mistake);
      return false;
    },
  });
  return found;
}

function mistakeAt(node: SyntaxNode, text: Text): SyntaxMistake {
  const { from, to } = node;
  if (to > from) {
    const words =
      text
        .sliceString(from, Math.min(to, from + 40))
        .split("\n", 1)[0]
        ?.trim() ?? "";
    return { from, to, sentence: `“${words}” is not expected here.` };
  }
  const opened = node.parent && openedBy(node.parent, text);
  if (opened) {
    const line = text.lineAt(opened.from).number;
    const sentence = `A “${closers[opened.bracket]}” is missing: the “${opened.bracket}” in line ${line} is not closed.`;
    return { ...shown(from, text), sentence };
  }
  const next = /\S+/.exec(text.sliceString(from, Math.min(text.length, from + 200)))?.[0];
  return {
    ...shown(from, text),
    sentence:
      next === undefined
        ? "Something is missing at the end."
        : `Something is missing before “${next.slice(0, 30)}”.`,
  };
}

/** The bracket that this part of the script begins with, where it does not end with its other half. */
function openedBy(parent: SyntaxNode, text: Text): { from: number; bracket: string } | null {
  for (let child = parent.firstChild; child !== null; child = child.nextSibling) {
    const bracket = text.sliceString(child.from, child.to);
    const closer = closers[bracket];
    if (closer === undefined) continue;
    const last = parent.lastChild;
    const isClosed = last !== null && text.sliceString(last.from, last.to) === closer;
    return isClosed ? null : { from: child.from, bracket };
  }
  return null;
}

/** Something to see: the last character before that is no space, in the same line or one before. */
function shown(at: number, text: Text): { from: number; to: number } {
  const before = text.sliceString(Math.max(0, at - farthest), at).trimEnd().length;
  const end = Math.max(0, at - farthest) + before;
  return before > 0 ? { from: end - 1, to: end } : { from: at, to: Math.min(at + 1, text.length) };
}
