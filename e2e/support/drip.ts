// Words of a message that come one by one, when the test asks for them: for seeing that text arrives again, when what comes
// before that moment is lost.

import { expect, type Locator } from "@playwright/test";
import type { Step } from "../../main/demo/responseSteps";
import type { ModelServer } from "./modelServer";

export interface Drip {
  steps: Step[];
  /** All words, as they are in the whole message. */
  words: string;
  /** Lets one word after the other go until the place shows one that came last. */
  untilSeen(place: Locator): Promise<void>;
  releaseAll(): void;
}

export function drip(model: ModelServer, name: string, count = 60): Drip {
  const words = Array.from({ length: count }, (_, index) => `${name}${index} `);
  const gateOf = (word: string) => model.gate(`drip ${word}`);
  const waiting = [...words];
  return {
    steps: words.flatMap((word): Step[] => [model.hold(`drip ${word}`), { type: "textDelta", text: word }]),
    words: words.join(""),
    async untilSeen(place) {
      const released: string[] = [];
      await expect
        .poll(
          async () => {
            const text = (await place.textContent()) ?? "";
            if (released.some((word) => text.includes(word.trim()))) return true;
            const word = waiting.shift();
            if (word === undefined) throw new Error("there are no more words");
            gateOf(word).release();
            released.push(word);
            return false;
          },
          { message: `text that arrives at ${place}` },
        )
        .toBe(true);
    },
    releaseAll() {
      for (const word of waiting.splice(0)) gateOf(word).release();
    },
  };
}
