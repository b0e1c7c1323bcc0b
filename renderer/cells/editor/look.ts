// How the editor looks: the window's own colours in both themes, so nothing here asks which one it is.

import "../../conversation/highlight/tokens.css";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.self, tags.operatorKeyword], class: "tok-keyword" },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], class: "tok-string" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.escape], class: "tok-constant" },
  { tag: tags.comment, class: "tok-comment" },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], class: "tok-function" },
  { tag: [tags.className, tags.typeName], class: "tok-type" },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], class: "tok-property" },
  { tag: [tags.punctuation, tags.operator, tags.derefOperator], class: "tok-punctuation" },
]);

interface Mark {
  colour: "accent" | "warn" | "hover";
  percent: number;
}

/** What lies behind text that is marked. Faint enough for every colour of text; what it says besides is said by an edge. */
export const marks = {
  selection: { colour: "accent", percent: 15 },
  sameAsSelection: { colour: "accent", percent: 10 },
  bracket: { colour: "accent", percent: 10 },
  snippetField: { colour: "accent", percent: 10 },
  activeLine: { colour: "hover", percent: 55 },
  found: { colour: "warn", percent: 10 },
} satisfies Record<string, Mark>;

const mix = (colour: string, percent: number) =>
  `color-mix(in oklch, var(--color-${colour}) ${percent}%, transparent)`;
const mark = ({ colour, percent }: Mark) => mix(colour, percent);
const popup = {
  border: "1px solid var(--color-line)",
  borderRadius: "var(--radius-m)",
  backgroundColor: "var(--color-raised)",
  color: "var(--color-ink)",
  boxShadow: "var(--shadow-pop)",
};
const field = {
  height: "24px",
  padding: "0 6px",
  margin: "0",
  border: "1px solid var(--color-field-line)",
  borderRadius: "var(--radius-s)",
  backgroundColor: "var(--color-raised)",
  color: "var(--color-ink)",
  fontSize: "var(--text-s)",
};

const theme = EditorView.theme({
  "&": {
    height: "100%",
    backgroundColor: "var(--color-canvas)",
    color: "var(--color-ink)",
    fontSize: "13px",
  },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-mono)", lineHeight: "20px", overscrollBehavior: "contain" },
  ".cm-content": {
    padding: "10px 0 40vh",
    caretColor: "var(--color-ink)",
    fontFeatureSettings: '"calt" 0, "zero"',
    fontVariantLigatures: "none",
  },
  ".cm-line": { padding: "0 16px 0 8px" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--color-accent)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: mark(marks.selection),
  },
  ".cm-selectionMatch": { backgroundColor: mark(marks.sameAsSelection) },
  ".cm-gutters": {
    border: "none",
    backgroundColor: "var(--color-canvas)",
    color: "var(--color-ink-3)",
    fontVariantNumeric: "tabular-nums",
  },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "36px", padding: "0 6px 0 12px", fontSize: "12px" },
  ".cm-foldGutter .cm-gutterElement": { width: "14px", textAlign: "center", color: "var(--color-ink-3)" },
  ".cm-gutter-lint": { width: "10px" },
  ".cm-gutter-lint .cm-gutterElement": { padding: "0" },
  ".cm-lint-marker": { width: "10px", height: "20px", content: "none !important", position: "relative" },
  ".cm-lint-marker::after": {
    content: '""',
    position: "absolute",
    inset: "7px 1px auto auto",
    width: "7px",
    height: "7px",
    borderRadius: "999px",
    backgroundColor: "var(--color-dot-bad)",
  },
  ".cm-lint-marker-warning::after": { backgroundColor: "var(--color-dot-warn)" },
  ".cm-activeLine": { backgroundColor: mark(marks.activeLine) },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--color-ink)" },
  "&:not(.cm-focused) .cm-activeLine": { backgroundColor: "transparent" },
  "&.cm-focused .cm-matchingBracket": {
    backgroundColor: mark(marks.bracket),
    outline: `1px solid ${mix("accent", 45)}`,
    borderRadius: "2px",
  },
  "&.cm-focused .cm-nonmatchingBracket": {
    backgroundColor: "var(--color-bad-soft)",
    color: "var(--color-bad)",
  },
  ".cm-foldPlaceholder": {
    margin: "0 2px",
    padding: "0 5px",
    border: "1px solid var(--color-line)",
    borderRadius: "var(--radius-xs)",
    backgroundColor: "var(--color-panel)",
    color: "var(--color-ink-3)",
  },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--color-dot-bad) 1px",
    textUnderlineOffset: "3px",
  },
  ".cm-lintRange-warning": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--color-dot-warn) 1px",
    textUnderlineOffset: "3px",
  },
  ".cm-tooltip": { ...popup, zIndex: "40" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    maxHeight: "240px",
    minWidth: "200px",
    padding: "4px",
    fontFamily: "var(--font-mono)",
    fontSize: "12px",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": {
    padding: "0 8px 0 4px",
    borderRadius: "var(--radius-s)",
    lineHeight: "22px",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--color-sel)",
    color: "var(--color-ink)",
  },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700", color: "var(--color-accent)" },
  ".cm-completionDetail": { fontStyle: "normal", color: "var(--color-ink-3)" },
  ".cm-completionIcon": { width: "16px", color: "var(--color-ink-3)", opacity: "1" },
  ".cm-tooltip.cm-completionInfo": { ...popup, padding: "0", maxWidth: "420px", margin: "0 4px" },
  ".script-doc": { display: "grid", gap: "6px", maxWidth: "480px", padding: "8px 10px" },
  ".script-doc code": {
    maxHeight: "180px",
    overflow: "auto",
    fontFamily: "var(--font-mono)",
    fontSize: "12px",
    lineHeight: "18px",
    whiteSpace: "pre-wrap",
    overflowWrap: "anywhere",
    color: "var(--color-ink-2)",
  },
  ".script-doc p": {
    margin: "0",
    fontFamily: "var(--font-sans)",
    fontSize: "var(--text-m)",
    lineHeight: "20px",
    whiteSpace: "normal",
  },
  ".cm-diagnostic": {
    padding: "6px 10px",
    border: "none",
    fontFamily: "var(--font-sans)",
    fontSize: "var(--text-m)",
    whiteSpace: "pre-wrap",
  },
  ".cm-panels": {
    backgroundColor: "var(--color-panel)",
    color: "var(--color-ink)",
    fontFamily: "var(--font-sans)",
  },
  ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--color-line)" },
  ".cm-panels.cm-panels-bottom": { borderTop: "1px solid var(--color-line)" },
  ".cm-panel.cm-search": {
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    gap: "6px",
    padding: "7px 34px 7px 10px",
    fontSize: "var(--text-s)",
  },
  ".cm-panel.cm-search br": { flexBasis: "100%", height: "0", content: '""' },
  ".cm-panel.cm-search label": {
    display: "inline-flex",
    alignItems: "center",
    gap: "4px",
    color: "var(--color-ink-2)",
    fontSize: "var(--text-s)",
  },
  ".cm-panel.cm-search input[type=checkbox]": { margin: "0", accentColor: "var(--color-accent)" },
  ".cm-textfield, .cm-panel.cm-search .cm-textfield": { ...field, width: "200px" },
  ".cm-textfield:focus-visible": { outline: "2px solid var(--color-focus)", outlineOffset: "-1px" },
  ".cm-button": {
    ...field,
    border: "1px solid var(--color-line-strong)",
    backgroundImage: "none",
    padding: "0 8px",
    fontFamily: "var(--font-sans)",
  },
  ".cm-button:hover, .cm-button:active": { backgroundImage: "none", backgroundColor: "var(--color-hover)" },
  ".cm-panel.cm-search [name=close]": {
    top: "7px",
    right: "8px",
    width: "24px",
    height: "24px",
    borderRadius: "var(--radius-s)",
    fontSize: "18px",
    lineHeight: "20px",
    color: "var(--color-ink-2)",
  },
  ".cm-panel.cm-search [name=close]:hover": { backgroundColor: "var(--color-hover)" },
  ".cm-searchMatch": {
    backgroundColor: mark(marks.found),
    outline: `1px solid ${mix("warn", 50)}`,
    borderRadius: "2px",
  },
  // It is selected, too.
  ".cm-searchMatch.cm-searchMatch-selected": {
    backgroundColor: "transparent",
    outline: "2px solid var(--color-warn)",
  },
  ".cm-snippetField": { backgroundColor: mark(marks.snippetField) },
  ".cm-placeholder": { color: "var(--color-ink-3)" },
});

export const scriptLook = [theme, syntaxHighlighting(colours)];
