// What is offered while a script is typed: the verbs under `tools.`, the fields of their one argument and the texts that a
// field allows, the fields of what they give, and the names that stand alone. Words of the language and of the document
// come from CodeMirror's own sources. Pure: a state of the editor and the known names give a list.

import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
  completeFromList,
  ifNotIn,
  snippet,
} from "@codemirror/autocomplete";
import { localCompletionSource, scopeCompletionSource, snippets } from "@codemirror/lang-javascript";
import { ensureSyntaxTree, syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import type { ScriptName } from "../../../preload/contract/cells";
import { describeField, describeName, drawDescribed } from "./description";
import { Reader } from "./meaning";
import { type ScriptNames, shortName, textsOf } from "./scriptNames";
import type { SyntaxNode, Tree } from "./syntax";

/** A few things of the language that a script finds in its sandbox too. */
const builtIn = {
  Array,
  Boolean,
  Date,
  Error,
  JSON,
  Map,
  Math,
  Number,
  Object,
  Promise,
  RegExp,
  Set,
  String,
};
const keywords =
  "async await break case catch const continue default do else false finally for function if in instanceof let new null of return static super switch this throw true try typeof undefined while yield"
    .split(" ")
    .map((label): Completion => ({ label, type: "keyword" }));
const noWords = [
  "TemplateString",
  "String",
  "RegExp",
  "LineComment",
  "BlockComment",
  "VariableDefinition",
  "Label",
  "PropertyDefinition",
  "PropertyName",
  "PrivatePropertyDefinition",
  "PrivatePropertyName",
  ".",
];
const parseWithinMs = 100;
const noPlaces = new Set(["LineComment", "BlockComment", "TemplateString", "RegExp"]);

/** Everything that is offered: our own names, and words of the language and of the document where any name can stand. */
export function scriptCompletion(names: () => ScriptNames): CompletionSource[] {
  const inPlace = (context: CompletionContext) => completePlace(context, names());
  const elsewhere = (source: CompletionSource): CompletionSource => {
    return (context) => (inPlace(context) === null ? source(context) : null);
  };
  return [
    inPlace,
    elsewhere((context) => completeAlone(context, names())),
    elsewhere(localCompletionSource),
    elsewhere(scopeCompletionSource(builtIn)),
    elsewhere(ifNotIn(noWords, completeFromList([...snippets, ...keywords]))),
  ];
}

/** Where only a few names can stand. */
export function completePlace(context: CompletionContext, names: ScriptNames): CompletionResult | null {
  const { state, pos } = context;
  const tree = treeOf(context);
  const node = tree.resolveInner(pos, -1);
  if (noPlaces.has(node.name)) return null;
  const reader = new Reader(tree, state.doc, names);
  if (node.name === "String") return texts(context, node, reader);
  return (
    members(context, reader, names) ??
    fields(context, node, reader) ??
    taken(context, node, reader) ??
    texts(context, node, reader)
  );
}

function treeOf({ state, pos }: CompletionContext): Tree {
  return ensureSyntaxTree(state, pos, parseWithinMs) ?? syntaxTree(state);
}

/** After a dot. */
function members(context: CompletionContext, reader: Reader, names: ScriptNames): CompletionResult | null {
  const before = context.matchBefore(/[\w$]+(\[[^[\]\n]*\])?\s*\??\.\s*[\w$]*$/);
  // Of something that is itself a part of something else, nothing is known.
  if (!before || /\.\s*$/.test(context.state.sliceDoc(Math.max(0, before.from - 50), before.from)))
    return null;
  const [, owner = "", index, typed = ""] = /^([\w$]+)(\[.*\])?\s*\??\.\s*([\w$]*)$/.exec(before.text) ?? [];
  const from = context.pos - typed.length;
  const known = index === undefined ? names.members.get(owner) : undefined;
  if (known) {
    const options = known.map((name) => ofName(name, context.state));
    return { from, options, validFor: /^[\w$]*$/ };
  }
  const variable = reader.variable(owner, before.from);
  if (!variable || variable.isPromise || variable.isList !== (index !== undefined)) return null;
  return { from, options: variable.fields.map(ofGiven), validFor: /^[\w$]*$/ };
}

/** Inside `tools.x({ ... })`, where a field begins. */
function fields(context: CompletionContext, node: SyntaxNode, reader: Reader): CompletionResult | null {
  const object = enclosing(node, "ObjectExpression") ?? enclosing(node, "ObjectPattern");
  const name = object && reader.nameOf(calleeOf(object));
  if (!object || !name) return null;
  const word = wordAt(context);
  if (!/[{,]\s*$/.test(context.state.sliceDoc(object.from, word.from))) return null;
  const given = new Set<string>();
  for (const property of [...object.getChildren("Property"), ...object.getChildren("PatternProperty")]) {
    const definition = property.getChild("PropertyDefinition") ?? property.getChild("PropertyName");
    if (definition && definition.to !== context.pos) given.add(reader.textOf(definition));
  }
  const options = name.fields
    .filter((field) => !given.has(field.name))
    .map((field) => ofField(field, context));
  return { from: word.from, options, validFor: /^[\w$]*$/ };
}

/** Inside `const { ... } = await tools.x(...)`. */
function taken(context: CompletionContext, node: SyntaxNode, reader: Reader): CompletionResult | null {
  const pattern = enclosing(node, "ObjectPattern");
  const meaning = pattern && reader.pattern(pattern);
  if (!meaning || meaning.isList || meaning.isPromise) return null;
  return { from: wordAt(context).from, options: meaning.fields.map(ofGiven), validFor: /^[\w$]*$/ };
}

/** The value of a field that takes one of a few. */
function texts(context: CompletionContext, node: SyntaxNode, reader: Reader): CompletionResult | null {
  const object = enclosing(node, "ObjectExpression");
  const name = object && reader.nameOf(calleeOf(object));
  if (!object || !name) return null;
  const inString = node.name === "String";
  const from = inString ? node.from + 1 : wordAt(context).from;
  const before = context.state.sliceDoc(object.from, inString ? node.from : from);
  const fieldName = /([\w$]+)\s*:\s*$/.exec(before)?.[1];
  const field = name.fields.find((each) => each.name === fieldName);
  if (!field) return null;
  const labels = inString
    ? textsOf(field.type)
    : field.type === "boolean"
      ? ["true", "false"]
      : textsOf(field.type).map((text) => JSON.stringify(text));
  if (labels.length === 0) return null;
  return {
    from,
    options: labels.map((label, index) => ({ label, type: "constant", boost: 20, sortText: inOrder(index) })),
    validFor: inString ? /^[^"'`]*$/ : /^[\w$]*$/,
  };
}

/** Of equal ones, CodeMirror sorts by this: what the schema names first stays first. */
function inOrder(index: number): string {
  return String(index).padStart(3, "0");
}

/** A name that stands for itself. */
export function completeAlone(context: CompletionContext, names: ScriptNames): CompletionResult | null {
  const word = wordAt(context);
  if (word.from === word.to && !context.explicit) return null;
  const node = treeOf(context).resolveInner(context.pos, -1);
  if (noPlaces.has(node.name) || node.name === "String") return null;
  if (
    node.name === "PropertyDefinition" ||
    node.name === "VariableDefinition" ||
    node.name === "PropertyName"
  ) {
    return null;
  }
  const options = (names.members.get("") ?? []).map((name) => ofName(name, context.state));
  for (const owner of names.members.keys()) {
    if (owner === "") continue;
    options.push({ label: owner, type: "namespace", boost: owner === "tools" ? 30 : 10 });
  }
  return { from: word.from, options, validFor: /^[\w$]*$/ };
}

function ofName(name: ScriptName, state: EditorState): Completion {
  return {
    label: shortName(name),
    type: "function",
    boost: 20,
    info: () => drawDescribed(describeName(name)),
    apply: (view, completion, from, to) => {
      // What is there already is not written again.
      const isCalled = /^\s*\(/.test(state.sliceDoc(to, to + 20));
      snippet(isCalled ? shortName(name) : callOf(name))(view, completion, from, to);
    },
  };
}

/** `startThread({ text: "" })`, with the fields that it cannot do without. Tab goes from one to the next, and out at last. */
function callOf(name: ScriptName): string {
  const needed = name.fields.filter((field) => !field.optional);
  const label = shortName(name).replaceAll(/[{}]/g, "\\$&");
  if (needed.length === 0) return `${label}(\${})\${}`;
  const written = needed.map(({ name: field, type }) => {
    return type === "string" ? `${field}: "\${}"` : `${field}: \${}`;
  });
  return `${label}({ ${written.join(", ")} })\${}`;
}

function ofField(field: ScriptName["fields"][number], context: CompletionContext): Completion {
  const hasValue = /^\s*:/.test(context.state.sliceDoc(context.pos, context.pos + 20));
  return {
    label: field.name,
    type: "property",
    detail: field.optional ? "optional" : undefined,
    boost: field.optional ? 30 : 40,
    info: () => drawDescribed(describeField(field)),
    apply: hasValue ? field.name : `${field.name}: `,
  };
}

function ofGiven(field: ScriptName["gives"][number]): Completion {
  return { label: field.name, type: "property", boost: 30, info: () => drawDescribed(describeField(field)) };
}

function wordAt(context: CompletionContext): { from: number; to: number } {
  return context.matchBefore(/[\w$]+$/) ?? { from: context.pos, to: context.pos };
}

/** The nearest node of this kind around, unless a function or another object lies between. */
function enclosing(node: SyntaxNode, name: "ObjectExpression" | "ObjectPattern"): SyntaxNode | null {
  for (let at: SyntaxNode | null = node; at !== null; at = at.parent) {
    if (at.name === name) return at;
    if (/^(ArrowFunction|FunctionExpression|Block|ObjectExpression|ArrayExpression)$/.test(at.name))
      return null;
  }
  return null;
}

/** What is called with this object as its argument. One that is not closed yet is read as if it were assigned to. */
function calleeOf(object: SyntaxNode): SyntaxNode | null {
  const argument = object.parent?.name === "AssignmentExpression" ? object.parent : object;
  const call = argument.parent?.name === "ArgList" ? argument.parent.parent : null;
  return call?.name === "CallExpression" ? call.firstChild : null;
}
