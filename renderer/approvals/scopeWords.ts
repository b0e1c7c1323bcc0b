// What is said of a decision that lasts, around what it covers: how far it goes and for how long. Pure.

/** `label`: of its button, which has said it already where what is covered is short. */
export function scopeWords(label: string, scope: string): { before: string; after: string } {
  const isNamed = label.endsWith(`“${scope}”`);
  const before = isNamed ? "Always allowing" : `“${label}” covers`;
  // For the session only, the label says so.
  if (!/^always\b/i.test(label)) return { before, after: "" };
  return { before, after: `${isNamed ? " lasts" : ", and lasts"}: in all threads, without asking again.` };
}
