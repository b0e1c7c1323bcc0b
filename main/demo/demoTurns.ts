// What the demo model does after the tour: short turns that each show one thing.

import { randomUUID } from "node:crypto";
import { addFile } from "./demoProject";
import { breathe, type Pace, quoted, say, think } from "./demoSpeech";
import { succeeded } from "./demoTour";
import type { ModelRequest } from "./modelRequest";
import { patchItem, type Step } from "./responseSteps";

const menu =
  "Send `tour` for the tour, `long` for a long answer, `fail` for a turn that goes wrong, or anything else for another note.";

/** Writes what the person said into a note. */
export function* noteTurn(request: ModelRequest, pace: Pace, mark: string): Generator<Step> {
  const words = quoted(request.lastUserText);
  const note = `notes/note-${mark.slice(-6)}.md`;
  const [output] = request.outputsSinceUser;
  yield* breathe(pace);
  if (!output) {
    const pictures = picturesOf(request);
    const heard = words ? `You wrote ${words}.` : "Your message had no text.";
    const seen = pictures > 0 ? ` It came with ${pictures === 1 ? "an image" : `${pictures} images`}.` : "";
    yield* say(
      pace,
      `${heard}${seen} I am a script and cannot do that for you, but I can write it down: a note in \`${note}\`.`,
      "commentary",
    );
    const lines = ["# A note from the demo", "", `In this thread you wrote: ${words || "(no text)"}`];
    yield patchItem(addFile(note, lines), { callId: `demo-note-${mark}-${randomUUID().slice(0, 8)}` });
    return;
  }
  const result = succeeded(output.text)
    ? `Done: \`${note}\` is there, and its diff is above.`
    : "The note was not written; the step above says why. Nothing was changed.";
  yield* say(pace, `${result}\n\n${menu}`, "final_answer");
}

/** After a tour that a person ended at its question, or anywhere else. */
export function* afterStoppedTour(request: ModelRequest, pace: Pace, atQuestion: boolean): Generator<Step> {
  const words = quoted(request.lastUserText);
  const what = atQuestion
    ? "You said no to my question, and that ended the turn. Nothing of what I asked for was done, and that is fine: this is what the question is for."
    : "You stopped the tour half-way. What was done until then has stayed; nothing runs on behind your back.";
  yield* breathe(pace);
  yield* say(
    pace,
    `${what}${words ? ` Now you write ${words}.` : ""}\n\nWe can go on from here.\n\n${menu}`,
    "final_answer",
  );
}

export function* failTurn(pace: Pace): Generator<Step> {
  yield* breathe(pace);
  yield* say(pace, "This turn will now end with an error, as you asked. Your message is kept.", "commentary");
  // A code that codex does not try again.
  yield {
    type: "failed",
    code: "invalid_prompt",
    message: "The demo model failed on purpose, because you asked it to. Send another message to go on.",
  };
}

export function* longTurn(pace: Pace): Generator<Step> {
  yield* think(pace, "**A long answer**\n\nEnough text to scroll in, to copy from, and to stop half-way.");
  yield* say(pace, longAnswer, "final_answer");
}

/** codex asks for a summary with which the thread can go on when its history has grown long. */
export function* compactionTurn(pace: Pace): Generator<Step> {
  yield* say(
    pace,
    "This thread is a demo: a scripted model showed a tour, and wrote notes in `notes/`. Nothing is left to do.",
    "final_answer",
  );
}

function picturesOf(request: ModelRequest): number {
  const last = request.entries.findLast((entry) => entry.type === "user");
  return last?.type === "user" ? last.images : 0;
}

const longAnswer = `## A long answer

This text is long on purpose. While it streams you can scroll up to read, and the view stays where you are; go back to the end and it follows again. **Stop** ends it at once, and what was said so far stays in the thread as far as codex keeps it.

### What happens while you read

1. A small server inside Holdfast plays the part of a model. It sends these words one by one.
2. codex, the real one, takes them in and tells Holdfast about each piece.
3. Holdfast gathers the pieces and hands them to the window about once a frame, so that a fast model cannot drown a slow window.
4. The window draws only what you can see.

If one of these parts goes away, the others go on. Close the window in the middle of this sentence, and the turn does not notice.

### Some code to copy

\`\`\`js
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

/** The longest line of a file. */
export async function longestLine(path) {
  let longest = "";
  for await (const line of createInterface({ input: createReadStream(path) })) {
    if (line.length > longest.length) longest = line;
  }
  return longest;
}
\`\`\`

And the same idea for a shell:

\`\`\`sh
awk 'length > max { max = length; line = $0 } END { print line }' notes/README.md
\`\`\`

### A table

| Part | What it knows | What happens when it goes away |
| --- | --- | --- |
| The window | what you see | open it again; nothing is lost |
| Holdfast | which work is whose | it finds codex again when it starts |
| codex | threads, turns, tools | its threads are on disk; a turn shows as interrupted |
| The model | nothing, in this demo | the turn fails, and you can send again |

### On being a script

A script is a patient thing. It does not get better when you ask nicely, it does not make up functions that do not exist, and it says the same words tomorrow. It cannot help you with your work either. What it can do is show you how this app behaves, with real processes and real files, before you trust it with something that matters.

So try a few things that would be rude to a real model:

- press **Stop** in the middle of a word;
- send another message while I am still talking;
- scroll, select, copy, and make the window very narrow;
- quit the app, start it again, and look for this thread;
- come back tomorrow. It will still be here.

> A tool earns trust by what it does when something breaks.

### The end

That was long enough. Everything above was sent in about the rhythm of a real model, and nothing of it left your computer.
`;
