// What one command has written, as text. It comes in pieces that may end in the middle of a character.

import { StringDecoder } from "node:string_decoder";

type Stream = "stdout" | "stderr";

/** How much of it is told with an error, in UTF-16 units. */
const lastUnits = 2_000;

export class CommandOutput {
  readonly #text: Record<Stream, string> = { stdout: "", stderr: "" };
  readonly #decoders = { stdout: new StringDecoder("utf8"), stderr: new StringDecoder("utf8") };
  #isCut = false;

  /** codex bounds it, and says at the last piece whether there was more. */
  add(stream: Stream, base64: string, isCut: boolean): void {
    this.#text[stream] += this.#decoders[stream].write(Buffer.from(base64, "base64"));
    this.#isCut ||= isCut;
    // What is left of a character that was cut in two is none.
    if (isCut) this.#text[stream] += cutNote;
  }

  end(): { stdout: string; stderr: string; isCut: boolean } {
    return { ...this.#text, isCut: this.#isCut };
  }

  last(): string {
    return `${this.#text.stdout}${this.#text.stderr}`.slice(-lastUnits);
  }
}

const cutNote = "\n[There was more output, which is left out here.]";
