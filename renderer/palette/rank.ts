// How well words fit what was typed. Pure. Every word that was typed must be there: as a word, as the start of one, or, from
// three letters on, within one; in any order. Failing that, what was typed may be the starts of words that follow each
// other: "nt" finds "New thread". Letters that only happen to come in order are no fit: they find anything. Where nothing fits,
// a word may be mistyped once ("loosely"): a letter too many, too few or another one, or two that have changed places.

/** What one typed word is worth, and all of them on average. */
const worth = { word: 10, start: 8, within: 6, initials: 5, mistyped: 4 };
/** All that was typed stands together, or at the very front. */
const togetherBonus = 1;
const frontBonus = 1.5;
/** Words beside the name count for less; the start of one still counts for more than the middle of a word of the name. */
const besideShare = 0.8;
const leastWithin = 3;
const leastMistyped = 4;
/** Of a shorter word, all letters have to be there. */
const leastMistypedStart = 5;

export function fitness(words: string, typed: string, beside = ""): number {
  return fitnessFor(wantedOf(typed), words, beside, false);
}

function wantedOf(typed: string): string[] {
  return plain(typed).split(/\s+/).filter(Boolean);
}

function fitnessFor(wanted: readonly string[], words: string, beside: string, loosely: boolean): number {
  if (wanted.length === 0) return 1;
  const held = plain(words);
  const heldBeside = beside === "" ? "" : plain(beside);
  let sum = 0;
  let inName = true;
  for (const word of wanted) {
    const fit = wordFitness(held, word);
    const besideFit = heldBeside === "" ? 0 : wordFitness(heldBeside, word) * besideShare;
    let best = Math.max(fit, besideFit);
    if (best === 0 && loosely) {
      best = Math.max(mistypedFitness(held, word), mistypedFitness(heldBeside, word) * besideShare);
    }
    if (best === 0) return initialsFitness(held, wanted.join(""));
    inName &&= fit > 0;
    sum += best;
  }
  return sum / wanted.length + (inName ? placeBonus(held, wanted.join(" ")) : 0);
}

function placeBonus(held: string, phrase: string): number {
  const shorter = 1 / (1 + held.length);
  if (held.startsWith(phrase)) return shorter + frontBonus;
  return shorter + (phrase.includes(" ") && held.includes(phrase) ? togetherBonus : 0);
}

function plain(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

const partOfWord = /[\p{L}\p{M}\p{N}]/u;
const asciiPartOfWord = Array.from({ length: 128 }, (_, code) => partOfWord.test(String.fromCharCode(code)));

/** It is asked for each letter of thousands of titles. */
function isBoundary(text: string, index: number): boolean {
  if (index < 0 || index >= text.length) return true;
  return !(asciiPartOfWord[text.charCodeAt(index)] ?? partOfWord.test(text.charAt(index)));
}

function wordFitness(held: string, word: string): number {
  let best = 0;
  for (let at = held.indexOf(word); at !== -1; at = held.indexOf(word, at + 1)) {
    if (isBoundary(held, at - 1)) {
      if (isBoundary(held, at + word.length)) return worth.word;
      best = worth.start;
    } else if (best === 0 && word.length >= leastWithin) best = worth.within;
  }
  return best;
}

function mistypedFitness(held: string, word: string): number {
  if (word.length < leastMistyped) return 0;
  return held.split(/[^\p{L}\p{M}\p{N}]+/u).some((each) => isOneOff(each, word)) ? worth.mistyped : 0;
}

/** One mistake makes the one of the other, or of its beginning. */
function isOneOff(meant: string, typed: string): boolean {
  let at = 0;
  while (at < typed.length && meant.charAt(at) === typed.charAt(at)) at += 1;
  const goesOn = (inMeant: number, inTyped: number) => {
    const [rest, typedRest] = [meant.slice(inMeant), typed.slice(inTyped)];
    return typed.length < leastMistypedStart ? rest === typedRest : rest.startsWith(typedRest);
  };
  const swapped =
    meant.charAt(at) === typed.charAt(at + 1) &&
    meant.charAt(at + 1) === typed.charAt(at) &&
    goesOn(at + 2, at + 2);
  return swapped || goesOn(at + 1, at) || goesOn(at, at + 1) || goesOn(at + 1, at + 1);
}

/** Each letter goes on with the word that the last one was in, or starts the next word. */
function initialsFitness(held: string, letters: string): number {
  if (letters.length < 2) return 0;
  for (let at = held.indexOf(letters.charAt(0)); at !== -1; at = held.indexOf(letters.charAt(0), at + 1)) {
    if (isBoundary(held, at - 1) && areInitials(held, at, letters)) {
      return worth.initials + 1 / (1 + held.length);
    }
  }
  return 0;
}

function areInitials(held: string, from: number, letters: string): boolean {
  let last = from;
  for (let index = 1; index < letters.length; index += 1) {
    const letter = letters.charAt(index);
    const next = nextWord(held, last);
    if (held.charAt(last + 1) === letter) last += 1;
    else if (held.charAt(next) === letter) last = next;
    else return false;
  }
  return true;
}

/** Where the word after this place starts; past the end when there is none. */
function nextWord(held: string, from: number): number {
  let at = from;
  while (!isBoundary(held, at)) at += 1;
  while (at < held.length && isBoundary(held, at)) at += 1;
  return at;
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
  /** A word may be mistyped. */
  loosely?: boolean;
}

/** What fits much worse than the best is noise. */
const noiseShare = 0.45;

/** The best, best first; equal ones keep their order. */
export function ranked<Value>(
  values: Iterable<Value>,
  typed: string,
  wordsOf: (value: Value) => string,
  { most, besideOf = () => "", bonusOf = () => 0, loosely = false }: RankOptions<Value>,
): Ranked<Value>[] {
  const fitting: Ranked<Value>[] = [];
  const wanted = wantedOf(typed);
  let index = 0;
  for (const value of values) {
    const fits = fitnessFor(wanted, wordsOf(value), besideOf(value), loosely);
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
