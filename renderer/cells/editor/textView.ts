// The editor of scripts: one view, in which one script after the other is shown. Each script keeps its own cursor, its undo
// and its place while the window is open.
//
// Races:
// - The text of a script changes elsewhere while it is shown: only the part that differs is replaced, so that the cursor
//   stays where it was; it can be undone like anything typed, and by itself.
// - A copy takes the place of the script that is shown, in the middle of a word: the view goes on as it is under its name.

import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from "@codemirror/language";
import { lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Annotation, EditorState, type Extension, Prec, type TransactionSpec } from "@codemirror/state";
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { scriptCompletion } from "./completion";
import { hoverOver } from "./hover";
import { scriptLook } from "./look";
import { mistakes, type RunMistake, setRunMistake } from "./mistakes";
import { noNames, type ScriptNames } from "./scriptNames";

export interface TextHandlers {
  onEdit(source: string): void;
  onLeave(): void;
  onRun(): void;
}

/** What came from elsewhere and is nothing that the person typed here. */
const fromElsewhere = Annotation.define<true>();

interface KeptPlace {
  state: EditorState;
  scrollTop: number;
}

const mostKept = 30;
const kept = new Map<string, KeptPlace>();

export class TextView {
  readonly #view: EditorView;
  readonly #around: { handlers: TextHandlers; names: ScriptNames };
  #scriptId: string;

  constructor(parent: HTMLElement, scriptId: string, source: string, handlers: TextHandlers) {
    this.#around = { handlers, names: noNames };
    current = this.#around;
    this.#scriptId = scriptId;
    const place = kept.get(scriptId);
    this.#view = new EditorView({ parent, state: place?.state ?? this.#newState(source) });
    this.takeSource(source);
    this.#scrollTo(place);
  }

  set handlers(handlers: TextHandlers) {
    this.#around.handlers = handlers;
  }

  set names(names: ScriptNames) {
    this.#around.names = names;
  }

  /** Another script, or the same with a text that may have changed elsewhere. */
  show(scriptId: string, source: string): void {
    if (scriptId !== this.#scriptId) {
      this.#keepPlace();
      this.#scriptId = scriptId;
      const place = kept.get(scriptId);
      this.#view.setState(place?.state ?? this.#newState(source));
      this.#scrollTo(place);
    }
    this.takeSource(source);
  }

  takeSource(source: string): void {
    const { doc } = this.#view.state;
    const before = doc.toString();
    if (before === source) return;
    this.#view.dispatch(changeFromElsewhere(before, source));
  }

  /** The script that is shown goes by this name from now on. */
  becomes(scriptId: string): void {
    kept.delete(this.#scriptId);
    this.#scriptId = scriptId;
  }

  get scriptId(): string {
    return this.#scriptId;
  }

  showMistake(mistake: RunMistake | null): void {
    this.#view.dispatch({ effects: setRunMistake.of(mistake) });
  }

  /** Counted from 1. */
  goToLine(line: number, column: number): void {
    const { doc } = this.#view.state;
    if (line < 1 || line > doc.lines) return;
    const at = doc.line(line);
    const anchor = Math.min(at.from + Math.max(column - 1, 0), at.to);
    this.#view.dispatch({
      selection: { anchor },
      effects: EditorView.scrollIntoView(anchor, { y: "center" }),
    });
    this.#view.focus();
  }

  focus(): void {
    this.#view.focus();
  }

  destroy(): void {
    this.#keepPlace();
    this.#view.destroy();
    if (current === this.#around) current = null;
  }

  #keepPlace(): void {
    const { state, scrollDOM } = this.#view;
    kept.delete(this.#scriptId);
    kept.set(this.#scriptId, { state, scrollTop: scrollDOM.scrollTop });
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
  }

  #scrollTo(place: KeptPlace | undefined): void {
    if (!place) return;
    const { scrollTop } = place;
    // Its height is known once it has been measured.
    this.#view.requestMeasure({
      read: () => {},
      write: (_, view) => {
        view.scrollDOM.scrollTop = scrollTop;
      },
    });
  }

  #newState(source: string): EditorState {
    return EditorState.create({ doc: source, extensions });
  }
}

/** A kept state outlives the view that it was made for: what it calls is found through the one that is there. */
let current: { handlers: TextHandlers; names: ScriptNames } | null = null;

const names = () => current?.names ?? noNames;

const extensions: Extension = [
  // A key that is held down is one wish to run it.
  Prec.highest(
    EditorView.domEventHandlers({
      keydown: (event) => event.repeat && event.key === "Enter" && (event.ctrlKey || event.metaKey),
    }),
  ),
  Prec.highest(
    keymap.of([
      {
        key: "Mod-Enter",
        preventDefault: true,
        run: () => {
          current?.handlers.onRun();
          return true;
        },
      },
    ]),
  ),
  lineNumbers(),
  highlightActiveLineGutter(),
  highlightSpecialChars(),
  history(),
  foldGutter({ openText: "⌄", closedText: "›" }),
  EditorView.lineWrapping,
  drawSelection(),
  dropCursor(),
  indentOnInput(),
  indentUnit.of("  "),
  bracketMatching(),
  closeBrackets(),
  highlightActiveLine(),
  highlightSelectionMatches(),
  search({ top: true }),
  javascript(),
  autocompletion({ icons: false, override: scriptCompletion(names) }),
  hoverOver(names),
  mistakes,
  scriptLook,
  keymap.of([
    ...closeBracketsKeymap,
    ...defaultKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...foldKeymap,
    ...completionKeymap,
    ...lintKeymap,
    indentWithTab,
  ]),
  EditorView.contentAttributes.of({
    "aria-label": "Script",
    // It has the keyboard anyway; so it is seen that what scrolls can be scrolled with it.
    tabindex: "0",
    "aria-description":
      "JavaScript. Tab indents: press Escape, then Tab, to leave the text. Control and Enter runs the script.",
    spellcheck: "false",
  }),
  EditorView.updateListener.of((update) => {
    const isOwn = update.transactions.some((each) => each.docChanged && !each.annotation(fromElsewhere));
    if (isOwn) current?.handlers.onEdit(update.state.doc.toString());
    if (update.focusChanged && !update.view.hasFocus) current?.handlers.onLeave();
  }),
];

/** A step of its own: undone, it gives back what was typed a moment before, and does not take that with it. */
export function changeFromElsewhere(before: string, after: string): TransactionSpec {
  return {
    changes: difference(before, after),
    annotations: [fromElsewhere.of(true), isolateHistory.of("full")],
  };
}

/** The one part in which two texts differ. */
export function difference(before: string, after: string): { from: number; to: number; insert: string } {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  let end = 0;
  while (
    end < most - start &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  ) {
    end += 1;
  }
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}
