/** The one in which a message to the shown thread is written; null: there is none now. */
export function messageField(): HTMLTextAreaElement | null {
  return document.querySelector('[data-pane="composer"] textarea[data-pane-stop]');
}

/** True while nothing is written in the field of the shown thread: single keys may then be meant for something else. */
export function composerIsEmpty(): boolean {
  const field = document.querySelector<HTMLTextAreaElement>('[data-pane="composer"] textarea');
  return field === null || field.value === "";
}
