// For a dialog that a key opens and that is typed into: its field has the keyboard before the next key comes. A dialog gives it a
// frame later by itself, and what was typed meanwhile would go to what is below.

import type { RefObject } from "react";

/** Asked for as soon as the dialog is there; false: nothing is left to be done. */
export function keyboardAtOnce(field: RefObject<HTMLElement | null>): () => false {
  return () => {
    field.current?.focus();
    return false;
  };
}
