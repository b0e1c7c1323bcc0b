// The pills below the message field: one row at any width, in which each is either readable or an icon with a name.
//
// Which is which is decided by measuring, since the words come from codex and from the person (models, environments). It is
// written straight into the elements, before the browser draws: no state, so that no drawing in between is too wide.

import { type ReactNode, useLayoutEffect, useRef } from "react";
import { type PillForm, pillForms } from "./pillFit";

/** On each pill: how important its words are. */
export const rankAttribute = "data-pill-rank";
const attributes = { tight: "data-tight", small: "data-collapsed" } as const;

export function PillRow({ children }: { children: ReactNode }) {
  const row = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = row.current;
    if (!element) return;
    arrange(element);
    const resized = new ResizeObserver(() => arrange(element));
    resized.observe(element);
    // Its words change, or a pill comes or goes.
    const changed = new MutationObserver(() => arrange(element));
    changed.observe(element, { childList: true, subtree: true, characterData: true });
    return () => {
      resized.disconnect();
      changed.disconnect();
    };
  }, []);
  return (
    // The padding is the room of the ring around a pill that has the keyboard.
    <div ref={row} className="-m-1 flex min-w-0 flex-1 items-center gap-1.5 overflow-hidden p-1">
      {children}
    </div>
  );
}

function arrange(row: HTMLElement): void {
  const pills = [...row.querySelectorAll<HTMLElement>(`[${rankAttribute}]`)];
  const widthsOf = (form: PillForm) => {
    for (const pill of pills) putForm(pill, form);
    return pills.map((pill) => pill.getBoundingClientRect().width);
  };
  const [small, tight, full] = [widthsOf("small"), widthsOf("tight"), widthsOf("full")];
  const sizes = pills.map((pill, at) => ({
    rank: Number(pill.getAttribute(rankAttribute)),
    fullPx: full[at] ?? 0,
    tightPx: tight[at] ?? 0,
    smallPx: small[at] ?? 0,
  }));
  const { columnGap, paddingLeft, paddingRight } = getComputedStyle(row);
  const roomPx = row.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
  const forms = pillForms(sizes, Number.parseFloat(columnGap) || 0, roomPx);
  for (const [at, pill] of pills.entries()) putForm(pill, forms[at] ?? "full");
}

function putForm(pill: HTMLElement, form: PillForm): void {
  for (const name of ["tight", "small"] as const) pill.toggleAttribute(attributes[name], form === name);
}
