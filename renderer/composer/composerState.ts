/** True while nothing is written in the field of the shown thread: single keys may then be meant for something else. */
export function composerIsEmpty(): boolean {
  const field = document.querySelector<HTMLTextAreaElement>('[data-pane="composer"] textarea');
  return field === null || field.value === "";
}
