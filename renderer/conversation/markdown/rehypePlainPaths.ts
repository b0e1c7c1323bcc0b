// Makes elements of the paths that stand in a message's words, for MarkdownParts to draw. What is code or a link already stays.

import type { ExtraProps } from "streamdown";
import { plainPieces } from "./plainPaths";

type Node = NonNullable<ExtraProps["node"]>["children"][number];
type Parent = { children: Node[] };

/** The name of the element; no markdown makes one. */
export const plainPathTag = "plain-path";

const left = new Set(["a", "code", "pre"]);

export function rehypePlainPaths() {
  return (tree: unknown) => replaceIn(tree as Parent);
}

function replaceIn(parent: Parent): void {
  if (!parent.children.some((node) => node.type === "text" || node.type === "element")) return;
  parent.children = parent.children.flatMap((node): Node[] => {
    if (node.type === "element") {
      if (!left.has(node.tagName)) replaceIn(node);
      return [node];
    }
    // Without a dot there is no name of a file.
    if (node.type !== "text" || !node.value.includes(".")) return [node];
    return plainPieces(node.value).map(({ text, place }): Node => {
      const words: Node = { type: "text", value: text };
      return place === null
        ? words
        : { type: "element", tagName: plainPathTag, properties: {}, children: [words] };
    });
  });
}
