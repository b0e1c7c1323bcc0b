// What a name is, under the pointer.

import { syntaxTree } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { hoverTooltip } from "@codemirror/view";
import { describeName, drawDescribed } from "./description";
import type { ScriptNames } from "./scriptNames";

export function hoverOver(names: () => ScriptNames): Extension {
  return hoverTooltip((view, pos, side) => {
    const node = syntaxTree(view.state).resolveInner(pos, side);
    if (node.name !== "PropertyName" && node.name !== "VariableName") return null;
    const named =
      node.parent?.name === "MemberExpression" && node.name === "PropertyName" ? node.parent : node;
    const known = names().all.get(view.state.sliceDoc(named.from, named.to).replaceAll(/\s/g, ""));
    if (!known) return null;
    return {
      pos: node.from,
      end: node.to,
      above: true,
      create: () => ({ dom: drawDescribed(describeName(known)) }),
    };
  });
}
