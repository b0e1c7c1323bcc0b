// The grammar scopes that make up each token class. The "colours" are numbers of classes in disguise: the worker reads
// them back, so that no colour is decided here.

import type { ThemeRegistration } from "shiki/core";
import { type TokenClass, tokenClasses } from "./tokens";

const scopes: Record<Exclude<TokenClass, "plain">, string[]> = {
  keyword: [
    "keyword",
    "storage",
    "keyword.operator.new",
    "keyword.operator.expression",
    "variable.language",
    "constant.language.import-export-all",
    "punctuation.definition.directive",
    "entity.name.function.preprocessor",
  ],
  string: ["string", "markup.inline.raw", "markup.fenced_code", "constant.other.symbol", "string.regexp"],
  constant: [
    "constant",
    "support.constant",
    "constant.numeric",
    "constant.character.escape",
    "entity.other.attribute-name.id",
  ],
  comment: ["comment", "punctuation.definition.comment", "string.quoted.docstring", "string.comment"],
  function: [
    "entity.name.function",
    "support.function",
    "meta.function-call.generic",
    "entity.name.command",
    "variable.function",
  ],
  type: [
    "entity.name.type",
    "entity.name.class",
    "entity.name.namespace",
    "support.type",
    "support.class",
    "entity.other.inherited-class",
    "storage.type.primitive",
    "entity.name.type.module",
  ],
  property: [
    "support.type.property-name",
    "meta.object-literal.key",
    "variable.other.property",
    "entity.other.attribute-name",
    "entity.name.tag.yaml",
    "keyword.other.definition.ini",
    "support.type.property-name.toml",
    "variable.other.assignment",
  ],
  tag: ["entity.name.tag", "entity.name.section.group-title"],
  punctuation: [
    "punctuation",
    "keyword.operator",
    "meta.brace",
    "storage.type.function.arrow",
    "punctuation.definition.string",
  ],
  inserted: ["markup.inserted", "punctuation.definition.inserted"],
  deleted: ["markup.deleted", "punctuation.definition.deleted"],
  heading: ["markup.heading", "entity.name.section", "meta.diff.range", "meta.diff.header"],
  link: ["markup.underline.link", "string.other.link"],
};

export function colourOf(token: TokenClass): string {
  return `#0000${tokenClasses.indexOf(token).toString(16).padStart(2, "0").toUpperCase()}`;
}

/** The class behind a colour that the tokeniser gave back. */
export function classIndexOf(colour: string | undefined): number {
  if (!colour || !/^#0000[0-9a-f]{2}/i.test(colour)) return 0;
  const index = Number.parseInt(colour.slice(5, 7), 16);
  return index < tokenClasses.length ? index : 0;
}

export const classTheme: ThemeRegistration = {
  name: "classes",
  type: "dark",
  colors: { "editor.foreground": colourOf("plain"), "editor.background": "#FFFFFF" },
  tokenColors: [
    ...Object.entries(scopes).map(([token, scope]) => ({
      scope,
      settings: { foreground: colourOf(token as TokenClass) },
    })),
    // What stands inside a string or after an interpolation is code again; quotes belong to their string.
    {
      scope: ["meta.template.expression", "meta.embedded", "meta.interpolation"],
      settings: { foreground: colourOf("plain") },
    },
    { scope: ["string punctuation.definition.string"], settings: { foreground: colourOf("string") } },
  ],
};
