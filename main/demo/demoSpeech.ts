// How the demo model speaks: at a pace, in pieces about as long as a model's tokens.

import type { Phase, Step } from "./responseSteps";

export interface Pace {
  /** Before the piece with this number is sent, in milliseconds. */
  chunkMs(index: number): number;
  /** Before the model begins to speak or to act. */
  breathMs: number;
}

/** Like a model that answers briskly: uneven, so that it reads as speech and not as a machine's tick. */
export const naturalPace: Pace = { chunkMs: (index) => 25 + ((index * 7) % 16), breathMs: 350 };

/** With no waiting at all: for tests. */
export const noPace: Pace = { chunkMs: () => 0, breathMs: 0 };

/** One message. */
export function* say(pace: Pace, text: string, phase: Phase): Generator<Step> {
  let index = 0;
  for (const piece of pieces(text)) {
    yield { type: "textDelta", text: piece, phase };
    yield { type: "pause", ms: pace.chunkMs(index++) };
  }
  yield { type: "itemEnd" };
}

/** One item of reasoning, a part for each text. */
export function* think(pace: Pace, ...parts: string[]): Generator<Step> {
  yield { type: "created" };
  yield { type: "pause", ms: pace.breathMs };
  let index = 0;
  for (const [number, part] of parts.entries()) {
    if (number > 0) yield { type: "reasoningPart" };
    for (const piece of pieces(part)) {
      yield { type: "reasoningDelta", text: piece };
      yield { type: "pause", ms: pace.chunkMs(index++) };
    }
  }
  yield { type: "itemEnd" };
}

export function* breathe(pace: Pace): Generator<Step> {
  yield { type: "created" };
  yield { type: "pause", ms: pace.breathMs };
}

function pieces(text: string): string[] {
  return text.match(/\s*\S{1,12}\s*/g) ?? [];
}

/** What a person typed, short and plain enough to stand in a sentence. Empty when nothing of it is left. */
export function quoted(text: string): string {
  const plain = text
    .replaceAll(/[`*_[\]<>#|~\\]/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  const characters = [...plain];
  if (characters.length === 0) return "";
  return characters.length <= 60 ? `“${plain}”` : `“${characters.slice(0, 57).join("").trimEnd()}…”`;
}
