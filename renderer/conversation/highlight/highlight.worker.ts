// Tokenises code off the window's thread. One request at a time, in order; a grammar is loaded when it is first asked for.
// The regular expressions of the grammars run on the engine's own: no WebAssembly and no code made from text, so this
// runs under a policy that allows scripts from the app alone.

import { createHighlighterCore, type HighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import { grammarOf, type LanguageName } from "./languages";
import { classIndexOf, classTheme } from "./theme";
import type { HighlightAnswer, HighlightRequest, TokenLine } from "./tokens";

const longestLineUnits = 2_000;
const longestTimeMs = 400;

let highlighter: Promise<HighlighterCore> | null = null;
const loading = new Map<string, Promise<boolean>>();

function started(): Promise<HighlighterCore> {
  highlighter ??= createHighlighterCore({
    themes: [classTheme],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  return highlighter;
}

function loaded(language: string): Promise<boolean> {
  let known = loading.get(language);
  if (!known) {
    known = (async () => {
      const grammar = grammarOf(language as LanguageName);
      if (!grammar) return false;
      await (await started()).loadLanguage(grammar);
      return true;
    })();
    loading.set(language, known);
  }
  return known;
}

async function highlight(request: HighlightRequest): Promise<HighlightAnswer> {
  if (!(await loaded(request.language))) return { id: request.id, ok: false };
  const { tokens } = (await started()).codeToTokens(request.code, {
    lang: request.language,
    theme: "classes",
    tokenizeMaxLineLength: longestLineUnits,
    tokenizeTimeLimit: longestTimeMs,
  });
  const lines = tokens.map((line) => {
    const pieces: TokenLine = [];
    for (const token of line) {
      const index = classIndexOf(token.color);
      if (pieces.at(-1) === index) pieces[pieces.length - 2] = (pieces.at(-2) ?? 0) + token.content.length;
      else pieces.push(token.content.length, index);
    }
    return pieces;
  });
  return { id: request.id, ok: true, lines };
}

self.addEventListener("message", (event: MessageEvent<HighlightRequest>) => {
  highlight(event.data).then(
    (answer) => self.postMessage(answer),
    (error: unknown) => {
      // A grammar that cannot cope costs its colours, nothing else.
      console.warn("highlighting failed", event.data.language, error);
      self.postMessage({ id: event.data.id, ok: false } satisfies HighlightAnswer);
    },
  );
});
