// What a program says that its terminal shows: the title that it sets with a sequence (OSC 0 or 2, or 1 for the name of an icon).
// Read in main, since the title belongs to the terminal and not to a window that happens to show it.
//
// Races settled here:
// - A sequence comes in several pieces: what there is of it is kept, up to a bound.
// - A sequence never ends: what is longer than any title is no title.

const escapeByte = 0x1b;
const bell = 0x07;
const bracket = 0x5d;
const backslash = 0x5c;
const longestBytes = 1024;
const longestCharacters = 200;

export class TerminalTitle {
  #state: "text" | "escape" | "sequence" | "sequence escape" = "text";
  #held: number[] = [];
  /** Null: none was set, or an empty one. */
  title: string | null = null;

  /** True: the title is another one now. */
  read(bytes: Uint8Array): boolean {
    const before = this.title;
    for (let at = 0; at < bytes.length; at += 1) {
      if (this.#state === "text") {
        // Most of what is printed is passed over at once.
        at = bytes.indexOf(escapeByte, at);
        if (at === -1) break;
        this.#state = "escape";
      } else this.#take(bytes[at] ?? 0);
    }
    return this.title !== before;
  }

  #take(byte: number): void {
    switch (this.#state) {
      case "escape":
        this.#held = [];
        this.#state = byte === bracket ? "sequence" : byte === escapeByte ? "escape" : "text";
        return;
      case "sequence":
        if (byte === bell) this.#end();
        else if (byte === escapeByte) this.#state = "sequence escape";
        else if (this.#held.length >= longestBytes) this.#state = "text";
        else this.#held.push(byte);
        return;
      case "sequence escape":
        if (byte === backslash) this.#end();
        else this.#state = byte === escapeByte ? "escape" : "text";
        return;
      default:
        return;
    }
  }

  #end(): void {
    this.#state = "text";
    const [, title] = /^[012];(.*)$/s.exec(Buffer.from(this.#held).toString("utf8")) ?? [];
    if (title === undefined) return;
    // Nothing that could turn the words around it, or hide something.
    const plain = title.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd]/gu, "").trim();
    this.title = plain === "" ? null : [...plain].slice(0, longestCharacters).join("");
  }
}
