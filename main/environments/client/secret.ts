// A token that can be passed around and cannot be written down by accident: printing, logging or serialising it gives
// nothing away. Only where it is sent is it revealed.

import { inspect } from "node:util";

/** What can be sent as a token: it goes in the header of a request. */
export const tokenLook = /^[\x21-\x7e]+$/;

const shown = "[redacted]";

export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return shown;
  }

  toJSON(): string {
    return shown;
  }

  [inspect.custom](): string {
    return shown;
  }
}
