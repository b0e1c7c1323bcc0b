// Text that comes from elsewhere, put into the field in which somebody may be typing.

import { textChange } from "./mergeDrafts";

/**
 * Only what differs is changed, as if it were typed: the caret stays where it was in the text, and the field's own undo goes
 * on working, over this change too. Nothing for a field that is not in use: it can be given a new value as it is.
 */
export function changeFieldText(field: HTMLTextAreaElement, text: string): void {
  if (document.activeElement !== field || field.value === text) return;
  const { selectionStart, selectionEnd } = field;
  const { start, end, inserted } = textChange(field.value, text);
  const moved = (at: number) => {
    if (at <= start) return at;
    return at >= end ? at + inserted.length - (end - start) : start + inserted.length;
  };
  // It is nobody's typing here.
  const unheard = (event: Event) => event.stopImmediatePropagation();
  window.addEventListener("input", unheard, { capture: true });
  try {
    field.setSelectionRange(start, end);
    document.execCommand(inserted === "" ? "delete" : "insertText", false, inserted);
  } finally {
    window.removeEventListener("input", unheard, { capture: true });
  }
  // React compares what is typed next with the last value that it knows of; being set is how it gets to know this one.
  const { value } = field;
  field.value = value;
  field.setSelectionRange(moved(selectionStart), moved(selectionEnd));
}
