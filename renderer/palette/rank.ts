// How well a line of words fits what was typed. Pure. Letters must come in order; the start of a word, letters that
// follow each other and an early place count for more, so that "nt" finds "New thread" before "Next pane, in the list".

export function fitness(words: string, typed: string): number {
  const wanted = typed.normalize("NFC").toLowerCase().replaceAll(/\s+/g, "");
  if (wanted === "") return 1;
  const held = words.normalize("NFC").toLowerCase();
  let score = 0;
  let at = 0;
  let last = -2;
  for (const letter of wanted) {
    const found = bestPlace(held, letter, at, last);
    if (found === -1) return 0;
    if (found === last + 1) score += 4;
    else if (startsWord(held, found)) score += 3;
    else score += 1;
    last = found;
    at = found + 1;
  }
  return score + 1 / (1 + held.length) + (held.startsWith(wanted) ? wanted.length : 0);
}

const between: ReadonlySet<string> = new Set(" \t\n\u00a0/_.:-");

function startsWord(text: string, index: number): boolean {
  return index === 0 || between.has(text.charAt(index - 1));
}

/** The next letter if it follows at once, else the next start of a word with it, else wherever it is next. */
function bestPlace(text: string, letter: string, from: number, last: number): number {
  if (text.charAt(last + 1) === letter && last >= 0) return last + 1;
  const first = text.indexOf(letter, from);
  for (let index = first; index !== -1; index = text.indexOf(letter, index + 1)) {
    if (startsWord(text, index)) return index;
  }
  return first;
}

export interface Ranked<Value> {
  value: Value;
  score: number;
}

export interface RankOptions<Value> {
  /** At most so many. */
  most: number;
  /** Words that count for less. */
  besideOf?: (value: Value) => string;
  /** What it is worth beside its words: that it was used of late, say. Counts only for what fits at all. */
  bonusOf?: (value: Value, index: number) => number;
}

/** What fits much worse than the best is noise. */
const noiseShare = 0.45;

/** The best, best first; equal ones keep their order. */
export function ranked<Value>(
  values: Iterable<Value>,
  typed: string,
  wordsOf: (value: Value) => string,
  { most, besideOf = () => "", bonusOf = () => 0 }: RankOptions<Value>,
): Ranked<Value>[] {
  const fitting: Ranked<Value>[] = [];
  let index = 0;
  for (const value of values) {
    const beside = besideOf(value);
    const fits = Math.max(fitness(wordsOf(value), typed), beside === "" ? 0 : fitness(beside, typed) * 0.6);
    if (fits > 0) fitting.push({ value, score: fits + bonusOf(value, index) });
    index += 1;
  }
  fitting.sort((a, b) => b.score - a.score);
  const least = (fitting[0]?.score ?? 0) * noiseShare;
  return fitting.filter((each) => each.score >= least).slice(0, most);
}

/** The same without what they are worth. */
export function rank<Value>(
  values: Iterable<Value>,
  typed: string,
  wordsOf: (value: Value) => string,
  most: number,
  besideOf?: (value: Value) => string,
): Value[] {
  const options = { most, ...(besideOf && { besideOf }) };
  return ranked(values, typed, wordsOf, options).map(({ value }) => value);
}
