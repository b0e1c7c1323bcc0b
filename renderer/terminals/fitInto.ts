// Keeps a terminal as large as the box that it is shown in.
//
// Races settled here:
// - The box changes with each frame while a divider is dragged: a program that draws the whole screen is told once it is still.
// - Two windows show it in boxes of two sizes: it has the size of the one whose box has changed last or that has got the keyboard
//   last, and the other one shows it like that. Neither answers to the other's change, so they do not go on for ever.
// - It is not known how large a character is before one is drawn: nothing is asked then.

import type { TerminalRow } from "../../preload/contract/terminals";
import { faultOf } from "../state/callFault";
import { call } from "../state/connection";
import { fitted, rememberSize } from "./fit";
import type { Screen } from "./screen";
import { isOver } from "./terminalWords";

const stillMs = 120;
/** The bar beside the lines. */
const barPx = 14;

/** Returns what ends it. */
export function fitInto(box: HTMLElement, screen: () => Screen | null, row: () => TerminalRow): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const fit = () => {
    timer = null;
    const { terminalId, columns, rows } = row();
    const character = screen()?.character;
    if (character === undefined) return;
    const style = getComputedStyle(box);
    const inPx = (value: string) => Number.parseFloat(value) || 0;
    const room = {
      widthPx: box.clientWidth - inPx(style.paddingLeft) - inPx(style.paddingRight) - barPx,
      heightPx: box.clientHeight - inPx(style.paddingTop) - inPx(style.paddingBottom),
    };
    const size = fitted(room, character);
    if (size === null) return;
    if (isOver(row())) {
      // Nothing draws on it any more: its lines are wrapped here as they fit, and nobody else is concerned.
      screen()?.resize(size);
      return;
    }
    rememberSize(size);
    if (size.columns === columns && size.rows === rows) return;
    call("terminals.resize", { terminalId, ...size }).catch((error: unknown) => {
      // One that has just ended has its last size. Anything else is no more than a size that does not fit.
      console.warn("A terminal could not be made to fit", faultOf(error).message);
    });
  };
  const soon = () => {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(fit, stillMs);
  };
  const observer = new ResizeObserver(soon);
  observer.observe(box);
  box.addEventListener("focusin", soon);
  return () => {
    if (timer !== null) clearTimeout(timer);
    observer.disconnect();
    box.removeEventListener("focusin", soon);
  };
}
