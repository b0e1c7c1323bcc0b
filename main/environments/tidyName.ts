// The name of an environment as it is kept. It is pasted now and then, with what nobody sees: that would make two names look
// the same, or turn the words around it the other way in a question or a list.

import { Fault } from "../fault";

const controls = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** What turns the direction, and what takes no room. Joiners stay: some scripts, and emoji, are written with them. */
const unseen = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** Throws Fault `environment_name_invalid`. */
export function tidyName(name: string): string {
  const tidy = name.replace(controls, " ").replace(unseen, "").trim().normalize("NFC");
  if (tidy !== "") return tidy;
  throw new Fault("environment_name_invalid", "There is nothing in this name that can be read.", {
    hint: "Give it another name.",
  });
}
