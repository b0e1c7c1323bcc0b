// What an expression of a script is, as far as it comes from a call of `tools.*`: an object with these fields, or a list of
// such. Read from the syntax tree, which has a shape also where the text is unfinished. Pure.

import type { Text } from "@codemirror/state";
import type { ScriptName } from "../../../preload/contract/cells";
import { givesList, type ScriptNames } from "./scriptNames";
import type { SyntaxNode, Tree } from "./syntax";

export interface Meaning {
  fields: ScriptName["gives"];
  isList: boolean;
  /** It has to be awaited first. */
  isPromise: boolean;
}

const deepest = 12;
const sameList = new Set(["filter", "slice", "concat", "reverse", "sort", "toSorted", "toReversed"]);
const oneOfList = new Set(["find", "findLast", "at", "pop", "shift"]);
const onEach = new Set(["map", "filter", "find", "findLast", "forEach", "some", "every", "flatMap"]);

export class Reader {
  readonly #tree: Tree;
  readonly #text: Text;
  readonly #names: ScriptNames;

  constructor(tree: Tree, text: Text, names: ScriptNames) {
    this.#tree = tree;
    this.#text = text;
    this.#names = names;
  }

  textOf(node: SyntaxNode): string {
    return this.#text.sliceString(node.from, node.to);
  }

  /** The `tools.*` (or other known name) that this expression names. */
  nameOf(callee: SyntaxNode | null): ScriptName | undefined {
    if (callee === null) return undefined;
    return this.#names.all.get(this.textOf(callee).replaceAll(/\s/g, ""));
  }

  /** What the variable of this name is at this place. */
  variable(name: string, at: number): Meaning | null {
    return this.#variable(name, at, 0);
  }

  /** What an object pattern (`const { ... } = `) takes apart. */
  pattern(pattern: SyntaxNode): Meaning | null {
    const { parent } = pattern;
    if (parent === null) return null;
    return this.#declared(pattern, parent, 0);
  }

  #variable(name: string, at: number, depth: number): Meaning | null {
    let last: SyntaxNode | null = null;
    this.#tree.iterate({
      to: at,
      enter: (node) => {
        if (node.name === "VariableDefinition" && node.to <= at && this.textOf(node.node) === name) {
          last = node.node;
        }
      },
    });
    const definition: SyntaxNode | null = last;
    if (definition === null) return null;
    const { parent } = definition as SyntaxNode;
    return parent === null ? null : this.#declared(definition, parent, depth);
  }

  #declared(declared: SyntaxNode, parent: SyntaxNode, depth: number): Meaning | null {
    switch (parent.name) {
      case "VariableDeclaration": {
        const equals = nextNamed(declared, "Equals");
        return equals ? this.#meaning(equals.nextSibling, depth + 1) : null;
      }
      case "ForOfSpec":
        return each(this.#meaning(parent.lastChild?.prevSibling ?? null, depth + 1));
      case "ParamList":
        return this.#parameter(parent, depth + 1);
      default:
        return null;
    }
  }

  /** The first parameter of what is done with each of a list. */
  #parameter(parameters: SyntaxNode, depth: number): Meaning | null {
    const call = parameters.parent?.parent?.parent;
    if (call?.name !== "CallExpression") return null;
    const callee = call.firstChild;
    if (callee?.name !== "MemberExpression" || !onEach.has(this.#method(callee))) return null;
    return each(this.#meaning(callee.firstChild, depth));
  }

  #meaning(node: SyntaxNode | null, depth: number): Meaning | null {
    if (node === null || depth > deepest) return null;
    switch (node.name) {
      case "AwaitExpression":
        return awaited(this.#meaning(node.lastChild, depth + 1));
      case "ParenthesizedExpression":
        return this.#meaning(node.firstChild?.nextSibling ?? null, depth + 1);
      case "VariableName":
        return this.#variable(this.textOf(node), node.from, depth + 1);
      case "MemberExpression":
        // `list[0]`; the fields of fields are not known.
        return node.lastChild?.name === "]" ? each(this.#meaning(node.firstChild, depth + 1)) : null;
      case "CallExpression":
        return this.#call(node, depth + 1);
      default:
        return null;
    }
  }

  #call(call: SyntaxNode, depth: number): Meaning | null {
    const callee = call.firstChild;
    if (callee === null) return null;
    const known = this.nameOf(callee);
    if (known) return known.gives.length === 0 ? null : given(known);
    if (callee.name !== "MemberExpression") return null;
    const argument = call.getChild("ArgList")?.firstChild?.nextSibling ?? null;
    if (/^Promise\s*\.\s*all$/.test(this.textOf(callee))) return this.#all(argument, depth);
    const method = this.#method(callee);
    if (sameList.has(method)) return this.#meaning(callee.firstChild, depth);
    return oneOfList.has(method) ? each(this.#meaning(callee.firstChild, depth)) : null;
  }

  /** `Promise.all(list.map((each) => tools.x(...)))`, and `Promise.all([tools.x(...), ...])`. */
  #all(argument: SyntaxNode | null, depth: number): Meaning | null {
    const first =
      argument?.name === "ArrayExpression"
        ? (argument.firstChild?.nextSibling ?? null)
        : (argument?.getChild("ArgList")?.getChild("ArrowFunction")?.lastChild ?? null);
    const one = this.#meaning(first, depth + 1);
    return one === null || one.isList ? null : { ...one, isList: true, isPromise: true };
  }

  #method(member: SyntaxNode): string {
    const { lastChild } = member;
    return lastChild?.name === "PropertyName" ? this.textOf(lastChild) : "";
  }
}

function given(name: ScriptName): Meaning {
  return {
    fields: name.gives,
    isList: givesList(name),
    isPromise: name.signature.includes("Promise<"),
  };
}

function awaited(meaning: Meaning | null): Meaning | null {
  return meaning && { ...meaning, isPromise: false };
}

function each(meaning: Meaning | null): Meaning | null {
  return meaning?.isList && !meaning.isPromise ? { ...meaning, isList: false } : null;
}

function nextNamed(node: SyntaxNode, name: string): SyntaxNode | null {
  for (let next = node.nextSibling; next !== null; next = next.nextSibling) {
    if (next.name === name) return next;
  }
  return null;
}
