// The syntax tree of a script, as the editor's language package gives it.

import type { syntaxTree } from "@codemirror/language";

export type Tree = ReturnType<typeof syntaxTree>;
export type SyntaxNode = Tree["topNode"];
