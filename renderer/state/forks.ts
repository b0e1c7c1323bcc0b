/** Whether a thread is named as a fork, as Holdfast names one: the mark at the end may be out of sight in a long title. */
export function isForkTitle(title: string): boolean {
  return /\(fork(?: \d+)?\)$/.test(title);
}
