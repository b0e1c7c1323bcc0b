// What is marked in the text: where it cannot be read, and where the run that is shown has failed.

import { ensureSyntaxTree } from "@codemirror/language";
import { type Diagnostic, linter, lintGutter } from "@codemirror/lint";
import { type EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import { syntaxMistakes } from "./syntaxErrors";

export interface RunMistake {
  text: string;
  /** Counted from 1. */
  line: number;
  column: number;
}

export const setRunMistake = StateEffect.define<RunMistake | null>();

/** It is about the text that was run: with the first change to that it is about nothing any more. */
const runMistake = StateField.define<RunMistake | null>({
  create: () => null,
  update(value, transaction) {
    let next = transaction.docChanged ? null : value;
    for (const effect of transaction.effects) if (effect.is(setRunMistake)) next = effect.value;
    return next;
  },
});

/** Long enough that what is only being typed is not called wrong. */
const lintAfterMs = 800;
const readWithinMs = 100;

export const mistakes: Extension = [
  runMistake,
  lintGutter(),
  linter((view) => diagnostics(view.state), {
    delay: lintAfterMs,
    needsRefresh: (update) => update.startState.field(runMistake) !== update.state.field(runMistake),
  }),
];

function diagnostics(state: EditorState): Diagnostic[] {
  // A text that is too long to be read in time is marked once it has been.
  const tree = ensureSyntaxTree(state, state.doc.length, readWithinMs);
  const read = (tree ? syntaxMistakes(tree, state.doc) : []).map(
    ({ from, to, sentence }): Diagnostic => ({ from, to, severity: "error", message: sentence }),
  );
  const failed = state.field(runMistake);
  if (failed === null || failed.line < 1 || failed.line > state.doc.lines) return read;
  const line = state.doc.line(failed.line);
  const from = Math.min(line.from + Math.max(failed.column - 1, 0), line.to);
  const word = /^[\w$.]+/.exec(state.sliceDoc(from, line.to))?.[0].length ?? 0;
  return [
    ...read,
    {
      from: word > 0 ? from : line.from,
      to: word > 0 ? from + word : line.to,
      severity: "error",
      message: `The run failed here: ${failed.text}`,
    },
  ];
}
